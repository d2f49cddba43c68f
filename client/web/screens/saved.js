/**
 * Saved games (`DB 7.3.3`): kept in the browser by name and as files, in the same form as the other clients'.
 * @import { App } from "./app.js"
 * @import { Listed, SavedGame } from "../kept/saves.js"
 */
import {
  checkedName,
  fromRecord,
  fromText,
  listSaved,
  removeSaved,
  SaveError,
  sameOptions,
  save,
  toText,
} from "../kept/saves.js";
import { seatName } from "../shown/position.js";
import { T } from "../texts/en/later.js";
import { html, useState } from "../vendor/preact.js";
import { offerFile, textOf } from "./files.js";
import { download, NO_CLOCK, withRecord } from "./match/afterwards.js";
import { Dialog } from "./parts/asking.js";
import { Bar } from "./parts/bar.js";
import { Button, Field } from "./parts/parts.js";

/** Why it was not done, in words. @param {unknown} error */
function words(error) {
  if (!(error instanceof SaveError)) throw error;
  return (T.saved.wrong[error.code] ?? T.saved.wrong.save_damaged)?.(error.values) ?? error.code;
}

/** @param {{ app: App }} props */
export function Saved({ app }) {
  const [listed, setListed] = useState(() => listSaved(app.storage));
  const [opened, setOpened] = useState(/** @type {Listed | null} */ (null));
  const [wrong, setWrong] = useState("");
  const [over, setOver] = useState(false);
  const open = async (/** @type {Iterable<File> | null | undefined} */ files) => {
    for (const file of files ?? []) {
      try {
        setOpened({ name: file.name.replace(/(\.json|\.txt)+$/i, ""), savedAt: 0, game: fromText(await textOf(file)) });
        setWrong("");
      } catch (error) {
        setWrong(`${file.name}: ${words(error)}`);
      }
    }
  };
  const remove = (/** @type {Listed} */ one) => {
    removeSaved(app.storage, one.name);
    setListed(listSaved(app.storage));
  };
  return html`<main class=${`page saved ${over ? "drop" : ""}`}
    onDragOver=${(/** @type {DragEvent} */ event) => {
      event.preventDefault();
      setOver(true);
    }}
    onDragLeave=${() => setOver(false)}
    onDrop=${(/** @type {DragEvent} */ event) => {
      event.preventDefault();
      setOver(false);
      open(event.dataTransfer?.files);
    }}>
    <${Bar} app=${app} title=${T.saved.title} />
    <section class="card">
      ${wrong && html`<p class="notice bad" role="alert">${wrong}</p>`}
      ${app.way.entryRefused.value && html`<p class="notice bad" role="alert">${app.way.entryRefused.value.text}</p>`}
      ${opened && html`<${Entry} key="opened" app=${app} one=${opened} begun=${true} />`}
      ${listed.length === 0 && !opened ? html`<p class="empty quiet">${T.saved.empty}</p>` : null}
      <ul class="rows">${listed.map((one) => html`<li key=${one.name}><${Entry} app=${app} one=${one} begun=${false} onRemove=${() => remove(one)} /></li>`)}</ul>
      <label class="button file"><input type="file" class="hidden-text" onChange=${(/** @type {any} */ event) => {
        open(event.target.files);
        event.target.value = "";
      }} />
        <span>${over ? T.saved.drop : T.saved.open}</span></label>
    </section>
  </main>`;
}

/** One saved game, and the ways to go on from it. @param {{ app: App, one: Listed, begun: boolean, onRemove?: () => void }} props */
function Entry({ app, one, begun, onRemove }) {
  const { games } = app.doing.seen;
  const [isOpen, setOpen] = useState(begun);
  const [asks, setAsks] = useState(false);
  const { game } = one;
  const start = (/** @type {Record<string, unknown>} */ how) =>
    app.way.enter({
      type: "create",
      game: game.game,
      options: game.options,
      moves: game.moves,
      clock: NO_CLOCK,
      ...how,
    });
  return html`<div class="row saved-row">
    <button type="button" class="saved-name grow" aria-expanded=${isOpen} onClick=${() => setOpen(!isOpen)}>
      <b class="name" dir="auto">${one.name}</b>
      <span class="quiet small">${games[game.game]?.title ?? game.game} · <span dir="auto">${game.names.join(" – ")}</span> · ${T.saved.moves(game.moves.length)}${one.savedAt ? ` · ${T.saved.when(one.savedAt)}` : ""}</span>
    </button>
    ${
      isOpen &&
      html`<div class="buttons">
      <${Button} kind="primary" onClick=${() => app.withName(() => start({ private: true }))}>${T.saved.somebody}<//>
      ${games[game.game]?.computer && html`<${Button} onClick=${() => start({ computer: true })}>${T.saved.computer}<//>`}
      <${Button} onClick=${() => start({ both_seats: true })}>${T.saved.both}<//>
      ${games[game.game]?.computer && game.moves.length > 0 && html`<${Button} onClick=${() => start({ review: true, names: game.names })}>${T.actions.review}<//>`}
      <${Button} icon="save" onClick=${() => offerFile(toText(game), one.name)}>${T.saved.download}<//>
      ${onRemove && (asks ? html`<${Button} kind="danger" onClick=${onRemove}>${T.saved.removeAsk(one.name)}<//>` : html`<${Button} onClick=${() => setAsks(true)}>${T.saved.remove}<//>`)}
    </div>`
    }
  </div>`;
}

/** Save the match on screen under a name. @param {{ app: App }} props */
export function SaveDialog({ app }) {
  const { match } = app.doing.seen;
  const [name, setName] = useState(
    match
      ? `${seatName(match, 0)} - ${seatName(match, 1)} ${match.plies}`.replace(/[^\p{L}\p{M}\p{N} \-_.'()]/gu, "_")
      : "",
  );
  const [wrong, setWrong] = useState("");
  const [taken, setTaken] = useState(false);
  const [done, setDone] = useState("");
  const close = () => {
    app.dialog.value = "";
  };
  const keep = (/** @type {boolean} */ replace) => {
    try {
      checkedName(name);
    } catch (error) {
      setWrong(words(error));
      return;
    }
    withRecord(app, (record) => {
      try {
        setDone(save(app.storage, fromRecord(record), name, { replace, now: Date.now() }));
        setWrong("");
      } catch (error) {
        setTaken(error instanceof SaveError && error.code === "save_name_taken");
        setWrong(words(error));
      }
    });
  };
  return html`<${Dialog} title=${T.saved.saveAs} onClose=${close}>
    ${
      done
        ? html`<p role="status">${T.saved.done(done)}</p><div class="buttons"><${Button} kind="primary" onClick=${close}>${T.settings.done}<//></div>`
        : html`<${Field} label=${T.saved.saveAs} hide=${true} name="save" value=${name} maxLength=${80} invalid=${wrong}
            onInput=${(/** @type {string} */ text) => {
              setName(text);
              setTaken(false);
              setWrong("");
            }} onEnter=${() => keep(false)} />
          <div class="buttons">
            ${taken ? html`<${Button} kind="primary" onClick=${() => keep(true)}>${T.saved.replaceYes}<//>` : html`<${Button} kind="primary" onClick=${() => keep(false)}>${T.saved.save}<//>`}
            <${Button} icon="save" onClick=${() => download(app)}>${T.saved.download}<//>
          </div>`
    }
  <//>`;
}

/** Offer to go back to a saved position of the same game and board. @param {{ app: App }} props */
export function RevertDialog({ app }) {
  const { match } = app.doing.seen;
  const close = () => {
    app.dialog.value = "";
  };
  const fitting = listSaved(app.storage).filter(
    ({ game }) => match && game.game === match.game && sameOptions(game.options, match.options),
  );
  const go = (/** @type {SavedGame} */ game) => {
    close();
    app.doing.revert(game.moves);
  };
  return html`<${Dialog} title=${T.saved.revert} onClose=${close}>
    ${
      fitting.length === 0
        ? html`<p class="quiet">${T.saved.revertEmpty}</p>`
        : html`<ul class="rows">${fitting.map(
            (
              one,
            ) => html`<li key=${one.name} class="row"><span class="grow"><b class="name">${one.name}</b> <span class="quiet small">${T.saved.moves(one.game.moves.length)}</span></span>
          <${Button} kind="primary" onClick=${() => go(one.game)}>${T.saved.goOn}<//></li>`,
          )}</ul>`
    }
    <div class="buttons"><${Button} onClick=${close}>${T.match.close}<//></div>
  <//>`;
}
