/**
 * Start-up: who one is, the connection, what the link asks for, and then the screens.
 */
import { Session } from "./conversation/session.js";
import { browser, Transport, wakeWithTheTab } from "./conversation/transport.js";
import { Doing } from "./doing.js";
import { keepGames, readGames } from "./kept/games.js";
import { keepIdentity, NAMELESS, readIdentity, refPrefix } from "./kept/identity.js";
import { keepPage } from "./kept/renewal.js";
import { readSettings } from "./kept/settings.js";
import { Storage } from "./kept/storage.js";
import { mount } from "./screens/page.js";
import { earlySocket } from "./start.js";
import { signal } from "./vendor/preact.js";

const around = browser(earlySocket);
const storage = new Storage(around.page);
// With ?guest= somebody else sits at this tab, beside the one whom the browser knows (`P26`); a reload keeps both apart.
const own = new URL(around.page).searchParams.has("guest") ? new Storage(around.page, () => sessionStorage) : storage;
const identity = readIdentity(own);
const session = new Session(identity.name || NAMELESS, identity.token, {
  language: navigator.language.slice(0, 16),
  client: "page",
  prefix: refPrefix(),
  known: readGames(storage),
});
session.introduce(identity.name || NAMELESS, true);
const doing = new Doing(session);
doing.isNamed.value = identity.name !== "";
const transport = new Transport(session, () => doing.catchUp(), around);
doing.carriedBy(transport);
doing.listen((event) => {
  if (event.type !== "welcome") return;
  keepIdentity(own, { name: doing.isNamed.value ? session.name : "", token: session.token });
  keepGames(storage, session.known);
});

// The greeting is on its way while the page is drawn for the first time.
transport.start();
mount(/** @type {HTMLElement} */ (document.getElementById("page")), {
  doing,
  storage,
  settings: signal(readSettings(storage)),
  page: around.page,
});
wakeWithTheTab(transport);
addEventListener("load", () => keepPage(around.page));
