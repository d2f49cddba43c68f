"""Programs and the hub's own notes in any order: what a hub notes after an answer may come behind any later call.

Once the last word of a match had been served, and before that was noted, somebody looked for a partner: the one who had
just been served was not told that the match is over, and could not be paired until somebody looked once more. Here that
and all like it are made to happen; whoever looks afterwards, everybody then holds of itself what the hub holds of it.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial
from random import Random

import pytest
import pytest_asyncio

from server.http.dog.halls import Stage
from server.http.dog.tables import over
from tests.faults.trial.stage import rounds
from tests.server.http.dog.inside import Inside, MovedStore, in_a_word

pytestmark = pytest.mark.asyncio(loop_scope="module")

PLAYERS = ("155000000001", "155000000002", "155000000003")
SEEKER = "155000000004"
MORE_THAN_THERE_ARE = "5"
STEPS = 30
POLLS = 12
LATER_MS = 6_000
"""After it what is asked was not on its way already."""
WORDS = ("next", "next", "next", "end", "finalize", "finished", "interrupted")


class Program:
    """What the library holds of itself, and the notes that the hub has not made yet."""

    def __init__(self, hub: Inside, player: str) -> None:
        self.hub = hub
        self.player = player
        self.plays = False
        self.unnoted: list[Callable[[], Awaitable[None]]] = []

    async def poll(self) -> None:
        """Ask as the library does, and believe the answer."""
        path = "match" if self.plays else "started"
        answer = await self.hub.asked(path, self.player)
        self.unnoted.append(answer.after)
        word = in_a_word(path, answer)
        if path == "match":
            self.plays = word not in ("over", "finished")
        else:
            self.plays = word == "a match"

    async def start(self, number: str = "2") -> None:
        """Press start."""
        answer = await self.hub.asked("start", self.player, number_of_players=number)
        self.plays = self.plays or in_a_word("start", answer) == "a match"

    async def say(self, word: str) -> None:
        """Send a move: the library knows two words."""
        await self.hub.say(self.player, word)
        self.plays = {"next": True, "finished": False}.get(word, self.plays)

    async def note(self) -> None:
        """The hub comes to note what it served first."""
        if self.unnoted:
            await self.unnoted.pop(0)()


@pytest_asyncio.fixture(loop_scope="module")
async def hub(store: MovedStore) -> Inside:
    made = Inside(store, 300)
    await made.begin()
    return made


@pytest.mark.faults
@pytest.mark.parametrize("seed", range(rounds(400, 6)))
async def test_t1_in_any_order_everybody_is_led_to_where_the_hub_holds_it_to_be(hub: Inside, seed: int) -> None:
    """T1, T6: once all is noted and somebody has looked for partners in vain, each plays or is free on both sides."""
    rng, programs = Random(seed), [Program(hub, player) for player in PLAYERS]
    await hub.sit(*PLAYERS, asking=False)
    for _ in range(STEPS):
        program = rng.choice(programs)
        steps = (program.poll, program.poll, program.note, program.start, partial(program.say, rng.choice(WORDS)))
        await rng.choice(steps)()
    await hub.sit(SEEKER, asking=False)
    seeker = Program(hub, SEEKER)
    await seeker.start(MORE_THAN_THERE_ARE)
    for program in programs:
        while program.unnoted:
            await program.note()
    for _ in range(POLLS):
        hub.store.moved_ms += LATER_MS
        for program in programs:
            await program.poll()
            await program.note()
    for program in programs:
        guest = await hub.guest(program.player)
        assert guest is not None
        if program.plays:
            assert guest.match, guest.stage
            assert not over(await hub.keeper.room(guest.match))
        else:
            assert guest.stage is Stage.ASKING
