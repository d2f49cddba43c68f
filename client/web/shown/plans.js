/**
 * Moves that are not sent yet: the one that waits to be confirmed, and the one planned for the next turn.
 *
 * A plan dies with its position: when moves are taken back, in a pause, at the end, when the connection is lost and when
 * a whole new position comes (`P15`); without a connection none is made. It is sent only if it is legal exactly as it was
 * touched (`P13`).
 * @import { Doing } from "../doing.js"
 * @import { Signal } from "../vendor/preact.js"
 * @import { Settings } from "../kept/settings.js"
 * @import { Model } from "./seen.js"
 */
import { elementsOf } from "../board/elements.js";
import { complete } from "../board/picking.js";
import { effect, signal } from "../vendor/preact.js";
import { isToMove } from "./at_play.js";
import { canPlay } from "./controls.js";
import { holdsBoth } from "./seen.js";

/** @typedef {readonly string[]} Path */
/** @type {Path} */
const NONE = Object.freeze([]);
const ENDS = new Set(["snapshot", "replaced", "paused", "ended", "offline", "left", "cleared"]);

export class Plans {
  /** What was touched for the next turn. @type {Signal<Path>} */
  planned = signal(NONE);
  /** The move that waits to be confirmed by the person. */
  unsent = signal("");
  /** Whether the last plan was dropped because it was not possible any more. */
  dropped = signal(false);

  /** @param {Doing} doing @param {Signal<Settings>} settings */
  constructor(doing, settings) {
    this.doing = doing;
    this.settings = settings;
    doing.listen((event) => {
      if (ENDS.has(event.type)) this.clear();
      else if (event.type === "moved") this.unsent.value = "";
    });
    effect(() => this.#carryOut());
  }

  /** Whether a move may be planned now: not while the position may be another one by now. @param {Model} model */
  isPossible(model) {
    return (
      this.settings.value.premove && model.link === "up" && canPlay(model) && !isToMove(model) && !holdsBoth(model)
    );
  }

  #carryOut() {
    const model = this.doing.seen;
    const path = this.planned.value;
    if (path.length === 0 || !isToMove(model) || model.match === null) return;
    const { match } = model;
    const [first = ""] = path;
    const isLine = elementsOf(match.board).byId.get(first)?.kind === "line";
    const move = isLine ? match.legal.find((legal) => legal === first) : complete(match.legal, path);
    this.planned.value = NONE;
    if (move) this.doing.play(move);
    else this.dropped.value = true;
  }

  /** Plan this, or let it be when it is planned already. @param {Path} path */
  plan(path) {
    this.dropped.value = false;
    this.planned.value = this.planned.peek().join() === path.join() ? NONE : path;
  }

  /** Play a move, or have it confirmed first where the person wants that. @param {string} move */
  play(move) {
    this.dropped.value = false;
    if (this.settings.peek().confirm) this.unsent.value = move;
    else this.doing.play(move);
  }

  confirm() {
    const move = this.unsent.peek();
    this.unsent.value = "";
    if (move) this.doing.play(move);
  }

  /** Let go of what is planned or not sent; whether there was anything. */
  clear() {
    const had = this.planned.peek().length > 0 || this.unsent.peek() !== "";
    this.planned.value = NONE;
    this.unsent.value = "";
    return had;
  }
}
