// The words of the form for a match: what each row is called, and a sentence that says what it does. The clients in
// Python have the same in client/playing/form_words.py, and a test holds both together.

/** @typedef {[label: string, sentence: string]} Words */

export const T = {
  /** @type {Record<string, Words>} */
  rows: {
    game: ["Game", "What is played."],
    preset: ["Size", "How large the board is."],
    opponent: ["Opponent", "Against whom."],
    level: ["It plays", "How well the computer plays."],
    first: ["Who begins", "Who makes the first move; in a rematch it is the other one."],
    clock: ["Clock", "Who is out of time loses. 3+2: three minutes for each, and two seconds more with each move."],
    moveTime: ["Time for a move", "Each move must be made within it."],
    total: ["Time for each", "What each side has for all its moves."],
    increment: ["More each move", "What each move adds to the time of who made it."],
    watchable: ["Who may watch", "A match by link is in no list: nobody watches, or who is given its address."],
    delay: ["Spectators see moves", "Who is some moves behind can tell nobody what comes next."],
    grace: ["Wait when away", "How long a player whose connection is lost is waited for."],
    more: ["More", "What is seldom changed."],
  },
  /** @type {Record<string, Words>} */
  opponents: {
    somebody: ["Somebody", "Whoever joins from the lobby first."],
    friend: ["Friend (link)", "Only who has the link or the key can join."],
    computer: ["Computer", "It is there at once."],
    both: ["Two here", "You both play at this screen."],
  },
  clocks: { none: "none", "3+2": "3+2", "5+3": "5+3", "10+0": "10+0", move: "each move", total: "in total" },
  /** @type {Record<string, [first: string, second: string]>} */
  begins: {
    somebody: ["you", "your opponent"],
    friend: ["you", "your friend"],
    computer: ["you", "the computer"],
  },
  watch: ["nobody", "who has its address"],
  ownSize: "own choice",
  notLater: "at once",
  changed: (/** @type {number} */ count) => (count ? `More (${count} changed)` : "More"),
  later: (/** @type {number} */ plies) => `${plies} ${plies === 1 ? "move" : "moves"} later`,
  usual: (/** @type {string} */ clock) => `Usual here: ${clock}.`,
  span: (/** @type {number} */ low, /** @type {number} */ high) => `From ${low} to ${high}.`,
  less: (/** @type {string} */ label) => `${label}: less`,
  greater: (/** @type {string} */ label) => `${label}: more`,
  side: (/** @type {string} */ name) => `You are ${name} and begin.`,
  second: (/** @type {string} */ name, /** @type {string} */ other) => `You are ${name}; ${other} begins.`,
  firstTurn: (/** @type {string} */ name) => `${name} has the first turn.`,
  /** @type {Array<[value: string, words: string]>} */
  against: [
    ["both", "2 Player"],
    ["computer", "Play Against the Computer"],
  ],
  prompt: "Click Start to begin Game.",

  purposes: {
    challenge: "Challenge",
    host: "Host a match",
    here: "Two at this screen",
    computer: "Play the computer",
    find: "Find an opponent",
    friend: "Play a friend",
  },
  submit: {
    host: "Host the match",
    here: "Start",
    computer: "Start",
    find: "Find an opponent",
    challenge: "Challenge",
    friend: "Make the link",
  },
  whichGame: "Which game?",
  busy: "One moment…",
};
