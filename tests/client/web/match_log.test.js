// T5: the log of a student's game in the page: whole moves, from the first on, however one came by them.
import assert from "node:assert/strict";
import { test } from "node:test";
import { found, MatchLog, read } from "../../../client/web/shown/match_log.js";
import { isLog } from "../../../client/web/shown/position.js";

const SEATS = '["seats", "", [["Ana", ""], ["Bea", ""]]]';
/** @param {number} number @param {object} [more] */
const entry = (number, more = {}) =>
  JSON.stringify(["move", (number - 1) % 2, { row: number, ...more, match_status: "next" }]);
/** @param {number} moves */
const log = (moves) => [SEATS, ...Array.from({ length: moves }, (_, index) => entry(index + 1))];

test("T5: moves are fields and values, whole, the status first", () => {
  const text = "x".repeat(30_000);
  const [one] = read([SEATS, entry(2, { board: [[0, null]], text })]);
  assert.deepEqual(one, {
    order: 1,
    by: "Bea",
    kind: "move",
    fields: [
      ["match_status", '"next"'],
      ["row", "2"],
      ["board", "[[0,null]]"],
      ["text", `"${text}"`],
    ],
  });
});

test("T5: what is no move is shown as it is", () => {
  const odd = ['["left", 1]', '["left", -1]', '["move", 7, {}]', "[", '["move", "0", {}]', "null", '["move", 0, null]'];
  assert.deepEqual(
    read([SEATS, ...odd]).map(({ kind, by, fields }) => [kind, by, fields.length]),
    [
      ["left", "Bea", 0],
      ["closed", "", 0],
      ["move", "", 0],
      ["odd", "?", 1],
      ["odd", "?", 1],
      ["odd", "?", 1],
      ["odd", "Ana", 1],
    ],
  );
});

test("T5: found are names, fields and values in any case", () => {
  const all = read([...log(3), entry(4, { piece: "Torre" })]);
  const orders = (/** @type {string} */ words) => found(all, words).map((one) => one.order);
  assert.deepEqual([orders(" torre "), orders("ANA"), orders("row: 2"), orders("")], [[4], [1, 3], [2], [1, 2, 3, 4]]);
});

/** A page that watches, as far as the log needs one: what it asks for is in `asked`. */
class Watching {
  /** @type {number[]} */ asked = [];
  model = { peek: () => ({ match: null }) };
  /** @type {(event: any) => void} */ tell = () => undefined;
  listen(/** @type {(event: any) => void} */ call) {
    this.tell = call;
    return () => true;
  }
  askForRecord(after = 0) {
    this.asked.push(after);
    return `r${this.asked.length}`;
  }
}

const settled = () => new Promise((done) => queueMicrotask(() => done(undefined)));
/** @param {number} moves */
const snapshot = (moves) => ({ type: "snapshot", match: "m", plies: moves + 1, last: { entry: log(moves).at(-1) } });

test("T5: who comes later has the log from the first move on, in several answers and with moves between them", async () => {
  const doing = new Watching();
  const known = new MatchLog(/** @type {any} */ (doing));
  doing.tell(snapshot(5));
  let all = log(5);
  for (let answers = 0; known.entries.value.length < all.length; answers += 1) {
    await settled();
    if (answers === 1) {
      all = log(6);
      doing.tell({ type: "moved", match: "m", entry: all.at(-1) });
    }
    const after = doing.asked.at(-1) ?? 0;
    const answer = { type: "record", after, moves: all.slice(after, after + 2) };
    doing.tell({ type: "settled", command: { ref: `r${doing.asked.length}` }, answer });
  }
  assert.deepEqual(known.entries.value, log(6));
  doing.tell({ type: "moved", match: "m", entry: entry(7) });
  assert.deepEqual(known.entries.value, log(7));
  doing.tell(snapshot(9));
  await settled();
  assert.equal(doing.asked.at(-1), 8);
  assert.ok(isLog(/** @type {any} */ (snapshot(1))));
});
