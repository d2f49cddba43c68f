/**
 * A student's game as its log, where other games have a board: every move whole, as fields and values. Which entries
 * there are is told in docs/protocol.md (`moved`); what a program said is anything at all, so nothing here trusts it.
 * @import { Doing } from "../doing.js"
 * @import { Change } from "./model.js"
 * @import { Snapshot } from "../conversation/messages.d.ts"
 */
import { signal } from "../vendor/preact.js";
import { isLog } from "./position.js";

/** Comes first: it is about this field that two programs disagree. */
export const STATUS = "match_status";

/**
 * One move, or that somebody left; `order` is its number at the gateway, too. Values are JSON.
 * @typedef {{ order: number, by: string, kind: "move" | "left" | "closed" | "odd", fields: [string, string][] }} Entry
 */

/** All that was said; the first entry tells who plays, and is no move. @param {readonly string[]} log @returns {Entry[]} */
export function read(log) {
  const players = log.length > 0 ? playersOf(parts(log[0] ?? "")) : [];
  return log.slice(1).map((entry, index) => said(index + 1, entry, players));
}

/** Those in which the words stand, in a name, a field or a value; all for no words. @param {Entry[]} entries @param {string} words */
export function found(entries, words) {
  const sought = words.toLowerCase().trim();
  if (!sought) return entries;
  const holds = (/** @type {string} */ text) => text.toLowerCase().includes(sought);
  return entries.filter(
    ({ order, by, fields }) => holds(`${order}. ${by}`) || fields.some(([key, value]) => holds(`${key}: ${value}`)),
  );
}

/** @param {number} order @param {string} entry @param {string[]} players @returns {Entry} */
function said(order, entry, players) {
  const [kind, place, fields] = parts(entry);
  const by = typeof place === "number" ? (players[place] ?? "") : "?";
  if (kind === "left" && typeof place === "number")
    return { order, by, kind: place < 0 ? "closed" : "left", fields: [] };
  const isMove = kind === "move" && typeof place === "number" && typeof fields === "object" && !Array.isArray(fields);
  if (!isMove || fields === null) {
    return { order, by, kind: "odd", fields: [["", entry]] };
  }
  const shown = Object.entries(fields).map(
    ([key, value]) => /** @type {[string, string]} */ ([key, JSON.stringify(value)]),
  );
  shown.sort(([one], [other]) => Number(other === STATUS) - Number(one === STATUS));
  return { order, by, kind: "move", fields: shown };
}

/** @param {unknown[]} seats @returns {string[]} */
function playersOf([kind, , seats]) {
  return kind === "seats" && Array.isArray(seats)
    ? seats.map((seat) => (Array.isArray(seat) ? String(seat[0]) : ""))
    : [];
}

/** @param {string} entry @returns {unknown[]} */
function parts(entry) {
  try {
    const read = JSON.parse(entry);
    return Array.isArray(read) ? read : [];
  } catch {
    return [];
  }
}

/** The entries of the match on screen, from the first on: what came before one did is asked for. */
export class MatchLog {
  entries = signal(/** @type {readonly string[]} */ ([]));
  #match = "";
  #ref = "";

  /** @param {Doing} doing */
  constructor(doing) {
    this.doing = doing;
    const { match } = doing.model.peek();
    if (match) this.#begin(match);
    this.end = doing.listen((event) => this.#happened(event));
  }

  /** @param {Change} event */
  #happened(event) {
    if (event.type === "snapshot") this.#begin(event);
    else if (event.type === "set_back" && event.match === this.#match) this.entries.value = [];
    else if (event.type === "moved" && event.match === this.#match && event.entry) {
      const known = this.entries.value;
      if (this.#plies === known.length) this.entries.value = [...known, event.entry];
      this.#plies += 1;
    } else if (event.type === "settled" && event.command.ref === this.#ref && event.answer.type === "record") {
      this.#more(event.answer.after, event.answer.moves);
    }
  }

  #plies = 0;

  /** @param {Snapshot} match */
  #begin(match) {
    if (!isLog(match)) return;
    if (match.match !== this.#match) this.entries.value = [];
    this.#match = match.match;
    this.#plies = match.plies;
    if (this.entries.value.length < match.plies) this.#ask();
  }

  /** Long logs come in several answers. @param {number} after @param {string[]} moves */
  #more(after, moves) {
    const known = this.entries.value;
    if (after > known.length || after + moves.length <= known.length) return;
    this.entries.value = [...known, ...moves.slice(known.length - after)];
    if (this.entries.value.length < this.#plies) this.#ask();
  }

  #ask() {
    // Asked after what is being told now, for the model is not there yet.
    queueMicrotask(() => {
      this.#ref = this.doing.askForRecord(this.entries.value.length);
    });
  }
}
