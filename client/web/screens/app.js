/**
 * What all screens work with: what is chosen and asked on this page, whatever is shown of it.
 * @import { Snapshot } from "../conversation/messages.d.ts"
 * @import { BoardView } from "../board/board.js"
 * @import { Doing } from "../doing.js"
 * @import { Settings } from "../kept/settings.js"
 * @import { Storage } from "../kept/storage.js"
 * @import { Table } from "../shown/table.js"
 * @import { Signal } from "../vendor/preact.js"
 */
import { learned } from "../kept/learned.js";
import { keepSettings } from "../kept/settings.js";
import { firstUndone } from "../shown/lessons.js";
import { nextVersion, winsBySurrender } from "../shown/seen.js";
import { Sounds } from "../shown/sounds.js";
import { channelOf, Tabs } from "../shown/tabs.js";
import { effect, signal } from "../vendor/preact.js";
import { Way } from "./way.js";

const CHOICE = "choice";
const TURNED = "turned";
const MUTED = "muted";
/** Matches of which such a choice is remembered. */
const REMEMBERED = 8;
/** Whether the system asks for less motion. */
export const STILL = matchMedia("(prefers-reduced-motion: reduce)");

/** @typedef {{ doing: Doing, storage: Storage, settings: Signal<Settings>, page: string }} Given */

export class App {
  /** The board on screen. @type {BoardView | null} */
  board = null;
  /** What goes with matches: there before the first of them is shown. @type {Table} */
  table = /** @type {any} */ (null);
  /** The elements that are picked on it. @type {Signal<readonly string[]>} */
  picked = signal(/** @type {readonly string[]} */ ([]));
  /** The action that is asked about before it is done; "" for none. */
  asked = signal("");
  /** The version of the match when it was asked, with one's own moves that were on their way. */
  askedAt = 0;
  /** Who would have won by a surrender then: once that is another, it is another question. */
  #winnerThen = /** @type {number | null} */ (null);
  /** What lies over the page: "name", "settings", "save", "revert"; "" for nothing. */
  dialog = signal("");
  /** What is half written in the chat, and why the last line was not sent. */
  draft = signal("");
  notSaid = signal("");
  /** Whether a match on screen tells beside its board what is amiss with the connection. */
  tellsAmiss = signal(false);
  /** Lines that others said in this match while the chat was not in sight. */
  unread = signal(0);
  #chatOf = "";
  /** The matches whose board the person has turned, and those in which nothing is read of what others say. */
  turned = signal(/** @type {string[]} */ ([]));
  muted = signal(/** @type {string[]} */ ([]));
  /** @type {(() => void) | null} what waits for a name */
  #afterName = null;
  /** @type {Map<string, string>} lines that are on their way, by ref */
  #saying = new Map();

  /** @param {Given} given */
  constructor({ doing, storage, settings, page }) {
    this.doing = doing;
    this.storage = storage;
    this.settings = settings;
    this.page = page;
    this.way = new Way(doing);
    this.tabs = new Tabs(channelOf(page));
    this.sounds = new Sounds(settings, this.tabs);
    this.turned.value = (storage.get(TURNED) ?? "").split(" ");
    this.muted.value = (storage.get(MUTED) ?? "").split(" ");
    this.#shareMatches();
    doing.listen((event, model) => this.#heard(event, model));
    const dark = matchMedia("(prefers-color-scheme: dark)");
    const look = () => {
      const { theme, board, motion } = settings.value;
      const isDark = theme === "dark" || (theme === "system" && dark.matches);
      document.documentElement.dataset.theme = isDark ? "dark" : "light";
      document.documentElement.dataset.board = board;
      document.documentElement.dataset.motion = motion ? "on" : "off";
    };
    effect(look);
    effect(() => {
      document.documentElement.dataset.link = doing.seen.link;
    });
    dark.addEventListener("change", look);
  }

  /** @param {import("../shown/model.js").Change} event @param {import("../shown/seen.js").Model} model */
  #heard(event, model) {
    const you = model.match?.you ?? [];
    const chatOf = model.match?.match ?? "";
    if (chatOf !== this.#chatOf || event.type === "cleared") this.readAll();
    this.#chatOf = chatOf;
    const about = "match" in event && "version" in event ? `${event.match} ${event.version}` : "";
    if (event.type === "moved") {
      if (winsBySurrender(model) !== this.#winnerThen) this.asked.value = "";
      if (document.visibilityState === "visible")
        this.sounds.play(event.scores ? "gain" : you.includes(event.seat) ? "move" : "theirs", about);
      else if (event.to_move !== null && you.includes(event.to_move)) this.sounds.play("turn", about);
    } else if (event.type === "joined" && event.status === "playing") this.sounds.play("begin", about);
    else if (event.type === "ended") this.sounds.play("end", about);
    else if (
      event.type === "said" &&
      !(event.seat !== null && you.includes(event.seat)) &&
      !this.isMuted(event.match)
    ) {
      this.unread.value += 1;
      this.sounds.play("said", `${event.match} ${event.channel} ${event.number}`);
    } else if (event.type === "offered" && !you.includes(event.seat)) this.sounds.play("turn", about);
    else if (event.type === "challenged" && !event.mine) this.sounds.play("turn", event.challenge);
    else if (event.type === "snapshot" && event.plies === 0) this.asked.value = "";
    else if (event.type === "settled" && event.command.type === "say") this.#wasSaid(event.command.ref, event.answer);
  }

  /** What is played in one tab is known in the person's others: the way to it, and when there is none any more (`P25`). */
  #shareMatches() {
    const { doing, tabs } = this;
    let shared = doing.seen.mine;
    effect(() => {
      const { mine, player } = doing.seen;
      if (mine === shared || !player) return;
      const before = new Set(shared.map((one) => one.match));
      const now = new Set(mine.map((one) => one.match));
      const begun = mine.filter((one) => !before.has(one.match) && one.game);
      const over = shared.filter((one) => !now.has(one.match)).map((one) => one.match);
      shared = mine;
      if (begun.length + over.length > 0) tabs.tell({ player, begun, over });
    });
    tabs.listen((message) => {
      if (message.player !== doing.seen.player) return;
      doing.knowElsewhere(message.begun, message.over);
      shared = doing.seen.mine;
    });
  }

  // Names -----------------------------------------------------------------------------------------------------------

  /** Do it once one has a name. @param {() => void} then */
  withName(then) {
    if (!this.doing.isNamed.value) this.askName(then);
    else then();
  }

  /** @param {(() => void) | null} then */
  askName(then) {
    this.#afterName = then;
    this.way.nameRefused.value = null;
    this.dialog.value = "name";
  }

  /** @param {boolean} [isKnown] */
  nameIsKnown(isKnown = true) {
    const then = this.#afterName;
    this.#afterName = null;
    this.dialog.value = "";
    if (isKnown) then?.();
  }

  /** Sit at this tab as somebody else: the seat and the token of the other tab stay as they are (`P26`). */
  asAnotherGuest() {
    const address = new URL(this.page);
    address.searchParams.set("guest", "new");
    // Another address than before, which is loaded; a reload right behind it would load the old one again.
    location.assign(`${address.pathname}${address.search}${location.hash}`);
    if (address.search === location.search) location.reload();
  }

  // In a match ------------------------------------------------------------------------------------------------------

  /** Ask whether an action is meant, in the match as it is now. @param {string} action */
  ask(action) {
    this.asked.value = action;
    this.askedAt = nextVersion(this.doing.seen);
    this.#winnerThen = winsBySurrender(this.doing.seen);
  }

  /** @param {string} text */
  say(text) {
    const ref = this.doing.say(text);
    this.notSaid.value = "";
    if (!ref) return;
    this.#saying.set(ref, text);
    this.draft.value = "";
  }

  /** A line that was refused is back in its field, with the reason (`P62`). @param {string} ref @param {import("../conversation/messages.d.ts").Reply} answer */
  #wasSaid(ref, answer) {
    const text = this.#saying.get(ref);
    this.#saying.delete(ref);
    if (text === undefined || answer.type !== "refused") return;
    // Where the next line is being typed already, the one that was refused stands beside the reason.
    const isFree = !this.draft.value || this.draft.value === text;
    if (isFree) this.draft.value = text;
    this.notSaid.value = isFree ? answer.text : `“${text}” – ${answer.text}`;
  }

  readAll() {
    if (this.unread.value > 0) this.unread.value = 0;
  }

  /** Turn the board of a match; it stays so through a reload (`P51`). @param {string} match */
  turn(match) {
    this.#toggle(this.turned, TURNED, match);
  }

  /** Read nothing of what others say in a match, also after a reload, or read it again (`P61`). @param {string} match */
  mute(match) {
    this.#toggle(this.muted, MUTED, match);
    this.readAll();
  }

  /** @param {string} match */
  isMuted(match) {
    return this.muted.value.includes(match);
  }

  /** @param {Signal<string[]>} matches @param {string} name @param {string} match */
  #toggle(matches, name, match) {
    const known = matches.value;
    matches.value = known.includes(match) ? known.filter((one) => one !== match) : [...known, match].slice(-REMEMBERED);
    this.storage.put(name, matches.value.join(" "));
  }

  /** Whether the other side is the computer's. @param {Snapshot} match */
  isAlone(match) {
    return this.lastChoice().opponent === "computer" && match.private;
  }

  /** The next task of a game, with nobody. @param {import("../conversation/messages.d.ts").GameInfo} game */
  learn(game) {
    const lesson = firstUndone(game, learned(this.storage, game.name));
    this.way.enter({ type: "create", game: game.name, lesson });
  }

  // What is chosen --------------------------------------------------------------------------------------------------

  openSettings() {
    this.dialog.value = "settings";
  }

  /** Whether things may move. */
  moves() {
    return this.settings.value.motion && !STILL.matches;
  }

  /** @param {Partial<Settings>} chosen */
  choose(chosen) {
    this.settings.value = { ...this.settings.value, ...chosen };
    keepSettings(this.storage, this.settings.value);
  }

  /** @returns {Partial<import("../shown/choice.js").Choice>} */
  lastChoice() {
    try {
      const found = JSON.parse(this.storage.get(CHOICE) ?? "{}");
      return typeof found === "object" && found !== null ? found : {};
    } catch {
      return {};
    }
  }

  /** @param {object} choice */
  keepChoice(choice) {
    this.storage.put(CHOICE, JSON.stringify(choice));
  }

  /** What the HTTP API wants to hear from this guest. @returns {Record<string, string>} */
  authorization() {
    const { token } = this.doing.session;
    return token ? { authorization: `Bearer ${token}` } : {};
  }
}
