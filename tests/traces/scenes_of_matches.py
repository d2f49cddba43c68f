"""Traces of what happens around the moves of a match."""

from __future__ import annotations

from protocol.messages import (
    Chat,
    MatchEvent,
    Outage,
    Presence,
    Said,
    Snapshot,
)
from server.match import commands as c
from server.match import machine
from tests.client.refereed import TOTAL
from tests.traces.scene import Scene, one_of_three, scene


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
def outages() -> Scene:
    made = one_of_three(clock=TOTAL, options={"width": 5, "height": 5})
    made.says = (
        "While the store is away clocks stand. What is excused is not counted down, in a first move nor later, in a "
        "snapshot nor by events, nor between a connection that is back and the word of how the match stands. "
        "Neither is it for who is away."
    )
    for whole in (True, False):
        away_ms = made.hall.now_ms
        made.after(1_000)
        # At first the word of an earlier release, which does not say until when is counted.
        counted_ms = 0 if whole else away_ms + 2_000
        made.tell(Outage(on=True, since_ms=away_ms, counted_ms=counted_ms, text="The store is away."))
        made.after(4_000)
        passing = machine.Outage(away_ms, made.hall.now_ms)
        made.hall.outages = (*made.hall.outages, passing)
        if whole:
            made.tell(made.snapshot())
        made.after(500)
        made.hall.outages = (*made.hall.outages[:-1], machine.Outage(away_ms, made.hall.now_ms + 3_000))
        made.tell(*excused(made))
        made.after(500)
        made.tell(Outage(on=False, since_ms=away_ms))
        made.serve()
        for _ in range(3):
            made.after(1_500)
        made.tell(*made.plays(), *made.plays())
    made.lose()
    away_ms = made.hall.now_ms
    made.after(20_000, tick=False)
    made.hall.outages = (*made.hall.outages, machine.Outage(away_ms, made.hall.now_ms + 2_000))
    excused(made)
    made.connect(matches=("m1",))
    made.after(100)
    made.serve()
    made.after(3_000)
    made.tell(*made.happens("ben", c.Notice((True, False))))
    made.after(3_000)
    away_ms = made.hall.now_ms - 1_300
    made.tell(Outage(on=True, since_ms=away_ms, counted_ms=away_ms + 2_000, text="The store is away."))
    made.after(10_000)
    made.hall.outages = (*made.hall.outages, machine.Outage(away_ms, made.hall.now_ms + 3_000))
    made.tell(*made.happens("ben", c.Notice((True, False))))
    made.tell(Outage(on=False, since_ms=away_ms))
    for _ in range(3):
        made.after(2_000)
    return made


def excused(made: Scene) -> list[MatchEvent | Snapshot]:
    """The match is told of the outages; returns what the viewer is owed."""
    told = made.hall.excuse()
    made.log += [message for message in told if isinstance(message, MatchEvent)]
    return told


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
    made.do("look", ply=2)
    made.serve()
    made.says += " The end is not looked past."
    made.tell(*made.happens("ben", c.Abandon()))
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
