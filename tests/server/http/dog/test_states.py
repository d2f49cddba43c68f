"""What a hub holds of a player, against what the player's library holds of itself: each cell of the document's table.

The library asks `started/` while it knows of no match (its status is 2) and `match/` while it knows of one (3); so what
arrives says what it believes. Each cell says what it is answered, and what the hub holds of it then.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import pytest
import pytest_asyncio

from server.config import DOG_GRACE_S
from server.http.dog import page
from server.http.dog.halls import Stage
from tests.driver import ROOT
from tests.server.http.dog.inside import Inside, MovedStore, in_a_word

pytestmark = pytest.mark.asyncio(loop_scope="module")

ANA, BEA, CAU, DUDA = "155000000001", "155000000002", "155000000003", "155000000004"
ARRIVALS = ("started", "match", "start", "move")
COLUMNS = (*ARRIVALS, "another's start")
WHILE_S = 10.0


@pytest_asyncio.fixture(loop_scope="module")
async def hub(store: MovedStore) -> Inside:
    made = Inside(store, DOG_GRACE_S)
    await made.begin()
    return made


async def _nobody(hub: Inside) -> None:
    await hub.sit(BEA, asking=False)


async def _new(hub: Inside) -> None:
    await hub.sit(ANA, asking=False)


async def _asking(hub: Inside) -> None:
    await hub.sit(ANA)


async def _untold(hub: Inside) -> None:
    await hub.sit(ANA)
    await hub.sit(BEA, asking=False)
    assert await hub.call("start", BEA, number_of_players="2") == "a match"


async def _told_by_start(hub: Inside) -> None:
    await hub.sit(BEA)
    await hub.sit(ANA, asking=False)
    assert await hub.call("start", ANA, number_of_players="2") == "a match"


async def _told_by_start_a_while_ago(hub: Inside) -> None:
    await _told_by_start(hub)
    await hub.pass_time(WHILE_S)


async def _told_by_started(hub: Inside) -> None:
    await _untold(hub)
    assert await hub.call("started", ANA) == "a match"


async def _playing(hub: Inside) -> None:
    await _told_by_started(hub)
    assert await hub.call("match", ANA) == "nothing"
    assert await hub.say(BEA, "next") == "yes"
    assert await hub.call("match", ANA) == "next"


async def _not_told_the_end(hub: Inside) -> None:
    """Whoever ended it, the hub was killed between the answer and writing that down."""
    await _playing(hub)
    assert await hub.say(BEA, "finished") == "yes"
    assert in_a_word("match", await hub.asked("match", ANA)) == "finished"


async def _not_told_another_end(hub: Inside) -> None:
    """Its last word is one that the library does not know; it has not been served, or that has not been noted yet."""
    await _playing(hub)
    assert await hub.say(BEA, "end") == "yes"
    assert in_a_word("match", await hub.asked("match", ANA)) == "end"


async def _not_told_another_end_and_looked_for(hub: Inside) -> None:
    await _not_told_another_end(hub)
    await hub.sit(DUDA, asking=False)
    assert await hub.call("start", DUDA, number_of_players="2") == "none yet"


def _having_said(status: str) -> Callable[[Inside], Awaitable[None]]:
    async def prepare(hub: Inside) -> None:
        await _playing(hub)
        assert await hub.say(ANA, status) == "yes"

    return prepare


async def _done_a_while_ago(hub: Inside) -> None:
    await _having_said("finished")(hub)
    await hub.pass_time(WHILE_S)


STATES: dict[str, Callable[[Inside], Awaitable[None]]] = {
    "not registered": _nobody,
    "new": _new,
    "asking": _asking,
    "done": _having_said("finished"),
    "done, a while ago": _done_a_while_ago,
    "lingering": _having_said("end"),
    "ousted": _having_said("interrupted"),
    "untold": _untold,
    "told by start": _told_by_start,
    "told by start, a while ago": _told_by_start_a_while_ago,
    "told by started": _told_by_started,
    "playing": _playing,
    "playing, though it is over": _not_told_the_end,
    "playing, though `end` was said": _not_told_another_end,
    "playing, though `end` was said, and looked for since": _not_told_another_end_and_looked_for,
}


def table() -> list[tuple[str, str, str, str]]:
    """State, arrival, answer and the state after it, as docs/dog.md has them."""
    cells = []
    for line in (ROOT / "docs" / "dog.md").read_text(encoding="utf-8").splitlines():
        row = [part.strip() for part in line.strip("|").split("|")]
        if line.startswith("| ") and row[0] in STATES:
            for arrival, cell in zip(COLUMNS, row[1:], strict=True):
                answer, _, after = cell.partition("; ")
                cells.append((row[0], arrival, answer, after or row[0]))
    return cells


async def test_t1_the_table_is_whole() -> None:
    assert len(table()) == len(STATES) * len(COLUMNS)


@pytest.mark.parametrize(("state", "arrival", "answer", "after"), table())
async def test_t1_each_cell(hub: Inside, state: str, arrival: str, answer: str, after: str) -> None:
    """T1, T2: whatever a program asks, it is led to where the hub holds it to be."""
    await STATES[state](hub)
    if arrival in ARRIVALS:
        form = {"start": {"number_of_players": "2"}, "move": {"move": '{"match_status": "next"}'}}.get(arrival, {})
        assert await hub.call(arrival, ANA, **form) == answer
    else:
        await hub.sit(CAU, asking=False)
        assert await hub.call("start", CAU, number_of_players="2") == answer
    guest = await hub.guest(ANA)
    stage = guest.stage.replace("_", " ") if guest is not None else "not registered"
    assert stage == after.partition(",")[0]


@pytest.mark.parametrize("state", STATES)
async def test_t1_from_every_cell_one_comes_to_a_new_match(hub: Inside, state: str) -> None:
    """T1: a library in a match of which the hub knows nothing, or the other way round, is free after a poll or two.

    The library's part: `over` and `finished` make it ask for a match, `a match` makes it ask for moves.
    """
    await STATES[state](hub)
    if state == "not registered":
        return
    if (guest := await hub.guest(ANA)) is not None and guest.match:
        if (other := await hub.guest(BEA)) is not None and other.stage is Stage.UNTOLD:
            assert await hub.call("started", BEA) == "a match"
        assert await hub.say(BEA, "interrupted") == ("no" if "though" in state else "yes")
    for plays in (True, False):
        for _ in range(4):
            if plays:
                plays = await hub.call("match", ANA) not in ("over", "finished")
            elif await hub.call("started", ANA) == "a match":
                plays = True
    if plays:  # it lingers, until somebody wants to play
        assert await hub.call("match", ANA) == "nothing"
    await hub.sit(CAU, asking=False)
    asked = await hub.call("start", CAU, number_of_players="2")
    if asked == "none yet":
        assert await hub.call("match", ANA) == "over"
        assert await hub.call("started", ANA) == "none yet"
        asked = await hub.call("start", CAU, number_of_players="2")
    assert asked == "a match"
    assert await hub.call("started", ANA) == "a match"


async def test_t6_who_is_just_being_told_the_end_is_told_it_again_when_somebody_looks(hub: Inside) -> None:
    """T6: the looking falls between the last word's way out and the hub's note of it."""
    await _playing(hub)
    assert await hub.say(ANA, "end") == "yes"
    served = await hub.asked("match", BEA)
    assert in_a_word("match", served) == "end"
    assert await hub.call("start", ANA, number_of_players="2") == "none yet"
    await served.after()
    assert [await hub.call("match", player) for player in (ANA, BEA)] == ["over", "over"]
    assert [await hub.call("started", player) for player in (ANA, BEA)] == ["none yet", "none yet"]


async def test_start_pressed_by_both_leads_to_one_match(hub: Inside) -> None:
    """Who presses start having been paired without knowing it gets that match, and is told of it once."""
    await _untold(hub)
    answers = [await hub.asked("start", player, number_of_players="2") for player in (ANA, BEA)]
    rows = [answer.reply.body["players"] for answer in answers]
    assert [sorted((row[2], row[0]) for row in seen) for seen in rows] == [
        [("1", f"Player {BEA}"), ("2", f"Player {ANA}")]
    ] * 2  # fmt: skip
    assert [seen[0][1] for seen in rows] == [ANA, BEA]
    assert await hub.call("started", ANA) == "none yet"


async def test_t1_a_guest_that_still_plays_its_old_match_is_not_drafted(hub: Inside) -> None:
    await _having_said("interrupted")(hub)
    assert await hub.call("match", BEA) == "over"
    assert await hub.call("start", BEA, number_of_players="2") == "none yet"
    assert await hub.call("match", ANA) == "over"
    assert await hub.call("start", BEA, number_of_players="2") == "none yet"
    assert await hub.call("started", ANA) == "none yet"
    assert await hub.call("start", BEA, number_of_players="2") == "a match"


# Silence --------------------------------------------------------------------------------------------------------------


async def test_t2_who_was_silent_for_too_long_is_told_once(hub: Inside) -> None:
    await _playing(hub)
    await hub.pass_time(DOG_GRACE_S - 10)
    assert await hub.call("match", BEA) == "nothing"
    await hub.pass_time(20)
    assert await hub.call("match", BEA) == "over"
    assert await hub.say(ANA, "next") == "no"
    assert [await hub.call("match", ANA) for _ in range(2)] == ["over", "nothing"]
    assert await hub.call("started", ANA) == "none yet"


async def test_t2_a_box_of_nearly_five_minutes_costs_nobody_the_match(hub: Inside) -> None:
    """T2: a modal box in a callback stops the polling; the match waits for whoever reads it."""
    await _playing(hub)
    for _ in range(10):
        await hub.pass_time((DOG_GRACE_S - 10) / 10)
        assert await hub.call("match", BEA) == "nothing"
    assert await hub.say(ANA, "next") == "yes"
    assert await hub.call("match", BEA) == "next"


async def test_closing_the_window_of_an_idle_player_takes_it_out_of_the_pairing(hub: Inside) -> None:
    """A call that breaks off while it is held says more than silence, after which one is paired still."""
    await hub.sit(ANA, BEA)
    await hub.sit(CAU, DUDA, asking=False)
    await hub.break_off("started", ANA)
    await hub.pass_time(4)
    assert await hub.call("start", CAU, number_of_players="3") == "none yet"
    assert await hub.call("start", CAU, number_of_players="2") == "a match"
    assert await hub.call("started", BEA) == "a match"
    assert await hub.call("start", DUDA, number_of_players="2") == "none yet"


async def test_t2_the_others_see_since_when_somebody_is_silent(hub: Inside) -> None:
    """T2: on the page at `/dog/`, which a teacher shows and the other player can open."""
    await _playing(hub)
    hub.store.moved_ms += 60_000
    assert await hub.call("match", BEA) == "nothing"
    halls = [(name, hall) for name, hall in zip(hub.book.names, hub.book.known, strict=True)]
    shown = page.render("http://x/", "", halls, hub.presence).decode()
    assert f"Player {ANA} (silent for 60 s" in shown
    assert f"Player {BEA} : " in shown


async def test_t2_a_closed_window_is_found_out_sooner(hub: Inside) -> None:
    """T2: the library's call breaks off while it is held, and it never calls again."""
    await _playing(hub)
    await hub.break_off("match", ANA)
    await hub.pass_time(15)
    assert await hub.call("match", BEA) == "nothing"
    await hub.pass_time(10)
    assert await hub.call("match", BEA) == "over"
