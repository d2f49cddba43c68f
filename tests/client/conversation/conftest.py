"""Sessions with a server that a test plays by hand."""

from __future__ import annotations

import pytest

from protocol.messages import (
    Accepted,
    Watch,
)
from tests.client.conversation.by_hand import Wire
from tests.client.positions import snapshot


@pytest.fixture
def wire() -> Wire:
    wire = Wire()
    wire.connect()
    wire.happened()
    return wire


@pytest.fixture
def playing(wire: Wire) -> Wire:
    """A session that follows match m1 at version 2."""
    wire.session.send(Watch(ref="w", match="m1"))
    wire.commands()
    wire.tell(Accepted(ref="w", match="m1", version=2), snapshot())
    wire.happened()
    return wire
