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

/**
 * One line, which never changes. `gains` is what the move did, with the other's name; `brief` the same in parts, each with
 * whose score it is, for a sign in the name's place.
 * @typedef {{ move: string, seat: number | null, gains: string, brief: readonly { seat: number, said: string }[] }} Listed
 */

/** What is shown for a move that the record will tell. @type {Listed} */
const UNKNOWN = Object.freeze({ move: "…", seat: null, gains: "", brief: [] });

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
    this.#show([...this.list.value, listed(move, seat, values?.gains ?? [], model, values?.less)]);
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
    const won = seat !== null && before && after ? gains(before, after, seat) : [];
    return listed(move, seat, won, model, less.includes(known + ply + 1));
  });

/**
 * A move with what it brought, and that the computer made it in haste.
 * @param {string} move
 * @param {number | null} seat whose move it was
 * @param {ReturnType<typeof gains>} won
 * @param {Model} model
 * @param {boolean} [less] whether it was made in haste
 * @returns {Listed}
 */
function listed(move, seat, won, { match, games }, less) {
  if (!match || seat === null) return { move, seat, gains: "", brief: [] };
  const game = games[match.game];
  const brief = won.map((gain) => ({ seat: gain.seat, said: T.story.gain(gain, game) }));
  if (less) brief.push({ seat, said: T.story.inHaste });
  const names = (/** @type {number} */ of) => (of === seat ? "" : `${seatName(match, of)} `);
  return { move, seat, gains: brief.map((part) => `${names(part.seat)}${part.said}`).join(", "), brief };
}
