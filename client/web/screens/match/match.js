/**
 * A match on screen (`CK 5.1`, `5.4`): the board with one's own side at the bottom, and everything about it beside it.
 * @import { App } from "../app.js"
 * @import { Snapshot } from "../../conversation/messages.d.ts"
 */

import { stayingAwayMs } from "../../shown/at_play.js";
import { isEnabled } from "../../shown/controls.js";
import { setupText } from "../../shown/lobby.js";
import { isLog } from "../../shown/position.js";
import { isCovered, plays, shownPly } from "../../shown/seen.js";
import { T } from "../../texts/en/later.js";
import { html, useEffect, useLayoutEffect, useMemo, useState } from "../../vendor/preact.js";
import { Rules } from "../help.js";
import { Amiss } from "../link.js";
import { Bar } from "../parts/bar.js";
import { Button, Icon } from "../parts/parts.js";
import { useSeen } from "../parts/seeing.js";
import { Acts, focusMore, Menu, useRoom } from "./actions.js";
import { practise } from "./afterwards.js";
import { Board } from "./board.js";
import { Chat } from "./chat.js";
import { OwnTime } from "./clock.js";
import { put, useDrawn } from "./drawn.js";
import { mindTheKeyboard } from "./keyboard.js";
import { Log } from "./match_log.js";
import { Moves, Steps } from "./moves.js";
import { News } from "./news.js";
import { Cover } from "./pause.js";
import { Player } from "./player.js";
import { Waiting } from "./waiting.js";

/** @typedef {"moves" | "chat" | "help"} Panel */
const PANELS = /** @type {const} */ (["moves", "chat", "help"]);
/** What stands beside the word of a panel on a phone. */
const PANEL_ICONS = { moves: "list", chat: "chat", help: "help" };

/** @param {{ app: App }} props */
export function Match({ app }) {
  const { about } = app.way.route.value;
  const match = useSeen(app, ({ match: one }) => (one?.match === about ? about : null));
  const waits = useSeen(app, (model) => model.match?.status === "waiting" && plays(model));
  if (match === null) return html`<${NotHere} app=${app} />`;
  return waits ? html`<${Waiting} app=${app} />` : html`<${Playing} key=${match} app=${app} />`;
}

/** The match of the address is on its way, or not to be had. @param {{ app: App }} props */
function NotHere({ app }) {
  const refused = app.way.entryRefused.value;
  if (refused === null) {
    return html`<main class="page"><${Bar} app=${app} title=${T.app} /><p class="empty quiet" role="status">${T.loading}</p></main>`;
  }
  return html`<main class="page">
    <${Bar} app=${app} title=${T.app} />
    <section class="card sorry">
      <h2>${refused.code === "unknown_match" ? T.errors.gone : refused.text}</h2>
      ${refused.code === "private" && html`<p>${T.link.noSeat}</p>`}
      ${app.way.newGuest.value && html`<p>${T.link.newGuest}</p>`}
      <div class="buttons">
        <${Button} kind="primary" onClick=${() => app.way.go("find", true)}>${T.joining.other}<//>
        <${Button} onClick=${() => app.way.go("", true)}>${T.end.lobby}<//>
      </div>
    </section>
  </main>`;
}

/** The parts of a match. Each sees for itself what it shows: this one is drawn again for another panel, not for a move. @param {{ app: App }} props */
function Playing({ app }) {
  const log = useSeen(app, ({ match }) => (isLog(match) ? (match?.match ?? "") : ""));
  const [most, isSmall] = useRoom();
  // A log is itself the moves; in a task there is nobody to talk to; on a small screen the help lies elsewhere.
  const without = useSeen(app, ({ match }) => (log ? "moves" : match?.lesson ? "chat" : ""));
  const panels = PANELS.filter((name) => name !== without && !(isSmall && name === "help"));
  const first = /** @type {Panel} */ (log ? "chat" : "moves");
  const [chosen, setPanel] = useState(first);
  const panel = chosen === without ? first : chosen;
  const [isOpen, setOpen] = useState(false);
  const open = (/** @type {Panel} */ name) => {
    const closes = isOpen && panel === name;
    setOpen(!closes);
    // A panel that is closed has what room is left; the help that was read is gone (`DB 7.3.1.7`).
    setPanel(closes && name === "help" ? first : name);
  };
  const [hasMenu, setMenu] = useState(false);
  const closeMenu = useMemo(
    () => () => {
      setMenu(false);
      focusMore();
    },
    [],
  );
  useShortcuts(app, open, { isOpen: hasMenu, toggle: () => (hasMenu ? closeMenu() : setMenu(true)) });
  useLayoutEffect(mindTheKeyboard, []);
  useLayoutEffect(() => {
    app.tellsAmiss.value = true;
    return () => {
      app.tellsAmiss.value = false;
    };
  }, []);
  const game = useSeen(app, ({ match }) => match?.game ?? "");
  const costs = useSeen(app, (model) => T.link.costs(stayingAwayMs(model)));
  const status = useSeen(app, ({ match }) => match?.status);
  const isHidden = useSeen(app, isCovered);
  const whole = useDrawn(app, (main) => ({ match }) => {
    put(main, "data-plies", String(match?.plies ?? ""));
    put(main, "data-version", String(match?.version ?? ""));
  });
  const isByHand = useSeen(app, ({ match }) => app.turned.value.includes(match?.match ?? ""));
  const lower = useSeen(app, ({ match }) => (match ? lowerSeat(match) : 0));
  const bottom = isByHand ? 1 - lower : lower;
  return html`<main ref=${whole} class=${`match ${isOpen || (hasMenu && isSmall) ? "open" : ""}`} data-panel=${panel} data-status=${status}>
    <${Top} app=${app} />
    <${Player} app=${app} seat=${1 - bottom} place="above" />
    <div class="board-cell">
      ${isHidden ? html`<${Cover} app=${app} />` : log ? html`<${Log} app=${app} match=${log} />` : html`<${Board} app=${app} />`}
    </div>
    <${Player} app=${app} seat=${bottom} place="below" />
    <${News} app=${app} />
    <div class="tools">
      <div class="tabs" role="tablist" aria-label=${T.match.lists}>
        ${panels.map((name) => html`<${Tab} key=${name} app=${app} name=${name} on=${panel === name} isOpen=${isOpen} onOpen=${() => open(name)} />`)}
      </div>
      ${!log && html`<${Steps} app=${app} />`}
      <${Acts} app=${app} most=${most} isOpen=${hasMenu} onOpen=${() => (hasMenu ? closeMenu() : setMenu(true))} />
    </div>
    <${Amiss} app=${app} costs=${costs} again=${T.link.again} />
    ${hasMenu && html`<${Menu} app=${app} most=${most} isSmall=${isSmall} onClose=${closeMenu} onHelp=${() => open("help")} />`}
    <section class="panel" role="tabpanel" id="panel" aria-label=${T.match[panel]} inert=${hasMenu}>
      ${panel === "moves" && html`<${Moves} app=${app} />`}
      ${panel === "chat" && html`<${Chat} app=${app} />`}
      ${panel === "help" && html`<${Rules} app=${app} game=${game} />`}
    </section>
  </main>`;
}

/** What is played, who watches, and what is amiss. @param {{ app: App }} props */
function Top({ app }) {
  const title = useSeen(app, ({ match, games }) => {
    const own = games[match?.game ?? ""]?.title;
    return own ?? (String(match?.options.title ?? "") || match?.game || "");
  });
  const details = useSeen(app, ({ match, games }) => {
    if (match === null) return "";
    return setupText(games[match.game], match.options);
  });
  return html`<${Bar} app=${app} title=${title} more=${details}>
    <${Watching} app=${app} />
    <${OwnTime} app=${app} />
    <${Silent} app=${app} />
  <//>`;
}

/** Whose side is at the bottom of the board: one's own; for who holds both or none, of whom the board is not turned. @param {Snapshot} match */
function lowerSeat(match) {
  const [own = 0] = match.you;
  if (match.you.length === 1) return own;
  const [turnedFor] = match.board.turned_for;
  if (turnedFor === undefined) return 0;
  return match.board.turned_for.length > 1 ? turnedFor : 1 - turnedFor;
}

/** @param {{ app: App, name: Panel, on: boolean, isOpen: boolean, onOpen: () => void }} props */
function Tab({ app, name, on, isOpen, onOpen }) {
  const label = T.match[name];
  const unread = name === "chat" ? app.unread.value : 0;
  return html`<button type="button" role="tab" class="tab" id=${`tab-${name}`} aria-selected=${on} aria-controls="panel" aria-label=${unread > 0 ? T.match.unread(label, unread) : undefined} data-open=${on && isOpen} onClick=${onOpen}>
    <${Icon} name=${PANEL_ICONS[name]} /><span>${label}</span>${unread > 0 && html`<b class="badge">${unread}</b>`}
  </button>`;
}

/** @param {{ app: App }} props */
function Watching({ app }) {
  const count = useSeen(app, ({ match }) => match?.spectators ?? 0);
  if (count === 0) return null;
  return html`<span class="quiet small watching" title=${T.match.spectators(count)}><span class="watching-words">${T.match.spectators(count)}</span><span class="watching-sign" aria-hidden="true"><span class="digits">${count}</span> ◉</span></span>`;
}

/** That a sound was wanted and the browser has not let it out yet. @param {{ app: App }} props */
function Silent({ app }) {
  const { sound, volume } = app.settings.value;
  if (!sound || volume === 0 || app.sounds.isAwake.value) return null;
  return html`<span class="asleep small quiet" role="note" title=${T.settings.silent}><${Icon} name="mute" /><span class="wide-only" aria-hidden="true">${T.settings.silentShort}</span><span class="hidden-text">${T.settings.silent}</span></span>`;
}

/** Keys that do something wherever the focus is, but not while something is typed. @param {App} app @param {(panel: Panel) => void} open @param {{ isOpen: boolean, toggle: () => void }} menu */
function useShortcuts(app, open, menu) {
  useLayoutEffect(() => {
    /** @param {KeyboardEvent} event */
    const typed = (event) => {
      const target = /** @type {HTMLElement} */ (event.target);
      if (event.isComposing || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      if (target.closest("input, textarea, select, dialog")) return;
      const model = app.doing.seen;
      if (event.key === "-" || (event.key === "Escape" && menu.isOpen)) menu.toggle();
      else if (event.key === "Escape") app.table.plans.clear();
      else if (event.key === ",") app.doing.step(shownPly(model) - 1);
      else if (event.key === ".") app.doing.step(shownPly(model) + 1);
      else if (event.key === "End") app.doing.step(model.match?.plies ?? 0);
      else if (event.key === "h" && isEnabled("hint", model)) app.doing.act("hint");
      else if (event.key === "j" && isEnabled("review", model)) app.doing.review();
      else if (event.key === "o" && isEnabled("practise", model)) practise(app);
      else if (event.key === "?") open("help");
      else if (event.key === "/" && isEnabled("say", model)) {
        open("chat");
        requestAnimationFrame(() =>
          /** @type {HTMLElement | null} */ (document.querySelector('[name="say"]'))?.focus(),
        );
      } else return;
      event.preventDefault();
    };
    // A tap beside the board lets go of what is planned.
    const pressed = (/** @type {PointerEvent} */ event) => {
      const target = /** @type {HTMLElement} */ (event.target);
      if (!target.closest(".board-ground, button, a, input, select, textarea, label")) app.table.plans.clear();
    };
    document.addEventListener("keydown", typed);
    document.addEventListener("pointerdown", pressed);
    return () => {
      document.removeEventListener("keydown", typed);
      document.removeEventListener("pointerdown", pressed);
    };
  }, [open, menu.isOpen]);
  useEffect(() => {
    if (!plays(app.doing.seen)) return;
    document.querySelector(".board")?.scrollIntoView?.({ block: "nearest" });
  }, []);
}
