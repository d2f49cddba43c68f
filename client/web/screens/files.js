/**
 * Files in and out of the browser. What comes in is judged by what is in it, not by its name (`P70`).
 */
import { MAX_FILE_BYTES, SaveError } from "../kept/saves.js";

/** Have the browser save a text as a file. @param {string} text @param {string} name without its ending */
export function offerFile(text, name) {
  const address = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  const link = document.createElement("a");
  link.href = address;
  link.download = `${name.replace(/[^\p{L}\p{M}\p{N} \-_.'()]/gu, "_")}.json`;
  link.click();
  // Some browsers read it only after this.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

/** The text of a file. @param {File} file @returns {Promise<string>} @throws {SaveError} */
export async function textOf(file) {
  if (file.size > MAX_FILE_BYTES) throw new SaveError("save_too_large");
  try {
    return await file.text();
  } catch {
    // A folder that was dropped, or a file that is gone.
    throw new SaveError("save_damaged");
  }
}
