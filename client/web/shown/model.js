/**
 * What a person sees, brought forward event by event. `update(model, event)` is pure: the same events give the same
 * screen.
 *
 * A match on screen is its last snapshot brought forward by `advance`, so that a fresh snapshot and a chain of events
 * cannot differ in form.
 * @import { Analysis, Command, LobbyChange, MatchEvent, MatchSummary, OwnMatches, Presence, Reply, Said, SetBack, Snapshot, Welcome } from "../conversation/messages.d.ts"
 * @import { Event } from "../conversation/events.d.ts"
 * @import { Mine, Model } from "./seen.js"
 * @import { Review } from "./review.js"
 */
import { LIMITS } from "../conversation/limits.js";
import { challenged, isNews, over } from "./challenges.js";
import { advance, cleared, shownAnew } from "./position.js";
import { begun, nextPly, withNext } from "./review.js";
import { AGAIN, countedMs, serverNow } from "./seen.js";
import { happening, saidLine } from "./story.js";

/** Lines of what happened that are kept. */
const MAX_HAPPENINGS = 400;

/**
 * What the person does to what is shown, beside the events of the session.
 * @typedef {{ type: "stepped", ply: number | null }} Stepped looks at the position after so many moves; null: at the newest
 * @typedef {{ type: "filtered", game: string }} Filtered wants to see matches of this game alone; "" for all
 * @typedef {{ type: "reviewed" }} Reviewed wants the match that is over reviewed; again: broken off; once more: put away
 * @typedef {{ type: "cleared" }} Cleared wants an empty board after a finished match (`UD RF3`)
 * @typedef {{ type: "elsewhere", begun: Mine[], over: string[] }} Elsewhere has begun and ended matches in other tabs
 * @typedef {{ type: "told", text: string, code: string }} Told a sentence of the page's own
 * @typedef {Event | Stepped | Filtered | Reviewed | Cleared | Elsewhere | Told} Change
 */

/** The model after `event`. @param {Model} model @param {Change} event @returns {Model} */
export function update(model, event) {
  switch (event.type) {
    case "sent":
      // What was said about an earlier try is of no interest once a new one is made.
      return { ...unnoticed(model), pending: [...model.pending, event.command] };
    case "settled":
      return settled(model, event.command, event.answer);
    case "offline":
      return {
        ...stopped(model.notice.code === AGAIN ? unnoticed(model) : model, serverNow(model, event.since)),
        link: model.link === "new" ? "new" : "down",
        downSince: model.downSince ?? event.since,
        downReason: event.reason,
        latencyMs: null,
      };
    case "latency":
      return { ...model, latencyMs: event.round_trip_ms, serverMinusNowMs: event.server_minus_now_ms };
    case "in_step":
      return { ...model, serverMinusNowMs: event.server_minus_now_ms };
    case "stepped":
      return { ...model, step: event.ply };
    case "said":
      return said(model, event);
    case "chat":
      return event.lines.reduce(said, model);
    case "filtered":
      return { ...model, lobbyGame: event.game };
    case "reviewed":
      return { ...model, review: reviewed(model) };
    case "cleared":
      return {
        ...model,
        match: model.match && cleared(model.match),
        happenings: [],
        step: null,
        look: null,
        hint: null,
        review: null,
      };
    case "elsewhere":
      return { ...model, mine: elsewhere(model, event) };
    case "left":
      return left(model, event.match);
    case "new_guest":
      return noticed(model, "", "new_guest");
    case "welcome":
      return welcomed(model, event);
    case "lobby_state":
      return {
        ...model,
        lobby: newestFirst(event.matches),
        lobbyTotal: Math.max(event.total, event.matches.length),
        people: event.people,
        here: event.here,
      };
    case "own_matches":
      return owned(model, event);
    case "lobby_change":
      return lobbyChanged(model, event);
    case "snapshot":
      return snapshot(model, event);
    case "set_back":
      return setBack(model, event);
    case "challenged":
      return challenged(model, event);
    case "challenge_over":
      return over(isNews(model, event) ? noticed(model, event.text) : model, event);
    case "challenges_muted":
      return { ...model, unchallenged: event.on };
    case "outage":
      // When it is over every match was told what is excused; the rows of others are still to be.
      return event.on
        ? stopped({ ...model, outage: event }, countedMs({ ...model, outage: event }))
        : { ...model, outage: null, stoppedMs: null };
    case "going_away":
      return noticed(model, event.text);
    case "told":
      return noticed(model, event.text, event.code);
    case "refused":
      return noticed(model, event.text, event.code, placesIn(event.data));
    case "pong":
    case "accepted":
    case "position":
    case "record":
    case "analysis":
    case "invitation":
      return model;
    default:
      return advanced(model, event);
  }
}

/**
 * Of what passes from then on nobody knows here whether it is charged (`D5`); what stood before stands.
 * @param {Model} model
 * @param {number | null} atMs
 * @returns {Model}
 */
function stopped(model, atMs) {
  return { ...model, stoppedMs: model.stoppedMs ?? atMs, ownStoppedMs: model.ownStoppedMs ?? atMs };
}

/** @type {readonly string[]} */
const NOWHERE = [];

/** @param {Model} model @param {string} text @param {string} [code] @param {readonly string[]} [at] @returns {Model} */
function noticed(model, text, code = "", at = NOWHERE) {
  return { ...model, notice: { text, code, number: model.notice.number + 1, at } };
}

/** The elements that a refusal is about. @param {Record<string, unknown>} data @returns {readonly string[]} */
function placesIn({ at }) {
  return typeof at === "string" ? at.split(" ") : NOWHERE;
}

/** @param {Model} model @returns {Model} */
function unnoticed(model) {
  const { text, code } = model.notice;
  // The same object while nothing is said: whoever shows it looks no further.
  if (!text && !code) return model;
  return { ...model, notice: { text: "", code: "", number: model.notice.number, at: NOWHERE } };
}

/** @param {Model} model @param {Command} command @param {Reply} answer @returns {Model} */
function settled(model, command, answer) {
  const after = { ...model, pending: model.pending.filter((waiting) => waiting.ref !== command.ref) };
  const here = after.match?.match ?? "";
  if (command.type === "analyse" && after.review && command.match === here) after.review = judged(after.review, answer);
  if (answer.type === "refused") return noticed(after, answer.text, answer.code, placesIn(answer.data));
  if (command.type === "create" && command.review && answer.type === "accepted") {
    return { ...after, toReview: answer.match };
  }
  if (command.type === "cancel" || command.type === "forget") {
    const own = after.own.filter((row) => row.match !== command.match);
    return { ...after, mine: without(after.mine, command.match), own };
  }
  if (answer.type === "analysis" && command.type === "hint") return hinted(after, answer);
  if (answer.type === "position" && after.match?.match === answer.match) return { ...after, look: answer };
  return after;
}

/** Begin; or break off what goes on; or put away what is there. @param {Model} model @returns {Review | null} */
function reviewed({ review, match }) {
  if (review === null) return match && begun(match.plies);
  return nextPly(review) === null ? null : { ...review, goesOn: false };
}

/** What was refused is not asked for again: the review ends there, and knows why. @param {Review} review @param {Reply} answer @returns {Review} */
function judged(review, answer) {
  if (answer.type === "analysis") return withNext(review, answer);
  return { ...review, goesOn: false, refusal: answer.type === "refused" ? answer : null };
}

/** A hint for a position that is not on screen any more is dropped. @param {Model} model @param {Analysis} hint @returns {Model} */
function hinted(model, hint) {
  const { match } = model;
  const isOf = match?.match === hint.match && match.plies === hint.ply && hint.version >= model.positionSince;
  return isOf ? { ...model, hint } : model;
}

/** @param {Model} model @param {Welcome} welcome @returns {Model} */
function welcomed(model, welcome) {
  const after = {
    ...model,
    link: /** @type {const} */ ("up"),
    downSince: null,
    downReason: "",
    outage: null,
    name: welcome.name,
    player: welcome.player,
    server: welcome.server,
    chat: welcome.chat,
    games: Object.fromEntries(welcome.games.map((game) => [game.name, game])),
    // The server says which of them still stand, and that nobody is to challenge one.
    challenges: [],
    unchallenged: false,
    mine: welcome.matches.map(
      (match) => model.mine.find((mine) => mine.match === match) ?? { match, game: "", names: [] },
    ),
  };
  // It is told beside a match, and would be said late by one that is gone to later.
  return model.link === "down" && model.match !== null ? noticed(after, "", AGAIN) : after;
}

/** The server knows best which of them go on. @param {Model} model @param {OwnMatches} told @returns {Model} */
function owned(model, { matches, now_ms: ownAtMs }) {
  const going = matches.filter((row) => row.status !== "ended");
  const mine = going.map(({ match, game, seats }) => ({ match, game, names: seats.map((seat) => seat.name) }));
  return { ...model, mine, own: matches, ownAtMs, ownStoppedMs: countedMs(model) };
}

/** @param {MatchSummary[]} rows */
function newestFirst(rows) {
  return rows.toSorted((one, other) => other.created_ms - one.created_ms).slice(0, LIMITS.LOBBY_ROWS);
}

/** @param {Model} model @param {LobbyChange} change @returns {Model} */
function lobbyChanged(model, change) {
  const rows = new Map((model.lobby ?? []).map((row) => [row.match, row]));
  const before = rows.size;
  for (const gone of change.gone) rows.delete(gone);
  for (const row of change.put) rows.set(row.match, row);
  return {
    ...model,
    lobby: newestFirst([...rows.values()]),
    lobbyTotal: Math.max(model.lobbyTotal + rows.size - before, rows.size),
    people: change.people ?? model.people,
    here: change.here ?? model.here,
  };
}

/** @param {Model} model @param {Snapshot} match @returns {Model} */
function snapshot(model, match) {
  const known = model.match?.match === match.match;
  const start = known ? model : { ...unnoticed(model), happenings: [], said: 0, step: null, look: null, review: null };
  const reviews = match.match === model.toReview;
  // One that comes after a gap tells nothing of the moves in it, as one of a match that was not known.
  const inStep = known && model.match?.version === match.version;
  const same = inStep && !model.awaitsPosition;
  const ends = known && model.match?.status !== match.status && match.status === "ended";
  let mine = without(model.mine, match.match);
  if (match.you.length > 0 && match.status !== "ended") {
    mine = [{ match: match.match, game: match.game, names: match.seats.map((seat) => seat.name) }, ...mine];
  }
  return {
    ...start,
    match,
    mine,
    // It was told anew: unless the store is away its clock goes on.
    stoppedMs: countedMs(model),
    positionSince: same ? model.positionSince : match.version,
    awaitsPosition: false,
    hint: same ? model.hint : null,
    step: match.pause === null && !ends ? start.step : null,
    review: reviews && match.plies > 0 ? begun(match.plies) : start.review,
    toReview: reviews ? "" : model.toReview,
  };
}

/** What had happened may never have been, and what was said comes anew. @param {Model} model @param {SetBack} word @returns {Model} */
function setBack(model, word) {
  const here = model.match?.match === word.match;
  const line = { kind: "set_back", seat: null, values: { text: word.text } };
  const start = here
    ? { ...model, happenings: [line], said: 0, step: null, look: null, review: null, awaitsPosition: true }
    : model;
  return noticed(start, word.text);
}

/** @param {Model} model @param {MatchEvent | Presence} event @returns {Model} */
function advanced(model, event) {
  const match = model.match;
  if (match === null || match.match !== event.match) return model;
  const after = advance(match, event);
  const anew = shownAnew(event);
  /** @type {Model} */
  let next = { ...model, match: after, awaitsPosition: model.awaitsPosition || anew };
  if (event.type === "moved") {
    next.positionSince = event.version;
    next.hint = null;
  }
  if (event.type === "presence") next.stoppedMs = countedMs(model);
  if (anew) next.hint = null;
  // What was looked back at is hidden too, belongs to moves that were taken back, or would hide how it ended.
  if (event.type === "paused" || event.type === "ended" || anew) next = { ...next, step: null, look: null };
  if (event.type === "ended") next.mine = without(next.mine, event.match);
  const line = happening(match, after, event);
  // A refusal is out of date once a move was made; what is no refusal, once anything happened.
  if (event.type === "moved" || event.type === "ended" || (line !== null && !next.notice.code)) next = unnoticed(next);
  return line === null ? next : { ...next, happenings: [...next.happenings, line].slice(-MAX_HAPPENINGS) };
}

/** One more line among what happened; lines are numbered, and one that comes twice is shown once. @param {Model} model @param {Said} line @returns {Model} */
function said(model, line) {
  const match = model.match;
  if (match === null || match.match !== line.match || line.number <= model.said) return model;
  const after = { ...model, said: line.number };
  const shown = after.notice.code ? after : unnoticed(after);
  return { ...shown, happenings: [...shown.happenings, saidLine(line)].slice(-MAX_HAPPENINGS) };
}

/** @param {Model} model @param {string} id @returns {Model} */
function left(model, id) {
  const match = model.match;
  if (match !== null && match.match !== id) return { ...model, mine: without(model.mine, id) };
  // A seat is kept once moves were made; before that, leaving has freed it.
  const kept = match?.match === id && match.status === "playing" && match.plies > 0;
  const mine = kept ? model.mine : without(model.mine, id);
  return {
    ...model,
    match: null,
    stoppedMs: null,
    happenings: [],
    mine,
    step: null,
    look: null,
    hint: null,
    review: null,
    awaitsPosition: false,
  };
}

/** @param {Model} model @param {Elsewhere} event @returns {Mine[]} */
function elsewhere(model, { begun, over }) {
  const kept = model.mine.filter((one) => !over.includes(one.match));
  return [...begun.filter((one) => kept.every((known) => known.match !== one.match)), ...kept];
}

/** @param {Mine[]} mine @param {string} match */
function without(mine, match) {
  return mine.filter((one) => one.match !== match);
}
