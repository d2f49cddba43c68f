// A board's elements by id, where they lie, and which of them a touch means. Pure, for every kind of board; the same
// answers as client/shown/board/scene.py and client/shown/board/cursor.py give (tests/client/web compares them).

/** @typedef {import("../conversation/messages.d.ts").Board} Board */
/** @typedef {"region" | "cell" | "line" | "dot"} Kind */
/**
 * One element. (x, y) is its middle, the corners are those of its box or the ends of its line, all in lattice units.
 * @typedef {{
 *   id: string, kind: Kind, x: number, y: number, x1: number, y1: number, x2: number, y2: number,
 *   form: "square" | "hex", tone: "plain" | "light" | "dark", label: string, a: string, b: string, region: string,
 * }} Element
 */
/**
 * @typedef {{
 *   byId: Map<string, Element>, regions: Element[], cells: Element[], lines: Element[], dots: Element[],
 *   places: Element[], rows: Element[][], hasLines: boolean,
 * }} Elements
 */

/** How far from a line, in lattice units, a touch still means it: less than half, so that a box's middle means none. */
export const LINE_REACH = 0.35;
export const DOT_REACH = 0.25;
/** A little more than the distance from a hexagon's centre to its corners. */
export const HEX_REACH = 0.6;
/** A finger means the nearest line wherever it is on the board: what is lit is what it plays. */
export const FINGER_REACH = 0.75;
const SAME = 1e-6;
const HEX_HALF = 1 / Math.sqrt(3);

/** @type {WeakMap<Board, Elements>} */
const known = new WeakMap();

/**
 * The elements of a board: worked out once, for a board never changes.
 * @param {Board} board
 * @returns {Elements}
 */
export function elementsOf(board) {
  let found = known.get(board);
  if (!found) {
    found = sorted(board);
    known.set(board, found);
  }
  return found;
}

/**
 * @param {Board} board
 * @returns {Elements}
 */
function sorted(board) {
  const regions = (board.regions ?? []).map(([id, x, y, width, height, , label]) =>
    element("region", id, x, y, x + width, y + height, { label: label ?? "" }),
  );
  const cells = (board.cells ?? []).map(([id, x, y, shape, tone, label]) => {
    const form = shape ?? "square";
    const more = { form, tone: tone ?? /** @type {const} */ ("plain"), label: label ?? "" };
    if (form === "hex") return element("cell", id, x - 0.5, y - HEX_HALF, x + 0.5, y + HEX_HALF, more);
    return element("cell", id, x, y, x + 1, y + 1, more);
  });
  const lines = (board.lines ?? []).map(([id, x1, y1, x2, y2, a, b]) =>
    element("line", id, x1, y1, x2, y2, { a: a ?? "", b: b ?? "" }),
  );
  const dots = (board.dots ?? []).map(([id, x, y]) => element("dot", id, x, y, x, y, {}));
  for (const one of [...cells, ...lines, ...dots]) {
    const around = regions.find((r) => r.x1 <= one.x && one.x <= r.x2 && r.y1 <= one.y && one.y <= r.y2);
    one.region = around ? around.id : "";
  }
  const places = lines.length ? lines : cells;
  const byId = new Map([...regions, ...cells, ...lines, ...dots].map((one) => [one.id, one]));
  return { byId, regions, cells, lines, dots, places, rows: rowsOf(places), hasLines: lines.length > 0 };
}

/**
 * @param {Kind} kind @param {string} id @param {number} x1 @param {number} y1 @param {number} x2 @param {number} y2
 * @param {Partial<Element>} more
 * @returns {Element}
 */
function element(kind, id, x1, y1, x2, y2, more) {
  const middle = { x: (x1 + x2) / 2, y: (y1 + y2) / 2 };
  return {
    id,
    kind,
    ...middle,
    x1,
    y1,
    x2,
    y2,
    form: "square",
    tone: "plain",
    label: "",
    a: "",
    b: "",
    region: "",
    ...more,
  };
}

/**
 * The places in rows from top to bottom, each from left to right: what lies on one height is one row.
 * @param {Element[]} places
 */
function rowsOf(places) {
  /** @type {Map<number, Element[]>} */
  const rows = new Map();
  for (const one of places) {
    const height = Math.round(one.y / SAME) * SAME;
    const row = rows.get(height);
    if (row) row.push(one);
    else rows.set(height, [one]);
  }
  const inOrder = [...rows.entries()].sort(([a], [b]) => a - b).map(([, row]) => row);
  for (const row of inOrder) row.sort((a, b) => a.x - b.x);
  return inOrder;
}

/**
 * The element that a touch at a lattice point means: on boards with lines a dot or a line, else a cell.
 * @param {Board} board @param {number} x @param {number} y @param {number} [dotReach]
 * @returns {string | null}
 */
export function hit(board, x, y, dotReach = DOT_REACH) {
  const { dots, lines, hasLines } = elementsOf(board);
  if (!hasLines) return cellAt(board, x, y);
  const dot = dots.find((one) => Math.hypot(one.x - x, one.y - y) <= dotReach);
  return dot ? dot.id : nearest(lines, LINE_REACH, (line) => distance(line, x, y));
}

/**
 * What a finger at a lattice point means: the nearest line or cell, or a line between the dot where it came down and
 * the one where it is.
 * @param {Board} board @param {number} x @param {number} y @param {string | null} begun the dot under the first touch
 * @returns {string | null}
 */
export function hitByFinger(board, x, y, begun = null) {
  const { dots, lines, hasLines } = elementsOf(board);
  if (!hasLines) return cellAt(board, x, y);
  if (begun !== null) {
    const other = dots.find((one) => one.id !== begun && Math.hypot(one.x - x, one.y - y) <= 0.45);
    const joined =
      other && lines.find((l) => (l.a === begun && l.b === other.id) || (l.b === begun && l.a === other.id));
    if (joined) return joined.id;
  }
  return nearest(lines, FINGER_REACH, (line) => distance(line, x, y));
}

/** @param {Board} board @param {number} x @param {number} y */
function cellAt(board, x, y) {
  const { cells } = elementsOf(board);
  const square = cells.find(
    (one) => one.form === "square" && one.x1 <= x && x < one.x1 + 1 && one.y1 <= y && y < one.y1 + 1,
  );
  if (square) return square.id;
  const hexes = cells.filter((one) => one.form === "hex");
  return nearest(hexes, HEX_REACH, (one) => Math.hypot(one.x - x, one.y - y));
}

/**
 * The dot within reach of a point, if there is one.
 * @param {Board} board @param {number} x @param {number} y @param {number} reach
 */
export function dotAt(board, x, y, reach = DOT_REACH) {
  return elementsOf(board).dots.find((one) => Math.hypot(one.x - x, one.y - y) <= reach)?.id ?? null;
}

/**
 * @param {Element[]} candidates @param {number} reach @param {(one: Element) => number} howFar
 * @returns {string | null}
 */
function nearest(candidates, reach, howFar) {
  let least = Number.POSITIVE_INFINITY;
  let found = null;
  for (const one of candidates) {
    const far = howFar(one);
    if (far < least || (far === least && found !== null && one.id < found)) [least, found] = [far, one.id];
  }
  return least <= reach ? found : null;
}

/** From the point to the nearest point of the line. @param {Element} line @param {number} x @param {number} y */
function distance(line, x, y) {
  const alongX = line.x2 - line.x1;
  const alongY = line.y2 - line.y1;
  const length = alongX ** 2 + alongY ** 2 || 1;
  const part = Math.max(0, Math.min(1, ((x - line.x1) * alongX + (y - line.y1) * alongY) / length));
  return Math.hypot(line.x1 + part * alongX - x, line.y1 + part * alongY - y);
}

/**
 * The element under the cursor, and the column that it tries to keep when going up and down.
 * @typedef {{ id: string, column: number }} Cursor
 */

/**
 * The place nearest to the middle of the board, of those that are legal if any is.
 * @param {Board} board @param {readonly string[]} [legal]
 * @returns {Cursor | null}
 */
export function home(board, legal = []) {
  const { places } = elementsOf(board);
  const moves = new Set(legal);
  const some = places.filter((one) => moves.has(one.id));
  const order = (some.length ? some : places)
    .map((one) => ({ one, far: Math.round(Math.hypot(one.x - board.width / 2, one.y - board.height / 2) * 1e6) }))
    .sort((a, b) => a.far - b.far || a.one.y - b.one.y || a.one.x - b.one.x);
  const [first] = order;
  return first ? { id: first.one.id, column: first.one.x } : null;
}

/**
 * The cursor after one arrow key; `right` or `down` is 1 or -1, as seen on screen.
 * @param {Board} board @param {Cursor} cursor @param {number} right @param {number} down @param {boolean} [turned]
 * @returns {Cursor}
 */
export function step(board, cursor, right, down, turned = false) {
  const { places, rows, byId } = elementsOf(board);
  const at = byId.get(cursor.id);
  if (!at || !places.includes(at)) return home(board) ?? cursor;
  const [dx, dy] = turned ? [-right, -down] : [right, down];
  const rowNumber = rows.findIndex((row) => row.includes(at));
  if (dx) {
    const row = rows[rowNumber] ?? [];
    const next = row[row.indexOf(at) + dx];
    return next ? { id: next.id, column: next.x } : { id: at.id, column: at.x };
  }
  const row = rows[rowNumber + dy];
  if (!row) return cursor;
  const [nearestInRow] = [...row].sort(
    (a, b) => Math.round((Math.abs(a.x - cursor.column) - Math.abs(b.x - cursor.column)) * 1e6) || a.x - b.x,
  );
  return nearestInRow ? { id: nearestInRow.id, column: cursor.column } : cursor;
}
