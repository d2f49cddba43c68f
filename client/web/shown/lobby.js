/**
 * The lobby as rows: one's own matches that go on first, then the others, newest first, at last one's own that are over.
 * Pure.
 * @import { ClockRule, GameInfo, MatchSummary, OwnMatch, SeatStyle } from "../conversation/messages.d.ts"
 * @import { Mine, Model } from "./seen.js"
 */
import { NAMELESS } from "../kept/identity.js";
import { T } from "../texts/en/first.js";
import { LEAST_MS } from "./seen.js";

/**
 * One match in the lobby (`CK 5.3`). `way` is what opening it does; `setup` as in `setupText`.
 * @typedef {object} Row
 * @property {string} match
 * @property {"resume" | "join" | "watch"} way
 * @property {string} game its name; "" while that is not known
 * @property {string} title
 * @property {string} setup
 * @property {ClockRule | null} clock
 * @property {Array<string | null>} names by seat; of one's own matches one's own first, as its score
 * @property {[SeatStyle, SeatStyle] | null} styles
 * @property {number} spectators
 * @property {number} delayPlies
 * @property {number | null} createdMs
 * @property {OwnMatch | null} own what is known of it if it is one's own
 */

/** The rows to show. @param {Model} model @returns {Row[]} */
export function rows(model) {
  const listed = new Map((model.lobby ?? []).map((summary) => [summary.match, summary]));
  const told = new Map(model.own.map((one) => [one.match, one]));
  const own = new Set([...told.keys(), ...model.mine.map((mine) => mine.match)]);
  const others = (model.lobby ?? []).filter((row) => !own.has(row.match) && ["", row.game].includes(model.lobbyGame));
  return [
    ...model.mine.map((mine) => {
      const known = told.get(mine.match);
      if (known && known.status !== "ended") return toldRow(known, model);
      return ownRow(mine, listed.get(mine.match), model);
    }),
    ...others.map((row) => rowOf(row, model)),
    ...model.own.filter((one) => isOver(one, model)).map((one) => toldRow(one, model)),
  ];
}

/** @param {OwnMatch} one @param {Model} model */
const isOver = (one, model) => one.status === "ended" && !model.mine.some((mine) => mine.match === one.match);

/** Reasons of an end that is no draw although nobody won. */
const UNDECIDED = ["stopped", "aborted", "abandoned", "cancelled", "expired", "reviewed"];

/**
 * What bounds a clock of a row: from when on it stands still, and the most that is shown of it.
 * @typedef {{ stoppedMs?: number | null, mostMs?: number | null }} Bounds
 */

/**
 * What the side to move has left in one of one's own matches, in ms; null without a clock.
 * @param {OwnMatch} own @param {number} atMs when its clocks stood so @param {number | null} nowMs by the server's clock
 * @param {Bounds} bounds
 */
export function leftMs(own, atMs, nowMs, { stoppedMs = null, mostMs = null }) {
  const left = own.to_move === null ? undefined : own.clock?.[own.to_move];
  if (left === undefined || nowMs === null) return null;
  const counted = Math.max(Math.min(nowMs, stoppedMs ?? nowMs), own.clock_from_ms);
  const stands = Math.round(left - Math.max(counted - atMs, 0));
  return Math.max(LEAST_MS, Math.min(stands, mostMs ?? stands));
}

/**
 * How one's own match stands, in a word of the texts, and what the side to move has left (see `leftMs`).
 * @param {OwnMatch} own @param {number} atMs @param {number | null} nowMs @param {Bounds} [bounds]
 * @returns {{ stands: "waiting" | "paused" | "played" | "away" | "yours" | "theirs" | "won" | "lost" | "draw" | "nobody", leftMs: number | null }}
 */
export function standing(own, atMs, nowMs, bounds = {}) {
  if (own.status === "waiting") return { stands: "waiting", leftMs: null };
  if (own.status === "ended") return { stands: ended(own), leftMs: null };
  if (own.paused) return { stands: "paused", leftMs: null };
  const mover = own.to_move;
  if (mover === null || own.you.length === 2) return { stands: "played", leftMs: null };
  const mine = own.you.includes(mover);
  if (!mine && !own.seats[mover]?.here) return { stands: "away", leftMs: null };
  return { stands: mine ? "yours" : "theirs", leftMs: leftMs(own, atMs, nowMs, bounds) };
}

/** @param {OwnMatch} own */
function ended({ result, you }) {
  const winner = result?.winner ?? null;
  if (winner === null) return result && !UNDECIDED.includes(result.reason) ? "draw" : "nobody";
  if (you.length !== 1) return "played";
  return you.includes(winner) ? "won" : "lost";
}

/** What can be done to one's own match from its row. @param {OwnMatch} own @returns {"cancel" | "abandon" | "forget"} */
export const actOn = (own) =>
  /** @type {const} */ ({ waiting: "cancel", playing: "abandon", ended: "forget" })[own.status];

/** The seats in the order in which they are told: one's own first, as in `scoreOf`. @param {OwnMatch} own @returns {[0 | 1, 0 | 1]} */
const ownFirst = ({ you }) => (you[0] === 1 ? [1, 0] : [0, 1]);

/**
 * A match of one's own that goes on, to be gone back to: the one that is followed, or the first of the others. Its game's
 * title and the opponent are "" as long as they are not known.
 * @typedef {{ match: string, game: string, opponent: string, waits: boolean }} GoesOn
 */

/** @param {Model} model @returns {GoesOn | null} */
export function goingOn(model) {
  const { match, mine, own } = model;
  if (match !== null && match.you.length > 0 && match.status !== "ended") {
    const opponent = match.you.length === 1 ? (match.seats[1 - (match.you[0] ?? 0)]?.name ?? "") : "";
    return { match: match.match, game: titleOf(model, match.game), opponent, waits: match.status === "waiting" };
  }
  const [first] = mine;
  if (!first) return null;
  const told = own.find((one) => one.match === first.match);
  const others = told
    ? told.seats.filter((_, seat) => told.you.length === 1 && !told.you.includes(seat)).map((seat) => seat.name)
    : first.names.filter((name) => name !== model.name);
  const opponent = others.length === 1 ? (others[0] ?? "") : "";
  const game = first.game && titleOf(model, first.game);
  return { match: first.match, game, opponent, waits: told?.status === "waiting" };
}

/** How it stands, one's own score first; "" where nothing is counted, or nothing was played. @param {OwnMatch} own */
export function scoreOf(own) {
  const [mine, theirs] = ownFirst(own);
  const { plies, scores } = own;
  return plies > 0 && scores[0].length > 0 ? `${scores[mine]?.[0]} : ${scores[theirs]?.[0]}` : "";
}

/** The games that there are matches of, for a filter. @param {Model} model */
export function gamesListed(model) {
  const names = [...new Set((model.lobby ?? []).map((summary) => summary.game))];
  return names.toSorted((one, other) => titleOf(model, one).localeCompare(titleOf(model, other)));
}

/** The game's title, or its name when the server does not offer it. @param {Model} model @param {string} name */
export const titleOf = (model, name) => model.games[name]?.title ?? name;

/** What a hub makes of the name of somebody who has said none: with a number, where there are several. */
const NOBODY = new RegExp(`^${NAMELESS}( \\d+)?$`);

/** Who else is connected: the names that were said, and how many more there are. @param {Model} model */
export function others(model) {
  const names = model.people
    .filter((name) => name !== model.name && !NOBODY.test(name))
    .toSorted((one, other) => one.localeCompare(other));
  return { names, more: Math.max(model.here - 1, names.length) - names.length };
}

/**
 * The options in a few words: the label of the preset that they are, or a board's size and those that are not the
 * default.
 * @param {GameInfo | undefined} game
 * @param {Readonly<Record<string, number | string | boolean>>} options
 */
export function setupText(game, options) {
  if (!game) return "";
  const defaults = Object.fromEntries(game.options.map((option) => [option.name, option.default]));
  const full = { ...defaults, ...options };
  const preset = game.presets.find((one) => {
    const wanted = { ...defaults, ...one.options };
    return Object.keys(full).every((name) => full[name] === wanted[name]);
  });
  if (preset) return preset.label;
  const numbers = game.options.filter((option) => option.choices.length === 0 && typeof option.default === "number");
  if (numbers.length === 2 && game.options.length === 2) return numbers.map((option) => full[option.name]).join(" × ");
  return game.options
    .filter((option) => full[option.name] !== option.default || (option.first && typeof option.default === "number"))
    .map((option) => `${option.label.split(" (")[0]}: ${valueText(full[option.name])}`)
    .join(", ");
}

/** @param {number | string | boolean | undefined} value */
const valueText = (value) => (typeof value === "boolean" ? T.values[value ? "yes" : "no"] : String(value));

/** @param {MatchSummary} summary @param {Model} model @returns {Row} */
function rowOf(summary, model) {
  return {
    match: summary.match,
    way: summary.status === "waiting" ? "join" : "watch",
    game: summary.game,
    // A student's own game, which nobody is offered, goes by the name that its group gives it.
    title: (!model.games[summary.game] && String(summary.options.title ?? "")) || titleOf(model, summary.game),
    setup: setupText(model.games[summary.game], summary.options),
    clock: summary.clock_rule,
    names: summary.names,
    styles: summary.styles,
    spectators: summary.spectators,
    delayPlies: summary.delay_plies,
    createdMs: summary.created_ms,
    own: null,
  };
}

/** One of one's own, as it was told. @param {OwnMatch} own @param {Model} model @returns {Row} */
function toldRow(own, model) {
  const [mine, theirs] = ownFirst(own);
  const title = (!model.games[own.game] && String(own.options.title ?? "")) || titleOf(model, own.game);
  return {
    match: own.match,
    way: "resume",
    game: own.game,
    title,
    setup: setupText(model.games[own.game], own.options),
    clock: own.clock_rule,
    names: [own.seats[mine].name, own.seats[theirs].name],
    styles: [own.seats[mine].style, own.seats[theirs].style],
    spectators: 0,
    delayPlies: 0,
    createdMs: own.ended_ms ?? own.created_ms,
    own,
  };
}

/** @param {Mine} mine @param {MatchSummary | undefined} summary @param {Model} model @returns {Row} */
function ownRow(mine, summary, model) {
  if (summary) return { ...rowOf(summary, model), way: "resume" };
  return {
    match: mine.match,
    way: "resume",
    game: mine.game,
    title: mine.game && titleOf(model, mine.game),
    setup: "",
    clock: null,
    names: mine.names,
    styles: null,
    spectators: 0,
    delayPlies: 0,
    createdMs: null,
    own: null,
  };
}
