/**
 * The moves so far: a list that can be clicked, the steps through it, and a field to type a move.
 * @import { App } from "./app.js"
 */
import { isEnabled } from "../shown/controls.js";
import { isMyTurn, plays, shownPly } from "../shown/seen.js";
import { T } from "../texts/en.js";
import { html, useState } from "../vendor/preact.js";
import { Button, Field } from "./parts.js";
import { Following } from "./scroll.js";

/** @param {{ app: App }} props */
export function Moves({ app }) {
  const model = app.doing.model.value;
  const { match } = model;
  const moves = app.table.moves.list.value;
  if (match === null) return null;
  const at = shownPly(model);
  return html`<div class="moves">
    ${
      moves.length === 0
        ? html`<p class="empty quiet grow">${T.match.noMoves}</p>`
        : html`<${Following} count=${moves.length} label=${T.match.moves} name="moves">
          ${moves.map((one, index) => {
            const style = one.seat === null ? null : match.seats[one.seat]?.style;
            return html`<li key=${index}>
              <button type="button" class=${`move ${index + 1 === at ? "at" : ""}`} aria-current=${index + 1 === at ? "step" : undefined}
                disabled=${!isEnabled("back", model)} onClick=${() => app.doing.step(index + 1)}>
                <span class="digits quiet">${index + 1}</span>
                <i class="swatch" style=${{ background: style?.colour ?? "transparent" }} aria-hidden="true">${style?.symbol}</i>
                <span class="grow">${one.move}</span><span class="quiet small">${one.gains}</span>
              </button>
            </li>`;
          })}
        <//>`
    }
    ${app.settings.value.coordinates && plays(model) && match.status === "playing" && html`<${Typed} app=${app} />`}
  </div>`;
}

/** A move as text, for who plays by keys or by ear. @param {{ app: App }} props */
function Typed({ app }) {
  const model = app.doing.model.value;
  const [text, setText] = useState("");
  const play = () => {
    const move = text.trim();
    if (!move || !isMyTurn(model)) return;
    app.table.plans.play(move);
    setText("");
  };
  return html`<form class="say-line" onSubmit=${(/** @type {Event} */ event) => {
    event.preventDefault();
    play();
  }}>
    <${Field} label=${T.match.typeMove} hide=${true} name="move" value=${text} maxLength=${120} onInput=${setText} onEnter=${play} onEscape=${() => app.board?.focus()}
      placeholder=${`${T.match.typeMove}${model.match?.legal[0] ? ` – ${T.match.typeHint} ${model.match.legal[0]}` : ""}`} />
    <${Button} type="submit" disabled=${!text.trim() || !isMyTurn(model)}>${T.match.typePlay}<//>
  </form>`;
}

/** One step back or on, to the beginning and to the newest move. @param {{ app: App, ply: number }} props */
export function Steps({ app, ply }) {
  const model = app.doing.model.value;
  const plies = model.match?.plies ?? 0;
  const back = isEnabled("back", model) && ply > 0;
  return html`<div class="steps" role="group" aria-label=${T.match.moves}>
    <${Button} kind="plain" icon="first" label=${T.actions.start} disabled=${!back} onClick=${() => app.doing.step(0)} />
    <${Button} kind="plain" icon="back" label=${T.actions.back} disabled=${!back} onClick=${() => app.doing.step(ply - 1)} keys="," />
    <span class="digits small quiet">${ply} / ${plies}</span>
    <${Button} kind="plain" icon="on" label=${T.actions.forward} disabled=${model.step === null} onClick=${() => app.doing.step(ply + 1)} keys="." />
    <${Button} kind="plain" icon="last" label=${T.actions.live} disabled=${model.step === null} onClick=${() => app.doing.step(plies)} keys="End" />
  </div>`;
}
