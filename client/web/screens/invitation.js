/**
 * What a link to a match opens: a question first, so that no preview and no prefetch takes a seat (`P31`).
 * @import { App } from "./app.js"
 */
import { T } from "../texts/en/later.js";
import { html, useEffect, useState } from "../vendor/preact.js";
import { Bar } from "./parts/bar.js";
import { Button, Field } from "./parts/parts.js";

/** Refusals that somebody meets as well who has the seat in another browser (`P36`). A key is not told apart (`I4`). */
const MAY_BE_ONES_OWN = new Set(["full", "started", "paused", "wrong_key"]);

/** @param {{ app: App }} props */
export function Invitation({ app }) {
  const { way } = app;
  const { link } = way.route.value;
  const model = app.doing.seen;
  const refused = way.entryRefused.value;
  const [name, setName] = useState(app.doing.isNamed.value ? model.name : "");
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    if (app.doing.isNamed.value) setName(model.name);
  }, [model.name]);
  if (link === null) return null;
  const row = link.way === "join" ? model.lobby?.find((one) => one.match === link.value) : undefined;
  const own =
    link.way === "join" ? model.mine.some((one) => one.match === link.value) : model.match?.key === link.value;
  const join = async () => {
    if (busy || model.link !== "up") return;
    setBusy(true);
    const wanted = name.trim();
    const known = !wanted || wanted === model.name || (await way.rename(wanted));
    setBusy(false);
    if (known) way.enter(link.way === "key" ? { type: "join", key: link.value } : { type: "join", match: link.value });
  };
  const suggestion = String(way.nameRefused.value?.data.suggestion ?? "");
  if (own)
    return html`<${OwnInvitation} app=${app} match=${link.way === "join" ? link.value : (model.match?.match ?? "")} />`;
  return html`<main class="page">
    <${Bar} app=${app} title=${T.app} />
    <section class="card invitation">
      <h2>${refused ? T.joining.refused : T.joining.title}</h2>
      ${row && html`<p><b>${model.games[row.game]?.title ?? row.game}</b> <span dir="auto">${row.names.filter(Boolean).join(", ")}</span></p>`}
      ${row && !refused && html`<${FreeSeat} row=${row} />`}
      ${
        refused
          ? html`<p class="notice bad" role="alert">${refused.text}</p>
            ${MAY_BE_ONES_OWN.has(refused.code) && html`<p>${T.joining.elsewhere}</p>`}
            <div class="buttons">
              ${link.way === "join" && html`<${Button} onClick=${() => way.go(`watch=${link.value}`, true)}>${T.joining.watch}<//>`}
              <${Button} kind="primary" onClick=${() => way.go("find", true)}>${T.joining.other}<//>
              <${Button} onClick=${() => way.go("", true)}>${T.end.lobby}<//>
            </div>`
          : html`<form onSubmit=${(/** @type {Event} */ event) => {
              event.preventDefault();
              join();
            }}>
            <${Field} label=${T.joining.nameFirst} name="name" value=${name} maxLength=${40} onInput=${setName} onEnter=${join} autocomplete="nickname" placeholder=${model.name}
              invalid=${way.nameRefused.value && !suggestion ? way.nameRefused.value.text : undefined} />
            ${suggestion && html`<p class="notice" role="alert">${T.name.taken(suggestion)} <${Button} kind="small" onClick=${() => setName(suggestion)}>${T.name.take(suggestion)}<//></p>`}
            <div class="buttons"><${Button} type="submit" kind="primary large" busy=${busy || way.entering.value} disabled=${model.link !== "up"}>${T.joining.join}<//></div>
          </form>`
      }
    </section>
  </main>`;
}

/** Which side is still free, and who begins: the one on the first seat. @param {{ row: import("../conversation/messages.d.ts").MatchSummary }} props */
function FreeSeat({ row }) {
  const free = row.names.indexOf(null);
  const style = row.styles?.[free];
  if (row.status !== "waiting" || !style) return null;
  return html`<p class="seats"><i class="swatch" style=${{ background: style.colour }} aria-hidden="true">${style.symbol}</i>
    <span>${T.joining.side(style.name, row.names[1 - free] ?? "", free)}</span></p>`;
}

/** The host has opened the own link: somebody else may sit here now (`P26`). @param {{ app: App, match: string }} props */
function OwnInvitation({ app, match }) {
  return html`<main class="page">
    <${Bar} app=${app} title=${T.app} />
    <section class="card invitation">
      <h2>${T.joining.own}</h2>
      <p>${T.joining.ownMore}</p>
      <div class="buttons">
        <${Button} kind="primary" onClick=${() => app.way.go(`watch=${match}`, true)}>${T.joining.ownGo}<//>
        <${Button} onClick=${() => app.way.go("here", true)}>${T.joining.ownHere}<//>
        <${Button} onClick=${() => app.asAnotherGuest()}>${T.joining.ownGuest}<//>
      </div>
    </section>
  </main>`;
}
