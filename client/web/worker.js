/**
 * The service worker: keeps the page's own files of one version, so that the page opens without its hub and says so.
 *
 * It never answers for the API, a socket or a match. `VERSION` is put before this text by the hub. A new version is a
 * new worker, which waits until no tab shows the old one: until then the old one passes on what it does not keep, so
 * that no tab ever mixes two versions.
 */
/* global VERSION */

const SCOPE = new URL("./", location.href);
const START = `parlour ${SCOPE.pathname} `;
const CACHE = START + VERSION;
const FILES = new URL(`v/${VERSION}/`, SCOPE).href;
/** How long the hub may take to send the page before the kept one is shown. */
const PATIENCE_MS = 4000;

addEventListener("install", (event) => event.waitUntil(keepShell()));
addEventListener("activate", (event) => event.waitUntil(dropOthers()));
addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET") return;
  if (request.url.startsWith(FILES)) event.respondWith(keptFirst(request));
  else if (request.mode === "navigate" && new URL(request.url).pathname === SCOPE.pathname)
    event.respondWith(hubFirst(request));
});

/** The page and all that it loads at once. */
async function keepShell() {
  const cache = await caches.open(CACHE);
  const page = await fetch(SCOPE, { cache: "no-store" });
  const html = await page.clone().text();
  const files = [...html.matchAll(/(?:href|src)="(v\/[^"]+)"/g)].map((found) => new URL(found[1], SCOPE).href);
  // The hub may have become another version between the two requests: then this worker has come too late.
  if (!page.ok || files.some((file) => !file.startsWith(FILES))) throw new Error("another version");
  await cache.addAll(new Set(files));
  await cache.put(SCOPE, page);
}

/** What older workers of this page have kept. */
async function dropOthers() {
  const names = await caches.keys();
  await Promise.all(
    names.filter((name) => name.startsWith(START) && name !== CACHE).map((name) => caches.delete(name)),
  );
}

async function keptFirst(request) {
  const cache = await caches.open(CACHE);
  const kept = await cache.match(request);
  if (kept) return kept;
  const answer = await fetch(request);
  if (answer.ok) await cache.put(request, answer.clone());
  return answer;
}

async function hubFirst(request) {
  const cache = await caches.open(CACHE);
  try {
    return await fetch(request, { signal: AbortSignal.timeout(PATIENCE_MS) });
  } catch (error) {
    const kept = await cache.match(SCOPE);
    if (kept) return kept;
    throw error;
  }
}
