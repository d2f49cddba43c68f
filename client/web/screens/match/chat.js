/**
 * What is said (`CK 5.4`): the players to each other, who watches among themselves. Only ever text.
 * @import { App } from "../app.js"
 * @import { Happening } from "../../shown/story.js"
 */
import { LIMITS } from "../../conversation/limits.js";
import { isEnabled } from "../../shown/controls.js";
import { plays } from "../../shown/seen.js";
import { T } from "../../texts/en/later.js";
import { html, useLayoutEffect, useRef } from "../../vendor/preact.js";
import { Button, Field } from "../parts/parts.js";
import { Following } from "./scroll.js";

/** @param {{ app: App }} props */
export function Chat({ app }) {
  const model = app.doing.seen;
  const muted = model.match !== null && app.isMuted(model.match.match);
  const isOwn = (/** @type {Happening} */ one) =>
    one.seat === null ? one.values.name === model.name : (model.match?.you.includes(one.seat) ?? false);
  const said = model.happenings.filter((one) => one.kind === "said" && (!muted || isOwn(one)));
  const text = app.draft.value;
  const place = useRef(/** @type {HTMLElement | null} */ (null));
  // Between a phone's board and its tabs there may be no room for it: then nothing was read.
  useLayoutEffect(() => {
    const panel = place.current;
    if (panel === null) return undefined;
    const look = () => {
      if (getComputedStyle(panel).visibility === "visible") app.readAll();
    };
    look();
    const watching = new ResizeObserver(look);
    watching.observe(panel);
    return () => watching.disconnect();
  }, [said.length]);
  if (!model.chat) return html`<p class="empty quiet">${T.match.noChat}</p>`;
  const send = () => {
    if (!text.trim() || !isEnabled("say", model)) return;
    app.say(text);
  };
  return html`<div class="chat" ref=${place}>
    ${
      said.length === 0
        ? html`<p class="empty quiet grow">${T.match.nothingSaid}</p>`
        : html`<${Following} count=${() => said.length} label=${T.match.chat} name="chat">
          ${said.map(
            (
              one,
            ) => html`<li key=${one.values.number} class=${`said-line ${one.seat === null ? "" : `seat-${one.seat}`}`}>
            <b class="name" dir="auto">${one.values.name}</b>
            ${one.seat !== null && model.match && html` <i class="swatch" style=${{ background: model.match.seats[one.seat]?.style.colour }} aria-hidden="true">${model.match.seats[one.seat]?.style.symbol}</i>`}
            ${one.seat !== null && model.match?.you.includes(one.seat) && html` <small class="you">${T.match.you}</small>`}
            <span class="said-text" dir="auto">${one.values.text}</span>
          </li>`,
          )}
        <//>`
    }
    ${app.notSaid.value && html`<p class="small bad" role="alert">${T.match.notSent} ${app.notSaid.value}</p>`}
    <form class="say-line" onSubmit=${(/** @type {Event} */ event) => {
      event.preventDefault();
      send();
    }}>
      <${Field} label=${plays(model) ? T.match.sayPlayers : T.match.saySpectators} hide=${true} name="say" value=${text} maxLength=${LIMITS.MAX_CHAT}
        placeholder=${plays(model) ? T.match.sayPlayers : T.match.saySpectators} onEnter=${send} onEscape=${() => app.board?.focus()}
        onInput=${(/** @type {string} */ next) => {
          app.draft.value = next;
        }} />
      <${Button} type="submit" disabled=${!text.trim() || !isEnabled("say", model)}>${T.match.send}<//>
      <${Button} kind="plain" icon=${muted ? "mute" : "sound"} word=${muted ? T.match.unmuteShort : T.match.muteShort} pressed=${muted} label=${muted ? T.match.unmute : T.match.mute} onClick=${() => model.match && app.mute(model.match.match)} />
    </form>
  </div>`;
}
