/**
 * Everything a person sees as one value, and what follows from it. How it changes is in `model.js`.
 * @import { Analysis, Challenged, Command, GameInfo, MatchSummary, Outage, OwnMatch, Position, Snapshot } from "../conversation/messages.d.ts"
 * @import { Happening } from "./story.js"
 * @import { Review } from "./review.js"
 */
import { runningSeat, timeLeft as timeLeftAt } from "./position.js";

/**
 * @typedef {{ text: string, code: string, number: number, at: readonly string[] }} Notice a sentence beside the match, from the server or (with
 *   `code` only) one of the page's own; `number` counts up, so that the same sentence twice is two notices, and
 *   `at` are the elements of the board that it is about
 * @typedef {{ match: string, game: string, names: Array<string | null> }} Mine a match of the person's that goes on
 *
 * @typedef {object} Model everything on screen but the cursor and what is half typed
 * @property {"new" | "up" | "down"} link the connection: new before the first welcome
 * @property {number | null} downSince since when there is no connection, in ms of the session's clock
 * @property {string} downReason
 * @property {number | null} latencyMs
 * @property {number | null} serverMinusNowMs
 * @property {string} name
 * @property {string} player
 * @property {string} server the hub's version
 * @property {boolean} chat whether anything can be said at this hub
 * @property {Readonly<Record<string, GameInfo>>} games
 * @property {MatchSummary[] | null} lobby the public matches, newest first; null until they were told
 * @property {number} lobbyTotal
 * @property {string} lobbyGame the only game that is listed; "" for all
 * @property {string[]} people names of players who are connected, one's own among them
 * @property {number} here how many are, named or not
 * @property {Mine[]} mine
 * @property {OwnMatch[]} own one's own matches as they were told last: those that go on, and the newest that are over
 * @property {number} ownAtMs when their clocks stood so, by the server's clock
 * @property {number | null} ownStoppedMs until when those are counted down, as `stoppedMs`
 * @property {Readonly<Record<string, number>>} ownHeld the most, in ms, that is shown of the time that runs in one of them
 * @property {Challenged[]} challenges those that stand, own and others', in the order in which they came
 * @property {string[]} challengesHeard those that are over and were told of, the last ones
 * @property {boolean} unchallenged whether one wants to be challenged by nobody
 * @property {Snapshot | null} match the match on screen, brought forward by its events (`CK 5.4`, `5.5`)
 * @property {Outage | null} outage that the server's store is away, while it is
 * @property {number | null} stoppedMs until when the clock of the match on screen is counted down, by the server's clock:
 *   what passed then may be given back; null: it goes on
 * @property {readonly [number | null, number | null]} held the most, in ms, that is shown of each seat's time, for that was
 *   seen of it; null: all that it has
 * @property {readonly [number | null, number | null, number | null]} heldWaits the most, in ms, that is shown of how long
 *   each seat's holder, or a pause, is still waited for, as `held`
 * @property {number} positionSince the version at which its position came to be
 * @property {boolean} awaitsPosition whether the position changed in a way that a snapshot is still to tell
 * @property {number | null} step after how many moves one looks at the match; null: at the newest position
 * @property {Position | null} look the position last looked back at; the one to show when its ply is `step`
 * @property {Analysis | null} hint the hint that was taken in the position on screen
 * @property {Review | null} review the review of the match on screen, once it was asked for
 * @property {string} toReview the match that was opened from a saved game to be reviewed, until it is on screen
 * @property {Happening[]} happenings
 * @property {number} said the number of the last line that was said in the match on screen
 * @property {Command[]} pending
 * @property {Notice} notice
 */

/** The code with which it is told that the connection is back. */
export const AGAIN = "connected_again";

/** @type {Model["held"]} */
export const NOT_HELD = Object.freeze([null, null]);

/** The place of a pause among what is waited for; those of who is away are their seats. */
export const PAUSE = 2;

/** @type {Model["heldWaits"]} */
export const NO_WAITS = Object.freeze([null, null, null]);

/** Ms: a clock that runs shows no less while its match is on. At 0.0 a flag has fallen, and only the server says so. */
export const LEAST_MS = 100;

/** The model of a page that has just been opened. @type {Readonly<Model>} */
export const NOTHING = Object.freeze({
  link: "new",
  downSince: null,
  downReason: "",
  latencyMs: null,
  serverMinusNowMs: null,
  name: "",
  player: "",
  server: "",
  chat: true,
  games: {},
  lobby: null,
  lobbyTotal: 0,
  lobbyGame: "",
  people: [],
  here: 0,
  mine: [],
  own: [],
  ownAtMs: 0,
  ownStoppedMs: null,
  ownHeld: {},
  challenges: [],
  challengesHeard: [],
  unchallenged: false,
  match: null,
  outage: null,
  stoppedMs: null,
  held: NOT_HELD,
  heldWaits: NO_WAITS,
  positionSince: 0,
  awaitsPosition: false,
  step: null,
  look: null,
  hint: null,
  review: null,
  toReview: "",
  happenings: [],
  said: 0,
  pending: [],
  notice: { text: "", code: "", number: 0, at: [] },
});

/**
 * The moves that are sent and not yet confirmed: shown as such, for nothing counts until it is stored. The event of a
 * move may come before its answer; from then on it is no longer pending.
 * @param {Model} model
 * @returns {string[]}
 */
export function pendingMoves(model) {
  const match = model.match;
  if (match === null) return [];
  return model.pending.flatMap((command) =>
    command.type === "move" && command.match === match.match && command.version >= model.positionSince
      ? [command.move]
      : [],
  );
}

/**
 * The version that the match will have when all pending moves are confirmed: where the next one goes. A move closes an
 * open offer (`RU-M3`), which is an event of its own before it.
 * @param {Model} model
 */
export function nextVersion(model) {
  if (model.match === null) return 0;
  const pending = pendingMoves(model).length;
  return model.match.version + pending + (pending > 0 && model.match.offer !== null ? 1 : 0);
}

/** Whether one holds a seat in the match on screen. @param {Model} model */
export const plays = (model) => (model.match?.you.length ?? 0) > 0;

/**
 * The seat that wins when one gives up: alone at both seats it is the one to move who does. Null before the first move,
 * when nobody wins (`RU-M5`).
 * @param {Model} model
 */
export function winsBySurrender({ match }) {
  if (!match?.plies) return null;
  const loser = match.you.length === 1 || match.to_move === null ? (match.you[0] ?? 0) : match.to_move;
  return 1 - loser;
}

/** Whether two people at this screen play each other (`DB 1.8`). @param {Model} model */
export const holdsBoth = (model) => model.match?.you.length === 2;

/** Whether the match is being played and waits for a move from here. @param {Model} model */
export function isMyTurn(model) {
  const match = model.match;
  return (
    match?.status === "playing" && match.to_move !== null && match.you.includes(match.to_move) && !isCovered(model)
  );
}

/** Whether the position is hidden: during a pause (`CK 5.4.3`), and until the one after it was told. @param {Model} model */
export const isCovered = (model) => model.match !== null && (model.match.pause !== null || model.awaitsPosition);

/** Whether the board on screen is an empty one, and of no match any more (`UD RF3`). @param {Model} model */
export const isCleared = (model) => model.match?.match === "";

/** Whether the server would grant the action to a seat held here, as it said itself. @param {Model} model @param {string} action */
export function may(model, action) {
  const match = model.match;
  return match?.you.some((seat) => match.can[seat]?.includes(action)) ?? false;
}

/** After how many moves the position on screen is. @param {Model} model */
export function shownPly(model) {
  const newest = model.match?.plies ?? 0;
  return model.step === null ? newest : Math.min(model.step, newest);
}

/** The match as its board is to be drawn: at the newest position, or the one looked back at. @param {Model} model @returns {Snapshot | null} */
export function shown(model) {
  const { match, look } = model;
  if (match === null || model.step === null || look === null || look.ply !== model.step) return match;
  return {
    ...match,
    marks: look.marks,
    focus: look.focus,
    scores: look.scores,
    legal: [],
    to_move: null,
    last: look.last,
  };
}

/** `nowMs`, but no later than when something stopped. @param {number | null | undefined} stoppedMs @param {number} nowMs */
const until = (stoppedMs, nowMs) => Math.min(nowMs, stoppedMs ?? nowMs);

/**
 * The server's time when the session's is `now` (ms); null while that is not known. While the store is away it stands,
 * for everything that is counted down.
 * @param {Model} model
 * @param {number} now
 */
export const serverNow = (model, now) =>
  model.serverMinusNowMs === null ? null : until(countedMs(model), now + model.serverMinusNowMs);

/** Until when anything is counted down while the store is away, by the server's clock; null while it is not. @param {Model} model */
export const countedMs = ({ outage }) => outage && Math.max(outage.counted_ms, outage.since_ms);

/**
 * What is shown that both have left, in ms (`CK 5.4.5`): `timeTold`, but never more than was seen before.
 * @param {Model} model
 * @param {number} now
 * @returns {[number, number] | null}
 */
export function timeLeft(model, now) {
  const { held, match } = model;
  const left = timeTold(model, now);
  if (left === null || match === null) return null;
  const running = runningSeat(match);
  const shown = (/** @type {0 | 1} */ seat) =>
    Math.max(Math.min(left[seat], held[seat] ?? left[seat]), seat === running ? LEAST_MS : 0);
  return [shown(0), shown(1)];
}

/**
 * What both have left in ms, the same for everybody who looks at the same moment (`D15`). Of what passes only that counts
 * which is certain to be charged.
 * @param {Model} model
 * @param {number} now
 */
export function timeTold(model, now) {
  const { match } = model;
  const nowMs = serverNow(model, now);
  if (match === null) return null;
  return timeLeftAt(match, nowMs === null ? match.now_ms : until(model.stoppedMs, nowMs));
}

/**
 * For how long, in ms, each seat's holder, who is away, and the end of a pause are waited for (`RU-M5`, `CK 5.4.3`), as it
 * is shown; null for what is not.
 * @param {Model} model
 * @param {number} now
 * @returns {Model["heldWaits"]}
 */
export function waitsLeft(model, now) {
  const shown = (/** @type {number | null} */ told, /** @type {0 | 1 | 2} */ place) =>
    told === null ? null : Math.min(told, model.heldWaits[place] ?? told);
  const [first, second, pause] = waitsTold(model, now);
  return [shown(first, 0), shown(second, 1), shown(pause, PAUSE)];
}

/**
 * The same, whatever was seen before; of what passes only that counts which is certain to be counted.
 * @param {Model} model
 * @param {number} now
 * @returns {Model["heldWaits"]}
 */
export function waitsTold(model, now) {
  const { match } = model;
  const nowMs = serverNow(model, now);
  if (match === null || nowMs === null) return NO_WAITS;
  const left = (/** @type {number | null | undefined} */ end) =>
    end === null || end === undefined ? null : Math.max(0, Math.round(end - until(model.stoppedMs, nowMs)));
  const away = (/** @type {number} */ seat) => match.away.find((info) => info.seat === seat)?.until_ms;
  return [left(away(0)), left(away(1)), left(match.pause?.until_ms)];
}
