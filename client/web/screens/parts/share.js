/**
 * A link to give away: to copy, by the phone's share sheet, and as a QR code. Where the browser gives no clipboard the
 * link is selected in its field; it says "copied" only when it is (`P69`).
 */
import { T } from "../../texts/en/later.js";
import { html, useRef, useState } from "../../vendor/preact.js";
import { Button } from "./parts.js";
import { QrCode } from "./qr.js";

/** How long a clipboard may take to answer: some never do. */
const CLIPBOARD_MS = 1_500;

/** Whether the text is in the clipboard now. @param {string} text @param {HTMLInputElement} field */
export async function copied(text, field) {
  if (navigator.clipboard) {
    const late = new Promise((_, fail) =>
      setTimeout(() => fail(new DOMException("late", "TimeoutError")), CLIPBOARD_MS),
    );
    try {
      await Promise.race([navigator.clipboard.writeText(text), late]);
      return true;
    } catch {
      // Refused or silent: the old way may still work.
    }
  }
  field.focus();
  field.select();
  try {
    return document.execCommand("copy");
  } catch {
    return false;
  }
}

/** A text to give away that is no link. @param {{ text: string, label: string }} props */
export function Text({ text, label }) {
  return html`<${Share} link=${text} title="" label=${label} name="text" sheet=${false} />`;
}

/** @param {{ link: string, title: string, label?: string, qr?: boolean, name?: string, sheet?: boolean }} props */
export function Share({ link, title, label = T.waiting.link, qr = false, name = "link", sheet = true }) {
  const field = useRef(/** @type {HTMLInputElement | null} */ (null));
  const [said, setSaid] = useState("");
  const copy = async () => {
    if (field.current === null) return;
    const done = await copied(link, field.current);
    setSaid(done ? T.waiting.copied : T.waiting.copyFailed);
    if (!done) field.current.select();
  };
  const share = () => {
    // A sheet that is closed again is no error.
    navigator.share({ title, url: link }).catch(() => setSaid(""));
  };
  return html`<div class="share">
    <div class="share-line">
      <label class="field grow"><span class="hidden-text">${label}</span>
        <input ref=${field} readonly value=${link} name=${name} dir=${name === "link" ? "ltr" : "auto"} onFocus=${(/** @type {any} */ event) => event.target.select()} /></label>
      <${Button} kind="primary" onClick=${copy}>${T.waiting.copy}<//>
      ${sheet && typeof navigator.share === "function" && html`<${Button} icon="share" onClick=${share}>${T.waiting.share}<//>`}
    </div>
    <p class="small quiet said" role="status">${said}</p>
    ${qr && html`<${QrCode} text=${link} label=${T.waiting.qr} />`}
  </div>`;
}
