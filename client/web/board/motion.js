// Short animations of what a move did: a line is drawn, a box pops up, a piece goes its way, what was taken vanishes.
// What comes is animated by styles (`came`, `pops`), which cost a move nothing; here is what needs a way or an end.
// They change nothing about where things are: the truth is in the attributes from the first moment on.

/** One duration for all of them, in ms. */
export const MOTION_MS = 220;
/** A chain of jumps takes longer, but no more than this. */
const MAX_WAY_MS = 420;
const EASED = "cubic-bezier(0.2, 0.8, 0.3, 1)";

/** Something that is gone fades, and then its node goes. @param {SVGElement} outer */
export function vanish(outer) {
  const fading = outer.animate([{ opacity: 1 }, { opacity: 0 }], {
    duration: MOTION_MS,
    easing: "ease-in",
    fill: "forwards",
  });
  fading.onfinish = () => outer.remove();
  fading.oncancel = () => outer.remove();
}

/** What goes its way just now; to ask the document would have it work out all styles. @type {WeakMap<SVGElement, Animation>} */
const hopping = new WeakMap();

/** A piece goes from point to point; it is at the last one already. @param {SVGElement} piece @param {[number, number][]} points */
export function hop(piece, points) {
  hopping.get(piece)?.cancel();
  const legs = points.length - 1;
  const duration = Math.min(MOTION_MS * (1 + (legs - 1) * 0.6), MAX_WAY_MS);
  const hopped = piece.animate(
    points.map(([x, y]) => ({ transform: `translate(${x}px, ${y}px)` })),
    { duration, easing: legs === 1 ? EASED : "ease-in-out" },
  );
  hopping.set(piece, hopped);
}
