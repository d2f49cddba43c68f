/**
 * Nodes that are written into by hand: what is another with nearly every move is cheaper so than as a text of its own that
 * the library minds, and much cheaper than as a component that is drawn again.
 * @import { App } from "../app.js"
 * @import { Model } from "../../shown/seen.js"
 */
import { effect, useLayoutEffect, useRef } from "../../vendor/preact.js";

/** Write an attribute where it differs. @param {Element} node @param {string} name @param {string} value "" for none */
export function put(node, name, value) {
  if ((node.getAttribute(name) ?? "") === value) return;
  if (value) node.setAttribute(name, value);
  else node.removeAttribute(name);
}

/** Write a text where it differs, into the one text that is there. @param {Element | undefined} node @param {string} text */
export function say(node, text) {
  const said = /** @type {Text | null | undefined} */ (node?.firstChild);
  if (!said) node?.append(text);
  else if (said.data !== text) said.data = text;
}

/**
 * The reference of a node that `begin` is given once it is there, and that what `begin` returns draws into: at once, and
 * after each change of the model. `about`: what it is begun anew for.
 * @param {App} app
 * @param {(node: HTMLElement) => (model: Readonly<Model>) => void} begin
 * @param {readonly unknown[]} [about]
 */
export function useDrawn(app, begin, about = []) {
  const node = useRef(/** @type {HTMLElement | null} */ (null));
  useLayoutEffect(() => {
    if (node.current === null) return undefined;
    const draw = begin(node.current);
    return effect(() => draw(app.doing.model.value));
  }, about);
  return node;
}
