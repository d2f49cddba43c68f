/**
 * The board within the match: what is shown of the model, and what becomes of touches.
 * @import { App } from "../app.js"
 * @import { Snapshot } from "../../conversation/messages.d.ts"
 * @import { Mark } from "../../conversation/messages.d.ts"
 * @import { Model } from "../../shown/seen.js"
 */
import { BoardView } from "../../board/board.js";
import { groupsOf, joined } from "../../board/groups.js";
import { isTurned } from "../../board/scene.js";
import { IN_VAIN, isToMove } from "../../shown/at_play.js";
import { canPlay } from "../../shown/controls.js";
import { betterHere } from "../../shown/mistakes.js";
import { seatName } from "../../shown/position.js";
import { isCovered, pendingMoves, shown } from "../../shown/seen.js";
import { T } from "../../texts/en/later.js";
import { effect, html, useLayoutEffect, useRef } from "../../vendor/preact.js";

/** @typedef {import("../../board/elements.js").Element} Element */
/** @typedef {import("../../board/board.js").Shown} Shown */

const NOTHING_ABOUT = /** @type {readonly string[]} */ ([]);

/** How an element is called. @param {Snapshot} match @param {Element} one */
export function called(match, one) {
  const region = one.region ? (match.board.regions.find((found) => found[0] === one.region)?.[6] ?? one.region) : "";
  const short = (/** @type {string} */ id) => id.slice(id.lastIndexOf(":") + 1).replace(/^[~#]/, "");
  const what =
    one.kind === "line"
      ? T.board.line(short(one.a || (one.id.split("-")[0] ?? "")), short(one.b || (one.id.split("-")[1] ?? "")))
      : one.kind === "dot"
        ? T.board.dot(short(one.id))
        : one.form === "square"
          ? T.board.square(one.label || short(one.id))
          : T.board.cell(one.label || short(one.id));
  return region ? T.board.inRegion(region, what) : what;
}

/** How an element is called, and what lies there. @param {Snapshot} match @param {Element} one @param {Mark | undefined} mark */
export function named(match, one, mark) {
  const name = called(match, one);
  if (!mark)
    return `${name}, ${one.kind === "line" || one.form === "hex" ? T.board.free : T.board.empty}${makes(match, one)}`;
  const [seat, piece] = mark;
  if (seat === null) return `${name}, ${T.board.drawn}`;
  const who = seatName(match, seat);
  if (one.kind === "line") return `${name}, ${T.board.drawnBy(who)}`;
  const group = groupsOf(match).find((found) => found.cells.has(one.id));
  return `${name}, ${(T.board.pieces[piece] ?? T.board.piece)(who)}${group ? `, ${T.board.group(group.cells.size)}` : ""}`;
}

/** What a stone there would make and take. @param {Snapshot} match @param {Element} one */
function makes(match, one) {
  const made = match.to_move === null || one.form !== "hex" ? null : joined(match, one.id, match.to_move);
  return made?.taken.size ? `, ${T.board.takes(made.size, made.taken.size)}` : "";
}

/** The board shows what the model says by itself: nothing of it is a component. @param {{ app: App }} props */
export function Board({ app }) {
  const host = useRef(/** @type {HTMLElement | null} */ (null));
  useLayoutEffect(() => {
    if (host.current === null) return undefined;
    const { plans } = app.table;
    const view = new BoardView(host.current, {
      onMove: (move) => plans.play(move),
      onPlan: (path) => plans.plan(path),
      onEscape: () => plans.clear(),
      onVain: (why) => app.doing.tell(IN_VAIN, T.board.inVain[why]),
      onPicked: (picked) => {
        app.picked.value = picked;
        if (picked.length > 0) app.doing.forget(IN_VAIN);
      },
      naming: named,
      calling: called,
    });
    app.board = view;
    const end = effect(() => {
      const match = shown(app.doing.model.value);
      if (match !== null) view.show(seen(app, match));
    });
    return () => {
      end();
      view.remove();
      app.board = null;
      app.picked.value = [];
    };
  }, []);
  return html`<div class="board-holder" ref=${host}></div>`;
}

/** The hint, while the match is played; or, looking back, what was better in a review. @param {Model} model */
function advised(model) {
  if (isCovered(model)) return "";
  if (model.step !== null) return betterHere(model);
  return model.match?.status === "playing" ? (model.hint?.move ?? "") : "";
}

/** @param {App} app @param {Snapshot} match @returns {Shown} */
function seen(app, match) {
  const model = app.doing.model.value;
  const { plans } = app.table;
  const unsent = plans.unsent.value;
  return {
    match,
    mine: isToMove(model) && canPlay(model) && unsent === "",
    plans: plans.isPossible(model),
    pending: model.step === null ? pendingMoves(model) : [],
    unsent,
    advised: advised(model),
    planned: plans.planned.value,
    turned: isTurned(match) !== app.turned.value.includes(match.match),
    about: model.step === null ? model.notice.at : NOTHING_ABOUT,
    moves: app.moves() && model.step === null && document.visibilityState === "visible",
    label: T.match.board(model.games[match.game]?.title ?? match.game),
  };
}
