/**
 * One side of a match: symbol and colour, name, presence, scores and clock.
 * @import { App } from "./app.js"
 * @import { Snapshot } from "../conversation/messages.d.ts"
 */

import { writingOn } from "../board/colours.js";
import { clockText, countdownText, isLow, TENTHS_MS, untilNext } from "../shown/clocks.js";
import { runningSeat, seatName } from "../shown/position.js";
import { isCleared, serverNow, shown, timeLeft } from "../shown/seen.js";
import { T } from "../texts/en.js";
import { html, useEffect, useRef, useState } from "../vendor/preact.js";

/** Drawn again after so many ms, while `ms` is not null. @param {number | null} ms */
function useTimer(ms) {
  const [, again] = useState(0);
  useEffect(() => {
    if (ms === null) return undefined;
    const timer = setTimeout(() => again((was) => was + 1), Math.max(ms, 16));
    return () => clearTimeout(timer);
  });
}

/** @param {{ app: App, seat: number, place: "above" | "below" }} props */
export function Player({ app, seat, place }) {
  const model = app.doing.model.value;
  const match = /** @type {Snapshot} */ (shown(model));
  const live = /** @type {Snapshot} */ (model.match);
  const { style } = /** @type {Snapshot["seats"][number]} */ (match.seats[seat]);
  const moves = match.status === "playing" && match.to_move === seat && model.step === null;
  const scores = match.scores[seat] ?? [];
  const what = model.games[match.game]?.score_names ?? [];
  const won = live.status === "ended" && live.result?.winner === seat;
  return html`<section class=${`player ${place} ${moves ? "to-move" : ""} ${won ? "won" : ""}`} aria-label=${seatName(live, seat)} data-seat=${seat}>
    <span class="badge-seat" style=${{ background: style.colour, color: writingOn(style.colour) }} aria-hidden="true">${style.symbol}</span>
    <span class="grow player-text">
      <b class="name" dir="auto" title=${seatName(live, seat)}>${seatName(live, seat)}</b>
      <${Presence} app=${app} match=${live} seat=${seat} />
    </span>
    ${moves && html`<span class="turn-sign" title=${T.match.toMove(seatName(live, seat))} aria-hidden="true">▶</span>`}
    ${
      scores.length > 0 &&
      html`<span class="scores">${scores.map((value, at) => html`<span key=${at} title=${T.match.score(value, what[at] ?? "")}><b class="digits">${value}</b><small class="quiet">${what[at]}</small></span>`)}</span>`
    }
    <${Countdown} app=${app} seat=${seat} />
  </section>`;
}

/** @param {{ app: App, match: Snapshot, seat: number }} props */
function Presence({ app, match, seat }) {
  const model = app.doing.model.value;
  const info = match.seats[seat];
  const until = match.away.find((gone) => gone.seat === seat)?.until_ms ?? null;
  const now = serverNow(model, app.doing.now());
  useTimer(until !== null ? 1000 : null);
  if (!info || isCleared(model)) return null;
  const own = match.you.includes(seat);
  if (info.name === null) return html`<small class="quiet">${T.match.free}</small>`;
  if (until !== null && now !== null)
    return html`<small class="bad">${T.match.awayFor(countdownText(until - now))}</small>`;
  if (own) return html`<small class="you">${match.you.length === 2 ? info.style.symbol : T.match.you}</small>`;
  return html`<small class=${info.here ? "quiet" : "bad"}><i class=${`presence ${info.here ? "on" : ""}`} aria-hidden="true"></i>${info.here ? T.match.here : T.match.away}</small>`;
}

/** @param {{ app: App, seat: number }} props */
function Countdown({ app, seat }) {
  const model = app.doing.model.value;
  const match = model.match;
  const left = timeLeft(model, app.doing.now())?.[seat] ?? null;
  const runs = match !== null && runningSeat(match) === seat;
  const own = match?.you.includes(seat) ?? false;
  const armed = useRef(false);
  useTimer(runs && left !== null && left > 0 ? untilNext(left) : null);
  useEffect(() => {
    if (left === null || !own) return;
    if (left >= TENTHS_MS) armed.current = true;
    else if (armed.current && runs && left > 0) {
      // One sound for each time that the clock falls below, and none for a page that was just loaded.
      armed.current = false;
      app.sounds.play("warning");
    }
  });
  if (left === null || match === null) return null;
  const unsure = model.link !== "up" && match.status === "playing";
  const looks = `clock digits ${runs ? "runs" : ""} ${isLow(left) ? "low" : ""} ${left < TENTHS_MS ? "tenths" : ""} ${unsure ? "unsure" : ""}`;
  return html`<span class=${looks} role="timer" aria-live="off" dir="ltr" data-left=${left} aria-label=${T.match.clock(seatName(match, seat), clockText(left))} title=${unsure ? T.match.unsure : undefined}>${unsure ? "~" : ""}${clockText(left)}</span>`;
}
