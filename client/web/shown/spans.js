/**
 * Times in words. Pure.
 * @import { ClockRule } from "../conversation/messages.d.ts"
 */

/** A round time in words: "30 s", "10 min", "1 min 30 s". @param {number} ms */
export function spanText(ms) {
  const [minutes, seconds] = [Math.floor(ms / 60_000), Math.floor(ms / 1000) % 60];
  return [minutes ? `${minutes} min` : "", seconds || !minutes ? `${seconds} s` : ""].filter(Boolean).join(" ");
}

/** The rule in a few characters: "5+3", "30 s a move", "" without a clock. @param {ClockRule} clock */
export function ruleText(clock) {
  if (clock.per_move_ms) return `${spanText(clock.per_move_ms)} a move`;
  return clock.total_ms ? `${clock.total_ms / 60_000}+${clock.increment_ms / 1000}` : "";
}

/** An average time: "0.8 s", "12 s", "2:05". @param {number} ms */
export function averageText(ms) {
  if (ms < 10_000) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
