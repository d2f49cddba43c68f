/**
 * The bar on top of every screen but the front page: the way back, what this is, and what is at hand everywhere.
 * @import { App } from "../app.js"
 */
import { T } from "../../texts/en/later.js";
import { html } from "../../vendor/preact.js";
import { Button } from "./parts.js";

/** @param {{ app: App, title: string, more?: any, children?: any }} props */
export function Bar({ app, title, more = "", children }) {
  return html`<header class="bar">
    <${Button} kind="plain" icon="back" word=${T.match.lobby} label=${T.match.leave} onClick=${() => app.way.go("")} />
    <h1 class="bar-title grow"><span class="name">${title}</span>${more && html` <small class="quiet">${more}</small>`}</h1>
    ${children}
  </header>`;
}
