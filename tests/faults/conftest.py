"""Two hubs over one Redis, shared by trials that break nothing of them; and the trial with its verdict."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Generator, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.faults.trial import proxy
from tests.faults.trial.proxy import Proxy
from tests.faults.trial.stage import Stage, Trial
from tests.pace import NotProvoked

PASSED = pytest.StashKey[bool]()
NOT_PROVOKED = pytest.StashKey[bool]()


@pytest.fixture(scope="session")
def shared_stage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    """Hubs that live as long as the test run."""
    stage = Stage(tmp_path_factory.mktemp("stage"))
    try:
        stage.start()
        yield stage
    finally:
        stage.stop()


@pytest.fixture
def stage(shared_stage: Stage) -> Stage:
    """The hubs of a trial; a file whose trials kill some has a fixture of its own."""
    return shared_stage


@pytest.fixture
async def ways(tmp_path: Path) -> AsyncIterator[list[Proxy]]:
    """The ways of two hubs to their Redis, for a stage of the trial's own."""
    socket = tmp_path / "redis.sock"
    async with Proxy(socket) as one, Proxy(socket) as two:
        yield [one, two]


@pytest.fixture
def hubs() -> int:
    """How many hubs the players are on; `on_one_hub_and_two` runs a trial with either."""
    return 2


@pytest.fixture
async def trial(stage: Stage, hubs: int, record_property: Any, request: pytest.FixtureRequest) -> AsyncIterator[Trial]:
    """A trial that must have asked for its verdict; afterwards no log has an error and no task is left."""
    unheard: list[dict[str, Any]] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: unheard.append(context))
    trial = Trial(stage, hubs, record_property, getattr(request.node, "execution_count", 1))
    try:
        yield trial
    finally:
        if not request.node.stash.get(NOT_PROVOKED, False):
            trial.enter_rows(request.node.nodeid)
        await trial.close()
        trouble = stage.trouble()
    assert not trouble, "\n".join(trouble)
    assert not unheard, unheard
    assert trial.judged or not request.node.stash[PASSED], "the trial ended without a verdict"
    # The proxies of a stage live longer than the trial.
    own = (asyncio.current_task(),)
    left = [task for task in asyncio.all_tasks() if task not in own and not proxy.is_at_work(task)]
    assert not left, left


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Let the fixtures know whether the test itself went well."""
    report = yield
    if report.when == "call":
        item.stash[PASSED] = report.passed
        item.stash[NOT_PROVOKED] = call.excinfo is not None and call.excinfo.errisinstance(NotProvoked)
    return report
