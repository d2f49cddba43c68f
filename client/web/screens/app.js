/**
 * What is on screen.
 * @import { Doing } from "../doing.js"
 * @import { Settings } from "../kept/settings.js"
 * @import { Storage } from "../kept/storage.js"
 * @import { Signal } from "../vendor/preact.js"
 */
import { rows } from "../shown/lobby.js";
import { html, render } from "../vendor/preact.js";

/** @typedef {{ doing: Doing, storage: Storage, settings: Signal<Settings> }} App what screens work with */

/** Show the page in `root`, and go on showing it. @param {HTMLElement} root @param {App} app */
export function mount(root, app) {
  app.doing.watchLobby(true);
  render(html`<${Lobby} doing=${app.doing} />`, root);
}

/** @param {{ doing: Doing }} props */
function Lobby({ doing }) {
  const model = doing.model.value;
  return html`<main data-link=${model.link}>
    <h1>Parlour</h1>
    <p role="status">${model.link === "up" ? `You are ${model.name}.` : "Connecting…"}</p>
    <ul>
      ${rows(model).map((row) => html`<li key=${row.match}>${row.title}: ${row.names.filter(Boolean).join(" – ")}</li>`)}
    </ul>
  </main>`;
}
