/**
 * Which notifications can be (docs/protocol.md, "What can be"): judged once, where they enter. Pure.
 *
 * The shapes have judged their form. Here it is whether they make sense by themselves, and on the board of their match:
 * a page that believed another hub would draw for ever, or not at all. The same rules as `protocol/validity.py`.
 * @import { Analysis, GameInfo, MatchEvent, MatchSummary, Moved, Notification, Option, OwnMatch, Position, Record as Kept, Result, Said, SeatStyle, Snapshot, Welcome } from "./messages.d.ts"
 */
import { LIMITS } from "./limits.js";

/** By so much a coordinate may be off through rounding, in lattice units. */
const NEAR = 1e-6;
/** How far a hexagon reaches from its centre. */
const [HEX_WIDE, HEX_HIGH] = [0.5, 1 / Math.sqrt(3)];
const COLOUR = /^#[0-9a-fA-F]{6}$/;

/** What was told cannot be; the message says what of it. */
export class Impossible extends Error {}

/** @typedef {ReadonlySet<string>} Known the ids of all elements of a match's board */

/** @param {boolean} can @param {string} what @param {unknown} [value] */
function check(can, what, value = "") {
  if (!can) throw new Impossible(`${what} ${String(value).slice(0, 60)}`.trim());
}

/** The ids of all elements of the match's board. @param {Snapshot} match */
export function elementIds({ board }) {
  return [board.dots, board.lines, board.cells, board.regions].flatMap((part) => part.map((element) => element[0]));
}

/**
 * Judge a notification. `known` are the elements of the match's board, where it is known: events and positions speak of
 * no others.
 * @param {Notification} message
 * @param {Known | null} known
 * @throws {Impossible} with what of it cannot be
 */
export function checkNotification(message, known) {
  switch (message.type) {
    case "snapshot":
      return checkSnapshot(message);
    case "welcome":
      return checkWelcome(message);
    case "lobby_state":
      rows(message.matches);
      return lobby(message.people, message.here, message.total);
    case "lobby_change":
      rows(message.put);
      ids(message.gone, "match", LIMITS.LOBBY_ROWS);
      return lobby(message.people ?? [], message.here ?? 0, 0);
    case "own_matches":
      ids(
        message.matches.map((row) => row.match),
        "match",
        LIMITS.OWN_MATCHES + LIMITS.OWN_ENDED,
      );
      time(message.now_ms);
      return message.matches.forEach(own);
    case "invitation":
      rows([message.summary]);
      return seat(message.seat);
    case "position":
      return checkPosition(message, known);
    case "record":
      options(message.options);
      words(message.game, message.hash, ...message.names);
      check(message.moves.length <= LIMITS.MAX_MOVES, "moves:", message.moves.length);
      for (const move of message.moves) {
        check(move.length > 0, "a move without a word");
        entry(move);
      }
      movers(message);
      scoresTold(message);
      lessTold(message);
      count(message.after, "moves before these:");
      count(message.plies, "plies:");
      time(message.created_ms);
      return result(message.result);
    case "analysis":
      return checkAnalysis(message);
    case "accepted":
      count(message.version, "version", LIMITS.MAX_VERSION);
      return words(message.match, message.key);
    case "refused":
      count(message.version, "version", LIMITS.MAX_VERSION);
      return words(message.match, message.text, message.code);
    case "presence":
      for (const since of message.since_ms) time(since ?? 0);
      return count(message.spectators, "spectators:");
    case "said":
      return said(message);
    case "chat":
      check(message.lines.length <= LIMITS.MAX_LINES, "lines at once:", message.lines.length);
      return message.lines.forEach(said);
    case "set_back":
      count(message.version, "version", LIMITS.MAX_VERSION);
      return words(message.match, message.text);
    case "challenged":
      options(message.options);
      words(message.challenge, message.by, message.to, message.game, message.title);
      seat(message.seat);
      time(message.until_ms);
      return time(message.now_ms);
    case "challenge_over":
      return words(message.challenge, message.by, message.to, message.text);
    case "challenges_muted":
      return undefined;
    case "outage":
      time(message.since_ms);
      time(message.counted_ms);
      return words(message.text);
    case "going_away":
      words(message.text);
      return count(message.back_in_ms, "back in", LIMITS.MAX_CLOCK_MS);
    case "pong":
      return time(message.now_ms);
    default:
      return checkEvent(message, known);
  }
}

// A match ------------------------------------------------------------------------------------------------------------

/** @param {Snapshot} match */
function checkSnapshot(match) {
  checkBoard(match);
  const known = new Set(elementIds(match));
  ids([match.match], "match");
  ids([match.game], "game");
  count(match.version, "version", LIMITS.MAX_VERSION);
  for (const seat of match.seats) {
    style(seat.style);
    words(seat.name);
    time(seat.since_ms ?? 0);
  }
  seats(match.you);
  marks(match.marks, known);
  focus(match.focus, known);
  scores(match.scores);
  seat(match.to_move);
  moves(match.legal);
  moves(match.resting);
  options(match.options);
  last(match.last);
  result(match.result);
  for (const number of [match.plies, match.spectators, match.grace_s, match.delay_plies, match.lesson, ...match.hints])
    count(number, "a number of");
  words(match.text, match.key, match.rematch);
  time(match.created_ms);
  time(match.now_ms);
  time(match.clock_from_ms);
  clock(match.clock);
  seats(match.uncharged);
  if (match.offer) seat(match.offer.seat);
  if (match.pause) {
    seat(match.pause.seat);
    time(match.pause.until_ms);
  }
  away(match.away);
  match.can.forEach(actions);
}

/** @param {MatchEvent} event @param {Known | null} known */
function checkEvent(event, known) {
  count(event.version, "version", LIMITS.MAX_VERSION);
  time(event.at_ms);
  time(event.clock_from_ms);
  words(event.text);
  clock(event.clock);
  seats(event.uncharged ?? []);
  for (const granted of event.can ?? []) actions(granted ?? []);
  switch (event.type) {
    case "moved":
      return checkMoved(event, known);
    case "joined":
      seats([event.seat]);
      return words(event.name);
    case "seat_freed":
    case "offered":
    case "offer_closed":
    case "replaced":
    case "hinted":
      return seats([event.seat]);
    case "ended":
      return result(event.result);
    case "paused":
      seats([event.seat]);
      return time(event.until_ms);
    case "continued":
      return seat(event.seat);
    case "away":
      return away(event.away);
    case "excused":
      return count(event.outage_ms, "an outage of", LIMITS.MAX_TIME_MS);
    case "rematched":
      return ids([event.next], "match");
    default:
      return undefined;
  }
}

/** @param {Moved} event @param {Known | null} known */
function checkMoved(event, known) {
  seats([event.seat]);
  moves([event.move]);
  entry(event.entry);
  seat(event.to_move);
  if (known) {
    marks(event.marks, known);
    focus(event.focus ?? [], known);
  }
  if (event.legal) {
    moves(event.legal[0]);
    moves(event.legal[1]);
  }
  if (event.scores) scores(event.scores);
}

/** @param {Position} position @param {Known | null} known */
function checkPosition(position, known) {
  count(position.ply, "ply");
  count(position.plies, "plies:");
  if (known) {
    marks(position.marks, known);
    focus(position.focus, known);
  }
  scores(position.scores);
  seat(position.to_move);
  words(position.text);
  last(position.last);
}

/** @param {Analysis} analysis */
function checkAnalysis(analysis) {
  count(analysis.version, "version", LIMITS.MAX_VERSION);
  count(analysis.ply, "ply");
  count(analysis.plies, "plies:");
  seat(analysis.to_move);
  moves([analysis.move, analysis.played].filter((move) => move !== ""));
  words(analysis.match, analysis.text, analysis.played_text);
  check(Math.abs(analysis.lead ?? 0) <= LIMITS.MAX_LEAD, "a lead of", analysis.lead);
}

/** @param {Snapshot} match */
function checkBoard(match) {
  const { board } = match;
  for (const size of [board.width, board.height]) check(size > 0 && size <= LIMITS.MAX_BOARD, "a board of", size);
  ids(elementIds(match), "element", LIMITS.MAX_ELEMENTS);
  const dots = new Set(board.dots.map(([id]) => id));
  const cells = new Set(board.cells.map(([id]) => id));
  const within = (/** @type {string} */ id, /** @type {number[]} */ ...points) => {
    for (let at = 0; at < points.length; at += 2) {
      const [x, y] = [Number(points[at]), Number(points[at + 1])];
      const inside = x >= -NEAR && x <= board.width + NEAR && y >= -NEAR && y <= board.height + NEAR;
      check(inside, "off the board:", id);
    }
  };
  for (const [id, x, y] of board.dots) within(id, x, y);
  for (const [id, x1, y1, x2, y2, a, b] of board.lines) {
    within(id, x1, y1, x2, y2);
    for (const end of [a, b]) check(end === "" || dots.has(end), "no dot", end);
  }
  for (const [id, x, y, shape, , label] of board.cells) {
    if (shape === "hex") within(id, x - HEX_WIDE, y - HEX_HIGH, x + HEX_WIDE, y + HEX_HIGH);
    else within(id, x, y, x + 1, y + 1);
    words(label);
  }
  for (const [id, x, y, width, height, inside, label] of board.regions) {
    check(width >= 0 && height >= 0, "a region of", `${width} x ${height}`);
    within(id, x, y, x + width, y + height);
    check(inside.length <= LIMITS.MAX_ELEMENTS, "cells of a region:", inside.length);
    for (const cell of inside) check(cells.has(cell), "no cell", cell);
    words(label);
  }
  seats(board.turned_for);
  for (const colour of Object.values(board.tones)) check(COLOUR.test(colour), "the colour", colour);
}

// Pieces -------------------------------------------------------------------------------------------------------------

/** Each is an id, and there only once. @param {readonly string[]} found @param {string} what @param {number} [most] */
function ids(found, what, most = LIMITS.MAX_ELEMENTS) {
  check(found.length <= most, `${what}s:`, found.length);
  for (const id of found) check(id.length > 0 && length(id) <= LIMITS.MAX_ID, `the ${what}`, id);
  check(new Set(found).size === found.length, `the same ${what} twice`);
}

/** Seats are 0 and 1, each named once. @param {readonly number[]} found */
function seats(found) {
  check(found.every((one) => one === 0 || one === 1) && new Set(found).size === found.length, "the seats", found);
}

/** 0, 1, or nobody. @param {number | null} found */
const seat = (found) => check(found === null || found === 0 || found === 1, "seat", found);

/** Characters, as Python counts them. @param {string} text */
const length = (text) => (text.length > LIMITS.MAX_ID ? [...text].length : text.length);

/** No name, label or sentence is longer than one can read. @param {...(string | null)} texts */
function words(...texts) {
  for (const text of texts) check(text === null || length(text) <= LIMITS.MAX_WORDS, "a text of", text?.length);
}

/** @param {Snapshot["marks"] | Moved["marks"]} found @param {Known} known */
function marks(found, known) {
  for (const [element, mark] of Object.entries(found)) {
    check(known.has(element), "no element", element);
    if (mark) seat(mark[0]);
  }
}

/** @param {readonly string[]} found @param {Known} known */
function focus(found, known) {
  check(found.length <= LIMITS.MAX_ELEMENTS, "regions in focus:", found.length);
  for (const region of found) check(known.has(region), "no region", region);
}

/** The seats of a record's moves: one for each of them, or none are told. @param {Kept} record */
function movers({ movers: found, moves: made }) {
  check(found.length === 0 || found.length === made.length, "movers of moves:", found.length);
  check(
    found.every((one) => one === 0 || one === 1),
    "the movers",
    found.length,
  );
}

/** The scores of a record's moves: those before them and those after each, or none are told. @param {Kept} record */
function scoresTold({ scores: found, moves: made }) {
  check(found.length === 0 || found.length === made.length + 1, "scores of moves:", found.length);
  found.forEach(scores);
  check(new Set(found.map(([first]) => first.length)).size <= 1, "scores of several lengths:", found.length);
}

/** @param {SeatStyle} found */
function style(found) {
  words(found.name, found.symbol);
  check(COLOUR.test(found.colour), "the colour", found.colour);
}

/** Which of a record's moves were made in haste, each once, in order. @param {Kept} record */
function lessTold({ less, after, moves: made }) {
  const isInOrder = less.every((ply, at) => ply > (less[at - 1] ?? after));
  check(isInOrder && (less.at(-1) ?? 0) <= after + made.length, "moves in haste:", less.length);
}

/** As many for either seat, and such as a person can read. @param {Snapshot["scores"]} found */
function scores([first, second]) {
  check(first.length === second.length && first.length <= LIMITS.MAX_SCORES, "scores:", first.length);
  for (const score of [...first, ...second]) count(score, "a score of");
}

/** Not negative, and not beyond `most`. @param {number} found @param {string} what @param {number} [most] */
function count(found, what, most = LIMITS.MAX_COUNT) {
  check(found >= 0 && found <= most, what, found);
}

/** @param {readonly string[]} found */
function moves(found) {
  check(found.length <= LIMITS.MAX_LEGAL, "moves:", found.length);
  for (const move of found) check(move.length > 0 && length(move) <= LIMITS.MAX_MOVE, "the move", move);
}

/** What a program said is not longer than a gateway takes. @param {string} found */
const entry = (found) => check(found.length <= LIMITS.MAX_ENTRY, "an entry of", found.length);

/** @param {Snapshot["options"]} found */
function options(found) {
  const all = Object.entries(found);
  check(all.length <= LIMITS.MAX_OPTIONS, "options:", all.length);
  for (const [name, value] of all) {
    words(name, typeof value === "string" ? value : null);
    if (typeof value === "number") count(Math.abs(value), "an option of");
  }
}

/** A time in ms since 1970 that calendars know. @param {number} found */
const time = (found) => count(found, "the time", LIMITS.MAX_TIME_MS);

/** @param {Snapshot["last"]} found */
function last(found) {
  if (found === null) return;
  seats([found.seat]);
  moves([found.move]);
  entry(found.entry);
}

/** @param {Result | null} found */
function result(found) {
  if (found === null) return;
  seat(found.winner);
  words(found.reason, found.text);
  for (const stats of found.stats) {
    count(stats.moves, "moves:");
    count(stats.average_ms, "an average of", LIMITS.MAX_TIME_MS);
  }
}

/** @param {Snapshot["away"]} found */
function away(found) {
  seats(found.map((info) => info.seat));
  for (const info of found) time(info.until_ms ?? 0);
}

/** @param {Snapshot["clock"]} found */
function clock(found) {
  for (const left of found ?? []) check(Math.abs(left) <= LIMITS.MAX_TIME_MS, "a clock at", left);
}

/** @param {readonly string[]} found */
function actions(found) {
  check(found.length <= LIMITS.MAX_ACTIONS, "actions:", found.length);
  words(...found);
}

// What is no match ---------------------------------------------------------------------------------------------------

/** @param {Welcome} welcome */
function checkWelcome(welcome) {
  words(welcome.player, welcome.name, welcome.token, welcome.server);
  ids(welcome.matches, "match");
  ids(
    welcome.games.map((game) => game.name),
    "game",
    LIMITS.MAX_GAMES,
  );
  time(welcome.now_ms);
  check(welcome.epoch.length <= LIMITS.MAX_ID, "an epoch of so many characters:", welcome.epoch.length);
  check(welcome.catalogue.length <= LIMITS.MAX_ID, "a catalogue's hash of so many:", welcome.catalogue.length);
  welcome.games.forEach(checkGame);
}

/** @param {GameInfo} game */
function checkGame(game) {
  words(game.title, game.summary, ...game.score_names, ...game.score_names_one);
  const names = Math.max(game.score_names.length, game.score_names_one.length);
  check(game.help.length <= LIMITS.MAX_HELP && names <= LIMITS.MAX_SCORES, "the words of", game.name);
  const most = Math.max(game.options.length, game.presets.length);
  check(most <= LIMITS.MAX_OPTIONS, "options or presets:", most);
  ids(
    game.options.map((option) => option.name),
    "option",
  );
  game.options.forEach(checkOption);
  check(game.sides.length <= LIMITS.MAX_CHOICES, "pairs of sides of a game:", game.sides.length);
  for (const sides of game.sides) {
    words(sides.option, sides.choice);
    style(sides.first);
    style(sides.second);
  }
  for (const preset of game.presets) {
    words(preset.label);
    options(preset.options);
  }
}

/** @param {Option} option */
function checkOption(option) {
  words(option.label, option.help, ...option.choices);
  const { default: begun, low, high, choices, name } = option;
  if (typeof begun === "boolean") return;
  // A form lists the numbers.
  const fits =
    typeof begun === "number"
      ? low <= begun && begun <= high && high - low <= LIMITS.MAX_CHOICES
      : choices.length <= LIMITS.MAX_CHOICES && choices.includes(begun);
  check(fits, "the option", name);
}

/** @param {MatchSummary[]} found */
function rows(found) {
  ids(
    found.map((row) => row.match),
    "match",
    LIMITS.LOBBY_ROWS,
  );
  for (const row of found) {
    words(row.game, ...row.names);
    options(row.options);
    time(row.created_ms);
    count(row.spectators, "spectators:");
    count(row.delay_plies, "a delay of");
    row.styles?.forEach(style);
  }
}

/** @param {OwnMatch} row */
function own(row) {
  words(row.game, ...row.seats.map((one) => one.name));
  for (const one of row.seats) style(one.style);
  options(row.options);
  seats(row.you);
  seat(row.to_move);
  scores(row.scores);
  count(row.plies, "plies:");
  clock(row.clock);
  time(row.clock_from_ms);
  result(row.result);
  time(row.created_ms);
  time(row.ended_ms ?? 0);
}

/** @param {string[]} people @param {number} here @param {number} total */
function lobby(people, here, total) {
  check(people.length <= LIMITS.LOBBY_NAMES, "names:", people.length);
  words(...people);
  count(here, "people:");
  count(total, "matches:");
}

/** @param {Said} line */
function said(line) {
  count(line.number, "line", LIMITS.MAX_VERSION);
  seat(line.seat);
  words(line.name, line.text);
  time(line.at_ms);
}
