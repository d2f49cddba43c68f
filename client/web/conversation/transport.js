/**
 * The only module with a socket: connects a session to its hub, and comes back after every loss.
 *
 * A browser tells little about a socket: one that slept or changed its network may say that it is open and be dead, and
 * what ends one is not said. So the server is asked whether it is there (`Session.probe`) whenever the tab wakes up,
 * and every few seconds anyway; no answer in time is a loss.
 * @import { Session } from "./session.js"
 */
import { socketAddress } from "./address.js";
import { LIMITS } from "./limits.js";

/** How long making a connection may take. */
export const OPEN_MS = 5_000;
/** How long an answer to a ping may take; together with the time between pings a dead path is seen within 11 s (`G3`). */
export const PONG_MS = 5_000;
/** The same for one who has just come back to the tab, and waits for it. */
export const AWAKE_PONG_MS = 2_000;
export const TICK_MS = 500;
/** `WebSocket.OPEN`, also where there is no WebSocket. */
const OPEN = 1;
/** The first try after a loss comes within this time, anywhere in it, so that a thousand pages do not come at once. */
const FIRST_MS = 2_000;
const LONGEST_MS = 8_000;
/** Where the network lets no live connection through, it will hardly do so the next moment. */
const LONGEST_BLOCKED_MS = 30_000;
const GROWTH = 1.5;
/** How much more than a tick may pass between two of them by the clock on the wall, until it counts as a sleep. */
const SLEEP_MS = 4_000;
/** How long the hub may take to say that it is alive. */
const HEALTH_MS = 3_000;

/** How long to wait before the next try: growing, bounded, and spread by chance. */
export class Backoff {
  #bound = FIRST_MS;
  #first = true;

  /** @param {() => number} random from 0 to 1 */
  constructor(random) {
    this.random = random;
  }

  /** Ms to wait now. `atLeast` is what the server announced; the spread comes on top. @param {number} [atLeast] @param {number} [longest] */
  next(atLeast = 0, longest = LONGEST_MS) {
    const low = this.#first ? 0 : this.#bound / 2;
    const wait = atLeast + low + (this.#bound - low) * this.random();
    if (!this.#first) this.#bound = Math.min(this.#bound * GROWTH, longest);
    this.#first = false;
    return Math.min(wait, longest);
  }
}

/**
 * What a browser has, so that a test can bring its own. `now` is in ms and never goes back, `wall` is the clock on the
 * wall.
 * @typedef {object} Surroundings
 * @property {string} page the address of the page
 * @property {(address: string, protocol: string) => WebSocket} connect
 * @property {() => number} now
 * @property {() => number} wall
 * @property {() => number} random
 * @property {(call: () => void, ms: number) => any} later
 * @property {(timer: any) => void} forget
 * @property {() => Promise<boolean>} isAlive whether the hub answers plain HTTP
 */

/** The browser's own. @param {() => WebSocket | null} [early] a socket to this hub that is there already @returns {Surroundings} */
export function browser(early = () => null) {
  const page = document.baseURI;
  return {
    page,
    connect: (address, protocol) => early() ?? new WebSocket(address, protocol),
    now: () => performance.now(),
    wall: () => Date.now(),
    random: () => Math.random(),
    later: (call, ms) => setTimeout(call, ms),
    forget: (timer) => clearTimeout(timer),
    isAlive: () =>
      fetch(new URL("health", page), { cache: "no-store", signal: AbortSignal.timeout(HEALTH_MS) }).then(
        (answer) => answer.ok,
        () => false,
      ),
  };
}

/** Carries `session` to its hub; calls `notify` whenever the session may have events. */
export class Transport {
  /** @type {WebSocket | null} */
  #socket = null;
  /** The one to the hub to which this one has sent us on. @type {WebSocket | null} */
  #next = null;
  #openedAt = 0;
  #isOpen = false;
  /** Until when the answer to a question of waking up must be here. @type {number | null} */
  #answerBy = null;
  /** @type {any} */
  #retry = null;
  /** @type {any} */
  #ticking = null;
  #backoff;
  #lastWall = 0;
  #blocked = false;
  #stopped = true;

  /** @param {Session} session @param {() => void} notify @param {Surroundings} around */
  constructor(session, notify, around) {
    this.session = session;
    this.notify = notify;
    this.around = around;
    this.#backoff = new Backoff(around.random);
  }

  /** When the next try comes, in ms of the session's clock; null while there is a connection or one is being made. @type {number | null} */
  nextTry = null;

  /** Connect, and stay connected until `stop`. */
  start() {
    if (!this.#stopped) return;
    this.#stopped = false;
    this.#lastWall = this.around.wall();
    this.#connect();
    this.#tick();
  }

  /** End the connection for good. */
  stop() {
    this.#stopped = true;
    this.around.forget(this.#retry);
    this.around.forget(this.#ticking);
    this.#drop();
  }

  /** The session has something to send. */
  flush() {
    if (this.#socket?.readyState === OPEN) for (const frame of this.session.dataToSend()) this.#socket.send(frame);
  }

  /**
   * The tab was opened again, the browser is online, or the person asks for it: see whether the connection lives, and
   * make one at once where there is none. `anew`: what there was is dead for certain, whatever it says.
   * @param {boolean} [anew]
   */
  wake(anew = false) {
    if (this.#stopped) return;
    const now = this.around.now();
    if (this.#socket === null) {
      this.around.forget(this.#retry);
      this.#connect();
    } else if (anew || (!this.#isOpen && now > this.#openedAt + AWAKE_PONG_MS)) {
      this.#lost("lost", true);
    } else if (this.session.isOnline) {
      this.session.probe(now);
      this.#answerBy = now + AWAKE_PONG_MS;
      this.flush();
    }
  }

  /** Another connection at once, for one begins with a name and has no other. */
  renew() {
    if (this.#stopped) return;
    this.around.forget(this.#retry);
    this.#drop();
    this.session.closed(this.around.now(), "renewed");
    this.#connect();
    this.notify();
  }

  #connect() {
    this.#take(this.#make());
  }

  #make() {
    return this.around.connect(socketAddress(this.around.page), LIMITS.SUBPROTOCOL_JSON);
  }

  /** Talk over this one, once it is open. @param {WebSocket} socket */
  #take(socket) {
    this.nextTry = null;
    this.#isOpen = false;
    this.#answerBy = null;
    this.#openedAt = this.around.now();
    this.#socket = socket;
    socket.onopen = () => {
      if (this.#socket !== socket) return;
      this.#isOpen = true;
      this.#blocked = false;
      this.session.opened(this.around.now());
      this.#after();
    };
    socket.onmessage = (message) => {
      if (this.#socket !== socket) return;
      this.session.receive(message.data, this.around.now());
      if (!this.session.isProbing) this.#answerBy = null;
      if (this.session.isOnline) this.#backoff = new Backoff(this.around.random);
      this.#after();
    };
    socket.onclose = () => {
      if (this.#socket !== socket) return;
      if (this.#next) this.#goOn();
      else this.#lost(this.#isOpen ? "lost" : "unreachable");
    };
    // One that was opened before may have said so already.
    if (socket.readyState === OPEN) socket.onopen?.(new Event("open"));
  }

  #after() {
    this.flush();
    this.notify();
    if (this.session.wantsClose) this.#lost("senseless");
    else if (this.session.isMoving && this.#isOpen && !this.#next) this.#moveOn();
  }

  /** Sent on to another hub: this one serves until the connection to that one stands. */
  #moveOn() {
    const next = this.#make();
    this.#next = next;
    next.onopen = () => this.#goOn();
    next.onclose = () => this.#lost("moved");
  }

  #goOn() {
    const next = this.#next;
    if (!next) return;
    this.#next = null;
    this.#drop();
    this.session.closed(this.around.now(), "moved");
    this.#take(next);
  }

  #tick() {
    if (this.#stopped) return;
    const [now, wall] = [this.around.now(), this.around.wall()];
    const slept = wall - this.#lastWall > TICK_MS + SLEEP_MS;
    this.#lastWall = wall;
    this.session.tick(now);
    this.#after();
    const silent = this.session.silentSince;
    if (this.#socket !== null) {
      if (!this.#isOpen && now > this.#openedAt + OPEN_MS) this.#lost("unreachable");
      else if (this.#answerBy !== null && now > this.#answerBy) this.#lost("silent", true);
      else if (slept) this.wake();
      else if (this.session.isOnline && silent !== null && now > silent + PONG_MS) this.#lost("silent", true);
    } else if (slept) {
      this.wake();
    }
    this.#ticking = this.around.later(() => this.#tick(), TICK_MS);
  }

  /** The connection is of no use any more. @param {string} reason @param {boolean} [atOnce] try again without waiting */
  #lost(reason, atOnce = false) {
    const made = this.#isOpen;
    const moving = this.session.isMoving;
    this.#drop();
    this.session.closed(this.around.now(), this.#blocked ? "blocked" : reason);
    this.notify();
    if (this.#stopped) return;
    if (!made) this.#look();
    const longest = this.#blocked ? LONGEST_BLOCKED_MS : LONGEST_MS;
    const wait = atOnce || moving ? 0 : this.#backoff.next(this.session.backInMs, longest);
    this.nextTry = this.around.now() + wait;
    this.around.forget(this.#retry);
    this.#retry = this.around.later(() => this.#connect(), wait);
  }

  /** Whether it is the network that lets no live connection through, while the hub answers. */
  #look() {
    this.around.isAlive().then((alive) => {
      if (this.#isOpen || this.#stopped || alive === this.#blocked) return;
      this.#blocked = alive;
      this.session.closed(this.around.now(), alive ? "blocked" : "unreachable");
      this.notify();
    });
  }

  #drop() {
    for (const socket of [this.#socket, this.#next]) {
      if (!socket) continue;
      socket.onopen = socket.onmessage = socket.onclose = null;
      socket.close();
    }
    this.#socket = this.#next = null;
    this.#isOpen = false;
    this.#answerBy = null;
  }
}

/**
 * Have the transport wake up with the tab: shown again, back from the back-forward cache, online again.
 * @param {Transport} transport
 */
export function wakeWithTheTab(transport) {
  addEventListener("online", () => transport.wake());
  addEventListener("offline", () => transport.wake());
  addEventListener("pageshow", (event) => {
    if (event.persisted) transport.wake(true);
  });
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible") transport.wake();
  });
}
