/**
 * The form for a match (`CK 5.2`): short where the way is known (the computer, a friend, an opponent), whole to host.
 * @import { App } from "./app.js"
 * @import { GameInfo } from "../conversation/messages.d.ts"
 * @import { Choice as Chosen, Opponent, Value } from "../shown/choice.js"
 */
import {
  CLOCKS,
  creating,
  DELAYS,
  GRACES_S,
  INCREMENTS_S,
  MOVE_TIMES_S,
  opened,
  pairing,
  presetOf,
  rule,
  sameRule,
  TOTALS_S,
  valuesOf,
} from "../shown/choice.js";
import { spanText } from "../shown/spans.js";
import { T } from "../texts/en/later.js";
import { html, useEffect, useState } from "../vendor/preact.js";
import { Bar } from "./bar.js";
import { useDemos } from "./living.js";
import { Button, Choice, Select } from "./parts.js";
import { BoardPicture } from "./picture.js";

/** What each way in asks for. @type {Record<string, { title: string, opponent: Opponent, submit: string, whole: boolean }>} */
const PURPOSES = {
  host: { title: T.form.host, opponent: "somebody", submit: T.form.create, whole: true },
  here: { title: T.form.here, opponent: "both", submit: T.form.start, whole: false },
  computer: { title: T.form.computer, opponent: "computer", submit: T.form.start, whole: false },
  find: { title: T.form.quick, opponent: "somebody", submit: T.form.find, whole: false },
  challenge: { title: T.form.challenge, opponent: "somebody", submit: T.challenges.ask, whole: false },
  friend: { title: T.form.friend, opponent: "somebody", submit: T.form.makeLink, whole: false },
};
const NO_CLOCK = rule(0, 0, 0);

/** @param {{ app: App }} props */
export function Form({ app }) {
  const { games } = app.doing.seen;
  const { screen, about } = app.way.route.value;
  const purpose = PURPOSES[screen];
  const offered = Object.values(games).filter((game) => screen !== "computer" || game.computer);
  useEffect(() => {
    // Loaded anew, the page does not know any more who was meant.
    if (screen === "challenge" && !app.way.whom.peek()) app.way.go("", true);
  }, [screen]);
  if (!purpose || offered.length === 0)
    return html`<main class="page"><p class="empty quiet" role="status">${T.loading}</p></main>`;
  return html`<${Filled} key=${`${screen}/${about}`} app=${app} purpose=${purpose} offered=${offered} screen=${screen} about=${about} />`;
}

/** @param {{ app: App, purpose: typeof PURPOSES[string], offered: GameInfo[], screen: string, about: string }} props */
function Filled({ app, purpose, offered, screen, about }) {
  const last = app.lastChoice();
  const first = offered.find((game) => game.name === (about || last.game)) ?? /** @type {GameInfo} */ (offered[0]);
  const begun = {
    ...opened(first, last, purpose.opponent),
    private: screen === "friend" || (screen === "host" && Boolean(last.private)),
  };
  const [choice, setChoice] = useState(/** @type {Chosen} */ (begun));
  const game = offered.find((one) => one.name === choice.game) ?? first;
  const change = (/** @type {Partial<Chosen>} */ changed) => setChoice({ ...choice, ...changed });
  const pick = (/** @type {string} */ name) => {
    const next = /** @type {GameInfo} */ (offered.find((one) => one.name === name));
    setChoice({ ...choice, ...opened(next, last, choice.opponent), private: choice.private, clock: null });
  };
  const submit = () => {
    app.keepChoice(choice);
    const command = screen === "find" ? pairing(choice) : creating(choice);
    if (screen === "challenge") {
      const { game: name, options, clock } = choice;
      app.withName(() =>
        app.way.challenge({ type: "challenge", name: app.way.whom.peek(), game: name, options, clock }),
      );
    } else if (choice.opponent === "somebody") app.withName(() => app.way.enter(command));
    else app.way.enter(command);
  };
  return html`<main class="page form-page">
    <${Bar} app=${app} title=${screen === "challenge" ? `${purpose.title} ${app.way.whom.value}` : purpose.title} />
    <form class="form" onSubmit=${(/** @type {Event} */ event) => {
      event.preventDefault();
      submit();
    }}>
      <${GamePicker} app=${app} offered=${offered} chosen=${choice.game} onPick=${pick} />
      <div class="fields">
        <${Options} game=${game} choice=${choice} change=${change} />
        ${
          purpose.whole &&
          html`<${Choice} label=${T.form.opponent} name="opponent" chosen=${choice.opponent} onChoose=${(/** @type {Opponent} */ opponent) => change({ opponent })}
          options=${[["somebody", T.form.somebody], ...(game.computer ? [["computer", T.form.theComputer]] : []), ["both", T.form.both]]} />`
        }
        ${choice.opponent === "computer" && html`<${Computer} game=${game} choice=${choice} change=${change} />`}
        ${screen !== "find" && html`<${Clock} game=${game} choice=${choice} change=${change} />`}
        ${purpose.whole && choice.opponent === "somebody" && html`<${Company} choice=${choice} change=${change} />`}
        <${Seats} app=${app} game=${game} choice=${choice} screen=${screen} />
      </div>
      ${app.way.entryRefused.value && html`<p class="notice bad" role="alert">${app.way.entryRefused.value.text}</p>`}
      <div class="form-end">
        <${Button} type="submit" kind="primary large" busy=${app.way.entering.value}>${app.way.entering.value ? T.form.busy : purpose.submit}<//>
      </div>
    </form>
  </main>`;
}

/** @param {{ app: App, offered: GameInfo[], chosen: string, onPick: (name: string) => void }} props */
function GamePicker({ app, offered, chosen, onPick }) {
  const demos = useDemos(app);
  return html`<fieldset class="game-picker">
    <legend>${T.front.game}</legend>
    <div class="game-options">
      ${offered.map(
        (game) => html`<label key=${game.name} class=${`game-option ${game.name === chosen ? "on" : ""}`}>
        <input type="radio" name="game" checked=${game.name === chosen} onChange=${() => onPick(game.name)} />
        ${demos?.[game.name] ? html`<${BoardPicture} match=${demos[game.name]?.at(6)} label="" moves=${false} />` : html`<div class="board-picture"></div>`}
        <span>${game.title}</span>
      </label>`,
      )}
    </div>
    <p class="quiet small">${offered.find((game) => game.name === chosen)?.summary}</p>
  </fieldset>`;
}

/** @param {{ game: GameInfo, choice: Chosen, change: (changed: Partial<Chosen>) => void }} props */
function Options({ game, choice, change }) {
  const set = (/** @type {Record<string, Value>} */ options) => change({ options: { ...choice.options, ...options } });
  const preset = presetOf(game, choice.options);
  return html`
    ${
      game.presets.length > 0 &&
      html`<${Choice} label=${T.form.size} name="preset" chosen=${preset}
      options=${[...game.presets.map((one) => [one.label, one.label]), ...(preset ? [] : [["", T.form.own]])]}
      onChoose=${(/** @type {string} */ label) => set(game.presets.find((one) => one.label === label)?.options ?? {})} />`
    }
    ${
      game.options.length > 0 &&
      html`<div class="pairs">
      ${game.options.map(
        (
          option,
        ) => html`<${Select} key=${option.name} label=${option.label} name=${option.name} chosen=${choice.options[option.name]}
        options=${valuesOf(option).map((value) => [value, value === true ? T.form.yes : value === false ? T.form.no : String(value)])}
        onChoose=${(/** @type {Value} */ value) => set({ [option.name]: value })} />`,
      )}
    </div>`
    }
  `;
}

/** @param {{ game: GameInfo, choice: Chosen, change: (changed: Partial<Chosen>) => void }} props */
function Clock({ game, choice, change }) {
  const clock = choice.clock ?? game.clock;
  const set = (/** @type {import("../conversation/messages.d.ts").ClockRule} */ next) => change({ clock: next });
  const ready = CLOCKS.find(([, known]) => sameRule(known, clock))?.[0] ?? "";
  const times = (/** @type {number[]} */ seconds, /** @type {number} */ own) =>
    [...new Set([...seconds.map((one) => one * 1000), own])].sort((a, b) => a - b).map((ms) => [ms, spanText(ms)]);
  const presets = /** @type {Record<string, string>} */ (T.form.presets);
  return html`
    <${Choice} label=${T.form.clock} name="clock" chosen=${ready}
      options=${[...CLOCKS.map(([name]) => [name, presets[name]]), ...(ready ? [] : [["", T.form.ownClock]])]}
      onChoose=${(/** @type {string} */ name) => set(CLOCKS.find(([known]) => known === name)?.[1] ?? NO_CLOCK)} />
    ${
      (clock.total_ms > 0 || clock.per_move_ms > 0) &&
      html`<div class="pairs">
      ${
        clock.per_move_ms > 0
          ? html`<${Select} label=${T.form.perMove} name="per-move" chosen=${clock.per_move_ms} options=${times(MOVE_TIMES_S, clock.per_move_ms)}
            onChoose=${(/** @type {number} */ ms) => set({ ...NO_CLOCK, per_move_ms: ms })} />`
          : html`<${Select} label=${T.form.total} name="total" chosen=${clock.total_ms} options=${times(TOTALS_S, clock.total_ms)}
              onChoose=${(/** @type {number} */ ms) => set({ ...clock, total_ms: ms })} />
            <${Select} label=${T.form.increment} name="increment" chosen=${clock.increment_ms} options=${times(INCREMENTS_S, clock.increment_ms)}
              onChoose=${(/** @type {number} */ ms) => set({ ...clock, increment_ms: ms })} />`
      }
    </div>`
    }
  `;
}

/** How well the computer plays, and who begins. @param {{ game: GameInfo, choice: Chosen, change: (changed: Partial<Chosen>) => void }} props */
function Computer({ game, choice, change }) {
  return html`
    <${Choice} label=${T.form.level} name="level" chosen=${choice.level} options=${game.levels.map((level) => [level.name, level.label])}
      onChoose=${(/** @type {string} */ level) => change({ level })} />
    <${Choice} label=${T.form.begins} name="seat" chosen=${choice.seat} options=${[[0, T.form.you], [1, T.form.theComputer]]}
      onChoose=${(/** @type {number} */ seat) => change({ seat })} />
  `;
}

/** Who may join and watch, and how long somebody is waited for. @param {{ choice: Chosen, change: (changed: Partial<Chosen>) => void }} props */
function Company({ choice, change }) {
  const watched = !choice.private || choice.watchable;
  return html`
    <${Choice} label=${T.form.who} name="private" chosen=${choice.private} options=${[[false, T.form.everybody], [true, T.form.keyOnly]]}
      onChoose=${(/** @type {boolean} */ value) => change({ private: value })} />
    ${
      choice.private &&
      html`<${Choice} label=${T.form.spectators} name="watchable" chosen=${choice.watchable} options=${[[true, T.form.mayWatch], [false, T.form.mayNotWatch]]}
      onChoose=${(/** @type {boolean} */ value) => change({ watchable: value })} />`
    }
    <div class="pairs">
      <${Select} label=${T.form.grace} name="grace" chosen=${choice.graceS} options=${GRACES_S.map((s) => [s, spanText(s * 1000)])}
        onChoose=${(/** @type {number} */ graceS) => change({ graceS })} />
      ${
        watched &&
        html`<${Select} label=${T.form.delay} name="delay" chosen=${choice.delayPlies}
        options=${DELAYS.map((plies) => [plies, plies ? T.form.delayPlies(plies) : T.form.delayNone])}
        onChoose=${(/** @type {number} */ delayPlies) => change({ delayPlies })} />`
      }
    </div>
  `;
}

/** Who has which colour, and who begins. @param {{ app: App, game: GameInfo, choice: Chosen, screen: string }} props */
function Seats({ app, game, choice, screen }) {
  const styles = useDemos(app)?.[game.name]?.told.styles;
  if (!styles || choice.opponent === "both" || screen === "find") return null;
  const second = choice.opponent === "computer" && choice.seat === 1;
  const [mine, other] = second ? [styles[1], styles[0]] : styles;
  return html`<p class="seats small">
    <i class="swatch" style=${{ background: mine.colour }} aria-hidden="true">${mine.symbol}</i>
    <span>${T.form.seat(mine.name, other.name, second)} <span class="quiet">${second ? T.form.second : T.form.first}</span></span>
  </p>`;
}
