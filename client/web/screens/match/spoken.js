/**
 * What happens, for who does not see it: moves, turns and offers in a polite live region.
 * @import { App } from "../app.js"
 * @import { Model } from "../../shown/seen.js"
 * @import { Happening } from "../../shown/story.js"
 */
import { seatName } from "../../shown/position.js";
import { isMyTurn, pendingMoves } from "../../shown/seen.js";
import { T } from "../../texts/en/later.js";
import { html } from "../../vendor/preact.js";
import { say, useDrawn } from "./drawn.js";

/** Lines that are said together at most. */
const LINES = 2;

/** The newest of what happened, and not of what was said. @param {readonly Happening[]} happenings */
function newest(happenings) {
  /** @type {Happening[]} */
  const found = [];
  for (let at = happenings.length - 1; at >= 0 && found.length < LINES; at -= 1) {
    const one = happenings[at];
    if (one && one.kind !== "said") found.unshift(one);
  }
  return found;
}

/** @param {{ app: App }} props */
export function Spoken({ app }) {
  const line = useDrawn(app, (node) => (model) => say(node, spoken(model)));
  return html`<p ref=${line} class="hidden-text" aria-live="polite" data-spoken></p>`;
}

/** @param {Readonly<Model>} model */
function spoken(model) {
  const { match } = model;
  if (match === null) return "";
  const game = model.games[match.game];
  const nameOf = (/** @type {number} */ seat) => seatName(match, seat);
  const lines = newest(model.happenings).map((one) => T.story.line(one, game, nameOf));
  const turn = pendingMoves(model).length === 0 && isMyTurn(model) ? `${T.match.yourTurn}.` : "";
  return [...lines, turn].filter(Boolean).join(" ");
}
