"""Offers: how long one lives, two that cross, too many of them, both wanting a rematch."""

from __future__ import annotations

from random import Random

import pytest

from protocol.messages import (
    Abandon,
    Accepted,
    Command,
    Offer,
    OfferClosed,
    Offered,
    OfferKind,
    Pause,
    Rematched,
)
from protocol.schema_offers import OFFERS, SITUATIONS, Cell
from tests.faults.trial.play import on_one_hub_and_two, play
from tests.faults.trial.recorder import Recorder
from tests.faults.trial.stage import Trial, rounds, together

pytestmark = pytest.mark.faults

BOARD = {"width": 4, "height": 4}
SAVED = ("a1-a2",)
KINDS: tuple[OfferKind, ...] = ("draw", "takeback", "restart", "revert")


def offer(one: Recorder, match: str, kind: OfferKind) -> Offer:
    """An offer; one to go back goes back to SAVED."""
    moves, version = SAVED if kind == "revert" else (), one.views[match].version
    return Offer(ref=one.ref(), match=match, kind=kind, moves=moves, version=version)


class Board:
    """A match of two with an offer by `seats[by]` open, in which it is `mover`'s turn."""

    def __init__(self, trial: Trial, seats: list[Recorder], kind: OfferKind, by: int) -> None:
        self.trial, self.seats, self.kind, self.by = trial, seats, kind, by
        self.match = ""

    async def begin(self, mover: int) -> None:
        """Play until `mover` has the turn and both have moved, and offer."""
        self.match = await self.trial.meet(*self.seats, options=BOARD)
        await play(self.seats, self.match, Random(self.by), 2 + mover)
        if self.kind == "rematch":
            await self.seats[0].ask(Abandon(ref=self.seats[0].ref(), match=self.match), Accepted)
        await self.told(self.seats[self.by], offer(self.seats[self.by], self.match, self.kind))

    async def told(self, one: Recorder, command: Command) -> None:
        """Do something, and wait until both know."""
        version = (await one.ask(command, Accepted)).version
        for seat in self.seats:
            await seat.reach(self.match, version)

    async def meets(self, one: Recorder, command: Command, cell: Cell) -> None:
        """Do what closes the offer, or is refused and leaves it as it is."""
        if cell.refused:
            assert await one.refusal(command) == cell.refused
            await self.is_open()
        else:
            await self.told(one, command)
            assert self.fate == cell.fate

    @property
    def fate(self) -> str | None:
        """What became of the newest offer, told to both alike; None while it is open."""
        fates = [fate_of(seat, self.match) for seat in self.seats]
        assert fates[0] == fates[1]
        return fates[0]

    async def is_open(self) -> None:
        """AssertionError unless both are shown that it is open."""
        for seat in self.seats:
            info = (await seat.watch(self.match)).offer
            assert info is not None
            assert (info.kind, info.seat) == (self.kind, self.by)


def fate_of(seat: Recorder, match: str) -> str | None:
    """The fate of the last offer that was closed after the last one was made; None when it is open."""
    told = [event for event in seat.traffic if isinstance(event, Offered | OfferClosed) and event.match == match]
    return told[-1].fate if isinstance(told[-1], OfferClosed) else None


@on_one_hub_and_two
@pytest.mark.parametrize("kind", OFFERS)
async def test_e1_how_long_an_offer_lives(trial: Trial, kind: OfferKind) -> None:
    """E1: every cell of the table of offers, by either side; after a kill of the hub: tests/examples/test_offers.py."""
    cells = 0
    situations = [name for name in SITUATIONS if name != "hub_killed" and (name != "end" or kind != "rematch")]

    async def table(number: int) -> None:
        nonlocal cells
        by = number % 2
        seats = [await trial.open("Ana", number // 2), await trial.open("Bo", number // 2 + 1)]
        for situation in situations:
            board = Board(trial, seats, kind, by)
            await board.begin(mover=by if situation == "own_move" else 1 - by)
            await try_cell(board, situation, OFFERS[kind][situation])
            cells += 1

    tables = rounds(20)
    await together(*(table(number) for number in range(tables)))
    trial.provoked(f"cells of “{kind}”", cells, tables * len(situations), least=tables * len(situations))
    await trial.check()


async def try_cell(board: Board, situation: str, cell: Cell) -> None:
    """One situation of the table."""
    match, own, other = board.match, board.seats[board.by], board.seats[1 - board.by]
    legal = sorted(own.views[match].legal) or ["a1-b1"]
    match situation:
        case "own_move":
            await board.meets(own, own.a_move(match, legal[0]), cell)
        case "others_move":
            await board.meets(other, other.a_move(match, legal[0]), cell)
        case "decline":
            await board.meets(other, other.reply(match, False), cell)
            again = offer(own, match, board.kind)
            if board.kind == "rematch":
                await board.told(own, again)
                await board.told(own, own.withdrawal(match))
                assert board.fate == "withdrawn"
            else:
                assert await own.refusal(again) == "offered_lately"
        case "same_offer":
            await board.meets(other, offer(other, match, board.kind), cell)
        case "other_offer":
            kind: OfferKind = "draw" if board.kind != "draw" else "restart"
            for one in (own, other):
                await board.meets(one, offer(one, match, kind), cell)
        case "own_pause":
            await board.meets(own, Pause(ref=own.ref(), match=match), cell)
        case "others_pause":
            await board.meets(other, Pause(ref=other.ref(), match=match), cell)
        case "cut":
            for seat, gone in enumerate(list(board.seats)):
                await gone.vanish()
                board.seats[seat] = await board.trial.open("", seat, token=gone.token)
                await board.seats[seat].watch(match)
                await board.is_open()
        case "end":
            await board.told(own, Abandon(ref=own.ref(), match=match))
            assert own.views[match].offer is None
            assert await other.refusal(other.reply(match, True)) == "finished"


@on_one_hub_and_two
async def test_e3_crossing_offers(trial: Trial, hubs: int) -> None:
    """E3, RU-M3, Q1: both offer the same in one millisecond: it is agreed, once; different things: one is open.

    Two takebacks are different things, for each is of one's own last move.
    """
    lost_before = trial.stage.counter("parlour_lost_races_total")
    tries, tables, crossed = rounds(1000), 10, 0

    async def table(number: int) -> None:
        nonlocal crossed
        rng = Random(number)
        seats = [await trial.open("Ana", number), await trial.open("Bo", number + 1)]
        match = ""
        for time_ in range(tries // tables):
            if not match or seats[0].views[match].status == "ended" or len(seats[0].views[match].legal) < 8:
                match = await trial.meet(*seats, options=BOARD)
            await play(seats, match, rng, 2)
            kind, before = KINDS[time_ % 4], len(trial.log(match))
            other = KINDS[(time_ + 1) % 4] if time_ % 10 == 9 else kind
            asked = [offer(seat, match, wish) for seat, wish in zip(seats, (kind, other), strict=True)]
            for seat, command in zip(seats, asked, strict=True):
                seat.send_at_once([command])
            crossed += not any(seat.answers[command.ref] for seat, command in zip(seats, asked, strict=True))
            answers = [await seat.answer(command.ref) for seat, command in zip(seats, asked, strict=True)]
            happened = [event for _, event in trial.log(match)[before:]]
            if kind == other and kind != "takeback":
                assert all(isinstance(answer, Accepted) for answer in answers)
                what = {"draw": "ended"}.get(kind, "replaced")
                assert [event["event"] for event in happened] == ["offered", "offer_closed", what]
                assert happened[1]["fate"] == "accepted"
            else:
                assert [event["event"] for event in happened] == ["offered"]
                assert sorted(getattr(answer, "code", "") for answer in answers) == ["", "offer_open"]
                one = seats[happened[0]["seat"]]
                await one.reach(match, trial.stored(match))
                await one.ask(one.withdrawal(match), Accepted)
            for seat in seats:
                await seat.reach(match, trial.stored(match))
                # The snapshot that follows another position.
                await seat.until(lambda seat=seat, match=match: seat.views[match].whole)  # type: ignore[misc]

    await together(*(table(number) for number in range(tables)))
    trial.provoked("both were under way", crossed, tries, least=tries // 2)
    if hubs > 1:
        lost = trial.stage.counter("parlour_lost_races_total") - lost_before
        trial.provoked("judged again by the hub that came second", int(lost), tries)
    await trial.check()


@on_one_hub_and_two
async def test_e11_one_rematch(trial: Trial, hubs: int) -> None:
    """E11, RU-M7: both press rematch in one millisecond: one next match, with seats swapped."""
    lost_before = trial.stage.counter("parlour_lost_races_total")
    tries, tables, crossed = rounds(1000), 10, 0

    async def table(number: int) -> None:
        nonlocal crossed
        seats = [await trial.open("Ana", number), await trial.open("Bo", number + 1)]
        match = await trial.meet(*seats, options=BOARD)
        for _ in range(tries // tables):
            # seats[n] sits on seat n; afterwards the other way round.
            await seats[1].ask(Abandon(ref=seats[1].ref(), match=match), Accepted)
            for seat in seats:
                await seat.reach(match, trial.stored(match))
            asked = [offer(seat, match, "rematch") for seat in seats]
            for seat, command in zip(seats, asked, strict=True):
                seat.send_at_once([command])
            crossed += not any(seat.answers[command.ref] for seat, command in zip(seats, asked, strict=True))
            for seat, command in zip(seats, asked, strict=True):
                assert isinstance(await seat.answer(command.ref), Accepted)
                await seat.reach(match, trial.stored(match))
            assert [event["event"] for _, event in trial.log(match)][-3:] == ["offered", "offer_closed", "rematched"]
            following = {event.next for seat in seats for event in seat.traffic
                         if isinstance(event, Rematched) and event.match == match}  # fmt: skip
            assert len(following) == 1
            match = following.pop()
            seats.reverse()
            for number_, seat in enumerate(seats):
                view = await seat.watch(match)
                assert (view.you, view.status) == ((number_,), "playing")

    await together(*(table(number) for number in range(tables)))
    trial.provoked("both were under way", crossed, tries, least=tries // 2)
    if hubs > 1:
        lost = trial.stage.counter("parlour_lost_races_total") - lost_before
        trial.provoked("judged again by the hub that came second", int(lost), tries)
    logs = await trial.check()
    assert len(logs) == tries + tables
