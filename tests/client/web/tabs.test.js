// Several tabs of one browser: one of them tells what happens (P25).
import assert from "node:assert/strict";
import { test } from "node:test";
import { Tabs } from "../../../client/web/shown/tabs.js";

/** A browser: tabs on one channel, and a clock that is moved by hand. */
class Browser {
  tabs = [];
  timers = [];
  now = 0;
  said = [];

  open(attention, random) {
    const calls = [];
    const others = this.tabs;
    const channel = {
      post: (message) => {
        for (const tab of others) if (tab.calls !== calls) for (const call of tab.calls) call(message);
      },
      listen: (call) => calls.push(call),
    };
    const later = (call, ms) => this.timers.push([this.now + ms, call]);
    const tab = new Tabs(channel, { attention: () => attention, later, random: () => random });
    this.tabs.push({ calls });
    return tab;
  }

  run() {
    while (this.timers.length > 0) {
      this.timers.sort(([one], [other]) => one - other);
      const [at, call] = this.timers.shift();
      this.now = at;
      call();
    }
  }
}

test("of three tabs the one that is looked at speaks, at once", () => {
  const browser = new Browser();
  const tabs = [browser.open("hidden", 0.1), browser.open("focused", 0.9), browser.open("seen", 0.5)];
  tabs.forEach((tab, at) => {
    tab.asOne("a move", () => browser.said.push([at, browser.now]));
  });
  browser.run();
  assert.deepEqual(browser.said, [[1, 0]]);
});

test("of hidden ones exactly one speaks, whichever it is", () => {
  for (const numbers of [
    [0.2, 0.7, 0.4],
    [0.9, 0.1, 0.5],
  ]) {
    const browser = new Browser();
    const tabs = numbers.map((number) => browser.open("hidden", number));
    tabs.forEach((tab, at) => {
      tab.asOne("a move", () => browser.said.push(at));
    });
    browser.run();
    assert.equal(browser.said.length, 1);
    for (const tab of tabs) tab.asOne("the next", () => browser.said.push("next"));
    browser.run();
    assert.equal(browser.said.length, 2);
  }
});

/** Tabs whose words to each other are on their way until they are delivered by hand. */
function apart(numbers, more = {}) {
  return numbers.map((number) => {
    const calls = [];
    const posted = [];
    const timers = [];
    const around = { attention: () => "hidden", later: (call) => timers.push(call), random: () => number, ...more };
    const channel = { post: (message) => posted.push(message), listen: (call) => calls.push(call) };
    return { tab: new Tabs(channel, around), around, calls, posted, timers };
  });
}

test("a claim that crosses another one gives way to the lower number", () => {
  const said = [];
  const made = apart([0.3, 0.6]);
  for (const { tab } of made) tab.asOne("a move", () => said.push(made.findIndex((one) => one.tab === tab)));
  for (const { timers } of made) timers.shift()();
  const [one, other] = made;
  for (const message of one.posted) other.calls.forEach((call) => void call(message));
  for (const message of other.posted) one.calls.forEach((call) => void call(message));
  for (const { timers } of made) timers.shift()();
  assert.deepEqual(said, [0]);
});

test("whoever claims while a tab that is looked at speaks gives way to it", () => {
  const said = [];
  const [hidden, used] = apart([0.3, 0.6]);
  used.around.attention = () => "focused";
  hidden.tab.asOne("a move", () => said.push("hidden"));
  hidden.timers.shift()();
  used.tab.asOne("a move", () => said.push("used"));
  for (const message of used.posted) hidden.calls.forEach((call) => void call(message));
  hidden.timers.shift()();
  assert.deepEqual(said, ["used"]);
});

test("once, where the browser has locks, also if no word comes from tab to tab in time", async () => {
  const said = [];
  const taken = new Set();
  const first = async (what) => !taken.has(what) && Boolean(taken.add(what));
  const made = apart([0.3, 0.6, 0.1], { first });
  made[2].around.attention = () => "focused";
  made.forEach(({ tab }, at) => {
    tab.asOne("a move", () => said.push(at));
  });
  for (const { timers } of made) while (timers.length > 0) timers.shift()();
  await new Promise((done) => setTimeout(done));
  assert.deepEqual(said, [2]);
});

test("without a channel each tab is alone, and strange messages do no harm", () => {
  const said = [];
  new Tabs(null, { attention: () => "hidden", later: (call) => call(), random: () => 0 }).asOne("a move", () =>
    said.push(1),
  );
  assert.deepEqual(said, [1]);
  const calls = [];
  const tab = new Tabs({ post: () => undefined, listen: (call) => calls.push(call) }, undefined);
  for (const message of [null, 7, "claim", { claim: 3, by: "x" }]) calls[0](message);
  assert.ok(tab);
});
