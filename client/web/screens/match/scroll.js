/**
 * A list that follows its end, but stays where somebody reads further up, and says how many lines are new (`P60`).
 *
 * It is laid out from its end on (`panel.css`): its place is counted from there, 0 at the end and less further up. So one
 * more line, or another size, as of a phone that is turned, leaves it at its end, and a move costs nothing here.
 */
import { T } from "../../texts/en/later.js";
import { html, useEffect, useLayoutEffect, useRef, useState } from "../../vendor/preact.js";

/** So near to its end, in pixels, a list is at its end. */
const NEAR_PX = 24;

/**
 * The lines are its children, or `fill` puts them into the list by plain DOM and is told when to end.
 * @param {{ count: () => number, label: string, name: string, children?: any, fill?: (list: HTMLElement) => () => void }} props
 */
export function Following({ count, label, name, children, fill }) {
  const frame = useRef(/** @type {HTMLElement | null} */ (null));
  const list = useRef(/** @type {HTMLElement | null} */ (null));
  const seen = useRef(0);
  const [isAway, setAway] = useState(false);
  useLayoutEffect(() => (list.current && fill ? fill(list.current) : undefined), []);
  useEffect(() => {
    const [at, lines] = [frame.current, list.current];
    if (!isAway || at === null || lines === null) return undefined;
    let height = lines.offsetHeight;
    // Told before the lines are drawn: what is read stays where it is.
    const watching = new ResizeObserver(() => {
      const grown = lines.offsetHeight - height;
      height += grown;
      if (grown !== 0) at.scrollTop -= grown;
    });
    watching.observe(lines);
    return () => watching.disconnect();
  }, [isAway]);
  const look = () => {
    const away = -(frame.current?.scrollTop ?? 0) >= NEAR_PX;
    if (away && !isAway) seen.current = count();
    setAway(away);
  };
  const toEnd = () => frame.current?.scrollTo(0, 0);
  return html`<div class="following">
    <div class="lines" ref=${frame} role="group" aria-label=${label} tabindex="0" data-list=${name} onScroll=${look}><ol ref=${list}>${children}</ol></div>
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
