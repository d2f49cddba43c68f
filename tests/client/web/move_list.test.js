// The page's list of moves: the same for who saw them all and for who came later or missed some.
import assert from "node:assert/strict";
import { test } from "node:test";
import { MoveList } from "../../../client/web/shown/move_list.js";

const SEATS = [
  { style: { name: "Red" }, name: "Ana" },
  { style: { name: "Blue" }, name: "Bea" },
];
/** @param {object} changes @returns {any} */
const snapshot = (changes) => ({
  type: "snapshot",
  match: "m",
  game: "square",
  version: 7,
  plies: 3,
  seats: SEATS,
  you: [0],
  pause: null,
  last: null,
  ...changes,
}); // prettier-ignore

/** @param {object} [changes] */
const record = (changes) => ({
  type: "record",
  match: "m",
  moves: ["a", "b", "c"],
  after: 0,
  less: [],
  movers: [0, 1, 1],
  scores: [
    [[0], [0]],
    [[0], [0]],
    [[0], [2]],
    [[0], [2]],
  ],
  ...changes,
});

/** A page with this match on screen, as far as the list needs one. */
class Page {
  asked = 0;
  /** @type {any} */ now;
  model = { peek: () => this.now };
  /** @type {(event: any, model: any) => void} */ hear = () => undefined;
  /** @param {any} match */
  constructor(match) {
    this.now = { match, games: { square: { score_names: ["boxes"], score_names_one: ["box"] } }, happenings: [] };
    this.list = new MoveList(/** @type {any} */ (this));
  }
  listen(/** @type {(event: any, model: any) => void} */ call) {
    this.hear = call;
  }
  askForRecord() {
    this.asked += 1;
    return `r${this.asked}`;
  }
  async tell(/** @type {any} */ event) {
    this.hear(event, this.now);
    await Promise.resolve();
  }
  async answer(/** @type {object} */ told = record()) {
    await Promise.resolve();
    await this.tell({ type: "settled", command: { ref: `r${this.asked}` }, answer: told });
  }
  get shown() {
    return this.list.list.value.map(({ move, seat, gains }) => `${move} ${seat} ${gains}`);
  }
}

const WHOLE = ["a 0 ", "b 1 +2", "c 1 "];

test("who comes later reads what each move brought", async () => {
  const page = new Page(snapshot({}));
  await page.answer();
  assert.deepEqual(page.shown, WHOLE);
  await page.tell({ type: "moved", match: "m", version: 8, at_ms: 1, seat: 0, move: "d" });
  await page.tell(snapshot({ version: 8, plies: 4 }));
  assert.equal(page.asked, 1, "nothing was missed");
});

test("what the other side lost is told with its name, and in parts for its sign", async () => {
  const page = new Page(snapshot({}));
  const [none, lost] = [
    [[3], [3]],
    [[3], [2]],
  ]; // prettier-ignore
  await page.answer(record({ scores: [none, lost, lost, lost], less: [1] }));
  const first = page.list.list.value[0];
  assert.equal(first?.gains, "Bea −1, in haste");
  assert.deepEqual(first?.brief, [
    { seat: 1, said: "−1" },
    { seat: 0, said: "in haste" },
  ]);
});

test("a server that does not say it leaves it out", async () => {
  const page = new Page(snapshot({}));
  await page.answer(record({ scores: [] }));
  assert.deepEqual(page.shown, ["a 0 ", "b 1 ", "c 1 "]);
});

test("who came in a pause reads the moves when it is over", async () => {
  const page = new Page(snapshot({ pause: { seat: 0, until_ms: 1 } }));
  await Promise.resolve();
  assert.equal(page.asked, 0, "in a pause nobody is told");
  await page.tell({ type: "continued", match: "m", version: 8, at_ms: 1, seat: 0 });
  await page.tell(snapshot({ version: 8 }));
  await page.answer();
  assert.deepEqual(page.shown, WHOLE);
});

test("who comes later reads that a move was made in haste", async () => {
  const page = new Page(snapshot({}));
  await page.tell(snapshot({}));
  await page.answer(record({ less: [2, 3] }));
  assert.deepEqual(page.shown, ["a 0 ", "b 1 +2, in haste", "c 1 in haste"]);
});

test("a move in haste says so", async () => {
  const page = new Page(snapshot({ plies: 0 }));
  for (const [move, gains, less] of /** @type {const} */ ([
    ["a", [], true],
    ["b", [{ seat: 0, place: 0, by: 1 }], true],
    ["c", [], false],
  ])) {
    page.now.happenings = [{ kind: "moved", seat: 0, values: { move, gains, less } }];
    await page.tell({ type: "moved", match: "m", version: 8, at_ms: 1, seat: 0, move });
  }
  assert.deepEqual(page.shown, ["a 0 in haste", "b 0 +1, in haste", "c 0 "]);
});

for (const [what, before, version] of /** @type {const} */ ([
  ["after a gap", [], 9],
  ["after a revert", [{ type: "replaced", match: "m", version: 8, at_ms: 1, seat: 0, by: "revert" }], 8],
  ["after the log was set back", [{ type: "set_back", match: "m", version: 7, text: "" }], 7],
])) {
  test(`moves that others stand in the place of are not listed ${what}`, async () => {
    const page = new Page(snapshot({}));
    await page.answer();
    for (const event of before) await page.tell(event);
    await page.tell(snapshot({ version }));
    await page.answer(record({ moves: ["a", "x", "c"] }));
    assert.deepEqual(page.shown, ["a 0 ", "x 1 +2", "c 1 "]);
  });
}
