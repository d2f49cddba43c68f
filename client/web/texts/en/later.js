// All texts of the page: those of the first page, and what screens say that come when they are gone to.

import { spanText } from "../../shown/spans.js";
import { scoreName } from "../../shown/story.js";
import { counted, T as FIRST } from "./first.js";

/** @typedef {import("../../conversation/messages.d.ts").GameInfo} GameInfo */
/** @typedef {import("../../shown/mistakes.js").Costly} Costly */
/** @typedef {import("../../shown/story.js").Happening} Happening */

export const T = {
  ...FIRST,

  skip: "To the board",
  yourTurnTitle: (/** @type {string} */ rest) => `● Your turn – ${rest}`,
  startedTitle: (/** @type {string} */ rest) => `● An opponent is here – ${rest}`,

  name: {
    ...FIRST.name,
    title: "What is your name?",
    why: "Everybody who is here sees it. This browser remembers it for the next time.",
    field: "Your name",
    go: "Go on",
    taken: (/** @type {string} */ suggestion) => `Somebody here has that name. How about “${suggestion}”?`,
    take: (/** @type {string} */ suggestion) => `Use “${suggestion}”`,
  },

  challenges: {
    ...FIRST.challenges,
    title: "Challenge",
    from: (/** @type {string} */ name) => `${name} challenges you:`,
    own: (/** @type {string} */ name) => `You challenge ${name}:`,
    left: (/** @type {string} */ time) => `(${time} left to answer)`,
    meanwhile: "Your match here goes on meanwhile.",
    acceptAndGo: "Accept and go there",
    side: (/** @type {string} */ name, /** @type {number} */ seat) => {
      if (!name) return seat ? "you go second" : "you begin";
      return `you are ${name}${seat ? "" : " and begin"}`;
    },
  },

  waiting: {
    title: "Waiting for your opponent",
    side: (/** @type {string} */ name, /** @type {number} */ seat) =>
      `You are ${name}${seat ? "; your opponent begins." : " and begin."}`,
    lead: "Send this link. Whoever opens it first plays against you.",
    leadPublic: "Everybody in the lobby sees your match, and can join it. Or send this link:",
    paired:
      "You are paired as soon as somebody wants the same game. You may look at something else meanwhile: this page tells you.",
    link: "Link to your match",
    key: "Or the key, to type in",
    copy: "Copy",
    copied: "Copied",
    copyFailed: "Copying is not allowed here: the link is selected, press Ctrl+C, or hold it on a phone.",
    share: "Share…",
    qr: "The link as a QR code, for a phone's camera",
    invite: (/** @type {string} */ game) => `Play ${game} with me`,
    cancel: "Cancel the match",
    local:
      "This link works on this computer alone. To play with others, start the hub so that they can reach it, and open the page by its address in the network.",
  },

  joining: {
    title: "You are invited to a match",
    from: (/** @type {string} */ host, /** @type {string} */ game) => `${host} invites you to ${game}`,
    noClock: "No clock",
    each: (/** @type {string} */ total, /** @type {string} */ more) =>
      `${total} for each of you${more && `, and ${more} more with each move`}`,
    eachMove: (/** @type {string} */ span) => `${span} for each move`,
    refused: "This invitation leads to no free seat",
    join: "Join the match",
    watch: "Watch it",
    other: "Play somebody else",
    own: "This is your own match.",
    ownMore: "You hold a seat in it in this browser already. Is somebody else sitting here with you?",
    ownGo: "Go on with my match",
    ownHere: "Two at this screen",
    ownGuest: "Join as another guest in this tab",
    elsewhere:
      "Did you join it yourself, in another browser or within another app? Then your seat is there, and nobody else can take it: go on in that one.",
    nameFirst: "Your name, as your opponent sees it",
    side: (/** @type {string} */ name, /** @type {string} */ host, /** @type {number} */ seat) =>
      `You will be ${name}${seat ? `; ${host} begins.` : " and begin."}`,
  },

  match: {
    ...FIRST.match,
    you: "you",
    away: "away",
    left: "has left",
    /** What was known of somebody when the own connection was lost. */
    wasHere: "was here",
    wasAway: "was away",
    firstMove: "first move",
    within: (/** @type {string} */ time) => `within ${time}`,
    places: {
      "": "here",
      board: "here",
      lobby: "in the lobby",
      http: "reads by HTTP",
      quit: "has quit",
      lost: "connection lost",
    },
    goneFor: (/** @type {string} */ how, /** @type {string} */ span) => `${how} for ${span}`,
    awayFor: (/** @type {string} */ how, /** @type {string} */ time) => `${how}, ${time}`,
    free: "Free seat",
    toMove: (/** @type {string} */ name) => `${name} is to move`,
    wasToMove: (/** @type {string} */ name) => `${name} was to move`,
    yourTurn: "Your turn",
    notYourTurn: "It is not your turn.",
    noPlan: "It is not your turn, and no move is planned without a connection.",
    /** How a hub says no more than whose turn it is. */
    plainTurn: (/** @type {string} */ side) => [`${side}'s turn`, `${side} to move`],
    yourTurnName: (/** @type {string} */ name) => `${name}, it is your turn`,
    waits: "Waiting for an opponent",
    paused: "Paused",
    lookingBack: (/** @type {number} */ behind) => `Looking back, ${counted(behind, "move", "moves")} behind`,
    unanswered: "Sent, not confirmed yet. It is sent again until the hub answers.",
    unansweredMoves: "Sending your move…",
    notArrived: (/** @type {string} */ move) => `Your move ${move} was not confirmed before the page was reloaded.`,
    confirm: "Play this move?",
    confirmPlay: "Play it",
    hint: (/** @type {string} */ move, /** @type {string} */ why) => `Hint: ${move}${why && ` ${why}`}.`,
    thinking: "The computer is thinking about a hint…",
    less: "The server had much to do, and thought about it for less than usual.",
    letGo: "Let go",
    planned: (/** @type {string} */ what) => `Planned for your turn: ${what}. It is played if it is legal then.`,
    plannedDropped: "Your planned move is not possible any more, so it was not played.",
    goOn: "The move may go on, or end here",
    endHere: "End the move here",
    words: "Or:",
    spectators: (/** @type {number} */ count) => `${count} watching`,
    watching: "You are watching: this browser holds no seat here.",
    watchingLate: (/** @type {number} */ plies) =>
      `You are watching, ${counted(plies, "move", "moves")} behind: this browser holds no seat here.`,
    score: (/** @type {number} */ value, /** @type {string} */ what) => `${value} ${what}`.trim(),
    clock: (/** @type {string} */ name, /** @type {string} */ time) => `Time of ${name}: ${time}`,
    leave: "To the lobby",
    lobby: "Lobby",
    menu: "More",
    lists: "Beside the board",
    moves: "Moves",
    chat: "Chat",
    unread: (/** @type {string} */ what, /** @type {number} */ count) => `${what}, ${count} unread`,
    help: "Help",
    options: "Actions",
    close: "Close",
    noMoves: "No move yet.",
    turn: "Turn the board",
    full: "Full screen",
    notFull: "Leave full screen",
    typeMove: "Type a move",
    typeHint: (/** @type {string} */ move) => `Move, as ${move}`,
    typePlay: "Play",
    sayPlayers: "Say to your opponent",
    saySpectators: "Say to those who watch",
    send: "Send",
    noChat: "Nothing can be said at this hub.",
    mute: "Mute others",
    muteShort: "Mute",
    unmute: "Read others again",
    unmuteShort: "Read others",
    newLines: (/** @type {number} */ count) => `${counted(count, "new line", "new lines")} ↓`,
    nothingSaid: "Nothing was said yet.",
    notSent: "This was not sent:",
    awayLine: (
      /** @type {string} */ name,
      /** @type {import("../../conversation/messages.d.ts").SeatInfo["where"]} */ where,
      /** @type {string} */ time,
    ) =>
      `${name} ${where === "quit" ? "has quit" : where === "lost" ? "lost the connection" : "is away"}. ${time} left to come back.`,
    surrenderAsk: (/** @type {string} */ winner) => `Surrender? ${winner || "Nobody"} wins.`,
    restartAsk: "Restart the match?",
    cancelAsk: "Cancel the match?",
    yes: "Yes",
    no: "No",
    surrenderYes: "Surrender",
    unsure: "The clocks stand here: what passes meanwhile may be charged to nobody.",
  },

  pause: {
    own: "You paused the match.",
    theirs: (/** @type {string} */ name) => `${name} paused the match.`,
    until: (/** @type {string} */ time) => `It goes on by itself in ${time}.`,
    only: (/** @type {string} */ name) => `Before that only ${name} can go on.`,
    still: "The clocks stand still, and nobody sees the board.",
    moment: "One moment…",
  },

  learn: {
    ...FIRST.learn,
    done: "Done!",
    notYet: "Not yet.",
    again: "Try again",
    next: "Next task",
  },

  end: {
    win: "You win!",
    lose: "You lose.",
    draw: "Nobody wins.",
    saved: "A saved game.",
    wins: (/** @type {string} */ name) => `${name} wins!`,
    moves: (/** @type {number} */ moves) => counted(moves, "move", "moves"),
    each: (/** @type {string} */ average) => `${average} each`,
    rematch: "Rematch",
    again: "Another opponent",
    againSame: "Play again",
    lobby: "Main Menu",
    download: "Record",
    downloadMore: "Download the record as a file",
    share: "Share",
    shareMore: "Share this match",
    result: "Result",
    resultText: "The result as text",
    asText: (
      /** @type {string} */ game,
      /** @type {string} */ names,
      /** @type {string} */ result,
      /** @type {number} */ ms,
    ) => `${game}, ${new Intl.DateTimeFormat(undefined, { dateStyle: "medium" }).format(ms)}: ${names}. ${result}`,
    shareLink: "Whoever opens this link sees the match, for as long as the hub keeps it.",
    toRematch: "Go to the rematch",
  },

  offers: {
    draw: (/** @type {string} */ name) => `${name} offers a draw.`,
    takeback: (/** @type {string} */ name) => `${name} asks to take the last move back.`,
    restart: (/** @type {string} */ name) => `${name} asks to restart the match.`,
    revert: (/** @type {string} */ name) => `${name} asks to revert to a saved position.`,
    rematch: (/** @type {string} */ name) => `${name} asks for a rematch.`,
    own: {
      draw: "You offer a draw.",
      takeback: "You ask to take your last move back.",
      restart: "You ask to restart the match.",
      revert: "You ask to revert to a saved position.",
      rematch: "You ask for a rematch.",
    },
    unseen: (/** @type {string} */ name) => `${name} is not at this match now, and sees it on coming back.`,
    names: {
      draw: "draw",
      takeback: "taking back",
      restart: "restart",
      revert: "saved position",
      rematch: "rematch",
    },
  },

  /** What stands below an icon, where it is shorter than what the button is called. @type {Record<string, string>} */
  words: {
    cancel: "Cancel",
    draw: "Draw",
    revert: "Revert",
    start: "Start",
    back: "Back",
    forward: "Forward",
    live: "Newest",
  },

  actions: {
    cancel: "Cancel the match",
    hint: "Hint",
    draw: "Offer a draw",
    takeback: "Take back",
    restart: "Restart",
    revert: "Revert to a saved position",
    pause: "Pause",
    give_up: "Surrender",
    accept: "Accept",
    decline: "Decline",
    withdraw: "Withdraw",
    continue: "Continue",
    wait_longer: "Wait longer",
    call_draw: "Call it a draw",
    rematch: "Rematch",
    again: "Another opponent",
    review: "Review the moves",
    practise: "Practise from here",
    back: "One move back",
    forward: "One move forward",
    live: "To the newest move",
    save: "Save",
    say: "Say",
    mute: "Mute others",
    start: "To the start",
  },

  /** @param {string} side */
  practiseAs: (side) => `Practise from here as ${side}`,

  review: {
    whole: "What cost most",
    clean: "No move cost much",
    /** @param {string} found @param {number} some @param {number} all */
    hurried: (found, some, all) => `${found} (in haste: ${some} of ${all})`,
    stop: "Break off",
    close: "Close",
    /** @param {number} done @param {number} all @param {boolean} goesOn */
    progress: (done, all, goesOn) => `${goesOn ? "Reviewing" : "Broken off"}: ${done} of ${all} positions`,
    /** @param {string} first @param {string} second */
    curve: (first, second) => `Who stood better after each move: above the middle ${first}, below it ${second}`,
    /** @param {Costly} one @param {string} name */
    costly({ ply, played, why, better, betterWhy, exact, still }, name) {
      // What is said of both moves tells them not apart.
      const [reason, other] = why === betterWhy ? ["", ""] : [why && ` ${why}`, betterWhy && ` ${betterWhy}`];
      // Right is what would have held the win or the draw.
      const verdict = { wins: "Wins by more", loses: "Loses by less", "": exact ? "Right" : "Better" }[still];
      return `${ply}. ${name}: ${played}${reason}. ${verdict}: ${better}${other}.`;
    },
  },

  matchLog: {
    title: "What the programs say",
    find: "Find a move",
    sides: "Both sides",
    left: "left",
    closed: "the table was closed",
    /** @param {number} shown @param {number} all @param {string} words */
    counted: (shown, all, words) =>
      words ? `${shown} of ${all} move${all === 1 ? "" : "s"} with “${words}”` : `${all} move${all === 1 ? "" : "s"}`,
  },

  story: {
    inHaste: "in haste",
    /** @param {Happening} one @param {GameInfo | undefined} game @param {(seat: number) => string} nameOf */
    line(one, game, nameOf) {
      const { name, other, text, move, offer, seconds, less } = one.values;
      switch (one.kind) {
        case "moved":
          return `${name}: ${move}${T.story.gains(one, game, nameOf)}${less ? `, ${T.story.inHaste}` : ""}`;
        case "moved_by_itself":
          return `${name}, by itself: ${move}${T.story.gains(one, game, nameOf)}`;
        case "joined":
          return `${name} sat down.`;
        case "seat_freed":
          return `${name} left.`;
        case "ended":
        case "set_back":
          return text;
        case "paused":
          return `${name} paused the match.`;
        case "continued":
          return `${name} goes on.`;
        case "pause_over":
          return "The pause is over.";
        case "waits_longer":
          return `${name} waits longer for ${other}.`;
        case "excused":
          return `The server was away. ${seconds} s are charged to nobody.`;
        case "hinted":
          return `${name} took a hint.`;
        case "begun_anew":
          return "The task begins anew.";
        case "rematched":
          return "The rematch begins.";
        case "back":
          return `${name} is back.`;
        case "came":
          return `${name} is here.`;
        case "lost":
          return `${name} lost the connection.`;
        case "quit":
          return `${name} has quit.`;
        case "elsewhere":
          return `${name} is away.`;
        case "gone":
          return `${name} has left.`;
        case "replaced_takeback":
          return "A move was taken back.";
        case "replaced_restart":
          return "The match was restarted.";
        case "replaced_revert":
          return "The match was reverted to a saved position.";
        case "offer_accepted":
          return `${name} agrees (${T.story.offer(offer)}).`;
        case "offer_declined":
          return `${name} declines (${T.story.offer(offer)}).`;
        case "offer_withdrawn":
          return `${name} takes the offer back (${T.story.offer(offer)}).`;
        case "offer_moved":
          return `The offer is off, because play went on (${T.story.offer(offer)}).`;
        case "said":
          return `${name}: “${text}”`;
        default:
          return one.kind.startsWith("offered_")
            ? T.offers[/** @type {"draw"} */ (one.kind.slice("offered_".length))](name)
            : one.kind;
      }
    },
    /** @param {string} kind */
    offer: (kind) => T.offers.names[/** @type {"draw"} */ (kind)] ?? kind,
    /** @param {Happening} one @param {GameInfo | undefined} game @param {(seat: number) => string} nameOf */
    gains(one, game, nameOf) {
      const parts = (one.values.gains ?? []).map((/** @type {{ seat: number, place: number, by: number }} */ gain) => {
        const who = gain.seat === one.seat ? "" : `${nameOf(gain.seat)} `;
        return `${who}${T.story.gain(gain, game)}`;
      });
      return parts.length ? ` (${parts.join(", ")})` : "";
    },
    /** @param {{ place: number, by: number }} gain @param {GameInfo | undefined} game */
    gain({ place, by }, game) {
      const several = (game?.score_names.length ?? 0) > 1;
      return `${by > 0 ? "+" : "−"}${Math.abs(by)}${several ? ` ${scoreName(game, place, Math.abs(by))}` : ""}`;
    },
  },

  board: {
    line: (/** @type {string} */ a, /** @type {string} */ b) => `line ${a} to ${b}`,
    cell: (/** @type {string} */ id) => `cell ${id}`,
    square: (/** @type {string} */ id) => `square ${id}`,
    dot: (/** @type {string} */ id) => `dot ${id}`,
    inRegion: (/** @type {string} */ region, /** @type {string} */ what) => `board ${region}, ${what}`,
    free: "free",
    empty: "empty",
    drawn: "drawn",
    drawnBy: (/** @type {string} */ name) => `drawn by ${name}`,
    pieces: /** @type {Record<string, (name: string) => string>} */ ({
      line: (name) => `line of ${name}`,
      box: (name) => `box of ${name}`,
      man: (name) => `man of ${name}`,
      king: (name) => `king of ${name}`,
      stone: (name) => `stone of ${name}`,
      won: (name) => `won by ${name}`,
    }),
    piece: (/** @type {string} */ name) => `taken by ${name}`,
    group: (/** @type {number} */ size) => (size === 1 ? "alone" : `in a group of ${size}`),
    takes: (/** @type {number} */ size, /** @type {number} */ taken) => `${size} together, takes ${taken}`,
    inVain: {
      nothingThere: "Nothing begins there: choose one of your pieces first.",
      notYours: "That is not your piece.",
    },
  },

  saved: {
    title: "Saved games",
    empty:
      "No game is saved in this browser yet. Save is beside each match; a file from another client can be opened here.",
    open: "Open a file…",
    drop: "Drop it here",
    download: "Download",
    remove: "Remove",
    removeAsk: (/** @type {string} */ name) => `Remove “${name}”?`,
    somebody: "Against somebody",
    computer: "Against the computer",
    both: "Two at this screen",
    goOn: "Go on from here",
    when: (/** @type {number} */ ms) =>
      new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" }).format(ms),
    saveAs: "Save the match as",
    save: "Save",
    done: (/** @type {string} */ name) => `Saved as “${name}”.`,
    replaceYes: "Replace it",
    moves: (/** @type {number} */ count) => counted(count, "move", "moves"),
    revert: "Revert to which saved position?",
    revertEmpty: "No saved game of this match's game and options is in this browser.",
    /** @type {Record<string, (values: Record<string, string | number>) => string>} */
    wrong: {
      save_needs_name: () => "A saved game needs a name.",
      save_name_long: ({ most }) => `The name of a saved game has at most ${most} characters.`,
      save_name_letters: () => "The name of a saved game has letters, digits, spaces and - _ . ' ( ) only.",
      save_name_dots: () => "The name of a saved game neither begins nor ends with a dot.",
      save_name_device: ({ name }) => `“${name}” is the name of a device on some systems: choose another one.`,
      save_name_taken: ({ name }) => `There is another game saved as “${name}”.`,
      save_not_kept: () => "This browser keeps nothing, or has no room left: download the game as a file instead.",
      save_too_large: () => "That is too large for a saved game.",
      save_too_long: () => "That game is too long.",
      save_too_many: ({ most }) => `There are ${most} saved games already: remove some.`,
      save_damaged: () => "That is no saved game, or a damaged one.",
      save_newer: () => "That was saved by a newer Parlour.",
      save_other: () => "That is a saved game of another game, or of another board.",
      save_differs: () =>
        "The moves of this file do not lead to the position that it names; the match goes on from where they lead.",
    },
  },

  settings: {
    ...FIRST.settings,
    theme: "Colours",
    themes: { system: "As the system", light: "Light", dark: "Dark" },
    board: "Boards",
    boards: { paper: "Paper", wood: "Wood", meadow: "Meadow", sky: "Sky" },
    sound: "Sounds",
    volume: "Volume",
    motion: "Animations",
    motionNote: "Your system asks for less motion, so nothing moves.",
    confirm: "Confirm moves before they are sent",
    premove: "Plan moves while the other side is to move",
    notify: "Tell me when it is my turn and this tab is hidden",
    notifyDenied: "This browser does not allow notices here; the title and the icon of the tab tell it.",
    coordinates: "Move field and names of what is pointed at",
    silent: "Sounds start with your first click or tap on the page.",
    silentShort: "No sound yet: click or tap once",
  },

  help: {
    ...FIRST.help,
    keys: "Keys",
    board: "The board",
    hints: [
      "Click or tap a line or a cell to play there; drag from dot to dot, or a piece to where it goes.",
      "On a phone put a finger down and slide: what is lit above it is played when you lift it. Slide off the board to play nothing.",
      "While your opponent is to move you may plan your move: it is sent the moment it is legal. Esc, a right click or a tap beside the board lets go of it.",
    ],
    keyList: /** @type {[string, string][]} */ ([
      ["Arrows", "Move over the board"],
      ["Enter, Space", "Play what is under the cursor"],
      ["Esc", "Let go of what is picked, or of a planned move"],
      [", and .", "One move back, one move on"],
      ["End", "To the newest move"],
      ["-", "More: what else can be done"],
      ["?", "This help"],
      ["/", "Say something"],
    ]),
    other: "Rules of another game",
  },

  link: {
    ...FIRST.link,
    again: "Connected again.",
    newGuest: "The hub does not know this browser any more: you come as a new guest.",
    /** What it costs to stay away for longer; null: nothing. @param {number | null} ms */
    costs: (ms) =>
      ms === null
        ? ""
        : ms
          ? `Staying away for ${spanText(ms)} can lose the match.`
          : "A lost connection loses the match.",
    noSeat: "This browser does not hold a seat in it.",
  },

  errors: {
    ...FIRST.errors,
    gone: "There is no such match here any more.",
  },
};
