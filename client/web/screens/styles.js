/** Style sheets that are there, or on their way, by name. @type {Map<string, Promise<unknown>>} */
const asked = new Map();

/** Those of the screens that come after the front page, in the order in which they overrule each other. */
export const LATER = /** @type {const} */ (["board", "forms", "match"]);

/**
 * Have a style sheet that the front page can do without. The promise is kept once it is there, and broken (as that of
 * `import()`) when the hub does not have it.
 * @param {string} name
 */
export function styled(name) {
  const known = asked.get(name);
  if (known) return known;
  const link = document.createElement("link");
  link.rel = "stylesheet";
  link.href = new URL(`../styles/${name}.css`, import.meta.url).href;
  const there = new Promise((done, failed) => {
    link.onload = done;
    link.onerror = () => {
      asked.delete(name);
      link.remove();
      failed(new Error(`no style sheet ${name}`));
    };
  });
  asked.set(name, there);
  document.head.append(link);
  return there;
}
