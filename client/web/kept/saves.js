/**
 * Saved games: a match in the browser under a name, and as a file; the same format as the other clients'
 * (`DB 7.3.3.1`, `8.2`, `RU-M8`).
 *
 * What is kept are the moves, not the position: whoever loads them has the server replay them, and `leadsTo` compares
 * the position that they led to. Nothing else in a file is believed (`M3`).
 * @import { Record as MatchRecord } from "../conversation/messages.d.ts"
 * @import { Storage } from "./storage.js"
 */
import { LIMITS } from "../conversation/limits.js";

export const FORMAT = "parlour-match";
const VERSION = 1;
export const SUFFIX = ".json";
/** Four times what a command with the moves may have; a larger file is not read at all (`M7`). */
export const MAX_FILE_BYTES = 64 * 1024;
/** Game, options and moves go to the server in one command; the rest of it takes less than this leaves. */
const MAX_SENT_BYTES = LIMITS.MAX_COMMAND_BYTES - 1024;
const MAX_NAME = 60;
const MAX_PLAYER_NAME = 40;
const MAX_RESULT = 400;
/** A browser's store has some 5 MB for all of this host; a saved game has a few kB. */
export const MAX_SAVES = 500;
const START = "save:";

/**
 * @typedef {object} SavedGame what a file holds
 * @property {"parlour-match"} format
 * @property {1} version
 * @property {string} game
 * @property {Record<string, number | string | boolean>} options
 * @property {[string, string]} names
 * @property {string[]} moves
 * @property {string} hash
 * @property {number} created_ms
 * @property {string} result
 *
 * @typedef {{ name: string, savedAt: number, game: SavedGame }} Listed `savedAt` in ms since 1970
 */

/** A game could not be saved or loaded; `code` names the sentence that says why, `values` what stands in it. */
export class SaveError extends Error {
  /** @param {string} code @param {Record<string, string | number>} [values] */
  constructor(code, values = {}) {
    super(code);
    this.code = code;
    this.values = values;
  }
}

/** The name as it is used for a file. @param {string} text @throws {SaveError} for what is no plain name (`M1`) */
export function checkedName(text) {
  // Composed first, for a wide or small slash is a slash then.
  const name = text
    .slice(0, 4 * MAX_NAME)
    .normalize("NFKC")
    .trim();
  if (!name) throw new SaveError("save_needs_name");
  if (text.length > 4 * MAX_NAME || [...name].length > MAX_NAME)
    throw new SaveError("save_name_long", { most: MAX_NAME });
  if (!/^[\p{L}\p{M}\p{N} \-_.'()]+$/u.test(name)) throw new SaveError("save_name_letters");
  if (name.startsWith(".") || name.endsWith(".")) throw new SaveError("save_name_dots");
  if (/^(con|prn|aux|nul|conin\$|conout\$|com\d|lpt\d)(\..*)?$/i.test(name))
    throw new SaveError("save_name_device", { name });
  return name;
}

/** What a server's record is kept as. @param {MatchRecord} record @returns {SavedGame} */
export function fromRecord(record) {
  return {
    format: FORMAT,
    version: VERSION,
    game: record.game,
    options: { ...record.options },
    names: record.names,
    moves: record.moves,
    hash: record.hash,
    created_ms: record.created_ms,
    result: [...(record.result?.text ?? "")].slice(0, MAX_RESULT).join(""),
  };
}

/** A file's text, as the other clients write it. @param {SavedGame} saved */
export const toText = (saved) => `${JSON.stringify(saved, null, 1)}\n`;

/** Whether the moves led to the position that was saved. @param {SavedGame} saved @param {MatchRecord} record of the match made from them */
export const leadsTo = (saved, record) => saved.hash === record.hash;

/**
 * The saved game in a file's text, whatever the file is called. Fields that are unknown are left out.
 * @param {string} text
 * @returns {SavedGame}
 * @throws {SaveError}
 */
export function fromText(text) {
  if (text.length > MAX_FILE_BYTES) throw new SaveError("save_too_large");
  let found;
  try {
    found = JSON.parse(text);
  } catch {
    throw new SaveError("save_damaged");
  }
  if (!isMap(found) || found.format !== FORMAT || !Number.isInteger(found.version)) throw new SaveError("save_damaged");
  if (Number(found.version) > VERSION) throw new SaveError("save_newer");
  const { game, options = {}, names, moves, hash, created_ms = 0, result = "" } = found;
  const sound =
    found.version === VERSION &&
    isText(game, 1, LIMITS.MAX_ID) &&
    isOptions(options) &&
    isList(names, 2) &&
    names.length === 2 &&
    names.every((name) => isText(name, 0, MAX_PLAYER_NAME)) &&
    isList(moves, LIMITS.MAX_MOVES) &&
    moves.every((move) => isText(move, 1, LIMITS.MAX_MOVE) && /^[!-~]+$/.test(move)) &&
    typeof hash === "string" &&
    /^[0-9a-f]{64}$/.test(hash) &&
    Number.isSafeInteger(created_ms) &&
    Number(created_ms) >= 0 &&
    isText(result, 0, MAX_RESULT);
  if (!sound) throw new SaveError("save_damaged");
  if (new TextEncoder().encode(JSON.stringify([options, moves])).length > MAX_SENT_BYTES)
    throw new SaveError("save_too_long");
  return /** @type {SavedGame} */ ({
    format: FORMAT,
    version: VERSION,
    game,
    options,
    names,
    moves,
    hash,
    created_ms,
    result,
  });
}

/**
 * Keep a game under a name. An older state of the same match is replaced; another game under that name only with
 * `replace`.
 * @param {Storage} storage
 * @param {SavedGame} saved
 * @param {string} wished
 * @param {{ replace?: boolean, now: number }} how `now`: ms since 1970
 * @returns {string} the name
 * @throws {SaveError}
 */
export function save(storage, saved, wished, { replace = false, now }) {
  const name = checkedName(wished);
  // What could not be loaded again is not saved: one learns it now and not in a year.
  fromText(toText(saved));
  const before = read(storage, name);
  if (before === null && storage.names(START).length >= MAX_SAVES)
    throw new SaveError("save_too_many", { most: MAX_SAVES });
  if (before !== null && !replace && !isOlder(before.game, saved)) throw new SaveError("save_name_taken", { name });
  const kept = storage.put(START + name, JSON.stringify({ savedAt: now, game: saved }));
  if (!kept) throw new SaveError("save_not_kept", { name });
  return name;
}

/** The saved games, newest first; damaged ones are left out. @param {Storage} storage @returns {Listed[]} */
export function listSaved(storage) {
  const found = storage.names(START).map((key) => read(storage, key.slice(START.length)));
  return found.filter((one) => one !== null).toSorted((one, other) => other.savedAt - one.savedAt);
}

/** @param {Storage} storage @param {string} name */
export const removeSaved = (storage, name) => storage.remove(START + name);

/** @param {Storage} storage @param {string} name @returns {Listed | null} */
function read(storage, name) {
  try {
    const found = JSON.parse(storage.get(START + name) ?? "null");
    return found && { name, savedAt: Number(found.savedAt) || 0, game: fromText(JSON.stringify(found.game)) };
  } catch {
    return null;
  }
}

/** Whether `older` is an earlier state of what is to be saved. @param {SavedGame} older @param {SavedGame} newer */
function isOlder(older, newer) {
  const same = older.game === newer.game && sameOptions(older.options, newer.options);
  const earlier = older.moves.every((move, index) => move === newer.moves[index]);
  return same && (older.created_ms === newer.created_ms || earlier);
}

/** @param {SavedGame["options"]} one @param {SavedGame["options"]} other */
export function sameOptions(one, other) {
  const names = Object.keys(one);
  return names.length === Object.keys(other).length && names.every((name) => one[name] === other[name]);
}

/** @param {unknown} value @returns {value is Record<string, unknown>} */
const isMap = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

/** @param {unknown} value @param {number} least @param {number} most characters @returns {value is string} */
const isText = (value, least, most) => typeof value === "string" && value.length >= least && [...value].length <= most;

/** @param {unknown} value @param {number} most @returns {value is unknown[]} */
const isList = (value, most) => Array.isArray(value) && value.length <= most;

/** @param {unknown} value */
function isOptions(value) {
  if (!isMap(value) || Object.keys(value).length > LIMITS.MAX_OPTIONS) return false;
  return Object.values(value).every((one) => ["string", "boolean"].includes(typeof one) || Number.isSafeInteger(one));
}
