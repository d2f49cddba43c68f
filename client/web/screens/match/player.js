/**
 * One side of a match: symbol and colour, name, presence, scores and clock.
 * @import { App } from "../app.js"
 * @import { Model } from "../../shown/seen.js"
 */

import { writingOn } from "../../board/colours.js";
import { firstMoveMs } from "../../shown/at_play.js";
import { countdownText, untilNext } from "../../shown/clocks.js";
import { seatName } from "../../shown/position.js";
import { isCleared, serverNow, shown, waitsLeft } from "../../shown/seen.js";
import { spanText } from "../../shown/spans.js";
import { scoreName } from "../../shown/story.js";
import { T } from "../../texts/en/later.js";
import { html, useEffect, useState } from "../../vendor/preact.js";
import { useSeen } from "../parts/seeing.js";
import { Countdown } from "./clock.js";
import { put, say, useDrawn } from "./drawn.js";

/** Letters as people count them. */
const GRAPHEMES = new Intl.Segmenter();
/** Names with so many first letters in common look alike once they are cut off; so many of the last are kept then. */
const [ALIKE, ENDING] = [5, 3];

/** Drawn again after so many ms, while `ms` is not null. @param {number | null} ms */
function useTimer(ms) {
  const [, again] = useState(0);
  useEffect(() => {
    if (ms === null) return undefined;
    const timer = setTimeout(() => again((was) => was + 1), Math.max(ms, 16));
    return () => clearTimeout(timer);
  });
}

/** Whether the side is to move, or has won. @param {Model} model @param {number} seat */
function standing(model, seat) {
  const { match, step } = model;
  if (match?.status === "playing") return match.to_move === seat && step === null ? "to-move" : "";
  return match?.status === "ended" && match.result?.winner === seat ? "won" : "";
}

/**
 * A name that begins like the other's has its end in a part of its own, and is cut off before that: there they differ.
 * @param {string} name
 * @param {string} other
 */
function parted(name, other) {
  const [letters, others] = [name, other].map((one) => Array.from(GRAPHEMES.segment(one), ({ segment }) => segment));
  const same = letters?.findIndex((letter, at) => letter !== others?.[at]) ?? -1;
  if (!letters || same < ALIKE) return name;
  const from = Math.max(ALIKE, Math.min(same, letters.length - ENDING));
  const [start, end] = [letters.slice(0, from), letters.slice(from)].map((part) => part.join(""));
  return html`<span class="name-start">${start}</span><span>${end}</span>`;
}

/** @param {{ app: App, seat: number, place: "above" | "below" }} props */
export function Player({ app, seat, place }) {
  const style = useSeen(app, ({ match }) => match?.seats[seat]?.style);
  const name = useSeen(app, ({ match }) => (match ? seatName(match, seat) : ""));
  const other = useSeen(app, ({ match }) => (match ? seatName(match, 1 - seat) : ""));
  const side = useDrawn(
    app,
    (section) => (model) => put(section, "class", `player ${place} ${standing(model, seat)}`),
    [place, seat, style === undefined],
  );
  if (!style) return null;
  return html`<section ref=${side} aria-label=${name} data-seat=${seat}>
    <span class="badge-seat" style=${{ background: style.colour, color: writingOn(style.colour) }} aria-hidden="true">${style.symbol}</span>
    <span class="grow player-text">
      <b class="name" dir="auto" title=${name}>${parted(name, other)}</b>
      <${Presence} app=${app} seat=${seat} />
    </span>
    <span class="turn-sign" title=${T.match.toMove(name)} aria-hidden="true">▶</span>
    <${FirstMove} app=${app} seat=${seat} />
    <${Scores} app=${app} seat=${seat} />
    <${Countdown} app=${app} seat=${seat} />
  </section>`;
}

/** @param {{ app: App, seat: number }} props */
function Scores({ app, seat }) {
  const count = useSeen(app, ({ match }) => match?.scores[seat]?.length ?? 0);
  const scores = useDrawn(app, (row) => drawScores(row, seat), [count, seat]);
  if (count === 0) return null;
  const places = Array.from({ length: count }, (_, at) => at);
  return html`<span ref=${scores} class="scores">${places.map((at) => html`<span key=${at}><b class="digits"></b><small class="quiet"></small></span>`)}</span>`;
}

/** @param {HTMLElement} row @param {number} seat @returns {(model: Model) => void} */
function drawScores(row, seat) {
  const places = [...row.children];
  /** @type {readonly number[] | undefined} */
  let drawn;
  /** @type {Model["games"]} */
  let words;
  return (model) => {
    const scores = shown(model)?.scores[seat];
    if (!scores || (scores === drawn && model.games === words)) return;
    [drawn, words] = [scores, model.games];
    const game = words[model.match?.game ?? ""];
    places.forEach((place, at) => {
      const value = scores[at] ?? 0;
      const what = scoreName(game, at, value);
      put(place, "title", T.match.score(value, what));
      say(place.children[0], String(value));
      say(place.children[1], what);
    });
  };
}

/** @param {{ app: App, seat: number }} props */
function Presence({ app, seat }) {
  const info = useSeen(app, ({ match }) => match?.seats[seat]);
  const until = useSeen(app, ({ match }) => match?.away.find((gone) => gone.seat === seat)?.until_ms ?? null);
  const you = useSeen(app, ({ match }) => match?.you) ?? [];
  const cleared = useSeen(app, isCleared);
  const down = useSeen(app, ({ link }) => link === "down");
  const over = useSeen(app, ({ match }) => match?.status === "ended");
  const isComputers = useSeen(app, ({ match }) => match !== null && match.level !== "" && match.you.length === 1);
  const seen = app.doing.model.peek();
  const now = serverNow(seen, app.doing.now());
  const left = waitsLeft(seen, app.doing.now())[/** @type {0 | 1} */ (seat)];
  const since = info?.since_ms ?? null;
  useTimer(until !== null || (since !== null && !info?.here) ? 1000 : null);
  if (!info || cleared) return null;
  const own = you.includes(seat);
  if (info.name === null) return html`<small class="quiet">${T.match.free}</small>`;
  if (left !== null) {
    const time = countdownText(left);
    return html`<small class="bad">${timed(T.match.awayFor(goneText(info), time), time)}</small>`;
  }
  // Of two seats held here the sign before the name says which is which.
  if (own) return you.length === 1 && html`<small class="you">${T.match.you}</small>`;
  // The computer is always here: its room is for its name and level.
  if (isComputers && info.here && !down) return null;
  if (down) return html`<small class="quiet">${info.here ? T.match.wasHere : T.match.wasAway}</small>`;
  return html`<small class=${info.here || over ? "quiet" : "bad"}><i class=${`presence ${info.here ? "on" : ""}`} aria-hidden="true"></i>${whereText(info, over, now)}</small>`;
}

/** Where somebody is, or how they have gone. @param {import("../../conversation/messages.d.ts").SeatInfo} info @param {boolean} over @param {number | null} now the hub's time */
function whereText(info, over, now) {
  if (info.here) return timed(T.match.places[info.where], "");
  if (over && info.where === "") return timed(T.match.left, "");
  if (info.since_ms === null || now === null) return timed(goneText(info), "");
  const span = spanText(Math.max(now - info.since_ms, 0));
  return timed(T.match.goneFor(goneText(info), span), span);
}

/** A text with a time in it: of both it is the words that may be cut off. @param {string} text @param {string} time */
function timed(text, time) {
  const at = time ? text.lastIndexOf(time) : text.length;
  return html`<span class="how">${text.slice(0, at)}</span>${time && html`<span class="time">${text.slice(at)}</span>`}`;
}

/** How somebody who is not here has gone, as far as that is known. @param {import("../../conversation/messages.d.ts").SeatInfo} info */
const goneText = ({ where }) => (where === "quit" || where === "lost" ? T.match.places[where] : T.match.away);

/** How long the seat's first move may take, which its clock is not charged with. @param {{ app: App, seat: number }} props */
function FirstMove({ app, seat }) {
  const waits = useSeen(app, (model) => firstMoveMs(model, 0) !== null && model.match?.to_move === seat);
  return waits ? html`<${Within} app=${app} />` : null;
}

/** @param {{ app: App }} props */
function Within({ app }) {
  const left = firstMoveMs(app.doing.seen, app.doing.now()) ?? 0;
  useTimer(left > 0 ? untilNext(left) : null);
  return html`<small class="quiet first-move"><span>${T.match.firstMove}</span> <span>${T.match.within(countdownText(left))}</span></small>`;
}
