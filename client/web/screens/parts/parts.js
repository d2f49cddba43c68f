/**
 * Small pieces that screens are made of: buttons that say that they are busy, fields, icons.
 * @import { Signal } from "../../vendor/preact.js"
 */
import { html, useState } from "../../vendor/preact.js";

/** Paths of 24 x 24 icons, drawn with strokes; more of them are in `action_icons.js`. @type {Record<string, string>} */
const ICONS = {
  back: "M15 5 L8 12 L15 19",
  on: "M9 5 L16 12 L9 19",
  first: "M18 5 L11 12 L18 19 M7 5 V19",
  last: "M6 5 L13 12 L6 19 M17 5 V19",
  help: "M9 9 C9 5 15 5 15 9 C15 11.5 12 11.5 12 14 M12 17.5 V17.6",
  chat: "M4 5 H20 V16 H11 L6.5 20 V16 H4 Z",
  list: "M5 7 H19 M5 12 H19 M5 17 H14",
  settings: "M5 8 H13 M17 8 H19 M15 6 V10 M5 16 H7 M11 16 H19 M9 14 V18",
  turn: "M8 20 V5 M4 9 L8 5 L12 9 M16 4 V19 M12 15 L16 19 L20 15",
  full: "M5 9 V5 H9 M15 5 H19 V9 M19 15 V19 H15 M9 19 H5 V15",
  share: "M12 15 V4 M8 7.5 L12 3.5 L16 7.5 M6 12 V20 H18 V12",
  save: "M12 4 V14 M8 10.5 L12 14.5 L16 10.5 M5 19 H19",
  people:
    "M8 11 A3 3 0 1 0 8 5 A3 3 0 0 0 8 11 M3 19 C3 15.5 5.5 14 8 14 S13 15.5 13 19 M16 11 A2.5 2.5 0 1 0 15 6 M16 14 C19 14 21 15.5 21 19",
  computer: "M5 5 H19 V15 H5 Z M9 20 H15 M12 15 V20",
  link: "M10 14 A4 4 0 0 0 16 14.5 L19 11.5 A4 4 0 0 0 13.3 5.8 L12 7 M14 10 A4 4 0 0 0 8 9.5 L5 12.5 A4 4 0 0 0 10.7 18.2 L12 17",
  find: "M11 17 A6 6 0 1 0 11 5 A6 6 0 0 0 11 17 M15.5 15.5 L20 20",
  eye: "M3 12 C6 7 9 6 12 6 S18 7 21 12 C18 17 15 18 12 18 S6 17 3 12 Z M12 14.5 A2.5 2.5 0 1 0 12 9.5 A2.5 2.5 0 0 0 12 14.5",
  pen: "M5 19 L6 15 L16 5 L19 8 L9 18 Z",
  less: "M6 12 H18",
  greater: "M12 6 V18 M6 12 H18",
  pause: "M9 6 V18 M15 6 V18",
  sound: "M5 10 V14 H8 L12 18 V6 L8 10 Z M15.5 9 A4.5 4.5 0 0 1 15.5 15",
  mute: "M5 10 V14 H8 L12 18 V6 L8 10 Z M16 10 L20 14 M20 10 L16 14",
};

/** @param {{ name: string }} props `name` is one of these, or a path itself */
export function Icon({ name }) {
  return html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false"><path d=${ICONS[name] ?? name} /></svg>`;
}

/**
 * A button; `busy` while its work goes on, and then it does nothing more. `word` stands beside the icon where there is room
 * for it; it is a part of the `label`, which is always told.
 * @param {{ onClick?: () => unknown, kind?: string, icon?: string, word?: string, action?: string, controls?: string, buttonRef?: any, label?: string, busy?: boolean, disabled?: boolean | Signal<boolean>, children?: any, pressed?: boolean, expanded?: boolean, type?: string, title?: string, keys?: string }} props
 */
export function Button({
  onClick,
  kind = "",
  icon,
  word,
  action,
  controls,
  buttonRef,
  label,
  busy = false,
  disabled = false,
  children,
  pressed,
  expanded,
  type = "button",
  title,
  keys,
}) {
  const words = label ?? undefined;
  return html`<button
    ref=${buttonRef}
    type=${type}
    data-action=${action}
    aria-controls=${controls}
    class=${`button ${kind} ${busy ? "busy" : ""} ${icon && !children ? (word ? "worded" : "square") : ""}`}
    aria-label=${words}
    title=${title ?? (children ? undefined : words)}
    aria-pressed=${pressed}
    aria-expanded=${expanded}
    aria-busy=${busy || undefined}
    aria-keyshortcuts=${keys}
    disabled=${disabled}
    onClick=${() => {
      if (!busy) onClick?.();
    }}
  >
    ${icon && html`<${Icon} name=${icon} />`}${word && html`<span class="word">${word}</span>`}${children}
  </button>`;
}

/**
 * Text that is written: Enter that chooses a word of an input method sends nothing (`P59`), and keys in it play nothing.
 * @param {{ label: string, name: string, value: string, onInput: (text: string) => void, onEnter?: () => void, onEscape?: () => void, placeholder?: string | Signal<string>, maxLength?: number, hide?: boolean, invalid?: string, inputRef?: any, autocomplete?: string }} props
 */
export function Field({
  label,
  name,
  value,
  onInput,
  onEnter,
  onEscape,
  placeholder,
  maxLength,
  hide = false,
  invalid,
  inputRef,
  autocomplete = "off",
}) {
  const [composedAt, setComposedAt] = useState(0);
  return html`<label class="field">
    <span class=${hide ? "hidden-text" : ""}>${label}</span>
    <input
      ref=${inputRef}
      name=${name}
      value=${value}
      dir="auto"
      placeholder=${placeholder}
      maxlength=${maxLength}
      autocomplete=${autocomplete}
      spellcheck=${false}
      enterkeyhint="send"
      aria-invalid=${invalid ? true : undefined}
      onInput=${(/** @type {any} */ event) => onInput(event.target.value)}
      onCompositionEnd=${(/** @type {any} */ event) => {
        setComposedAt(event.timeStamp);
        onInput(event.target.value);
      }}
      onKeyDown=${(/** @type {KeyboardEvent} */ event) => {
        event.stopPropagation();
        // WebKit ends the composition before the Enter that ended it.
        const composes = event.isComposing || event.keyCode === 229 || event.timeStamp - composedAt < 50;
        if (event.key === "Enter" && onEnter) {
          event.preventDefault();
          if (!composes && !event.repeat) onEnter();
        } else if (event.key === "Escape" && !composes) {
          onEscape?.();
          /** @type {HTMLInputElement} */ (event.target).blur();
        }
      }}
    />
    ${invalid && html`<small class="bad" role="alert">${invalid}</small>`}
  </label>`;
}
