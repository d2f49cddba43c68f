// How long a question waits, as in tests/client/conversation/test_session.py.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Pending } from "../../../client/web/conversation/pending.js";

const REFUSED = { type: "refused", ref: "q", code: "one_analysis", text: "One at a time.", match: "m", version: 0 };

test("a review waits as long as its own hint takes, and else for the usual number of tries", () => {
  const pending = new Pending();
  for (const [type, ref] of [
    ["hint", "h"],
    ["analyse", "q"],
  ]) {
    pending.add({ type, ref }, true);
  }
  for (let times = 0; times < 24; times += 1) assert.equal(pending.settle(REFUSED, 1_000 * times), null);
  const found = { type: "analysis", ref: "h" };
  assert.deepEqual(pending.settle(found, 25_000), { command: { type: "hint", ref: "h" }, answer: found });
  for (let times = 0; times < 8; times += 1) assert.equal(pending.settle(REFUSED, 26_000 + 1_000 * times), null);
  assert.equal(pending.settle(REFUSED, 40_000)?.command.ref, "q");
});
