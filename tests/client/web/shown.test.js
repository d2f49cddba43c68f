// What is shown, as far as the traces do not show it: countdowns, links, rows of the lobby.
import assert from "node:assert/strict";
import { test } from "node:test";
import { clockText, countdownText, isLow, untilNext } from "../../../client/web/shown/clocks.js";
import { linkIn, linkTo, parseLink } from "../../../client/web/shown/links.js";
import { actOn, gamesListed, others, rows, scoreOf, setupText, standing } from "../../../client/web/shown/lobby.js";
import { NOTHING } from "../../../client/web/shown/seen.js";
import { happening } from "../../../client/web/shown/story.js";
import { T } from "../../../client/web/texts/en/later.js";

test("countdowns never show more than is left", () => {
  const texts = {
    0: "0.0",
    99: "0.0",
    9999: "9.9",
    10000: "00:10",
    59999: "00:59",
    3599999: "59:59",
    3600000: "1:00:00",
  };
  for (const [ms, text] of Object.entries(texts)) assert.equal(clockText(Number(ms)), text);
  assert.equal(countdownText(1), "0:01");
  assert.equal(countdownText(-5), "0:00");
  assert.equal(countdownText(61_000), "1:01");
  assert.deepEqual([isLow(19_999), isLow(20_000)], [true, false]);
});

test("a countdown is drawn when its text changes, and not before", () => {
  for (let left = 12_000; left > 0; left -= 37) {
    const wait = untilNext(left);
    assert.notEqual(clockText(Math.max(left - wait, 0)), left - wait < 0 ? "" : clockText(left));
    if (wait > 1) assert.equal(clockText(left - wait + 1), clockText(left));
  }
});

const KEY = { way: "key", value: "ABCD-EFGH-JKLM" };
const ROUGH = [
  "ABCD-EFGH-JKLM",
  " abcd-efgh-jklm ",
  "ABCD-EFGH-JKLM.",
  "ABCD EFGH JKLM",
  "http://hub:7878/#key=ABCD-EFGH-JKLM",
  "hub:7878/#key=ABCD-EFGH-JKLM",
  "<http://hub:7878/#key=ABCD-EFGH-JKLM>",
  "http://hub:7878/#key=ABCD-EFGH-JKLM).",
  "http://hub:7878/#key=ABCD-EFGH-JKLM%20",
  'Come and play: "http://hub:7878/#key=ABCD-EFGH-JKLM", I wait!',
  "http://hub:7878/#key=ABCD-\nEFGH-JKLM",
  "The key is ABCD-EFGH-JKLM, see you",
  "ABCD‑EFGH–JKLM",
];
for (const typed of ROUGH)
  test(`what somebody means: ${JSON.stringify(typed)} (P32)`, () => assert.deepEqual(linkIn(typed), KEY));

test("what is neither a key nor a link", () => {
  for (const typed of ["", "  ", "what is this?", "http://hub:7878/", "x".repeat(5000), "<script>"])
    assert.equal(linkIn(typed), null);
});

test("fragments of a page's own address", () => {
  assert.deepEqual(parseLink("#key=ABCD-EFGH-JKLM"), KEY);
  assert.deepEqual(parseLink("#join=hYk3Qm5vTzA."), { way: "join", value: "hYk3Qm5vTzA" });
  assert.deepEqual(parseLink("#watch=a_b-c"), { way: "watch", value: "a_b-c" });
  assert.deepEqual(parseLink("#key=ABCD-EFGH-JKLM%E2%80%99"), KEY);
  for (const bad of ["", "#", "#key=", "#key=a b", `#key=${"x".repeat(5000)}`, "#other=x", "#join=<b>", "#watch=%ff"])
    assert.equal(parseLink(bad), null);
});

test("the link to give away, relative to where the page is (P38)", () => {
  const match = { match: "m1", key: null, private: false, status: "waiting", watchable: true };
  assert.equal(linkTo("http://hub:7878/#x", match), "http://hub:7878/#join=m1");
  assert.equal(linkTo("https://hub/parlour/", { ...match, status: "playing" }), "https://hub/parlour/#watch=m1");
  assert.equal(linkTo("http://hub/", { ...match, private: true, key: KEY.value }), "http://hub/#key=ABCD-EFGH-JKLM");
  assert.equal(linkTo("http://hub/", { ...match, private: true, status: "playing", watchable: false }), "");
  assert.equal(linkTo("http://hub/", { ...match, match: "" }), "");
});

const STYLE = { name: "Player 1", colour: "#00008b", symbol: "●" };
const row = (match, game, names, extra = {}) => ({
  match,
  game,
  options: {},
  status: "waiting",
  names,
  created_ms: 1,
  clock_rule: { per_move_ms: 0, total_ms: 0, increment_ms: 0 },
  styles: [STYLE, STYLE],
  spectators: 0,
  delay_plies: 0,
  ...extra,
});

test("one's own matches first, then the others, by game when asked for (CK 5.3)", () => {
  const model = {
    ...NOTHING,
    lobby: [
      row("a", "square", ["Ada", null]),
      row("b", "hexoust", ["Ben", "Cleo"], { status: "playing" }),
      row("c", "square", ["Dan", null]),
    ],
    mine: [
      { match: "z", game: "square", names: ["Ada", "Eve"] },
      { match: "a", game: "", names: [] },
    ],
  };
  const ways = (found) => found.map((one) => [one.match, one.way]);
  assert.deepEqual(ways(rows(model)), [
    ["z", "resume"],
    ["a", "resume"],
    ["b", "watch"],
    ["c", "join"],
  ]);
  assert.deepEqual(ways(rows({ ...model, lobbyGame: "square" })).slice(2), [["c", "join"]]);
  assert.deepEqual(gamesListed(model), ["hexoust", "square"]);
});

test("how one's own match stands, and what can be done to it", () => {
  const seats = ["Ada", "Ben"].map((name) => ({ style: STYLE, name, here: true }));
  const own = (extra) => ({
    match: "a",
    game: "square",
    options: {},
    status: "playing",
    private: false,
    created_ms: 0,
    seats,
    you: [0],
    scores: [[3], [2]],
    to_move: 0,
    plies: 9,
    clock_rule: { per_move_ms: 0, total_ms: 0, increment_ms: 0 },
    clock: null,
    clock_from_ms: 0,
    paused: false,
    ended_ms: null,
    result: null,
    ...extra,
  });
  const over = (winner, reason = "points") => ({ status: "ended", to_move: null, result: { winner, reason } });
  const cases = [
    [{}, "yours", null, "abandon"],
    [{ to_move: 1, clock: [9_000, 65_000] }, "theirs", 60_000, "abandon"],
    [{ to_move: 1, seats: [seats[0], { ...seats[1], here: false }] }, "away", null, "abandon"],
    [{ paused: true }, "paused", null, "abandon"],
    [{ you: [0, 1] }, "played", null, "abandon"],
    [{ status: "waiting", to_move: null }, "waiting", null, "cancel"],
    [over(0), "won", null, "forget"],
    [over(1), "lost", null, "forget"],
    [over(null, "agreed"), "draw", null, "forget"],
    [over(null, "stopped"), "nobody", null, "forget"],
  ];
  for (const [extra, stands, leftMs, act] of cases) {
    assert.deepEqual(standing(own(extra), 1_000, 6_000), { stands, leftMs });
    assert.equal(actOn(own(extra)), act);
  }
  assert.equal(scoreOf(own({ you: [1] })), "2 : 3");
  assert.equal(scoreOf(own({ plies: 0 })), "");
  for (const you of [[0], [1], [0, 1]]) {
    const [shown] = rows({ ...NOTHING, own: [own({ you, ...over(0) })] });
    const scores = shown.names.map((name) => ({ Ada: 3, Ben: 2 })[name]);
    assert.equal(scoreOf(shown.own), scores.join(" : "), "names and scores are in one order");
    assert.equal(shown.names[0], you[0] === 1 ? "Ben" : "Ada");
  }
  const told = [own({}), own({ match: "b", ...over(0) })];
  const model = {
    ...NOTHING,
    lobby: [row("c", "square", ["Cy", null])],
    own: told,
    mine: [{ match: "a", game: "", names: [] }],
  };
  assert.deepEqual(
    rows(model).map((one) => one.match),
    ["a", "c", "b"],
  );
});

test("who is here", () => {
  const model = { ...NOTHING, name: "Ada", people: ["Ada", "Cleo", "Ben"], here: 7 };
  assert.deepEqual(others(model), { names: ["Ben", "Cleo"], more: 4 });
  // Who has said no name is one more person, and not "Guest 2".
  const nameless = { ...model, people: ["Ada", "Ben", "Guest", "Guest 2", "Guest of honour"], here: 5 };
  assert.deepEqual(others(nameless), { names: ["Ben", "Guest of honour"], more: 2 });
});

test("options in a few words", () => {
  const number = (name, value) => ({ name, label: `${name} (dots)`, default: value, choices: [], low: 2, high: 15 });
  const game = {
    options: [number("width", 5), number("height", 5)],
    presets: [{ label: "Small", options: { width: 3, height: 3 } }],
  };
  assert.equal(setupText(game, { width: 3, height: 3 }), "Small");
  assert.equal(setupText(game, { width: 7 }), "7 × 5");
  const one = { options: [{ name: "swap", label: "Swap (first move)", default: false, choices: [] }], presets: [] };
  assert.equal(setupText(one, { swap: true }), "Swap: yes");
  assert.equal(setupText(undefined, {}), "");
});

test("who has gone is said to have left, quit or lost the connection as far as that is known", () => {
  const seat = (/** @type {string} */ where, here = false) => ({ style: STYLE, name: "Ben", here, where });
  const match = (/** @type {object} */ ben, status = "ended") => ({
    status,
    you: [0],
    seats: [{ ...seat("board", true), name: "Ada" }, ben],
  });
  const said = (/** @type {string} */ where) => {
    const [before, after] = [match(seat("board", true)), match(seat(where))];
    const told = happening(
      /** @type {any} */ (before),
      /** @type {any} */ (after),
      /** @type {any} */ ({ type: "presence" }),
    );
    return told && T.story.line(told, undefined, () => "");
  };
  const lines = ["Ben has quit.", "Ben lost the connection.", "Ben has left."];
  assert.deepEqual(["quit", "lost", ""].map(said), lines);
});

/** All sentences below a part of the texts that ask for nothing. @param {unknown} part @returns {string[]} */
const sentences = (part) =>
  typeof part === "string" ? [part] : part && typeof part === "object" ? Object.values(part).flatMap(sentences) : [];

test("nothing but the help speaks of one device alone", () => {
  const { help, ...rest } = T;
  const found = [...sentences(rest), T.match.planned("line a1 to b1")];
  assert.ok(found.length > 200);
  for (const text of found) {
    assert.doesNotMatch(text, /\bEsc\b|under the mouse|dropped here/);
    if (/\bclick/i.test(text)) assert.match(text, /\btap/, "a phone has no click");
    if (/Ctrl/.test(text)) assert.match(text, /phone/);
  }
});
