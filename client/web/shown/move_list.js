/**
 * The moves of the match on screen, from the first on: those that were seen, and those from before one came, which the
 * record tells.
 * @import { Record as Kept } from "../conversation/messages.d.ts"
 * @import { Doing } from "../doing.js"
 * @import { Change } from "./model.js"
 * @import { Model } from "./seen.js"
 */
import { T } from "../texts/en/later.js";
import { signal } from "../vendor/preact.js";
import { isLog, seatName } from "./position.js";

/** @typedef {{ move: string, seat: number | null, gains: string }} Listed one line, which never changes */

/** What is shown for a move that the record will tell. @type {Listed} */
const UNKNOWN = Object.freeze({ move: "…", seat: null, gains: "" });

export class MoveList {
  list = signal(/** @type {readonly Listed[]} */ ([]));
  isEmpty = signal(true);
  #match = "";
  #ref = "";
  /** How many moves were made before one saw them. */
  #before = 0;

  /** @param {Doing} doing */
  constructor(doing) {
    this.doing = doing;
    const { match } = doing.model.peek();
    if (match) this.#begin(match.match, isLog(match) ? 0 : match.plies);
    doing.listen((event, model) => this.#happened(event, model));
  }

  /** @param {Change} event @param {Model} model */
  #happened(event, model) {
    // What a student's game says is told by its log alone, whole.
    if (event.type === "snapshot") this.#begin(event.match, isLog(event) ? 0 : event.plies);
    else if (event.type === "moved" && event.entry) return;
    else if (event.type === "moved" && event.match === this.#match) this.#add(event.seat, event.move, model);
    else if (event.type === "settled" && event.command.ref === this.#ref && event.answer.type === "record") {
      if (event.answer.match === this.#match)
        this.#show([...told(event.answer).slice(0, this.#before), ...this.list.value.slice(this.#before)]);
    }
  }

  /** @param {string} match @param {number} plies */
  #begin(match, plies) {
    const known = match === this.#match ? this.list.value : [];
    this.#match = match;
    if (plies <= known.length) {
      this.#show(known.slice(0, plies));
      return;
    }
    this.#before = plies;
    this.#show(Array.from({ length: plies }, (_, index) => known[index] ?? UNKNOWN));
    // Asked after what is being told now, for the model is not there yet.
    queueMicrotask(() => {
      this.#ref = this.doing.askForRecord();
    });
  }

  /** @param {number} seat @param {string} move @param {Model} model */
  #add(seat, move, model) {
    const line = model.happenings.findLast((one) => one.kind.startsWith("moved"));
    const game = model.match ? model.games[model.match.game] : undefined;
    const nameOf = (/** @type {number} */ of) => (model.match ? seatName(model.match, of) : "");
    const gains = line && line.values.move === move ? T.story.gains(line, game, nameOf).replace(/^ \(|\)$/g, "") : "";
    this.#show([...this.list.value, { move, seat, gains }]);
  }

  /** @param {readonly Listed[]} lines */
  #show(lines) {
    this.list.value = lines;
    this.isEmpty.value = lines.length === 0;
  }
}

/** A record's moves, with who made them where the server says so. @param {Kept} record @returns {Listed[]} */
const told = ({ moves, movers }) => moves.map((move, ply) => ({ move, seat: movers[ply] ?? null, gains: "" }));
