/** What asks for a choice: one of several, on or off, and what lies over the page until it is answered. */
import { html, useLayoutEffect, useRef } from "../../vendor/preact.js";

/**
 * One choice of several, as a row of buttons that are radio buttons.
 * @param {{ label: string, name: string, options: Array<[any, string]>, chosen: any, onChoose: (value: any) => void, note?: string }} props
 */
export function Choice({ label, name, options, chosen, onChoose, note = "" }) {
  return html`<fieldset class="choice" aria-describedby=${note ? `about-${name}` : undefined}>
    <legend>${label}</legend>
    <div class="choices">
      ${options.map(
        ([value, words]) => html`<label key=${String(value)} class=${`pick ${value === chosen ? "on" : ""}`}>
          <input type="radio" name=${name} checked=${value === chosen} onChange=${() => onChoose(value)} /><span>${words}</span>
        </label>`,
      )}
    </div>
    ${note && html`<p class="note" id=${`about-${name}`}>${note}</p>`}
  </fieldset>`;
}

/** @param {{ label: string, on: boolean, onChange: (on: boolean) => void, note?: string, disabled?: boolean }} props */
export function Switch({ label, on, onChange, note = "", disabled = false }) {
  return html`<label class="switch">
    <span class="grow">${label}${note && html`<small class="quiet">${note}</small>`}</span>
    <input type="checkbox" role="switch" checked=${on} disabled=${disabled} onChange=${(/** @type {any} */ event) => onChange(event.target.checked)} />
    <i aria-hidden="true"></i>
  </label>`;
}

/**
 * A dialog over the page; Esc and a click beside it close it, and the focus goes back to where it was.
 * @param {{ title: string, onClose: () => void, children: any }} props
 */
export function Dialog({ title, onClose, children }) {
  const dialog = useRef(/** @type {HTMLDialogElement | null} */ (null));
  useLayoutEffect(() => {
    const before = /** @type {HTMLElement | null} */ (document.activeElement);
    dialog.current?.showModal();
    return () => before?.focus?.();
  }, []);
  return html`<dialog
    ref=${dialog}
    class="dialog"
    aria-labelledby="dialog-title"
    onCancel=${(/** @type {Event} */ event) => {
      event.preventDefault();
      onClose();
    }}
    onClick=${(/** @type {MouseEvent} */ event) => {
      if (event.target === dialog.current) onClose();
    }}
  >
    <div class="dialog-body"><h2 id="dialog-title">${title}</h2>${children}</div>
  </dialog>`;
}
