/**
 * What a person does, as commands to the session, and what comes of it: the model as a signal that screens read.
 * @import { ClockRule, Command, Snapshot } from "./conversation/messages.d.ts"
 * @import { Session } from "./conversation/session.js"
 * @import { Transport } from "./conversation/transport.js"
 * @import { Change } from "./shown/model.js"
 * @import { Link } from "./shown/links.js"
 * @import { Model } from "./shown/seen.js"
 * @import { Signal } from "./vendor/preact.js"
 */
import { Backlog } from "./conversation/pending.js";
import { NAMELESS } from "./kept/identity.js";
import { ByParts } from "./shown/by_parts.js";
import { commandFor } from "./shown/controls.js";
import { Eyes } from "./shown/eyes.js";
import { updateAt } from "./shown/held.js";
import { nextPly } from "./shown/review.js";
import { NOTHING, nextVersion } from "./shown/seen.js";
import { batch, signal } from "./vendor/preact.js";

/**
 * What was chosen in the form for a match. `clock` null: the game's own; a rule without times: none.
 * @typedef {object} Choice
 * @property {string} game
 * @property {Record<string, number | string | boolean>} options
 * @property {"somebody" | "computer" | "both"} opponent
 * @property {boolean} [private]
 * @property {ClockRule | null} [clock]
 * @property {number} [graceS]
 * @property {boolean} [spectators] whether a private match may be watched by its link
 * @property {number} [delayPlies]
 * @property {string} [level] how well the computer plays; none: the game's usual level
 * @property {number} [seat] where one sits, unless both sit here; seat 0 begins
 * @property {string[]} [moves] those of a saved game to start from
 */

export class Doing {
  /** Everything on screen. @type {Signal<Readonly<Model>>} */
  model = signal(NOTHING);
  #parts = new ByParts(NOTHING);
  /** Whether the person has said a name; until then one is a nameless guest, who may look at everything. */
  isNamed = signal(false);
  /** @type {Transport | null} */
  #transport = null;
  /** @type {Set<(event: Change, model: Model) => void>} */
  #listeners = new Set();
  /** What is chosen for the next match of the same kind. @type {Choice | null} */
  lastChoice = null;
  #eyes = new Eyes();

  /** @param {Session} session */
  constructor(session) {
    this.session = session;
  }

  /** Let the session be carried. @param {Transport} transport */
  carriedBy(transport) {
    this.#transport = transport;
  }

  /** The model for what is drawn: who reads it waits for the parts that were read, and for no others. */
  get seen() {
    return this.#parts.seen;
  }

  /** Ms of the session's clock, as `downSince` and the countdowns count them. */
  now() {
    return this.#transport?.around.now() ?? 0;
  }

  /** When the next try to connect comes, in ms of the session's clock; null while there is a connection. */
  get nextTry() {
    return this.#transport?.nextTry ?? null;
  }

  /** Connect now and not only when the next try is due. */
  retry() {
    this.#transport?.wake();
  }

  /** Be told of every change, after the model has taken it. @param {(event: Change, model: Model) => void} call @returns {() => void} ends it */
  listen(call) {
    this.#listeners.add(call);
    return () => this.#listeners.delete(call);
  }

  /** Bring the model forward by what happened in the session. */
  catchUp() {
    const events = this.session.events();
    if (events.length > 0) this.#take(events);
  }

  /** @param {readonly Change[]} changes */
  #take(changes) {
    // Screens see the model after all of them, so that a burst is drawn once, and once with what listeners make of it;
    // those hear each.
    let model = this.model.value;
    const now = this.now();
    const steps = changes.map((change) => {
      model = updateAt(model, change, now);
      this.#eyes.look(model.match, now);
      return /** @type {const} */ ([change, model]);
    });
    batch(() => {
      this.model.value = model;
      this.#parts.take(model);
      for (const [change, then] of steps) for (const call of this.#listeners) call(change, then);
    });
    if (steps.some(([change]) => isAboutReview(change))) this.#followReview();
  }

  /** A sentence of the page's own, where the server's refusals stand; `code` names it. @param {string} code @param {string} [text] */
  tell(code, text = "") {
    this.#take([{ type: "told", text, code }]);
  }

  /** Take back what was told last, if it was told with this code. @param {string} code */
  forget(code) {
    if (this.model.peek().notice.code === code) this.tell("");
  }

  /** Send a command, now or as soon as there is a connection; "" when too many wait already. @param {(ref: string) => Command} make @returns {string} its ref */
  send(make) {
    const ref = this.session.ref();
    const command = make(ref);
    this.#eyes.sent(command);
    try {
      this.session.send(command);
    } catch (error) {
      if (!(error instanceof Backlog)) throw error;
      this.tell("backlog");
      return "";
    }
    this.#transport?.flush();
    this.catchUp();
    return ref;
  }

  /**
   * Be called so from now on; `name_in_use` among the refusals comes with a suggestion. A connection has one name, so
   * another one is made, and what is on screen goes on. `again`: it is the name from before, to which a number may be
   * added.
   * @param {string} name
   * @param {boolean} [again]
   */
  introduce(name, again = false) {
    const wasOnline = this.session.isOnline;
    this.isNamed.value = name !== NAMELESS;
    this.session.introduce(name, again);
    if (wasOnline) this.#transport?.renew();
    else this.#transport?.flush();
  }

  /** Be told of the lobby, or no longer. @param {boolean} on */
  watchLobby(on) {
    this.session.watchLobby(on);
    this.#transport?.flush();
  }

  // Entering ---------------------------------------------------------------------------------------------------------

  /** Host a match (`CK R1.2`): against somebody, the computer (`SQ2`), or both at this screen (`DB 1.8`). @param {Choice} choice */
  create(choice) {
    this.lastChoice = choice;
    return this.send((ref) => ({
      type: "create",
      ref,
      game: choice.game,
      options: choice.options,
      private: choice.opponent === "somebody" && (choice.private ?? false),
      both_seats: choice.opponent === "both",
      computer: choice.opponent === "computer",
      level: choice.opponent === "computer" ? (choice.level ?? "") : "",
      seat: choice.opponent === "both" ? 0 : (choice.seat ?? 0),
      clock: choice.clock ?? null,
      grace_s: choice.graceS ?? 30,
      spectators: choice.spectators ?? false,
      delay_plies: choice.delayPlies ?? 0,
      moves: choice.moves ?? [],
    }));
  }

  /** Be paired with whoever waits for the same (`UD RF2`). @param {Choice} choice */
  quickMatch(choice) {
    this.lastChoice = choice;
    const { game, options, clock = null } = choice;
    return this.send((ref) => ({ type: "quick_match", ref, game, options, clock }));
  }

  /** Do what a link asks for. @param {Link} link */
  open(link) {
    return this.send((ref) => {
      if (link.way === "watch") return { type: "watch", ref, match: link.value };
      return {
        type: "join",
        ref,
        match: link.way === "join" ? link.value : "",
        key: link.way === "key" ? link.value : "",
      };
    });
  }

  /** Go on with a match of one's own. @param {string} match */
  resume(match) {
    return this.open({ way: "watch", value: match });
  }

  // In a match -------------------------------------------------------------------------------------------------------

  /** @param {(ref: string, match: Snapshot) => Command} make */
  #about(make) {
    const match = this.model.value.match;
    return match === null || !match.match ? "" : this.send((ref) => make(ref, match));
  }

  /** Send a move in the position that one's own pending moves lead to; legal or not, the server has the words. @param {string} move */
  play(move) {
    const version = nextVersion(this.model.value);
    return this.#about((ref, match) => ({ type: "move", ref, match: match.match, version, move }));
  }

  /**
   * One of the actions of the table that are a command by themselves.
   * @param {string} action
   * @param {number} [version] that of the match when the person was asked whether it is meant; of now without a question
   */
  act(action, version = nextVersion(this.model.value)) {
    if (this.isAsked(action)) return "";
    return this.#about((ref, match) => {
      this.#eyes.look(match, this.now());
      const command = commandFor(action, ref, { match: match.match, version, offer: this.#eyes.seen(this.now()) });
      if (command === null) throw new RangeError(`${action} asks the server nothing`);
      return command;
    });
  }

  /** Whether the action was asked for and is not answered yet: it is not asked for twice (`P6`). @param {string} action */
  isAsked(action) {
    const { match, pending } = this.seen;
    if (match === null || pending.length === 0) return false;
    const command = commandFor(action, "", { match: match.match, version: 0, offer: 0 });
    return pending.some((one) => one.type === command?.type && what(one) === what(command));
  }

  /** Ask to go back to a saved position (`DB 7.3.3.2`). @param {string[]} moves */
  revert(moves) {
    const version = nextVersion(this.model.value);
    return this.#about((ref, match) => ({ type: "offer", ref, match: match.match, kind: "revert", moves, version }));
  }

  /** Look at the position after `ply` moves; from the newest one on, play is followed again. @param {number} ply */
  step(ply) {
    const match = this.model.value.match;
    if (match === null) return;
    if (ply >= match.plies) {
      this.#take([{ type: "stepped", ply: null }]);
      return;
    }
    const wanted = Math.max(ply, 0);
    this.#take([{ type: "stepped", ply: wanted }]);
    this.send((ref) => ({ type: "look", ref, match: match.match, ply: wanted }));
  }

  /** Ask for the match's record, or its moves after so many; the listener sees it as the answer with the ref that is returned. @param {number} [after] */
  askForRecord(after = 0) {
    return this.#about((ref, match) => ({ type: "get_record", ref, match: match.match, after }));
  }

  /** Say a line to those whom one may talk to. @param {string} text */
  say(text) {
    const said = text.trim();
    return said ? this.#about((ref, match) => ({ type: "say", ref, match: match.match, text: said })) : "";
  }

  /** Have the match that is over reviewed; again, break that off; once more, put it away. */
  review() {
    this.#take([{ type: "reviewed" }]);
    this.#followReview();
  }

  /** Ask for the next position's verdict, one at a time. */
  #followReview() {
    const { review, match, pending } = this.model.value;
    const ply = review && nextPly(review);
    if (ply === null || match === null || pending.some((one) => one.type === "analyse")) return;
    this.#about((ref, about) => ({ type: "analyse", ref, match: about.match, ply, game: "", options: {}, moves: [] }));
  }

  /** What the person has begun and ended in other tabs. @param {import("./shown/seen.js").Mine[]} begun @param {string[]} over */
  knowElsewhere(begun, over) {
    this.#take([{ type: "elsewhere", begun, over }]);
  }

  // Out of it --------------------------------------------------------------------------------------------------------

  /** Back to the lobby. Once moves were made the seat is kept. */
  leave() {
    if (this.model.value.match?.match === "") this.#take([{ type: "left", match: "" }]);
    this.session.leave();
    this.#transport?.flush();
    this.catchUp();
  }

  /** Take back a match that waits, and go to the lobby. */
  cancel() {
    this.act("cancel");
    this.leave();
  }

  /** From the list, by its row there: take it back, give it up, or have it in the list no longer. @param {string} match @param {"cancel" | "abandon" | "forget"} act */
  drop(match, act) {
    this.send((ref) => (act === "abandon" ? { type: act, ref, match, version: null } : { type: act, ref, match }));
  }

  /** After the end: an empty board and no match (`UD RF3`). */
  clear() {
    this.#take([{ type: "cleared" }]);
    this.session.leave();
    this.#transport?.flush();
    this.catchUp();
  }

  /** List the matches of one game only; "" for all. @param {string} game */
  filter(game) {
    this.#take([{ type: "filtered", game }]);
  }
}

/** Whether the next position of a review may have to be asked for now. @param {Change} change */
const isAboutReview = (change) =>
  change.type === "snapshot" || (change.type === "settled" && change.command.type === "analyse");

/** What an offer or an answer is about. @param {Command} command */
const what = (command) => ("kind" in command ? command.kind : "accept" in command ? String(command.accept) : "");
