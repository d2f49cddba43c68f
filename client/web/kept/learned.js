/**
 * Which tasks of which games were done in this browser.
 * @import { Storage } from "./storage.js"
 */

const KEY = "learned";
const MAX_GAMES = 200;

/** @param {Storage} storage @returns {Record<string, number[]>} */
function read(storage) {
  try {
    const found = JSON.parse(storage.get(KEY) ?? "{}");
    const isWhole = typeof found === "object" && found !== null && !Array.isArray(found);
    return isWhole ? Object.fromEntries(Object.entries(found).filter(([, numbers]) => Array.isArray(numbers))) : {};
  } catch {
    // Written by hand or cut short: it is begun anew.
    return {};
  }
}

/** The numbers of the game's tasks that were done. @param {Storage} storage @param {string} game */
export const learned = (storage, game) => read(storage)[game] ?? [];

/** This one is done. @param {Storage} storage @param {string} game @param {number} lesson */
export function markLearned(storage, game, lesson) {
  const found = read(storage);
  const done = found[game] ?? [];
  if (done.includes(lesson) || (!found[game] && Object.keys(found).length >= MAX_GAMES)) return;
  storage.put(KEY, JSON.stringify({ ...found, [game]: [...done, lesson].sort((a, b) => a - b) }));
}
