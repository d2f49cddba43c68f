/** A list that follows its end, but stays where somebody reads further up, and says how many lines are new (`P60`). */
import { T } from "../texts/en.js";
import { html, useEffect, useLayoutEffect, useRef, useState } from "../vendor/preact.js";

/** So near to its end, in pixels, a list is at its end. */
const NEAR_PX = 24;

/** @param {{ count: number, label: string, children: any, name: string }} props */
export function Following({ count, label, children, name }) {
  const list = useRef(/** @type {HTMLElement | null} */ (null));
  const follows = useRef(true);
  const [seen, setSeen] = useState(count);
  const toEnd = () => {
    if (list.current) list.current.scrollTop = list.current.scrollHeight;
    follows.current = true;
    setSeen(count);
  };
  useLayoutEffect(() => {
    if (follows.current) toEnd();
  }, [count]);
  useEffect(() => {
    if (list.current === null) return undefined;
    // Another size, as of a phone that is turned: what was at its end still is.
    const watching = new ResizeObserver(() => {
      if (follows.current && list.current) list.current.scrollTop = list.current.scrollHeight;
    });
    watching.observe(list.current);
    return () => watching.disconnect();
  }, []);
  return html`<div class="following">
    <ol class="lines" ref=${list} aria-label=${label} tabindex="0" data-list=${name}
      onScroll=${() => {
        const at = list.current;
        if (!at) return;
        follows.current = at.scrollHeight - at.scrollTop - at.clientHeight < NEAR_PX;
        if (follows.current) setSeen(count);
      }}>${children}</ol>
    ${!follows.current && count > seen && html`<button type="button" class="new-lines" onClick=${toEnd}>${T.match.newLines(count - seen)}</button>`}
  </div>`;
}
