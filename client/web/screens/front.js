/**
 * The front page: what this is, the ways into a match, who is there and what is being played.
 * @import { App } from "./app.js"
 * @import { Row } from "../shown/lobby.js"
 * @typedef {typeof import("./parts/living.js")} Living
 */

import { learned } from "../kept/learned.js";
import { clockText } from "../shown/clocks.js";
import { progressText } from "../shown/lessons.js";
import { linkIn } from "../shown/links.js";
import { actOn, gamesListed, goingOn, others, rows, scoreOf, standing, titleOf } from "../shown/lobby.js";
import { serverNow } from "../shown/seen.js";
import { ruleText } from "../shown/spans.js";
import { T } from "../texts/en/first.js";
import { html, useEffect, useState } from "../vendor/preact.js";
import { Button, Field, Icon } from "./parts/parts.js";
import { useSeen } from "./parts/seeing.js";
import { styled } from "./styles.js";

/** How often one of the small boards moves on. */
const LIVING_MS = 1_200;
/** Rows of the lobby that are shown until more are asked for. */
const FIRST_ROWS = 10;
/** The same of one's own. */
const FIRST_OWN = 5;

/** @param {{ app: App }} props */
export function Front({ app }) {
  const { way } = app;
  const model = app.doing.seen;
  const damaged = way.route.value.about.includes("=");
  const living = useLiving(app);
  return html`<main class="front">
    <header class="hero">
      <h1>${T.app}</h1>
      <${Who} app=${app} />
      <p class="lead">${T.tagline} <span class="quiet">${T.taglineMore}</span></p>
    </header>
    ${damaged && html`<p class="notice bad" role="alert">${T.errors.badLink}</p>`}
    ${way.entryRefused.value && html`<p class="notice bad" role="alert">${way.entryRefused.value.text}</p>`}
    <${OwnMatch} app=${app} />
    <nav class="doors" aria-label=${T.front.more}>
      <${Door} icon="computer" title=${T.front.computer} more=${T.front.computerMore} onClick=${() => way.go("computer")} />
      <${Door} icon="link" title=${T.front.friend} more=${T.front.friendMore} onClick=${() => way.go("friend")} />
      <${Door} icon="find" title=${T.front.find} more=${T.front.findMore} onClick=${() => way.go("find")} />
    </nav>
    <div class="other-doors">
      <${Button} icon="settings" onClick=${() => way.go("host")}>${T.front.more}<//>
      <${Button} icon="people" onClick=${() => way.go("here")}>${T.front.here}<//>
      <${Button} icon="save" onClick=${() => way.go("saved")}>${T.front.saved}<//>
    </div>
    <div class="columns">
      <section aria-labelledby="lobby-title" class="card lobby">
        <${Own} app=${app} />
        <${Lobby} app=${app} />
        <${Over} app=${app} />
      </section>
      ${living && html`<${living.Featured} app=${app} />`}
      <section aria-labelledby="games-title" class="games">
        <h2 id="games-title">${T.front.games}</h2>
        <${Games} app=${app} living=${living} />
      </section>
    </div>
    <footer class="foot quiet small">
      <span>${T.app} ${model.server}</span>
      <a href="api/docs">API</a>
    </footer>
  </main>`;
}

/** @param {{ icon: string, title: string, more: string, onClick: () => void }} props */
function Door({ icon, title, more, onClick }) {
  return html`<button type="button" class="door" onClick=${onClick}>
    <${Icon} name=${icon} /><span class="grow"><b>${title}</b><small>${more}</small></span>
  </button>`;
}

/** Who one is, and the ways to change it and the page. @param {{ app: App }} props */
function Who({ app }) {
  const model = app.doing.seen;
  return html`<div class="who">
    ${
      model.name &&
      html`<button type="button" class="button" onClick=${() => app.askName(null)} title=${T.name.change}>
      <span class="name" dir="auto">${model.name}</span><${Icon} name="pen" />
    </button>`
    }
    <${Button} icon="help" word=${T.help.title} label=${T.help.title} onClick=${() => app.way.go("help")} />
    <${Button} icon="settings" word=${T.settings.title} label=${T.settings.title} onClick=${() => app.way.go("settings")} />
  </div>`;
}

/** The way back to the match that goes on; `beside` another one that was one's own. @param {{ app: App, beside?: boolean }} props */
export function OwnMatch({ app, beside = false }) {
  const going = goingOn(app.doing.seen);
  if (going === null) return null;
  const { match, game, opponent, waits } = going;
  const words = waits ? T.front.waitsOn : beside ? T.front.otherGoesOn : T.front.goesOn;
  const which = T.front.which(game, opponent);
  return html`<section class="own-match" role="status">
    <p class="grow"><b>${words}</b> ${which && html`<span class="name" dir="auto" title=${which}>${which}</span>`}</p>
    <${Button} kind="primary" onClick=${() => app.way.go(`watch=${match}`)}>${T.front.goBack}<//>
  </section>`;
}

/** So many names are to be chosen from. */
const NAMED = 12;

/** @param {{ app: App }} props */
function Lobby({ app }) {
  const model = app.doing.seen;
  const [shown, setShown] = useState(FIRST_ROWS);
  const found = rows(model).filter((row) => row.way !== "resume");
  const { names, more } = others(model);
  return html`
    <header class="lobby-head">
      <h2 id="lobby-title">${T.front.lobby}</h2>
      ${
        gamesListed(model).length > 1 &&
        html`<div class="buttons" role="group" aria-label=${T.front.filter}>
        ${["", ...gamesListed(model)].map(
          (
            game,
          ) => html`<${Button} key=${game} pressed=${game === model.lobbyGame} onClick=${() => app.doing.filter(game)}>
          ${game ? titleOf(model, game) : T.front.allGames}<//>`,
        )}
      </div>`
      }
    </header>
    ${
      found.length === 0
        ? html`<p class="empty quiet">${model.lobby === null ? T.loading : model.lobbyGame ? T.front.emptyFilter : T.front.empty}</p>`
        : html`<ul class="rows">
          ${found.slice(0, shown).map((row) => html`<${LobbyRow} key=${row.match} app=${app} row=${row} />`)}
        </ul>`
    }
    ${
      found.length > shown &&
      html`<${Button} kind="plain" onClick=${() => setShown(shown + FIRST_ROWS)}>${T.front.more_matches(found.length - shown)}<//>`
    }
    <${People} app=${app} names=${names} more=${more} />
    <${KeyField} app=${app} />
  `;
}

/** Who is here; a name is challenged by a click. @param {{ app: App, names: string[], more: number }} props */
function People({ app, names, more }) {
  const muted = useSeen(app, (model) => model.unchallenged);
  const down = useSeen(app, (model) => model.link === "down");
  const shown = names.slice(0, NAMED);
  const challenge = (/** @type {string} */ name) => {
    app.way.whom.value = name;
    app.way.go("challenge");
  };
  const mute = () => app.doing.send((ref) => ({ type: "mute_challenges", ref, on: !muted }));
  if (down) return html`<p class="small quiet people">${T.front.peopleUnknown}</p>`;
  return html`<p class="small quiet people">${T.front.people(names, more)}</p>
    ${
      shown.length > 0 &&
      html`<div class="whom" role="group" aria-label=${T.challenges.whom}>
      ${shown.map((name) => html`<${Button} key=${name} kind="small" onClick=${() => challenge(name)}>${T.challenges.name(name)}<//>`)}
      <${Button} kind="plain small" onClick=${mute}>${muted ? T.challenges.unmute : T.challenges.mute}<//>
    </div>`
    }`;
}

/** One's own matches that wait or are played; the server is asked for them, and for those that are over. @param {{ app: App }} props */
function Own({ app }) {
  const [, setTick] = useState(0);
  const found = rows(app.doing.seen).filter((row) => row.way === "resume" && !isOver(row));
  const runs = found.some((row) => row.own?.status === "playing" && row.own.clock !== null);
  useEffect(() => {
    app.doing.session.seeOwn(true);
    return () => app.doing.session.seeOwn(false);
  }, []);
  useEffect(() => {
    if (!runs) return undefined;
    const timer = setInterval(() => setTick((was) => was + 1), 1_000);
    return () => clearInterval(timer);
  }, [runs]);
  return html`<${OwnRows} app=${app} title=${T.front.yours} found=${found} />`;
}

/** The newest of one's own that are over: below what can be played. @param {{ app: App }} props */
function Over({ app }) {
  return html`<${OwnRows} app=${app} title=${T.front.yoursOver} found=${rows(app.doing.seen).filter(isOver)} />`;
}

/** @param {Row} row */
const isOver = (row) => row.own?.status === "ended";

/** @param {{ app: App, title: string, found: Row[] }} props */
function OwnRows({ app, title, found }) {
  const [shown, setShown] = useState(FIRST_OWN);
  if (found.length === 0) return null;
  return html`<div class="own-matches">
    <h2>${title}</h2>
    <ul class="rows">
      ${found.slice(0, shown).map((row) => html`<${LobbyRow} key=${row.match} app=${app} row=${row} />`)}
    </ul>
    ${found.length > shown && html`<${Button} kind="plain" onClick=${() => setShown(found.length)}>${T.front.more_matches(found.length - shown)}<//>`}
  </div>`;
}

/** How one's own match stands, and what can be done to it besides going there. @param {{ app: App, row: Row, own: import("../conversation/messages.d.ts").OwnMatch }} props */
function Standing({ app, own }) {
  const model = app.doing.seen;
  const { stands, leftMs } = standing(own, model.ownAtMs, serverNow(model, app.doing.now()), {
    stoppedMs: model.ownStoppedMs,
    mostMs: model.ownHeld[own.match] ?? null,
  });
  return html`<span class="stands ${stands}">${T.own.stands[stands]}${leftMs === null ? "" : ` ${clockText(leftMs)}`}</span>
    <span class="quiet small">${[scoreOf(own), own.private ? T.own.private : ""].filter(Boolean).join(" · ")}</span>`;
}

/** Cancel, surrender (asked once) or forget. @param {{ app: App, row: Row, own: import("../conversation/messages.d.ts").OwnMatch }} props */
function DropButton({ app, row, own }) {
  const [asks, setAsks] = useState(false);
  const act = actOn(own);
  const drop = () => {
    if (act === "abandon" && !asks) setAsks(true);
    else app.doing.drop(row.match, act);
  };
  const label = asks ? T.own.surely : T.own.acts[act];
  return html`<${Button} kind=${asks ? "danger" : "plain"} onClick=${drop} label=${`${label}: ${row.title}`}>${label}<//>`;
}

/** @param {{ app: App, row: Row }} props */
function LobbyRow({ app, row }) {
  const model = app.doing.seen;
  const over = isOver(row);
  const label = over ? T.own.look : { join: T.front.join, watch: T.front.watch, resume: T.front.resume }[row.way];
  const named = row.names.filter(Boolean);
  const now = serverNow(model, app.doing.now());
  const details = [
    row.setup,
    row.clock ? ruleText(row.clock) : "",
    row.spectators ? T.front.watching(row.spectators) : "",
  ];
  const open = () => {
    if (row.way === "join") app.withName(() => app.way.enter({ type: "join", match: row.match }));
    else app.way.go(`watch=${row.match}`);
  };
  return html`<li class="row">
    <span class="grow">
      <b>${row.title}</b> <span class="quiet small">${details.filter(Boolean).join(" · ")}</span>
      <span class="players">
        ${row.names.map((name, seat) => name && html`<span class="side">${row.styles && html`<i class="swatch" style=${{ background: row.styles[seat]?.colour }} aria-hidden="true">${row.styles[seat]?.symbol}</i>`}<span class="name" dir="auto">${name}</span></span>`)}
        ${row.own && html`<${Standing} app=${app} own=${row.own} />`}
        ${row.createdMs !== null && now !== null && html`<span class="quiet small">${T.front.since(now - row.createdMs)}</span>`}
      </span>
    </span>
    ${row.own && html`<${DropButton} app=${app} row=${row} own=${row.own} />`}
    <${Button} kind=${row.way === "watch" || over ? "" : "primary"} onClick=${open} busy=${app.way.entering.value} label=${`${label}: ${row.title}, ${named.join(", ")}`}>${label}<//>
  </li>`;
}

/** @param {{ app: App }} props */
function KeyField({ app }) {
  const [typed, setTyped] = useState("");
  const [wrong, setWrong] = useState("");
  const go = () => {
    const link = linkIn(typed);
    if (link === null) setWrong(T.front.noKey);
    else app.way.go(`${link.way}=${link.value}`);
  };
  return html`<form class="key-form" onSubmit=${(/** @type {Event} */ event) => {
    event.preventDefault();
    go();
  }}>
    <${Field} label=${T.front.joinKey} name="key" value=${typed} placeholder=${T.front.keyHint} invalid=${wrong} onEnter=${go}
      onInput=${(/** @type {string} */ text) => {
        setTyped(text);
        setWrong("");
      }} />
    <${Button} type="submit" disabled=${!typed.trim()}>${T.front.join}<//>
  </form>`;
}

/**
 * What draws boards, once it is here: it comes last, for without it everything on this page can be read and done.
 * @param {{ doing: App["doing"] }} app @returns {Living | null}
 */
function useLiving({ doing }) {
  const [living, setLiving] = useState(/** @type {Living | null} */ (null));
  const isUp = doing.seen.link === "up";
  useEffect(() => {
    if (!isUp || living) return;
    Promise.all([import("./parts/living.js"), styled("board")]).then(
      ([found]) => setLiving(found),
      () => {
        // The games have their names; the next connection tries again.
      },
    );
  }, [isUp]);
  return living;
}

/** The games as small living boards: one of them moves at a time, for they are there to be looked at and not to be paid for. @param {{ app: App, living: Living | null }} props */
function Games({ app, living }) {
  const games = Object.values(app.doing.seen.games);
  const [tick, setTick] = useState(0);
  useEffect(() => {
    if (!app.moves()) return undefined;
    const timer = setInterval(() => {
      if (document.visibilityState === "visible" && document.hasFocus()) setTick((was) => was + 1);
    }, LIVING_MS);
    return () => clearInterval(timer);
  }, []);
  return html`<ul class="game-list">
    ${games.map((game, at) => {
      const steps = Math.floor((tick + games.length - 1 - at) / games.length);
      return html`<li key=${game.name} class="game-card">
        <button type="button" class="game" onClick=${() => app.way.go(`host/${game.name}`)}>
          ${living ? html`<${living.Example} app=${app} game=${game.name} steps=${steps} />` : html`<div class="board-picture"></div>`}
          <b>${game.title}</b><small class="quiet">${game.summary}</small>
        </button>
        <${Ways} app=${app} game=${game} />
      </li>`;
    })}
  </ul>`;
}

/** Against whom a game is played, straight from its card. @param {{ app: App, game: import("../conversation/messages.d.ts").GameInfo }} props */
function Ways({ app, game }) {
  const ways = Object.entries(T.front.ways).filter(([way]) => way !== "computer" || game.computer);
  return html`<div class="ways" role="group" aria-label=${game.title}>
    ${ways.map(([way, words]) => html`<${Button} key=${way} kind="small" label=${`${game.title}: ${words}`} onClick=${() => app.way.go(`${way}/${game.name}`)}>${words}<//>`)}
    ${
      game.lessons.length > 0 &&
      html`<${Button} kind="small learn" label=${T.learn.about(game.title)} busy=${app.way.entering.value} onClick=${() => app.learn(game)}>${T.learn.learn} ${progressText(game, learned(app.storage, game.name))}<//>`
    }
  </div>`;
}
