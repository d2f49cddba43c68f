/**
 * The way through the page: which screen the address asks for, what leads to a match, and under which name.
 *
 * The address says what is shown: `#watch=ID` a match, `#host` a form, nothing the front page. Going back and forward
 * sends nothing but the wish to see: a seat is kept, and the way back to it is on every screen (`P28`, `P29`).
 * @import { ChallengeOver, Refused, Reply } from "../conversation/messages.d.ts"
 * @import { Doing } from "../doing.js"
 * @import { Change } from "../shown/model.js"
 * @import { Link } from "../shown/links.js"
 */
import { NAMELESS } from "../kept/identity.js";
import { parseLink } from "../shown/links.js";
import { batch, signal } from "../vendor/preact.js";

const FORMS = /** @type {const} */ (["host", "here", "computer", "find", "friend", "challenge"]);
const PAGES = /** @type {const} */ (["saved", "settings", "help"]);

/**
 * Which screen, and about what: the game of a form or a help page, the id or key of a link.
 * @typedef {{ screen: typeof FORMS[number] | typeof PAGES[number] | "front" | "match" | "link", about: string, link: Link | null }} Route
 */

/** What the address asks for; a damaged link is told on the front page. @param {string} hash @returns {Route} */
export function routeOf(hash) {
  const link = parseLink(hash);
  if (link) return { screen: link.way === "watch" ? "match" : "link", about: link.value, link };
  const [screen = "", about = ""] = hash.replace(/^#/, "").split("/");
  const known = [...FORMS, ...PAGES].find((name) => name === screen);
  if (known) return { screen: known, about: /^[\w-]*$/.test(about) ? about : "", link: null };
  return { screen: "front", about: hash.replace(/^#/, ""), link: null };
}

export class Way {
  route = signal(routeOf(location.hash));
  /** What was refused about the name, and what might be taken instead. */
  nameRefused = signal(/** @type {Refused | null} */ (null));
  /** Why the match that was asked for is not here. */
  entryRefused = signal(/** @type {Refused | null} */ (null));
  /** Whether the hub does not know this browser any more. */
  newGuest = signal(false);
  /** Whether what leads to a match is on its way. */
  entering = signal(false);
  /** Who is to be challenged by the form. */
  whom = signal("");
  /** Challenges that have led to their match: who comes back is told of them again. @type {Set<string>} */
  #led = new Set();
  /** @type {string} the ref of the command that leads to a match; "" for none */
  #entry = "";
  /** @type {((renamed: boolean) => void) | null} */
  #renaming = null;
  /** The name that one had before. */
  #before = "";

  /** @param {Doing} doing */
  constructor(doing) {
    this.doing = doing;
    doing.listen((event) => batch(() => this.#happened(event)));
    addEventListener("popstate", () => this.#addressChanged());
    this.#follow();
  }

  /** @param {Change} event */
  #happened(event) {
    switch (event.type) {
      case "welcome":
        this.#renamed(true);
        break;
      case "new_guest":
        this.newGuest.value = true;
        break;
      case "refused":
        this.#refused(event);
        break;
      case "settled":
        if (event.command.ref === this.#entry) this.#answered(event.answer);
        break;
      case "snapshot":
        if (this.#entry !== "") this.#show(event.match);
        break;
      case "challenge_over":
        this.#challengeOver(event);
        break;
      case "rematched":
        if (this.route.value.about === event.match) this.enter({ type: "watch", match: event.next });
        break;
      default:
    }
  }

  /** To the match that was agreed; nobody is taken away from one that is being played. @param {ChallengeOver} event */
  #challengeOver({ challenge, fate, mine }) {
    const { match } = this.doing.model.value;
    const plays = match?.status === "playing" && match.you.length > 0;
    if (fate !== "accepted" || !mine || plays || this.#led.has(challenge)) return;
    this.#led.add(challenge);
    this.enter({ type: "watch", match: challenge });
  }

  /** @param {Refused} refused */
  #refused(refused) {
    if (this.doing.session.isOnline) {
      if (this.doing.seen.match === null) this.entryRefused.value = refused;
      return;
    }
    this.nameRefused.value = refused;
    this.#renamed(false);
    // Meanwhile one goes on under the name that one had.
    this.doing.introduce(this.#before || NAMELESS, true);
  }

  /** @param {boolean} done */
  #renamed(done) {
    const wished = this.#renaming;
    this.#renaming = null;
    wished?.(done);
  }

  /** @param {Reply} answer */
  #answered(answer) {
    this.entering.value = false;
    this.#entry = "";
    if (answer.type === "refused") this.entryRefused.value = answer;
    else if (answer.type === "accepted" && answer.match) this.#show(answer.match);
  }

  // The address -----------------------------------------------------------------------------------------------------

  /** Go to a screen, by its name and what it is about after a slash; "" is the front page. @param {string} screen @param {boolean} [instead] of the one in the history */
  go(screen, instead = false) {
    const address = screen === "" ? location.pathname + location.search : `#${screen}`;
    if (instead) history.replaceState(null, "", address);
    else history.pushState(null, "", address);
    this.#addressChanged();
  }

  /** @param {string} match */
  #show(match) {
    const { screen, about } = this.route.value;
    if (screen !== "match" || about !== match) this.go(`watch=${match}`, screen === "match" || screen === "link");
  }

  #addressChanged() {
    batch(() => {
      this.route.value = routeOf(location.hash);
      this.entryRefused.value = null;
      this.#follow();
    });
  }

  /** The match of the address is the one to follow. */
  #follow() {
    const { screen, about } = this.route.value;
    if (screen === "match" && this.doing.seen.match?.match !== about && this.#entry === "") {
      this.enter({ type: "watch", match: about });
    }
  }

  // What the person does --------------------------------------------------------------------------------------------

  /** Do what leads to a match: create, join, quick_match, watch. Once: what is on its way is waited for. @param {any} command without its ref */
  enter(command) {
    if (this.#entry !== "") return;
    this.entryRefused.value = null;
    const ref = this.doing.send((own) => ({ ...command, ref: own }));
    if (!this.doing.session.pending.some((waiting) => waiting.ref === ref)) return;
    this.#entry = ref;
    this.entering.value = true;
  }

  /** Challenge whoever was chosen, and wait for the answer on the front page. @param {any} command without its ref */
  challenge(command) {
    const ref = this.doing.send((own) => ({ ...command, ref: own }));
    const end = this.doing.listen((event) => {
      if (event.type !== "settled" || event.command.ref !== ref) return;
      end();
      if (event.answer.type === "refused") this.entryRefused.value = event.answer;
      else this.go("", true);
    });
  }

  /** Follow the match on screen no longer, and go to the front page. A seat is kept once moves were made. */
  leave() {
    this.doing.leave();
    this.go("", true);
  }

  /** Be known by another name: whether the hub agreed. @param {string} name @returns {Promise<boolean>} */
  rename(name) {
    this.nameRefused.value = null;
    this.#renamed(false);
    return new Promise((done) => {
      this.#renaming = done;
      this.#before = this.doing.isNamed.value ? this.doing.seen.name : "";
      this.doing.introduce(name);
    });
  }
}
