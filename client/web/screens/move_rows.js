/**
 * The rows of the list of moves by plain DOM: a move adds one and touches two, however many there are. The rows are
 * asked of the list itself: what is kept beside it would grow with the match.
 * @import { SeatStyle } from "../conversation/messages.d.ts"
 * @import { Listed } from "../shown/move_list.js"
 */

/** @typedef {{ moves: readonly Listed[], at: number, styles: Array<SeatStyle | undefined>, enabled: boolean }} Shown `at`: the move whose position is on screen, 0 for none */

/** @type {Shown} */
const NOTHING = { moves: [], at: 0, styles: [], enabled: true };

/** A row without its move. */
function blank() {
  const row = document.createElement("li");
  const [ply, swatch, move, gains] = ["digits quiet", "swatch", "grow", "quiet small"].map((name) => {
    const part = document.createElement(name === "swatch" ? "i" : "span");
    part.className = name;
    return part;
  });
  swatch?.setAttribute("aria-hidden", "true");
  const button = document.createElement("button");
  button.type = "button";
  button.className = "move";
  for (const part of [ply, swatch, move, gains]) button.append(/** @type {Node} */ (part));
  row.append(button);
  return row;
}

export class MoveRows {
  #shown = NOTHING;
  #blank = blank();

  /** @param {HTMLElement} list whose rows these are @param {(ply: number) => void} onStep */
  constructor(list, onStep) {
    this.list = list;
    list.addEventListener("click", (event) => {
      const row = /** @type {Element} */ (event.target).closest("li");
      if (row) onStep([...list.children].indexOf(row) + 1);
    });
  }

  /** @param {Shown} next */
  show(next) {
    const before = this.#shown;
    this.#shown = next;
    const { length } = next.moves;
    const restyled = next.styles.some((style, seat) => style !== before.styles[seat]);
    while (this.list.children.length > length) this.list.lastElementChild?.remove();
    for (let index = 0; index < length; index += 1) {
      if (restyled || next.moves[index] !== before.moves[index]) this.#fill(index, next);
    }
    if (before.enabled !== next.enabled) for (const button of this.#buttons()) button.disabled = !next.enabled;
    if (before.at !== next.at) this.#mark(before.at, false);
    if (before.at !== next.at || before.moves !== next.moves) this.#mark(next.at, true);
  }

  *#buttons() {
    for (const row of this.list.children) yield/** @type {HTMLButtonElement} */ (row.firstElementChild);
  }

  /** @param {number} index @param {Shown} shown */
  #fill(index, { moves, styles, enabled }) {
    const known = this.list.children[index];
    const row = known ?? this.#blank.cloneNode(true);
    if (!known) this.list.append(row);
    const button = /** @type {HTMLButtonElement} */ (row.firstChild);
    const { move, seat, gains } = /** @type {Listed} */ (moves[index]);
    const style = seat === null ? undefined : styles[seat];
    const [ply, swatch, said, won] = /** @type {Iterable<HTMLElement>} */ (button.children);
    if (!ply || !swatch || !said || !won) return;
    button.disabled = !enabled;
    ply.textContent = String(index + 1);
    swatch.textContent = style?.symbol ?? "";
    swatch.style.background = style?.colour ?? "transparent";
    said.textContent = move;
    won.textContent = gains;
  }

  /** @param {number} ply @param {boolean} isAt */
  #mark(ply, isAt) {
    const button = this.list.children[ply - 1]?.firstElementChild;
    if (isAt) button?.setAttribute("aria-current", "step");
    else button?.removeAttribute("aria-current");
  }
}
