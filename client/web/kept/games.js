/**
 * The games that this hub told last, texts and all, so that the next visit need not be told them again.
 * @import { Known } from "../conversation/greeting.js"
 * @import { Welcome } from "../conversation/messages.d.ts"
 * @import { Storage } from "./storage.js"
 */
import { checkNotification, Impossible } from "../conversation/validity.js";
import { BadMessage, decode } from "../conversation/wire.js";

const KEY = "games";

/**
 * What is known; nothing on a first visit. What lies in a browser for a year is believed no more than what comes from
 * a server: it is kept as the welcome that it was, and judged like one.
 * @param {Storage} storage
 * @returns {Known}
 */
export function readGames(storage) {
  const text = storage.get(KEY);
  try {
    const kept = /** @type {Welcome} */ (decode(text ?? ""));
    checkNotification(kept, null);
    if (kept.type === "welcome") return { catalogue: kept.catalogue, games: kept.games };
  } catch (error) {
    if (!(error instanceof BadMessage || error instanceof Impossible)) throw error;
  }
  return { catalogue: "", games: [] };
}

/** Keep them for the next visit; once for each other catalogue. @param {Storage} storage @param {Known} known */
export function keepGames(storage, known) {
  if (readGames(storage).catalogue === known.catalogue) return;
  if (known.catalogue) storage.put(KEY, JSON.stringify({ type: "welcome", ref: "", player: "", name: "", ...known }));
  else storage.remove(KEY);
}
