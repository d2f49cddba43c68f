/**
 * The countdowns of a match (`CK 5.4.5`). Each is drawn by plain DOM: it changes with every move and every second.
 * @import { App } from "../app.js"
 */

import { countdowns, firstMoveMs, isUnsure, viewerSeat } from "../../shown/at_play.js";
import { clockText, isLow, TENTHS_MS, untilNext } from "../../shown/clocks.js";
import { runningSeat, seatName } from "../../shown/position.js";
import { LEAST_MS } from "../../shown/seen.js";
import { T } from "../../texts/en/later.js";
import { effect, html, useLayoutEffect, useRef } from "../../vendor/preact.js";
import { useSeen } from "../parts/seeing.js";
import { put, say } from "./drawn.js";

/** Ms between two drawings at least. */
const FRAME_MS = 16;

/** @param {{ app: App, seat: number }} props */
export function Countdown({ app, seat }) {
  const isTimed = useSeen(app, ({ match }) => Boolean(match?.clock));
  return isTimed ? html`<${Ticking} app=${app} seat=${seat} warns=${true} />` : null;
}

/**
 * One's own time once more, above a board that stands upright: what is below that lies under the hand (`P20`).
 * @param {{ app: App }} props
 */
export function OwnTime({ app }) {
  const seat = useSeen(app, (model) => (model.match?.clock ? viewerSeat(model) : null));
  if (seat === null) return null;
  return html`<span class="own-time" aria-hidden="true"><${Ticking} app=${app} seat=${seat} warns=${false} /></span>`;
}

/** @param {{ app: App, seat: number, warns: boolean }} props `warns`: it is this one that sounds when little is left */
function Ticking({ app, seat, warns }) {
  const face = useRef(/** @type {HTMLElement | null} */ (null));
  useLayoutEffect(() => (face.current ? keepTime(app, seat, warns, face.current) : undefined), [seat]);
  return html`<span ref=${face} role="timer" aria-live="off" dir="ltr"></span>`;
}

/** @param {HTMLElement} face @param {{ left: number, runs: boolean, unsure: boolean, name: string }} time */
function show(face, { left, runs, unsure, name }) {
  const looks = [
    "clock digits",
    runs && "runs",
    isLow(left) && "low",
    left < TENTHS_MS && "tenths",
    unsure && "unsure",
  ];
  const text = clockText(left);
  put(face, "class", looks.filter(Boolean).join(" "));
  put(face, "data-left", String(left));
  put(face, "aria-label", T.match.clock(name, text));
  put(face, "title", unsure ? T.match.unsure : "");
  say(face, `${unsure ? "~" : ""}${text}`);
}

/** @param {App} app @param {number} seat @param {boolean} warns @param {HTMLElement} face @returns {() => void} ends it */
function keepTime(app, seat, warns, face) {
  const { seen } = app.doing;
  let armed = false;
  let drawn = "";
  /** @type {any} */
  let timer = null;
  const draw = () => {
    clearTimeout(timer);
    const { match } = seen;
    const left = countdowns(seen, app.doing.now())?.[seat] ?? null;
    if (left === null || match === null) return;
    const runs = runningSeat(match) === seat;
    const unsure = isUnsure(seen);
    const name = seatName(match, seat);
    const shown = `${left} ${runs} ${unsure} ${name}`;
    if (shown !== drawn) show(face, { left, runs, unsure, name });
    drawn = shown;
    if (left >= TENTHS_MS) armed = true;
    else if (armed && runs && left > 0) {
      // One sound for each time that the clock falls below, and none for a page that was just loaded.
      armed = false;
      if (warns && match.you.includes(seat)) queueMicrotask(() => app.sounds.play("warning"));
    }
    const stands = unsure || firstMoveMs(seen, 0) !== null;
    if (runs && !stands && left > LEAST_MS) timer = setTimeout(draw, Math.max(untilNext(left), FRAME_MS));
  };
  const end = effect(draw);
  return () => {
    end();
    clearTimeout(timer);
  };
}
