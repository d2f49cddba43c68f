/**
 * Countdowns that never go back: of one turn, absence or pause no more is shown than was shown before (`D5`). Pure.
 *
 * That a time is excused is told when some of it was counted down already. What was is given back at the end: a countdown
 * stands where it was seen until the true one has come down to it, so that the flag falls when it must.
 * @import { Outage, OwnMatch, Snapshot } from "../conversation/messages.d.ts"
 * @import { Change } from "./model.js"
 * @import { Model } from "./seen.js"
 */
import { leftMs } from "./lobby.js";
import { update } from "./model.js";
import { NO_WAITS, NOT_HELD, serverNow, timeLeft, timeTold, waitsLeft, waitsTold } from "./seen.js";

/**
 * No outage is told later. A clock that has more back is another one: of a game that was begun anew, or read with a server's
 * clock that was not known yet.
 */
const MOST_MS = 20_000;

/** The model after `event`, which came at `now` (ms of the session's clock). @param {Model} model @param {Change} event @param {number} now @returns {Model} */
export function updateAt(model, event, now) {
  const told = event.type === "outage" && event.on ? fromHere(model, event, now) : event;
  const after = update(model, told);
  if (after === model) return model;
  // What is told while the store is away finds all clients at the moment at which they stop.
  const seenAt = model.outage === null ? now : Infinity;
  return {
    ...after,
    held: held(model, after, told, now, seenAt),
    ownHeld: ownHeld(model, after, now, seenAt),
    heldWaits: heldWaits(model, after, told, now, seenAt),
  };
}

/** That the store is away, by a word that was long on its way: nothing goes back to before it came. @param {Model} model @param {Outage} word @param {number} now @returns {Outage} */
function fromHere(model, word, now) {
  const nowMs = serverNow(model, now);
  return nowMs === null ? word : { ...word, counted_ms: Math.max(word.counted_ms, Math.ceil(nowMs)) };
}

/**
 * The most that is shown of each seat's time from now on; null where that is what it has, as at the end.
 * @param {Model} before @param {Model} after @param {Change} event @param {number} now @param {number} seenAt
 * @returns {Model["held"]}
 */
function held(before, after, event, now, seenAt) {
  const { match: earlier } = before;
  const { match } = after;
  if (earlier === null || match === null || earlier.match !== match.match) return NOT_HELD;
  if (match.status === "ended") return NOT_HELD;
  const [shown, left] = [timeLeft(before, seenAt), timeTold(after, now)];
  if (shown === null || left === null) return NOT_HELD;
  const most = (/** @type {0 | 1} */ seat) => {
    const gain = gainedMs(earlier, match, event, seat);
    if (gain === null) return null;
    const highest = shown[seat] + gain;
    return highest < left[seat] && left[seat] <= highest + MOST_MS ? highest : null;
  };
  const [first, second] = [most(0), most(1)];
  return first === null && second === null ? NOT_HELD : [first, second];
}

/**
 * How much time a seat may have got by the rule of the clock (`RU-M1`); null: its time is a new one.
 * @param {Snapshot} before @param {Snapshot} after @param {Change} event @param {number} seat
 */
function gainedMs(before, after, event, seat) {
  const rule = after.clock_rule;
  if (before.status === "waiting" || before.uncharged.includes(seat) !== after.uncharged.includes(seat)) return null;
  if (event.type === "joined" || event.type === "seat_freed") return null;
  if (event.type === "replaced") return event.by === "takeback" && !rule.per_move_ms ? 0 : null;
  if (event.type !== "moved" && event.type !== "snapshot") return 0;
  if (after.version === before.version) return 0;
  const moves = after.plies - before.plies;
  if (after.version < before.version || moves < 0 || moves > 1) return null;
  if (after.to_move === before.to_move) return 0;
  if (rule.per_move_ms) return null;
  return moves && seat === before.to_move ? rule.increment_ms : 0;
}

/** The same for who is away and for a pause. Who is waited for longer has more than any outage gives back. @param {Model} before @param {Model} after @param {Change} event @param {number} now @param {number} seenAt @returns {Model["heldWaits"]} */
function heldWaits(before, after, event, now, seenAt) {
  if (before.match === null || after.match === null || before.match.match !== after.match.match) return NO_WAITS;
  const [shown, left] = [waitsLeft(before, seenAt), waitsTold(after, now)];
  // What is excused is told before it is told that the outage is over: until then all of it is ahead.
  const mostMs = event.type === "excused" ? Infinity : MOST_MS;
  const most = (/** @type {0 | 1 | 2} */ place) => {
    const [seen, told] = [shown[place], left[place]];
    return seen !== null && told !== null && seen < told && told <= seen + mostMs ? seen : null;
  };
  const [first, second, pause] = [most(0), most(1), most(2)];
  return first === null && second === null && pause === null ? NO_WAITS : [first, second, pause];
}

/** The same for the time that runs in each row of one's own matches. @param {Model} before @param {Model} after @param {number} now @param {number} seenAt @returns {Model["ownHeld"]} */
function ownHeld(before, after, now, seenAt) {
  const earlier = new Map(before.own.map((row) => [row.match, row]));
  /** @type {Record<string, number>} */
  const most = {};
  for (const row of after.own) {
    const known = earlier.get(row.match);
    if (!known || known.plies !== row.plies || known.to_move !== row.to_move) continue;
    const shown = rowMs(before, known, seenAt, before.ownHeld[row.match] ?? null);
    const left = rowMs(after, row, now, null);
    if (shown !== null && left !== null && shown < left && left <= shown + MOST_MS) most[row.match] = shown;
  }
  return Object.keys(most).length > 0 ? most : NOTHING_HELD;
}

/** @type {Model["ownHeld"]} */
const NOTHING_HELD = Object.freeze({});

/** @param {Model} model @param {OwnMatch} row @param {number} now @param {number | null} most */
const rowMs = (model, row, now, most) =>
  leftMs(row, model.ownAtMs, serverNow(model, now), { stoppedMs: model.ownStoppedMs, mostMs: most });
