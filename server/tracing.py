"""Traces by OpenTelemetry, for hosts who have a collector: of each command that changed a match, where its time went.

    command              from its receipt until everybody here was told
      receipt            it waited for its turn in the match, and for a fresh beat
      judge              the match decided what it causes
      append             until the store had it, flushed as Redis is set to
      tell               until it was written to all who follow the match at this hub

Only a hub that is started with `--traces` reads OpenTelemetry's modules, or takes a time that it would not take anyway.
Spans say which match, game and command it was, and nothing of who it was. They are made when all is done, from times
that were taken on the way; a collector that is slow or away loses them, and nobody waits for it.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from server.hub.rooms.commits import Told
from server.listening import StartError

if TYPE_CHECKING:
    from opentelemetry.sdk.trace import TracerProvider

MISSING = "Traces take more than is installed here: pip install 'parlour[server,otel]'"
FLUSH_MS = 2_000
"""How long a hub that stops waits for a collector to take the last ones."""


class Traces:
    """Makes the spans of what was told."""

    def __init__(self, provider: TracerProvider) -> None:
        from opentelemetry.trace import SpanKind, set_span_in_context

        self._provider = provider
        self._tracer = provider.get_tracer("parlour")
        self._kind = SpanKind.SERVER
        self._within = set_span_in_context

    def tell(self, told: Told) -> None:
        """One command has been through; its times are those of this process's clock for measuring (s)."""
        since_ns = time.time_ns() - time.perf_counter_ns()

        def ns(at_s: float) -> int:
            return since_ns + round(at_s * 1e9)

        command = self._tracer.start_span(
            "command",
            kind=self._kind,
            start_time=ns(told.received_s),
            attributes={
                "parlour.match": told.match, "parlour.game": told.game, "parlour.command": told.command,
                "parlour.version": told.version, "parlour.events": told.events,
            },
        )  # fmt: skip
        within = self._within(command)
        steps = (told.received_s, told.taken_s, told.judged_s, told.stored_s, told.told_s)
        for name, began, ended in zip(("receipt", "judge", "append", "tell"), steps, steps[1:], strict=False):
            self._tracer.start_span(name, within, start_time=ns(began)).end(ns(ended))
        command.end(ns(told.told_s))

    def stop(self) -> None:
        """Hand over what is left, and end."""
        self._provider.force_flush(FLUSH_MS)
        self._provider.shutdown()


def traces_to(url: str, release: str, hub: str) -> Traces:
    """Traces that go to a collector, by OTLP over HTTP. Raises StartError when that is not installed."""
    try:
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
        from opentelemetry.sdk.resources import Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor
    except ModuleNotFoundError:
        raise StartError(MISSING) from None
    named = {"service.name": "parlour", "service.version": release, "service.instance.id": hub}
    provider = TracerProvider(resource=Resource.create(named))
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter(endpoint=url)))
    return Traces(provider)
