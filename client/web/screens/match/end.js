/**
 * The end (`CK 5.5`): who won and why, the statistics, and the ways on, beside the board.
 * @import { App } from "../app.js"
 * @import { Snapshot } from "../../conversation/messages.d.ts"
 * @import { Model } from "../../shown/seen.js"
 */
import { markLearned } from "../../kept/learned.js";
import { isDone, nextTask } from "../../shown/lessons.js";
import { linkTo } from "../../shown/links.js";
import { seatName } from "../../shown/position.js";
import { may, plays } from "../../shown/seen.js";
import { averageText } from "../../shown/spans.js";
import { T } from "../../texts/en/later.js";
import { html, useEffect, useLayoutEffect, useRef, useState } from "../../vendor/preact.js";
import { Button } from "../parts/parts.js";
import { Share, Text } from "../parts/share.js";
import { download, playAgain } from "./afterwards.js";
import { PractiseButton, ReviewButton } from "./review.js";

/** For so long after the end a click on what has come beside the board does nothing: it was meant for what was there. */
const DEAF_MS = 800;

/** Whether it ended just now, before one's eyes. @param {Model} model */
function useDeaf(model) {
  const [deaf, setDeaf] = useState(() => model.happenings.some((one) => one.kind === "ended"));
  useEffect(() => {
    const timer = setTimeout(() => setDeaf(false), DEAF_MS);
    return () => clearTimeout(timer);
  }, []);
  return deaf;
}

/** How it ended, first for the one who reads it. @param {Snapshot} match */
export function ending(match) {
  if (match.lesson) return isDone(match) ? T.learn.done : T.learn.notYet;
  const winner = match.result?.winner ?? null;
  if (winner === null) return match.result?.reason === "reviewed" ? T.end.saved : T.end.draw;
  if (match.you.length === 1) return match.you.includes(winner) ? T.end.win : T.end.lose;
  return T.end.wins(seatName(match, winner));
}

/** What came of a task, and the ways on. @param {{ app: App }} props */
function TaskEnd({ app }) {
  const model = app.doing.model.value;
  const match = /** @type {Snapshot} */ (model.match);
  const done = isDone(match);
  const deaf = useDeaf(model);
  useEffect(() => {
    if (done) markLearned(app.storage, match.game, match.lesson);
  }, [match.match, done]);
  const again = html`<${Button} kind=${done ? "" : "primary"} onClick=${() => app.doing.act("rematch")}>${T.learn.again}<//>`;
  return html`<div class="end task" data-done=${done}>
    <p class="ending"><b>${ending(match)}</b> <span dir="auto">${match.result?.text ?? match.text}</span></p>
    <div class="buttons" inert=${deaf}>
      ${!done && again}
      ${nextTask(model) > 0 && html`<${Button} kind=${done ? "primary" : ""} onClick=${() => playAgain(app, match)}>${T.learn.next}<//>`}
      ${done && again}
      <${Button} onClick=${() => app.way.leave()}>${T.end.lobby}<//>
    </div>
  </div>`;
}

/** The result as one line, to be pasted anywhere: no key, no link (`P73`). @param {Model} model @param {Snapshot} match */
function resultText(model, match) {
  const names = match.seats.map((_, seat) => seatName(match, seat));
  return T.end.asText(
    model.games[match.game]?.title ?? match.game,
    names.join(" – "),
    match.result?.text ?? match.text,
    match.created_ms,
  );
}

/** What each player did: moves, and the time that one took, with bars as long as they are. @param {{ match: Snapshot }} props */
function Statistics({ match }) {
  const stats = match.result?.stats ?? [];
  if (!stats.some((seat) => seat.moves)) return null;
  const most = (/** @type {"moves" | "average_ms"} */ what) => Math.max(...stats.map((seat) => seat[what]), 1);
  const bar = (/** @type {string} */ colour, /** @type {number} */ part) =>
    html`<i class="figure-bar" aria-hidden="true"><i style=${{ width: `${100 * part}%`, background: colour }}></i></i>`;
  return html`<ul class="stats small quiet">
    ${match.seats.map(({ style }, at) => {
      const { moves = 0, average_ms = 0 } = stats[at] ?? {};
      const name = seatName(match, at);
      return html`<li key=${at}><span class="stats-of"><i class="swatch" style=${{ background: style.colour }} aria-hidden="true">${style.symbol}</i>
        <span class="name" dir="auto" title=${name}>${name}</span>${match.you.length === 1 && match.you.includes(at) && html` <small class="you">${T.match.you}</small>`}</span>
        <span class="digits">${T.end.moves(moves)}</span>${bar(style.colour, moves / most("moves"))}
        ${moves > 0 && html`<span class="digits">${T.end.each(averageText(average_ms))}</span>${bar(style.colour, average_ms / most("average_ms"))}`}</li>`;
    })}
  </ul>`;
}

/** @param {{ app: App }} props */
export function End({ app }) {
  const { match } = app.doing.seen;
  return match?.lesson ? html`<${TaskEnd} app=${app} />` : html`<${MatchEnd} app=${app} />`;
}

/** @param {{ app: App }} props */
function MatchEnd({ app }) {
  const model = app.doing.seen;
  const match = /** @type {Snapshot} */ (model.match);
  const [shares, setShares] = useState(false);
  const { result } = match;
  const link = linkTo(app.page, match);
  const own = plays(model);
  const deaf = useDeaf(model);
  return html`<div class="end" data-winner=${result?.winner ?? "none"}>
    <p class="ending"><b dir="auto">${ending(match)}</b> <span dir="auto">${result?.text ?? match.text}</span></p>
    <${Statistics} match=${match} />
    <div class="buttons" inert=${deaf}>
      ${may(model, "offer_rematch") && match.offer === null && html`<${Button} kind="primary" onClick=${() => app.doing.act("rematch")}>${T.end.rematch}<//>`}
      ${match.rematch && html`<${Button} kind="primary" onClick=${() => app.way.enter({ type: "watch", match: match.rematch })}>${T.end.toRematch}<//>`}
      ${own && html`<${Button} onClick=${() => playAgain(app, match)}>${match.you.length === 2 || app.isAlone(match) ? T.end.againSame : T.end.again}<//>`}
      <${Button} icon="share" title=${link ? T.end.shareMore : T.end.resultText} expanded=${shares} onClick=${() => setShares(!shares)}>${link ? T.end.share : T.end.result}<//>
      <${ReviewButton} app=${app} />
      ${model.review === null && html`<span class="practise-here"><${PractiseButton} app=${app} /></span>`}
      <${Button} icon="save" title=${T.end.downloadMore} onClick=${() => download(app)}>${T.end.download}<//>
      <${Button} onClick=${() => app.way.leave()}>${T.end.lobby}<//>
    </div>
    ${shares && html`<${Given} model=${model} match=${match} link=${link} />`}
  </div>`;
}

/**
 * What is given away of it, in sight as soon as it is opened: a link where one leads somewhere, and the result as text.
 * @param {{ model: Model, match: Snapshot, link: string }} props
 */
function Given({ model, match, link }) {
  const given = useRef(/** @type {HTMLElement | null} */ (null));
  useLayoutEffect(() => given.current?.scrollIntoView({ block: "nearest" }), []);
  return html`<div ref=${given} class="given">
    ${link && html`<p class="small">${T.end.shareLink}</p><${Share} link=${link} title=${T.end.shareMore} />`}
    <${Text} text=${resultText(model, match)} label=${T.end.resultText} />
  </div>`;
}
