/**
 * The moves of the match on screen, from the first on: those that were seen, and those from before one came, which the
 * record tells.
 * @import { Record as Kept, Snapshot } from "../conversation/messages.d.ts"
 * @import { Doing } from "../doing.js"
 * @import { Change } from "./model.js"
 * @import { Model } from "./seen.js"
 */
import { T } from "../texts/en/later.js";
import { signal } from "../vendor/preact.js";
import { isLog, seatName, shownAnew } from "./position.js";
import { gains } from "./story.js";

/** @typedef {{ move: string, seat: number | null, gains: string }} Listed one line, which never changes */

/** What is shown for a move that the record will tell. @type {Listed} */
const UNKNOWN = Object.freeze({ move: "…", seat: null, gains: "" });

export class MoveList {
  list = signal(/** @type {readonly Listed[]} */ ([]));
  isEmpty = signal(true);
  #match = "";
  #ref = "";
  /** How many moves the record tells that was asked for; those after them were seen. */
  #before = 0;
  /** Up to where it was told what happened. */
  #version = -1;
  /** Whether the moves may be others than those that were seen, as a snapshot will tell. */
  #isAnew = false;

  /** @param {Doing} doing */
  constructor(doing) {
    this.doing = doing;
    const { match } = doing.model.peek();
    if (match) this.#begin(match);
    doing.listen((event, model) => this.#happened(event, model));
  }

  /** @param {Change} event @param {Model} model */
  #happened(event, model) {
    if (event.type === "snapshot") this.#begin(event);
    else if (event.type === "settled" && event.command.ref === this.#ref && event.answer.type === "record") {
      if (event.answer.match === this.#match)
        this.#show([...told(event.answer, model).slice(0, this.#before), ...this.list.value.slice(this.#before)]);
    } else if (event.type === "set_back") this.#isAnew ||= event.match === this.#match;
    else if ("at_ms" in event && "version" in event && event.match === this.#match) {
      this.#version = event.version;
      this.#isAnew ||= shownAnew(event);
      // What a student's game says is told by its log alone, whole.
      if (event.type === "moved" && !event.entry) this.#add(event.seat, event.move, model);
    }
  }

  /** @param {Snapshot} match */
  #begin(match) {
    const isKnown = match.match === this.#match;
    const isSame = isKnown && match.version === this.#version && !this.#isAnew;
    const known = isKnown ? this.list.value : [];
    const plies = isLog(match) ? 0 : match.plies;
    [this.#match, this.#version, this.#isAnew] = [match.match, match.version, false];
    this.#show(Array.from({ length: plies }, (_, index) => known[index] ?? UNKNOWN));
    // After a gap others may have been made in the place of those that were seen. In a pause nobody is told.
    if (plies === 0 || match.pause || (isSame && !this.list.value.includes(UNKNOWN))) return;
    this.#before = plies;
    // Asked after what is being told now, for the model is not there yet.
    queueMicrotask(() => {
      this.#ref = this.doing.askForRecord();
    });
  }

  /** @param {number} seat @param {string} move @param {Model} model */
  #add(seat, move, model) {
    const line = model.happenings.findLast((one) => one.kind.startsWith("moved"));
    const values = line?.values.move === move ? line.values : null;
    const won = values ? wording(values.gains, seat, model) : "";
    this.#show([...this.list.value, { move, seat, gains: withHaste(won, values?.less) }]);
  }

  /** @param {readonly Listed[]} lines */
  #show(lines) {
    this.list.value = lines;
    this.isEmpty.value = lines.length === 0;
  }
}

/** A record's moves, with who made them and what that brought, where the server says so. @param {Kept} record @param {Model} model @returns {Listed[]} */
const told = ({ moves, movers, scores, less, after: known }, model) =>
  moves.map((move, ply) => {
    const [seat = null, before, after] = [movers[ply], scores[ply], scores[ply + 1]];
    const won = seat !== null && before && after ? wording(gains(before, after, seat), seat, model) : "";
    return { move, seat, gains: withHaste(won, less.includes(known + ply + 1)) };
  });

/** What a move brought, and that the computer made it in haste. @param {string} won @param {boolean} [less] */
const withHaste = (won, less) => (less ? `${won}${T.story.haste}`.replace(/^, /, "") : won);

/** What a move brought, in words. @param {ReturnType<typeof gains>} won @param {number} seat whose move it was @param {Model} model */
function wording(won, seat, { match, games }) {
  if (!match) return "";
  const said = T.story.gains({ kind: "moved", seat, values: { gains: won } }, games[match.game], (of) =>
    seatName(match, of),
  );
  return said.replace(/^ \(|\)$/g, "");
}
