"""Scenarios against connections on uvicorn, on each of the loops."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from tests.driver import WAIT_S
from tests.server.hub.connections.stand import BY_THE_LIBRARY, LOOPS, Scenario, standing


@pytest.fixture(params=LOOPS)
def run(request: pytest.FixtureRequest) -> Callable[[Scenario], None]:
    """Runs a scenario against a stand on one of the loops."""

    async def main(scenario: Scenario) -> None:
        async with asyncio.timeout(2 * WAIT_S), standing(at_once=request.param != BY_THE_LIBRARY) as stand:
            await scenario(stand)

    def runs(scenario: Scenario) -> None:
        with asyncio.Runner(loop_factory=LOOPS[request.param]) as runner:
            runner.run(main(scenario))

    return runs
