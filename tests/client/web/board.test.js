// The board's pure half against what the Python client answers to the same (boards.py writes the cases).

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { luminance, mixed, safe, writingOn } from "../../../client/web/board/colours.js";
import { coordinatesOf } from "../../../client/web/board/coordinates.js";
import { elementsOf, hit, hitByFinger, home, step } from "../../../client/web/board/elements.js";
import * as gestures from "../../../client/web/board/gestures.js";
import { groupsOf, joined } from "../../../client/web/board/groups.js";
import * as picking from "../../../client/web/board/picking.js";
import { changedMarks, jumped, lattice, placed, wayOf } from "../../../client/web/board/scene.js";
import { T } from "../../../client/web/texts/en/later.js";

const file = process.env.PARLOUR_BOARDS;
assert.ok(file, "PARLOUR_BOARDS names the file that tests/client/web/boards.py writes");
/** @type {any[]} */
const cases = JSON.parse(readFileSync(file, "utf-8"));

test("there are positions of every game", () => {
  assert.equal(new Set(cases.map(({ match }) => match.game)).size >= 5, true);
  assert.ok(cases.length >= 20);
});

test("groups found after each stone are those of the position by itself", () => {
  const plain = (match) => groupsOf(match).map(({ seat, cells, middle }) => [seat, [...cells].sort(), middle]);
  let kept = 0;
  for (const { match } of cases.filter((one) => one.match.board.groups)) {
    const stones = Object.entries(match.marks);
    // All come one by one, and then every third goes again, as what is taken does.
    const positions = stones.map((_, count) => stones.slice(0, count + 1));
    positions.push(...stones.map((_, gone) => stones.filter((_, at) => at % 3 > 0 || at > gone)));
    let before = new Set();
    for (const marks of positions) {
      const grown = { ...match, marks: Object.fromEntries(marks) };
      const alone = { ...grown, board: structuredClone(match.board), marks: { ...grown.marks } };
      assert.deepEqual(plain(grown).sort(), plain(alone).sort());
      kept += groupsOf(grown).filter((group) => before.has(group)).length;
      before = new Set(groupsOf(grown));
    }
  }
  assert.ok(kept > 0, "each group was looked for anew");
});

test("targets and words are those of the Python client", () => {
  for (const { match, targets, words } of cases) {
    assert.deepEqual([...picking.targets(match, [])].sort(), targets);
    assert.deepEqual(picking.words(match), words);
  }
});

test("groups, and what a placement takes, are those of the Python client", () => {
  let taken = 0;
  for (const { match, groups, joined: made } of cases) {
    const found = groupsOf(match).map(({ seat, cells, middle }) => [seat, [...cells].sort(), middle]);
    assert.deepEqual(found.sort(), groups.sort());
    for (const move of match.legal) {
      const one = match.to_move === null ? null : joined(match, move, match.to_move);
      assert.deepEqual(one && [one.size, [...one.taken].sort()], made[move] ?? null);
      taken += one ? one.taken.size : 0;
    }
  }
  assert.ok(taken > 0, "nothing was taken");
});

test("coordinates are those of the Python client", () => {
  const named = new Set();
  for (const { match, coordinates } of cases) {
    const told = (/** @type {any[]} */ [text, x, y, dx, dy]) =>
      `${text} at ${x.toFixed(4)} ${y.toFixed(4)}, ${dx} ${dy}`;
    const found = coordinatesOf(match.board).map(({ text, x, y, dx, dy }) => told([text, x, y, dx, dy]));
    assert.deepEqual(found.sort(), coordinates.map(told).sort());
    if (found.length) named.add(match.game);
  }
  assert.deepEqual([...named].sort(), ["dots-and-boxes", "hexoust", "square", "ultimate-dots-and-boxes"]);
});

test("each touch leads to what it leads to in the Python client", () => {
  let compared = 0;
  const told = new Set();
  for (const { match, touches } of cases) {
    for (const { picked, element, after, move, targets, confirmed, why } of touches) {
      const done = picking.touch(match, picked, element);
      assert.deepEqual([[...done.picked], done.move], [after, move]);
      assert.equal(done.why ? T.board.inVain[done.why] : "", why);
      told.add(why);
      assert.deepEqual([...picking.targets(match, after)].sort(), targets);
      assert.equal(picking.confirm(match, after).move, confirmed);
      compared += 1;
    }
  }
  assert.ok(compared > 1000, `${compared} touches`);
  assert.equal(told.size, 3, "both reasons, and none");
});

test("a point means the element that it means in the Python client", () => {
  let met = 0;
  for (const { match, hits } of cases) {
    for (const { x, y, id } of hits) {
      assert.equal(hit(match.board, x, y), id, `${match.game} (${x}, ${y})`);
      met += id === null ? 0 : 1;
    }
  }
  assert.ok(met > 300, `${met} points on an element`);
});

test("arrow keys go where they go in the Python client", () => {
  for (const { match, steps } of cases) {
    const [first, ...others] = steps;
    assert.deepEqual(home(match.board, match.legal), { id: first.home, column: first.column });
    for (const one of others) {
      const [id, column] = one.from;
      const after = step(match.board, { id, column }, one.right, one.down, one.turned);
      assert.deepEqual([after.id, after.column], one.to, `${match.game} ${JSON.stringify(one)}`);
    }
  }
});

test("every element of a board can be reached by keys", () => {
  for (const { match } of cases) {
    const { places, rows } = elementsOf(match.board);
    assert.equal(rows.flat().length, places.length);
  }
});

test("a finger means the element that it is in the middle of", () => {
  for (const { match } of cases) {
    for (const { id, x, y } of elementsOf(match.board).places) assert.equal(hitByFinger(match.board, x, y), id);
  }
});

test("far from everything a finger means nothing", () => {
  for (const { match } of cases) assert.equal(hitByFinger(match.board, -2, -2), null);
});

test("what is lit when a finger is lifted is what is touched", () => {
  let played = 0;
  for (const { match } of cases) {
    if (!match.legal.length || !gestures.slides(match)) continue;
    const { places, byId } = elementsOf(match.board);
    const [from, to] = [places[0], byId.get(picking.markedBy(match.board, match.legal.at(-1))[0])];
    if (!to) continue;
    let hand = gestures.pressFinger(gestures.EMPTY, match, from.x, from.y, 0);
    assert.equal(hand.hovered, from.id);
    hand = gestures.slide(hand, match, to.x, to.y, 0);
    assert.equal(hand.hovered, to.id);
    assert.equal(gestures.lift(hand, match, to.x, to.y, 0).move, match.legal.at(-1));
    assert.equal(gestures.lift(hand, match, -3, -3, 0).move, null);
    played += 1;
  }
  assert.ok(played > 10, `${played} lifts`);
});

test("a piece is dragged to where it can go, and comes home from where it started", () => {
  const { match } = cases.find(({ match }) => match.game === "checkers" && match.legal.length);
  const move = match.legal[0];
  const [from, to] = picking.touched(move).map((id) => elementsOf(match.board).byId.get(id));
  const held = gestures.press(gestures.EMPTY, match, from.x, from.y);
  const moved = gestures.move(held, match, to.x, to.y);
  assert.equal(gestures.release(moved, match, to.x, to.y).move, move);
  const back = gestures.move(moved, match, from.x, from.y);
  assert.deepEqual(gestures.release(back, match, from.x, from.y).move, null);
});

test("a drag from dot to dot is the line between them, by mouse and by finger", () => {
  const { match } = cases.find(({ match }) => match.game === "dots-and-boxes" && match.plies === 0);
  const [a, b] = match.board.dots;
  const held = gestures.press(gestures.EMPTY, match, a[1], a[2]);
  assert.equal(gestures.release(held, match, b[1], b[2]).move, `${a[0]}-${b[0]}`);
  const down = gestures.pressFinger(gestures.EMPTY, match, a[1], a[2], 0);
  assert.equal(gestures.lift(down, match, b[1], b[2], 0).move, `${a[0]}-${b[0]}`);
});

test("what is placed on the picture is found again, turned or not", () => {
  for (const { match } of cases) {
    for (const turned of [false, true]) {
      const [x, y] = lattice(match.board, turned, ...placed(match.board, turned, 1.25, 0.5));
      assert.ok(Math.abs(x - 1.25) < 1e-9 && Math.abs(y - 0.5) < 1e-9);
    }
  }
});

test("only what differs between two positions is changed", () => {
  const before = { a: [0, "line"], b: [1, "line"], c: [0, "box"] };
  const after = { a: [0, "line"], b: [0, "line"], d: [1, "box"] };
  assert.deepEqual(changedMarks(/** @type {any} */ (before), /** @type {any} */ (after)).sort(), ["b", "c", "d"]);
});

test("a piece's way and what it jumped over are read from the move", () => {
  const board = cases.find(({ match }) => match.game === "checkers").match.board;
  assert.deepEqual(jumped(board, "22x15"), ["18"]);
  assert.deepEqual(jumped(board, "11-15"), []);
  const base = { match: "m", board, plies: 4, marks: { 22: [1, "man"], 18: [0, "man"] }, last: null };
  const after = { ...base, plies: 5, marks: { 15: [1, "man"] }, last: { seat: 1, move: "22x15", automatic: false } };
  assert.deepEqual(wayOf(/** @type {any} */ (base), /** @type {any} */ (after)), ["22", "15"]);
});

test("a colour that is none is grey, and writing is read on every colour", () => {
  assert.equal(safe("red;} body"), "#777777");
  for (const colour of ["#00008b", "#4aa3df", "#111111", "#fafafa", "#d62828", "#777777"]) {
    const [one, other] = [luminance(colour), luminance(writingOn(colour))].sort((a, b) => a - b);
    assert.ok((other + 0.05) / (one + 0.05) >= 4.5, colour);
  }
  assert.equal(mixed("#000000", "#ffffff", 0.5), "#808080");
});
