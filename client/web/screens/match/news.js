/**
 * What a match says to the person just now: whose turn it is, what is asked, what was refused, how it ended. It is beside
 * the board and never over it.
 * @import { App } from "../app.js"
 * @import { AwayInfo, Snapshot } from "../../conversation/messages.d.ts"
 * @import { Model } from "../../shown/seen.js"
 */
import { elementsOf } from "../../board/elements.js";
import { confirm, words } from "../../board/picking.js";
import { IN_VAIN, isToMove, offerToMe, ownOffer, unanswered, unseenBy } from "../../shown/at_play.js";
import { countdownText } from "../../shown/clocks.js";
import { isEnabled } from "../../shown/controls.js";
import { taskTitle } from "../../shown/lessons.js";
import { seatName } from "../../shown/position.js";
import {
  holdsBoth,
  isCovered,
  isMyTurn,
  may,
  pendingMoves,
  plays,
  shownPly,
  waitsLeft,
  winsBySurrender,
} from "../../shown/seen.js";
import { T } from "../../texts/en/later.js";
import { computed, html, useEffect, useLayoutEffect, useState } from "../../vendor/preact.js";
import { Button } from "../parts/parts.js";
import { useSeen, useSeenAll } from "../parts/seeing.js";
import { called } from "./board.js";
import { put, say, useDrawn } from "./drawn.js";
import { End } from "./end.js";
import { Review } from "./review.js";
import { Spoken } from "./spoken.js";

/** A command that is not answered by then is told of. */
const SLOW_MS = 5_000;
/** Refusals that are ignored tries rather than faults: told without a warning. */
const HINTS = new Set(["taken", "stale", IN_VAIN, ""]);
/** For so long it is told why a touch did nothing; terminal and window do the same. */
const FORGOTTEN_MS = 10_000;

/** @param {{ app: App }} props */
export function News({ app }) {
  const isOver = useSeen(app, ({ match, step }) => match?.status === "ended" && step === null);
  return html`<section class="news" aria-label=${T.match.waits}>
    ${!isOver && html`<${Headline} app=${app} />`}
    <${Offer} app=${app} />
    ${isOver && html`<${End} app=${app} />`}
    <${Review} app=${app} />
    <${Away} app=${app} />
    <${Asked} app=${app} />
    <${Hand} app=${app} />
    <${Hinted} app=${app} />
    <${Told} app=${app} />
    <${Spoken} app=${app} />
  </section>`;
}

/** Whose turn it is, or why it is nobody's. @param {{ app: App }} props */
function Headline({ app }) {
  const { seen } = app.doing;
  const what = useSeen(app, headlineOf);
  const behind = computed(() => T.match.lookingBack((seen.match?.plies ?? 0) - shownPly(seen)));
  const mover = computed(() => moverThen(seen));
  const plain = computed(() => seen.match?.text ?? "");
  if (what === "task") return html`<${Task} app=${app} />`;
  if (what === "turn") return html`<${Turn} app=${app} />`;
  if (what === "text") return html`<p class="headline"><b>${plain}</b></p>`;
  if (what === "back")
    return html`<p class="headline back"><b>${behind}</b> <span class="quiet small" dir="auto">${mover}</span>
      <${Button} kind="small" onClick=${() => app.doing.step(app.doing.model.peek().match?.plies ?? 0)}>${T.actions.live}<//></p>`;
  return html`<p class="headline"><b>${what === "paused" ? T.match.paused : T.pause.moment}</b></p>`;
}

/** Whose turn it was where one looks. @param {Model} model */
function moverThen({ match, look, step }) {
  if (match === null || look === null || look.ply !== step || look.to_move === null) return "";
  return T.match.wasToMove(seatName(match, look.to_move));
}

/** @param {Model} model */
function headlineOf(model) {
  if (model.step !== null) return "back";
  if (isCovered(model)) return model.match?.pause ? "paused" : "moment";
  if ((model.match?.to_move ?? null) === null) return "text";
  return model.match?.lesson ? "task" : "turn";
}

/** What is to be done, for who learns the game. @param {{ app: App }} props */
function Task({ app }) {
  const title = useSeen(app, taskTitle);
  const text = useSeen(app, ({ match }) => match?.text ?? "");
  return html`<p class="headline mine task"><b dir="auto">${title}</b> <span dir="auto">${text}</span></p>`;
}

/** Who is to move. @param {{ app: App }} props */
function Turn({ app }) {
  const line = useDrawn(app, drawTurn);
  return html`<p ref=${line}>
    <${Swatch} app=${app} seat=${0} /><${Swatch} app=${app} seat=${1} />
    <b dir="auto"></b> <span class="quiet small"></span>
  </p>`;
}

/** Both are there: which one is seen is said by one class of the line. @param {{ app: App, seat: number }} props */
function Swatch({ app, seat }) {
  const style = useSeen(app, ({ match }) => match?.seats[seat]?.style);
  return html`<i class=${`swatch of-${seat}`} style=${{ background: style?.colour }} aria-hidden="true">${style?.symbol}</i>`;
}

/** @param {HTMLElement} line @returns {(model: Model) => void} */
function drawTurn(line) {
  const [, , who, more] = line.children;
  return (model) => {
    const mine = isMyTurn(model) && !isPending(model) ? "mine" : "";
    put(line, "class", `headline turn-of-${model.match?.to_move} ${mine}`);
    say(who, turnText(model));
    say(more, besideTurn(model));
  };
}

/** @param {Model} model */
const isPending = (model) => pendingMoves(model).length > 0;

/** @param {Model} model */
const styleToMove = ({ match }) => match?.seats[match.to_move ?? -1]?.style;

/** @param {Model} model */
function turnText(model) {
  const { match } = model;
  if (match === null || match.to_move === null) return "";
  const name = seatName(match, match.to_move);
  if (isPending(model)) return T.match.unansweredMoves;
  if (holdsBoth(model)) return T.match.yourTurnName(name);
  return isMyTurn(model) ? T.match.yourTurn : T.match.toMove(name);
}

/** What the server says beside it, or that one watches. @param {Model} model */
function besideTurn(model) {
  const { match } = model;
  if (match === null) return "";
  if (!plays(model)) return match.delay_plies ? T.match.watchingLate(match.delay_plies) : T.match.watching;
  // Whose turn it is stands there already, by name.
  return T.match.plainTurn(styleToMove(model)?.name ?? "").includes(match.text) ? "" : match.text;
}

/** The open offer: to be answered, or one's own. @param {{ app: App }} props */
function Offer({ app }) {
  const asked = useSeen(app, offerToMe);
  const own = useSeen(app, ownOffer);
  const who = useSeen(app, ({ match }) => (match?.offer ? seatName(match, match.offer.seat) : ""));
  const unseen = useSeen(app, unseenBy);
  const canWithdraw = useSeen(app, (model) => may(model, "withdraw"));
  if (asked !== null) {
    const kind = /** @type {"draw"} */ (asked.kind);
    return html`<div class="ask offer" data-offer=${kind}>
      <p class="grow" dir="auto">${T.offers[kind](who)}</p>
      <${Button} kind="primary" onClick=${() => app.doing.act("accept")}>${T.actions.accept}<//>
      <${Button} onClick=${() => app.doing.act("decline")}>${T.actions.decline}<//>
    </div>`;
  }
  if (own === null) return null;
  return html`<div class="ask offer own" data-offer=${own.kind}>
    <p class="grow" dir="auto">${T.offers.own[/** @type {"draw"} */ (own.kind)]}${unseen && ` ${T.offers.unseen(unseen)}`}</p>
    ${canWithdraw && html`<${Button} onClick=${() => app.doing.act("withdraw")}>${T.actions.withdraw}<//>`}
  </div>`;
}

/** The opponent who is away, for who stays. @param {{ app: App }} props */
function Away({ app }) {
  const gone = useSeen(app, ({ match }) =>
    match?.away.find((one) => !match.you.includes(one.seat) && one.until_ms !== null),
  );
  return gone ? html`<${Waited} app=${app} gone=${gone} />` : null;
}

/** @param {{ app: App, gone: AwayInfo }} props */
function Waited({ app, gone }) {
  const model = app.doing.seen;
  const match = /** @type {Snapshot} */ (model.match);
  const left = waitsLeft(model, app.doing.now())[/** @type {0 | 1} */ (gone.seat)];
  const [, again] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => again((was) => was + 1), 500);
    return () => clearInterval(timer);
  }, [gone.until_ms]);
  if (left === null || !(may(model, "wait_longer") || may(model, "call_draw"))) return null;
  return html`<div class="ask away">
    <p class="grow" dir="auto">${T.match.awayLine(seatName(match, gone.seat), match.seats[gone.seat]?.where ?? "", countdownText(left))}</p>
    <div class="buttons">
      ${may(model, "wait_longer") && html`<${Button} onClick=${() => app.doing.act("wait_longer")}>${T.actions.wait_longer}<//>`}
      ${may(model, "call_draw") && html`<${Button} onClick=${() => app.doing.act("call_draw")}>${T.actions.call_draw}<//>`}
    </div>
  </div>`;
}

/** What is asked before it is done: surrendering, starting again. @param {{ app: App }} props */
function Asked({ app }) {
  const action = app.asked.value;
  useLayoutEffect(() => {
    if (action !== "") /** @type {HTMLElement | null} */ (document.querySelector(".asked .primary"))?.focus();
  }, [action]);
  const isOpen = useSeen(app, (model) => action !== "" && isEnabled(action, model));
  useEffect(() => {
    // What cannot be done just now, as during an offer or a pause, is not asked about again by itself.
    if (action !== "" && !isOpen) app.asked.value = "";
  }, [action, isOpen]);
  const winner = useSeen(app, (model) => {
    const seat = winsBySurrender(model);
    return model.match && seat !== null ? seatName(model.match, seat) : "";
  });
  if (!isOpen) return null;
  const [question, yes] = /** @type {Record<string, [string, string]>} */ ({
    give_up: [T.match.surrenderAsk(winner), T.match.surrenderYes],
    restart: [T.match.restartAsk, T.match.yes],
    cancel: [T.match.cancelAsk, T.match.yes],
  })[action] ?? [T.actions[/** @type {"draw"} */ (action)], T.match.yes];
  return html`<div class="ask asked" role="group" aria-label=${question}>
    <p class="grow">${question}</p>
    <${Button} kind="primary" onClick=${() => {
      app.asked.value = "";
      app.doing.act(action, app.askedAt);
    }}>${yes}<//>
    <${Button} onClick=${() => {
      app.asked.value = "";
    }}>${T.match.no}<//>
  </div>`;
}

/** What is picked, planned or not sent yet, with the way out of it. @param {{ app: App }} props */
function Hand({ app }) {
  const { plans } = app.table;
  const planned = plans.planned.value;
  const ended = useSeen(app, (model) =>
    app.picked.value.length > 1 && isToMove(model) && model.match ? confirm(model.match, app.picked.value).move : null,
  );
  const said = useSeenAll(app, (model) =>
    isToMove(model) && model.step === null && model.match ? words(model.match) : [],
  );
  const name = (/** @type {string} */ id) => {
    const match = /** @type {Snapshot} */ (app.doing.model.peek().match);
    const one = elementsOf(match.board).byId.get(id);
    return one ? called(match, one) : id;
  };
  if (plans.unsent.value) {
    return html`<div class="ask"><p class="grow">${T.match.confirm} <b>${plans.unsent.value}</b></p>
      <${Button} kind="primary" onClick=${() => plans.confirm()}>${T.match.confirmPlay}<//>
      <${Button} onClick=${() => plans.clear()}>${T.match.letGo}<//></div>`;
  }
  if (planned.length > 0) {
    return html`<div class="ask plan"><p class="grow">${T.match.planned(planned.map(name).join(" – "))}</p>
      <${Button} onClick=${() => plans.clear()}>${T.match.letGo}<//></div>`;
  }
  if (plans.dropped.value) return html`<p class="hint" role="status">${T.match.plannedDropped}</p>`;
  if (ended !== null) {
    return html`<div class="ask"><p class="grow">${T.match.goOn}</p>
      <${Button} kind="primary" onClick=${() => {
        app.board?.letGo();
        plans.play(ended);
      }}>${T.match.endHere}<//></div>`;
  }
  if (said.length === 0) return null;
  return html`<div class="ask"><p class="grow">${T.match.words}</p>
    ${said.map((word) => html`<${Button} key=${word} kind="primary" onClick=${() => plans.play(word)}>${word}<//>`)}</div>`;
}

/** What a hint says, as long as its position is on screen. @param {{ app: App }} props */
function Hinted({ app }) {
  const hint = useSeen(app, (model) => (model.step === null && !isCovered(model) ? model.hint : null));
  const waits = useSeen(app, (model) => model.pending.some((command) => command.type === "hint"));
  if (waits) return html`<p class="hint advice" role="status">${T.match.thinking}</p>`;
  return (
    hint &&
    html`<p class="hint advice" role="status">${T.match.hint(hint.move, hint.text)}${hint.less && ` ${T.match.less}`}</p>`
  );
}

/** What was refused, and what waits too long for its answer. @param {{ app: App }} props */
function Told({ app }) {
  const notice = useSeen(app, (model) => model.notice);
  const [slow, setSlow] = useState(false);
  const waits = useSeen(app, (model) => unanswered(model) > 0);
  useEffect(() => {
    setSlow(false);
    if (!waits) return undefined;
    const timer = setTimeout(() => setSlow(true), SLOW_MS);
    return () => clearTimeout(timer);
  }, [waits]);
  useEffect(() => {
    if (notice.code !== IN_VAIN) return undefined;
    const timer = setTimeout(() => app.doing.forget(IN_VAIN), FORGOTTEN_MS);
    return () => clearTimeout(timer);
  }, [notice.number]);
  const text = notice.text || (notice.code === "new_guest" && T.link.newGuest);
  return html`
    ${waits && slow && html`<p class="hint" role="status">${T.match.unanswered}</p>`}
    ${text && html`<p key=${notice.number} class=${`hint ${HINTS.has(notice.code) ? "" : "bad"}`} role="status">${text}</p>`}
  `;
}
