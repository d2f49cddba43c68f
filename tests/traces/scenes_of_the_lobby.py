"""Traces of the lobby, of one's own matches, of challenges, of going away, and of what is damaged."""

from __future__ import annotations

from typing import Literal

from protocol.messages import (
    Challenged,
    ChallengeFate,
    ChallengeOver,
    ChallengesMuted,
    ClockRule,
    GetMatches,
    GoingAway,
    LobbyChange,
    LobbyState,
    MatchSummary,
    OwnMatch,
    OwnMatches,
)
from server.match import commands as c
from tests.traces.scene import Scene, as_text, one_of_three, scene


@scene
def lobby() -> Scene:
    made = Scene("The list: newest first, changed, filtered, and asked for again where it may be wrong.")
    made.do("watch_lobby", on=True)
    made.connect()
    rows = [
        MatchSummary(
            match=f"m{number}",
            game=game,
            options={},
            status="waiting",
            created_ms=at,
            names=(None, "Ben") if number == 7 else ("Ben", None),
        )
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
    text = as_text(event)
    made.tell_text('{"type":"of_a_newer_server","match":"m1"}')
    made.serve()
    for frame in (text[:-2], text.replace('"seat":0', '"seat":"0"'), text.replace('"line"', '"lime"'), "[]", "7", "{}"):
        made.tell_text(frame)
    made.serve()
    for _ in range(20):
        made.tell_text("{")
    return made


@scene
def challenges() -> Scene:
    made = one_of_three()
    made.says = "Challenges of both kinds: told twice, over in each way, told anew after a lost connection, and muted."

    def stands(challenge: str, *, mine: bool = False) -> Challenged:
        by, to = ("Ada", "Cy") if mine else ("Cy", "Ada")
        now_ms = made.hall.now_ms
        return Challenged(
            challenge=challenge, by=by, to=to, mine=mine, game="square", title="Square", options={}, clock=ClockRule(),
            until_ms=now_ms + 60_000, now_ms=now_ms, seat=int(challenge in ("c2", "c7")),
        )  # fmt: skip

    def over(challenge: str, fate: ChallengeFate, *, mine: bool = False) -> ChallengeOver:
        by, to = ("Ada", "Cy") if mine else ("Cy", "Ada")
        return ChallengeOver(challenge=challenge, by=by, to=to, mine=mine, fate=fate, text=f"It was {fate}.")

    made.tell(stands("c1"), stands("c2", mine=True), stands("c1"))
    made.after(1_000)
    made.tell(over("c1", "withdrawn"), over("c1", "withdrawn"), stands("c1"))
    made.tell(over("c2", "declined", mine=True))
    fates: tuple[ChallengeFate, ...] = ("expired", "left", "accepted")
    for number, fate in enumerate(fates, 3):
        made.tell(stands(f"c{number}"), over(f"c{number}", fate))
    made.tell(stands("c6", mine=True), stands("c7"), ChallengesMuted(on=True))
    made.lose()
    made.connect(matches=("m1",))
    made.serve()
    made.tell(stands("c7"), over("c6", "accepted", mine=True), ChallengesMuted(on=True), ChallengesMuted(on=False))
    made.after(1_000)
    return made
