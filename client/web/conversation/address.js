/** The address of a hub's socket, from that of its page: below the same path, whatever a proxy made of it. @param {string} page */
export function socketAddress(page) {
  const address = new URL("ws", page);
  address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
  address.hash = "";
  return address.href;
}
