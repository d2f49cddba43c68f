"""Every bound of the protocol, with its reason. Both sides may rely on them; the server enforces them."""

from __future__ import annotations

PROTOCOL_VERSION = 1
"""The version spoken here; each message says in which version it came to be (`since`)."""

SUBPROTOCOL_MSGPACK = "parlour.v1.msgpack"
SUBPROTOCOL_JSON = "parlour.v1.json"

MAX_COMMAND_BYTES = 16 * 1024
"""A command on the wire. The largest sensible one brings the moves of a saved game, some 8 KiB; the others stay under
500 bytes."""

MAX_NOTIFICATION_BYTES = 256 * 1024
"""A notification on the wire. The largest (a snapshot of a 15 x 15 board) is under 64 KiB; the lobby is cut to fit."""

MAX_DEPTH = 6
"""Nesting of a message. The deepest one that we define (a snapshot's board) has five levels."""

MAX_ITEMS = 2_048
"""Entries in one array or map of a command, unknown fields included."""

MAX_REF = 40
MAX_ID = 40
MAX_MOVE = 120
"""A move in notation; the longest chain of jumps in checkers needs 36 characters."""

MAX_ENTRY = 128 * 1024
"""What a student's program says in one move, whole: 32 KiB as it is sent, three times as much when escaped."""

MAX_RECORD = 96 * 1024
"""Characters of the moves in one Record, unless the first alone is longer: escaped again they fit a notification."""

MAX_MOVES = 2_000
"""Moves of a saved game; the longest games of the largest boards have some 500."""

MAX_LEAD = 1_000
"""How much better a seat can stand: it has won."""

MAX_CLOCK_MS = 24 * 3600 * 1000
MAX_GRACE_S = 300
"""`RU-M5`."""

MAX_NAME_INPUT = 200
"""A name as sent, before it is judged by `RU-M9`, which allows 20 characters."""

MAX_DELAY = 20
"""Moves by which spectators may be kept behind."""

MAX_LESSONS = 20
"""Tasks of one game for who learns it."""

MAX_CHAT = 200
"""Characters of one line that is said."""

MAX_TOKEN = 64
MAX_KEY = 24
MAX_OPTIONS = 16
MAX_LANGUAGE = 16
MAX_VERSION = 2**53 - 1
"""Versions stay whole numbers in every language's JSON."""

CATCH_UP_EVENTS = 20
"""Who misses at most this many events gets them one by one; who misses more gets a snapshot."""

LOBBY_ROWS = 500
"""Matches in one lobby notification; the newest are shown."""

OWN_MATCHES = 50
"""One's own matches that go on, in one notification."""
OWN_ENDED = 20
"""One's own matches that are over, the newest ones; older ones are in no list any more."""

LOBBY_NAMES = 100
"""Names of players in one lobby notification."""

MAX_BOARD = 100
"""Width and height of a board in lattice units; ours have at most 17. A terminal draws some cells for each."""

MAX_ELEMENTS = 4_096
"""Dots, lines, cells and regions of one board together; ours have at most 841."""

MAX_LEGAL = 4_096
"""Moves that are legal at a time; ours have at most 420."""

MAX_SCORES = 8
"""Scores of one seat."""

MAX_COUNT = 10**9
"""What is counted: scores, moves, spectators. A person can read it, and it stays a number everywhere."""

MAX_TIME_MS = 253_402_300_799_999
"""The end of the year 9999; what calendars know."""

MAX_WORDS = 2_000
"""Characters of a name, a label or a sentence that a server tells."""

MAX_HELP = 20_000
"""Characters of a game's rules."""

MAX_GAMES = 200
"""Games on offer."""

MAX_CHOICES = 1_000
"""Values of one option, which a form lists."""

MAX_ACTIONS = 64
"""Names of what a seat may do."""

MAX_LINES = 500
"""Lines of chat at a time."""
