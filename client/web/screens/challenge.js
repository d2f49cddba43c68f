/**
 * A challenge, over whatever screen there is: who asks for what, for how long still, and the answers.
 * @import { App } from "./app.js"
 * @import { Challenged } from "../conversation/messages.d.ts"
 */
import { notify } from "../shown/attention.js";
import { incoming, isNews, leavesAMatch, outgoing } from "../shown/challenges.js";
import { countdownText } from "../shown/clocks.js";
import { setupText } from "../shown/lobby.js";
import { serverNow } from "../shown/seen.js";
import { sidesOf } from "../shown/sides.js";
import { ruleText } from "../shown/spans.js";
import { T } from "../texts/en/later.js";
import { html, useEffect, useState } from "../vendor/preact.js";
import { Button } from "./parts/parts.js";
import { useSeen } from "./parts/seeing.js";

/** How long it is told how a challenge went. */
const TOLD_MS = 8_000;

/** @param {{ app: App }} props */
export function Challenge({ app }) {
  const told = useSeen(app, (model) => incoming(model) ?? outgoing(model));
  const [news, setNews] = useState("");
  useEffect(() => {
    const heard = new Set(app.doing.model.peek().challengesHeard.slice(0, -1));
    let timer = 0;
    const end = app.doing.listen((event, model) => {
      if (event.type !== "challenge_over" || heard.has(event.challenge)) return;
      heard.add(event.challenge);
      if (!isNews({ ...model, challengesHeard: [] }, event)) return;
      setNews(event.text);
      clearTimeout(timer);
      timer = setTimeout(() => setNews(""), TOLD_MS);
    });
    return () => {
      clearTimeout(timer);
      end();
    };
  }, []);
  useEffect(() => callBack(app, told), [told?.challenge]);
  if (told) return html`<${Standing} key=${told.challenge} app=${app} told=${told} />`;
  return news && html`<p class="challenge" role="status">${news}</p>`;
}

/** While nobody looks, and no match has the title: say it there, and by a notice where that was chosen. @param {App} app @param {Challenged | null} told @returns {(() => void) | undefined} takes it back */
function callBack(app, told) {
  if (told === null || told.mine || app.table || document.visibilityState === "visible") return undefined;
  const before = document.title;
  const says = `${T.challenges.from(told.by)} ${told.title}`;
  document.title = `● ${says}`;
  const icon = /** @type {HTMLLinkElement | null} */ (document.querySelector('link[rel="icon"]'))?.href ?? "";
  if (app.settings.peek().notices)
    app.tabs.asOne(`challenge ${told.challenge}`, () => notify(says, told.challenge, icon, T.challenges.title));
  const takeBack = () => {
    document.title = before;
    document.removeEventListener("visibilitychange", takeBack);
  };
  document.addEventListener("visibilitychange", takeBack);
  return takeBack;
}

/** @param {{ app: App, told: Challenged }} props */
function Standing({ app, told }) {
  const [, again] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => again((was) => was + 1), 500);
    return () => clearInterval(timer);
  }, []);
  const now = serverNow(app.doing.model.peek(), app.doing.now());
  const left = now === null ? null : Math.max(0, told.until_ms - now);
  const { challenge } = told;
  const game = app.doing.seen.games[told.game];
  const seat = told.mine ? told.seat : 1 - told.seat;
  const side = T.challenges.side((game && sidesOf(game, told.options)?.[seat]?.name) ?? "", seat);
  const [asked, setAsked] = useState(false);
  const leaves = useSeen(app, leavesAMatch);
  const accept = () => (leaves && !asked ? setAsked(true) : go());
  const go = () => app.way.enter({ type: "answer_challenge", challenge, accept: true });
  const decline = () => app.doing.send((ref) => ({ type: "answer_challenge", ref, challenge, accept: false }));
  const withdraw = () => app.doing.send((ref) => ({ type: "withdraw_challenge", ref, challenge }));
  return html`<section class="challenge" role="alert" aria-label=${T.challenges.title}>
    <p class="grow" dir="auto"><b>${told.mine ? T.challenges.own(told.to) : T.challenges.from(told.by)}</b>${" "}
      <span>${[told.title, ruleText(told.clock), side, setupText(game, told.options)].filter(Boolean).join(", ")}</span>${" "}
      ${left !== null && html`<span class="quiet" role="timer">${T.challenges.left(countdownText(left))}</span>`}${" "}
      ${asked && leaves && html`<b>${T.challenges.meanwhile}</b>`}</p>
    ${
      told.mine
        ? html`<${Button} onClick=${withdraw}>${T.actions.withdraw}<//>`
        : html`<${Button} kind="primary" onClick=${accept}>${asked && leaves ? T.challenges.acceptAndGo : T.actions.accept}<//>
          <${Button} onClick=${decline}>${T.actions.decline}<//>`
    }
  </section>`;
}
