// Frames that can be read, and those that cannot: the same ones as for msgspec in the Python clients.
import assert from "node:assert/strict";
import { test } from "node:test";
import { decode, MAX_BAD_FRAMES, Wire } from "../../../client/web/conversation/wire.js";

const MOVED = { type: "moved", match: "m", version: 3, at_ms: 5, seat: 1, move: "a1-b1", marks: {}, to_move: null };

test("what a frame leaves out is filled in", () => {
  assert.deepEqual(decode(JSON.stringify({ type: "accepted", ref: "r" })), {
    type: "accepted",
    ref: "r",
    match: "",
    version: 0,
    key: null,
  });
  const moved = decode(JSON.stringify(MOVED));
  assert.equal(moved.type, "moved");
  assert.deepEqual([moved.text, moved.clock, moved.can, moved.legal, moved.automatic], ["", null, null, null, false]);
});

test("fields that are unknown are left out, so that a server may be newer", () => {
  assert.equal("later" in decode(JSON.stringify({ ...MOVED, later: 1 })), false);
});

test("a list of fields may be longer or shorter at its end", () => {
  const legal = (value) => decode(JSON.stringify({ ...MOVED, legal: value })).legal;
  assert.deepEqual(legal([["a1-b1"]]), [["a1-b1"], [], "last"]);
  assert.deepEqual(legal([[], ["a"], "turn", "later"]), [[], ["a"], "turn"]);
});

const BAD = {
  "no JSON": "{",
  "no map": "[]",
  null: "null",
  "without a type": "{}",
  "a type that is no text": '{"type":1}',
  "a type from the prototype": '{"type":"constructor"}',
  "without a field": JSON.stringify({ ...MOVED, version: undefined }),
  "a text for a number": JSON.stringify({ ...MOVED, version: "3" }),
  "a broken number": JSON.stringify({ ...MOVED, version: 3.5 }),
  "null where there must be something": JSON.stringify({ ...MOVED, seat: null }),
  "a list for a map": JSON.stringify({ ...MOVED, marks: [] }),
  "no such piece": JSON.stringify({ ...MOVED, marks: { a: [0, "queen"] } }),
  "a tuple too short": JSON.stringify({ ...MOVED, clock: [1] }),
  "a tuple too long": JSON.stringify({ ...MOVED, clock: [1, 2, 3] }),
  "too large": JSON.stringify({ ...MOVED, text: "x".repeat(300_000) }),
};

for (const [name, frame] of Object.entries(BAD)) {
  test(`cannot be read: ${name}`, () => {
    assert.equal(new Wire().read(frame), null);
  });
}

test("bytes are not what this subprotocol has", () => {
  assert.equal(new Wire().read(new ArrayBuffer(3)), null);
});

test("too many unreadable frames speak against the connection, unknown messages do not", () => {
  const wire = new Wire();
  for (let i = 0; i < MAX_BAD_FRAMES; i += 1) wire.read('{"type":"of_a_newer_server"}');
  assert.equal(wire.isBad, false);
  for (let i = 0; i < MAX_BAD_FRAMES; i += 1) wire.read("{");
  assert.equal(wire.isBad, true);
  wire.renew();
  assert.equal(wire.isBad, false);
});

test("marks are looked up among what was sent, and nowhere else", () => {
  const { marks } = decode(JSON.stringify({ ...MOVED, marks: { a: [0, "line"] } }));
  assert.deepEqual(Object.keys(marks), ["a"]);
  assert.equal(marks.constructor, undefined);
});
