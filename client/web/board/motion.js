// Short animations of what a move did: a line is drawn, a box pops up, a piece goes its way, what was taken vanishes.
// What comes, and a piece that goes straight, is animated by styles (`came`, `pops`, `hops`), which cost a move little; here
// is what has corners or an end.
// They change nothing about where things are: the truth is in the attributes from the first moment on.

/** One duration for all of them, in ms. */
export const MOTION_MS = 220;
/** A chain of jumps takes longer, but no more than this. */
const MAX_WAY_MS = 420;

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
  const [[fromX, fromY] = [0, 0], [toX, toY] = [0, 0]] = points;
  if (points.length === 2) {
    piece.style.setProperty("--hop", `${fromX - toX}px, ${fromY - toY}px`);
    piece.classList.add("hops");
    return;
  }
  const duration = Math.min(MOTION_MS * (1 + (points.length - 2) * 0.6), MAX_WAY_MS);
  const hopped = piece.animate(
    points.map(([x, y]) => ({ transform: `translate(${x}px, ${y}px)` })),
    { duration, easing: "ease-in-out" },
  );
  hopping.set(piece, hopped);
}
