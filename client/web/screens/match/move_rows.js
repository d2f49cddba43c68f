/**
 * The rows of the list of moves by plain DOM: a move adds one and touches two, however many there are. The rows are
 * asked of the list itself: what is kept beside it would grow with the match.
 * @import { SeatStyle } from "../../conversation/messages.d.ts"
 * @import { Listed } from "../../shown/move_list.js"
 */

/** @typedef {{ moves: readonly Listed[], at: number, styles: Array<SeatStyle | undefined>, enabled: boolean }} Shown `at`: the move whose position is on screen, 0 for none */

/** @type {Shown} */
const NOTHING = { moves: [], at: 0, styles: [], enabled: true };

/** A row of one side without its move, its texts there to be filled. @param {SeatStyle | undefined} style */
function blank(style) {
  const row = document.createElement("li");
  const button = document.createElement("button");
  button.type = "button";
  button.className = "move";
  for (const name of ["digits quiet", "swatch", "grow", "quiet small"]) {
    const part = document.createElement(name === "swatch" ? "i" : "span");
    part.className = name;
    part.append("");
    button.append(part);
    if (name !== "swatch") continue;
    part.setAttribute("aria-hidden", "true");
    part.textContent = style?.symbol ?? "";
    part.style.background = style?.colour ?? "transparent";
  }
  row.append(button);
  return row;
}

export class MoveRows {
  #shown = NOTHING;
  /** One for each side's symbol: a copy is made for less than a row. @type {Map<string, HTMLElement>} */
  #blanks = new Map();

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
    const restyled = next.styles.some((style, seat) => !looksAlike(style, before.styles[seat]));
    if (restyled) this.#blanks.clear();
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
    const { move, seat, gains } = /** @type {Listed} */ (moves[index]);
    const row = this.#blankOf(seat === null ? undefined : styles[seat]).cloneNode(true);
    const button = /** @type {HTMLButtonElement} */ (row.firstChild);
    const [ply, , said, won] = button.childNodes;
    put(ply, String(index + 1));
    put(said, move);
    if (gains) put(won, gains);
    if (!enabled) button.disabled = true;
    const known = this.list.children[index];
    if (known) known.replaceWith(row);
    else this.list.append(row);
  }

  /** @param {SeatStyle | undefined} style */
  #blankOf(style) {
    const key = style?.symbol ?? "";
    const row = this.#blanks.get(key) ?? blank(style);
    this.#blanks.set(key, row);
    return row;
  }

  /** @param {number} ply @param {boolean} isAt */
  #mark(ply, isAt) {
    const button = this.list.children[ply - 1]?.firstElementChild;
    if (isAt) button?.setAttribute("aria-current", "step");
    else button?.removeAttribute("aria-current");
  }
}

/** @param {Node | undefined} part @param {string} said */
function put(part, said) {
  const text = part?.firstChild;
  if (text) text.nodeValue = said;
}

/** @param {SeatStyle | undefined} one @param {SeatStyle | undefined} other */
const looksAlike = (one, other) => one?.symbol === other?.symbol && one?.colour === other?.colour;
