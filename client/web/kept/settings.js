/**
 * What a person has chosen about the page itself.
 * @import { Storage } from "./storage.js"
 */

const KEY = "settings";

/**
 * `volume` from 0 to 1; `motion`: whether things move, beside what the system says.
 * @typedef {object} Settings
 * @property {"system" | "light" | "dark"} theme
 * @property {"paper" | "wood" | "meadow" | "sky"} board what boards are made of
 * @property {boolean} sound
 * @property {number} volume
 * @property {boolean} motion
 * @property {boolean} confirm whether a move is sent only after it was confirmed
 * @property {boolean} premove
 * @property {boolean} notices whether the browser's notifications are used
 * @property {boolean} coordinates
 */

/** @type {Readonly<Settings>} */
export const DEFAULTS = Object.freeze({
  theme: "system",
  board: "paper",
  sound: true,
  volume: 0.6,
  motion: true,
  confirm: false,
  premove: true,
  notices: false,
  coordinates: true,
});

/** What was chosen; what is missing or of another kind is the default. @param {Storage} storage @returns {Settings} */
export function readSettings(storage) {
  /** @type {Record<string, unknown>} */
  let found = {};
  try {
    const parsed = JSON.parse(storage.get(KEY) ?? "{}");
    if (typeof parsed === "object" && parsed !== null) found = parsed;
  } catch {
    // Written by hand or cut short: the defaults do.
  }
  const fits = Object.entries(DEFAULTS).filter(([name, value]) => typeof found[name] === typeof value);
  const settings = { ...DEFAULTS, ...Object.fromEntries(fits.map(([name]) => [name, found[name]])) };
  if (!["system", "light", "dark"].includes(settings.theme)) settings.theme = DEFAULTS.theme;
  if (!["paper", "wood", "meadow", "sky"].includes(settings.board)) settings.board = DEFAULTS.board;
  settings.volume = Math.min(Math.max(settings.volume, 0), 1);
  return settings;
}

/** @param {Storage} storage @param {Settings} settings */
export const keepSettings = (storage, settings) => storage.put(KEY, JSON.stringify(settings));
