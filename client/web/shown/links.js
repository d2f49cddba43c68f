/**
 * Links to a match: the page's address, and after the # what to do there. Pure.
 *
 *     http://192.168.0.7:7878/#key=ABCD-EFGH-JKLM     join the private match with this key
 *     http://192.168.0.7:7878/#join=hYk3Qm5vTzA       join the match that waits
 *     http://192.168.0.7:7878/#watch=hYk3Qm5vTzA      watch it
 *
 * What stands after the # stays with whoever opens the link: it is sent to no server, and so in nobody's log (`I2`).
 * @import { Snapshot } from "../conversation/messages.d.ts"
 */
import { LIMITS } from "../conversation/limits.js";

/** @typedef {{ way: "key" | "join" | "watch", value: string }} Link */

const WHAT = new RegExp(`(key|join|watch)=([\\w-]{1,${Math.max(LIMITS.MAX_ID, LIMITS.MAX_KEY)}})`);
/** What chat programs, mail and people leave behind a link (`P32`). */
const TRAILING = /(?:%20|%3E|[\s.,;:!?)\]}>"'”’…])+$/i;
const KEY = /\b[A-Za-z0-9]{4}(?:\s?[-‐–—]\s?[A-Za-z0-9]{4}){2}\b|^\s*[A-Za-z0-9]{4}(?:\s+[A-Za-z0-9]{4}){2}\s*$/;

/** What a fragment or whole link asks for; null for one that asks for nothing. @param {string} text @returns {Link | null} */
export function parseLink(text) {
  const fragment = plain(text.slice(text.indexOf("#") + 1));
  const found = new RegExp(`^${WHAT.source}$`).exec(fragment.replace(TRAILING, ""));
  return found ? { way: /** @type {Link["way"]} */ (found[1]), value: /** @type {string} */ (found[2]) } : null;
}

/** A fragment as it was written, for a browser escapes what is not ASCII. @param {string} fragment */
function plain(fragment) {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}

/**
 * What somebody means who pasted this where a key is asked for: a key, a link, or a sentence around either, broken by
 * line ends or quoted. null where neither is in it.
 * @param {string} typed
 * @returns {Link | null}
 */
export function linkIn(typed) {
  const text = typed.normalize("NFKC").replace(/\s*[\r\n]+\s*/g, "");
  const link = new RegExp(`#${WHAT.source}`).exec(text);
  if (link) return parseLink(link[0]);
  const key = KEY.exec(typed.normalize("NFKC"));
  if (key)
    return {
      way: "key",
      value: key[0]
        .trim()
        .replace(/[\s‐–—-]+/g, "-")
        .toUpperCase(),
    };
  const bare = typed.trim().replace(TRAILING, "");
  return /^[\w-]+$/.test(bare) && bare.length <= LIMITS.MAX_KEY ? { way: "key", value: bare.toUpperCase() } : null;
}

/**
 * The link to give to others: to the opponent while one is waited for, later to spectators of a match that lets them in.
 * "" where a link leads nobody here.
 * @param {string} page the address of the page
 * @param {Snapshot} match
 */
export function linkTo(page, match) {
  const way = wayTo(match);
  return way === null ? "" : `${new URL(".", page).href}#${way.way}=${way.value}`;
}

/** @param {Snapshot} match @returns {Link | null} */
function wayTo(match) {
  if (!match.match) return null;
  if (match.key !== null && match.status === "waiting") return { way: "key", value: match.key };
  if (match.private && (!match.watchable || match.status === "waiting")) return null;
  return { way: match.status === "waiting" ? "join" : "watch", value: match.match };
}
