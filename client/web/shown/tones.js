/** The sounds themselves. */

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

/** @param {AudioContext} context @param {string} name @param {number} volume from 0 to 1 */
export function sound(context, name, volume) {
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
