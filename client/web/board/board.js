// The board on screen: it draws a match, and turns what hands and keys do there into moves. It knows no server and no
// rule; what is to be sent is told to whoever made it.

import { Drawing } from "./draw.js";
import { elementsOf, home } from "./elements.js";
import * as gestures from "./gestures.js";
import { Hints } from "./hints.js";
import { Lens } from "./lens.js";
import { touched } from "./picking.js";
import { lattice } from "./scene.js";

/** @typedef {import("../conversation/messages.d.ts").Snapshot} Snapshot */
/** @typedef {import("./picking.js").Path} Path */
/**
 * What the board is to show. `mine`: a move is to be made here; `plans`: one for the next turn may be prepared. `moves`:
 * changes are animated.
 * @typedef {{
 *   match: Snapshot, mine: boolean, plans: boolean, pending: readonly string[], unsent: string, advised: string,
 *   planned: Path, turned: boolean, moves: boolean, label: string, about: readonly string[],
 * }} Shown
 */
/**
 * What the board tells. `onVain`: a touch that can mean nothing now.
 * @typedef {{
 *   onMove: (move: string) => void, onVain?: (why: import("./picking.js").Why) => void, onPlan: (path: Path) => void, onEscape: () => boolean,
 *   onPicked?: (picked: Path) => void, naming: import("./draw.js").Naming,
 *   calling: (match: Snapshot, element: import("./elements.js").Element) => string,
 * }} Listener
 */

/** Targets of this many pixels are hit by a finger without a lens. */
const FINGER_PX = 40;
/** A line's own cell is this much of a lattice unit. */
const LINE_PART = 0.71;
/** The second half of a quick double click on what was just played is no other move. */
const SAME_MS = 600;
const ARROWS = /** @type {Record<string, [number, number]>} */ ({
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
});

export class BoardView {
  /** @param {HTMLElement} host @param {Listener} listener */
  constructor(host, listener) {
    this.host = host;
    this.listener = listener;
    this.lens = new Lens(host);
    this.hand = gestures.EMPTY;
    /** @type {number | null} the pointer whose touch is going on */
    this.pointer = null;
    /** @type {{ move: string, version: number, at: number }} */
    this.played = { move: "", version: 0, at: Number.NEGATIVE_INFINITY };
    /** @type {Shown | null} */
    this.shown = null;
    /** @type {Drawing | null} */
    this.drawing = null;
    /** @type {Hints | null} */
    this.hints = null;
    /** @type {SVGElement | null} the place that Tab goes to */
    this.rover = null;
    this.place = host.ownerDocument.createElement("div");
    this.place.className = "board-ground";
    host.append(this.place);
    /** How wide the board is on screen, in pixels; 0 before that is known. */
    this.width = 0;
    this.sizes = new ResizeObserver(([entry]) => {
      this.width = entry?.contentRect.width ?? 0;
      this.#scale();
    });
    this.sizes.observe(this.place);
    this.#listen();
  }

  /** @param {Shown} next */
  show(next) {
    const before = this.shown;
    if (before && isSame(before, next)) return;
    this.shown = next;
    const fresh = !this.drawing || !before || before.match.board !== next.match.board || before.turned !== next.turned;
    if (fresh || before.label !== next.label) this.#draw(next);
    else this.drawing?.show(next.match, next.moves);
    if (before && before.match !== next.match) this.hand = gestures.afterChange(this.hand, before.match, next.match);
    if (!next.mine && !next.plans) this.hand = gestures.letGo(this.hand);
    if (before?.mine !== next.mine) this.place.classList.toggle("mine", next.mine);
    this.hints?.show(next.match, this.#plan());
    this.#showHand();
    this.#rove();
  }

  /** @param {Shown} next */
  #draw(next) {
    const kept = this.place.contains(this.host.ownerDocument.activeElement);
    this.drawing = new Drawing(this.place, next.match, {
      turned: next.turned,
      label: next.label,
      naming: this.listener.naming,
    });
    this.hints = new Hints(this.drawing);
    this.place.classList.toggle(
      "toned",
      next.match.board.cells?.some((cell) => (cell[4] ?? "plain") !== "plain") ?? false,
    );
    const { width, height } = this.drawing.frame;
    this.host.style.setProperty("--board-ratio", String(width / height));
    this.#scale();
    if (kept) this.focus();
  }

  /** Say how many of the picture's own units are a pixel, for what has a size of its own on screen. */
  #scale() {
    if (this.drawing && this.width) this.place.style.setProperty("--pixel", `${this.drawing.frame.width / this.width}`);
  }

  /** Put the keyboard's focus on the board. */
  focus() {
    this.rover?.focus({ preventScroll: true });
  }

  /** What was picked or held is let go; whether anything was. */
  letGo() {
    const had = this.hand.picked.length > 0 || this.hand.held !== null;
    this.#end(gestures.letGo({ ...this.hand, hovered: null }));
    return had;
  }

  remove() {
    this.lens.hide();
    this.sizes.disconnect();
    this.place.remove();
  }

  // What is seen of the hand ----------------------------------------------------------------------------------------

  #plan() {
    const { mine, pending, unsent, advised, planned, about } = /** @type {Shown} */ (this.shown);
    return { mine, pending, unsent, advised, planned, about, picked: this.hand.picked };
  }

  #showHand() {
    const { drawing, hints, shown, hand } = this;
    if (!drawing || !hints || !shown) return;
    const active = shown.mine || shown.plans;
    const isHeld =
      hand.held !== null && (hand.by === "mouse" ? hand.hovered !== hand.held : !gestures.slides(this.#picking()));
    const [x, y] = this.#onPicture(hand.x, hand.y);
    hints.showHand(shown.match, this.#plan(), {
      hovered: active ? hand.hovered : null,
      cursor: hand.cursor?.id ?? null,
      by: hand.by,
      held: active && isHeld && hand.held !== null ? { id: hand.held, x, y } : null,
    });
  }

  /** @param {number} x @param {number} y @returns {[number, number]} */
  #onPicture(x, y) {
    return /** @type {Drawing} */ (this.drawing).place(x, y);
  }

  /** One place of the board can be reached by Tab: where the cursor is, at first the middle. */
  #rove() {
    const { drawing, shown } = this;
    if (!drawing || !shown) return;
    const { cursor } = this.hand;
    if (cursor === null && this.rover?.isConnected) return;
    const at = cursor ?? home(shown.match.board, shown.match.legal);
    const now = (at && drawing.nodes.get(at.id)) ?? null;
    if (this.rover === now) return;
    this.rover?.setAttribute("tabindex", "-1");
    now?.setAttribute("tabindex", "0");
    this.rover = now;
  }

  // Hands -----------------------------------------------------------------------------------------------------------

  /** The match whose legal moves the touches are about: while the other side is to move, those of one's own last turn. */
  #picking() {
    const { match, mine } = /** @type {Shown} */ (this.shown);
    if (mine || elementsOf(match.board).hasLines) return match;
    const own = match.resting?.length ? match.resting : match.legal;
    return { ...match, legal: own };
  }

  #listen() {
    const { place } = this;
    place.addEventListener("pointerdown", (event) => this.#down(event));
    place.addEventListener("pointermove", (event) => this.#move(event));
    place.addEventListener("pointerup", (event) => this.#up(event));
    place.addEventListener("pointercancel", () => this.letGo());
    place.addEventListener("pointerleave", () => this.#leave());
    place.addEventListener("contextmenu", (event) => event.preventDefault());
    place.addEventListener("dragstart", (event) => event.preventDefault());
    place.addEventListener("keydown", (event) => this.#key(event));
    place.addEventListener("focusin", (event) => this.#focused(event));
    place.addEventListener("focusout", () => {
      if (this.hand.by === "keys") this.#set({ ...this.hand, by: "mouse" });
    });
  }

  get #active() {
    return this.shown !== null && this.drawing !== null && (this.shown.mine || this.shown.plans);
  }

  /** The lattice point under the pointer: measured anew each time, for the board may have moved. @param {MouseEvent} event @returns {[number, number]} */
  #point(event) {
    const { svg } = /** @type {Drawing} */ (this.drawing);
    const matrix = /** @type {SVGGraphicsElement} */ (/** @type {unknown} */ (svg)).getScreenCTM();
    const { match, turned } = /** @type {Shown} */ (this.shown);
    if (!matrix) return [-9, -9];
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
    return lattice(match.board, turned, x, y);
  }

  /** How many pixels a lattice unit is now. */
  #unitPx() {
    const { svg, frame } = /** @type {Drawing} */ (this.drawing);
    return (svg.getBoundingClientRect().width / frame.width) * 100;
  }

  /** How large a dot is for a finger, in lattice units; 0 where it is too small to be meant. */
  #dotReach() {
    return this.#unitPx() / 2 >= FINGER_PX ? 0.25 : 0;
  }

  /** @param {PointerEvent} event */
  #down(event) {
    if (!this.#active || event.button !== 0 || (event.buttons && event.buttons !== 1)) {
      if (this.pointer === event.pointerId || event.button > 0) this.#cancel();
      return;
    }
    if (this.pointer !== null) {
      // A second finger: neither of them plays.
      this.letGo();
      return;
    }
    this.pointer = event.pointerId;
    this.place.setPointerCapture(event.pointerId);
    const [x, y] = this.#point(event);
    if (event.pointerType === "touch") {
      this.#set(gestures.pressFinger(this.hand, this.#picking(), x, y, this.#dotReach()));
      this.#showLens(event);
    } else {
      this.#set(gestures.press(this.hand, this.#picking(), x, y));
    }
  }

  /** @param {PointerEvent} event */
  #move(event) {
    if (!this.#active) return;
    if (this.pointer !== null && event.pointerId !== this.pointer) return;
    if (this.pointer !== null && event.buttons > 1) {
      this.#cancel();
      return;
    }
    const [x, y] = this.#point(event);
    if (event.pointerType !== "touch") this.#set(gestures.move(this.hand, this.#picking(), x, y));
    else if (this.pointer !== null) {
      this.#set(gestures.slide(this.hand, this.#picking(), x, y, this.#dotReach()));
      this.#showLens(event);
    }
  }

  /** @param {PointerEvent} event */
  #up(event) {
    if (this.pointer !== event.pointerId) return;
    this.pointer = null;
    this.lens.hide();
    if (!this.#active) {
      this.letGo();
      return;
    }
    const [x, y] = this.#point(event);
    const finger = event.pointerType === "touch";
    const before = this.hand;
    const done = finger
      ? gestures.lift(before, this.#picking(), x, y, this.#dotReach())
      : gestures.release(before, this.#picking(), x, y);
    this.#done(done);
  }

  #leave() {
    if (this.pointer === null && this.hand.hovered !== null) this.#set({ ...this.hand, hovered: null });
  }

  /** A touch that is broken off: by Esc, by another button, by a second finger. */
  #cancel() {
    this.letGo();
    this.listener.onEscape();
  }

  /** @param {PointerEvent} event */
  #showLens(event) {
    const { drawing, hand, shown } = this;
    const one = drawing && hand.hovered ? drawing.elements.byId.get(hand.hovered) : undefined;
    const target = this.#unitPx() * (drawing?.elements.hasLines ? LINE_PART : 1);
    if (!drawing || !shown || !one || target >= FINGER_PX) {
      this.lens.hide();
      return;
    }
    this.lens.show(drawing, one.id, event.clientX, event.clientY, this.listener.calling(shown.match, one));
  }

  // Keys ------------------------------------------------------------------------------------------------------------

  /** @param {FocusEvent} event */
  #focused(event) {
    const id = /** @type {Element} */ (event.target).getAttribute("data-id");
    const one = id ? this.drawing?.elements.byId.get(id) : undefined;
    if (!one || (this.hand.cursor?.id === one.id && this.hand.by === "keys")) return;
    // A mouse or a finger gives the focus, too: then there is no cursor to be seen.
    const byKeys = this.pointer === null && /** @type {Element} */ (event.target).matches(":focus-visible");
    const cursor = { id: one.id, column: one.x };
    this.#set({ ...this.hand, cursor, by: byKeys ? "keys" : this.hand.by });
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.isComposing || event.ctrlKey || event.altKey || event.metaKey || !this.shown) return;
    const arrow = ARROWS[event.key];
    if (arrow) {
      event.preventDefault();
      this.#set(
        gestures.arrow(
          { ...this.hand, by: this.hand.cursor ? "keys" : this.hand.by },
          this.shown.match,
          ...arrow,
          this.shown.turned,
        ),
      );
      this.focus();
    } else if ((event.key === "Enter" || event.key === " ") && this.#active) {
      event.preventDefault();
      if (!event.repeat) this.#done(gestures.touchAtCursor(this.hand, this.#picking()));
    } else if (event.key === "Escape") {
      if (this.letGo() || this.listener.onEscape()) event.stopPropagation();
    }
  }

  // What comes of it ------------------------------------------------------------------------------------------------

  /** @param {gestures.Hand} hand */
  #set(hand) {
    const before = this.hand;
    this.hand = hand;
    if (before.picked !== hand.picked && this.shown) {
      this.hints?.show(this.shown.match, this.#plan());
      this.listener.onPicked?.(hand.picked);
    }
    this.#showHand();
    if (before.cursor !== hand.cursor) {
      if (hand.cursor && this.shown) this.drawing?.rename(this.shown.match, hand.cursor.id);
      this.#rove();
    }
  }

  /** @param {gestures.Hand} hand */
  #end(hand) {
    if (this.pointer !== null && this.place.hasPointerCapture(this.pointer))
      this.place.releasePointerCapture(this.pointer);
    this.pointer = null;
    this.lens.hide();
    this.#set(hand);
  }

  /** @param {gestures.Done} done */
  #done(done) {
    this.#set(done.hand);
    const { shown } = this;
    if (!shown) return;
    const now = performance.now();
    if (done.why && !shown.pending.length && !shown.unsent && now - this.played.at >= SAME_MS)
      this.listener.onVain?.(done.why);
    if (!done.move) return;
    const { move } = done;
    if (shown.pending.includes(move) || shown.unsent === move) return;
    const lies = pathOf(shown.match, move).at(-1) ?? "";
    const { version } = shown.match;
    const again = this.played.move === move && now - this.played.at < SAME_MS;
    if (again && (shown.match.marks[lies] || (shown.mine && this.played.version === version))) return;
    // A finger on a line that is drawn already has missed; a click asks the server, which says so.
    if (this.hand.by === "finger" && shown.match.marks[move]) return;
    this.played = { move, version, at: now };
    if (shown.mine) this.listener.onMove(move);
    else if (shown.plans && !(this.drawing?.elements.hasLines && shown.match.marks[lies]))
      this.listener.onPlan(pathOf(shown.match, move));
  }
}

/** Whether all of it is shown already. @param {Shown} one @param {Shown} other */
function isSame(one, other) {
  return (
    one.pending.join() === other.pending.join() &&
    [...Object.keys(other)].every(
      (name) => name === "pending" || one[/** @type {"match"} */ (name)] === other[/** @type {"match"} */ (name)],
    )
  );
}

/** What a planned move touches: its line, or its cells. @param {Snapshot} match @param {string} move @returns {Path} */
function pathOf(match, move) {
  return elementsOf(match.board).byId.get(move)?.kind === "line" ? [move] : touched(move);
}
