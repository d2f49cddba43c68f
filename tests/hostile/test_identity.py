"""Who is who: watchers cannot act, nobody acts for another, no secret goes to others, only our own pages connect."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest
from websockets.asyncio.client import ClientConnection
from websockets.exceptions import InvalidStatus
from websockets.typing import Origin

from protocol.codec import CODECS, MSGPACK, Codec
from protocol.errors import Code
from protocol.messages import (
    COMMANDS,
    Abandon,
    Accepted,
    Answer,
    Create,
    Ended,
    Join,
    Joined,
    LobbyState,
    Message,
    Move,
    Moved,
    Offer,
    Offered,
    Ping,
    Pong,
    Refused,
    Snapshot,
    WatchLobby,
)
from tests.driver import Client
from tests.hostile.commands import ACTING, IN_A_MATCH, READING, Plain, plain_command
from tests.hostile.tools import House, answered, housed, look, new_ref, opened, times, wire

# F1 -------------------------------------------------------------------------------------------------------------------


async def tried(client: Client, plain: Plain) -> Message:
    """Send a command as plain data; returns its answer."""
    await client.socket.send(wire(client.codec, plain))
    return await client.expect(Message, lambda m: getattr(m, "ref", None) == plain["ref"])


@pytest.mark.parametrize("how", ["nothing more", "the players' ids and names", "the players' refs"])
async def test_f1_watchers_cannot_act(house: House, how: str) -> None:
    """F1: a spectator, a stranger and the loser of the race for the seat send every command, with all that is public of
    the players: all refused, and the log as it was."""
    async with opened(house.url, "Ana", "Bea", "Eve", "Stranger", "Loser") as (ana, bea, eve, stranger, loser):
        match = (await ana.create()).match
        assert await loser.refusal(Join(ref=new_ref(), match="nowhere")) == Code.UNKNOWN_MATCH
        await bea.join(match)
        assert await loser.refusal(Join(ref=new_ref(), match=match)) == Code.FULL
        version = (await ana.expect(Joined)).version
        version = (await ana.move(match, version, "a1-b1")).version
        await bea.ask(Offer(ref="an-offer", match=match, kind="draw"), Accepted)
        version += 1
        await look(eve, match)
        before, log = await look(ana, match), house.stored(match)
        attempts = 0
        for who in (eve, stranger, loser):
            for owner in (ana, bea):
                for name in ACTING:
                    plain = plain_command(name, match=match, version=version, move="b1-c1", accept=True)
                    if "ids" in how:
                        plain |= {"player": owner.player, "name": owner.name, "seat": 0, "you": [0, 1], "token": ""}
                    elif "refs" in how:
                        plain["ref"] = owner.sent[-1].ref
                    refused = await tried(who, plain)
                    assert isinstance(refused, Refused), (who.name, plain)
                    assert refused.code in {Code.NOT_SEATED, Code.FULL, Code.STARTED, Code.NOT_PAUSED}, refused
                    attempts += 1
        assert attempts == 6 * len(ACTING)
        assert house.stored(match) == log
        assert await look(ana, match) == before
        for name in sorted(READING & set(IN_A_MATCH)):
            await tried(stranger, plain_command(name, match=match))
        assert house.stored(match) == log
        # What was offered is still open, and whose turn it was still is.
        await ana.ask(Answer(ref=new_ref(), match=match, accept=True, offer=version), Accepted)


async def test_f1_before_hello_nothing_is_granted(house: House) -> None:
    """F1: who has not said who it is may do nothing at all, not even look."""
    async with opened(house.url, "Ana") as (ana,):
        match = (await ana.create()).match
        log = house.stored(match)
        nobody = await Client.connect(house.url)
        for name in COMMANDS:
            if name != "hello":
                refused = await tried(nobody, plain_command(name, match=match, game="square"))
                assert isinstance(refused, Refused)
                assert refused.code == Code.HELLO_FIRST
        nobody.cut()
        assert house.stored(match) == log


# I5 -------------------------------------------------------------------------------------------------------------------

CLAIMS = ("player", "seat", "you", "name", "colour", "color", "symbol", "by", "as", "host", "token", "client", "sender")


async def test_i5_acting_for_the_opponent(house: House) -> None:
    """I5: every command with the opponent's id, seat, name and colour in it: the connection's own identity counts."""
    async with opened(house.url, "Ana", "Bea") as (ana, bea):
        match = (await ana.create()).match
        snapshot = await bea.join(match)
        version = (await ana.expect(Joined)).version
        style = snapshot.seats[0].style
        claims: Plain = dict.fromkeys(CLAIMS, "Ana") | {
            "player": ana.player, "seat": 0, "you": [0], "by": 0, "as": ana.player, "host": ana.player,
            "colour": style.colour, "color": style.colour, "symbol": style.symbol, "sender": {"player": ana.player},
        }  # fmt: skip

        # It is Ana's turn: Bea cannot move for her.
        refused = await tried(bea, claims | plain_command("move", match=match, version=version, move="a1-b1"))
        assert isinstance(refused, Refused)
        assert refused.code == Code.NOT_YOUR_TURN
        # With Ana's claims in it, Ana's own move is Ana's, and Bea's is Bea's.
        mine = claims | {"player": bea.player, "seat": 1, "you": [1], "name": "Bea"}
        await tried(ana, mine | plain_command("move", match=match, version=version, move="a1-b1"))
        assert (await bea.expect(Moved)).seat == 0
        await tried(bea, claims | plain_command("move", match=match, version=version + 1, move="b1-c1"))
        assert (await ana.expect(Moved, lambda m: m.version == version + 2)).seat == 1

        # An offer is by who makes it, and cannot be answered by its maker in the other's name.
        await tried(bea, claims | plain_command("offer", match=match, kind="draw"))
        assert (await ana.expect(Offered)).seat == 1
        answer = await tried(bea, claims | plain_command("answer", match=match, accept=True))
        assert isinstance(answer, Refused)

        # Every other command that Bea gives in Ana's name is Bea's own: what it changes is hers, or it is refused.
        before = house.stored(match)
        for name in sorted(set(ACTING) - {"move", "offer", "answer", "abandon", "join", "pause"}):
            await tried(bea, claims | plain_command(name, match=match))
        for _, fields in house.stored(match)[len(before) :]:
            assert ana.player.encode() not in fields[b"e"], "done by Ana, says the log"

        # Bea gives up in Ana's name, and has lost.
        await tried(bea, claims | plain_command("abandon", match=match))
        assert (await ana.expect(Ended)).result.winner == 0


async def test_i5_a_hello_with_the_others_id_is_a_new_guest(house: House) -> None:
    """I5: an id is public; only the token makes somebody be somebody."""
    async with opened(house.url, "Ana") as (ana,):
        match = (await ana.create()).match
        mallory = await Client.connect(house.url, "Ana")
        plain = {"type": "hello", "ref": "r", "name": "Ana", "player": ana.player, "id": ana.player, "seat": 0}
        plain["rename"] = True
        await mallory.socket.send(wire(MSGPACK, plain))
        welcome = await mallory.next()
        assert welcome.player != ana.player  # type: ignore[attr-defined]
        assert welcome.matches == ()  # type: ignore[attr-defined]
        assert isinstance(await tried(mallory, plain_command("cancel", match=match)), Refused)
        for wrong in (ana.player, ana.name, "", "x" * 64):
            again = await Client.connect(house.url, "Ana")
            refused = await answered(again, wire(MSGPACK, {"type": "hello", "ref": "r", "name": "Ana", "token": wrong}))
            assert refused.code == Code.BAD_TOKEN
            again.cut()
        mallory.cut()


# F4 -------------------------------------------------------------------------------------------------------------------


class Tape(Client):
    """A client that keeps every byte that came, as it came."""

    def __init__(self, socket: ClientConnection, codec: Codec, name: str) -> None:
        super().__init__(socket, codec, name)
        self.bytes_in = bytearray()
        decode = socket.protocol.receive_data

        def taped(data: bytes | bytearray) -> None:
            self.bytes_in += data
            decode(data)

        socket.protocol.receive_data = taped  # type: ignore[method-assign]


async def game_with_everything(house: House, host: Tape, guest: Tape, rng: random.Random) -> str | None:
    """A match with all that belongs to one: private or public, joined, played, offered, ended. Returns its key."""
    private = rng.random() < 0.5
    created = await host.ask(Create(ref=host.ref(), game="dots-and-boxes", private=private), Accepted)
    match, key = created.match, created.key
    assert (key is not None) is private
    hosted = await host.expect(Snapshot, lambda s: s.match == match)
    await guest.join("" if private else match, key or "")
    version = (await host.expect(Joined, lambda m: m.match == match)).version
    for line in rng.sample(hosted.legal, 4):
        mover = host if (version - 2) % 2 == 0 else guest
        answer = await tried(mover, plain_command("move", match=match, version=version, move=line))
        version += isinstance(answer, Accepted)
    await tried(guest, plain_command("offer", match=match, kind="draw"))
    await tried(host, plain_command("answer", match=match, accept=rng.random() < 0.5))
    await tried(guest, plain_command("abandon", match=match))
    for player in (host, guest):
        await tried(player, plain_command("watch", match=match))
        await tried(player, plain_command("get_record", match=match))
        player.received.clear()
    return key


@pytest.mark.faults
async def test_f4_no_keys_in_what_others_receive(house: House, record_property: Any) -> None:
    """F4: of 100 games every byte to lobby watchers, spectators and opponents: no token, no private key of others."""
    games, rng = times(100), random.Random(4)
    secrets: list[tuple[Tape, str]] = []
    tapes: list[Tape] = []
    lobby, eve = await Tape.open(house.url, "Lobby", codec=MSGPACK), await Tape.open(house.url, "Eve")
    tapes += [lobby, eve]
    await lobby.ask(WatchLobby(ref=new_ref()), Accepted)
    await lobby.expect(LobbyState)
    private = 0
    for _ in range(games):
        codec = rng.choice(list(CODECS.values()))
        host, guest = await Tape.open(house.url, "Ana", codec=codec), await Tape.open(house.url, "Bea")
        tapes += [host, guest]
        key = await game_with_everything(house, host, guest, rng)
        if key:
            private += 1
            secrets.append((host, key))
    for client in tapes:
        assert client.token
        secrets.append((client, client.token))
        await client.ask(Ping(ref=new_ref()), Pong)
    for owner, secret in secrets:
        forms = {secret, secret.replace("-", ""), secret.lower()}
        for other in tapes:
            if other is owner:
                continue
            for form in forms:
                assert form.encode() not in other.bytes_in, f"{owner.name}'s secret was sent to {other.name}"
    log = house.hub.log.read_bytes()
    assert not any(secret.encode() in log for _, secret in secrets)
    sizes = sum(len(tape.bytes_in) for tape in tapes)
    record_property("provoked", f"games: {games}, private: {private}, bytes looked through: {sizes}")
    assert private
    assert private < games
    assert sizes > games * 10_000
    # The owner did get each: else the search would prove nothing.
    assert all(secret.encode() in owner.bytes_in for owner, secret in secrets)
    for client in tapes:
        client.cut()


# I1 -------------------------------------------------------------------------------------------------------------------

FOREIGN = [
    "http://evil.example",
    "http://127.0.0.1.evil.example:{port}",
    "http://127.0.0.1:{port}.evil.example",
    "http://evil.example/http://127.0.0.1:{port}",
    "http://evil127.0.0.1:{port}",
    "http://localhost.evil.example:{port}",
    "http://127.0.0.1",
    "http://127.0.0.1:1",
    "http://127.0.0.1:{port}0",
    "https://127.0.0.1:{port}",
    "ws://127.0.0.1:{port}",
    "null",
    "",
    "http://127.0.0.1:{port}/",
    "HTTP://127.0.0.1:{port}",
    "http://LOCALHOST:{port}",
    "http://127.0.0.1:{port} http://evil.example",
    "http://127.0.0.1:{port}, http://127.0.0.1:{port}",
    "http://user@127.0.0.1:{port}",
    "http://0x7f000001:{port}",
    "file://",
    "127.0.0.1:{port}",
    "*",
]
OURS = ["http://127.0.0.1:{port}", "http://localhost:{port}"]


async def status_for(house: House, *origins: str) -> int:
    """The answer to an upgrade that comes from these origins."""
    headers = [("Origin", origin.format(port=house.hub.port)) for origin in origins]
    try:
        client = await Client.connect(house.url, additional_headers=headers)
    except InvalidStatus as refused:
        return refused.response.status_code
    client.cut()
    return 101


@pytest.mark.parametrize("origin", FOREIGN)
async def test_i1_foreign_origins(house: House, origin: str) -> None:
    """I1: what is not exactly ours is refused before the upgrade."""
    assert await status_for(house, origin) == 403


async def test_i1_there_are_14_of_them() -> None:
    """I1's figure."""
    assert len(FOREIGN) >= 14


async def test_i1_several_origins(house: House) -> None:
    """I1: several headers are none, even when ours is among them."""
    ours = OURS[0]
    assert await status_for(house, ours, "http://evil.example") == 403
    assert await status_for(house, "http://evil.example", ours) == 403
    assert await status_for(house, ours, ours) == 403


@pytest.mark.parametrize("origin", OURS)
async def test_i1_our_own_origins(house: House, origin: str) -> None:
    assert await status_for(house, origin) == 101


async def test_i1_without_an_origin_only_a_hello_counts(house: House) -> None:
    """I1: a program is no browser and brings nobody's cookies: it is nobody until it says a token or a new name."""
    client = await Client.connect(house.url)
    refused = await answered(client, wire(MSGPACK, plain_command("ping")))
    assert refused.code == Code.HELLO_FIRST
    client.cut()


async def test_i1_an_origin_that_the_operator_names(tmp_path: Any) -> None:
    """I1: `--origin` is compared as a whole, too."""
    with housed(tmp_path, "--origin", "https://play.example") as house:
        assert await status_for(house, "https://play.example") == 101
        for near in (
            "http://play.example",
            "https://play.example:443",
            "https://play.example.evil",
            "https://x.play.example",
        ):
            assert await status_for(house, near) == 403


async def test_i1_the_origin_is_not_looked_for_elsewhere(house: House) -> None:
    """I1: neither Referer nor Host makes a foreign page ours."""
    port = house.hub.port
    headers = [("Referer", f"http://127.0.0.1:{port}/"), ("X-Origin", f"http://127.0.0.1:{port}")]
    with pytest.raises(InvalidStatus) as caught:
        await Client.connect(house.url, origin=Origin("http://evil.example"), additional_headers=headers)
    assert caught.value.response.status_code == 403
    assert re.search(rb"origin", caught.value.response.body or b"")


async def test_abandon_in_the_name_of_another_connection(house: House) -> None:
    """I5: two connections at one hub never mix: each is who said hello on it."""
    async with opened(house.url, "Ana", "Bea", "Cleo") as (ana, bea, cleo):
        match = (await ana.create()).match
        await bea.join(match)
        version = (await ana.expect(Joined)).version
        await cleo.send(Abandon(ref="a", match=match))
        await ana.send(Move(ref="b", match=match, version=version, move="a1-b1"))
        await cleo.send(Move(ref="c", match=match, version=version, move="b1-c1"))
        assert isinstance(await ana.answer("b"), Accepted)
        assert [type(await cleo.answer(ref)) for ref in ("a", "c")] == [Refused, Refused]
