"""What a client is shown that says in which epoch of the store it heard the version that it goes on from (`Q9`)."""

from __future__ import annotations

import asyncio
import json

import pytest

from protocol.messages import Accepted, MatchEvent, SetBack, Snapshot, Sync, Welcome
from tests.driver import Client, HubProcess
from tests.hub.conftest import Open


async def played(open_client: Open) -> tuple[str, Client]:
    """A match at version 4, and its host."""
    host, guest = await open_client("Ana"), await open_client("Bo")
    match = (await host.create()).match
    await guest.join(match)
    await host.move(match, 2, "a1-b1")
    await guest.move(match, 3, "a1-a2")
    await host.moved(4)
    host.forget_unread()
    return match, host


def epoch_of(client: Client) -> str:
    """What the client was welcomed with."""
    epoch = next(word.epoch for word in client.received if isinstance(word, Welcome))
    assert epoch
    return epoch


@pytest.mark.parametrize(("after", "other_epoch", "kinds"), [
    (3, False, [MatchEvent]),
    (3, True, [Snapshot]),
    (4, True, [Snapshot]),
    (5, False, [SetBack, Snapshot]),
    (5, True, [SetBack, Snapshot]),
])  # fmt: skip
async def test_q9_sync(open_client: Open, after: int, other_epoch: bool, kinds: list[type]) -> None:
    """Q9: events for who knows the beginning of this game, a snapshot for who may know another, and a word for who
    knows of more than there is."""
    match, host = await played(open_client)
    epoch = epoch_of(host)
    sync = Sync(ref="s", match=match, after=after, epoch="another" if other_epoch else epoch)
    accepted = await host.ask(sync, Accepted)
    assert accepted.version == 4
    at = host.received.index(accepted)
    await host.ask(Sync(ref="end", match=match, after=4, epoch=epoch), Accepted)
    told = [word for word in host.received[at + 1 :] if isinstance(word, MatchEvent | Snapshot | SetBack)]
    assert len(told) == len(kinds)
    for word, kind in zip(told, kinds, strict=True):
        assert isinstance(word, kind)
    words = [word for word in told if isinstance(word, SetBack)]
    assert [(word.version, bool(word.text)) for word in words] == [(4, True)] * kinds.count(SetBack)


@pytest.mark.parametrize(("after", "other_epoch", "anew", "set_back"), [
    (3, False, False, False), (3, True, True, False), (4, True, True, False), (5, False, True, True),
])  # fmt: skip
async def test_q9_updates(
    open_client: Open, hub: HubProcess, after: int, other_epoch: bool, anew: bool, set_back: bool
) -> None:
    """Q9: the same for a reader by HTTP."""
    match, host = await played(open_client)
    epoch = "another" if other_epoch else epoch_of(host)
    path = f"/api/matches/{match}/updates?after={after}&epoch={epoch}"
    status, body = await asyncio.to_thread(hub.get, path, host.token)
    answer = json.loads(body)
    assert (status, answer["version"], answer["epoch"]) == (200, 4, epoch_of(host))
    assert (answer["snapshot"] is not None, bool(answer["set_back"])) == (anew, set_back)
