/**
 * Says that it is one's turn while nobody looks: by the title and icon of the tab, and by a notice where that was chosen.
 * Holds the screen of a phone lit during a match. Whatever it said ends as soon as it is not true any more (`P43`).
 * @import { Doing } from "../doing.js"
 * @import { Settings } from "../kept/settings.js"
 * @import { Signal } from "../vendor/preact.js"
 * @import { Model } from "./seen.js"
 */
import { T } from "../texts/en.js";
import { effect, signal } from "../vendor/preact.js";
import { holdsBoth, isMyTurn } from "./seen.js";

/** An opponent who comes while nobody looks is announced so often, with this time in between. */
const REPEATS = 3;
const REPEAT_MS = 4_000;

/** What the title says of a match: nothing, one's turn, or that an opponent came. @param {Model} model */
function calls(model) {
  return isMyTurn(model) && !holdsBoth(model);
}

/**
 * @param {Doing} doing
 * @param {Signal<Settings>} settings
 * @param {(sound: string) => void} play
 */
export function attend(doing, settings, play) {
  const visible = signal(document.visibilityState === "visible");
  const began = signal(false);
  const icon = /** @type {HTMLLinkElement | null} */ (document.querySelector('link[rel="icon"]'));
  const usual = icon?.href ?? "";
  /** @type {Notification | null} */
  let notice = null;
  document.addEventListener("visibilitychange", () => {
    visible.value = document.visibilityState === "visible";
    if (visible.value) began.value = false;
  });
  doing.listen((event, model) => {
    if (event.type === "joined" && event.status === "playing" && model.match?.you.length === 1 && !visible.value) {
      began.value = true;
      for (let at = 1; at < REPEATS; at += 1) {
        setTimeout(() => {
          if (began.value) play("begin");
        }, at * REPEAT_MS);
      }
    }
  });
  effect(() => {
    const model = doing.model.value;
    const title = model.match ? (model.games[model.match.game]?.title ?? T.app) : "";
    const plain = title ? `${title} – ${T.app}` : T.app;
    const turn = !visible.value && calls(model);
    document.title = turn ? T.yourTurnTitle(plain) : began.value ? T.startedTitle(plain) : plain;
    if (icon) icon.href = turn || began.value ? usual.replace(/parlour(-turn)?\.svg/, "parlour-turn.svg") : usual;
    if (
      turn &&
      settings.value.notices &&
      notice === null &&
      typeof Notification !== "undefined" &&
      Notification.permission === "granted"
    ) {
      notice = new Notification(T.match.yourTurn, { body: plain, tag: model.match?.match ?? "", icon: usual });
      notice.onclick = () => focus();
    } else if (!turn && notice !== null) {
      notice.close();
      notice = null;
    }
  });
  keepLit(doing, visible);
}

/** A phone's screen stays lit during a match that one plays, in the tab that is seen. @param {Doing} doing @param {Signal<boolean>} visible */
function keepLit(doing, visible) {
  /** @type {WakeLockSentinel | null} */
  let held = null;
  let wanted = false;
  effect(() => {
    const { match } = doing.model.value;
    const wants =
      visible.value && match !== null && match.status === "playing" && match.you.length > 0 && match.pause === null;
    if (wants === wanted) return;
    wanted = wants;
    if (!wants) {
      held?.release();
      held = null;
    } else {
      // It is refused where a browser saves power, and on a plain address of a network: then the screen goes its way.
      navigator.wakeLock?.request("screen").then(
        (lock) => {
          if (wanted) held = lock;
          else lock.release();
        },
        () => undefined,
      );
    }
  });
}
