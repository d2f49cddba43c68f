/**
 * The review of a match that is over, beside the board: how far it is, a curve of who stood better that can be clicked, and
 * the moves that cost most.
 * @import { App } from "../app.js"
 * @import { Snapshot } from "../../conversation/messages.d.ts"
 * @import { Review as Found } from "../../shown/review.js"
 * @import { Model } from "../../shown/seen.js"
 */
import { LIMITS } from "../../conversation/limits.js";
import { isEnabled } from "../../shown/controls.js";
import { costliest, hurried } from "../../shown/mistakes.js";
import { seatName } from "../../shown/position.js";
import { isWhole, nextPly } from "../../shown/review.js";
import { shownPly } from "../../shown/seen.js";
import { T } from "../../texts/en/later.js";
import { html } from "../../vendor/preact.js";
import { Button } from "../parts/parts.js";
import { useSeen } from "../parts/seeing.js";
import { practise as practiseFrom } from "./afterwards.js";

/** The curve's own units: as wide as there are positions, as high as this at either side of the middle. */
const HALF = 20;

/** @param {{ app: App }} props */
export function Review({ app }) {
  const review = useSeen(app, (model) => model.review);
  const match = useSeen(app, (model) => model.match);
  const can = useSeen(app, (model) => isEnabled("review", model));
  if (!can || match === null) return null;
  const toggle = () => app.doing.review();
  // At the end these are among the ways on, in their card; while one looks back or reviews they stand here.
  const step = useSeen(app, (model) => model.step);
  const practise = html`<${PractiseButton} app=${app} />`;
  if (review === null) {
    return step !== null && html`<div class="buttons review-begin"><${ReviewButton} app=${app} />${practise}</div>`;
  }
  const worst = costliest(review);
  return html`<section class="review" aria-label=${T.actions.review}>
    <div class="review-head">
      <b class="grow" role="status">${progress(review, worst.length)}</b>
      <${Button} kind="plain" onClick=${toggle} keys="j">${nextPly(review) === null ? T.review.close : T.review.stop}<//>
    </div>
    ${review.refusal && html`<p class="small" dir="auto">${review.refusal.text}</p>`}
    <${Curve} app=${app} review=${review} match=${match} />
    ${practise}
    <ol class="costliest small">${worst.map(
      (
        one,
      ) => html`<li key=${one.ply}><button type="button" class="move" aria-current=${one.ply - 1 === step ? "step" : undefined} onClick=${() => app.doing.step(one.ply - 1)}>
        <i class="swatch" style=${{ background: match.seats[one.seat]?.style.colour }} aria-hidden="true">${match.seats[one.seat]?.style.symbol}</i>
        <span class="grow" dir="auto">${T.review.costly(one, seatName(match, one.seat))}</span></button></li>`,
    )}</ol>
  </section>`;
}

/** Begins a review, where one may be had and there is none. @param {{ app: App }} props */
export function ReviewButton({ app }) {
  const can = useSeen(app, (model) => model.review === null && isEnabled("review", model));
  return can && html`<${Button} onClick=${() => app.doing.review()} keys="j">${T.actions.review}<//>`;
}

/** Plays on from where one looks, where that can be. @param {{ app: App }} props */
export function PractiseButton({ app }) {
  const can = useSeen(app, (model) => isEnabled("practise", model));
  const nextSide = useSeen(app, practisedFor);
  const words = nextSide === null ? T.actions.practise : T.practiseAs(nextSide);
  return can && html`<${Button} onClick=${() => practiseFrom(app)} keys="o">${words}<//>`;
}

/** Who is to move where one looks, for who has no side of one's own and so plays on for that one. @param {Model} model */
function practisedFor({ match, look, step }) {
  if (match === null || match.you.length === 1 || look === null || look.ply !== step || look.to_move === null)
    return null;
  return match.seats[look.to_move]?.style.name ?? null;
}

/** @param {Found} review @param {number} mistakes */
function progress(review, mistakes) {
  if (isWhole(review)) {
    const found = mistakes > 0 ? T.review.whole : T.review.clean;
    return hurried(review) > 0 ? T.review.hurried(found, hurried(review), review.plies + 1) : found;
  }
  return T.review.progress(review.judged.length, review.plies + 1, review.goesOn);
}

/** A bar for each position, upwards where who moved first stood better. @param {{ app: App, review: Found, match: Snapshot }} props */
function Curve({ app, review, match }) {
  const at = useSeen(app, shownPly);
  const wide = review.plies + 1;
  const look = (/** @type {MouseEvent} */ event) => {
    const box = /** @type {Element} */ (event.currentTarget).getBoundingClientRect();
    const ply = Math.floor(((event.clientX - box.left) / box.width) * wide);
    app.doing.step(Math.min(Math.max(ply, 0), review.plies));
  };
  const [first, second] = match.seats.map((_, seat) => seatName(match, seat));
  return html`<svg class="curve" viewBox=${`0 ${-HALF} ${wide} ${2 * HALF}`} preserveAspectRatio="none" role="img" aria-label=${T.review.curve(first ?? "", second ?? "")} onClick=${look}>
    <rect class="curve-at" x=${at} y=${-HALF} width="1" height=${2 * HALF} />
    ${review.judged.map(({ ply, lead }) => {
      const part = ((lead ?? 0) / LIMITS.MAX_LEAD) * HALF;
      const style = match.seats[part >= 0 ? 0 : 1].style;
      return html`<rect key=${ply} x=${ply + 0.08} y=${part >= 0 ? -part : 0} width="0.84" height=${Math.max(Math.abs(part), 0.6)} fill=${style.colour} />`;
    })}
    <line class="curve-middle" x1="0" x2=${wide} y1="0" y2="0" />
  </svg>`;
}
