"""Traces of greeting, gaps, losses and doubts: what goes over a connection that is not what it should be."""

from __future__ import annotations

from protocol.messages import (
    GameInfo,
    GoingAway,
    Said,
    SetBack,
    Welcome,
)
from tests.traces.scene import Scene, as_text, one_of_three, scene


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
    made.tell_text(as_text(third[0]).replace(f'"version":{third[0].version}', '"version":3'))
    made.serve()
    made.tell_text(as_text(third[0]).replace(f'"version":{third[0].version}', '"version":999'))
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
    made.says = "Moves that are refused: illegal, not in turn, stale; and a hub that has no time, or no store, for now."
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
    for code in ("unavailable", "busy", "one_analysis", "unknown_outcome"):
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
