"""Traces: what a command's spans say, on both of its ways; and that a hub without them reads nothing of theirs."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from protocol.errors import Refusal
from protocol.messages import Move, Offer
from server.hub.moves import Outcome
from server.listening import StartError
from server.tracing import Traces, traces_to
from tests.driver import ROOT, RedisProcess
from tests.faults.trial.proxy import Proxy
from tests.server.hub.house import House

STEPS = ["receipt", "judge", "append", "tell"]


@pytest.fixture
def spans() -> Iterator[InMemorySpanExporter]:
    exporter = InMemorySpanExporter()
    yield exporter
    exporter.shutdown()


@pytest.fixture
async def house(redis: RedisProcess, spans: InMemorySpanExporter) -> AsyncIterator[House]:
    """A hub whose spans are kept here."""
    async with Proxy(redis.socket) as proxy:
        house = House(proxy, redis)
        provider = TracerProvider()
        provider.add_span_processor(SimpleSpanProcessor(spans))
        await house.keeper.beat()
        try:
            house.keeper.trace = Traces(provider).tell
            yield house
        finally:
            provider.shutdown()
            await house.close()


def of_one_command(spans: InMemorySpanExporter) -> dict[str, ReadableSpan]:
    """The spans since the last time, which are of one command: one behind the other, and all within its own."""
    found = {span.name: span for span in spans.get_finished_spans()}
    assert sorted(found) == sorted([*STEPS, "command"]), "of one command"
    spans.clear()
    whole, steps = found["command"], [found[name] for name in STEPS]
    assert whole.context is not None
    assert all(step.parent is not None and step.parent.span_id == whole.context.span_id for step in steps)
    times = [whole.start_time, *(step.end_time for step in steps)]
    assert times == sorted(times, key=lambda time: time or 0)
    assert [step.start_time for step in steps] == times[:-1]
    assert whole.end_time == times[-1]
    return found


async def test_a_command_is_told_on_both_of_its_ways(house: House, spans: InMemorySpanExporter) -> None:
    match = await house.begun()
    spans.clear()
    room = house.keeper.rooms[match]
    players = ("ana", "bo")

    # The way of all commands.
    await house.ask("ana", Offer, match=match, kind="draw", version=room.match.version)
    whole = of_one_command(spans)["command"]
    attributes: dict[str, Any] = dict(whole.attributes or {})
    assert attributes == {
        "parlour.match": match, "parlour.game": "square", "parlour.command": "Offer",
        "parlour.version": room.match.version, "parlour.events": 1,
    }  # fmt: skip

    # The short way of a move.
    outcomes: list[Outcome] = []
    mover = house.viewer(players[room.match.turn or 0])
    move = Move(ref=house.ref(), match=match, version=room.match.version, move=room.match.legal[0])
    assert house.service.moves.play(mover, move, outcomes.append)
    async with room.lock:  # it is let go of when all are told
        assert outcomes == [None]
    told = of_one_command(spans)
    assert dict(told["command"].attributes or {})["parlour.command"] == "Play"

    # What changes nothing has no trace.
    with pytest.raises(Refusal):
        await house.ask("ana", Move, match=match, version=1, move="nowhere")
    assert not spans.get_finished_spans()


def test_what_is_missing_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "opentelemetry.exporter.otlp.proto.http.trace_exporter", None)
    with pytest.raises(StartError, match=r"pip install 'parlour\[server,otel\]'"):
        traces_to("http://127.0.0.1:4318/v1/traces", "1", "hub")


def test_a_hub_without_traces_reads_nothing_of_them() -> None:
    # The library for Redis looks for metrics of its own where OpenTelemetry is installed.
    look = "import sys, server.app; sys.exit(bool({'server.tracing', 'opentelemetry.sdk.trace'} & {*sys.modules}))"
    assert subprocess.run([sys.executable, "-c", look], cwd=ROOT, check=False).returncode == 0
