/**
 * What happened in a match, one entry for each event, for the log beside the board. Pure; the words are in `texts/`.
 * @import { GameInfo, MatchEvent, Presence, Said, Snapshot } from "../conversation/messages.d.ts"
 */
import { seatName } from "./position.js";

/**
 * One line of what happened; `seat` is whose doing it was. `kind` names the sentence, `values` are what stands in it.
 * @typedef {{ kind: string, seat: number | null, values: Record<string, any> }} Happening
 */

/** What `count` of the score at this place is called: one "box", but two "boxes"; "" for what has no name. @param {GameInfo | undefined} game @param {number} place @param {number} count */
export function scoreName(game, place, count) {
  const one = count === 1 ? game?.score_names_one[place] : undefined;
  return one ?? game?.score_names[place] ?? "";
}

/** A line that was said; `mine` in its values is for the page to mark. @param {Said} line @returns {Happening} */
export function saidLine(line) {
  return {
    kind: "said",
    seat: line.seat,
    values: { name: line.name, text: line.text, at: line.at_ms, number: line.number },
  };
}

/**
 * The line for an event, null for what needs no line.
 * @param {Snapshot} before
 * @param {Snapshot} after
 * @param {MatchEvent | Presence} event
 * @returns {Happening | null}
 */
export function happening(before, after, event) {
  const name = (/** @type {number | null} */ seat, match = after) => (seat === null ? "" : seatName(match, seat));
  switch (event.type) {
    case "moved":
      return {
        kind: event.automatic ? "moved_by_itself" : "moved",
        seat: event.seat,
        values: {
          name: name(event.seat),
          move: event.move,
          ply: after.plies,
          gains: gains(before.scores, after.scores, event.seat),
          less: event.less,
        },
      };
    case "joined":
      return { kind: "joined", seat: event.seat, values: { name: name(event.seat) } };
    case "seat_freed":
      return { kind: "seat_freed", seat: event.seat, values: { name: name(event.seat, before) } };
    case "ended":
      return { kind: "ended", seat: event.result.winner, values: { text: event.result.text } };
    case "presence":
      return comingAndGoing(before, after);
    case "offered":
      return { kind: `offered_${event.kind}`, seat: event.seat, values: { name: name(event.seat) } };
    case "offer_closed": {
      const seat = event.fate === "withdrawn" ? event.seat : event.fate === "moved" ? null : 1 - event.seat;
      return { kind: `offer_${event.fate}`, seat, values: { name: name(seat), offer: event.kind } };
    }
    case "replaced":
      return { kind: `replaced_${event.by}`, seat: event.seat, values: { name: name(event.seat) } };
    case "paused":
      return { kind: "paused", seat: event.seat, values: { name: name(event.seat) } };
    case "continued":
      return {
        kind: event.seat === null ? "pause_over" : "continued",
        seat: event.seat,
        values: { name: name(event.seat) },
      };
    case "away":
      return waitedFor(before, after);
    case "hinted":
      return { kind: "hinted", seat: event.seat, values: { name: name(event.seat) } };
    case "excused":
      return { kind: "excused", seat: null, values: { seconds: Math.max(Math.round(event.outage_ms / 1000), 1) } };
    case "rematched":
      return { kind: after.lesson ? "begun_anew" : "rematched", seat: null, values: {} };
    default:
      return null;
  }
}

/**
 * How the move changed the scores: for whose seat, which of them by its place, and by how much.
 * @param {Snapshot["scores"]} before
 * @param {Snapshot["scores"]} after
 * @param {number} mover whose changes come first
 */
export function gains(before, after, mover) {
  return [mover, 1 - mover].flatMap((seat) =>
    (after[seat] ?? [])
      .map((score, place) => ({ seat, place, by: score - (before[seat]?.[place] ?? 0) }))
      .filter((gain) => gain.by !== 0),
  );
}

/**
 * Coming and going is told by presence; here only that somebody is waited for longer (`RU-M5`).
 * @param {Snapshot} before
 * @param {Snapshot} after
 * @returns {Happening | null}
 */
function waitedFor(before, after) {
  for (const info of after.away) {
    const was = before.away.find((one) => one.seat === info.seat)?.until_ms ?? null;
    if (was !== null && info.until_ms !== null && info.until_ms > was) {
      const values = { name: seatName(after, 1 - info.seat), other: seatName(after, info.seat) };
      return { kind: "waits_longer", seat: 1 - info.seat, values };
    }
  }
  return null;
}

/** Who came back or lost the connection, of those who sit elsewhere. @param {Snapshot} before @param {Snapshot} after @returns {Happening | null} */
function comingAndGoing(before, after) {
  for (const seat of [0, 1]) {
    const [was, now] = [before.seats[seat], after.seats[seat]];
    if (was && now && now.name !== null && was.here !== now.here && !after.you.includes(seat)) {
      // Nobody is back who is not known to have been away: before a match of a challenge both are elsewhere.
      const came = was.where === "quit" || was.where === "lost" ? "back" : "came";
      // How somebody has gone is told as far as it is known: before the start and after the end no hub says.
      const unknown = after.status === "waiting" ? "elsewhere" : after.status === "ended" ? "gone" : "lost";
      const went = now.where === "quit" || now.where === "lost" ? now.where : unknown;
      const kind = now.here ? came : went;
      return { kind, seat, values: { name: now.name } };
    }
  }
  return null;
}
