/**
 * A board as a picture: of a game on the front page, of a match that is being played.
 * @import { Snapshot } from "../../conversation/messages.d.ts"
 */
import { Drawing } from "../../board/draw.js";
import { Hints } from "../../board/hints.js";
import { html, useEffect, useRef } from "../../vendor/preact.js";

const NO_PLAN = Object.freeze({
  mine: false,
  picked: [],
  pending: [],
  unsent: "",
  advised: "",
  planned: [],
  about: [],
});

/** @param {{ match: Snapshot, label: string, moves: boolean }} props */
export function BoardPicture({ match, label, moves }) {
  const host = useRef(/** @type {HTMLElement | null} */ (null));
  const drawn = useRef(/** @type {{ drawing: Drawing, hints: Hints } | null} */ (null));
  useEffect(() => {
    if (host.current === null) return;
    const known = drawn.current;
    if (known === null || known.drawing.board !== match.board) {
      const drawing = new Drawing(host.current, match, { label });
      host.current.style.setProperty("--board-ratio", String(drawing.frame.width / drawing.frame.height));
      host.current.classList.toggle(
        "toned",
        match.board.cells.some((cell) => cell[4] !== "plain"),
      );
      drawn.current = { drawing, hints: new Hints(drawing) };
    } else {
      known.drawing.show(match, moves);
    }
    drawn.current?.hints.show(match, NO_PLAN);
  }, [match, label, moves]);
  return html`<div class="board-picture"><div class="board-ground" ref=${host}></div></div>`;
}
