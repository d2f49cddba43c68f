/**
 * The connection, in a line above everything while there is none: since when, why, and that it comes back by itself. Or
 * that the hub cannot store moves just now, in its own words. Beside a board it is told over the lists: above it, it would
 * move what a finger is on its way to.
 * @import { App } from "./app.js"
 */
import { isIdentityKept } from "../kept/identity.js";
import { goingOn } from "../shown/lobby.js";
import { AGAIN } from "../shown/seen.js";
import { T } from "../texts/en/first.js";
import { html, useEffect, useState } from "../vendor/preact.js";
import { OwnMatch } from "./front.js";
import { Button } from "./parts/parts.js";
import { useSeen } from "./parts/seeing.js";

/** A connection that is not there by then is told of; before that nobody need be troubled. */
const LATE_MS = 1_500;
/** For so long it is told that the connection is back. */
const AGAIN_MS = 5_000;

/** @param {{ app: App }} props */
export function Link({ app }) {
  const { screen, about } = app.way.route.value;
  const isAmiss = useSeen(app, (model) => model.link !== "up" || model.outage !== null);
  // On every screen but those that show it, also beside a match that one watches or looks back at.
  const isElsewhere = useSeen(app, ({ match }) =>
    screen === "match"
      ? match?.match === about && (match.you.length === 0 || match.status === "ended")
      : !["front", "link"].includes(screen),
  );
  const isBeside = useSeen(app, ({ match }) => screen === "match" && (match?.you.length ?? 0) > 0);
  const isUnknown = useSeen(app, (model) => goingOn(model)?.game === "");
  // A page that was opened anew knows no more of one's matches than that they are there.
  const asks = isElsewhere && isUnknown;
  useEffect(() => {
    if (!asks) return undefined;
    app.doing.session.seeOwn(true);
    return () => app.doing.session.seeOwn(false);
  }, [asks]);
  if (isAmiss && !app.tellsAmiss.value) return html`<${Amiss} app=${app} />`;
  return html`${isElsewhere && html`<${OwnMatch} app=${app} beside=${isBeside} />`}<${NotKept} app=${app} />`;
}

/**
 * What is amiss, if anything is, or `again` for a while once the connection is back; `costs` is what staying away costs.
 * @param {{ app: App, costs?: string, again?: string }} props
 */
export function Amiss({ app, costs = "", again = "" }) {
  const isDown = useSeen(app, (model) => model.link !== "up");
  const outage = useSeen(app, (model) => model.outage?.text ?? "");
  if (isDown) return html`<${Down} app=${app} costs=${costs} />`;
  if (outage) return html`<p class="link-line down" role="status" dir="auto">${outage}</p>`;
  return again && html`<${Again} app=${app} text=${again} />`;
}

/** @param {{ app: App, text: string }} props */
function Again({ app, text }) {
  const number = useSeen(app, ({ notice }) => (notice.code === AGAIN ? notice.number : 0));
  useEffect(() => {
    const timer = setTimeout(() => app.doing.forget(AGAIN), AGAIN_MS);
    return () => clearTimeout(timer);
  }, [number]);
  return number > 0 && html`<p class="link-line again" role="status">${text}</p>`;
}

/** @param {{ app: App, costs: string }} props */
function Down({ app, costs }) {
  const model = app.doing.seen;
  const [late, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), LATE_MS);
    return () => clearTimeout(timer);
  }, []);
  if (model.link === "new" && model.downSince === null && !late) return null;
  if (model.downSince === null) return html`<p class="link-line first" role="status">${T.link.connecting}</p>`;
  if (!late && model.link === "down") return null;
  const since = new Date(Date.now() - (app.doing.now() - model.downSince));
  const time = new Intl.DateTimeFormat(undefined, { timeStyle: "medium" }).format(since);
  return html`<div class="link-line down" role="status">
    <span class="grow">${model.downReason === "blocked" ? T.link.blocked : T.link.lost(time)} ${costs}</span>
    <${Button} kind="small" onClick=${() => app.doing.retry()}>${T.link.now}<//>
  </div>`;
}

/** Where the browser keeps nothing a seat does not outlive the page: said before there is one to lose, once (`P30`, `P68`). @param {{ app: App }} props */
function NotKept({ app }) {
  const [read, setRead] = useState(false);
  const { screen } = app.way.route.value;
  const { player } = app.doing.seen;
  if (read || !player || ["front", "saved", "settings", "help"].includes(screen) || isIdentityKept(app.storage))
    return null;
  return html`<div class="link-line kept-not" role="status">
    <span class="grow">${T.settings.notStored}</span>
    <${Button} kind="small" onClick=${() => setRead(true)}>${T.settings.done}<//>
  </div>`;
}
