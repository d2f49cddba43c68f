// Made by python -m scripts.web_types from protocol/: change it there.
/** The first command on a connection: who is there (`UD RF1`). Answered by Welcome. */
export interface Hello {
  type: "hello";
  ref: string;
  name?: string;
  token?: string | null;
  language?: string;
  client?: string;
  rename?: boolean;
  catalogue?: string;
}

/** Asks for a Pong, to measure latency and to learn the server's clock. */
export interface Ping {
  type: "ping";
  ref: string;
}

/** Asks for the list of public matches and its changes from now on; `on: false` ends that. */
export interface WatchLobby {
  type: "watch_lobby";
  ref: string;
  on?: boolean;
}

/** Asks for one's own matches: what waits or is played, and the newest that are over. Answered by OwnMatches. */
export interface GetMatches {
  type: "get_matches";
  ref: string;
}

/** Takes a match that is over out of one's own list. It is kept all the same, and found by who knows its id. */
export interface Forget {
  type: "forget";
  ref: string;
  match: string;
}

/** Hosts a match (`CK R1.2`). The host sits on seat 0 unless `seat` says otherwise. */
export interface Create {
  type: "create";
  ref: string;
  game: string;
  options?: Record<string, number | string | boolean>;
  private?: boolean;
  both_seats?: boolean;
  computer?: boolean;
  level?: string;
  seat?: number;
  clock?: ClockRule | null;
  grace_s?: number;
  moves?: Array<string>;
  spectators?: boolean;
  delay_plies?: number;
  lesson?: number;
  review?: boolean;
  names?: [string, string];
}

/** Takes the free seat of a public match (`match`) or of a private one (`key`, `CK R1.6`). */
export interface Join {
  type: "join";
  ref: string;
  match?: string;
  key?: string;
}

/** Asks what Join with the same `match` or `key` would lead to, and takes no seat. Answered by Invitation. */
export interface GetInvitation {
  type: "get_invitation";
  ref: string;
  match?: string;
  key?: string;
}

/** DOG's start: paired with whoever waits for the same game and options, else waits (`UD RF2`, `RF5`). */
export interface QuickMatch {
  type: "quick_match";
  ref: string;
  game: string;
  options?: Record<string, number | string | boolean>;
  clock?: ClockRule | null;
}

/** The host takes back a match that still waits. */
export interface Cancel {
  type: "cancel";
  ref: string;
  match: string;
}

/** Follows a match: a Snapshot first, then every event. A player comes back to the own match by it, too. */
export interface Watch {
  type: "watch";
  ref: string;
  match: string;
}

/** Follows a match no longer. A guest who leaves before the first move frees the seat; a waiting host cancels. */
export interface Leave {
  type: "leave";
  ref: string;
  match: string;
}

/** Plays `move` (in the game's notation) in the position of `version`, the newest that the player has seen. */
export interface Move {
  type: "move";
  ref: string;
  match: string;
  version: number;
  move: string;
}

/** Gives the match up, in turn or not (`CK R4.3`): the opponent wins. Before the first move nobody does. */
export interface Abandon {
  type: "abandon";
  ref: string;
  match: string;
  version?: number | null;
}

/** Follows a match from version `after` on: the missing events, or a Snapshot when there are many of them. */
export interface Sync {
  type: "sync";
  ref: string;
  match: string;
  after?: number;
  epoch?: string;
}

/** Offers the opponent something (`CK R4.5`, `RU-M3`, `RU-M6`, `RU-M7`); one offer can be open in a match. */
export interface Offer {
  type: "offer";
  ref: string;
  match: string;
  kind: "draw" | "rematch" | "restart" | "revert" | "takeback";
  moves?: Array<string>;
  version?: number | null;
}

/** Accepts or declines the opponent's open offer (`CK R4.5`). */
export interface Answer {
  type: "answer";
  ref: string;
  match: string;
  accept: boolean;
  offer?: number;
}

/** Takes the own open offer back; `offer` is the version at which it was made, as for Answer. */
export interface Withdraw {
  type: "withdraw";
  ref: string;
  match: string;
  offer?: number;
}

/** Stops the clocks and hides the position from everybody (`CK 5.4.3`, `RU-M4`). */
export interface Pause {
  type: "pause";
  ref: string;
  match: string;
}

/** Ends one's own pause (`CK 5.4.4`). */
export interface Continue {
  type: "continue";
  ref: string;
  match: string;
}

/** Gives the opponent who is away another minute (`RU-M5`). */
export interface WaitLonger {
  type: "wait_longer";
  ref: string;
  match: string;
  version?: number | null;
}

/** Calls the match a draw while the opponent is away (`RU-M5`). */
export interface CallDraw {
  type: "call_draw";
  ref: string;
  match: string;
  version?: number | null;
}

/** Asks for the position after the first `ply` moves. Answered by Position; refused during a pause. */
export interface Look {
  type: "look";
  ref: string;
  match: string;
  ply: number;
}

/** Asks for all that a saved game holds (`DB 7.3.3.1`, `RU-M8`). Answered by Record; refused during a pause. */
export interface GetRecord {
  type: "get_record";
  ref: string;
  match: string;
  after?: number;
}

/** Asks for the move that the strongest level would make in the position of `version`, against the computer only. */
export interface Hint {
  type: "hint";
  ref: string;
  match: string;
  version: number;
}

/** Asks who stands better after the first `ply` moves, and what is best there. Answered by Analysis. */
export interface Analyse {
  type: "analyse";
  ref: string;
  ply: number;
  match?: string;
  game?: string;
  options?: Record<string, number | string | boolean>;
  moves?: Array<string>;
}

/** Asks the player of that name, who is here, for a match of `game`; Challenged tells both of it. */
export interface Challenge {
  type: "challenge";
  ref: string;
  name: string;
  game: string;
  options?: Record<string, number | string | boolean>;
  clock?: ClockRule | null;
  seat?: number;
}

/** Accepts or declines a challenge. Accepted, the match has its id, and one sits opposite `Challenged.seat`. */
export interface AnswerChallenge {
  type: "answer_challenge";
  ref: string;
  challenge: string;
  accept: boolean;
}

/** Takes the own challenge back. */
export interface WithdrawChallenge {
  type: "withdraw_challenge";
  ref: string;
  challenge: string;
}

/** Whoever challenges the player from now on is refused as `muted`; `on: false` lets challenges come again. */
export interface MuteChallenges {
  type: "mute_challenges";
  ref: string;
  on?: boolean;
}

/** Says a line: the players to each other, spectators among themselves. Allowed during a pause and after the end. */
export interface Say {
  type: "say";
  ref: string;
  match: string;
  text: string;
}

/** Answers Hello: who you are, what is on offer, and which of your matches go on. */
export interface Welcome {
  type: "welcome";
  ref: string;
  player: string;
  name: string;
  token: string | null;
  protocol: number;
  server: string;
  now_ms: number;
  games: Array<GameInfo>;
  matches: Array<string>;
  chat: boolean;
  epoch: string;
  catalogue: string;
}

/** Answers Ping with the server's clock. */
export interface Pong {
  type: "pong";
  ref: string;
  now_ms: number;
}

/** The command with this `ref` is done and stored; the same ref gets the same answer again. */
export interface Accepted {
  type: "accepted";
  ref: string;
  match: string;
  version: number;
  key: string | null;
}

/** The command was not granted and left no trace. `ref` is "" when it could not even be read. */
export interface Refused {
  type: "refused";
  ref: string;
  code: string;
  text: string;
  data: Record<string, unknown>;
  match: string;
  version: number;
}

/** All public matches, newest first, and how many there are in truth when the list had to be cut. */
export interface LobbyState {
  type: "lobby_state";
  matches: Array<MatchSummary>;
  total: number;
  people: Array<string>;
  here: number;
}

/** What changed since the last lobby notification: rows to put in or replace, and ids to take out. */
export interface LobbyChange {
  type: "lobby_change";
  put: Array<MatchSummary>;
  gone: Array<string>;
  people: Array<string> | null;
  here: number | null;
}

/** Answers GetMatches: what goes on first, the newest first of each; at `now_ms` their clocks stood so. */
export interface OwnMatches {
  type: "own_matches";
  ref: string;
  now_ms: number;
  matches: Array<OwnMatch>;
}

/** Answers GetInvitation: the match that is joined by it, and the `seat` that the receiver would get, or holds. */
export interface Invitation {
  type: "invitation";
  ref: string;
  summary: MatchSummary;
  seat: number;
}

/** A match as this viewer may see it at `version`; the events that follow start at `version` + 1. */
export interface Snapshot {
  type: "snapshot";
  match: string;
  version: number;
  game: string;
  options: Record<string, number | string | boolean>;
  status: "ended" | "playing" | "waiting";
  private: boolean;
  created_ms: number;
  seats: [SeatInfo, SeatInfo];
  you: Array<number>;
  board: Board;
  marks: Record<string, Mark>;
  focus: Array<string>;
  scores: [Array<number>, Array<number>];
  to_move: number | null;
  legal: Array<string>;
  text: string;
  resting: Array<string>;
  plies: number;
  last: LastMove | null;
  result: Result | null;
  spectators: number;
  key: string | null;
  now_ms: number;
  clock_rule: ClockRule;
  clock: [number, number] | null;
  clock_from_ms: number;
  uncharged: Array<number>;
  grace_s: number;
  offer: OfferInfo | null;
  pause: PauseInfo | null;
  away: Array<AwayInfo>;
  can: [Array<string>, Array<string>];
  rematch: string;
  watchable: boolean;
  delay_plies: number;
  level: string;
  hints: [number, number];
  lesson: number;
  review: boolean;
}

/** Who is connected to a match: each seat, and how many spectators. Not part of the log, so it has no version. */
export interface Presence {
  type: "presence";
  match: string;
  here: [boolean, boolean];
  spectators: number;
  where: ["" | "board" | "http" | "lobby" | "lost" | "quit", "" | "board" | "http" | "lobby" | "lost" | "quit"];
  since_ms: [number | null, number | null];
}

/** A line in the receiver's channel, said by `name` (on `seat`, if a player). Not part of the log. */
export interface Said {
  type: "said";
  match: string;
  channel: "players" | "spectators";
  number: number;
  name: string;
  text: string;
  at_ms: number;
  seat: number | null;
}

/** What was said lately in the receiver's channel, in order; comes after Watch and Sync if there is anything. */
export interface Chat {
  type: "chat";
  match: string;
  channel: "players" | "spectators";
  lines: Array<Said>;
}

/** The store does not answer the hub at the other end (`on`), or does so again. Comes to all of its connections. */
export interface Outage {
  type: "outage";
  on: boolean;
  since_ms: number;
  counted_ms: number;
  text: string;
}

/** The server stops or restarts: everything is stored; come back in about `back_in_ms`. */
export interface GoingAway {
  type: "going_away";
  text: string;
  back_in_ms: number;
  elsewhere: boolean;
}

/** The server's store has lost events that the receiver had seen (`Q9`): what was known above `version` is void. */
export interface SetBack {
  type: "set_back";
  match: string;
  version: number;
  text: string;
}

/** Answers Look: the position after `ply` of `plies` moves, for stepping through. */
export interface Position {
  type: "position";
  ref: string;
  match: string;
  ply: number;
  plies: number;
  marks: Record<string, Mark>;
  focus: Array<string>;
  scores: [Array<number>, Array<number>];
  to_move: number | null;
  text: string;
  last: LastMove | null;
}

/** Answers GetRecord: what a saved game holds. `hash` is that of the position which the moves lead to. */
export interface Record {
  type: "record";
  ref: string;
  match: string;
  game: string;
  options: Record<string, number | string | boolean>;
  names: [string, string];
  moves: Array<string>;
  hash: string;
  created_ms: number;
  result: Result | null;
  movers: Array<number>;
  after: number;
  plies: number;
  scores: Array<[Array<number>, Array<number>]>;
  less: Array<number>;
  to_move: number | null;
}

/** Answers Analyse and Hint: what is best after `ply` of `plies` moves, and who stands better there. */
export interface Analysis {
  type: "analysis";
  ref: string;
  match: string;
  version: number;
  ply: number;
  plies: number;
  to_move: number | null;
  move: string;
  text: string;
  lead: number | null;
  exact: boolean;
  played: string;
  played_text: string;
  less: boolean;
}

/** `by` asks `to` for a match, until `until_ms`; `mine`: it is the receiver's own challenge. */
export interface Challenged {
  type: "challenged";
  challenge: string;
  by: string;
  to: string;
  mine: boolean;
  game: string;
  title: string;
  options: Record<string, number | string | boolean>;
  clock: ClockRule;
  until_ms: number;
  now_ms: number;
  seat: number;
}

/** How a challenge went: `accepted` (the match `challenge` is there), `declined`, `withdrawn`, `expired` (its minute is over), or `left` (the other player has gone). `text` says it to the receiver. */
export interface ChallengeOver {
  type: "challenge_over";
  challenge: string;
  by: string;
  to: string;
  mine: boolean;
  fate: "accepted" | "declined" | "expired" | "left" | "withdrawn";
  text: string;
}

/** Whether challenges are kept from the receiver, see MuteChallenges. Comes after Welcome where they are. */
export interface ChallengesMuted {
  type: "challenges_muted";
  on: boolean;
}

/** A player took a seat; with both taken the match starts: DOG's receive_start (`UD RF5`). */
export interface Joined {
  type: "joined";
  match: string;
  version: number;
  at_ms: number;
  text: string;
  clock: [number, number] | null;
  clock_from_ms: number;
  uncharged: Array<number> | null;
  can: [Array<string> | null, Array<string> | null] | null;
  seat: number;
  name: string;
  status: "ended" | "playing" | "waiting";
}

/** A player left before the first move; the match waits again. */
export interface SeatFreed {
  type: "seat_freed";
  match: string;
  version: number;
  at_ms: number;
  text: string;
  clock: [number, number] | null;
  clock_from_ms: number;
  uncharged: Array<number> | null;
  can: [Array<string> | null, Array<string> | null] | null;
  seat: number;
}

/** A move: DOG's receive_move (`UD RF6`). Everything in it is what changed; what is left out stayed as it was. */
export interface Moved {
  type: "moved";
  match: string;
  version: number;
  at_ms: number;
  text: string;
  clock: [number, number] | null;
  clock_from_ms: number;
  uncharged: Array<number> | null;
  can: [Array<string> | null, Array<string> | null] | null;
  seat: number;
  move: string;
  marks: Record<string, Mark | null>;
  to_move: number | null;
  legal: LegalChange | null;
  scores: [Array<number>, Array<number>] | null;
  focus: Array<string> | null;
  automatic: boolean;
  entry: string;
  less: boolean;
}

/** The match is over (`CK R4.4`, `DB 7.3.1.3`); an opponent's giving up is DOG's receive_abandonment (`UD RF7`). */
export interface Ended {
  type: "ended";
  match: string;
  version: number;
  at_ms: number;
  text: string;
  clock: [number, number] | null;
  clock_from_ms: number;
  uncharged: Array<number> | null;
  can: [Array<string> | null, Array<string> | null] | null;
  result: Result;
}

/** `seat` offers something to the other (`CK 5.4.2`). Answer and Withdraw name it by its `version`. */
export interface Offered {
  type: "offered";
  match: string;
  version: number;
  at_ms: number;
  text: string;
  clock: [number, number] | null;
  clock_from_ms: number;
  uncharged: Array<number> | null;
  can: [Array<string> | null, Array<string> | null] | null;
  seat: number;
  kind: "draw" | "rematch" | "restart" | "revert" | "takeback";
}

/** The open offer, made by `seat`, is answered, withdrawn, or declined by a move (`CK R4.5`). */
export interface OfferClosed {
  type: "offer_closed";
  match: string;
  version: number;
  at_ms: number;
  text: string;
  clock: [number, number] | null;
  clock_from_ms: number;
  uncharged: Array<number> | null;
  can: [Array<string> | null, Array<string> | null] | null;
  seat: number;
  kind: "draw" | "rematch" | "restart" | "revert" | "takeback";
  fate: "accepted" | "declined" | "moved" | "withdrawn";
}

/** The position is another one: moves taken back, a restart, a saved position (`RU-M6`). A Snapshot follows. */
export interface Replaced {
  type: "replaced";
  match: string;
  version: number;
  at_ms: number;
  text: string;
  clock: [number, number] | null;
  clock_from_ms: number;
  uncharged: Array<number> | null;
  can: [Array<string> | null, Array<string> | null] | null;
  seat: number;
  by: "restart" | "revert" | "takeback";
}

/** `seat` paused: cover the board (`CK 5.4.3`). It ends by itself at `until_ms`. */
export interface Paused {
  type: "paused";
  match: string;
  version: number;
  at_ms: number;
  text: string;
  clock: [number, number] | null;
  clock_from_ms: number;
  uncharged: Array<number> | null;
  can: [Array<string> | null, Array<string> | null] | null;
  seat: number;
  until_ms: number;
}

/** The pause is over; `seat` is None when its time had run out (`CK 5.4.4`, `D11`). A Snapshot follows. */
export interface Continued {
  type: "continued";
  match: string;
  version: number;
  at_ms: number;
  text: string;
  clock: [number, number] | null;
  clock_from_ms: number;
  uncharged: Array<number> | null;
  can: [Array<string> | null, Array<string> | null] | null;
  seat: number | null;
}

/** Who is away now, and until when each is waited for (`RU-M5`). () when everybody is back. */
export interface Away {
  type: "away";
  match: string;
  version: number;
  at_ms: number;
  text: string;
  clock: [number, number] | null;
  clock_from_ms: number;
  uncharged: Array<number> | null;
  can: [Array<string> | null, Array<string> | null] | null;
  away: Array<AwayInfo>;
}

/** The server was away for `outage_ms`; nobody is charged for it (`D5`). */
export interface Excused {
  type: "excused";
  match: string;
  version: number;
  at_ms: number;
  text: string;
  clock: [number, number] | null;
  clock_from_ms: number;
  uncharged: Array<number> | null;
  can: [Array<string> | null, Array<string> | null] | null;
  outage_ms: number;
}

/** `seat` has taken a hint; which move it was is told to that player alone. */
export interface Hinted {
  type: "hinted";
  match: string;
  version: number;
  at_ms: number;
  text: string;
  clock: [number, number] | null;
  clock_from_ms: number;
  uncharged: Array<number> | null;
  can: [Array<string> | null, Array<string> | null] | null;
  seat: number;
}

/** Both want another one: it is `next`, with seats swapped (`RU-M7`). */
export interface Rematched {
  type: "rematched";
  match: string;
  version: number;
  at_ms: number;
  text: string;
  clock: [number, number] | null;
  clock_from_ms: number;
  uncharged: Array<number> | null;
  can: [Array<string> | null, Array<string> | null] | null;
  next: string;
}

/** A seat whose player has lost the connection, and when the match is abandoned for it. */
export interface AwayInfo {
  seat: number;
  until_ms: number | null;
  stands: boolean;
}

/** Everything that can be drawn or touched; sent once for each match. */
export interface Board {
  width: number;
  height: number;
  dots: Array<Dot>;
  lines: Array<Line>;
  cells: Array<Cell>;
  regions: Array<Region>;
  turned_for: Array<number>;
  tones: Record<string, string>;
  groups: boolean;
}

/** A cell. A square has its top left corner at (x, y) and sides of 1 unit; a hexagon has its centre there. */
export type Cell = [id: string, x: number, y: number, shape: "square" | "hex", tone: "plain" | "light" | "dark", label: string];

/** How time is limited (`RU-M1`): not at all, for each move, or in total with an increment. All in ms. */
export interface ClockRule {
  per_move_ms: number;
  total_ms: number;
  increment_ms: number;
}

/** A dot at (x, y). */
export type Dot = [id: string, x: number, y: number];

/** A game on offer, with all that a form and a help panel need (`DB 7.3.1.5`). */
export interface GameInfo {
  name: string;
  title: string;
  summary: string;
  help: string;
  score_names: Array<string>;
  score_names_one: Array<string>;
  options: Array<Option>;
  presets: Array<Preset>;
  computer: boolean;
  levels: Array<Level>;
  usual_level: string;
  clock: ClockRule;
  lessons: Array<string>;
  sides: Array<Sides>;
}

/** The move played last, to be marked on the board. `automatic` when the server made it (`RU-HX3`). */
export interface LastMove {
  seat: number;
  move: string;
  automatic: boolean;
  entry: string;
}

/** How the legal moves, always those of the seat to move, differ from others: see `protocol.legal`. */
export type LegalChange = [add: Array<string>, drop: Array<string>, base: "last" | "none" | "turn"];

/** How well the computer plays, as a choice in a form: a stable name, and what people read. */
export interface Level {
  name: string;
  label: string;
}

/** A straight line from (x1, y1) to (x2, y2); `a` and `b` are the dots it joins, in reading order. */
export type Line = [id: string, x1: number, y1: number, x2: number, y2: number, a: string, b: string];

/** What lies on one element: whose it is (a seat, or None for nobody's) and which piece. */
export type Mark = [seat: number | null, piece: "line" | "box" | "man" | "king" | "stone" | "won"];

/** A row of the lobby: a public match that waits for an opponent or is being played (`CK 5.3`). */
export interface MatchSummary {
  match: string;
  game: string;
  options: Record<string, number | string | boolean>;
  status: "ended" | "playing" | "waiting";
  names: [string | null, string | null];
  created_ms: number;
  clock_rule: ClockRule;
  styles: [SeatStyle, SeatStyle] | null;
  spectators: number;
  delay_plies: number;
}

/** An open offer: what, by which seat, and the `version` at which it was made, by which answers name it. */
export interface OfferInfo {
  kind: "draw" | "rematch" | "restart" | "revert" | "takeback";
  seat: number;
  version: number;
}

/** One option of a game, as data for a form: a switch (bool default), a choice, or a number from low to high. */
export interface Option {
  name: string;
  label: string;
  default: number | string | boolean;
  choices: Array<string>;
  low: number;
  high: number;
  help: string;
  first: boolean;
}

/** One of the receiver's own matches: waiting, being played, or over; private ones and those alone, too. */
export interface OwnMatch {
  match: string;
  game: string;
  options: Record<string, number | string | boolean>;
  status: "ended" | "playing" | "waiting";
  private: boolean;
  created_ms: number;
  seats: [SeatInfo, SeatInfo];
  you: Array<number>;
  scores: [Array<number>, Array<number>];
  to_move: number | null;
  plies: number;
  clock_rule: ClockRule;
  clock: [number, number] | null;
  clock_from_ms: number;
  paused: boolean;
  ended_ms: number | null;
  result: Result | null;
}

/** A pause: who paused, and when it ends by itself. */
export interface PauseInfo {
  seat: number;
  until_ms: number;
}

/** A ready choice of options for a menu (`RU-DB1`). */
export interface Preset {
  label: string;
  options: Record<string, number | string | boolean>;
}

/** A part of the board that can be in focus or won as a whole: the box (x, y, width, height) and its cells' ids. */
export type Region = [id: string, x: number, y: number, width: number, height: number, cells: Array<string>, label: string];

/** The end of a match: winner's seat (None: nobody won), a stable reason, and the sentence that announces it. */
export interface Result {
  winner: number | null;
  reason: string;
  text: string;
  stats: [SeatStats, SeatStats];
}

/** A seat as everybody may see it: how it looks, who holds it, and whether that player is connected. */
export interface SeatInfo {
  style: SeatStyle;
  name: string | null;
  here: boolean;
  where: "" | "board" | "http" | "lobby" | "lost" | "quit";
  since_ms: number | null;
}

/** A seat's moves and its average time for one (`CK 5.5`). */
export interface SeatStats {
  moves: number;
  average_ms: number;
}

/** How a seat is named and told apart: colour (`#rrggbb`) and always a symbol besides (one character). */
export interface SeatStyle {
  name: string;
  colour: string;
  symbol: string;
}

/** What the seats of a game are called and look like before it begins: always, or with this choice of an option. */
export interface Sides {
  first: SeatStyle;
  second: SeatStyle;
  option: string;
  choice: string;
}

export type Command =
  | Hello
  | Ping
  | WatchLobby
  | GetMatches
  | Forget
  | Create
  | Join
  | GetInvitation
  | QuickMatch
  | Cancel
  | Watch
  | Leave
  | Move
  | Abandon
  | Sync
  | Offer
  | Answer
  | Withdraw
  | Pause
  | Continue
  | WaitLonger
  | CallDraw
  | Look
  | GetRecord
  | Hint
  | Analyse
  | Challenge
  | AnswerChallenge
  | WithdrawChallenge
  | MuteChallenges
  | Say;

export type Notification =
  | Welcome
  | Pong
  | Accepted
  | Refused
  | LobbyState
  | LobbyChange
  | OwnMatches
  | Invitation
  | Snapshot
  | Presence
  | Said
  | Chat
  | Outage
  | GoingAway
  | SetBack
  | Position
  | Record
  | Analysis
  | Challenged
  | ChallengeOver
  | ChallengesMuted
  | Joined
  | SeatFreed
  | Moved
  | Ended
  | Offered
  | OfferClosed
  | Replaced
  | Paused
  | Continued
  | Away
  | Excused
  | Hinted
  | Rematched;

export type MatchEvent =
  | Joined
  | SeatFreed
  | Moved
  | Ended
  | Offered
  | OfferClosed
  | Replaced
  | Paused
  | Continued
  | Away
  | Excused
  | Hinted
  | Rematched;

export type Reply =
  | Accepted
  | Refused
  | Invitation
  | Position
  | Record
  | Analysis;
