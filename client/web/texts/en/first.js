// What the first page says, and what is said on every screen. All texts of the page lie in this folder, one for each
// language: a second language is one more folder like this one. What comes later with its screens is in `later.js`. What a
// hub says comes in the language that the page greets it with.

/** @param {number} count @param {string} one @param {string} many */
export const counted = (count, one, many) => `${count} ${count === 1 ? one : many}`;

export const T = {
  app: "Parlour",
  tagline: "Board games for two: a friend, a stranger, or the computer.",
  taglineMore: "Nothing to install, nothing to sign up for.",
  loading: "One moment…",
  values: { yes: "yes", no: "no" },

  front: {
    computer: "Play the computer",
    computerMore: "Start at once",
    friend: "Play a friend",
    friendMore: "Send a link",
    find: "Find an opponent",
    findMore: "Be paired with whoever waits",
    ways: { computer: "Computer", friend: "Friend (link)", find: "Somebody", here: "Two here" },
    more: "Host with your own settings",
    here: "Two at this screen",
    saved: "Saved games",
    game: "Which game?",
    games: "The games",
    lobby: "Open matches",
    allGames: "All games",
    filter: "Games listed",
    empty: "No match waits or is played just now.",
    emptyFilter: "No match of this game waits or is played just now.",
    more_matches: (/** @type {number} */ count) => `and ${count} more`,
    featured: "Being played now",
    watch: "Watch",
    join: "Join",
    resume: "Go on",
    joinKey: "Join with a key or link",
    keyHint: "For instance ABCD-EFGH-JKLM",
    noKey: "That holds neither a key nor a link to a match. A key has twelve letters and digits.",
    people: (/** @type {string[]} */ names, /** @type {number} */ more) =>
      names.length + more === 0
        ? "Nobody else is here"
        : names.length === 0
          ? `${counted(more, "other is", "others are")} here`
          : `Here: ${names.slice(0, 6).join(", ")}${names.length - 6 + more > 0 ? ` and ${Math.max(names.length - 6, 0) + more} more` : ""}`,
    peopleUnknown: "Who is here is not known now",
    yours: "Your matches",
    yoursOver: "Your matches that are over",
    goesOn: "Your match goes on",
    otherGoesOn: "Your other match goes on",
    waitsOn: "Your match waits for an opponent",
    goBack: "Go back to it",
    which: (/** @type {string} */ game, /** @type {string} */ name) =>
      [game, name && `against ${name}`].filter(Boolean).join(" "),
    watching: (/** @type {number} */ count) => counted(count, "watches", "watch"),
    since: (/** @type {number} */ ms) => {
      const minutes = Math.floor(ms / 60_000);
      if (minutes < 1) return "just now";
      if (minutes < 60) return `${minutes} min`;
      return minutes < 2880 ? `${Math.floor(minutes / 60)} h` : `${Math.floor(minutes / 1440)} days`;
    },
  },

  own: {
    stands: {
      waiting: "waiting for an opponent",
      paused: "paused",
      played: "played here",
      away: "your opponent is away",
      yours: "your turn",
      theirs: "their turn",
      won: "you won",
      lost: "you lost",
      draw: "a draw",
      nobody: "nobody won",
    },
    private: "private",
    acts: { cancel: "Cancel", abandon: "Surrender", forget: "Remove" },
    surely: "Yes, surrender",
    look: "Look at it",
  },

  name: {
    change: "Change your name",
  },

  challenges: {
    whom: "Challenge somebody",
    name: (/** @type {string} */ name) => `Challenge ${name}`,
    mute: "Mute challenges",
    unmute: "Be challenged again",
  },

  match: {
    board: (/** @type {string} */ title) => `Board of ${title}`,
  },

  learn: {
    learn: "Learn",
    about: (/** @type {string} */ game) => `Learn ${game} by a few tasks`,
    task: (/** @type {number} */ number, /** @type {number} */ count, /** @type {string} */ title) =>
      `Task ${number} of ${count}: ${title}`,
  },

  settings: {
    title: "Settings",
    done: "Done",
    notStored: "This browser lets nothing be kept. You can play a whole match, but reloading the page loses your seat.",
  },

  help: {
    title: "Help",
  },

  link: {
    connecting: "Connecting…",
    lost: (/** @type {string} */ time) => `No connection since ${time}. It comes back by itself.`,
    now: "Try now",
    blocked:
      "The hub answers, but live connections do not come through. Some networks and browser extensions stop them: try another network, or switch the extension off for this page.",
  },

  errors: {
    partMissing: "The server has a newer version of this page. Reload it when it suits you.",
    badLink: "This link leads nowhere: part of it may be missing.",
  },
};
