// The symbols of the seats and the pieces, as vectors around (0, 0): the same at every size.

import { mixed, safe, writingOn } from "./colours.js";
import { node, UNIT } from "./svg.js";

/** @typedef {import("../conversation/messages.d.ts").SeatStyle} SeatStyle */

/** The radius of a piece. */
export const RADIUS = 0.39 * UNIT;
const CROWN = "M-20 9 L-24 -11 L-11 -2 L0 -17 L11 -2 L24 -11 L20 9 Z M-20 12 H20 V17 H-20 Z";

/**
 * The first character of `symbol`, about `size` high, around (0, 0): discs and diamonds as shapes, others as text.
 * @param {string} symbol @param {number} size @param {string} ink
 * @returns {SVGElement}
 */
export function sign(symbol, size, ink) {
  const first = [...symbol][0] ?? "";
  const thick = size * 0.13;
  if (first === "●") return node("circle", { r: size * 0.36, fill: ink });
  if (first === "○") return node("circle", { r: size * 0.33, fill: "none", stroke: ink, "stroke-width": thick });
  const reach = size * 0.42;
  const diamond = `M0 ${-reach} L${reach} 0 L0 ${reach} L${-reach} 0 Z`;
  if (first === "◆") return node("path", { d: diamond, fill: ink });
  if (first === "◇") return node("path", { d: diamond, fill: "none", stroke: ink, "stroke-width": thick });
  const text = node("text", {
    class: "sign-text",
    "font-size": size * 0.95,
    fill: ink,
    "text-anchor": "middle",
    dy: "0.35em",
  });
  text.textContent = first;
  return text;
}

/**
 * Gradients of both seats' pieces; their ids begin with `prefix`.
 * @param {readonly SeatStyle[]} styles @param {string} prefix
 */
export function gradients(styles, prefix) {
  const made = styles.map((style, seat) => {
    const colour = safe(style.colour);
    const stops = [
      node("stop", { offset: "0", "stop-color": mixed(colour, "#ffffff", 0.38) }),
      node("stop", { offset: "0.55", "stop-color": mixed(colour, "#ffffff", 0.08) }),
      node("stop", { offset: "1", "stop-color": mixed(colour, "#000000", 0.16) }),
    ];
    return node("radialGradient", { id: `${prefix}face${seat}`, cx: "0.36", cy: "0.28", r: "0.85" }, ...stops);
  });
  const dark = [
    node("stop", { offset: "0.55", "stop-color": "#000", "stop-opacity": "0.42" }),
    node("stop", { offset: "1", "stop-color": "#000", "stop-opacity": "0" }),
  ];
  return node("defs", {}, ...made, node("radialGradient", { id: `${prefix}shadow` }, ...dark));
}

/**
 * A piece of a seat: a man, a king or a stone; a piece that is unknown is drawn as a stone with the seat's symbol.
 * @param {string} piece @param {number} seat @param {SeatStyle} style @param {string} prefix
 * @returns {SVGElement}
 */
export function pieceOf(piece, seat, style, prefix) {
  const colour = safe(style.colour);
  const ink = writingOn(colour);
  const edge = mixed(colour, ink, 0.4);
  const isDraught = piece === "man" || piece === "king";
  const parts = [
    node("circle", { cy: 0.13 * RADIUS, r: 1.14 * RADIUS, fill: `url(#${prefix}shadow)`, class: "shadow" }),
  ];
  if (isDraught) {
    parts.push(
      node("circle", { cy: 5, r: RADIUS, fill: mixed(colour, "#000000", 0.45), stroke: edge, "stroke-width": 1.5 }),
    );
  }
  const face = {
    cy: isDraught ? -2 : 0,
    r: RADIUS,
    fill: `url(#${prefix}face${seat})`,
    stroke: edge,
    "stroke-width": 3,
  };
  parts.push(node("circle", face));
  const middle = node("g", { transform: isDraught ? "translate(0 -2)" : "translate(0 0)" });
  if (isDraught) {
    const ring = { fill: "none", stroke: mixed(colour, ink, 0.3), "stroke-width": 3 };
    middle.append(node("circle", { r: 0.8 * RADIUS, ...ring }));
  }
  if (piece === "king") {
    const crown = node("path", {
      d: CROWN,
      transform: "translate(0 -6)",
      fill: "#f2c14e",
      stroke: "#4a3608",
      "stroke-width": 2.5,
      "stroke-linejoin": "round",
    });
    middle.append(crown);
    // Whose king it is must be seen without colour, too.
    middle.append(node("g", { transform: `translate(0 ${0.6 * RADIUS})` }, sign(style.symbol, 0.36 * RADIUS, ink)));
  } else {
    middle.append(sign(style.symbol, 0.85 * RADIUS, ink));
  }
  return node("g", { class: `piece-face ${piece}` }, ...parts, middle);
}
