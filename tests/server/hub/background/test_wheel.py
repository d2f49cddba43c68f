"""Regular work on one timer: each piece at its own pace, and none in the way of another."""

from __future__ import annotations

import asyncio

from protocol.errors import StoreSilent
from server.hub.background.wheel import CALM_TURNS, TURN_S, Regular, Wheel


class Piece:
    """Work that counts, and may be held up or fail."""

    def __init__(self) -> None:
        self.begun = 0
        self.gate = asyncio.Event()
        self.gate.set()
        self.error: Exception | None = None

    async def work(self) -> None:
        self.begun += 1
        await self.gate.wait()
        if self.error is not None:
            raise self.error

    def at_once(self) -> None:
        self.begun += 1
        if self.error is not None:
            raise self.error


async def turns(wheel: Wheel, first: int, last: int) -> None:
    """These turns, each with what it begins."""
    for number in range(first, last + 1):
        wheel.turn(number)
        for _ in range(3):
            await asyncio.sleep(0)


async def test_each_is_done_at_its_own_pace() -> None:
    each, second, tenth = Piece(), Piece(), Piece()
    wheel = Wheel([Regular(each.at_once, TURN_S), Regular(second.work, 2 * TURN_S), Regular(tenth.work, 10 * TURN_S)])
    await turns(wheel, 1, 20)
    assert (each.begun, second.begun, tenth.begun) == (20, 10, 2)
    await wheel.stop()


async def test_what_is_not_wanted_is_not_begun() -> None:
    piece, wanted = Piece(), [False]
    wheel = Wheel([Regular(piece.work, TURN_S, lambda: wanted[0])])
    await turns(wheel, 1, 3)
    assert piece.begun == 0
    wanted[0] = True
    await turns(wheel, 4, 4)
    assert piece.begun == 1
    await wheel.stop()


async def test_one_that_takes_long_is_not_begun_twice_and_holds_up_no_other() -> None:
    long, other = Piece(), Piece()
    long.gate.clear()
    wheel = Wheel([Regular(long.work, TURN_S), Regular(other.work, TURN_S)])
    await turns(wheel, 1, 5)
    assert (long.begun, other.begun) == (1, 5)
    long.gate.set()
    await turns(wheel, 6, 8)
    assert long.begun == 3, "the sixth turn found it still going on"
    await wheel.stop()


async def test_one_that_fails_is_tried_again_and_keeps_no_other_from_being_done() -> None:
    silent, broken, other = Piece(), Piece(), Piece()
    silent.error, broken.error = StoreSilent("no answer"), ValueError("a fault")
    wheel = Wheel([Regular(broken.at_once, TURN_S), Regular(silent.work, TURN_S), Regular(other.work, TURN_S)])
    await turns(wheel, 1, 4)
    assert (broken.begun, silent.begun, other.begun) == (4, 4, 4)
    await wheel.stop()


class MovedLoop(asyncio.SelectorEventLoop):
    """A loop whose time the test moves."""

    now_s = 1_000.0

    def time(self) -> float:
        return self.now_s

    async def passes(self, turns: int) -> None:
        """So many turns' time, each with what falls due in it."""
        for _ in range(turns):
            self.now_s += TURN_S
            for _ in range(3):
                await asyncio.sleep(0)


def test_a_calm_wheel_rests_until_it_is_woken() -> None:
    """Nothing is lost of a pace that is odd to the wheel's rests; who comes is looked at in the next turn."""
    loop = MovedLoop()
    each, fourth, calm = Piece(), Piece(), [True]
    wheel = Wheel([Regular(each.at_once, TURN_S), Regular(fourth.at_once, 4 * TURN_S)], lambda: calm[0])

    async def scenario() -> None:
        wheel.start()
        await loop.passes(8 * CALM_TURNS)
        assert (each.begun, fourth.begun) == (8, 2 * CALM_TURNS)
        calm[0] = False
        await loop.passes(1)
        assert each.begun == 8
        wheel.wake()
        wheel.wake()
        await loop.passes(1)
        assert each.begun == 8 + 2, "the turn that was due, and the one after it"
        await loop.passes(CALM_TURNS)
        assert (each.begun, fourth.begun) == (8 + 2 + CALM_TURNS, 2 * CALM_TURNS + 1)
        await wheel.stop()

    with asyncio.Runner(loop_factory=lambda: loop) as runner:
        runner.run(scenario())


async def test_all_work_ends_with_the_wheel() -> None:
    piece = Piece()
    piece.gate.clear()
    wheel = Wheel([Regular(piece.work, TURN_S)])
    wheel.start()
    await turns(wheel, 1, 1)
    before = asyncio.all_tasks()
    await wheel.stop()
    assert asyncio.all_tasks() == {asyncio.current_task()}, before
