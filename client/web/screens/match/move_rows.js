/**
 * The moves in two columns, one for each side, by plain DOM: a move adds one and touches two, however many there are. The rows are
 * asked of the list itself: what is kept beside it would grow with the match.
 * @import { SeatStyle } from "../../conversation/messages.d.ts"
 * @import { Listed } from "../../shown/move_list.js"
 */

/** @typedef {{ moves: readonly Listed[], at: number, styles: Array<SeatStyle | undefined>, enabled: boolean }} Shown `at`: the move whose position is on screen, 0 for none */

/** @type {Shown} */
const NOTHING = { moves: [], at: 0, styles: [], enabled: true };

/** So many rows are made at once: one alone takes as long as a handful. */
const AT_ONCE = 8;

/** A row of one side without its move, its texts there to be filled. @param {SeatStyle | undefined} style @param {number | null} seat */
function blank(style, seat) {
  const row = document.createElement("li");
  row.className = seat === 1 ? "second" : "first";
  const button = document.createElement("button");
  button.type = "button";
  button.className = "move";
  button.append(text("digits quiet"), sign(style), text("grow"));
  row.append(button);
  return row;
}

export class MoveRows {
  #shown = NOTHING;
  /** Those that are still to be filled, for each side's symbol. @type {Map<string, HTMLElement[]>} */
  #blanks = new Map();
  /** The button of the move whose position is on screen. @type {Element | null} */
  #marked = null;

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
    for (let more = before.moves.length - length; more > 0; more -= 1) this.list.lastElementChild?.remove();
    for (let index = 0; index < length; index += 1) {
      if (restyled || next.moves[index] !== before.moves[index]) this.#fill(index, next, before.moves.length);
    }
    if (before.enabled !== next.enabled) for (const button of this.#buttons()) button.disabled = !next.enabled;
    if (before.at !== next.at || before.moves !== next.moves) this.#mark(next.at, length);
  }

  *#buttons() {
    for (const row of this.list.children) yield/** @type {HTMLButtonElement} */ (row.firstElementChild);
  }

  /** @param {number} index @param {Shown} shown @param {number} there how many rows there are or were */
  #fill(index, { moves, styles, enabled }, there) {
    const listed = /** @type {Listed} */ (moves[index]);
    const { move, seat } = listed;
    const row = this.#blankOf(seat === null ? undefined : styles[seat], seat);
    const button = /** @type {HTMLButtonElement} */ (row.firstChild);
    put(button.firstChild, String(index + 1));
    put(button.lastChild, move);
    if (listed.gains) button.append(gained(listed, styles));
    if (!enabled) button.disabled = true;
    if (index < there) this.list.children[index]?.replaceWith(row);
    else this.list.append(row);
  }

  /** @param {SeatStyle | undefined} style @param {number | null} seat @returns {HTMLElement} */
  #blankOf(style, seat) {
    const key = `${seat} ${style?.symbol ?? ""}`;
    const known = this.#blanks.get(key)?.pop();
    if (known) return known;
    const first = blank(style, seat);
    const others = Array.from({ length: AT_ONCE - 1 }, () => /** @type {HTMLElement} */ (first.cloneNode(true)));
    this.#blanks.set(key, others);
    return first;
  }

  /** Mark the row of this ply. The last one is found without counting the others. @param {number} ply @param {number} length */
  #mark(ply, length) {
    this.#marked?.removeAttribute("aria-current");
    const row = ply === length ? this.list.lastElementChild : this.list.children[ply - 1];
    this.#marked = row?.firstElementChild ?? null;
    this.#marked?.setAttribute("aria-current", "step");
  }
}

/**
 * What a move did, which stands behind it: the other side by its sign, so that it has room in its column. The whole is
 * heard, and its title.
 * @param {Listed} listed @param {Shown["styles"]} styles
 */
function gained({ seat, gains, brief }, styles) {
  const all = document.createElement("span");
  all.className = "quiet small";
  if (brief.every((part) => part.seat === seat)) {
    all.append(gains);
    return all;
  }
  all.title = gains;
  all.setAttribute("role", "img");
  all.setAttribute("aria-label", gains);
  for (const [index, part] of brief.entries()) {
    const one = document.createElement("span");
    one.className = "gain";
    if (part.seat !== seat) one.append(sign(styles[part.seat]));
    one.append(index < brief.length - 1 ? `${part.said},` : part.said);
    all.append(one, " ");
  }
  return all;
}

/** A side's sign. @param {SeatStyle | undefined} style */
function sign(style) {
  const swatch = document.createElement("i");
  swatch.className = "swatch";
  swatch.setAttribute("aria-hidden", "true");
  swatch.textContent = style?.symbol ?? "";
  swatch.style.background = style?.colour ?? "transparent";
  return swatch;
}

/** A place for text. @param {string} name its class */
function text(name) {
  const part = document.createElement("span");
  part.className = name;
  part.append("");
  return part;
}

/** @param {Node | null} part @param {string} said */
function put(part, said) {
  const text = part?.firstChild;
  if (text) text.nodeValue = said;
}

/** @param {SeatStyle | undefined} one @param {SeatStyle | undefined} other */
const looksAlike = (one, other) => one?.symbol === other?.symbol && one?.colour === other?.colour;
