/**
 * The lobby as rows: one's own matches that go on first, then the others, newest first. Pure; words are in `texts/`.
 * @import { ClockRule, GameInfo, MatchSummary, SeatStyle } from "../conversation/messages.d.ts"
 * @import { Mine, Model } from "./seen.js"
 */
import { NAMELESS } from "../kept/identity.js";

/**
 * One match in the lobby (`CK 5.3`). `way` is what opening it does; `setup` the preset's label or the options that are
 * not the default, as pairs of label and value.
 * @typedef {object} Row
 * @property {string} match
 * @property {"resume" | "join" | "watch"} way
 * @property {string} game its name; "" while that is not known
 * @property {string} title
 * @property {string | Array<[string, number | string | boolean]>} setup
 * @property {ClockRule | null} clock
 * @property {Array<string | null>} names
 * @property {[SeatStyle, SeatStyle] | null} styles
 * @property {number} spectators
 * @property {number} delayPlies
 * @property {number | null} createdMs
 */

/** The rows to show. @param {Model} model @returns {Row[]} */
export function rows(model) {
  const listed = new Map((model.lobby ?? []).map((summary) => [summary.match, summary]));
  const own = new Set(model.mine.map((mine) => mine.match));
  const others = (model.lobby ?? []).filter((row) => !own.has(row.match) && ["", row.game].includes(model.lobbyGame));
  return [
    ...model.mine.map((mine) => ownRow(mine, listed.get(mine.match), model)),
    ...others.map((row) => rowOf(row, model)),
  ];
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
 * The options in a few words: the label of the preset that they are, or those that are not the default.
 * @param {GameInfo | undefined} game
 * @param {Readonly<Record<string, number | string | boolean>>} options
 * @returns {string | Array<[string, number | string | boolean]>}
 */
export function setupOf(game, options) {
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
    .filter((option) => full[option.name] !== option.default)
    .map((option) => [/** @type {string} */ (option.label.split(" (")[0]), /** @type {string} */ (full[option.name])]);
}

/** @param {MatchSummary} summary @param {Model} model @returns {Row} */
function rowOf(summary, model) {
  return {
    match: summary.match,
    way: summary.status === "waiting" ? "join" : "watch",
    game: summary.game,
    // A student's own game, which nobody is offered, goes by the name that its group gives it.
    title: (!model.games[summary.game] && String(summary.options.title ?? "")) || titleOf(model, summary.game),
    setup: setupOf(model.games[summary.game], summary.options),
    clock: summary.clock_rule,
    names: summary.names,
    styles: summary.styles,
    spectators: summary.spectators,
    delayPlies: summary.delay_plies,
    createdMs: summary.created_ms,
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
  };
}
