/**
 * A match that waits for its second player: the link to send, the key, a QR code.
 * @import { App } from "../app.js"
 * @import { Snapshot } from "../../conversation/messages.d.ts"
 */

import { linkTo } from "../../shown/links.js";
import { setupText } from "../../shown/lobby.js";
import { may } from "../../shown/seen.js";
import { ruleText } from "../../shown/spans.js";
import { T } from "../../texts/en/later.js";
import { html } from "../../vendor/preact.js";
import { Bar } from "../parts/bar.js";
import { Button } from "../parts/parts.js";
import { BoardPicture } from "../parts/picture.js";
import { Share } from "../parts/share.js";

/** @param {{ app: App }} props */
export function Waiting({ app }) {
  const model = app.doing.model.value;
  const match = /** @type {Snapshot} */ (model.match);
  const game = model.games[match.game];
  const title = game?.title ?? match.game;
  const link = linkTo(app.page, match);
  const details = [setupText(game, match.options), ruleText(match.clock_rule)];
  const seat = match.you[0] ?? 0;
  const { style } = /** @type {import("../../conversation/messages.d.ts").SeatInfo} */ (match.seats[seat]);
  const local = /^(localhost|127\.|\[::1\])/.test(new URL(app.page).hostname);
  return html`<main class="page waiting">
    <${Bar} app=${app} title=${title} more=${details.filter(Boolean).join(" · ")} />
    <section class="card">
      <h2 class="pulse">${T.waiting.title}</h2>
      <p class="seats"><i class="swatch" style=${{ background: style.colour }} aria-hidden="true">${style.symbol}</i>
        <span>${T.waiting.side(style.name, seat)}</span></p>
      <p>${match.private ? T.waiting.lead : T.waiting.leadPublic}</p>
      <${Share} link=${link} title=${T.waiting.invite(title)} qr=${true} />
      ${match.key !== null && html`<p class="key-line"><span class="quiet">${T.waiting.key}</span> <code>${match.key}</code></p>`}
      ${local && html`<p class="small quiet">${T.waiting.local}</p>`}
      ${!match.private && html`<p class="small quiet">${T.waiting.paired}</p>`}
      ${
        may(model, "cancel") &&
        html`<${Button} onClick=${() => {
          app.doing.cancel();
          app.way.go("", true);
        }}>${T.waiting.cancel}<//>`
      }
    </section>
    <${BoardPicture} match=${match} label=${T.match.board(title)} moves=${false} />
  </main>`;
}
