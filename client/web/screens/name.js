/**
 * One's name: asked for only when it is needed, in one field, and a name that is taken with a suggestion.
 * @import { App } from "./app.js"
 */
import { T } from "../texts/en/later.js";
import { html, useLayoutEffect, useRef, useState } from "../vendor/preact.js";
import { Dialog } from "./parts/asking.js";
import { Button, Field } from "./parts/parts.js";

/** @param {{ app: App }} props */
export function NameDialog({ app }) {
  const own = app.doing.seen.name;
  const [text, setText] = useState(app.doing.isNamed.value ? own : "");
  const [busy, setBusy] = useState(false);
  const field = useRef(/** @type {HTMLInputElement | null} */ (null));
  const refused = app.way.nameRefused.value;
  const suggestion = String(refused?.data.suggestion ?? "");
  useLayoutEffect(() => field.current?.focus(), []);
  const take = async (/** @type {string} */ name) => {
    if (!name.trim() || busy) return;
    setBusy(true);
    const done = (app.doing.isNamed.value && name.trim() === own) || (await app.way.rename(name.trim()));
    setBusy(false);
    if (done) app.nameIsKnown();
  };
  return html`<${Dialog} title=${T.name.title} onClose=${() => app.nameIsKnown(false)}>
    <p class="quiet">${T.name.why}</p>
    <${Field} label=${T.name.field} name="name" value=${text} maxLength=${40} inputRef=${field} onInput=${setText} onEnter=${() => take(text)} autocomplete="nickname"
      invalid=${refused && refused.code !== "name_in_use" ? refused.text : undefined} />
    ${
      suggestion &&
      html`<p class="notice" role="alert">${T.name.taken(suggestion)} <${Button} kind="small" onClick=${() => {
        setText(suggestion);
        take(suggestion);
      }}>${T.name.take(suggestion)}<//></p>`
    }
    <div class="buttons"><${Button} kind="primary large" busy=${busy} disabled=${!text.trim()} onClick=${() => take(text)}>${T.name.go}<//></div>
  <//>`;
}
