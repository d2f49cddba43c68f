// Short animations of what a move did: a line is drawn, a box pops up, a piece goes its way, what was taken vanishes.
// They change nothing about where things are: the truth is in the attributes from the first moment on.

/** One duration for all of them, in ms. */
export const MOTION_MS = 220;
/** A chain of jumps takes longer, but no more than this. */
const MAX_WAY_MS = 420;
const EASED = "cubic-bezier(0.2, 0.8, 0.3, 1)";

/** A line is drawn from one end to the other. @param {SVGElement} line @param {{ x1: number, y1: number, x2: number, y2: number }} one */
export function grow(line, one) {
  const length = Math.hypot(one.x2 - one.x1, one.y2 - one.y1) * 100;
  line.animate(
    [
      { strokeDasharray: `${length} ${length}`, strokeDashoffset: `${length}` },
      { strokeDasharray: `${length} ${length}`, strokeDashoffset: "0" },
    ],
    { duration: MOTION_MS, easing: EASED },
  );
}

/** Something new comes up. @param {SVGElement} outer its first child is scaled, for the node itself stands in its place */
export function pop(outer) {
  for (const inner of outer.children) {
    inner.animate(
      [
        { transform: "scale(0.45)", opacity: 0.2 },
        { transform: "none", opacity: 1 },
      ],
      {
        duration: MOTION_MS,
        easing: EASED,
      },
    );
  }
}

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

/** A piece goes from point to point; it is at the last one already. @param {SVGElement} piece @param {[number, number][]} points */
export function hop(piece, points) {
  for (const running of piece.getAnimations()) running.cancel();
  const legs = points.length - 1;
  const duration = Math.min(MOTION_MS * (1 + (legs - 1) * 0.6), MAX_WAY_MS);
  piece.animate(
    points.map(([x, y]) => ({ transform: `translate(${x}px, ${y}px)` })),
    { duration, easing: legs === 1 ? EASED : "ease-in-out" },
  );
}
