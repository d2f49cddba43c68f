/**
 * The page's own version: the worker that keeps it, and what happens when a newer one has taken its place at the hub.
 */

const KEY = "parlour:reloaded";
/** At most one reload by itself in this time (`P40`): a fault that a reload does not mend must not become a loop. */
const QUIET_MS = 600_000;

/**
 * A part of the page could not be loaded: the hub has another version by now, which a reload brings (`P39`). Not in a
 * match, and not twice in a while; whether it is done.
 * @param {{ busy: boolean, now: number, store?: () => Storage, reload?: () => void }} how
 */
export function renewPage({ busy, now, store = () => sessionStorage, reload = () => location.reload() }) {
  if (busy) return false;
  try {
    const kept = store();
    const last = Number(kept.getItem(KEY) ?? Number.NEGATIVE_INFINITY);
    if (now - last < QUIET_MS) return false;
    kept.setItem(KEY, String(now));
  } catch {
    // Nothing may be kept, so nobody would know that it was done already.
    return false;
  }
  reload();
  return true;
}

/**
 * Have the browser keep the page, where it is allowed to. A hub that has no worker any more has its old one removed.
 * @param {string} page
 */
export async function keepPage(page) {
  const workers = navigator.serviceWorker;
  if (!workers) return;
  try {
    await workers.register(new URL("worker.js", page), { scope: new URL("./", page).pathname });
  } catch {
    const answer = await fetch(new URL("worker.js", page), { method: "HEAD", cache: "no-store" }).catch(() => null);
    if (answer?.status !== 404) return;
    const registration = await workers.getRegistration(page);
    await registration?.unregister();
  }
}
