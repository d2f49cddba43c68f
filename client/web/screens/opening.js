/**
 * The board as it will be before the first move, with what the form has chosen: to be looked at, and deaf to clicks (`SQ6`).
 * @import { App } from "./app.js"
 * @import { Snapshot } from "../conversation/messages.d.ts"
 * @import { Choice } from "../shown/choice.js"
 */
import { T } from "../texts/en/first.js";
import { T as F } from "../texts/en/form.js";
import { html, useEffect, useState } from "../vendor/preact.js";
import { Demo } from "./parts/living.js";
import { BoardPicture } from "./parts/picture.js";

/** Answers by their address. @type {Map<string, Promise<Snapshot | null>>} */
const asked = new Map();

/** @param {Choice} choice @returns {Promise<Snapshot | null>} null where the hub tells of none */
function opening({ game, options }) {
  const words = Object.entries(options).map(([name, value]) => [name, String(value)]);
  const address = new URL(`boards/${game}.json?${new URLSearchParams(words)}`, document.baseURI).href;
  const known = asked.get(address);
  if (known) return known;
  const found = fetch(address)
    .then((answer) => (answer.ok ? answer.json() : null))
    .then((told) => told && new Demo(told).at(0));
  // Without it the form is as good as before; the next choice asks again.
  found.catch(() => asked.delete(address));
  asked.set(address, found);
  return found;
}

/** @param {{ app: App, choice: Choice, onTouch: () => void }} props `onTouch`: the board was clicked, where nothing can be played yet */
export function Opening({ app, choice, onTouch }) {
  const [match, setMatch] = useState(/** @type {Snapshot | null} */ (null));
  const wanted = JSON.stringify([choice.game, choice.options]);
  useEffect(() => {
    let isStill = true;
    opening(choice).then(
      (found) => isStill && setMatch(found),
      () => isStill && setMatch(null),
    );
    return () => {
      isStill = false;
    };
  }, [wanted]);
  const first = match?.game === choice.game ? match.seats[0]?.style : null;
  return html`<figure class="opening" onClick=${onTouch}>
    ${match ? html`<${BoardPicture} match=${match} label=${T.match.board(app.doing.seen.games[match.game]?.title ?? match.game)} moves=${false} />` : html`<div class="board-picture"></div>`}
    <figcaption class="seats">
      ${first && html`<i class="swatch" style=${{ background: first.colour }} aria-hidden="true">${first.symbol}</i><span>${F.firstTurn(first.name)}</span>`}
    </figcaption>
  </figure>`;
}
