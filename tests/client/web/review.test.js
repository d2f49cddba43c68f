// A review that ends early says why, in the server's words; of one's own breaking off there is nothing to say.
import assert from "node:assert/strict";
import { test } from "node:test";
import { costliest } from "../../../client/web/shown/mistakes.js";
import { update } from "../../../client/web/shown/model.js";
import { NOTHING } from "../../../client/web/shown/seen.js";
import { T } from "../../../client/web/texts/en/later.js";

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

test("right is only what would have changed the result", () => {
  const judged = (lead, ply) => ({
    ...{ ply, lead, exact: true, to_move: ply % 2, move: "best", text: "takes 1 box" },
    ...{ played: "played", played_text: "gives a box away" },
  });
  for (const [leads, verdict] of [
    [[600, 500], "Wins by more"],
    [[600, 0], "Right"],
    [[0, -500], "Right"],
    [[-600, -750], "Loses by less"],
    [[0, 500, 600], "Loses by less"],
    [[0, -600, -500], "Wins by more"],
  ]) {
    const one = costliest({ judged: leads.map(judged) }).find(({ ply }) => ply === leads.length - 1);
    assert.match(T.review.costly(one, "Ana"), new RegExp(`\\. ${verdict}: best takes 1 box\\.$`));
  }
});
