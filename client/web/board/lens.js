// Where an element is smaller than a finger, it is shown enlarged above the finger, with what lies around it.

import { node, UNIT } from "./svg.js";

/** @typedef {import("./draw.js").Drawing} Drawing */

const SIZE = 132;
/** How far above the finger, in pixels: what is under it is not seen. */
const ABOVE = 34;
/** How far around the element one sees, in lattice units. */
const REACH = 1.35;

export class Lens {
  /** @param {HTMLElement} host */
  constructor(host) {
    this.host = host;
    /** @type {HTMLElement | null} */
    this.glass = null;
  }

  /**
   * @param {Drawing} drawing @param {string} id the element that is meant
   * @param {number} x @param {number} y where the finger is, in pixels of the viewport
   * @param {string} name what it is called, below the glass
   */
  show(drawing, id, x, y, name) {
    const [cx, cy] = drawing.middle(id);
    const half = REACH * UNIT;
    const picture = node("svg", {
      viewBox: `${cx - half} ${cy - half} ${2 * half} ${2 * half}`,
      class: drawing.svg.getAttribute("class") ?? "",
    });
    picture.append(...copies(drawing, cx, cy, half + UNIT));
    if (!this.glass) {
      this.glass = document.createElement("div");
      this.glass.className = "lens";
      this.glass.setAttribute("aria-hidden", "true");
      this.host.append(this.glass);
    }
    const caption = document.createElement("span");
    caption.textContent = name;
    this.glass.replaceChildren(picture, caption);
    const left = Math.min(Math.max(x - SIZE / 2, 4), window.innerWidth - SIZE - 4);
    const over = y - ABOVE - SIZE;
    // Too near to the top edge it stands beside the finger, away from the hand that holds it.
    const beside = x > window.innerWidth / 2 ? x - SIZE - ABOVE * 2 : x + ABOVE * 2;
    const fits = over >= 4;
    this.glass.style.left = `${fits ? left : Math.min(Math.max(beside, 4), window.innerWidth - SIZE - 4)}px`;
    this.glass.style.top = `${Math.max(over, 4)}px`;
  }

  hide() {
    this.glass?.remove();
    this.glass = null;
  }
}

/**
 * Copies of the nodes around a point, in the order of drawing.
 * @param {Drawing} drawing @param {number} cx @param {number} cy @param {number} reach
 */
function copies(drawing, cx, cy, reach) {
  const { elements, nodes, lying, layers, under } = drawing;
  /** @param {string} id */
  const isNear = (id) => {
    const [x, y] = drawing.middle(id);
    return Math.abs(x - cx) < reach && Math.abs(y - cy) < reach;
  };
  /** @param {Iterable<Node>} originals */
  const copied = (originals) =>
    [...originals].map((original) => plain(/** @type {SVGElement} */ (original.cloneNode(true))));
  const near = [...elements.places, ...elements.dots].filter((one) => isNear(one.id));
  const drawn = (/** @type {boolean} */ dots) =>
    near
      .filter((one) => (one.kind === "dot") === dots)
      .map((one) => nodes.get(one.id) ?? null)
      .filter((one) => one !== null);
  const [places, dots] = [drawn(false), drawn(true)];
  const boxes = [...lying].filter(([id]) => isNear(id) && elements.byId.get(id)?.kind === "cell");
  const cores = [...lying].filter(([id]) => isNear(id) && elements.byId.get(id)?.kind === "line");
  return [
    ...copied([under]),
    ...copied(elements.hasLines ? boxes.map(([, l]) => l.node) : []),
    ...copied(places),
    ...copied(cores.map(([, l]) => l.node)),
    ...copied(dots),
    ...copied([layers.over]),
    ...copied(elements.hasLines ? [] : boxes.map(([, l]) => l.node)),
    ...copied([layers.hints]),
  ];
}

/** @param {SVGElement} copy */
function plain(copy) {
  for (const name of ["role", "tabindex", "aria-label", "data-id"]) copy.removeAttribute(name);
  return copy;
}
