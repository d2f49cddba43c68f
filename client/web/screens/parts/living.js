/**
 * Boards that live without anybody at this page playing on them: the short examples of each game that the hub hands out
 * with the page, and a public match that is being played.
 * @import { MatchEvent, SeatInfo, Snapshot } from "../../conversation/messages.d.ts"
 * @import { App } from "../app.js"
 */
import { decode } from "../../conversation/wire.js";
import { advance } from "../../shown/position.js";
import { serverNow } from "../../shown/seen.js";
import { T } from "../../texts/en/first.js";
import { html, useEffect, useState } from "../../vendor/preact.js";
import { Button } from "./parts.js";
import { BoardPicture } from "./picture.js";

/** How often a match that is being played is looked at. */
const LOOK_MS = 4_000;
/** How many steps an example rests at its end before it begins anew. */
const REST = 3;

/** One game's example: the position after so many steps, again from the start when it is over. */
export class Demo {
  /** @type {Map<number, Snapshot>} */
  #positions = new Map();
  /** @param {any} told */
  constructor(told) {
    this.told = told;
    this.first = told.first ?? 0;
  }

  /** @param {number} tick @returns {Snapshot} */
  at(tick) {
    const steps = this.told.moves.length;
    const ply = Math.min((tick + this.first) % (steps + 1 + REST), steps);
    const known = this.#positions.get(ply);
    if (known) return known;
    /** @type {Snapshot["marks"]} */
    const marks = { ...this.told.marks };
    for (const { changes } of this.told.moves.slice(0, ply)) {
      for (const [id, mark] of Object.entries(changes)) {
        if (mark === null) delete marks[id];
        else marks[id] = mark;
      }
    }
    const last = ply > 0 ? this.told.moves[ply - 1] : null;
    const position = /** @type {Snapshot} */ (
      /** @type {unknown} */ ({
        match: `demo ${this.told.game}`,
        version: ply,
        plies: ply,
        game: this.told.game,
        status: "playing",
        seats: this.told.styles.map((/** @type {SeatInfo["style"]} */ style) => ({ style, name: null, here: true })),
        you: [],
        board: this.told.board,
        marks,
        focus: last?.focus ?? this.told.focus ?? [],
        legal: [],
        resting: [],
        to_move: null,
        last: last && { seat: last.seat, move: last.move, automatic: false },
      })
    );
    this.#positions.set(ply, position);
    return position;
  }
}

/** @type {Promise<Record<string, Demo>> | null} */
let fetched = null;

/** A game's example after so many steps, once the examples are here. @param {{ app: App, game: string, steps: number }} props */
export function Example({ app, game, steps }) {
  const demo = useDemos(app)?.[game];
  return demo
    ? html`<${BoardPicture} match=${demo.at(steps)} label="" moves=${false} />`
    : html`<div class="board-picture"></div>`;
}

/** The examples, once they are here. @param {App} app @returns {Record<string, Demo> | null} */
export function useDemos(app) {
  const [demos, setDemos] = useState(/** @type {Record<string, Demo> | null} */ (null));
  const connected = app.doing.seen.link === "up";
  useEffect(() => {
    if (!connected || demos !== null) return;
    fetched ??= fetch(new URL("boards.json", document.baseURI))
      .then((answer) => (answer.ok ? answer.json() : []))
      .then((/** @type {any[]} */ told) => Object.fromEntries(told.map((one) => [one.game, new Demo(one)])));
    fetched.then(setDemos, () => {
      // Without them the games have their names; the next visit asks again.
      fetched = null;
    });
  }, [connected]);
  return demos;
}

/** A match that is looked at from time to time: all of it once, then what has happened since. */
class Watched {
  #epoch = "";
  /** @type {Snapshot | null} */
  #match = null;

  /** @param {App} app @param {string} id */
  constructor(app, id) {
    this.app = app;
    this.id = id;
  }

  /** The match as it is now; null while it is not told. @returns {Promise<Snapshot | null>} */
  async look() {
    const before = this.#match;
    if (before === null) {
      this.#match = await this.#ask("").then((told) => told && whole(told, null));
      return this.#match;
    }
    const told = await this.#ask(`/updates?after=${before.version}&epoch=${encodeURIComponent(this.#epoch)}`);
    if (told === null) return before;
    this.#epoch = told.epoch;
    /** @type {Snapshot} */
    let now = told.snapshot ? whole(told.snapshot, before) : before;
    for (const event of told.updates) now = advance(now, /** @type {MatchEvent} */ (decode(JSON.stringify(event))));
    this.#match = now;
    return now;
  }

  /** @param {string} about @returns {Promise<any>} null for a refusal */
  async #ask(about) {
    const address = new URL(`api/matches/${this.id}${about}`, document.baseURI);
    const answer = await fetch(address, { headers: this.app.authorization() });
    return answer.ok ? answer.json() : null;
  }
}

/** The board is the same object as before, so that it is not drawn anew. @param {any} told @param {Snapshot | null} before */
function whole(told, before) {
  const now = /** @type {Snapshot} */ (decode(JSON.stringify({ ...told, type: "snapshot" })));
  return before ? { ...now, board: before.board } : now;
}

/** A public match that is being played: the one with most spectators, else the newest. @param {{ app: App }} props */
export function Featured({ app }) {
  const model = app.doing.seen;
  const played = (model.lobby ?? []).filter(
    (row) => row.status === "playing" && !model.mine.some((mine) => mine.match === row.match),
  );
  const chosen = played.toSorted(
    (one, other) => other.spectators - one.spectators || other.created_ms - one.created_ms,
  )[0];
  const [match, setMatch] = useState(/** @type {Snapshot | null} */ (null));
  const id = chosen?.match ?? "";
  useEffect(() => {
    setMatch(null);
    if (!id) return undefined;
    let ended = false;
    const watched = new Watched(app, id);
    const look = () => {
      if (document.visibilityState !== "visible") return;
      watched.look().then(
        (now) => {
          if (!ended && now) setMatch(now);
        },
        () => {
          // A look that fails is no fault of the page's: the next one follows.
        },
      );
    };
    look();
    const timer = setInterval(look, LOOK_MS);
    return () => {
      ended = true;
      clearInterval(timer);
    };
  }, [id]);
  if (!chosen || match === null || serverNow(model, 0) === null) return null;
  const names = match.seats.map((seat) => seat.name ?? seat.style.name);
  return html`<section class="card featured" aria-labelledby="featured-title">
    <h2 id="featured-title">${T.front.featured}</h2>
    <${BoardPicture} match=${match} label=${T.match.board(model.games[match.game]?.title ?? match.game)} moves=${app.moves()} />
    <p class="players-line">
      ${match.seats.map((seat, index) => html`<span key=${index}><i class="swatch" style=${{ background: seat.style.colour }} aria-hidden="true">${seat.style.symbol}</i><span class="name" dir="auto">${names[index]}</span></span>`)}
    </p>
    <${Button} icon="eye" onClick=${() => app.way.go(`watch=${match.match}`)}>${T.front.watch}<//>
  </section>`;
}
