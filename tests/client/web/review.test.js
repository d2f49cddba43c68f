// A review that ends early says why, in the server's words; of one's own breaking off there is nothing to say.
import assert from "node:assert/strict";
import { test } from "node:test";
import { update } from "../../../client/web/shown/model.js";
import { NOTHING } from "../../../client/web/shown/seen.js";

test("a review that the server breaks off says why", () => {
  const begun = update(
    { ...NOTHING, match: { match: "m1", plies: 3, you: [0], status: "ended" } },
    { type: "reviewed" },
  );
  const command = { type: "analyse", ref: "r", match: "m1", ply: 0, game: "", options: {}, moves: [] };
  const answer = { type: "refused", ref: "r", code: "busy", text: "Many wait.", data: {}, match: "", version: 0 };
  assert.deepEqual(update(begun, { type: "settled", command, answer }).review, {
    plies: 3,
    judged: [],
    goesOn: false,
    refusal: answer,
  });
  assert.equal(update(begun, { type: "reviewed" }).review.refusal, null);
});
