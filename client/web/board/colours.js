// Colours that come with a match, made fit to be drawn: mixed, and with a writing that can be read on them. Pure.

const GREY = "#777777";

/** The colour, or grey for what is none: it goes into attributes as it is. @param {string} colour */
export function safe(colour) {
    return /^#[0-9a-fA-F]{6}$/.test(colour) ? colour : GREY;
}

/** @param {string} colour @returns {number[]} */
function parts(colour) {
    return [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
}

/**
 * `one` with `part` (0 to 1) of `other` in it.
 * @param {string} one @param {string} other @param {number} part
 */
export function mixed(one, other, part) {
    const theirs = parts(safe(other));
    const ours = parts(safe(one));
    return `#${ours.map((value, i) => Math.round(value + (theirs[i] - value) * part).toString(16).padStart(2, "0")).join("")}`;
}

/** The relative luminance of WCAG 2, from 0 to 1. @param {string} colour */
export function luminance(colour) {
    const [red, green, blue] = parts(safe(colour)).map((value) => {
        const part = value / 255;
        return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Black or white, whichever is better read on `ground`. @param {string} ground */
export function writingOn(ground) {
    const light = luminance(ground);
    return (light + 0.05) / 0.05 > 1.05 / (light + 0.05) ? "#000000" : "#ffffff";
}
