/**
 * Times as people read them: countdowns, waiting times, rules of clocks. Pure; words for units are in `texts/`.
 */

/** Below this a countdown warns. */
export const LOW_MS = 20_000;
/** Below this a countdown shows tenths of a second. */
export const TENTHS_MS = 10_000;

/** A countdown: "09:41", "1:09:41" from an hour on, "8.3" below ten seconds. Never more than is left. @param {number} leftMs */
export function clockText(leftMs) {
  if (leftMs < TENTHS_MS) return (Math.floor(leftMs / 100) / 10).toFixed(1);
  const seconds = Math.floor(leftMs / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return hours ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${two(minutes)}:${two(seconds % 60)}`;
}

/** A waiting time: "0:24". Rounded up, so that it is over at 0:00. @param {number} leftMs */
export function countdownText(leftMs) {
  const seconds = Math.ceil(Math.max(leftMs, 0) / 1000);
  return `${Math.floor(seconds / 60)}:${two(seconds % 60)}`;
}

/** In how many ms the text of a countdown will be another one: when to draw it next. @param {number} leftMs */
export function untilNext(leftMs) {
  const step = leftMs < TENTHS_MS ? 100 : 1000;
  return (leftMs % step) + 1;
}

/** Whether to warn. @param {number} leftMs */
export const isLow = (leftMs) => leftMs < LOW_MS;

/** @param {number} value */
const two = (value) => String(value).padStart(2, "0");
