/**
 * What is chosen in the form for a match, and what that asks of the server. Pure.
 * @import { ClockRule, Create, GameInfo, QuickMatch } from "../conversation/messages.d.ts"
 */

export const MOVE_TIMES_S = [5, 10, 15, 20, 30, 45, 60, 90, 120, 180, 300, 600];
export const TOTALS_S = [30, 60, 120, 180, 300, 600, 900, 1200, 1800, 2700, 3600, 5400];
export const INCREMENTS_S = [0, 1, 2, 3, 5, 8, 10, 15, 20, 30, 60];
export const GRACES_S = [0, 10, 30, 60, 120, 300];
export const GRACE_S = 30;
export const DELAYS = [0, 1, 2, 3, 5, 10, 20];
export const USUAL_MOVE_S = 30;
export const USUAL_TOTAL_S = 600;

/** @typedef {number | string | boolean} Value */
/** @typedef {"somebody" | "computer" | "both"} Opponent */
/**
 * @typedef {object} Choice
 * @property {string} game
 * @property {Record<string, Value>} options
 * @property {Opponent} opponent
 * @property {boolean} private
 * @property {boolean} watchable
 * @property {ClockRule | null} clock null: the game's own
 * @property {string} clockKind the name of a ready clock, "move" or "total"; "" for that of the rule
 * @property {number} graceS
 * @property {number} delayPlies
 * @property {string} level how well the computer plays, one of the game's levels
 * @property {number} seat where one sits, unless both sit here, or one is paired; seat 0 begins
 */

/** The clocks that are ready in the form, by name. @type {Array<[string, ClockRule]>} */
export const CLOCKS = [
  ["none", rule(0, 0, 0)],
  ["3+2", rule(0, 180, 2)],
  ["5+3", rule(0, 300, 3)],
  ["10+0", rule(0, 600, 0)],
];

/** What the form calls a clock: a ready one by its name, else by what it counts. @param {ClockRule} clock */
export function kindOf(clock) {
  return CLOCKS.find(([, ready]) => sameRule(ready, clock))?.[0] ?? (clock.per_move_ms ? "move" : "total");
}

/** @param {number} perMoveS @param {number} totalS @param {number} incrementS @returns {ClockRule} */
export function rule(perMoveS, totalS, incrementS) {
  return { per_move_ms: perMoveS * 1000, total_ms: totalS * 1000, increment_ms: incrementS * 1000 };
}

/** @param {ClockRule | null} one @param {ClockRule | null} other */
export const sameRule = (one, other) => JSON.stringify(one) === JSON.stringify(other);

/** What a form begins with: what was chosen last for the game, else the game's own. @param {GameInfo} game @param {Partial<Choice>} last @param {Opponent} opponent @returns {Choice} */
export function opened(game, last, opponent) {
  const known = last.game === game.name;
  return {
    game: game.name,
    options: fitting(game, known ? (last.options ?? {}) : {}),
    opponent,
    private: Boolean(last.private),
    watchable: Boolean(last.watchable),
    clock: known && last.clock ? last.clock : null,
    clockKind: "",
    graceS: GRACES_S.includes(last.graceS ?? -1) ? /** @type {number} */ (last.graceS) : GRACE_S,
    delayPlies: DELAYS.includes(last.delayPlies ?? -1) ? /** @type {number} */ (last.delayPlies) : 0,
    level: game.levels.some((level) => level.name === last.level) ? (last.level ?? "") : game.usual_level,
    seat: last.seat === 1 ? 1 : 0,
  };
}

/** The game's options with what was given, as far as it is one of the values on offer. @param {GameInfo} game @param {Record<string, unknown>} given */
function fitting(game, given) {
  return Object.fromEntries(
    game.options.map((option) => {
      const wanted = /** @type {Value} */ (given[option.name]);
      return [option.name, valuesOf(option).includes(wanted) ? wanted : option.default];
    }),
  );
}

/** @param {GameInfo["options"][number]} option @returns {Value[]} */
export function valuesOf(option) {
  if (typeof option.default === "boolean") return [false, true];
  if (option.choices.length > 0) return option.choices;
  return Array.from({ length: option.high - option.low + 1 }, (_, index) => option.low + index);
}

/** The preset that the options are, by its label. @param {GameInfo} game @param {Record<string, Value>} options */
export function presetOf(game, options) {
  return (
    game.presets.find((one) => Object.entries(one.options).every(([name, value]) => options[name] === value))?.label ??
    ""
  );
}

/** The command that hosts it, without its ref. @param {Choice} choice @returns {Omit<Create, "ref">} */
export function creating(choice) {
  const alone = choice.opponent !== "somebody";
  return {
    type: "create",
    game: choice.game,
    options: choice.options,
    private: choice.private && !alone,
    spectators: choice.private && !alone && choice.watchable,
    both_seats: choice.opponent === "both",
    computer: choice.opponent === "computer",
    level: choice.opponent === "computer" ? choice.level : "",
    seat: choice.opponent === "both" ? 0 : choice.seat,
    clock: choice.clock,
    grace_s: choice.graceS,
    delay_plies: alone || (choice.private && !choice.watchable) ? 0 : choice.delayPlies,
  };
}

/** The command that has one paired, without its ref. @param {Choice} choice @returns {Omit<QuickMatch, "ref">} */
export function pairing(choice) {
  return { type: "quick_match", game: choice.game, options: choice.options, clock: choice.clock };
}
