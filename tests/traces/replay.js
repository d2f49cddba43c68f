// Runs the page's session and model through traces: JSON on standard input, what was made of each step on standard output.
import { Session } from "../../client/web/conversation/session.js";
import { Doing } from "../../client/web/doing.js";
import { CONTROLS } from "../../client/web/shown/controls.js";
import * as atPlay from "../../client/web/shown/at_play.js";
import * as seen from "../../client/web/shown/seen.js";

/** The page's names for events are those of the traces. */
const kindOf = (event) => (event.type === "settled" ? `settled ${event.answer.type} ${event.answer.code ?? ""}`.trimEnd() : event.type);

/** With a clock that stands at the step's time. */
class Replayed extends Doing {
  at = 0;
  now() {
    return this.at;
  }
}

function replay({ client, steps }) {
  const session = new Session(client.name, client.token, { client: "trace", prefix: client.prefix });
  const doing = new Replayed(session);
  const kinds = [];
  doing.listen((event) => {
    if (!["stepped", "cleared", "filtered", "told"].includes(event.type)) kinds.push(kindOf(event));
  });
  return steps.map((step) => {
    doing.at = step.at;
    DO[step.do](doing, step);
    doing.catchUp();
    return {
      out: session.dataToSend().map((frame) => JSON.parse(frame)),
      events: kinds.splice(0),
      shows: shows(doing, step.at),
    };
  });
}

const DO = {
  opened: ({ session }, { at }) => session.opened(at),
  closed: ({ session }, { at }) => session.closed(at, "lost"),
  tick: ({ session }, { at }) => session.tick(at),
  receive: ({ session }, { at, frame }) => session.receive(frame, at),
  open: (doing, { way, value }) => doing.open({ way, value }),
  play: (doing, { move }) => doing.play(move),
  act: (doing, { action }) => doing.act(action),
  revert: (doing, { moves }) => doing.revert(moves),
  look: (doing, { ply }) => doing.step(ply),
  say: (doing, { text }) => doing.say(text),
  watch_lobby: (doing, { on }) => doing.watchLobby(on),
  filter: (doing, { game }) => doing.filter(game),
  introduce: ({ session }, { name }) => session.introduce(name),
  leave: (doing) => doing.leave(),
  clear: (doing) => doing.clear(),
};

const rounded = (value) => (value === null ? null : Math.round(value));

function shows({ session, model: { value: model } }, at) {
  const shown = seen.shown(model);
  return {
    state: session.state,
    wants_close: session.wantsClose,
    name: session.name,
    token: session.token,
    match: session.match,
    version: session.version,
    pending: session.pending.map((command) => command.ref),
    link: model.link,
    down_since: rounded(model.downSince),
    latency_ms: rounded(model.latencyMs),
    server_minus_now_ms: rounded(model.serverMinusNowMs),
    lobby: model.lobby?.map((row) => row.match) ?? null,
    lobby_total: model.lobbyTotal,
    own: model.own.map((row) => row.match),
    people: model.people,
    here: model.here,
    mine: model.mine.map((mine) => mine.match),
    games: Object.values(model.games).map((game) => game.title),
    position: model.match && position(model.match),
    shown: shown && [seen.shownPly(model), shown.marks],
    pending_moves: seen.pendingMoves(model),
    unanswered: atPlay.unanswered(model),
    next_version: seen.nextVersion(model),
    awaits_position: model.awaitsPosition,
    my_turn: seen.isMyTurn(model),
    covered: seen.isCovered(model),
    time_left: seen.timeLeft(model, at),
    countdowns: atPlay.countdowns(model, at),
    waits_left: seen.waitsLeft(model, at),
    first_move_ms: atPlay.firstMoveMs(model, at),
    unsure: atPlay.isUnsure(model),
    outage: model.outage?.text ?? null,
    own_stopped_ms: model.ownStoppedMs,
    enabled: CONTROLS.filter((control) => control.enabled(model)).map((control) => control.action).sort(),
    challenges: model.challenges.map((told) => told.challenge),
    challenges_heard: model.challengesHeard,
    unchallenged: model.unchallenged,
    happenings: model.happenings.slice(-60).map((line) => line.seat),
    said: model.said,
  };
}

function position({ type, board, seats, ...match }) {
  return { type, ...match, seats: seats.map((seat) => [seat.name, seat.here]) };
}

let text = "";
for await (const chunk of process.stdin.setEncoding("utf-8")) text += chunk;
process.stdout.write(JSON.stringify(JSON.parse(text).map(replay)));
