"""All traces: python -m tests.traces.scenes writes them anew (after a change of the client that is meant)."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from random import Random
from typing import Any, Literal

from protocol.errors import Refusal
from protocol.messages import (
    Chat,
    GameInfo,
    GetMatches,
    GoingAway,
    LobbyChange,
    LobbyState,
    MatchSummary,
    Message,
    OwnMatch,
    OwnMatches,
    Presence,
    Said,
    SetBack,
    Snapshot,
    Welcome,
)
from server.match import commands as c
from tests.client.refereed import TOTAL
from tests.traces.replayed import FOLDER, replayed
from tests.traces.scene import Scene, outcome, suppressed

SCENES: dict[str, Callable[[], Scene]] = {}


def scene(make: Callable[[], Scene]) -> Callable[[], Scene]:
    """One of the traces, under its function's name."""
    SCENES[make.__name__] = make
    return make


def one_of_three(**settings: Any) -> Scene:
    """Ada before a board of 3 x 3 dots."""
    made = Scene("", **settings)
    made.enter()
    return made


@scene
def greeting() -> Scene:
    made = Scene("Who one is: a foreign welcome, a token, a token that is unknown, a name that is taken, a silent hub.")
    (hello,) = made.do("opened")
    made.tell(Welcome(ref="another", player="p9", name="Eve", token="not yours"))
    made.tell(Welcome(ref=hello.ref, player="p1", name="Ada", token="secret", now_ms=1_000_000))
    made.lose()
    (hello,) = made.do("opened")
    made.tell(made.refusal(hello.ref, "bad_token"))
    made.tell(made.refusal(made.waiting[-1].ref, "name_in_use"))
    made.do("introduce", name="Ada 2")
    made.tell(Welcome(ref=made.waiting[-1].ref, player="p2", name="Ada 2", token="other", now_ms=1_000_000))
    for code in ("busy", "unavailable", "unknown_outcome"):
        made.lose()
        (hello,) = made.do("opened")
        made.tell(made.refusal(hello.ref, code))
    made.lose()
    made.do("opened")
    made.after(5_500)
    return made


@scene
def known_games() -> Scene:
    made = Scene(
        "Games told once: left out where they are known, told by a hub with others, and by an old one each time."
    )
    few, more = (GameInfo(name=name, title=name.title(), summary="", help="") for name in ("square", "checkers"))
    for catalogue, games in (
        ("a", (few,)),
        ("a", ()),
        ("b", (few, more)),
        ("b", ()),
        ("", (more,)),
        ("", ()),
        ("c", ()),
    ):
        (hello,) = made.do("opened")
        made.tell(Welcome(ref=hello.ref, player="p1", name="Ada", games=games, catalogue=catalogue, now_ms=1_000_000))
        made.lose()
    made.do("opened")
    return made


@scene
def gaps() -> Scene:
    made = one_of_three()
    made.says = "Events that are lost, come twice, come early, or bear a version that was damaged."
    first = made.plays()
    second = made.plays()
    made.tell(*second)
    made.serve()
    made.tell(*first, *second, *first)
    third = made.plays()
    made.tell_text(_text(third[0]).replace(f'"version":{third[0].version}', '"version":3'))
    made.serve()
    made.tell_text(_text(third[0]).replace(f'"version":{third[0].version}', '"version":999'))
    made.serve()
    made.after(2_500)
    made.serve()
    made.plays()
    overtaking = made.plays()
    made.tell(*overtaking)
    made.tell(*made.plays())
    made.serve()
    made.after(600)
    return made


@scene
def lost_question() -> Scene:
    made = one_of_three()
    made.says = "A question that gets no answer is asked again, and one at a time."
    made.plays()
    made.tell(*made.plays())
    made.waiting.clear()
    made.tell(*made.plays())
    made.after(1_000)
    made.waiting.clear()
    made.after(1_500)
    made.serve()
    return made


@scene
def more_than_twenty() -> Scene:
    made = one_of_three(options={"width": 5, "height": 5})
    made.says = "Away while more than twenty events happened: a snapshot, and what had been sent is sent again."
    made.do("play", move="c1-c2")
    made.waiting.clear()
    made.lose()
    for _ in range(25):
        made.plays()
    made.after(4_000)
    made.connect(matches=("m1",))
    made.serve()
    return made


@scene
def shorter_log() -> Scene:
    made = one_of_three()
    made.says = "The hub came back with less than it had told: the truth is a snapshot with a lower version."
    early = made.snapshot()
    for _ in range(4):
        made.tell(*made.plays())
    made.lose()
    made.hall = type(made.hall)("dots-and-boxes")
    made.log.clear()
    made.connect(matches=("m1",))
    made.serve()
    made.tell(early)
    made.tell(*made.plays())
    return made


@scene
def set_back() -> Scene:
    made = Scene("The store came back shorter than it was: what was known is void, versions come again.")
    made.connect(epoch="e1")
    made.do("open", way="watch", value="m1")
    made.serve()
    for _ in range(4):
        made.tell(*made.plays())
    made.tell(Said(match="m1", channel="players", number=1, name="Ben", text="hello", at_ms=1, seat=1))
    made.lose()
    made.hall = type(made.hall)("dots-and-boxes")
    made.log.clear()
    made.connect(matches=("m1",), epoch="e2")
    made.waiting.clear()
    made.tell(SetBack(match="m2", version=2, text="Another match."))
    made.tell(SetBack(match="m1", version=2, text="The server has lost some moves."), made.snapshot())
    made.tell(*made.plays(), *made.plays())
    made.tell(Said(match="m1", channel="players", number=1, name="Ben", text="again", at_ms=1, seat=1))
    made.tell(SetBack(match="m1", version=3, text="And again."))
    made.tell(*made.plays())
    made.after(2_500)
    made.serve()
    made.lose()
    made.connect(matches=("m1",), epoch="e3")
    made.serve()
    made.tell(SetBack(match="m1", version=0, text="The match is gone."))
    return made


@scene
def unanswered_move() -> Scene:
    made = one_of_three()
    made.says = "The connection breaks after a move: stored or not, it is sent again under its ref and counts once."
    made.do("play", move="a1-b1")
    made.answers(made.waiting.pop())
    made.lose()
    made.after(3_000)
    made.connect(matches=("m1",))
    made.serve()
    made.tell(*made.plays())
    made.do("play", move="b1-c1")
    made.waiting.clear()
    made.lose()
    made.do("play", move="c1-c2")
    made.connect(matches=("m1",))
    made.serve()
    return made


@scene
def sent_on() -> Scene:
    made = one_of_three()
    made.says = "Sent on to another hub: quietly, with what is under way; not twice at once, nor where nobody is."
    on = GoingAway(text="The server restarts.", elsewhere=True)
    made.do("play", move="a1-b1")
    made.answers(made.waiting.pop())
    made.tell(on)
    made.lose()
    made.connect(matches=("m1",))
    made.serve()
    made.tell(*made.plays())
    made.after(2_000)
    made.tell(on)
    made.lose()
    made.after(1_000)
    made.connect(matches=("m1",))
    made.serve()
    made.after(6_000)
    made.serve()
    made.tell(on)
    made.lose()
    made.lose()
    made.connect(matches=("m1",))
    made.serve()
    return made


@scene
def unanswered_on_a_live_connection() -> Scene:
    made = one_of_three()
    made.says = "An answer is lost while the connection stands; the event of the move comes before its answer."
    made.do("play", move="a1-b1")
    answers = made.answers(made.waiting.pop())
    made.tell(*answers[:-1])
    made.after(600)
    made.serve()
    made.after(5_500)
    made.serve()
    return made


@scene
def refused() -> Scene:
    made = one_of_three()
    made.says = "Moves that are refused: illegal, not in turn, stale; and a hub whose store is away."
    made.do("play", move="a1-c3")
    made.serve()
    made.tell(*made.plays())
    made.do("play", move="b1-c1")
    made.serve()
    made.tell(*made.plays())
    made.plays()
    made.do("play", move="b2-c2")
    made.serve()
    made.tell(*made.plays())
    made.do("play", move=min(made.hall.match.legal_set))
    for code in ("unavailable", "busy", "unknown_outcome"):
        made.tell(made.refusal(made.waiting[-1].ref, code))
        made.after(1_100)
    made.serve()
    return made


@scene
def store_away_for_long() -> Scene:
    made = one_of_three()
    made.says = "Nobody answers for good: after the last try what may have been done is not called undone."
    for first in ("unknown_outcome", "unavailable"):
        made.do("act", action="pause")
        (pause,) = made.waiting
        made.waiting.clear()
        made.tell(made.refusal(pause.ref, first))
        for _ in range(8):
            made.after(1_100)
            made.waiting.clear()
            made.tell(made.refusal(pause.ref, "unavailable"))
        made.waiting.clear()
    made.serve()
    made.do("act", action="pause")
    (pause,) = made.waiting
    made.lose()
    made.connect(matches=("m1",))
    for _ in range(9):
        made.tell(made.refusal(pause.ref, "unavailable"))
        made.after(1_100)
        made.waiting.clear()
    return made


@scene
def backlog() -> Scene:
    made = one_of_three()
    made.says = "More commands than may wait."
    for number in range(34):
        made.do("say", text=f"line {number}")
    made.serve()
    return made


@scene
def offers() -> Scene:
    made = one_of_three()
    made.says = "Each offer made, declined, accepted, withdrawn, and ended by a move."
    made.tell(*made.plays(), *made.plays())
    made.do("act", action="draw")
    made.serve()
    made.tell(*made.happens("ben", c.Answer(False)))
    made.tell(*made.plays())
    made.do("act", action="takeback")
    made.serve()
    made.do("act", action="withdraw")
    made.serve()
    made.tell(*made.happens("ben", c.Offer("draw")))
    made.do("act", action="decline")
    made.serve()
    made.tell(*made.happens("ben", c.Offer("restart")))
    made.do("play", move=min(made.hall.match.legal_set))
    made.serve()
    made.tell(*made.plays())
    made.tell(*made.happens("ben", c.Offer("takeback")))
    made.do("act", action="accept")
    made.serve()
    made.do("act", action="give_up")
    made.serve()
    made.do("act", action="rematch")
    made.serve()
    made.tell(*made.happens("ben", c.Answer(True, "m2")))
    made.do("clear")
    made.serve()
    return made


@scene
def takeback_and_restart() -> Scene:
    made = one_of_three()
    made.says = "Another position: the snapshot comes, is late, is lost; a move on its way belongs to the old one."
    for _ in range(3):
        made.tell(*made.plays())
    made.do("look", ply=1)
    made.serve()
    made.tell(*made.happens("ada", c.Offer("takeback")))
    event, *rest = made.happens("ben", c.Answer(True))
    made.tell(event)
    made.do("play", move="a2-b2")
    made.tell(*rest)
    made.serve()
    made.tell(*made.happens("ben", c.Offer("restart")))
    told = made.happens("ada", c.Answer(True))
    made.tell(*(message for message in told if not isinstance(message, Snapshot)))
    made.after(2_500)
    made.serve()
    made.tell(*made.plays())
    return made


@scene
def pauses() -> Scene:
    made = one_of_three(clock=TOTAL)
    made.says = "The board is covered and the clocks stand; it goes on by a person, by itself, and by an end."
    made.tell(*made.plays())
    made.after(1_500)
    made.do("look", ply=0)
    made.serve()
    made.tell(*made.happens("ben", c.Pause()))
    made.after(10_000)
    made.serve()
    told = made.happens("ben", c.Continue())
    made.tell(*told[:1])
    made.after(600)
    made.tell(*told[1:])
    made.serve()
    made.do("act", action="pause")
    made.serve()
    made.do("act", action="continue")
    made.serve()
    made.tell(*made.happens("ben", c.Pause()))
    made.do("act", action="give_up")
    made.serve()
    return made


@scene
def clocks() -> Scene:
    made = one_of_three(clock=TOTAL)
    made.says = "Countdowns: for whose turn it is, by the hub's clock, through a sleep, and at zero."
    for ms in (700, 2_300, 5_000):
        made.after(ms)
        made.serve()
        made.tell(*made.plays())
    made.hall.now_ms += 400
    made.after(6_000)
    made.serve()
    made.after(90_000)
    made.serve()
    return made


@scene
def first_moves() -> Scene:
    made = one_of_three(clock=TOTAL, options={"width": 5, "height": 5})
    made.says = "First moves, taken back and restarted, an outage, a gap: what is not charged is not counted down."
    for _ in range(2):
        made.after(3_000)
        made.serve()
        made.tell(*made.plays())
    made.after(1_000)
    made.serve()
    for offer, by, answers in ((c.Offer("takeback"), "ada", "ben"), (c.Offer("restart"), "ben", "ada")):
        made.tell(*made.happens(by, offer))
        made.tell(*made.happens(answers, c.Answer(True)))
        made.after(2_000)
        made.serve()
    made.lose()
    made.after(2_000)
    for _ in range(22):
        made.plays()
    made.connect(matches=("m1",))
    made.serve()
    made.after(1_000)
    return made


@scene
def away_and_back() -> Scene:
    made = one_of_three(clock=TOTAL)
    made.says = "The opponent is gone and waited for, longer, and comes back; an outage is nobody's fault."
    made.tell(*made.plays())
    made.tell(Presence(match="m1", here=(True, False), spectators=2))
    made.tell(*made.happens("ben", c.Notice((True, False))))
    made.after(4_000)
    made.serve()
    made.do("act", action="wait_longer")
    made.serve()
    made.tell(Presence(match="m1", here=(True, True), spectators=0), *made.happens("ben", c.Notice((True, True))))
    made.tell(*made.happens("ben", c.Notice((True, False))))
    made.do("act", action="call_draw")
    made.serve()
    made.tell(Presence(match="m2", here=(False, False), spectators=9))
    return made


@scene
def looking_back() -> Scene:
    made = one_of_three()
    made.says = "Stepping through while play goes on; answers that come late."
    for _ in range(5):
        made.tell(*made.plays())
    made.do("look", ply=3)
    made.do("look", ply=2)
    made.serve()
    made.tell(*made.plays())
    made.do("look", ply=-4)
    made.serve()
    made.do("look", ply=5)
    made.serve()
    made.do("look", ply=6)
    made.serve()
    return made


@scene
def talk() -> Scene:
    made = one_of_three()
    made.says = "Lines that are said: in order, once, also when they come twice; of another match."
    lines = tuple(
        Said(match="m1", channel="players", number=number, name=name, text=f"line {number}", at_ms=1, seat=seat)
        for number, name, seat in ((1, "Ben", 1), (2, "Ada", 0), (3, "Ben", 1), (4, "Ada", 0), (5, "Ben", 1))
    )
    made.tell(Chat(match="m1", channel="players", lines=lines[:2]), lines[1], lines[2])
    made.tell(lines[3], lines[4])
    made.tell(lines[4], Said(match="m2", channel="players", number=9, name="Ben", text="x", at_ms=1, seat=1))
    made.do("say", text="  hello  ")
    made.serve()
    return made


@scene
def lobby() -> Scene:
    made = Scene("The list: newest first, changed, filtered, and asked for again where it may be wrong.")
    made.do("watch_lobby", on=True)
    made.connect()
    rows = [
        MatchSummary(match=f"m{number}", game=game, options={}, status="waiting", names=("Ben", None), created_ms=at)
        for number, game, at in ((5, "square", 50), (6, "hexoust", 70), (7, "square", 60))
    ]
    made.tell(LobbyState(matches=(rows[0], rows[1]), total=2, people=("Ada", "Ben"), here=3))
    made.tell(LobbyChange(put=(rows[2],), here=4), LobbyChange(gone=("m6", "m9"), people=("Ada",)))
    made.do("filter", game="square")
    made.serve()
    made.tell_text('{"type":"lobby_change","put":[{"match":5}]}')
    made.after(600)
    made.serve()
    made.lose()
    made.after(1_000)
    made.connect(matches=("m5", "m8"))
    made.serve()
    made.do("watch_lobby", on=False)
    made.serve()
    made.tell(GoingAway(text="The server restarts.", back_in_ms=1_000))
    return made


@scene
def own_matches() -> Scene:
    made = Scene("One's own matches: asked for while none is on screen, sooner where some go on, or the list changed.")
    made.do("watch_lobby", on=True)
    made.connect(matches=("m5",))

    def told(*rows: tuple[str, Literal["waiting", "playing", "ended"]]) -> None:
        asked = next(command for command in reversed(made.waiting) if isinstance(command, GetMatches))
        made.waiting.clear()
        seats = made.snapshot().seats
        own = [
            OwnMatch(match=match, game="square", options={}, status=status, private=True, created_ms=50, seats=seats,
                     you=(0,), scores=((2,), (1,)), to_move=0, plies=3, clock=(9_000, 8_000))
            for match, status in rows
        ]  # fmt: skip
        made.tell(OwnMatches(ref=asked.ref, now_ms=made.hall.now_ms, matches=tuple(own)))

    told(("m5", "playing"), ("m6", "waiting"), ("m7", "ended"))
    made.after(4_000)
    made.after(1_500)
    told(("m7", "ended"))
    made.after(6_000)
    made.waiting.clear()
    made.tell(LobbyChange(gone=("m6",)))
    made.after(1_500)
    told(("m7", "ended"))
    made.tell_text('{"type":"own_matches","ref":"x","now_ms":-1,"matches":[]}')
    made.do("open", way="watch", value="m1")
    made.serve()
    made.after(60_000)
    made.serve()
    made.do("leave")
    made.serve()
    return made


@scene
def leaving() -> Scene:
    made = one_of_three(joined=False)
    made.says = "Left before the first move and after it; events of a match that is on screen no longer."
    made.do("leave")
    made.serve()
    made.tell(*made.happens("ben", c.Join("Ben")))
    made.do("open", way="join", value="m1")
    made.serve()
    made.tell(*made.plays())
    made.do("leave")
    made.serve()
    made.do("open", way="key", value="ABCD-EFGH-JKLM")
    made.tell(made.refusal(made.waiting.pop().ref, "wrong_key"))
    made.do("open", way="watch", value="m1")
    (watch,) = made.waiting
    made.waiting.clear()
    made.tell(made.snapshot(), made.answers(watch)[-1])
    made.lose()
    made.connect()
    made.tell(made.refusal(made.waiting.pop(0).ref, "unknown_match"))
    return made


@scene
def damaged() -> Scene:
    made = one_of_three()
    made.says = "Frames that cannot be read are dropped and the state asked for; too many of them end the connection."
    (event,) = made.plays()
    text = _text(event)
    made.tell_text('{"type":"of_a_newer_server","match":"m1"}')
    made.serve()
    for frame in (text[:-2], text.replace('"seat":0', '"seat":"0"'), text.replace('"line"', '"lime"'), "[]", "7", "{}"):
        made.tell_text(frame)
    made.serve()
    for _ in range(20):
        made.tell_text("{")
    return made


def _text(message: Message) -> str:
    from msgspec.json import encode

    return encode(message).decode()


DO: tuple[Callable[[Random], c.MatchCommand], ...] = (
    lambda rng: c.Offer(rng.choice(("draw", "takeback", "restart", "rematch")), next_match="m2"),
    lambda rng: c.Answer(rng.random() < 0.4, "m2"),
    lambda rng: c.Withdraw(),
    lambda rng: c.Pause(),
    lambda rng: c.Continue(),
    lambda rng: c.Notice((rng.random() < 0.7, rng.random() < 0.7)),
    lambda rng: c.WaitLonger(),
)


def at_random(game: str, viewer: str, seed: int) -> Scene:
    """Whatever happens, in any order, told by a hub that loses, doubles and swaps frames."""
    rng = Random(f"{game} {viewer} {seed}")
    made = Scene(f"At random: {game}, {viewer}", game, viewer=viewer, clock=TOTAL)
    made.enter()
    for _ in range(60):
        match = made.hall.match
        told: list[Any] = []
        if match.ending is None and match.pause is None and rng.random() < 0.7 and match.turn is not None:
            # In a long one somebody's time runs out, and the move comes too late.
            with suppress(Refusal):
                told = list(made.plays(rng.choice(sorted(match.legal_set))))
        else:
            told = list(suppressed(made, rng.choice(("ada", "ben")), rng.choice(DO)(rng)))
        if rng.random() < 0.12 and told:
            told.pop(rng.randrange(len(told)))
        if rng.random() < 0.1 and told:
            told.append(rng.choice(told))
        if rng.random() < 0.1:
            rng.shuffle(told)
        made.tell(*told)
        if rng.random() < 0.04:
            made.lose()
            made.after(2 * rng.randrange(150, 1_500))
            made.connect(matches=("m1",))
        if rng.random() < 0.5:
            made.after(2 * rng.randrange(150, 1_500))
        if rng.random() < 0.6:
            made.serve()
    made.serve()
    made.after(2_500)
    made.serve()
    return made


def documents() -> dict[str, str]:
    """Each trace as the text of its file, with what the Python client makes of it."""
    found = {}
    for name, make in SCENES.items():
        trace = json.loads(json.dumps(make().trace()))
        results = outcome(replayed(trace))
        steps = [step | result for step, result in zip(trace["steps"], results, strict=True)]
        lines = ",\n".join(json.dumps(step, ensure_ascii=False, separators=(",", ":")) for step in steps)
        head = json.dumps({"says": trace["says"], "client": trace["client"]}, ensure_ascii=False)[:-1]
        found[f"{name}.json"] = f'{head}, "steps": [\n{lines}\n]}}\n'
    return found


def main() -> None:
    """Write them; what is made no longer is removed."""
    made = documents()
    for path in FOLDER.glob("*.json"):
        if path.name not in made:
            path.unlink()
    for name, text in made.items():
        (FOLDER / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
