/**
 * Help: the rules of a game as the hub tells them, and hands and keys.
 * @import { App } from "./app.js"
 */
import { T } from "../texts/en/later.js";
import { html } from "../vendor/preact.js";
import { Bar } from "./parts/bar.js";

/** A game's help but for the paragraph that begins with the key for help: it tells the keys of the other clients. @param {string} help */
const paragraphs = (help) => help.split(/\n{2,}/).filter((one) => !one.startsWith("? "));

/** The rules of a game and what hands and keys do, to stand beside a board. @param {{ app: App, game: string }} props */
export function Rules({ app, game }) {
  const info = app.doing.seen.games[game];
  return html`<div class="rules" tabindex="0" role="region" aria-label=${T.help.title}>
    ${info && html`<h2>${info.title}</h2>${paragraphs(info.help).map((paragraph, at) => (paragraph.startsWith("  ") ? html`<pre key=${at} aria-hidden="true">${paragraph}</pre>` : html`<p key=${at}>${paragraph}</p>`))}`}
    <h3>${T.help.board}</h3>
    ${T.help.hints.map((hint, at) => html`<p key=${at}>${hint}</p>`)}
    <h3>${T.help.keys}</h3>
    <dl class="keys">${T.help.keyList.map(([key, what]) => html`<div key=${key}><dt><kbd>${key}</kbd></dt><dd>${what}</dd></div>`)}</dl>
  </div>`;
}

/** @param {{ app: App }} props */
export function Help({ app }) {
  const { games } = app.doing.seen;
  const { about } = app.way.route.value;
  const game = games[about] ? about : (Object.keys(games)[0] ?? "");
  return html`<main class="page">
    <${Bar} app=${app} title=${T.help.title} />
    <nav class="choices" aria-label=${T.help.other}>
      ${Object.values(games).map(
        (
          one,
        ) => html`<button key=${one.name} type="button" class=${`pick ${one.name === game ? "on" : ""}`} aria-current=${one.name === game ? "page" : undefined}
        onClick=${() => app.way.go(`help/${one.name}`, true)}>${one.title}</button>`,
      )}
    </nav>
    <section class="card"><${Rules} app=${app} game=${game} /></section>
  </main>`;
}
