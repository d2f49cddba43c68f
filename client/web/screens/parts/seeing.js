/**
 * What a component sees of the model. A move changes little of what is on screen, but each component that reads the
 * whole model is drawn again for it: so most read a text or a number that is made of it.
 * @import { App } from "../app.js"
 * @import { Model } from "../../shown/seen.js"
 */
import { Component, computed } from "../../vendor/preact.js";

/**
 * What `pick` makes of the model: the component is drawn again only when that is another text, number or object. It is
 * asked anew at each drawing, for it may read the component's props. The library's `useComputed` would not be: it keeps
 * what it made of the props before until a signal changes.
 * @template T
 * @param {App} app
 * @param {(model: Readonly<Model>) => T} pick
 * @returns {T}
 */
export function useSeen(app, pick) {
  return computed(() => pick(app.doing.seen)).value;
}

/** The same as text that is looked for changes, for a list or a map of such. @template T @param {App} app @param {(model: Readonly<Model>) => T} pick @returns {T} */
export function useSeenAll(app, pick) {
  return JSON.parse(useSeen(app, (model) => JSON.stringify(pick(model))));
}

/**
 * A component that is drawn again only when its props are others, lists by what is in them.
 * @template P
 * @extends {Component<P>}
 */
export class Still extends Component {
  /** What is drawn is said by each kind of it. @param {any} [_props] @returns {any} */
  render(_props) {
    return null;
  }

  /** @param {any} next */
  shouldComponentUpdate(next) {
    const now = /** @type {any} */ (this.props);
    return Object.keys(next).some((name) => !alike(now[name], next[name]));
  }
}

/** @param {any} one @param {any} other */
function alike(one, other) {
  if (!Array.isArray(one) || !Array.isArray(other)) return one === other;
  return one.length === other.length && one.every((item, at) => item === other[at]);
}
