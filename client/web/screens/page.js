/**
 * The page as a whole: which screen is shown, and what lies over it.
 * @import { Given } from "./app.js"
 */
import { renewPage } from "../kept/renewal.js";
import { T } from "../texts/en/first.js";
import { html, render, useEffect, useState } from "../vendor/preact.js";
import { App } from "./app.js";
import { Front } from "./front.js";
import { Link } from "./link.js";
import { useSeen } from "./parts/seeing.js";
import { LATER as SHEETS, styled } from "./styles.js";

/** Screens that come when they are gone to. @type {Record<string, (app: App) => Promise<(props: { app: App }) => any>>} */
const LATER = {
  form: () => import("./form.js").then((found) => found.Form),
  saved: () => import("./saved.js").then((found) => found.Saved),
  settings: () => import("./settings.js").then((found) => found.Settings),
  help: () => import("./help.js").then((found) => found.Help),
  match: (app) =>
    Promise.all([import("./match/match.js"), import("../shown/table.js")]).then(([found, { Table }]) => {
      app.table ??= new Table(app);
      return found.Match;
    }),
  link: () => import("./invitation.js").then((found) => found.Invitation),
  "over challenge": () => import("./challenge.js").then((found) => found.Challenge),
  "over name": () => import("./name.js").then((found) => found.NameDialog),
  "over settings": () => import("./settings.js").then((found) => found.SettingsDialog),
  "over save": () => import("./saved.js").then((found) => found.SaveDialog),
  "over revert": () => import("./saved.js").then((found) => found.RevertDialog),
};
/** @type {Map<string, (props: { app: App }) => any>} */
const here = new Map();

/** A screen that may still be on its way. @param {{ app: App, name: string }} props */
function Later({ app, name }) {
  const [, again] = useState(0);
  const model = () => app.doing.model.peek();
  useEffect(() => {
    if (here.has(name)) return;
    Promise.all([LATER[name]?.(app), ...SHEETS.map(styled)]).then(
      ([found]) => {
        if (!found) return;
        here.set(name, found);
        again((was) => was + 1);
      },
      // A version of the page that the hub has no more: its address loads the new one, but not under a match on screen.
      () => {
        const busy = (here.has("match") && model().match?.status === "playing") || app.draft.peek() !== "";
        if (!renewPage({ busy, now: Date.now() })) app.doing.tell("part_missing", T.errors.partMissing);
      },
    );
  }, [name]);
  const Screen = here.get(name);
  if (Screen) return html`<${Screen} app=${app} />`;
  return name.startsWith("over")
    ? null
    : html`<main class="page"><p class="empty quiet" role="status">${T.loading}</p></main>`;
}

/** @param {{ app: App }} props */
function Page({ app }) {
  const { screen } = app.way.route.value;
  const over = app.dialog.value;
  const isChallenged = useSeen(app, (model) => model.challenges.length + model.challengesHeard.length > 0);
  const name = ["host", "here", "computer", "find", "friend", "challenge"].includes(screen) ? "form" : screen;
  useEffect(() => {
    document.documentElement.dataset.screen = screen;
    scrollTo(0, 0);
  }, [screen]);
  return html`<${Link} app=${app} />
    ${screen === "front" ? html`<${Front} app=${app} />` : html`<${Later} key=${name} app=${app} name=${name} />`}
    ${isChallenged && html`<${Later} key="over challenge" app=${app} name="over challenge" />`}
    ${over && html`<${Later} key=${`over ${over}`} app=${app} name=${`over ${over}`} />`}`;
}

/** Show the page in `root`, and go on showing it. @param {HTMLElement} root @param {Given} given */
export function mount(root, given) {
  const app = new App(given);
  given.doing.watchLobby(true);
  render(html`<${Page} app=${app} />`, root);
  return app;
}
