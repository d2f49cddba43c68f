/**
 * One table of what a person can do in a match besides moving: when it is there, when it can be used, and what it asks
 * of the server. It says the server's own words (`Snapshot.can`), so that buttons and server cannot disagree
 * (`UD RF1` to `RF4`). Labels and help are in `texts/`. Pure.
 * @import { Command } from "../conversation/messages.d.ts"
 * @import { Model } from "./seen.js"
 */
import { nextTask } from "./lessons.js";
import { isLog } from "./position.js";
import { isCleared, isCovered, may, plays, shownPly } from "./seen.js";

/**
 * What a person had in front of them: the match, its newest version, and the offer on screen (0: none).
 * @typedef {object} Meant
 * @property {string} match
 * @property {number} version
 * @property {number} offer
 */

/**
 * @typedef {object} Control
 * @property {string} action its name, also for labels and help
 * @property {"moves" | "actions" | "menu" | "offer" | "pause" | "away" | "end" | "looking" | "chat"} shelf beside what it has its button
 * @property {(model: Model) => boolean} enabled whether it can be used now
 * @property {(model: Model) => boolean} [seen] whether its button is there although it cannot be used
 * @property {string} key the letter that does it, "" for none
 * @property {boolean} [asksFirst] whether nothing is as before after it, so that the person is asked whether it is meant
 * @property {(ref: string, meant: Meant) => Command} [command] what it asks of the server, where that is all it does
 */

/** @param {Model} model */
const isConnected = (model) => model.link === "up";
/** Enabled exactly when the server says that it would grant it; without a connection nobody could. @param {string} word @returns {(model: Model) => boolean} */
const granted = (word) => (model) => isConnected(model) && may(model, word);
/** @param {Model} model */
const playsOn = (model) => plays(model) && model.match?.status === "playing";
/** A task for who learns the game: there is nobody to offer anything to. @param {Model} model */
const isTask = (model) => (model.match?.lesson ?? 0) > 0;
/** @param {Model} model */
const playsAMatch = (model) => playsOn(model) && !isTask(model);
/** `UD RF3`: a new beginning only after a finished match. @param {Model} model */
const isOver = (model) => plays(model) && model.match?.status === "ended";
/** Against the computer, when a move of one's own is awaited; one at a time. @param {Model} model */
const canHint = (model) =>
  granted("hint")(model) &&
  !model.pending.some((command) => command.type === "hint") &&
  !isCovered(model) &&
  model.step === null;
/** @param {Model} model */
const canStep = (model) =>
  isConnected(model) && (model.match?.plies ?? 0) > 0 && !isCovered(model) && !isLog(model.match);
/** @param {Model} model */
const isBack = (model) => model.step !== null;
/** After the end, for who watched, too; not of a game that the computer does not play. @param {Model} model */
const canReview = (model) =>
  isConnected(model) &&
  model.match?.status === "ended" &&
  model.match.plies > 0 &&
  !isCleared(model) &&
  !isTask(model) &&
  !isLog(model.match) &&
  (model.games[model.match.game]?.computer ?? false);
/** How a match ends whose game is not over: its last position can be played on. */
const STOPPED_SHORT = "forfeit abandoned time agreed too_long aborted cancelled expired stopped reviewed".split(" ");
/** From the position that is looked at, of a match that is over, unless it is the last one of a whole game. @param {Model} model */
const canPractise = (model) =>
  canReview(model) &&
  (shownPly(model) < (model.match?.plies ?? 0) || STOPPED_SHORT.includes(model.match?.result?.reason ?? ""));
/** Also in a pause and after the end, as long as the match is there. @param {Model} model */
const canChat = (model) =>
  isConnected(model) && model.match !== null && !isCleared(model) && !isTask(model) && model.chat;
/** `DB 7.3.3.1`, `8.2`: at any point of a match that has begun and is no task, but not while its position is hidden. @param {Model} model */
const canSave = (model) =>
  isConnected(model) &&
  model.match !== null &&
  model.match.status !== "waiting" &&
  !isCovered(model) &&
  !isCleared(model) &&
  !isTask(model);
/** There is a match on screen that has begun, and no task. @param {Model} model */
const isInAMatch = (model) =>
  model.match !== null && model.match.status !== "waiting" && !isCleared(model) && !isTask(model);

/**
 * @param {"draw" | "takeback" | "restart" | "rematch"} kind
 * @returns {(ref: string, meant: Meant) => Command}
 */
const offer =
  (kind) =>
  (ref, { match, version }) => ({ type: "offer", ref, match, kind, version });

/** `UD RF4`, `SQ9`: moves only during a match, and only by who holds a seat. The server judges the turn. @param {Model} model */
export const canPlay = (model) => playsOn(model) && !isCovered(model) && !isBack(model);

/** @type {readonly Control[]} */
export const CONTROLS = Object.freeze([
  {
    action: "cancel",
    shelf: "actions",
    key: "c",
    enabled: granted("cancel"),
    command: (ref, { match }) => ({ type: "cancel", ref, match }),
  },
  {
    action: "hint",
    shelf: "actions",
    key: "h",
    enabled: canHint,
    seen: (model) => playsOn(model) && model.match?.level !== "",
    command: (ref, { match, version }) => ({ type: "hint", ref, match, version }),
  },
  {
    action: "draw",
    shelf: "actions",
    key: "d",
    enabled: granted("offer_draw"),
    seen: playsAMatch,
    command: offer("draw"),
  },
  {
    action: "takeback",
    shelf: "actions",
    key: "t",
    enabled: granted("offer_takeback"),
    seen: playsAMatch,
    command: offer("takeback"),
  },
  {
    action: "restart",
    shelf: "actions",
    key: "b",
    enabled: granted("offer_restart"),
    seen: playsOn,
    asksFirst: true,
    command: offer("restart"),
  },
  { action: "revert", shelf: "actions", key: "v", enabled: granted("offer_revert"), seen: playsAMatch },
  {
    action: "pause",
    shelf: "actions",
    key: "p",
    enabled: granted("pause"),
    seen: playsAMatch,
    command: (ref, { match }) => ({ type: "pause", ref, match }),
  },
  {
    action: "give_up",
    shelf: "actions",
    key: "a",
    enabled: (model) => granted("abandon")(model) && !isTask(model),
    seen: playsAMatch,
    asksFirst: true,
    command: (ref, { match, version }) => ({ type: "abandon", ref, match, version }),
  },
  {
    action: "accept",
    shelf: "offer",
    key: "y",
    enabled: granted("answer"),
    command: (ref, { match, offer }) => ({ type: "answer", ref, match, accept: true, offer }),
  },
  {
    action: "decline",
    shelf: "offer",
    key: "n",
    enabled: granted("answer"),
    command: (ref, { match, offer }) => ({ type: "answer", ref, match, accept: false, offer }),
  },
  {
    action: "withdraw",
    shelf: "offer",
    key: "w",
    enabled: granted("withdraw"),
    command: (ref, { match, offer }) => ({ type: "withdraw", ref, match, offer }),
  },
  {
    action: "continue",
    shelf: "pause",
    key: "g",
    enabled: granted("continue"),
    command: (ref, { match }) => ({ type: "continue", ref, match }),
  },
  {
    action: "wait_longer",
    shelf: "away",
    key: "e",
    enabled: granted("wait_longer"),
    command: (ref, { match, version }) => ({ type: "wait_longer", ref, match, version }),
  },
  {
    action: "call_draw",
    shelf: "away",
    key: "k",
    enabled: granted("call_draw"),
    command: (ref, { match, version }) => ({ type: "call_draw", ref, match, version }),
  },
  { action: "rematch", shelf: "end", key: "r", enabled: granted("offer_rematch"), command: offer("rematch") },
  {
    action: "again",
    shelf: "end",
    key: "m",
    enabled: (model) =>
      isConnected(model) && (isCleared(model) || (isOver(model) && (!isTask(model) || nextTask(model) > 0))),
  },
  { action: "review", shelf: "end", key: "j", enabled: canReview },
  { action: "practise", shelf: "end", key: "o", enabled: canPractise },
  { action: "back", shelf: "looking", key: "", enabled: canStep },
  { action: "forward", shelf: "looking", key: "", enabled: isBack },
  { action: "live", shelf: "looking", key: "", enabled: isBack },
  { action: "save", shelf: "menu", key: "s", enabled: canSave, seen: isInAMatch },
  { action: "say", shelf: "chat", key: "/", enabled: canChat },
  { action: "mute", shelf: "chat", key: "u", enabled: canChat },
]);

/** @type {ReadonlyMap<string, Control>} */
const BY_ACTION = new Map(CONTROLS.map((control) => [control.action, control]));

/** The controls of a shelf whose buttons are there, in the table's order. @param {Model} model @param {...Control["shelf"]} shelves */
export function onShelf(model, ...shelves) {
  return CONTROLS.filter(
    (control) => shelves.includes(control.shelf) && (control.enabled(model) || (control.seen?.(model) ?? false)),
  );
}

/**
 * The actions of a match by how often they are needed: the first of them have their place in the row, as many as there is
 * room for, and all others in the menu (as in `client/shown/actions/controls.py`).
 */
const ROW = ["cancel", "draw", "give_up", "takeback", "pause", "restart"];
/** It takes no draw, and asks nobody. */
const ROW_AGAINST_THE_COMPUTER = ["takeback", "hint", "give_up", "pause", "restart"];
/** Where one user has both seats, nobody has to agree. */
const ROW_OF_BOTH = ["restart", "takeback", "give_up", "pause", "draw"];

/** @param {Model["match"]} match */
function orderFor(match) {
  if (match?.status !== "playing") return ROW;
  if (match.level) return ROW_AGAINST_THE_COMPUTER;
  return match.you.length === 2 ? ROW_OF_BOTH : ROW;
}

/**
 * What stands in the row of a match, `most` at once, and what its menu has besides. What is seen and cannot be used now
 * has its place, too: nothing moves under a hand with each move.
 * @param {Model} model
 * @param {number} most
 */
export function rowAndMenu(model, most) {
  const { match } = model;
  const seen = onShelf(model, "actions").map(({ action }) => action);
  const order = orderFor(match);
  const row = order.filter((action) => seen.includes(action)).slice(0, most);
  const rest = seen.filter((action) => !row.includes(action));
  return { row, menu: [...rest, ...onShelf(model, "menu").map(({ action }) => action)] };
}

/** Whether it may be used now; what is not in the table may. @param {string} action @param {Model} model */
export function isEnabled(action, model) {
  return BY_ACTION.get(action)?.enabled(model) ?? true;
}

/** Whether the person is asked first whether it is meant. @param {string} action */
export const asksFirst = (action) => BY_ACTION.get(action)?.asksFirst ?? false;

/**
 * The command behind the action, about what was meant; null for an action that asks the server nothing by itself.
 * @param {string} action
 * @param {string} ref
 * @param {Meant} meant
 * @returns {Command | null}
 */
export function commandFor(action, ref, meant) {
  return BY_ACTION.get(action)?.command?.(ref, meant) ?? null;
}
