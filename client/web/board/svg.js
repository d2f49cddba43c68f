// Making and changing nodes of an SVG picture.

const NAMESPACE = "http://www.w3.org/2000/svg";

/** What a lattice unit is in a picture's own units. */
export const UNIT = 100;

/**
 * A new node with these attributes, and these children in it.
 * @param {string} tag @param {Record<string, string | number>} [attributes] @param {...SVGElement} children
 * @returns {SVGElement}
 */
export function node(tag, attributes = {}, ...children) {
  const made = /** @type {SVGElement} */ (document.createElementNS(NAMESPACE, tag));
  change(made, attributes);
  made.append(...children);
  return made;
}

/** @param {Element} changed @param {Record<string, string | number>} attributes */
export function change(changed, attributes) {
  for (const [name, value] of Object.entries(attributes)) changed.setAttribute(name, String(value));
}
