// What the browser keeps: saved games in the format of the other clients, who one is, settings; and where it may keep nothing.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { luminance } from "../../../client/web/board/colours.js";
import { keepGames, readGames } from "../../../client/web/kept/games.js";
import { keepIdentity, readIdentity, refPrefix } from "../../../client/web/kept/identity.js";
import {
  checkedName,
  fromRecord,
  fromText,
  listSaved,
  removeSaved,
  SaveError,
  save,
  toText,
} from "../../../client/web/kept/saves.js";
import { DEFAULTS, keepSettings, readSettings } from "../../../client/web/kept/settings.js";
import { Storage } from "../../../client/web/kept/storage.js";

/** A browser's store that takes so many characters at once. */
class Store {
  constructor(room = 1_000_000) {
    Object.defineProperty(this, "room", { value: room, writable: true, enumerable: false });
  }
  getItem(key) {
    return Object.hasOwn(this, key) ? this[key] : null;
  }
  setItem(key, value) {
    if (value.length > this.room) throw new DOMException("full", "QuotaExceededError");
    this[key] = value;
  }
  removeItem(key) {
    delete this[key];
  }
}
const forbidden = () => {
  throw new DOMException("no", "SecurityError");
};
const PAGE = "http://127.0.0.1:7878/parlour/";
const RECORD = {
  type: "record",
  ref: "r",
  match: "m",
  game: "dots-and-boxes",
  options: { width: 3, height: 3 },
  names: ["Ada", "Ben"],
  moves: ["a1-b1", "b1-c1"],
  hash: "0".repeat(64),
  created_ms: 5,
  result: null,
};
const SAVED = fromRecord(RECORD);
const code = (call) => {
  try {
    call();
  } catch (error) {
    if (error instanceof SaveError) return error.code;
    throw error;
  }
  return "";
};

test("a game that was saved is found again, newest first", () => {
  const storage = new Storage(PAGE, () => new Store());
  save(storage, SAVED, "one", { now: 1 });
  save(storage, { ...SAVED, created_ms: 6 }, "two", { now: 2 });
  assert.deepEqual(
    listSaved(storage).map((one) => [one.name, one.savedAt, one.game.moves.length]),
    [
      ["two", 2, 2],
      ["one", 1, 2],
    ],
  );
  removeSaved(storage, "two");
  assert.deepEqual(
    listSaved(storage).map((one) => one.name),
    ["one"],
  );
});

test("an older state of the match is replaced, another game is not", () => {
  const storage = new Storage(PAGE, () => new Store());
  save(storage, SAVED, "mine", { now: 1 });
  save(storage, { ...SAVED, moves: [...SAVED.moves, "c1-c2"] }, "mine", { now: 2 });
  const other = { ...SAVED, created_ms: 9, moves: ["a2-b2"] };
  assert.equal(
    code(() => save(storage, other, "mine", { now: 3 })),
    "save_name_taken",
  );
  save(storage, other, "mine", { now: 4, replace: true });
  assert.deepEqual(listSaved(storage)[0].game.moves, ["a2-b2"]);
});

test("a file is read by what is in it", () => {
  assert.deepEqual(fromText(toText(SAVED)), SAVED);
  assert.deepEqual(fromText(JSON.stringify({ ...SAVED, later: 1 })), SAVED);
});

const DAMAGED = {
  "no JSON": "{",
  null: "null",
  "another format": JSON.stringify({ ...SAVED, format: "x" }),
  "no move": JSON.stringify({ ...SAVED, moves: [""] }),
  "a move with a space": JSON.stringify({ ...SAVED, moves: ["a b"] }),
  "too many moves": JSON.stringify({ ...SAVED, moves: Array(2001).fill("a") }),
  "moves that are none": JSON.stringify({ ...SAVED, moves: "a1-b1" }),
  "one name": JSON.stringify({ ...SAVED, names: ["Ada"] }),
  "another hash": JSON.stringify({ ...SAVED, hash: "abc" }),
  "an option that is a list": JSON.stringify({ ...SAVED, options: { width: [3] } }),
  "a broken number": JSON.stringify({ ...SAVED, options: { width: 3.5 } }),
  "a time before all times": JSON.stringify({ ...SAVED, created_ms: -1 }),
  "a long result": JSON.stringify({ ...SAVED, result: "x".repeat(401) }),
};
for (const [name, text] of Object.entries(DAMAGED)) {
  test(`no saved game: ${name} (M2)`, () => {
    assert.equal(
      code(() => fromText(text)),
      "save_damaged",
    );
  });
}

test("newer, too large, too long", () => {
  assert.equal(
    code(() => fromText(JSON.stringify({ ...SAVED, version: 2 }))),
    "save_newer",
  );
  assert.equal(
    code(() => fromText(" ".repeat(70_000))),
    "save_too_large",
  );
  assert.equal(
    code(() => fromText(JSON.stringify({ ...SAVED, moves: Array(1900).fill("abcdefgh") }))),
    "save_too_long",
  );
});

for (const name of [
  "",
  "  ",
  "a/b",
  "..",
  ".hidden",
  "dot.",
  "con",
  "COM1.txt",
  "x".repeat(61),
  "a\\b",
  "a\u{ff0f}b",
  "a\nb",
  "a:b",
]) {
  test(`no name for a saved game: ${JSON.stringify(name)} (M1)`, () => {
    assert.match(
      code(() => checkedName(name)),
      /^save_/,
    );
  });
}

test("names of saved games in any script", () => {
  for (const name of ["Ada gegen Ben (2)", "Žofie's", "対局 1", "नमस्ते"]) assert.equal(checkedName(` ${name} `), name);
});

test("where nothing may be stored, the page goes on and says so (P68)", () => {
  const storage = new Storage(PAGE, forbidden);
  assert.equal(storage.isKept, false);
  assert.equal(keepIdentity(storage, { name: "Ada", token: "t" }), false);
  assert.deepEqual(readIdentity(storage), { name: "Ada", token: "t" });
  assert.equal(
    code(() => save(storage, SAVED, "one", { now: 1 })),
    "save_not_kept",
  );
  assert.equal(keepSettings(storage, { ...DEFAULTS, theme: "dark" }), false);
  assert.equal(readSettings(storage).theme, "dark");
});

test("a store that is full keeps what it has, and says what it does not keep (P68)", () => {
  const full = new Store(120);
  const storage = new Storage(PAGE, () => full);
  assert.equal(keepIdentity(storage, { name: "Ada", token: "t" }), true);
  assert.equal(
    code(() => save(storage, SAVED, "one", { now: 1 })),
    "save_not_kept",
  );
  assert.deepEqual(readIdentity(new Storage(PAGE, () => full)), { name: "Ada", token: "t" });
});

test("two hubs below one host do not share what they keep", () => {
  const shared = new Store();
  const one = new Storage(PAGE, () => shared);
  const other = new Storage("http://127.0.0.1:7878/", () => shared);
  one.put("identity", "1");
  assert.equal(other.get("identity"), null);
  assert.deepEqual(other.names(""), []);
});

test("what somebody else wrote into the store does no harm", () => {
  for (const text of ["", "{", "[]", "null", '{"name":1,"token":{}}', '{"theme":"pink","volume":9}']) {
    const storage = new Storage(PAGE, () => new Store());
    storage.put("identity", text);
    storage.put("settings", text);
    assert.deepEqual(readIdentity(storage), { name: "", token: null });
    const settings = readSettings(storage);
    assert.equal(settings.theme, "system");
    assert.ok(settings.volume <= 1);
  }
});

const game = (name) => ({ name, title: "Square", summary: "", help: "", options: [], presets: [] });

test("the games of an earlier visit are known to the next one, until the hub has others", () => {
  const store = new Store();
  const storage = new Storage(PAGE, () => store);
  assert.deepEqual(readGames(storage), { catalogue: "", games: [] });
  keepGames(storage, { catalogue: "a", games: [game("square")] });
  const next = readGames(new Storage(PAGE, () => store));
  assert.deepEqual([next.catalogue, next.games.map(({ name, title }) => [name, title])], ["a", [["square", "Square"]]]);
  keepGames(storage, { catalogue: "b", games: [] });
  assert.deepEqual(readGames(storage), { catalogue: "b", games: [] });
  keepGames(storage, { catalogue: "", games: [game("square")] });
  assert.deepEqual(readGames(storage), { catalogue: "", games: [] });
});

test("games that somebody else wrote into the store, or that cannot be, are none", () => {
  const kept = (welcome) =>
    JSON.stringify({ type: "welcome", ref: "", player: "", name: "", catalogue: "a", ...welcome });
  const twice = kept({ games: [game("square"), game("square")] });
  const long = kept({ catalogue: "a".repeat(41), games: [] });
  const foreign = JSON.stringify({ type: "pong", ref: "r", now_ms: 1, catalogue: "a" });
  for (const text of ["", "{", "[]", "null", foreign, kept({ games: 1 }), twice, long]) {
    const storage = new Storage(PAGE, () => new Store());
    storage.put("games", text);
    assert.deepEqual(readGames(storage), { catalogue: "", games: [] });
  }
});

test("refs of two tabs begin differently", () => {
  assert.equal(new Set(Array.from({ length: 200 }, refPrefix)).size, 200);
  assert.match(refPrefix(), /^[0-9a-f]{12}$/);
});

test("the sets of board colours: what is drawn on them is seen, in light and dark", async () => {
  const css = await readFile(new URL("../../../client/web/styles/theme.css", import.meta.url), "utf8");
  /** The colours of a rule. @param {string} selector @returns {Record<string, string>} */
  const rule = (selector) => {
    const start = css.indexOf(`${selector} {`);
    assert.ok(start >= 0, selector);
    const body = css.slice(start, css.indexOf("}", start));
    return Object.fromEntries(
      [...body.matchAll(/--([a-z-]+): (#[0-9a-f]{6});/g)].map(([, name, value]) => [name, value]),
    );
  };
  /** @param {string | undefined} one @param {string | undefined} other */
  const contrast = (one, other) => {
    const [low = 0, high = 0] = [luminance(one ?? ""), luminance(other ?? "")].sort((a, b) => a - b);
    return (high + 0.05) / (low + 0.05);
  };
  for (const board of ["wood", "meadow", "sky"]) {
    const light = { ...rule(":root"), ...rule(`:root[data-board="${board}"]`) };
    const dark = {
      ...light,
      ...rule(':root[data-theme="dark"]'),
      ...rule(`:root[data-theme="dark"][data-board="${board}"]`),
    };
    for (const worn of [light, dark]) {
      for (const ground of [worn.board, worn.veil, worn["board-light"]]) {
        assert.ok(contrast(worn.dot, ground) >= 4.5, `${board} dot on ${ground}`);
        assert.ok(contrast(worn.tick, ground) >= 3, `${board} tick on ${ground}`);
        assert.ok(contrast(worn.cross, ground) >= 3, `${board} cross on ${ground}`);
      }
      assert.ok(contrast(worn.free, worn.board) >= 3, `${board} free`);
    }
  }
  const storage = new Storage(PAGE, () => new Store());
  keepSettings(storage, { ...DEFAULTS, board: "wood" });
  assert.equal(readSettings(storage).board, "wood");
  storage.put("settings", '{"board":"gold"}');
  assert.equal(readSettings(storage).board, "paper");
});
