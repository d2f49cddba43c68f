/**
 * What a match is good for beyond itself: the same once more, a file of it, play from where one looks back.
 * @import { App } from "../app.js"
 * @import { Record as Kept, Snapshot } from "../../conversation/messages.d.ts"
 */
import { nextTask } from "../../shown/lessons.js";
import { isLog } from "../../shown/position.js";
import { shownPly } from "../../shown/seen.js";

/** The same game once more, after this match; after a task, the next one. @param {App} app @param {Snapshot} match */
export function playAgain(app, match) {
  const lesson = match.lesson && nextTask(app.doing.model.peek());
  if (match.lesson && !lesson) return;
  if (lesson) {
    app.doing.leave();
    app.way.enter({ type: "create", game: match.game, lesson });
    return;
  }
  const opponent = match.you.length === 2 ? "both" : (app.lastChoice().opponent ?? "somebody");
  app.doing.leave();
  const { game, options, clock_rule: clock } = match;
  if (opponent === "somebody") app.way.enter({ type: "quick_match", game, options, clock });
  else
    app.way.enter({
      type: "create",
      game,
      options,
      clock,
      both_seats: opponent === "both",
      computer: opponent === "computer",
      ...(opponent === "computer" && { level: match.level, seat: match.you[0] ?? 0 }),
    });
}

/** Ask for the record, and have the browser save it as a file. @param {App} app */
export async function download(app) {
  const [{ fromRecord, toText }, { offerFile }] = await Promise.all([
    import("../../kept/saves.js"),
    import("../files.js"),
  ]);
  const { match } = app.doing.model.peek();
  if (match && isLog(match)) {
    // The gateway's own form, which is played against one program.
    const answer = await fetch(`dog/log/${encodeURIComponent(match.match)}.json`);
    if (answer.ok) offerFile(await answer.text(), match.seats.map((seat) => seat.name).join(" - "));
    return;
  }
  withRecord(app, (record) => offerFile(toText(fromRecord(record)), record.names.join(" - ")));
}

/** Where a clock was not chosen, nobody may lose by one. */
export const NO_CLOCK = { per_move_ms: 0, total_ms: 0, increment_ms: 0 };

/**
 * Play on against the computer from the position that is looked at, at the level of the match and without a clock: on
 * one's own side; whoever has none alone (who watched, had both, or looks at a saved game) makes the next move.
 * @param {App} app
 */
export function practise(app) {
  const model = app.doing.model.peek();
  const { match } = model;
  if (match === null) return;
  const ply = shownPly(model);
  const own = match.you.length === 1 ? match.you[0] : null;
  withRecord(app, ({ game, options, moves, movers, to_move }) => {
    const seat = own ?? movers[ply] ?? to_move ?? 0;
    const begun = {
      game,
      options,
      moves: moves.slice(0, ply),
      computer: true,
      level: match.level,
      seat,
      clock: NO_CLOCK,
    };
    app.way.enter({ type: "create", ...begun });
  });
}

/** @param {App} app @param {(record: Kept) => void} then */
export function withRecord(app, then) {
  const ref = app.doing.askForRecord();
  const end = app.doing.listen((event) => {
    if (event.type !== "settled" || event.command.ref !== ref) return;
    end();
    if (event.answer.type === "record") then(event.answer);
  });
}
