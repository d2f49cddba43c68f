/**
 * What can be done in a match besides moving, as buttons from the table of controls.
 * @import { App } from "./app.js"
 */
import { asksFirst, isEnabled, onShelf } from "../shown/controls.js";
import { T } from "../texts/en.js";
import { html } from "../vendor/preact.js";
import { Button } from "./parts.js";

/** @type {Record<string, string>} */
const ICONS = { give_up: "flag", pause: "pause", save: "save", takeback: "back", revert: "first" };

/** @param {{ app: App, onDone?: () => void }} props */
export function Actions({ app, onDone }) {
  const model = app.doing.model.value;
  const run = (/** @type {string} */ action) => {
    onDone?.();
    if (asksFirst(action)) app.ask(action);
    else if (action === "save" || action === "revert") app.dialog.value = action;
    else if (action === "cancel") {
      app.doing.cancel();
      app.way.go("", true);
    } else app.doing.act(action);
  };
  return html`<div class="actions">
    ${onShelf(model, "actions").map(
      (
        control,
      ) => html`<${Button} key=${control.action} icon=${ICONS[control.action]} kind=${control.action === "give_up" ? "danger" : ""}
      busy=${control.command !== undefined && app.doing.isAsked(control.action)} disabled=${!isEnabled(control.action, model)} onClick=${() => run(control.action)}>${T.actions[/** @type {"draw"} */ (control.action)]}<//>`,
    )}
    <${Button} icon="back" onClick=${() => app.way.go("")}>${T.match.leave}<//>
  </div>`;
}
