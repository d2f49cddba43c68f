"""Every example of docs/protocol.md is sent, as it stands there, to a real hub, and is granted."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from protocol.codec import JSON
from protocol.messages import (
    COMMANDS,
    Accepted,
    Analysis,
    Away,
    Challenge,
    Challenged,
    Invitation,
    Message,
    Move,
    Offer,
    OwnMatches,
    Pong,
    Position,
    Record,
    Snapshot,
    Welcome,
)
from protocol.schema_examples import KEY, MATCH
from tests.driver import ROOT, Client, HubProcess

PAGE = (ROOT / "docs" / "protocol.md").read_text(encoding="utf-8")
EXAMPLES: dict[str, dict[str, Any]] = {
    plain["type"]: plain
    for plain in map(json.loads, re.findall(r"^```json\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL))
}


class Reader:
    """Somebody who types the examples off the page."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self.sent: set[str] = set()

    async def type(
        self, kind: str, answer: type[Message] = Accepted, match: str = "", key: str = "", **seen: int
    ) -> Any:
        """Send the example of a kind, for this match or key and with the versions seen; returns its answer."""
        text = json.dumps(EXAMPLES[kind] | seen).replace(MATCH, match).replace(KEY, key)
        await self.client.socket.send(text)
        self.sent.add(kind)
        ref = EXAMPLES[kind]["ref"]
        return await self.client.expect(answer, lambda message: getattr(message, "ref", None) == ref)


async def begin(host: Client, guest: Client) -> str:
    """Another match between the two, with a move made."""
    snapshot = await host.create("checkers")
    joined = await guest.join(snapshot.match)
    await host.move(snapshot.match, joined.version, "11-15")
    return snapshot.match


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_an_example(name: str) -> None:
    assert EXAMPLES[name]["type"] == name


async def test_every_example_can_be_sent(hub: HubProcess) -> None:
    ana = await Client.connect(hub.url, "Ana", codec=JSON)
    reader = Reader(ana)
    await reader.type("hello", Welcome)
    await reader.type("ping", Pong)
    await reader.type("watch_lobby")
    assert (await reader.type("analyse", Analysis)).exact
    match = (await reader.type("create")).match
    bob = await Client.open(hub.url, "Bob")
    await bob.join(match)
    await reader.type("watch", match=match)
    moved = await reader.type("move", match=match)
    assert moved.version == 3
    await reader.type("sync", match=match)
    assert (await reader.type("look", Position, match=match)).plies == 1
    assert (await reader.type("get_record", Record, match=match)).moves == ("11-15",)
    await reader.type("say", match=match)
    offered = await reader.type("offer", match=match, version=moved.version)
    await reader.type("withdraw", match=match, offer=offered.version)
    await reader.type("pause", match=match)
    resumed = await reader.type("continue", match=match)
    await bob.ask(Move(ref=bob.ref(), match=match, version=resumed.version, move="22-17"), Accepted)
    bob.cut()
    away = await ana.expect(Away)
    longer = await reader.type("wait_longer", match=match, version=away.version)
    await reader.type("call_draw", match=match, version=longer.version)

    eva = await Client.open(hub.url, "Eva")
    drawn, lost = await begin(ana, eva), await begin(ana, eva)
    draw = await eva.ask(Offer(ref=eva.ref(), match=drawn, kind="draw"), Accepted)
    await reader.type("answer", match=drawn, offer=draw.version)
    await reader.type("abandon", match=lost, version=draw.version)
    assert drawn in {row.match for row in (await reader.type("get_matches", OwnMatches)).matches}
    await reader.type("forget", match=drawn)
    await reader.type("cancel", match=(await ana.create("square")).match)
    await reader.type("leave", match=(await ana.create("square")).match)
    private = await eva.create("square", private=True)
    assert (await reader.type("get_invitation", Invitation, key=private.key or "")).summary.match == private.match
    await reader.type("join", key=private.key or "")
    found = await reader.type("quick_match")
    shown = await ana.expect(Snapshot, lambda snapshot: snapshot.match == found.match)
    assert shown.status == "waiting"
    own = await ana.create("hexoust", computer=True, options={"side": 3})
    assert (await reader.type("hint", Analysis, match=own.match, version=own.version)).move in own.legal
    back = await Client.open(hub.url, "Bob", token=bob.token)
    await reader.type("challenge")
    told = await back.expect(Challenged)
    await reader.type("withdraw_challenge", match=told.challenge)
    await eva.ask(Challenge(ref=eva.ref(), name="Ana", game="square"), Accepted)
    asked = await ana.expect(Challenged, lambda challenged: not challenged.mine)
    assert (await reader.type("answer_challenge", match=asked.challenge)).match == asked.challenge
    await reader.type("mute_challenges")
    assert reader.sent == set(COMMANDS)
    await back.close()
    await ana.close()
    await eva.close()
