// What is shown on top of the position and is no part of it: the last move, what can be played, what is picked, what is
// sent and not confirmed, what a hint says, what is planned for the next turn, and what is under the mouse, the finger or the keys.

import { safe } from "./colours.js";
import { groupsOf, joined } from "./groups.js";
import { jumped, marksOf, playable, sameMark } from "./scene.js";
import { pieceOf, RADIUS } from "./signs.js";
import { node, UNIT } from "./svg.js";
import { dotOf } from "./things.js";

/** @typedef {import("./draw.js").Drawing} Drawing */
/** @typedef {import("./elements.js").Element} Element */
/** @typedef {import("../conversation/messages.d.ts").Snapshot} Snapshot */
/** @typedef {import("./picking.js").Path} Path */
/**
 * What the viewer is about to do. `pending` moves are sent, the `unsent` one waits to be confirmed, the `advised` one is
 * that of a hint, `planned` is touched for the next turn; `about` is what was refused.
 * @typedef {{
 *   mine: boolean, picked: Path, pending: readonly string[], unsent: string, advised: string, planned: Path,
 *   about: readonly string[],
 * }} Plan
 */
/**
 * Where the hand is. `held` is what is dragged, and where it is on the picture.
 * @typedef {{
 *   hovered: string | null, cursor: string | null, by: "mouse" | "finger" | "keys",
 *   held: { id: string, x: number, y: number } | null,
 * }} Hand
 */

/** So much smaller than its cell is the frame of a last move, at each side. */
const LAST_INSET = 3;

/** @param {Snapshot} match @param {number} seat */
const styleOf = (match, seat) => (match.seats[seat] ?? match.seats[0]).style;

/** Whether the line ends in the dot. @param {Element} line @param {Element} dot */
const isEnd = ({ x1, y1, x2, y2 }, { x, y }) => (x === x1 && y === y1) || (x === x2 && y === y2);

/** A mark under a last move, around (0, 0). @param {string} form */
function lastMark(form) {
  if (form === "last-taken") return node("path", { d: crossAt(0, 0), class: form });
  if (form === "last-ring") return node("circle", { r: RADIUS * 1.13, class: form });
  const size = UNIT - 2 * LAST_INSET;
  return node("rect", { x: -size / 2, y: -size / 2, width: size, height: size, rx: 6, class: form });
}

/** @param {number} x @param {number} y */
function crossAt(x, y) {
  const r = 0.15 * UNIT;
  return `M${x - r} ${y - r} L${x + r} ${y + r} M${x - r} ${y + r} L${x + r} ${y - r}`;
}

/**
 * What a hint marks: a stroke on a lighter one. Each is there twice, as wide as suits the board and never thinner on screen
 * than is seen.
 * @param {() => SVGElement} form @param {number} width
 */
function advice(form, width) {
  return ["casing", "stripe"].flatMap((layer) =>
    ["", "least"].map((least) => {
      const stroke = form();
      stroke.classList.add(layer, ...(least ? [least] : []));
      if (!least) stroke.setAttribute("stroke-width", String(layer === "casing" ? width * 1.7 : width));
      return stroke;
    }),
  );
}

/** Mostly there is nothing, where nothing was. @param {SVGElement} group @param {SVGElement[]} found */
function fill(group, found) {
  if (found.length > 0 || group.firstChild) group.replaceChildren(...found);
}

export class Hints {
  /** @param {Drawing} drawing */
  constructor(drawing) {
    this.drawing = drawing;
    this.sizes = node("g", { class: "sizes" });
    this.plan = node("g", { class: "plan" });
    this.hand = node("g", { class: "hand" });
    drawing.layers.hints.append(this.sizes, this.plan, this.hand);
    /** @type {Snapshot["marks"] | undefined} the marks whose groups are numbered */
    this.counted = undefined;
    /** @type {Map<string, SVGElement>} the numbers that are shown, by where they stand and what they say */
    this.badges = new Map();
    /** @type {Snapshot["last"] | undefined} */
    this.last = undefined;
    /** @type {Set<string>} free cells that are shown as not to be played in */
    this.barred = new Set();
    /** @type {SVGElement | null} the piece that a plan or a hand has taken from its place */
    this.taken = null;
  }

  /** @param {Snapshot} match @param {Plan} plan */
  show(match, plan) {
    if (match.last !== this.last) this.#last(match);
    if (match.marks !== this.counted) this.#count(match);
    this.#barred(match, plan);
    const found = [];
    if (plan.mine) found.push(...this.#targets(match, plan));
    for (const move of plan.pending) found.push(...this.#move(match, marksOf(match, move), "pending"));
    if (plan.unsent) found.push(...this.#move(match, marksOf(match, plan.unsent), "pending unsent"));
    if (plan.advised) found.push(...this.#advised(match, plan.advised));
    if (plan.planned.length) found.push(...this.#planned(match, plan.planned));
    for (const id of plan.picked) found.push(this.#picked(id));
    for (const id of plan.about) if (this.drawing.elements.byId.get(id)?.kind === "cell") found.push(this.#about(id));
    fill(this.plan, found);
  }

  /** How many stones each group has, on one of them: what is the same as before stays as it is. @param {Snapshot} match */
  #count(match) {
    this.counted = match.marks;
    const before = this.badges;
    this.badges = new Map();
    for (const { middle, cells } of groupsOf(match)) {
      if (cells.size < 2) continue;
      const key = `${middle} ${cells.size}`;
      const badge = before.get(key) ?? this.#size(middle, cells.size);
      if (!before.delete(key)) this.sizes.append(badge);
      this.badges.set(key, badge);
    }
    for (const gone of before.values()) gone.remove();
  }

  /** @param {string} id @param {number} size */
  #size(id, size) {
    const [x, y] = this.drawing.middle(id);
    const badge = node("g", { transform: `translate(${x} ${y})`, class: "group-size" });
    const number = node("text", { "text-anchor": "middle", dy: "0.35em", "font-size": size > 99 ? 25 : 33 });
    number.textContent = String(size);
    badge.append(node("circle", { r: 0.26 * UNIT }), number);
    return badge;
  }

  /** @param {string} id */
  #about(id) {
    const [cx, cy] = this.drawing.middle(id);
    return node("circle", { cx, cy, r: RADIUS * 1.15, class: "about" });
  }

  /** The mark under the last move; where it came from and where it went differ in form. @param {Snapshot} match */
  #last(match) {
    this.last = match.last;
    const { drawing } = this;
    const line = match.last ? drawing.elements.byId.get(match.last.move) : undefined;
    this.#lastLine(line?.kind === "line" ? line : null);
    this.#over(!match.last || line?.kind === "line" ? [] : this.#lastMarks(match, match.last.move));
  }

  /** What marks the cells of a move: forms, and where they lie. @param {Snapshot} match @param {string} move @returns {[string, string][]} */
  #lastMarks(match, move) {
    const { byId } = this.drawing.elements;
    const marked = marksOf(match, move).filter((id) => byId.get(id)?.kind === "cell");
    /** @type {[string, string][]} */
    const found = marked.map((id, index) => [
      byId.get(id)?.form === "hex" ? "last-ring" : index === marked.length - 1 ? "last-to" : "last-from",
      id,
    ]);
    for (const id of jumped(match.board, move)) found.push(["last-taken", id]);
    return found;
  }

  /** Marks of one form go from move to move. @param {[string, string][]} wanted */
  #over(wanted) {
    const { over } = this.drawing.layers;
    wanted.forEach(([form, id], at) => {
      let mark = over.children[at];
      if (mark?.getAttribute("class") !== form) {
        const made = lastMark(form);
        if (mark) mark.replaceWith(made);
        else over.append(made);
        mark = made;
      }
      mark.setAttribute("transform", `translate(${this.drawing.middle(id).join(" ")})`);
    });
    while (over.children.length > wanted.length) over.lastElementChild?.remove();
  }

  /** The two strokes under the last line go from line to line. @param {Element | null} line */
  #lastLine(line) {
    if (line === null) {
      fill(this.drawing.under, []);
      return;
    }
    if (!this.drawing.under.firstChild) {
      const width = 0.125 * this.drawing.frame.stroke;
      this.drawing.under.append(
        node("path", { class: "last-edge", "stroke-width": 2.2 * width }),
        node("path", { class: "last-glow", "stroke-width": 1.85 * width }),
      );
    }
    const way = `M${this.drawing.place(line.x1, line.y1)}L${this.drawing.place(line.x2, line.y2)}`;
    for (const stroke of this.drawing.under.children) stroke.setAttribute("d", way);
  }

  /** Free cells in which one may not play carry a class, which is seen on one's turn; for the next one only those that differ are touched. @param {Snapshot} match @param {Plan} plan */
  #barred(match, plan) {
    const { elements, nodes } = this.drawing;
    if (elements.hasLines || !plan.mine) return;
    const can = playable(match, []);
    const now = new Set();
    for (const one of elements.places)
      if (one.form === "hex" && !match.marks[one.id] && !can.has(one.id)) now.add(one.id);
    for (const id of this.barred) if (!now.has(id)) nodes.get(id)?.classList.remove("barred");
    for (const id of now) if (!this.barred.has(id)) nodes.get(id)?.classList.add("barred");
    this.barred = now;
  }

  /** The next elements of the way that is picked, and the pieces that can go. @param {Snapshot} match @param {Plan} plan */
  #targets(match, plan) {
    const { elements } = this.drawing;
    if (!plan.picked.length && elements.hasLines) return [];
    const found = [];
    for (const id of playable(match, plan.picked)) {
      const one = elements.byId.get(/** @type {string} */ (id));
      if (!one || one.kind === "line" || one.kind === "region") continue;
      if (plan.picked.length) {
        const [cx, cy] = this.drawing.middle(one.id);
        const r = one.kind === "dot" ? 0.2 * this.drawing.frame.stroke : 0.15 * UNIT;
        found.push(node("circle", { cx, cy, r, class: one.kind === "dot" ? "target ring" : "target" }));
      } else if (one.form === "square" && match.marks[one.id]) {
        found.push(node("rect", { ...this.drawing.box(one, 2.5), rx: 8, class: "can-go" }));
      }
    }
    return found;
  }

  /** @param {string} id */
  #picked(id) {
    const one = this.drawing.elements.byId.get(id);
    const [cx, cy] = this.drawing.middle(id);
    if (one?.kind === "dot") return node("circle", { cx, cy, r: 0.19 * this.drawing.frame.stroke, class: "picked" });
    if (one?.form === "hex") return node("circle", { cx, cy, r: RADIUS * 1.15, class: "picked" });
    return node("rect", { ...(one ? this.drawing.box(one, 5) : {}), rx: 10, class: "picked" });
  }

  /** A move as it would lie there. @param {Snapshot} match @param {Path} marked @param {string} how */
  #move(match, marked, how) {
    const found = [];
    const seat = how.startsWith("planned") ? match.you[0] : (match.to_move ?? match.you[0]);
    const style = styleOf(match, seat ?? 0);
    const colour = safe(style.colour);
    const one = this.drawing.elements.byId.get(marked[marked.length - 1] ?? "");
    if (!one) return [];
    if (one.kind === "line") {
      if (sameMark(match.marks[one.id], undefined)) {
        const { elements, frame } = this.drawing;
        const ground = how.startsWith("planned") ? 0.2 : 0.125;
        found.push(
          this.#along(one, { class: `${how} ground`, "stroke-width": ground * frame.stroke }),
          this.#along(one, { class: how, stroke: colour, "stroke-width": 0.1 * frame.stroke }),
          // It lies above all lines, and below its dots as they do.
          ...elements.dots.filter((dot) => isEnd(one, dot)).map((dot) => dotOf(this.drawing, dot)),
        );
      }
      return found;
    }
    const [x, y] = this.drawing.middle(one.id);
    if (marked.length > 1) {
      const points = marked.map((id) => this.drawing.middle(id).join(",")).join(" ");
      found.push(node("polyline", { points, class: `${how} way` }));
    }
    const from = match.marks[marked[0] ?? ""];
    const piece = marked.length > 1 && from ? from[1] : "stone";
    const ghost = node("g", { transform: `translate(${x} ${y})`, class: `ghost ${how}` });
    ghost.append(
      pieceOf(piece, seat ?? 0, style, this.drawing.prefix),
      node("circle", { r: RADIUS * 1.12, class: "ghost-ring" }),
    );
    found.push(ghost);
    return found;
  }

  /** The line of a hint with a badge on it, or a ring around each of its cells. @param {Snapshot} match @param {string} move */
  #advised(match, move) {
    const { elements, frame } = this.drawing;
    return marksOf(match, move).map((id) => {
      const one = /** @type {Element} */ (elements.byId.get(id));
      const [x, y] = this.drawing.middle(id);
      const ring = () => node("circle", { cx: x, cy: y, r: RADIUS * 1.15 });
      if (one.kind !== "line") return node("g", { class: "advised" }, ...advice(ring, 0.06 * UNIT));
      return node(
        "g",
        { class: "advised" },
        ...advice(() => this.#along(one, {}), 0.1 * frame.stroke),
        ...elements.dots.filter((dot) => isEnd(one, dot)).map((dot) => dotOf(this.drawing, dot)),
        ...advice(() => node("path", { d: `M${x} ${y}h0`, class: "spot" }), 0.26 * frame.stroke),
      );
    });
  }

  /** @param {Snapshot} match @param {Path} path */
  #planned(match, path) {
    const { byId } = this.drawing.elements;
    const found = this.#move(match, path, "planned");
    const end = byId.get(path.at(-1) ?? "");
    if (!end) return found;
    const [x, y] = this.drawing.middle(end.id);
    const size = Math.max(0.2 * this.drawing.frame.stroke, 12);
    const badge = node("g", { transform: `translate(${x} ${y}) scale(${size / 20})`, class: "planned-badge" });
    badge.append(node("circle", { r: 18 }), node("path", { d: "M-9 -8 L-1 0 L-9 8 M1 -8 L9 0 L1 8" }));
    return [...found, badge];
  }

  /** @param {Snapshot} match @param {Plan} plan @param {Hand} hand */
  showHand(match, plan, hand) {
    const found = [];
    if (this.taken) this.taken.classList.remove("taken");
    this.taken = null;
    const one = this.drawing.elements.byId.get(hand.hovered ?? "");
    const seat = plan.mine ? match.to_move : match.you[0];
    if (one && seat !== null && seat !== undefined) found.push(...this.#hovered(match, plan, hand, one, seat));
    if (hand.held) found.push(...this.#held(match, hand.held, seat ?? 0));
    const at = this.drawing.elements.byId.get(hand.cursor ?? "");
    if (at && hand.by === "keys") found.push(this.#cursor(at));
    fill(this.hand, found);
  }

  /** @param {Snapshot} match @param {Plan} plan @param {Hand} hand @param {Element} one @param {number} seat */
  #hovered(match, plan, hand, one, seat) {
    const style = styleOf(match, seat);
    const { stroke } = this.drawing.frame;
    if (one.kind === "dot") {
      const [cx, cy] = this.drawing.middle(one.id);
      return [node("circle", { cx, cy, r: 0.17 * stroke, class: "over-dot" })];
    }
    if (one.kind === "line") {
      if (match.marks[one.id])
        return hand.by === "finger" ? [this.#along(one, { class: "no-go", "stroke-width": 0.2 * stroke })] : [];
      const legal = match.legal.includes(one.id) || !plan.mine;
      const lit = {
        class: legal ? "preview" : "preview no",
        "stroke-width": 0.125 * stroke,
        stroke: legal ? safe(style.colour) : "",
      };
      const ground = hand.by === "finger" ? [this.#along(one, { class: "lit", "stroke-width": 0.42 * stroke })] : [];
      return [...ground, this.#along(one, lit)];
    }
    if (hand.held || plan.picked.includes(one.id)) return this.#lit(one, hand);
    const can = /** @type {Set<string>} */ (playable(match, plan.picked)).has(one.id);
    const [x, y] = this.drawing.middle(one.id);
    if (one.form === "hex" && !match.marks[one.id] && (can || !plan.mine)) {
      const ghost = node("g", { transform: `translate(${x} ${y})`, class: "ghost preview" });
      ghost.append(pieceOf("stone", seat, style, this.drawing.prefix));
      const made = plan.mine ? joined(match, one.id, seat) : null;
      const takes = [...(made?.taken ?? [])].map((id) => this.#cross(id, "no-go goes"));
      const size = made && made.size > 1 ? [this.#size(one.id, made.size)] : [];
      return [...this.#lit(one, hand), ghost, ...size, ...takes];
    }
    if (!plan.mine) return this.#lit(one, hand);
    if (one.form === "hex" && !match.marks[one.id]) return [...this.#lit(one, hand), this.#cross(one.id, "no-go")];
    if (can) return [node("rect", { ...this.drawing.box(one, 2), rx: 10, class: "over-cell" })];
    return this.#lit(one, hand);
  }

  /** What is under a finger has an edge that is seen beside it. @param {Element} one @param {Hand} hand */
  #lit(one, hand) {
    if (hand.by !== "finger" && !hand.held) return [];
    const [cx, cy] = this.drawing.middle(one.id);
    return one.form === "hex"
      ? [node("circle", { cx, cy, r: 0.56 * UNIT, class: "lit-ring" })]
      : [node("rect", { ...this.drawing.box(one, -2), rx: 8, class: "lit-ring" })];
  }

  /** What is dragged lies under the hand and no longer in its place. @param {Snapshot} match @param {{ id: string, x: number, y: number }} held @param {number} seat */
  #held(match, held, seat) {
    const one = this.drawing.elements.byId.get(held.id);
    const style = styleOf(match, seat);
    if (one?.kind === "dot") {
      const [x1, y1] = this.drawing.middle(one.id);
      const colour = safe(style.colour);
      return [
        node("line", {
          x1,
          y1,
          x2: held.x,
          y2: held.y,
          class: "preview",
          stroke: colour,
          "stroke-width": 0.125 * this.drawing.frame.stroke,
        }),
      ];
    }
    const mark = match.marks[held.id];
    const lying = this.drawing.lying.get(held.id);
    if (!mark || mark[0] === null || !lying) return [];
    this.taken = lying.node;
    this.taken.classList.add("taken");
    const piece = node("g", { transform: `translate(${held.x} ${held.y}) scale(1.12)`, class: "held" });
    piece.append(pieceOf(mark[1], mark[0], styleOf(match, mark[0]), this.drawing.prefix));
    return [piece];
  }

  /** @param {Element} one */
  #cursor(one) {
    if (one.kind === "line") {
      const pad = 0.16 * this.drawing.frame.stroke;
      return node("rect", { ...this.drawing.box(one, -pad), rx: pad, class: "cursor" });
    }
    const [cx, cy] = this.drawing.middle(one.id);
    if (one.form === "hex") return node("circle", { cx, cy, r: 0.5 * UNIT, class: "cursor" });
    return node("rect", { ...this.drawing.box(one, 4), rx: 10, class: "cursor" });
  }

  /** @param {string} id @param {string} how */
  #cross(id, how) {
    return node("path", { d: crossAt(...this.drawing.middle(id)), class: how });
  }

  /** @param {Element} one @param {Record<string, string | number>} attributes */
  #along(one, attributes) {
    const [x1, y1] = this.drawing.place(one.x1, one.y1);
    const [x2, y2] = this.drawing.place(one.x2, one.y2);
    return node("line", { x1, y1, x2, y2, ...attributes });
  }
}
