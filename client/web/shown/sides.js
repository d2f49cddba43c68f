/**
 * The two sides of a game before it is on a board: what they are called and look like. Pure.
 * @import { GameInfo, SeatStyle } from "../conversation/messages.d.ts"
 */

/** What both seats are called and look like with these options; null where a hub does not tell. @param {GameInfo} game @param {Record<string, number | string | boolean>} options @returns {[SeatStyle, SeatStyle] | null} */
export function sidesOf(game, options) {
  const fitting = game.sides.filter((one) => !one.option || options[one.option] === one.choice).at(-1);
  return fitting ? [fitting.first, fitting.second] : null;
}
