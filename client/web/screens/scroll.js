/** A list that follows its end, but stays where somebody reads further up, and says how many lines are new (`P60`). */
import { T } from "../texts/en.js";
import { html, useEffect, useRef, useState } from "../vendor/preact.js";

/** So near to its end, in pixels, a list is at its end. */
const NEAR_PX = 24;

/** @param {HTMLElement | null} list */
const sizeOf = (list) => `${list?.clientHeight} ${list?.scrollHeight}`;

/** @param {{ count: number, label: string, children: any, name: string }} props */
export function Following({ count, label, children, name }) {
  const frame = useRef(/** @type {HTMLElement | null} */ (null));
  const list = useRef(/** @type {HTMLElement | null} */ (null));
  const seen = useRef(count);
  const top = useRef(0);
  const sized = useRef("");
  const [isAway, setAway] = useState(false);
  const follows = useRef(true);
  follows.current = !isAway;
  if (!isAway) seen.current = count;
  const toEnd = () => {
    if (frame.current) frame.current.scrollTop = frame.current.scrollHeight;
  };
  useEffect(() => {
    if (frame.current === null || list.current === null) return undefined;
    // One more line, or another size, as of a phone that is turned: what was at its end still is. Told after the layout,
    // so that asking for the height costs nothing.
    const watching = new ResizeObserver(() => {
      sized.current = sizeOf(frame.current);
      if (follows.current) toEnd();
    });
    watching.observe(frame.current);
    watching.observe(list.current);
    return () => watching.disconnect();
  }, []);
  return html`<div class="following">
    <div class="lines" ref=${frame} role="group" aria-label=${label} tabindex="0" data-list=${name}
      onScroll=${() => {
        const at = frame.current;
        if (at === null) return;
        // Told a frame later: a line that has come since has put the end further down, and a list of another size is
        // moved by the browser. Neither is anybody's scrolling up.
        if (at.scrollHeight - at.scrollTop - at.clientHeight < NEAR_PX) setAway(false);
        else if (at.scrollTop < top.current && sizeOf(at) === sized.current) setAway(true);
        top.current = at.scrollTop;
      }}><ol ref=${list}>${children}</ol></div>
    ${isAway && count > seen.current && html`<button type="button" class="new-lines" onClick=${toEnd}>${T.match.newLines(count - seen.current)}</button>`}
  </div>`;
}
