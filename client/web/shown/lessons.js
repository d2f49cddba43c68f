/**
 * Tasks for who learns a game, as far as a page knows of them: what they are called, and which one is next. What is to be
 * done, and whether it was, is in the server's words. Pure.
 * @import { GameInfo, Snapshot } from "../conversation/messages.d.ts"
 * @import { Model } from "./seen.js"
 */
import { T } from "../texts/en/first.js";

/** Whether it is the match of a task, which was done in it. @param {Snapshot} match */
export const isDone = (match) => match.lesson > 0 && match.result?.reason === "task_done";

/** The number of the first task that was not done; of none, the first. @param {GameInfo} game @param {number[]} done */
export const firstUndone = (game, done) => Math.max(game.lessons.findIndex((_, at) => !done.includes(at + 1)) + 1, 1);

/** How many of the game's tasks were done, "2/4"; "" before the first. @param {GameInfo} game @param {number[]} done */
export function progressText(game, done) {
  const count = game.lessons.filter((_, at) => done.includes(at + 1)).length;
  return count ? `${count}/${game.lessons.length}` : "";
}

/** Which task is on screen; "" in all other matches. @param {Model} model */
export function taskTitle({ games, match }) {
  if (!match?.lesson) return "";
  const titles = games[match.game]?.lessons ?? [];
  return T.learn.task(match.lesson, titles.length, titles[match.lesson - 1] ?? "");
}

/** The number of the task after the one on screen; 0 where there is none. @param {Model} model */
export function nextTask({ games, match }) {
  const count = games[match?.game ?? ""]?.lessons.length ?? 0;
  return match?.lesson && match.lesson < count ? match.lesson + 1 : 0;
}
