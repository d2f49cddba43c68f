// The carrier of a session, in surroundings where time is moved by hand and sockets do what a test says.
import assert from "node:assert/strict";
import { test } from "node:test";
import { socketAddress } from "../../../client/web/conversation/address.js";
import { Session } from "../../../client/web/conversation/session.js";
import {
  AWAKE_PONG_MS,
  Backoff,
  OPEN_MS,
  PONG_MS,
  TICK_MS,
  Transport,
} from "../../../client/web/conversation/transport.js";

class Socket {
  readyState = 0;
  sent = [];
  onopen = null;
  onmessage = null;
  onclose = null;
  constructor(address, protocol) {
    this.address = address;
    this.protocol = protocol;
  }
  send(frame) {
    this.sent.push(JSON.parse(frame));
  }
  close() {
    this.readyState = 3;
  }
  opens() {
    this.readyState = 1;
    this.onopen?.();
  }
  breaks() {
    this.readyState = 3;
    this.onclose?.();
  }
  tells(message) {
    this.onmessage?.({ data: JSON.stringify(message) });
  }
  welcomes() {
    this.opens();
    this.tells({ type: "welcome", ref: this.sent[0].ref, player: "p", name: "Ada", token: "t", now_ms: 1 });
  }
  pings() {
    return this.sent.filter((frame) => frame.type === "ping");
  }
  answers() {
    const ping = this.pings().at(-1);
    this.tells({ type: "pong", ref: ping.ref, now_ms: 2 });
  }
}

class World {
  time = 0;
  slept = 0;
  sockets = [];
  timers = new Map();
  next = 1;
  alive = true;
  chance = 0.5;
  constructor() {
    this.session = new Session("Ada", null, { prefix: "t" });
    this.transport = new Transport(this.session, () => this.events.push(...this.session.events()), {
      page: "http://hub.test:7878/",
      connect: (address, protocol) => this.sockets[this.sockets.push(new Socket(address, protocol)) - 1],
      now: () => this.time,
      wall: () => this.time + this.slept,
      random: () => this.chance,
      later: (call, ms) => {
        this.timers.set(this.next, { call, at: this.time + ms });
        return this.next++;
      },
      forget: (timer) => this.timers.delete(timer),
      isAlive: () => Promise.resolve(this.alive),
    });
  }
  events = [];
  get socket() {
    return this.sockets.at(-1);
  }
  get open() {
    return this.sockets.filter((socket) => socket.readyState < 2).length;
  }
  /** Lets time pass, and all that is due happen in its order. */
  pass(ms) {
    const end = this.time + ms;
    for (;;) {
      const due = [...this.timers].filter(([, timer]) => timer.at <= end).toSorted((a, b) => a[1].at - b[1].at)[0];
      if (!due) break;
      this.timers.delete(due[0]);
      this.time = Math.max(this.time, due[1].at);
      due[1].call();
    }
    this.time = end;
  }
  /** The same with a hub that answers every ping. */
  live(ms) {
    for (let gone = 0; gone < ms; gone += 100) {
      this.pass(100);
      if (this.session.silentSince !== null) this.socket.answers();
    }
  }
  reasons() {
    return this.events.filter((event) => event.type === "offline").map((event) => event.reason);
  }
}

function online() {
  const world = new World();
  world.transport.start();
  world.socket.welcomes();
  return world;
}

test("the socket lies beside the page, whatever a proxy made of its address (P38)", () => {
  assert.equal(socketAddress("http://hub:7878/"), "ws://hub:7878/ws");
  assert.equal(socketAddress("https://hub/parlour/#key=ABCD"), "wss://hub/parlour/ws");
  assert.equal(socketAddress("http://[::1]:7878/index.html?x"), "ws://[::1]:7878/ws");
});

test("it connects with the JSON subprotocol, greets, and stays while the hub answers", () => {
  const world = online();
  assert.equal(world.socket.protocol, "parlour.v1.json");
  assert.equal(world.socket.sent[0].type, "hello");
  world.live(120_000);
  assert.equal(world.sockets.length, 1);
  assert.ok(world.socket.pings().length >= 20);
});

test("a loss is come back from within two seconds, anywhere in them, and later ever more slowly", () => {
  for (const chance of [0, 0.25, 0.999]) {
    const world = online();
    world.chance = chance;
    world.socket.breaks();
    world.pass(2_000 * chance + 1);
    assert.equal(world.sockets.length, 2);
  }
  const backoff = new Backoff(() => 1);
  const waits = Array.from({ length: 12 }, () => backoff.next());
  assert.deepEqual(
    waits,
    waits.toSorted((a, b) => a - b),
  );
  assert.equal(waits.at(-1), 8_000);
});

test("a hub that said for how long it goes is not asked before (K2)", () => {
  const world = online();
  world.chance = 0;
  world.socket.tells({ type: "going_away", text: "Soon.", back_in_ms: 1_000 });
  world.socket.breaks();
  world.pass(999);
  assert.equal(world.sockets.length, 1);
  world.pass(2);
  assert.equal(world.sockets.length, 2);
});

const SENT_ON = { type: "going_away", text: "Soon.", back_in_ms: 0, elsewhere: true };

test("sent on to another hub it talks to this one until that one is there, and says nothing (K2)", () => {
  const world = online();
  const [old] = world.sockets;
  old.tells(SENT_ON);
  assert.equal(world.sockets.length, 2, "it goes at once");
  world.session.probe(world.time);
  world.transport.flush();
  assert.equal(old.pings().length, 1, "and this one is asked meanwhile");
  old.answers();
  assert.equal(world.session.isOnline, true);
  world.socket.welcomes();
  assert.equal(old.readyState, 3);
  assert.equal(world.open, 1);
  assert.equal(world.session.isOnline, true);
  assert.deepEqual(world.reasons(), []);
});

test("a hub that ends before another one is there, and another that does not answer (K2)", () => {
  const world = online();
  world.socket.tells(SENT_ON);
  world.sockets[0].breaks();
  assert.equal(world.sockets.length, 2, "the one that is being made is waited for");
  world.socket.welcomes();
  assert.equal(world.session.isOnline, true);
  world.live(6_000);
  world.socket.tells(SENT_ON);
  world.socket.breaks();
  world.pass(1);
  assert.equal(world.sockets.length, 4, "once more at once");
  assert.deepEqual(world.reasons(), []);
  world.socket.breaks();
  assert.equal(world.reasons().length, 1);
  world.pass(900);
  assert.equal(world.sockets.length, 4, "from then on it waits as after any loss");
  assert.equal(world.open, 0);
});

test("stopped while it goes to another hub it has no connection left", () => {
  const world = online();
  world.socket.tells(SENT_ON);
  world.transport.stop();
  assert.equal(world.open, 0);
});

test("a path that died without a word is noticed, and made anew at once (P17)", () => {
  const world = online();
  world.live(20_000);
  world.pass(5_000 + PONG_MS + 2 * TICK_MS);
  assert.deepEqual(world.reasons(), ["silent"]);
  assert.equal(world.sockets.length, 2);
  assert.equal(world.open, 1);
});

test("a socket that says it is open and is dead is found out on waking up (P21)", () => {
  const world = online();
  world.live(20_000);
  world.transport.wake();
  world.pass(AWAKE_PONG_MS + 2 * TICK_MS);
  assert.deepEqual(world.reasons(), ["silent"]);
  world.socket.welcomes();
  assert.equal(world.open, 1);
  assert.equal(world.session.isOnline, true);
});

test("waking up costs a living connection one ping and nothing else (P65)", () => {
  const world = online();
  world.live(20_000);
  for (let i = 0; i < 5; i += 1) {
    const before = world.socket.pings().length;
    world.transport.wake();
    assert.equal(world.socket.pings().length, before + 1);
    world.socket.answers();
    world.live(4_000);
  }
  assert.equal(world.sockets.length, 1);
  assert.deepEqual(world.reasons(), []);
});

test("back from the back-forward cache the old socket is not believed (P22)", () => {
  const world = online();
  world.transport.wake(true);
  world.pass(1);
  assert.equal(world.sockets.length, 2);
  assert.equal(world.open, 1);
  world.sockets[0].breaks();
  assert.equal(world.open, 1);
});

test("waking up while waiting tries at once, and a connection in the making is left its time", () => {
  const world = online();
  world.chance = 1;
  world.socket.breaks();
  world.transport.wake();
  assert.equal(world.sockets.length, 2);
  world.pass(500);
  world.transport.wake();
  assert.equal(world.sockets.length, 2);
  world.pass(AWAKE_PONG_MS);
  world.transport.wake();
  world.pass(1);
  assert.equal(world.sockets.length, 3);
  assert.equal(world.open, 1);
});

test("a clock that jumped is a sleep: ask at once (P16)", () => {
  const world = online();
  world.live(18_000);
  const before = world.socket.pings().length;
  world.slept = 600_000;
  world.pass(TICK_MS);
  assert.equal(world.socket.pings().length, before + 1);
});

test("a connection that is not made in time is given up", () => {
  const world = new World();
  world.transport.start();
  world.pass(OPEN_MS + TICK_MS);
  assert.equal(world.sockets[0].readyState, 3);
  assert.deepEqual(world.reasons(), ["unreachable"]);
});

test("a network that lets no live connection through is told from a hub that is away (P24)", async () => {
  const world = new World();
  world.transport.start();
  world.socket.breaks();
  await null;
  await null;
  assert.equal(world.reasons().at(-1), "blocked");
  world.chance = 1;
  world.pass(60_000);
  const tries = world.sockets.length;
  world.pass(60_000);
  assert.ok(world.sockets.length - tries <= 12);
  while (world.socket.readyState !== 0) world.pass(100);
  world.socket.welcomes();
  world.alive = false;
  world.socket.breaks();
  assert.equal(world.reasons().at(-1), "lost");
});

test("a greeting that is not answered, or answered with nonsense, ends the connection", () => {
  const world = new World();
  world.transport.start();
  world.socket.opens();
  for (let i = 0; i < 30; i += 1) world.sockets[0].onmessage?.({ data: "{" });
  assert.equal(world.reasons().at(-1), "senseless");
  assert.equal(world.open, 0);
});

test("stopped is stopped", () => {
  const world = online();
  world.transport.stop();
  world.pass(60_000);
  world.transport.wake();
  assert.equal(world.open, 0);
  assert.equal(world.sockets.length, 1);
});

test("another name is another connection at once, as the same guest", () => {
  const world = online();
  world.session.introduce("Ben");
  world.transport.renew();
  world.socket.opens();
  assert.equal(world.sockets.length, 2);
  assert.equal(world.open, 1);
  assert.deepEqual([world.socket.sent[0].name, world.socket.sent[0].token], ["Ben", "t"]);
});
