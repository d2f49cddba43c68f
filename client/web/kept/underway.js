/**
 * The move that is on its way when a tab is reloaded: by the position that comes after it is told whether it arrived.
 * @import { Doing } from "../doing.js"
 */
import { isMyTurn, pendingMoves } from "../shown/seen.js";
import { T } from "../texts/en/later.js";
import { effect } from "../vendor/preact.js";
import { Storage } from "./storage.js";

const KEY = "underway";

/** Keep it for this tab from now on, and tell of the one before the reload. @param {Doing} doing @param {string} page its address */
export function minding(doing, page) {
  const storage = new Storage(page, () => sessionStorage);
  let before = storage.get(KEY);
  effect(() => {
    const { match, pending } = doing.seen;
    if (!match || (pending.length === 0 && before === null)) {
      if (before === null) storage.remove(KEY);
      return;
    }
    if (before !== null) {
      const [told, move] = before.split(" ");
      before = null;
      // Whose turn it still is, by as many moves, has not moved.
      if (told === placeOf(match) && isMyTurn(doing.model.peek()))
        doing.tell("not_arrived", T.match.notArrived(move ?? ""));
    }
    const [move] = pendingMoves(doing.model.peek());
    if (move) storage.put(KEY, `${placeOf(match)} ${move}`);
    else storage.remove(KEY);
  });
}

/** @param {{ match: string, plies: number }} match */
const placeOf = ({ match, plies }) => `${match}:${plies}`;
