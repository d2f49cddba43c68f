/**
 * A student's game: its log where other games have a board, each move as fields and values, newest below.
 * @import { App } from "../app.js"
 * @import { Entry } from "../../shown/match_log.js"
 */
import { found, MatchLog, read, STATUS } from "../../shown/match_log.js";
import { T } from "../../texts/en/later.js";
import { html, useEffect, useMemo, useState } from "../../vendor/preact.js";
import { Field } from "../parts/parts.js";
import { Still } from "../parts/seeing.js";
import { Following } from "./scroll.js";

const MOST_SOUGHT = 80;

/** @param {{ app: App, match: string }} props */
export function Log({ app, match }) {
  const log = useMemo(() => new MatchLog(app.doing), [match]);
  useEffect(() => () => void log.end(), [log]);
  const [words, setWords] = useState("");
  const entries = read(log.entries.value);
  const shown = found(entries, words);
  return html`<section class="match-log" aria-label=${T.matchLog.title}>
    <div class="match-log-head">
      <p class="grow" role="status">${T.matchLog.counted(shown.length, entries.length, words.trim())}
        ${" "}<a href=${`dog/log/${encodeURIComponent(match)}`} target="_blank" rel="noopener">${T.matchLog.sides}</a></p>
      <${Field} name="find" label=${T.matchLog.find} value=${words} maxLength=${MOST_SOUGHT} onInput=${setWords} onEscape=${() => setWords("")} />
    </div>
    <${Following} count=${() => shown.length} label=${T.matchLog.title} name="log">
      ${shown.map((entry) => html`<${Move} key=${entry.order} order=${entry.order} text=${JSON.stringify(entry)} />`)}
    <//>
  </section>`;
}

/**
 * An entry never changes, so it is drawn once; it comes as text, by which it is known to be the same.
 * @extends {Still<{ order: number, text: string }>}
 */
class Move extends Still {
  /** @param {{ order: number, text: string }} props */
  render({ order, text }) {
    const { by, kind, fields } = /** @type {Entry} */ (JSON.parse(text));
    const word = kind === "left" ? T.matchLog.left : kind === "closed" ? T.matchLog.closed : "";
    return html`<li class="said"><b>${order}. ${by}</b> ${word}
      <dl>${fields.map(([key, value]) => html`<dt>${key}</dt><dd class=${key === STATUS ? "status" : ""}>${value}</dd>`)}</dl>
    </li>`;
  }
}
