/**
 * Who one is to this hub: the name used last and the secret token. The token is in no address and no log (`I2`).
 * @import { Storage } from "./storage.js"
 */

const KEY = "identity";

/** Who has not said a name yet is called so, with a number: looking around asks for none. */
export const NAMELESS = "Guest";

/** @typedef {{ name: string, token: string | null }} Identity `name` is "" until one was chosen */

/** What is known; a new person has neither. @param {Storage} storage @returns {Identity} */
export function readIdentity(storage) {
  try {
    const found = JSON.parse(storage.get(KEY) ?? "{}");
    return {
      name: typeof found?.name === "string" ? found.name : "",
      token: typeof found?.token === "string" ? found.token : null,
    };
  } catch {
    return { name: "", token: null };
  }
}

/** Keep it; whether a reload will find it. @param {Storage} storage @param {Identity} identity */
export function keepIdentity(storage, identity) {
  const text = JSON.stringify(identity);
  return storage.get(KEY) === text ? storage.isKept : storage.put(KEY, text);
}

/** Whether a reload finds who one is, and with it the seats that one has. @param {Storage} storage */
export function isIdentityKept(storage) {
  return storage.willFind(KEY);
}

/** A beginning for refs that no other tab has. `crypto.randomUUID` is missing on a plain address of a network. */
export function refPrefix() {
  return [...crypto.getRandomValues(new Uint8Array(6))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
