/**
 * The rows of the form for a match: which there are, in which order, and which of them are behind "More". Pure.
 * @import { ClockRule, GameInfo } from "../conversation/messages.d.ts"
 * @import { Choice, Value } from "./choice.js"
 */
import { T as FIRST } from "../texts/en/first.js";
import { T as F } from "../texts/en/form.js";
import {
  CLOCKS,
  DELAYS,
  GRACE_S,
  GRACES_S,
  INCREMENTS_S,
  kindOf,
  MOVE_TIMES_S,
  presetOf,
  rule,
  TOTALS_S,
  USUAL_MOVE_S,
  USUAL_TOTAL_S,
  valuesOf,
} from "./choice.js";
import { ruleText, spanText } from "./spans.js";

/** More values than these are walked on a slider. */
export const MOST = 8;

/** The ways in, by the name in the address. @typedef {"host" | "here" | "computer" | "find" | "friend" | "challenge"} Purpose */
/**
 * @typedef {object} Row
 * @property {string} name an option's, or a name of the form's own behind an @
 * @property {string} label
 * @property {Array<[any, string]>} values what can be chosen, and how it is written
 * @property {any} chosen
 * @property {string} help a sentence that says what it does
 * @property {any} [usual] what it is unless something else is chosen; left out where nothing is usual
 * @property {(value: any) => Partial<Choice>} change what choosing does
 */

/** Those that are seen at once, and those behind "More". @param {Choice} choice @param {GameInfo} game @param {Purpose} purpose @returns {{ first: Row[], behind: Row[] }} */
export function formRows(choice, game, purpose) {
  const first = game.options.filter((option) => option.first).map((option) => optionRow(choice, option));
  const behind = game.options.filter((option) => !option.first).map((option) => optionRow(choice, option));
  const invites = choice.opponent === "somebody" && (purpose === "host" || purpose === "friend");
  return {
    first: [
      ...presetRow(choice, game),
      ...first,
      ...companyRows(choice, game, purpose),
      ...(purpose === "find" ? [] : clockRows(choice, game)),
    ],
    behind: [...behind, ...(invites ? watchRows(choice) : [])],
  };
}

/** Those behind "More" that are not as usual; a ready size says by itself what it is. @param {Choice} choice @param {GameInfo} game @param {Row[]} behind */
export function changedRows(choice, game, behind) {
  const said = game.presets.find((one) => one.label === presetOf(game, choice.options))?.options ?? {};
  return behind.filter((row) => row.usual !== undefined && row.chosen !== row.usual && !(row.name in said));
}

/** @param {string} name @param {Array<[any, string]>} values @param {any} chosen @param {(value: any) => Partial<Choice>} change @param {Partial<Row>} [more] @returns {Row} */
function row(name, values, chosen, change, more = {}) {
  const [label, help] = /** @type {[string, string]} */ (F.rows[name]);
  return { name: `@${name}`, label, values, chosen, help, change, ...more };
}

/** @param {Choice} choice @param {GameInfo["options"][number]} option @returns {Row} */
function optionRow(choice, option) {
  const values = valuesOf(option);
  const isWalked = typeof option.default === "number" && values.length > MOST;
  const written = (/** @type {Value} */ value) =>
    typeof value === "boolean" ? FIRST.values[value ? "yes" : "no"] : String(value);
  return {
    name: option.name,
    label: option.label,
    values: values.map((value) => [value, written(value)]),
    chosen: choice.options[option.name],
    help: [option.help, isWalked ? F.span(option.low, option.high) : ""].filter(Boolean).join(" "),
    usual: option.default,
    change: (value) => ({ options: { ...choice.options, [option.name]: value } }),
  };
}

/** @param {Choice} choice @param {GameInfo} game @returns {Row[]} */
function presetRow(choice, game) {
  if (game.presets.length === 0) return [];
  const preset = presetOf(game, choice.options);
  /** @type {Array<[string, string]>} */
  const labels = game.presets.map((one) => [one.label, one.label]);
  return [
    row("preset", preset ? labels : [...labels, ["", F.ownSize]], preset, (label) => ({
      options: { ...choice.options, ...game.presets.find((one) => one.label === label)?.options },
    })),
  ];
}

/** Against whom, and who begins (`CK R1.3`); and of the computer, how well it plays. @param {Choice} choice @param {GameInfo} game @param {Purpose} purpose @returns {Row[]} */
function companyRows(choice, game, purpose) {
  const against = againstOf(choice);
  const offered = ["somebody", "friend", ...(game.computer ? ["computer"] : []), "both"];
  const named = (/** @type {string} */ one) => /** @type {[string, string]} */ (F.opponents[one]);
  const opponent = row(
    "opponent",
    offered.map((one) => [one, named(one)[0]]),
    against,
    (one) => ({ opponent: one === "friend" ? "somebody" : one, private: one === "friend" }),
    { help: named(against)[1] },
  );
  const level = row(
    "level",
    game.levels.map((one) => [one.name, one.label]),
    choice.level,
    (one) => ({ level: one }),
  );
  const first = () => row("first", [...begins(choice).entries()], choice.seat, (seat) => ({ seat }));
  return [
    ...(purpose === "host" ? [opponent] : []),
    ...(choice.opponent === "computer" && game.levels.length > 0 ? [level] : []),
    // Who is paired takes the seat that is free; two at one screen sit as they like.
    ...(purpose === "find" || choice.opponent === "both" ? [] : [first()]),
  ];
}

/** Who begins on the first seat, and who on the second one. @param {Choice} choice */
export const begins = (choice) => /** @type {[string, string]} */ (F.begins[againstOf(choice)]);

/** The opponent as the row has it: a friend, too. @param {Choice} choice */
const againstOf = ({ opponent, private: isPrivate }) => (opponent === "somebody" && isPrivate ? "friend" : opponent);

/** @param {Choice} choice @param {GameInfo} game @returns {Row[]} */
function clockRows(choice, game) {
  const clock = choice.clock ?? game.clock;
  const kind = choice.clockKind || kindOf(clock);
  const help = `${F.rows.clock?.[1]} ${F.usual(ruleText(game.clock) || F.clocks.none)}`;
  const times = (/** @type {number[]} */ seconds, /** @type {number} */ own) =>
    [...new Set([...seconds.map((one) => one * 1000), own])]
      .sort((a, b) => a - b)
      .map((ms) => /** @type {[number, string]} */ ([ms, spanText(ms)]));
  const set = (/** @type {Partial<ClockRule>} */ changed) => ({ clock: { ...clock, ...changed } });
  /** @param {string} chosen @returns {Partial<Choice>} */
  const choose = (chosen) => {
    const ready = CLOCKS.find(([name]) => name === chosen)?.[1];
    if (ready) return { clockKind: chosen, clock: ready };
    if (chosen === "move") return { clockKind: chosen, clock: rule(USUAL_MOVE_S, 0, 0) };
    return { clockKind: chosen, clock: clock.total_ms ? clock : rule(0, USUAL_TOTAL_S, 0) };
  };
  return [
    row("clock", Object.entries(F.clocks), kind, choose, { help }),
    ...(kind === "move"
      ? [row("moveTime", times(MOVE_TIMES_S, clock.per_move_ms), clock.per_move_ms, (ms) => set({ per_move_ms: ms }))]
      : []),
    ...(kind === "total"
      ? [
          row("total", times(TOTALS_S, clock.total_ms), clock.total_ms, (ms) => set({ total_ms: ms })),
          row("increment", times(INCREMENTS_S, clock.increment_ms), clock.increment_ms, (ms) =>
            set({ increment_ms: ms }),
          ),
        ]
      : []),
  ];
}

/** Who may watch, how far behind, and how long somebody is waited for. @param {Choice} choice @returns {Row[]} */
function watchRows(choice) {
  const watchable = row(
    "watchable",
    [
      [false, /** @type {string} */ (F.watch[0])],
      [true, /** @type {string} */ (F.watch[1])],
    ],
    choice.watchable,
    (value) => ({ watchable: value }),
    { usual: false },
  );
  const delay = row(
    "delay",
    DELAYS.map((plies) => [plies, plies ? F.later(plies) : F.notLater]),
    choice.delayPlies,
    (delayPlies) => ({ delayPlies }),
    { usual: 0 },
  );
  const grace = row(
    "grace",
    GRACES_S.map((seconds) => [seconds, spanText(seconds * 1000)]),
    choice.graceS,
    (graceS) => ({ graceS }),
    { usual: GRACE_S },
  );
  return [...(choice.private ? [watchable] : []), ...(choice.watchable || !choice.private ? [delay] : []), grace];
}
