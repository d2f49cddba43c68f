/**
 * A match as one position: its last snapshot brought forward event by event. Pure.
 *
 * The snapshot's `clock` is what each seat had left at its `now_ms`; both go forward together, with
 * `clock_from_ms`.
 * @import { LegalChange, MatchEvent, Moved, Presence, SeatInfo, Snapshot } from "../conversation/messages.d.ts"
 */

/** What nobody may see during a pause (`CK 5.4.3`), in the form in which the server hides it. */
const HIDDEN = Object.freeze({ marks: {}, focus: [], legal: [], resting: [], last: null });

/**
 * How the holder of a seat is called: by name, or by the seat's own while nobody sits there. Two people at one screen
 * have one name between them, so their seats keep theirs.
 * @param {Snapshot} match
 * @param {number} seat
 */
export function seatName(match, seat) {
  const info = /** @type {SeatInfo} */ (match.seats[seat]);
  const isShared = match.you.length === 2 && !match.review;
  return info.name === null || isShared ? info.style.name : info.name;
}

/** Whether the match has no board, and is shown as its log. @param {Snapshot | null} match */
export const isLog = (match) => Boolean(match?.last?.entry);

/** Whether the position after the event comes in a snapshot that follows it. @param {{ type: string }} event */
export function shownAnew(event) {
  return event.type === "replaced" || event.type === "continued";
}

/** The snapshot after the next event of its match. @param {Snapshot} match @param {MatchEvent | Presence} event @returns {Snapshot} */
export function advance(match, event) {
  if (event.type === "presence") {
    const [first, second] = match.seats;
    const seats = /** @type {[SeatInfo, SeatInfo]} */ ([
      { ...first, here: event.here[0], where: event.where[0], since_ms: event.since_ms[0] },
      { ...second, here: event.here[1], where: event.where[1], since_ms: event.since_ms[1] },
    ]);
    return { ...match, seats, spectators: event.spectators };
  }
  return { ...match, ...common(match, event), ...changes(match, event) };
}

/** What any event may bring: what is left out of it is as it was. @param {Snapshot} match @param {MatchEvent} event @returns {Partial<Snapshot>} */
function common(match, event) {
  /** @type {Partial<Snapshot>} */
  const changed = { version: event.version, text: event.text || match.text };
  if (event.clock !== null) {
    Object.assign(changed, { clock: event.clock, clock_from_ms: event.clock_from_ms, now_ms: event.at_ms });
  }
  if (event.uncharged !== null) changed.uncharged = event.uncharged;
  if (event.can !== null) changed.can = [event.can[0] ?? match.can[0], event.can[1] ?? match.can[1]];
  return changed;
}

/** @param {Snapshot} match @param {MatchEvent} event @returns {Partial<Snapshot>} */
function changes(match, event) {
  switch (event.type) {
    case "moved":
      return moved(match, event);
    case "joined":
      return { seats: withSeat(match, event.seat, event.name, true), status: event.status };
    case "seat_freed":
      return { seats: withSeat(match, event.seat, null, false), status: "waiting", offer: null, away: [] };
    case "ended":
      return {
        status: "ended",
        result: event.result,
        text: event.result.text,
        to_move: null,
        legal: [],
        focus: [],
        offer: null,
        pause: null,
        away: [],
        ...stopped(match, event),
      };
    case "offered":
      return { offer: { kind: event.kind, seat: event.seat, version: event.version } };
    case "offer_closed":
    case "replaced":
      return { offer: null };
    case "paused":
      return { pause: { seat: event.seat, until_ms: event.until_ms }, offer: null, ...HIDDEN };
    case "continued":
      return { pause: null };
    case "away":
      return { away: event.away };
    case "hinted": {
      const [first, second] = match.hints;
      return { hints: event.seat === 0 ? [first + 1, second] : [first, second + 1] };
    }
    case "excused":
      return putOff(match, event.outage_ms);
    case "rematched":
      return { rematch: event.next, offer: null };
    default:
      return {};
  }
}

/** @param {Snapshot} match @param {Moved} event @returns {Partial<Snapshot>} */
function moved(match, event) {
  const marks = Object.assign(Object.create(null), match.marks);
  for (const [element, mark] of Object.entries(event.marks)) {
    if (mark === null) delete marks[element];
    else marks[element] = mark;
  }
  return {
    status: "playing",
    marks,
    focus: event.focus ?? match.focus,
    scores: event.scores ?? match.scores,
    to_move: event.to_move,
    legal: legalAfter(event.legal, match.legal, match.resting, event.move),
    resting: event.to_move === event.seat ? match.resting : match.legal,
    plies: match.plies + 1,
    last: { seat: event.seat, move: event.move, automatic: event.automatic, entry: event.entry },
  };
}

/**
 * The moves that `change` leads to, told with the move `played`: from those of the position before (`last`), those that
 * the same seat had on its last turn, or none.
 * @param {LegalChange | null} change
 * @param {string[]} last
 * @param {string[]} turn
 * @param {string} played
 * @returns {string[]}
 */
export function legalAfter(change, last, turn, played) {
  const [add, drop, base] = change ?? [[], [], "last"];
  const from = base === "none" ? [] : base === "turn" ? turn : last;
  // Of hundreds one goes at most moves: it is looked for by the engine, and not asked of each.
  if (drop.length > 0) {
    const gone = new Set(base === "last" ? [...drop, played] : drop);
    return [...from.filter((move) => !gone.has(move)), ...add];
  }
  const at = base === "last" ? from.indexOf(played) : -1;
  return at < 0 ? [...from, ...add] : [...from.slice(0, at), ...from.slice(at + 1), ...add];
}

/** Nobody is charged for an outage (`D5`): what would have run out during it runs out as much later. @param {Snapshot} match @param {number} outageMs @returns {Partial<Snapshot>} */
function putOff(match, outageMs) {
  return {
    away: match.away.map((info) => (info.until_ms === null ? info : { ...info, until_ms: info.until_ms + outageMs })),
    pause: match.pause && { ...match.pause, until_ms: match.pause.until_ms + outageMs },
  };
}

/** The clock as it stands at the end, where the event does not say. @param {Snapshot} match @param {MatchEvent} event @returns {Partial<Snapshot>} */
function stopped(match, event) {
  const left = timeLeft(match, event.at_ms);
  return event.clock !== null || left === null ? {} : { clock: left, clock_from_ms: 0, now_ms: event.at_ms };
}

/** The empty board of a match that is over, and of no match any more (`UD RF3`). @param {Snapshot} match @returns {Snapshot} */
export function cleared(match) {
  const [first, second] = match.seats;
  const nothing = match.scores[0].map(() => 0);
  return {
    ...match,
    match: "",
    status: "ended",
    seats: [
      { ...first, name: null, here: false },
      { ...second, name: null, here: false },
    ],
    you: [],
    scores: [nothing, nothing],
    to_move: null,
    text: "",
    plies: 0,
    result: null,
    spectators: 0,
    key: null,
    clock: null,
    offer: null,
    pause: null,
    away: [],
    can: [[], []],
    rematch: "",
    ...HIDDEN,
  };
}

/**
 * Whose time goes down: of the seat to move, but not in a pause, nor before the start or after the end. Nor, before the
 * first move, while the host is waited for who was away when the guest sat down.
 * @param {Snapshot} match
 */
export function runningSeat(match) {
  if (match.clock === null || match.status !== "playing" || match.pause !== null) return null;
  const waits = match.plies === 0 && match.away.some((info) => info.stands);
  return waits ? null : match.to_move;
}

/**
 * What each seat has left at a time of the server's clock, in ms; null where time is not limited (`CK R2.3`). What is
 * excused and has not passed yet is not counted down.
 * @param {Snapshot} match
 * @param {number} serverNowMs
 * @returns {[number, number] | null}
 */
export function timeLeft(match, serverNowMs) {
  if (match.clock === null) return null;
  const running = runningSeat(match);
  const gone = Math.max(0, Math.max(serverNowMs, match.clock_from_ms) - match.now_ms);
  const left = (/** @type {number} */ ms, /** @type {number} */ seat) =>
    seat === running ? Math.max(0, Math.round(ms - gone)) : ms;
  return [left(match.clock[0], 0), left(match.clock[1], 1)];
}

/** @param {Snapshot} match @param {number} seat @param {string | null} name @param {boolean} here @returns {[SeatInfo, SeatInfo]} */
function withSeat(match, seat, name, here) {
  const [first, second] = match.seats;
  const changed = { .../** @type {SeatInfo} */ (match.seats[seat]), name, here };
  return seat === 0 ? [changed, second] : [first, changed];
}
