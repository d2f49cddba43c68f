/**
 * What a link to a match opens: a question first, so that no preview and no prefetch takes a seat (`P31`).
 * @import { App } from "./app.js"
 * @import { Invitation as Told, MatchSummary } from "../conversation/messages.d.ts"
 * @import { Link } from "../shown/links.js"
 */
import { setupText, titleOf } from "../shown/lobby.js";
import { spanText } from "../shown/spans.js";
import { T } from "../texts/en/later.js";
import { html, useEffect, useState } from "../vendor/preact.js";
import { Bar } from "./parts/bar.js";
import { Button, Field } from "./parts/parts.js";

/** Refusals that somebody meets as well who has the seat in another browser (`P36`). A key is not told apart (`I4`). */
const MAY_BE_ONES_OWN = new Set(["full", "started", "paused", "wrong_key"]);

/** Refusals of a question about an invitation by which nothing can be joined: they are told at once. */
const CLOSED = new Set([...MAY_BE_ONES_OWN, "finished", "private", "reserved", "unknown_match"]);

/** What the link leads to, once the hub has told it; taking no seat. @param {App} app @param {Link | null} link @returns {Told | null} */
function useTold(app, link) {
  const [told, setTold] = useState(/** @type {Told | null} */ (null));
  const isUp = app.doing.seen.link === "up";
  const [way, value] = [link?.way, link?.value];
  useEffect(() => {
    setTold(null);
    if (!isUp || way === "watch" || value === undefined) return undefined;
    const [match, key] = way === "key" ? ["", value] : [value, ""];
    const sent = app.doing.send((ref) => ({ type: "get_invitation", ref, match, key }));
    return app.doing.listen((event) => {
      if (event.type !== "settled" || event.command.ref !== sent) return;
      if (event.answer.type === "invitation") setTold(event.answer);
      else if (event.answer.type === "refused" && CLOSED.has(event.answer.code))
        app.way.entryRefused.value ??= event.answer;
    });
  }, [isUp, way, value]);
  return told;
}

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
  const told = useTold(app, link);
  if (link === null) return null;
  const listed = link.way === "join" ? model.lobby?.find((one) => one.match === link.value) : undefined;
  const row = listed ?? told?.summary;
  const match = link.way === "join" ? link.value : (told?.summary.match ?? "");
  const own = model.mine.some((one) => one.match === match) || (link.way === "key" && model.match?.key === link.value);
  const join = async () => {
    if (busy || model.link !== "up") return;
    setBusy(true);
    const wanted = name.trim();
    const known = !wanted || wanted === model.name || (await way.rename(wanted));
    setBusy(false);
    if (known) way.enter(link.way === "key" ? { type: "join", key: link.value } : { type: "join", match: link.value });
  };
  const suggestion = String(way.nameRefused.value?.data.suggestion ?? "");
  if (own) return html`<${OwnInvitation} app=${app} match=${match || (model.match?.match ?? "")} />`;
  return html`<main class="page">
    <${Bar} app=${app} title=${T.app} />
    <section class="card invitation">
      ${refused ? html`<h2>${T.joining.refused}</h2>${row && html`<p><b>${titleOf(model, row.game)}</b> <span dir="auto">${row.names.filter(Boolean).join(", ")}</span></p>`}` : html`<${Terms} app=${app} row=${row} />`}
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

/** The clock in words: who is invited may be new to "3+2". @param {import("../conversation/messages.d.ts").ClockRule} rule */
function clockWords({ per_move_ms, total_ms, increment_ms }) {
  if (per_move_ms) return T.joining.eachMove(spanText(per_move_ms));
  return total_ms ? T.joining.each(spanText(total_ms), increment_ms ? spanText(increment_ms) : "") : T.joining.noClock;
}

/** Who invites to what, with which options and clock, and which side is still free. @param {{ app: App, row: MatchSummary | undefined }} props */
function Terms({ app, row }) {
  const model = app.doing.seen;
  if (!row) return html`<h2>${T.joining.title}</h2>`;
  const free = row.names.indexOf(null);
  const host = row.names[1 - free] ?? "";
  const title = titleOf(model, row.game);
  const style = row.status === "waiting" ? row.styles?.[free] : undefined;
  const setup = setupText(model.games[row.game], row.options);
  return html`<h2 dir="auto">${row.status === "waiting" ? T.joining.from(host, title) : title}</h2>
    <p>${[setup, clockWords(row.clock_rule)].filter(Boolean).join(" · ")}</p>
    ${
      style &&
      html`<p class="seats"><i class="swatch" style=${{ background: style.colour }} aria-hidden="true">${style.symbol}</i>
    <span>${T.joining.side(style.name, host, free)}</span></p>`
    }`;
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
