/**
 * Short sounds, made of tones when they are needed: no file to fetch. A browser is silent until the first gesture, and may
 * be interrupted; each gesture wakes it again (`P42`).
 * @import { Settings } from "../kept/settings.js"
 * @import { Signal } from "../vendor/preact.js"
 * @import { Tabs } from "./tabs.js"
 */
import { signal } from "../vendor/preact.js";

/** Each sound as tones: frequency in Hz, start and length in s. @type {Record<string, Array<[number, number, number]>>} */
const SOUNDS = {
  move: [[420, 0, 0.07]],
  theirs: [[320, 0, 0.08]],
  gain: [
    [520, 0, 0.07],
    [690, 0.07, 0.09],
  ],
  turn: [
    [520, 0, 0.09],
    [650, 0.1, 0.12],
  ],
  begin: [
    [440, 0, 0.12],
    [554, 0.13, 0.12],
    [659, 0.26, 0.2],
  ],
  end: [
    [659, 0, 0.14],
    [554, 0.15, 0.14],
    [440, 0.3, 0.28],
  ],
  warning: [
    [880, 0, 0.1],
    [880, 0.18, 0.1],
  ],
  said: [[740, 0, 0.05]],
};

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

  /** @param {AudioContext} context @param {string} name @param {number} volume from 0 to 1 */
  #sound(context, name, volume) {
    for (const [frequency, start, length] of SOUNDS[name] ?? []) {
      const at = context.currentTime + start;
      const tone = new OscillatorNode(context, { type: "triangle", frequency });
      const loud = new GainNode(context, { gain: 0 });
      loud.gain.setValueAtTime(0, at);
      loud.gain.linearRampToValueAtTime(0.22 * volume, at + 0.008);
      loud.gain.exponentialRampToValueAtTime(0.0001, at + length);
      tone.connect(loud).connect(context.destination);
      tone.start(at);
      tone.stop(at + length);
    }
  }
}
