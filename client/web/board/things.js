// The nodes that a board is drawn of: places as they are at first, and what comes to lie on them.

import { mixed, safe, writingOn } from "./colours.js";
import { pieceOf, sign } from "./signs.js";
import { node, UNIT } from "./svg.js";

/** @typedef {import("./draw.js").Drawing} Drawing */
/** @typedef {import("./elements.js").Element} Element */

const PIECES = new Set(["man", "king", "stone"]);

/** The line of a place, free as it is at first. @param {Drawing} drawing @param {Element} one */
export function lineOf(drawing, one) {
  const [x1, y1] = drawing.place(one.x1, one.y1);
  const [x2, y2] = drawing.place(one.x2, one.y2);
  return node("line", {
    x1,
    y1,
    x2,
    y2,
    class: "line free",
    "stroke-width": 0.045 * drawing.frame.stroke,
  });
}

/** A dot, in which lines end. @param {Drawing} drawing @param {Element} dot */
export function dotOf(drawing, dot) {
  const [cx, cy] = drawing.place(dot.x, dot.y);
  return node("circle", { cx, cy, r: 0.085 * drawing.frame.stroke, class: "dot" });
}

/** A cell with its tone and label. @param {Drawing} drawing @param {Element} one */
export function cellOf(drawing, one) {
  const chosen = drawing.board.tones?.[one.tone];
  const tone = safe(chosen ?? "");
  /** @type {Record<string, string>} */
  const fill = chosen === undefined ? {} : { fill: tone };
  const cell = node("g", { class: `cell ${one.form} ${one.tone}` });
  if (one.form === "hex") {
    cell.append(node("polygon", { points: corners(drawing, one, 0.98), ...fill }));
  } else {
    cell.append(node("rect", { ...drawing.box(one), ...fill }));
    if (one.label) {
      const { x, y } = drawing.box(one);
      /** @type {Record<string, string>} */
      const ink = chosen === undefined ? {} : { fill: writingOn(tone) };
      // In the corner that neither a piece nor the frame of what can go reaches.
      const label = node("text", { x: x + 6, y: y + 17, class: "cell-label", "font-size": 15, ...ink });
      label.textContent = one.label;
      cell.append(label);
    }
  }
  return cell;
}

/** The corners of a hexagon, smaller by `part`. @param {Drawing} drawing @param {Element} one @param {number} part */
function corners(drawing, one, part) {
  const [x, y] = drawing.place(one.x, one.y);
  const radius = (part * UNIT) / Math.sqrt(3);
  return [0, 1, 2, 3, 4, 5]
    .map(
      (k) =>
        `${(x + radius * Math.sin((k * Math.PI) / 3)).toFixed(2)},${(y - radius * Math.cos((k * Math.PI) / 3)).toFixed(2)}`,
    )
    .join(" ");
}

/**
 * A node for what lies on an element, put where it belongs.
 * @param {Drawing} drawing @param {Element} one @param {number} seat @param {string} piece
 */
export function thingOn(drawing, one, seat, piece) {
  if (!drawing.match.seats[seat]) return null;
  if (one.kind === "line") return seat === 1 ? coreOf(drawing, one) : null;
  const { boxes, pieces, won } = drawing.layers;
  const isPiece = PIECES.has(piece) || one.form === "hex";
  const [layer, kind] = one.kind === "region" ? [won, `region ${one.id}`] : isPiece ? [pieces, piece] : [boxes, "box"];
  const known = drawing.kinds.get(`${kind} ${seat}`) ?? firstOn(drawing, one, seat, isPiece ? piece : "");
  drawing.kinds.set(`${kind} ${seat}`, known);
  const outer = /** @type {SVGElement} */ (known.cloneNode(true));
  outer.setAttribute("transform", `translate(${drawing.middle(one.id).join(" ")})`);
  layer.append(outer);
  return outer;
}

/**
 * The first of its kind, around (0, 0): a piece, the sign of a region that is won, or that of a box.
 * @param {Drawing} drawing @param {Element} one @param {number} seat @param {string} piece
 */
function firstOn(drawing, one, seat, piece) {
  const { style } = /** @type {import("../conversation/messages.d.ts").SeatInfo} */ (drawing.match.seats[seat]);
  if (piece) return node("g", {}, pieceOf(piece, seat, style, drawing.prefix));
  const colour = safe(style.colour);
  const ink = writingOn(colour);
  if (one.kind === "region") {
    const { width, height } = drawing.box(one);
    const ground = { x: -width / 2, y: -height / 2, width, height, rx: 0.14 * UNIT, fill: colour };
    const edged = { ...ground, class: "won-ground", stroke: mixed(colour, "#000000", 0.2) };
    return node("g", {}, node("rect", edged), sign(style.symbol, Math.min(width, height) * 0.5, ink));
  }
  const half = 0.385 * UNIT;
  const ground = { x: -half, y: -half, width: 2 * half, height: 2 * half, rx: 0.08 * UNIT };
  const face = node("rect", { ...ground, fill: `url(#${drawing.prefix}face${seat})` });
  return node("g", {}, face, sign(style.symbol, 0.42 * UNIT, ink));
}

/** The light core of the second player's line. @param {Drawing} drawing @param {Element} one */
function coreOf(drawing, one) {
  const [x1, y1] = drawing.place(one.x1, one.y1);
  const [x2, y2] = drawing.place(one.x2, one.y2);
  const core = node("line", { x1, y1, x2, y2, class: "core", "stroke-width": 0.042 * drawing.frame.stroke });
  drawing.layers.cores.append(core);
  return core;
}
