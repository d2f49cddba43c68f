/**
 * The cover of a paused match (`CK 5.4.3`): nobody sees the board, and only who paused can go on before the time is over.
 * @import { App } from "../app.js"
 */
import { countdownText } from "../../shown/clocks.js";
import { seatName } from "../../shown/position.js";
import { may, PAUSE, waitsLeft } from "../../shown/seen.js";
import { T } from "../../texts/en/later.js";
import { html, useEffect, useState } from "../../vendor/preact.js";
import { Button, Icon } from "../parts/parts.js";

/** @param {{ app: App }} props */
export function Cover({ app }) {
  const model = app.doing.seen;
  const { match } = model;
  const [, again] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => again((was) => was + 1), 500);
    return () => clearInterval(timer);
  }, []);
  if (match === null || match.pause === null)
    return html`<div class="cover"><p class="quiet">${T.pause.moment}</p></div>`;
  const own = match.you.includes(match.pause.seat);
  const name = seatName(match, match.pause.seat);
  const left = waitsLeft(model, app.doing.now())[PAUSE];
  return html`<div class="cover">
    <${Icon} name="pause" />
    <h2 dir="auto">${own ? T.pause.own : T.pause.theirs(name)}</h2>
    ${left !== null && html`<p class="digits">${T.pause.until(countdownText(left))}</p>`}
    ${!own && html`<p class="quiet" dir="auto">${T.pause.only(name)}</p>`}
    <p class="quiet small">${T.pause.still}</p>
    ${may(model, "continue") && html`<${Button} kind="primary large" onClick=${() => app.doing.act("continue")}>${T.actions.continue}<//>`}
  </div>`;
}
