/**
 * What can be done in a match besides moving, from the table of controls: a row of icons with words, and a menu with the
 * rest.
 * @import { App } from "../app.js"
 */
import { asksFirst, isEnabled, rowAndMenu } from "../../shown/controls.js";
import { isLog } from "../../shown/position.js";
import { T } from "../../texts/en/later.js";
import { html, useEffect, useLayoutEffect, useState } from "../../vendor/preact.js";
import { Button } from "../parts/parts.js";
import { useSeen, useSeenAll } from "../parts/seeing.js";
import { ACTION_ICONS } from "./action_icons.js";
import { download } from "./afterwards.js";
import { useDrawn } from "./drawn.js";

/** Shapes of the window, the first that it has counts, and how many actions have room in the row then. @type {[string, number][]} */
const ROOM = [
  ["(max-width: 15rem)", 0],
  ["(max-aspect-ratio: 11 / 10) and (max-width: 22rem)", 1],
  ["(max-aspect-ratio: 11 / 10) and (max-width: 40rem)", 2],
  ["(min-aspect-ratio: 11 / 10) and (max-height: 30rem)", 2],
  ["(min-aspect-ratio: 11 / 10) and (max-width: 70rem)", 4],
];
const MOST = 5;
/** With no more than these the row is that of a phone, and has what else is there for the hand. */
const ON_A_PHONE = 2;
const MORE = ".acts [data-action=more]";

/** How many actions have room in the row, and whether it is that of a phone. @returns {[number, boolean]} */
export function useRoom() {
  const look = () => ROOM.find(([shape]) => matchMedia(shape).matches)?.[1] ?? MOST;
  const [most, setMost] = useState(look);
  useEffect(() => {
    const shapes = ROOM.map(([shape]) => matchMedia(shape));
    const changed = () => setMost(look());
    for (const shape of shapes) shape.addEventListener("change", changed);
    return () => {
      for (const shape of shapes) shape.removeEventListener("change", changed);
    };
  }, []);
  return [most, most <= ON_A_PHONE];
}

/** The row, and the button of the menu. @param {{ app: App, most: number, isOpen: boolean, onOpen: () => void }} props */
export function Acts({ app, most, isOpen, onOpen }) {
  const row = useSeenAll(app, (model) => rowAndMenu(model, most).row);
  const group = useEnabled(app, row);
  return html`<div ref=${group} class="acts" role="group" aria-label=${T.match.options}>
    ${row.map((action) => html`<${Act} key=${action} app=${app} action=${action} kind="cell" />`)}
    <${Button} kind="cell" icon=${ACTION_ICONS.more} action="more" expanded=${isOpen} controls="menu" keys="-" onClick=${onOpen}><span>${T.match.menu}</span><//>
  </div>`;
}

/**
 * The menu while it is open: it lies where the lists are, and covers neither clocks nor offers. `onClose` gives the focus
 * back to its button.
 * @param {{ app: App, most: number, isSmall: boolean, onClose: () => void, onHelp: () => void }} props
 */
export function Menu({ app, most, isSmall, onClose, onHelp }) {
  const menu = useSeenAll(app, (model) => rowAndMenu(model, most).menu);
  const [full] = useState(document.fullscreenElement !== null);
  useLayoutEffect(() => {
    // What is pressed beside it counts where it is, but in the lists, of which it may cover half a row; only then it goes,
    // for it may give its room to the board. What hears keys and clicks is there with what is drawn: an effect after it
    // comes too late for who is quick.
    const clicked = (/** @type {MouseEvent} */ event) => {
      if (!(/** @type {HTMLElement} */ (event.target).closest(".menu, .acts"))) onClose();
    };
    document.addEventListener("click", clicked);
    return () => document.removeEventListener("click", clicked);
  }, [onClose]);
  /** @param {() => unknown} run */
  const chosen = (run) => () => {
    onClose();
    run();
  };
  const group = useEnabled(app, menu);
  return html`<div ref=${group} class="menu" id="menu" role="group" aria-label=${T.match.menu}>
    ${menu.map((action) => html`<${Act} key=${action} app=${app} action=${action} kind="entry" onDone=${onClose} />`)}
    <${Button} kind="entry" icon="turn" action="turn" onClick=${chosen(() => app.turn(app.doing.model.peek().match?.match ?? ""))}>${T.match.turn}<//>
    ${
      document.fullscreenEnabled &&
      !isSmall &&
      html`<${Button} kind="entry" icon="full" action="full" onClick=${chosen(toggleFull)}>${full ? T.match.notFull : T.match.full}<//>`
    }
    ${isSmall && html`<${Button} kind="entry" icon="help" action="help" onClick=${chosen(onHelp)}>${T.match.help}<//>`}
    <${Button} kind="entry" icon="settings" action="settings" onClick=${chosen(() => app.openSettings())}>${T.settings.title}<//>
    <${Button} kind="entry" icon=${ACTION_ICONS.lobby} action="lobby" onClick=${() => app.way.go("")}>${T.match.leave}<//>
  </div>`;
}

/** The button of the menu, which has the focus again once that is closed. */
export function focusMore() {
  /** @type {HTMLElement | null} */ (document.querySelector(MORE))?.focus();
}

function toggleFull() {
  if (document.fullscreenElement) return document.exitFullscreen();
  // A browser that refuses says so itself.
  return document.documentElement.requestFullscreen().catch(() => undefined);
}

/** Much that can be done changes hands with each move: so it is written into the buttons of a group. @param {App} app @param {string[]} actions */
function useEnabled(app, actions) {
  return useDrawn(
    app,
    (group) => {
      const buttons = /** @type {HTMLButtonElement[]} */ ([...group.querySelectorAll("[data-action]")]);
      return (model) => {
        for (const button of buttons) {
          const isOff = !isEnabled(button.dataset.action ?? "", model);
          if (button.disabled !== isOff) button.disabled = isOff;
        }
      };
    },
    [actions.join()],
  );
}

/** @param {{ app: App, action: string, kind: string, onDone?: () => void }} props */
function Act({ app, action, kind, onDone }) {
  const isBusy = useSeen(app, () => app.doing.isAsked(action));
  const run = () => {
    onDone?.();
    if (asksFirst(action)) app.ask(action);
    else if (action === "save" && isLog(app.doing.model.peek().match)) download(app);
    else if (action === "save" || action === "revert") app.dialog.value = action;
    else if (action === "cancel") {
      app.doing.cancel();
      app.way.go("", true);
    } else app.doing.act(action);
  };
  const label = T.actions[/** @type {"draw"} */ (action)];
  const word = T.words[action] ?? label;
  return html`<${Button} icon=${ACTION_ICONS[action] ?? action} action=${action} kind=${kind} label=${word === label ? undefined : label} title=${word === label ? undefined : label} busy=${isBusy} onClick=${run}><span>${word}</span><//>`;
}
