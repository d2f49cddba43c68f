/**
 * The form for a match (`CK 5.2`): short where the way is known (the computer, a friend, an opponent), whole to host.
 * @import { App } from "./app.js"
 * @import { GameInfo } from "../conversation/messages.d.ts"
 * @import { Choice as Chosen, Opponent } from "../shown/choice.js"
 * @import { Purpose, Row } from "../shown/form_rows.js"
 */
import { creating, opened, pairing } from "../shown/choice.js";
import { begins, changedRows, formRows, MOST } from "../shown/form_rows.js";
import { sidesOf } from "../shown/sides.js";
import { T } from "../texts/en/first.js";
import { T as F } from "../texts/en/form.js";
import { html, useEffect, useState } from "../vendor/preact.js";
import { Opening } from "./opening.js";
import { Choice } from "./parts/asking.js";
import { Bar } from "./parts/bar.js";
import { useDemos } from "./parts/living.js";
import { Button } from "./parts/parts.js";
import { BoardPicture } from "./parts/picture.js";

/** Whom each way in is against, and whether it says so itself. @type {Record<string, Opponent>} */
const OPPONENTS = {
  host: "somebody",
  here: "both",
  computer: "computer",
  find: "somebody",
  challenge: "somebody",
  friend: "somebody",
};

/** @param {{ app: App }} props */
export function Form({ app }) {
  const { games } = app.doing.seen;
  const { screen, about } = app.way.route.value;
  const opponent = OPPONENTS[screen];
  const offered = Object.values(games).filter((game) => screen !== "computer" || game.computer);
  useEffect(() => {
    // Loaded anew, the page does not know any more who was meant.
    if (screen === "challenge" && !app.way.whom.peek()) app.way.go("", true);
  }, [screen]);
  if (!opponent || offered.length === 0)
    return html`<main class="page"><p class="empty quiet" role="status">${T.loading}</p></main>`;
  return html`<${Filled} key=${`${screen}/${about}`} app=${app} opponent=${opponent} offered=${offered} purpose=${screen} about=${about} />`;
}

/** @param {{ app: App, opponent: Opponent, offered: GameInfo[], purpose: Purpose, about: string }} props */
function Filled({ app, opponent, offered, purpose, about }) {
  const last = app.lastChoice();
  const first = offered.find((game) => game.name === (about || last.game)) ?? /** @type {GameInfo} */ (offered[0]);
  const begun = {
    ...opened(first, last, opponent),
    private: purpose === "friend" || (purpose === "host" && Boolean(last.private)),
  };
  const [choice, setChoice] = useState(/** @type {Chosen} */ (begun));
  const game = offered.find((one) => one.name === choice.game) ?? first;
  const change = (/** @type {Partial<Chosen>} */ changed) => setChoice({ ...choice, ...changed });
  const pick = (/** @type {string} */ name) => {
    const next = /** @type {GameInfo} */ (offered.find((one) => one.name === name));
    const against = choice.opponent === "computer" && !next.computer ? "somebody" : choice.opponent;
    setChoice({ ...choice, ...opened(next, last, against), private: choice.private, clock: null });
  };
  const submit = () => {
    app.keepChoice(choice);
    const command = purpose === "find" ? pairing(choice) : creating(choice);
    if (purpose === "challenge") {
      const { game: name, options, clock, seat } = choice;
      app.withName(() =>
        app.way.challenge({ type: "challenge", name: app.way.whom.peek(), game: name, options, clock, seat }),
      );
    } else if (choice.opponent === "somebody") app.withName(() => app.way.enter(command));
    else app.way.enter(command);
  };
  const { first: rows, behind } = formRows(choice, game, purpose);
  const isHere = purpose === "here" || purpose === "computer";
  const title = F.purposes[isHere ? (choice.opponent === "both" ? "here" : "computer") : purpose];
  const [touches, setTouches] = useState(0);
  const submitting = html`<${Button} type="submit" kind="primary large" busy=${app.way.entering.value}>${app.way.entering.value ? F.busy : F.submit[purpose]}<//>`;
  return html`<main class="page form-page">
    <${Bar} app=${app} title=${purpose === "challenge" ? `${title} ${app.way.whom.value}` : title} />
    <form class=${`form ${isHere ? "here" : ""}`} onSubmit=${(/** @type {Event} */ event) => {
      event.preventDefault();
      submit();
    }}>
      ${isHere && html`<${TopRow} game=${game} choice=${choice} touches=${touches} change=${change}>${submitting}<//>`}
      <${GamePicker} app=${app} offered=${offered} chosen=${choice.game} onPick=${pick} />
      <${Opening} app=${app} choice=${choice} onTouch=${() => setTouches(touches + 1)} />
      <div class="fields">
        ${rows.map((row) => html`<${Values} key=${row.name} row=${row} change=${change} />`)}
        <${More} choice=${choice} game=${game} rows=${behind} change=${change} />
        <${Side} game=${game} choice=${choice} purpose=${purpose} />
      </div>
      ${app.way.entryRefused.value && html`<p class="notice bad" role="alert">${app.way.entryRefused.value.text}</p>`}
      ${!isHere && html`<div class="form-end">${submitting}</div>`}
    </form>
  </main>`;
}

/**
 * Both opponents that need nobody else, Start, and a status label (`SQ2`, `SQ6`): it is said anew when the board was touched.
 * @param {{ game: GameInfo, choice: Chosen, touches: number, change: (changed: Partial<Chosen>) => void, children?: any }} props
 */
function TopRow({ game, choice, touches, change, children }) {
  return html`<div class="top-row">
    <div class="choices" role="radiogroup" aria-label=${F.rows.opponent?.[0]}>
      ${F.against.map(
        ([
          value,
          words,
        ]) => html`<label key=${value} class=${`pick ${value === choice.opponent ? "on" : ""} ${value === "computer" && !game.computer ? "off" : ""}`}>
          <input type="radio" name="@against" checked=${value === choice.opponent} disabled=${value === "computer" && !game.computer}
            onChange=${() => change({ opponent: /** @type {Opponent} */ (value) })} /><span>${words}</span>
        </label>`,
      )}
    </div>
    <div key=${`start ${touches}`} class=${touches ? "form-end again" : "form-end"}>${children}</div>
    <p key=${touches} class=${touches ? "status again" : "status"} role="status">${F.prompt}</p>
  </div>`;
}

/** @param {{ app: App, offered: GameInfo[], chosen: string, onPick: (name: string) => void }} props */
function GamePicker({ app, offered, chosen, onPick }) {
  const demos = useDemos(app);
  return html`<fieldset class="game-picker">
    <legend>${F.whichGame}</legend>
    <div class="game-options">
      ${offered.map(
        (game) => html`<label key=${game.name} class=${`game-option ${game.name === chosen ? "on" : ""}`}>
        <input type="radio" name="@game" checked=${game.name === chosen} onChange=${() => onPick(game.name)} />
        ${demos?.[game.name] ? html`<${BoardPicture} match=${demos[game.name]?.at(6)} label="" moves=${false} />` : html`<div class="board-picture"></div>`}
        <span>${game.title}</span>
      </label>`,
      )}
    </div>
    <p class="quiet small">${offered.find((game) => game.name === chosen)?.summary}</p>
  </fieldset>`;
}

/** A row: its values side by side, or many of them on a slider. @param {{ row: Row, change: (changed: Partial<Chosen>) => void }} props */
function Values({ row, change }) {
  const onChoose = (/** @type {any} */ value) => change(row.change(value));
  const Shown = row.values.length > MOST ? Slider : Choice;
  return html`<${Shown} label=${row.label} name=${row.name} options=${row.values} chosen=${row.chosen} note=${row.help} onChoose=${onChoose} />`;
}

/**
 * One choice of many, on a slider that stands where it is chosen; numbers are its own, other values go by their place.
 * @param {{ label: string, name: string, options: Array<[any, string]>, chosen: any, note: string, onChoose: (value: any) => void }} props
 */
function Slider({ label, name, options, chosen, note, onChoose }) {
  const low = options.every(([, words], index) => words === String(Number(options[0]?.[1]) + index))
    ? Number(options[0]?.[1])
    : 0;
  const at = Math.max(
    options.findIndex(([value]) => value === chosen),
    0,
  );
  const go = (/** @type {number} */ to) => options[to] && onChoose(options[to][0]);
  const words = options[at]?.[1];
  return html`<fieldset class="choice slider" aria-describedby=${`about-${name}`}>
    <legend>${label}: <output>${words}</output></legend>
    <div class="slider-line">
      <${Button} icon="less" label=${F.less(label)} disabled=${at === 0} onClick=${() => go(at - 1)} />
      <input type="range" name=${name} aria-label=${label} aria-valuetext=${words} min=${low} max=${low + options.length - 1} value=${low + at}
        onInput=${(/** @type {any} */ event) => go(Number(event.target.value) - low)} />
      <${Button} icon="greater" label=${F.greater(label)} disabled=${at === options.length - 1} onClick=${() => go(at + 1)} />
    </div>
    <p class="note" id=${`about-${name}`}>${note}</p>
  </fieldset>`;
}

/** What is seldom changed, and how much of it is not as usual. @param {{ choice: Chosen, game: GameInfo, rows: Row[], change: (changed: Partial<Chosen>) => void }} props */
function More({ choice, game, rows, change }) {
  if (rows.length === 0) return null;
  const changed = changedRows(choice, game, rows);
  const written = (/** @type {Row} */ row) => row.values.find(([value]) => value === row.chosen)?.[1];
  const what =
    changed.map((row) => `${row.label}: ${written(row)}`).join("; ") || rows.map((row) => row.label).join(", ");
  return html`<details class="more">
    <summary><span><b>${F.changed(changed.length)}</b><small class="quiet">${what}.</small></span></summary>
    <div class="fields">${rows.map((row) => html`<${Values} key=${row.name} row=${row} change=${change} />`)}</div>
  </details>`;
}

/** On whose side one is, and who begins. @param {{ game: GameInfo, choice: Chosen, purpose: Purpose }} props */
function Side({ game, choice, purpose }) {
  const sides = sidesOf(game, choice.options);
  if (!sides || purpose === "find") return null;
  // Who begins is said at the board.
  if (choice.opponent === "both") return null;
  const second = choice.seat === 1;
  const own = second ? sides[1] : sides[0];
  return html`<p class="seats">
    <i class="swatch" style=${{ background: own.colour }} aria-hidden="true">${own.symbol}</i>
    <span>${second ? F.second(own.name, begins(choice)[1]) : F.side(own.name)}</span>
  </p>`;
}
