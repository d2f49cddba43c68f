// The board of any game as SVG, by plain DOM: one node for each element, found by its id, and of a new position only
// what has changed is touched. Players are told apart without colour: their symbols stand in boxes and on pieces, and
// the second player's lines have a light core.

import { safe } from "./colours.js";
import { coordinatesOf } from "./coordinates.js";
import { elementsOf } from "./elements.js";
import { groupsOf } from "./groups.js";
import { hop, vanish } from "./motion.js";
import { changedMarks, frameOf, isOpen, placed, REGION_PAD, wayOf } from "./scene.js";
import { gradients } from "./signs.js";
import { change, node, UNIT } from "./svg.js";
import { cellOf, dotOf, lineOf, thingOn } from "./things.js";

/** @typedef {import("../conversation/messages.d.ts").Snapshot} Snapshot */
/** @typedef {import("../conversation/messages.d.ts").Mark} Mark */
/** @typedef {import("./elements.js").Element} Element */
/** @typedef {{ node: SVGElement, mark: string }} Lying */
/**
 * Says how an element is called and what lies there, for who does not see it.
 * @typedef {(match: Snapshot, element: Element, mark: Mark | undefined) => string} Naming
 */

/** More marks than this at once are another position rather than a move: they are simply there. */
const MAX_MOVING = 64;
let made = 0;

/** A part of the picture that is drawn over what comes before it. @param {string} name */
const layer = (name) => node("g", { class: `layer ${name}`, "aria-hidden": "true" });

export class Drawing {
  under = layer("under");
  rows = node("g");
  layers = {
    ground: layer("ground"),
    boxes: layer("boxes"),
    over: layer("over"),
    cores: layer("cores"),
    dots: layer("dots"),
    veils: layer("veils"),
    pieces: layer("pieces"),
    won: layer("won"),
    hints: layer("hints"),
  };

  /**
   * @param {HTMLElement} host where the board is put
   * @param {Snapshot} match
   * @param {{ turned?: boolean, label: string, naming?: Naming }} how with `naming` the board is a grid whose places
   *   have names and can be gone to; without it is a picture
   */
  constructor(host, match, { turned = false, label, naming }) {
    this.prefix = `b${++made}-`;
    this.board = match.board;
    this.elements = elementsOf(match.board);
    this.turned = turned;
    this.naming = naming;
    /** @type {Snapshot} */
    this.match = { ...match, marks: {} };
    /** @type {Map<string, SVGElement>} */
    this.nodes = new Map();
    /** @type {Map<string, Lying>} what lies on an element in a node of its own: boxes, pieces, cores, won regions */
    this.lying = new Map();
    /** The first of each kind of thing that lies on elements: the next ones are copies. @type {Map<string, SVGElement>} */
    this.kinds = new Map();
    /** The groups of stones when they were named. @type {Set<import("./groups.js").Group>} */
    this.groups = new Set();
    /** @type {SVGElement[]} what the last move has made come */
    this.came = [];
    const atEdge = naming ? coordinatesOf(match.board) : [];
    this.frame = frameOf(match.board, atEdge.length > 0);
    this.svg = this.#build(match, label);
    for (const one of atEdge) this.#coordinate(one);
    host.replaceChildren(this.svg);
    this.#fill(match);
  }

  /** @param {Snapshot} match @param {string} label */
  #build(match, label) {
    const { left, top, width, height } = this.frame;
    const seen = this.naming ? { role: "grid", "aria-label": label } : { role: "img", "aria-label": label };
    const svg = node("svg", {
      viewBox: `${left} ${top} ${width} ${height}`,
      // A picture beside the words that say the same is none for who hears them.
      ...(label ? seen : { "aria-hidden": "true" }),
      class: `board ${this.elements.hasLines ? "of-lines" : "of-cells"}`,
      focusable: "false",
    });
    const styles = match.seats.map((seat) => seat.style);
    this.rows = node("g", { class: "layer places", ...(this.naming ? { role: "rowgroup" } : {}) });
    const { ground, boxes, over, cores, dots, veils, pieces, won, hints } = this.layers;
    svg.append(
      gradients(styles, this.prefix),
      ground,
      this.under,
      boxes,
      this.rows,
      cores,
      dots,
      veils,
      over,
      pieces,
      won,
      hints,
    );
    this.#regions();
    this.#places();
    for (const dot of this.elements.dots) dots.append(this.#kept(dot.id, dotOf(this, dot)));
    return svg;
  }

  /** Where a lattice point lies on the picture. @param {number} x @param {number} y */
  place(x, y) {
    return placed(this.board, this.turned, x, y);
  }

  /** The middle of an element on the picture. @param {string} id @returns {[number, number]} */
  middle(id) {
    const one = this.elements.byId.get(id);
    return one ? this.place(one.x, one.y) : [0, 0];
  }

  /** The box of an element on the picture, smaller by `inset` at each side. @param {Element} one @param {number} [inset] */
  box(one, inset = 0) {
    const [ax, ay] = this.place(one.x1, one.y1);
    const [bx, by] = this.place(one.x2, one.y2);
    const [x, y] = [Math.min(ax, bx) + inset, Math.min(ay, by) + inset];
    return { x, y, width: Math.abs(bx - ax) - 2 * inset, height: Math.abs(by - ay) - 2 * inset };
  }

  /** @param {string} id @param {SVGElement} kept */
  #kept(id, kept) {
    this.nodes.set(id, kept);
    return kept;
  }

  /** Outside, and seen from either side of the board. @param {import("./coordinates.js").Coordinate} one */
  #coordinate(one) {
    const { beside, stroke } = this.frame;
    const [x, y] = this.place(one.x + beside * one.dx, one.y + beside * one.dy);
    this.layers.ground.append(this.#label(one.text, x, y, Math.max(0.2 * stroke, 17)));
  }

  /** @param {string} said @param {number} x @param {number} y @param {number} [size] */
  #label(said, x, y, size = 20) {
    const text = node("text", { x, y, dy: "0.35em", "text-anchor": "middle", class: "coordinate" });
    // In the picture's units: what is too small or too large for the eye is not so large (`board.css`).
    text.style.setProperty("--size", `${size}px`);
    text.textContent = said;
    return text;
  }

  #regions() {
    for (const region of this.elements.regions) {
      const box = { ...this.box(region, -REGION_PAD * UNIT), rx: 0.16 * UNIT };
      this.layers.ground.append(this.#kept(region.id, node("rect", { ...box, class: "region" })));
      if (this.naming) this.layers.ground.append(this.#label(region.label, box.x + 0.14 * UNIT, box.y + 0.16 * UNIT));
      this.layers.veils.append(this.#kept(`veil ${region.id}`, node("rect", { ...box, class: "veil" })));
    }
  }

  #places() {
    const isGrid = this.naming !== undefined;
    const rows = this.turned ? [...this.elements.rows].reverse().map((row) => [...row].reverse()) : this.elements.rows;
    rows.forEach((row, at) => {
      const holder = node("g", isGrid ? { role: "row", "aria-rowindex": at + 1 } : {});
      for (const one of row) {
        const drawn = one.kind === "line" ? lineOf(this, one) : cellOf(this, one);
        if (isGrid) change(drawn, { role: "gridcell", tabindex: -1, "data-id": one.id });
        holder.append(this.#kept(one.id, drawn));
      }
      this.rows.append(holder);
    });
  }

  /** The first position: everything lies there at once. @param {Snapshot} match */
  #fill(match) {
    if (this.naming) for (const one of this.elements.places) this.#name(match, one);
    this.#focus();
    this.show(match, false);
  }

  /**
   * Show a later position of the same board; with `moves` what changed is seen to move.
   * @param {Snapshot} match @param {boolean} moves
   */
  show(match, moves) {
    const before = this.match;
    const changed = changedMarks(before.marks, match.marks);
    this.match = match;
    if (changed.length) {
      // An animation that has ended stays in memory for as long as its node names it; what only tells more of the same
      // position, as what is legal in it, breaks none off.
      for (const one of this.came) one.classList.remove("came", "pops", "hops");
      this.came = [];
    }
    const animated = moves && changed.length <= MAX_MOVING && before.match === match.match;
    const way = wayOf(before, match);
    if (way.length) this.#carry(way, animated);
    for (const id of changed) this.#lay(id, match.marks[id], animated);
    if (before.focus !== match.focus || before.status !== match.status) this.#focus();
    if (!this.naming) return;
    const others = before.seats !== match.seats ? Object.keys(match.marks) : this.#inOtherGroups(match, changed);
    for (const id of new Set([...changed, ...others])) {
      const one = this.elements.byId.get(id);
      if (one) this.#name(match, one);
    }
  }

  /** The stones of groups that are not what they were: one that comes or goes changes the size of others'. @param {Snapshot} match @param {string[]} changed */
  #inOtherGroups(match, changed) {
    if (!match.board.groups || changed.length === 0) return [];
    const before = this.groups;
    this.groups = new Set(groupsOf(match));
    return [...this.groups].flatMap((group) => (before.has(group) ? [] : [...group.cells]));
  }

  /** @param {Snapshot} match @param {Element} one */
  #name(match, one) {
    this.nodes.get(one.id)?.setAttribute("aria-label", this.naming?.(match, one, match.marks[one.id]) ?? "");
  }

  /** Say anew how an element is called: what a stone there would take has changed. @param {Snapshot} match @param {string} id */
  rename(match, id) {
    const one = this.elements.byId.get(id);
    if (one && this.naming && match.board.groups) this.#name(match, one);
  }

  /** A piece goes to another cell: its node goes with it. @param {readonly string[]} way @param {boolean} animated */
  #carry(way, animated) {
    const [from = "", to = ""] = [way[0], way.at(-1)];
    const lying = this.lying.get(from);
    if (!lying) return;
    this.lying.delete(from);
    this.lying.get(to)?.node.remove();
    this.lying.set(to, lying);
    const points = way.map((id) => this.middle(id));
    this.#put(lying.node, to);
    this.layers.pieces.append(lying.node);
    if (!animated) return;
    hop(lying.node, points);
    this.came.push(lying.node);
  }

  /** @param {SVGElement} piece @param {string} id */
  #put(piece, id) {
    const [x, y] = this.middle(id);
    piece.setAttribute("transform", `translate(${x} ${y})`);
  }

  /** What lies on an element now. @param {string} id @param {Mark | undefined} mark @param {boolean} animated */
  #lay(id, mark, animated) {
    const one = this.elements.byId.get(id);
    if (!one) return;
    if (one.kind === "line") this.#drawLine(one, mark, animated);
    const key = mark ? `${mark[0]} ${mark[1]}` : "";
    const lying = this.lying.get(id);
    if (lying?.mark === key) return;
    if (lying) {
      this.lying.delete(id);
      if (animated && !mark) vanish(lying.node);
      else lying.node.remove();
    }
    const fresh = mark && mark[0] !== null ? thingOn(this, one, mark[0], mark[1]) : null;
    if (!fresh) return;
    this.lying.set(id, { node: fresh, mark: key });
    if (!animated || one.kind === "line" || lying) return;
    fresh.classList.add("pops");
    this.came.push(fresh);
  }

  /** @param {Element} one @param {Mark | undefined} mark @param {boolean} animated */
  #drawLine(one, mark, animated) {
    const line = this.nodes.get(one.id);
    if (!line) return;
    const { stroke } = this.frame;
    if (!mark) {
      line.removeAttribute("stroke");
      change(line, { class: "line free", "stroke-width": 0.045 * stroke });
      return;
    }
    if (animated) this.came.push(line);
    const colour = mark[0] === null ? "" : safe(this.match.seats[mark[0]]?.style.colour ?? "");
    change(line, {
      class: `line drawn ${colour ? "" : "nobodys"} ${animated ? "came" : ""}`,
      "stroke-width": 0.125 * stroke,
    });
    if (colour) line.setAttribute("stroke", colour);
  }

  #focus() {
    const plays = this.match.status === "playing" && this.match.focus.length > 0;
    for (const { id } of this.elements.regions) {
      const open = isOpen(this.match, id);
      this.nodes.get(id)?.setAttribute("class", `region ${plays && open ? "focused" : ""}`);
      this.nodes.get(`veil ${id}`)?.setAttribute("class", `veil ${plays && !open ? "on" : ""}`);
    }
  }
}
