/**
 * Short sounds, made of tones when they are needed: no file to fetch. A browser is silent until the first gesture, and may
 * be interrupted; each gesture wakes it again (`P42`).
 * @import { Settings } from "../kept/settings.js"
 * @import { Signal } from "../vendor/preact.js"
 * @import { Tabs } from "./tabs.js"
 */
import { signal } from "../vendor/preact.js";

export class Sounds {
  /** @type {AudioContext | null} */
  #context = null;
  /** Whether a sound would be heard: before the first gesture and after an interruption it would not. */
  isAwake = signal(false);

  /** @param {Signal<Settings>} settings @param {Tabs} tabs */
  constructor(settings, tabs) {
    this.settings = settings;
    this.tabs = tabs;
    for (const gesture of ["pointerdown", "keydown"])
      addEventListener(gesture, () => this.#wake(), { capture: true, passive: true });
  }

  #wake() {
    if (!this.settings.peek().sound || typeof AudioContext === "undefined") return;
    if (this.#context === null) {
      const context = new AudioContext();
      const look = () => {
        this.isAwake.value = context.state === "running";
      };
      context.addEventListener("statechange", look);
      look();
      this.#context = context;
    }
    if (this.#context.state !== "running") this.#context.resume().catch(() => undefined);
  }

  /** @param {string} name @param {string} [about] what it tells of: of several tabs that hear it, one sounds (`P25`) */
  play(name, about = "") {
    const { sound, volume } = this.settings.peek();
    const context = this.#context;
    if (!sound || volume <= 0 || context === null || context.state !== "running") return;
    if (about) this.tabs.asOne(about, () => this.#sound(context, name, volume));
    else this.#sound(context, name, volume);
  }

  /** The tones come with the later screens; a page whose version the hub has no more is silent, and its next screen says why. @param {AudioContext} context @param {string} name @param {number} volume from 0 to 1 */
  #sound(context, name, volume) {
    import("./tones.js").then(
      ({ sound }) => sound(context, name, volume),
      () => undefined,
    );
  }
}
