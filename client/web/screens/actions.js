/**
 * What can be done in a match besides moving, as buttons from the table of controls.
 * @import { App } from "./app.js"
 */
import { asksFirst, isEnabled, onShelf } from "../shown/controls.js";
import { isLog } from "../shown/position.js";
import { T } from "../texts/en/later.js";
import { computed, html } from "../vendor/preact.js";
import { Button } from "./parts.js";
import { useSeen, useSeenAll } from "./seeing.js";

/** @type {Record<string, string>} */
const ICONS = { give_up: "flag", pause: "pause", save: "save", takeback: "back", revert: "first" };

/** @param {{ app: App, onDone?: () => void }} props */
export function Actions({ app, onDone }) {
  const shelf = useSeenAll(app, (model) => onShelf(model, "actions").map(({ action }) => action));
  return html`<div class="actions">
    ${shelf.map((action) => html`<${Act} key=${action} app=${app} action=${action} onDone=${onDone} />`)}
    <${Button} icon="back" onClick=${() => app.way.go("")}>${T.match.leave}<//>
  </div>`;
}

/** @param {{ app: App, action: string, onDone?: () => void }} props */
function Act({ app, action, onDone }) {
  const isBusy = useSeen(app, () => app.doing.isAsked(action));
  // An attribute by itself: much that can be done changes hands with each move.
  const isOff = computed(() => !isEnabled(action, app.doing.seen));
  const run = () => {
    onDone?.();
    if (asksFirst(action)) app.ask(action);
    else if (action === "save" && isLog(app.doing.model.peek().match)) app.download();
    else if (action === "save" || action === "revert") app.dialog.value = action;
    else if (action === "cancel") {
      app.doing.cancel();
      app.way.go("", true);
    } else app.doing.act(action);
  };
  return html`<${Button} icon=${ICONS[action]} kind=${action === "give_up" ? "danger" : ""} busy=${isBusy} disabled=${isOff} onClick=${run}>${T.actions[/** @type {"draw"} */ (action)]}<//>`;
}
