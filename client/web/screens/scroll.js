/** A list that follows its end, but stays where somebody reads further up, and says how many lines are new (`P60`). */
import { T } from "../texts/en/later.js";
import { html, useEffect, useLayoutEffect, useRef, useState } from "../vendor/preact.js";

/** So near to its end, in pixels, a list is at its end. */
const NEAR_PX = 24;

/** @param {HTMLElement | null} list */
const sizeOf = (list) => `${list?.clientHeight} ${list?.scrollHeight}`;

/**
 * The lines are its children, or `fill` puts them into the list by plain DOM and is told when to end.
 * @param {{ count: () => number, label: string, name: string, children?: any, fill?: (list: HTMLElement) => () => void }} props
 */
export function Following({ count, label, name, children, fill }) {
  const frame = useRef(/** @type {HTMLElement | null} */ (null));
  const list = useRef(/** @type {HTMLElement | null} */ (null));
  const seen = useRef(0);
  const top = useRef(0);
  const sized = useRef("");
  const [isAway, setAway] = useState(false);
  const follows = useRef(true);
  follows.current = !isAway;
  const own = useRef(false);
  const toEnd = () => {
    const at = frame.current;
    if (at === null) return;
    const before = at.scrollTop;
    at.scrollTop = at.scrollHeight;
    top.current = at.scrollTop;
    own.current = top.current !== before;
  };
  useLayoutEffect(() => (list.current && fill ? fill(list.current) : undefined), []);
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
  /** @param {HTMLElement} at */
  const look = (at) => {
    // Told a frame later: a line that has come since has put the end further down, and a list of another size is
    // moved by the browser. Neither is anybody's scrolling up.
    if (at.scrollHeight - at.scrollTop - at.clientHeight < NEAR_PX) setAway(false);
    else if (at.scrollTop < top.current && sizeOf(at) === sized.current) {
      if (follows.current) seen.current = count();
      setAway(true);
    }
    top.current = at.scrollTop;
  };
  return html`<div class="following">
    <div class="lines" ref=${frame} role="group" aria-label=${label} tabindex="0" data-list=${name}
      onScroll=${() => {
        const at = frame.current;
        if (at === null) return;
        const isOwn = own.current;
        own.current = false;
        // What was scrolled here is known: to ask for it now, amid the changes of a move, would cost a layout. A person
        // may have scrolled in the same frame, of which no more is told: that is looked for when the frame is drawn.
        if (isOwn && follows.current) setTimeout(() => frame.current && look(frame.current));
        else look(at);
      }}><ol ref=${list}>${children}</ol></div>
    ${isAway && html`<${NewLines} count=${count} seen=${seen.current} onClick=${toEnd} />`}
  </div>`;
}

/** @param {{ count: () => number, seen: number, onClick: () => void }} props */
function NewLines({ count, seen, onClick }) {
  const fresh = count() - seen;
  return fresh > 0
    ? html`<button type="button" class="new-lines" onClick=${onClick}>${T.match.newLines(fresh)}</button>`
    : null;
}
