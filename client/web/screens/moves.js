/**
 * The moves so far: a list that can be clicked, the steps through it, and a field to type a move.
 * @import { SeatStyle } from "../conversation/messages.d.ts"
 * @import { Listed } from "../shown/move_list.js"
 * @import { App } from "./app.js"
 */
import { isEnabled } from "../shown/controls.js";
import { seatName } from "../shown/position.js";
import { isMyTurn, plays, shownPly } from "../shown/seen.js";
import { T } from "../texts/en.js";
import { computed, html, useMemo, useState } from "../vendor/preact.js";
import { Button, Field } from "./parts.js";
import { Following } from "./scroll.js";
import { Still, useSeen, useSeenAll } from "./seeing.js";

/** So many moves are looked at together: where none has changed, none is looked at. */
const BLOCK = 20;

/** @param {{ app: App }} props */
export function Moves({ app }) {
  const moves = app.table.moves.list.value;
  const at = useSeen(app, (model) => (model.match ? shownPly(model) : -1));
  const enabled = useSeen(app, (model) => isEnabled("back", model));
  const types = useSeen(app, (model) => plays(model) && model.match?.status === "playing");
  const first = useSeen(app, ({ match }) => match?.seats[0].style);
  const second = useSeen(app, ({ match }) => match?.seats[1].style);
  const styles = useMemo(() => [first, second], [first, second]);
  const step = useMemo(() => (/** @type {number} */ ply) => app.doing.step(ply), []);
  if (at < 0) return null;
  const blocks = Array.from({ length: Math.ceil(moves.length / BLOCK) }, (_, index) => index * BLOCK);
  return html`<div class="moves">
    <${Legend} app=${app} />
    ${
      moves.length === 0
        ? html`<p class="empty quiet grow">${T.match.noMoves}</p>`
        : html`<${Following} count=${moves.length} label=${T.match.moves} name="moves">
          ${blocks.map((start) => html`<${Block} key=${start} start=${start} moves=${moves.slice(start, start + BLOCK)} at=${at > start && at <= start + BLOCK ? at : 0} styles=${styles} enabled=${enabled} onStep=${step} />`)}
        <//>`
    }
    ${app.settings.value.coordinates && types && html`<${Typed} app=${app} />`}
  </div>`;
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

/**
 * @typedef {{ start: number, moves: readonly Listed[], at: number, styles: Array<SeatStyle | undefined>, enabled: boolean, onStep: (ply: number) => void }} Rows
 * @extends {Still<Rows>}
 */
class Block extends Still {
  /** @param {Rows} props */
  render({ start, moves, at, styles, enabled, onStep }) {
    return moves.map((one, index) => {
      const ply = start + index + 1;
      const style = one.seat === null ? undefined : styles[one.seat];
      return html`<${Row} key=${ply} ply=${ply} one=${one} isAt=${ply === at} style=${style} enabled=${enabled} onStep=${onStep} />`;
    });
  }
}

/**
 * @typedef {{ ply: number, one: Listed, isAt: boolean, style?: SeatStyle, enabled: boolean, onStep: (ply: number) => void }} Line
 * @extends {Still<Line>}
 */
class Row extends Still {
  /** @param {Line} props */
  render({ ply, one, isAt, style, enabled, onStep }) {
    return html`<li>
      <button type="button" class=${`move ${isAt ? "at" : ""}`} aria-current=${isAt ? "step" : undefined} disabled=${!enabled} onClick=${() => onStep(ply)}>
        <span class="digits quiet">${ply}</span>
        <i class="swatch" style=${{ background: style?.colour ?? "transparent" }} aria-hidden="true">${style?.symbol}</i>
        <span class="grow">${one.move}</span><span class="quiet small">${one.gains}</span>
      </button>
    </li>`;
  }
}

/** A move as text, for who plays by keys or by ear. @param {{ app: App }} props */
function Typed({ app }) {
  const example = computed(() => app.doing.model.value.match?.legal[0]);
  const hint = computed(() => `${T.match.typeMove}${example.value ? ` – ${T.match.typeHint} ${example.value}` : ""}`);
  const [text, setText] = useState("");
  const play = () => {
    const move = text.trim();
    if (!move || !isMyTurn(app.doing.model.peek())) return;
    app.table.plans.play(move);
    setText("");
  };
  return html`<form class="say-line" onSubmit=${(/** @type {Event} */ event) => {
    event.preventDefault();
    play();
  }}>
    <${Field} label=${T.match.typeMove} hide=${true} name="move" value=${text} maxLength=${120} onInput=${setText} onEnter=${play} onEscape=${() => app.board?.focus()}
      placeholder=${hint} />
    <${PlayTyped} app=${app} isEmpty=${!text.trim()} />
  </form>`;
}

/** @param {{ app: App, isEmpty: boolean }} props */
function PlayTyped({ app, isEmpty }) {
  const canPlay = useSeen(app, (model) => !isEmpty && isMyTurn(model));
  return html`<${Button} type="submit" disabled=${!canPlay}>${T.match.typePlay}<//>`;
}

/** One step back or on, to the beginning and to the newest move. @param {{ app: App }} props */
export function Steps({ app }) {
  const count = computed(() => `${shownPly(app.doing.model.value)} / ${app.doing.model.value.match?.plies ?? 0}`);
  return html`<div class="steps" role="group" aria-label=${T.match.moves}>
    <${StepButtons} app=${app} before=${true} />
    <span class="digits small quiet">${count}</span>
    <${StepButtons} app=${app} before=${false} />
  </div>`;
}

/** @param {{ app: App, before: boolean }} props */
function StepButtons({ app, before }) {
  const back = useSeen(app, (model) => isEnabled("back", model) && model.match !== null && shownPly(model) > 0);
  const isNewest = useSeen(app, (model) => model.step === null);
  const step = (/** @type {(ply: number, plies: number) => number} */ to) => () => {
    const model = app.doing.model.peek();
    app.doing.step(to(shownPly(model), model.match?.plies ?? 0));
  };
  if (before)
    return html`<${Button} kind="plain" icon="first" label=${T.actions.start} disabled=${!back} onClick=${step(() => 0)} />
      <${Button} kind="plain" icon="back" label=${T.actions.back} disabled=${!back} onClick=${step((ply) => ply - 1)} keys="," />`;
  return html`<${Button} kind="plain" icon="on" label=${T.actions.forward} disabled=${isNewest} onClick=${step((ply) => ply + 1)} keys="." />
    <${Button} kind="plain" icon="last" label=${T.actions.live} disabled=${isNewest} onClick=${step((_, plies) => plies)} keys="End" />`;
}
