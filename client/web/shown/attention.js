/**
 * Says that it is one's turn, or that one is asked something, while nobody looks: by the title and icon of the tab, and of
 * turns and challenges by a notice where that was chosen.
 * Holds the screen of a phone lit during a match. Whatever it said ends as soon as it is not true any more (`P43`).
 * @import { Doing } from "../doing.js"
 * @import { Settings } from "../kept/settings.js"
 * @import { Signal } from "../vendor/preact.js"
 * @import { Model } from "./seen.js"
 */
import { T } from "../texts/en/later.js";
import { effect, signal } from "../vendor/preact.js";
import { offerToMe } from "./at_play.js";
import { incoming } from "./challenges.js";
import { seatName } from "./position.js";
import { holdsBoth, isMyTurn } from "./seen.js";

/** An opponent who comes while nobody looks is announced so often, with this time in between. */
const REPEATS = 3;
const REPEAT_MS = 4_000;

/** What the title says of a match: nothing, one's turn, or that an opponent came. @param {Model} model */
function calls(model) {
  return isMyTurn(model) && !holdsBoth(model);
}

/** What one is asked before anything else: a challenge, or an offer of the opponent's; "" for neither. @param {Model} model */
function asked(model) {
  const challenge = incoming(model);
  if (challenge) return `${T.challenges.from(challenge.by)} ${challenge.title}`;
  const offer = offerToMe(model);
  if (!offer || !model.match) return "";
  return T.offers[/** @type {"draw"} */ (offer.kind)](seatName(model.match, offer.seat));
}

/**
 * @param {Doing} doing
 * @param {Signal<Settings>} settings
 * @param {import("./sounds.js").Sounds} sounds
 */
export function attend(doing, settings, sounds) {
  const visible = signal(document.visibilityState === "visible");
  const began = signal(false);
  const icon = /** @type {HTMLLinkElement | null} */ (document.querySelector('link[rel="icon"]'));
  const usual = icon?.href ?? "";
  /** @type {Notification | null} */
  let notice = null;
  /** The turn that a notice was asked for. */
  let noticed = "";
  document.addEventListener("visibilitychange", () => {
    visible.value = document.visibilityState === "visible";
    if (visible.value) began.value = false;
  });
  doing.listen((event, model) => {
    if (event.type === "joined" && event.status === "playing" && model.match?.you.length === 1 && !visible.value) {
      began.value = true;
      for (let at = 1; at < REPEATS; at += 1) {
        setTimeout(() => {
          if (began.value) sounds.play("begin", `${event.match} began ${at}`);
        }, at * REPEAT_MS);
      }
    }
  });
  effect(() => {
    const model = doing.seen;
    const title = model.match ? (model.games[model.match.game]?.title ?? T.app) : "";
    const plain = title ? `${title} – ${T.app}` : T.app;
    const turn = !visible.value && calls(model);
    const told = visible.value ? "" : asked(model);
    const says = told ? `● ${told}` : turn ? T.yourTurnTitle(plain) : began.value ? T.startedTitle(plain) : plain;
    const shows = told || turn || began.value ? usual.replace(/parlour(-turn)?\.svg/, "parlour-turn.svg") : usual;
    // A browser takes even the same icon for another one.
    if (document.title !== says) document.title = says;
    if (icon && icon.href !== shows) icon.href = shows;
    if (!turn) {
      noticed = "";
      notice?.close();
      notice = null;
      return;
    }
    const which = `${model.match?.match} ${model.match?.plies}`;
    if (settings.value.notices && noticed !== which) {
      noticed = which;
      sounds.tabs.asOne(`notice ${which}`, () => {
        if (noticed === which) notice = notify(plain, model.match?.match ?? "", usual);
      });
    }
  });
  doing.listen((event) => {
    if (event.type !== "challenged" || event.mine || visible.value || !settings.value.notices) return;
    sounds.tabs.asOne(`challenge ${event.challenge}`, () => {
      notify(`${T.challenges.from(event.by)} ${event.title}`, event.challenge, usual, T.challenges.title);
    });
  });
  keepLit(doing, visible);
}

/** Say by the system that it is one's turn; null where that is not to be had. @param {string} body @param {string} tag one notice for a match @param {string} icon @param {string} [title] */
export function notify(body, tag, icon, title = T.match.yourTurn) {
  if (typeof Notification === "undefined" || Notification.permission !== "granted") return null;
  try {
    const notice = new Notification(title, { body, tag, icon });
    notice.onclick = () => focus();
    return notice;
  } catch (error) {
    // Phones show notices of a service worker alone, and refuse this one by its type.
    if (error instanceof TypeError) return null;
    throw error;
  }
}

/** A phone's screen stays lit during a match that one plays, in the tab that is seen. @param {Doing} doing @param {Signal<boolean>} visible */
function keepLit(doing, visible) {
  /** @type {WakeLockSentinel | null} */
  let held = null;
  let wanted = false;
  effect(() => {
    const { match } = doing.seen;
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
