/**
 * What a person chooses about the page itself.
 * @import { App } from "./app.js"
 */
import { isIdentityKept } from "../kept/identity.js";
import { T } from "../texts/en/later.js";
import { html, useState } from "../vendor/preact.js";
import { STILL } from "./app.js";
import { Choice, Dialog, Switch } from "./parts/asking.js";
import { Bar } from "./parts/bar.js";
import { Button } from "./parts/parts.js";

/** @param {{ app: App }} props */
export function SettingsForm({ app }) {
  const chosen = app.settings.value;
  const [denied, setDenied] = useState(typeof Notification === "undefined" || Notification.permission === "denied");
  const less = STILL.matches;
  const notices = async (/** @type {boolean} */ on) => {
    if (on && typeof Notification !== "undefined" && Notification.permission === "default")
      await Notification.requestPermission();
    const allowed = typeof Notification !== "undefined" && Notification.permission === "granted";
    setDenied(!allowed && on);
    app.choose({ notices: on && allowed });
  };
  return html`<div class="settings">
    <${Choice} label=${T.settings.theme} name="theme" chosen=${chosen.theme} options=${Object.entries(T.settings.themes)} onChoose=${(/** @type {"light"} */ theme) => app.choose({ theme })} />
    <${Choice} label=${T.settings.board} name="board" chosen=${chosen.board} options=${Object.entries(T.settings.boards)} onChoose=${(/** @type {"paper"} */ board) => app.choose({ board })} />
    <${Switch} label=${T.settings.sound} on=${chosen.sound} onChange=${(/** @type {boolean} */ sound) => app.choose({ sound })} />
    <label class="switch"><span class="grow">${T.settings.volume}</span>
      <input type="range" min="0" max="1" step="0.05" value=${chosen.volume} disabled=${!chosen.sound}
        onInput=${(/** @type {any} */ event) => {
          app.choose({ volume: Number(event.target.value) });
          app.sounds.play("move");
        }} /></label>
    <${Switch} label=${T.settings.motion} on=${chosen.motion && !less} disabled=${less} note=${less ? T.settings.motionNote : ""} onChange=${(/** @type {boolean} */ motion) => app.choose({ motion })} />
    <${Switch} label=${T.settings.confirm} on=${chosen.confirm} onChange=${(/** @type {boolean} */ confirm) => app.choose({ confirm })} />
    <${Switch} label=${T.settings.premove} on=${chosen.premove} onChange=${(/** @type {boolean} */ premove) => app.choose({ premove })} />
    <${Switch} label=${T.settings.coordinates} on=${chosen.coordinates} onChange=${(/** @type {boolean} */ coordinates) => app.choose({ coordinates })} />
    <${Switch} label=${T.settings.notify} on=${chosen.notices} note=${denied ? T.settings.notifyDenied : ""} onChange=${notices} />
    ${!isIdentityKept(app.storage) && html`<p class="notice">${T.settings.notStored}</p>`}
  </div>`;
}

/** @param {{ app: App }} props */
export function Settings({ app }) {
  return html`<main class="page"><${Bar} app=${app} title=${T.settings.title} /><section class="card"><${SettingsForm} app=${app} /></section></main>`;
}

/** The same over a match. @param {{ app: App }} props */
export function SettingsDialog({ app }) {
  const close = () => {
    app.dialog.value = "";
  };
  return html`<${Dialog} title=${T.settings.title} onClose=${close}><${SettingsForm} app=${app} />
    <div class="buttons"><${Button} kind="primary" onClick=${close}>${T.settings.done}<//></div><//>`;
}
