/**
 * Begins what takes long while the page's other files are still on their way: the socket, and behind a link to a
 * match the files of a match. So it comes first, is small, and knows nothing.
 */
import { socketAddress } from "./conversation/address.js";
import { LIMITS } from "./conversation/limits.js";
import { LATER, styled } from "./screens/styles.js";

/** @type {WebSocket | null} */
let early = new WebSocket(socketAddress(document.baseURI), LIMITS.SUBPROTOCOL_JSON);

/** The socket that was opened at once, for the first who asks; null when it is taken, or dead by now. */
export function earlySocket() {
  const socket = early;
  early = null;
  return socket && socket.readyState <= WebSocket.OPEN ? socket : null;
}

if (/^#(key|join|watch)=/.test(location.hash)) {
  Promise.all([import("./screens/match/match.js"), ...LATER.map(styled)]).catch(() => {
    // Whoever shows the match asks for it again, and tells what is missing.
  });
}
