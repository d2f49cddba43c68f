/**
 * The moves so far: a list that can be clicked, the steps through it, and a field to type a move.
 * @import { App } from "../app.js"
 */
import { elementsOf } from "../../board/elements.js";
import { markedBy } from "../../board/picking.js";
import { IN_VAIN, isToMove } from "../../shown/at_play.js";
import { isEnabled } from "../../shown/controls.js";
import { seatName } from "../../shown/position.js";
import { isCovered, isMyTurn, plays, shownPly } from "../../shown/seen.js";
import { T } from "../../texts/en/later.js";
import { effect, html, useMemo, useState } from "../../vendor/preact.js";
import { Button, Field } from "../parts/parts.js";
import { useSeen, useSeenAll } from "../parts/seeing.js";
import { put, say, useDrawn } from "./drawn.js";
import { MoveRows } from "./move_rows.js";
import { Following } from "./scroll.js";

/** @param {{ app: App }} props */
export function Moves({ app }) {
  const isThere = useSeen(app, ({ match }) => match !== null);
  const isEmpty = app.table.moves.isEmpty.value;
  const types = useSeen(app, (model) => plays(model) && model.match?.status === "playing");
  const fill = useMemo(() => (/** @type {HTMLElement} */ list) => fillWithMoves(app, list), []);
  if (!isThere) return null;
  return html`<div class="moves">
    <${Legend} app=${app} />
    ${
      isEmpty
        ? html`<p class="empty quiet grow">${T.match.noMoves}</p>`
        : html`<${Following} count=${() => app.table.moves.list.value.length} label=${T.match.moves} name="moves" fill=${fill} />`
    }
    ${app.settings.value.coordinates && types && html`<${Typed} app=${app} />`}
  </div>`;
}

/** Keep a list filled with the moves so far. @param {App} app @param {HTMLElement} list @returns {() => void} ends it */
function fillWithMoves(app, list) {
  const { seen } = app.doing;
  const rows = new MoveRows(list, (ply) => app.doing.step(ply));
  return effect(() => {
    const styles = (seen.match?.seats ?? []).map((seat) => seat.style);
    rows.show({ moves: app.table.moves.list.value, at: shownPly(seen), styles, enabled: isEnabled("back", seen) });
  });
}

/** Whose signs stand before the moves, and which are one's own (`P66`). @param {{ app: App }} props */
function Legend({ app }) {
  const sides = useSeenAll(app, ({ match }) =>
    (match?.seats ?? []).map(({ style }, seat) => ({
      style,
      name: match ? seatName(match, seat) : "",
      own: match?.you.length === 1 && match.you[0] === seat,
    })),
  );
  return html`<p class="legend small quiet">${sides.map(
    ({ style, name, own }) => html`<span key=${style.symbol}>
      <i class="swatch" style=${{ background: style.colour }} aria-hidden="true">${style.symbol}</i>
      <span class="name" dir="auto" title=${name}>${name}</span>${own && html`<small class="you">${T.match.you}</small>`}
    </span>`,
  )}</p>`;
}

/** A move as text, for who plays by keys or by ear. @param {{ app: App }} props */
function Typed({ app }) {
  const form = useDrawn(app, (node) => {
    const field = /** @type {HTMLInputElement} */ (node.querySelector("input"));
    return ({ match }) => {
      const example = match?.legal[0];
      // An example says it, too, and is short enough for a phone.
      put(field, "placeholder", example ? T.match.typeHint(example) : T.match.typeMove);
    };
  });
  const [text, setText] = useState("");
  const play = () => {
    const move = text.trim();
    const model = app.doing.model.peek();
    if (!move || model.match === null) return;
    const { plans } = app.table;
    const { board } = model.match;
    const path = markedBy(board, move);
    if (isToMove(model)) plans.play(move);
    else if (plans.isPossible(model) && path.every((id) => elementsOf(board).byId.has(id))) plans.plan(path);
    else {
      // In a pause it may be one's own turn: there the headline says what is the matter.
      const waits = isMyTurn(model) ? T.match.unansweredMoves : T.match.notYourTurn;
      if (!isCovered(model)) app.doing.tell(IN_VAIN, isMyTurn(model) || model.link === "up" ? waits : T.match.noPlan);
      return;
    }
    setText("");
  };
  return html`<form ref=${form} class="say-line" onSubmit=${(/** @type {Event} */ event) => {
    event.preventDefault();
    play();
  }}>
    <${Field} label=${T.match.typeMove} hide=${true} name="move" value=${text} maxLength=${120} onInput=${setText} onEnter=${play} onEscape=${() => app.board?.focus()} />
    <${PlayTyped} app=${app} isEmpty=${!text.trim()} />
  </form>`;
}

/** @param {{ app: App, isEmpty: boolean }} props */
function PlayTyped({ app, isEmpty }) {
  const canPlay = useSeen(app, (model) => !isEmpty && (isToMove(model) || app.table.plans.isPossible(model)));
  return html`<${Button} type="submit" disabled=${!canPlay}>${T.match.typePlay}<//>`;
}

/** One step back or on, to the beginning and to the newest move. @param {{ app: App }} props */
export function Steps({ app }) {
  const count = useDrawn(app, (node) => (model) => say(node, `${shownPly(model)} / ${model.match?.plies ?? 0}`));
  return html`<div class="steps" role="group" aria-label=${T.match.moves}>
    <${StepButtons} app=${app} before=${true} />
    <span ref=${count} class="digits small quiet"></span>
    <${StepButtons} app=${app} before=${false} />
  </div>`;
}

/** @param {{ app: App, before: boolean }} props */
function StepButtons({ app, before }) {
  const isOff = useSeen(app, (model) =>
    before ? !isEnabled("back", model) || shownPly(model) === 0 : model.step === null,
  );
  const step = (/** @type {(ply: number, plies: number) => number} */ to) => () => {
    const model = app.doing.model.peek();
    app.doing.step(to(shownPly(model), model.match?.plies ?? 0));
  };
  if (before)
    return html`<${Button} kind="cell" icon="first" label=${T.actions.start} title=${T.actions.start} disabled=${isOff} onClick=${step(() => 0)}><span>${T.words.start}</span><//>
      <${Button} kind="cell" icon="back" label=${T.actions.back} title=${T.actions.back} disabled=${isOff} onClick=${step((ply) => ply - 1)} keys=","><span>${T.words.back}</span><//>`;
  return html`<${Button} kind="cell" icon="on" label=${T.actions.forward} title=${T.actions.forward} disabled=${isOff} onClick=${step((ply) => ply + 1)} keys="."><span>${T.words.forward}</span><//>
    <${Button} kind="cell" icon="last" label=${T.actions.live} title=${T.actions.live} disabled=${isOff} onClick=${step((_, plies) => plies)} keys="End"><span>${T.words.live}</span><//>`;
}
