// Colours that come with a match, made fit to be drawn: mixed, and with a writing that can be read on them. Pure.

const GREY = "#777777";

/** The colour, or grey for what is none: it goes into attributes as it is. @param {string} colour */
export function safe(colour) {
  return /^#[0-9a-fA-F]{6}$/.test(colour) ? colour : GREY;
}

/** @param {string} colour @returns {[number, number, number]} */
function parts(colour) {
  const part = (/** @type {number} */ at) => Number.parseInt(colour.slice(at, at + 2), 16);
  return [part(1), part(3), part(5)];
}

/**
 * `one` with `part` (0 to 1) of `other` in it.
 * @param {string} one @param {string} other @param {number} part
 */
export function mixed(one, other, part) {
  const [red, green, blue] = parts(safe(one));
  const [otherRed, otherGreen, otherBlue] = parts(safe(other));
  const mix = (/** @type {number} */ a, /** @type {number} */ b) =>
    Math.round(a + (b - a) * part)
      .toString(16)
      .padStart(2, "0");
  return `#${mix(red, otherRed)}${mix(green, otherGreen)}${mix(blue, otherBlue)}`;
}

/** The relative luminance of WCAG 2, from 0 to 1. @param {string} colour */
export function luminance(colour) {
  const linear = (/** @type {number} */ value) => {
    const part = value / 255;
    return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  };
  const [red, green, blue] = parts(safe(colour));
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}

/** Black or white, whichever is better read on `ground`. @param {string} ground */
export function writingOn(ground) {
  const light = luminance(ground);
  return (light + 0.05) / 0.05 > 1.05 / (light + 0.05) ? "#000000" : "#ffffff";
}
