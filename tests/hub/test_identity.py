"""Names and secrets over two real hubs: one name, one live player; nothing secret anywhere (I2, I3, I7, H14)."""

from __future__ import annotations

import asyncio
import itertools
import json
import secrets
import urllib.error
import urllib.request
from pathlib import Path

import pytest
import redis as sync_redis

from protocol.messages import (
    Abandon,
    Accepted,
    Cancel,
    Command,
    Continue,
    Create,
    Ended,
    GetRecord,
    Hello,
    Join,
    Leave,
    Look,
    Message,
    Moved,
    Offer,
    OfferClosed,
    Offered,
    Pause,
    Ping,
    QuickMatch,
    Refused,
    Say,
    Sync,
    Watch,
    WatchLobby,
    Welcome,
)
from server.hub.presence.identity import TOKEN_BYTES, clean_key, new_id, new_key
from tests.driver import Client, HubProcess, RedisProcess, wait_for
from tests.forms import FUZZ
from tests.hub.conftest import Open
from tests.pace import WAIT_S

MANY = 1_000_000 if FUZZ else 50_000


async def hello(client: Client, name: str, *, rename: bool = False, token: str | None = None) -> Welcome | Refused:
    command = Hello(ref=client.ref(), name=name, token=token, rename=rename)
    await client.send(command)
    answer = await client.answer(command.ref)
    assert isinstance(answer, Welcome | Refused)
    return answer


async def test_a_name_in_use_is_refused_with_a_suggestion(hubs: list[HubProcess]) -> None:
    """Also at the other hub, in another case, or made of letters that look the same."""
    holder = await Client.connect(hubs[0].url)
    assert isinstance(await hello(holder, "Olivia"), Welcome)
    for number, name in enumerate(("Olivia", "OLIVIA", "0livia", "\u041elivia")):
        client = await Client.connect(hubs[number % 2].url)
        suggestion = ""
        async with asyncio.timeout(WAIT_S):
            # The last one's, which may look the same, is let go a moment after its connection has ended.
            while suggestion != f"{name} 2":
                refused = await hello(client, name)
                assert isinstance(refused, Refused)
                assert refused.code == "name_in_use"
                suggestion = str(refused.data["suggestion"])
                assert suggestion in refused.text
                await asyncio.sleep(0.1)
        welcome = await hello(client, suggestion)
        assert isinstance(welcome, Welcome)
        assert welcome.name == suggestion
        await client.close()
    await holder.close()


async def test_who_does_not_mind_gets_the_suggestion_at_once(hubs: list[HubProcess]) -> None:
    clients = [await Client.connect(hubs[number % 2].url) for number in range(12)]
    answers = await asyncio.gather(*(hello(client, "Maximiliane Langname", rename=True) for client in clients))
    names = [answer.name for answer in answers if isinstance(answer, Welcome)]
    assert len(set(names)) == 12
    assert all(len(name) <= 20 for name in names)
    for client in clients:
        await client.close()


async def test_a_player_keeps_the_own_name(hubs: list[HubProcess], redis: RedisProcess) -> None:
    """On a second connection, and after a lost one; others get it when the player has left."""
    first = await Client.connect(hubs[0].url)
    token = (await _welcome(first, "Penelope")).token
    second = await Client.connect(hubs[1].url)
    assert (await _welcome(second, "Penelope", token)).name == "Penelope"
    await second.close()
    # Until the second hub has let go of the name, its player would leave there last, and not be cut off.
    with sync_redis.Redis(unix_socket_path=str(redis.socket)) as store:
        (name,) = store.keys("*:name:*enelope*")
        await asyncio.to_thread(wait_for, lambda: store.hlen(name) == 2)
    other = await Client.connect(hubs[1].url)
    assert isinstance(await hello(other, "Penelope"), Refused)
    first.cut()
    await asyncio.sleep(0.3)
    assert isinstance(await hello(other, "Penelope"), Refused), "kept for one who is only cut off"
    again = await Client.connect(hubs[1].url)
    assert (await _welcome(again, "", token)).name == "Penelope"
    await again.close()
    await asyncio.sleep(0.3)
    assert isinstance(await hello(other, "Penelope"), Welcome)
    await other.close()


async def test_a_hub_that_dies_does_not_hold_names_for_ever(redis: RedisProcess, tmp_path: Path) -> None:
    hub = HubProcess(tmp_path, "--redis", redis.url)
    hub.start()
    client = await Client.open(hub.url, "Quirin")
    hub.kill()
    await client.socket.wait_closed()
    with sync_redis.Redis(unix_socket_path=str(redis.socket)) as store:
        (key,) = [key for key in store.keys("parlour:name:*") if b"qu" in key]
        left_ms = store.pttl(key)
    assert 0 < left_ms <= 60_000


async def _welcome(client: Client, name: str, token: str | None = None) -> Welcome:
    welcome = await hello(client, name, token=token)
    assert isinstance(welcome, Welcome), welcome
    return welcome


# Two players, one name ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("second", ["Ana", "ANA"])
async def test_i7_two_players_one_name(hubs: list[HubProcess], open_client: Open, second: str) -> None:
    """Moves, offers, pause and winner go to the right seat; the second is shown with a number."""
    ana, other = await open_client("Ana"), await open_client(second, url=hubs[1].url)
    match = (await ana.create("square")).match
    snapshot = await other.join(match)
    names = [seat.name for seat in snapshot.seats]
    assert len({(name or "").casefold() for name in names}) == 2
    assert (snapshot.you, snapshot.to_move) == ((1,), 0)
    await ana.move(match, snapshot.version, snapshot.legal[0])
    moved = await other.expect(Moved)
    assert moved.seat == 0
    await other.ask(Offer(ref="o", match=match, kind="draw"), Accepted)
    await other.expect(Offered)
    await ana.expect(Offered)
    assert await other.refusal(other.reply(match, True)) == "not_your_offer"
    await ana.ask(ana.reply(match, False), Accepted)
    assert (await other.expect(OfferClosed)).seat == 1
    await other.ask(Pause(ref="p", match=match), Accepted)
    assert await ana.refusal(Continue(ref="c", match=match)) == "not_your_pause"
    await other.ask(Continue(ref="c", match=match), Accepted)
    await other.ask(Abandon(ref="x", match=match), Accepted)
    result = (await ana.expect(Ended)).result
    assert result.winner == 0
    assert result.text.startswith(f"{names[1]} surrendered. {names[0]} wins")
    assert [stat.moves for stat in result.stats] == [1, 0]


# Secrets --------------------------------------------------------------------------------------------------------------


@pytest.mark.fuzz
def test_i3_ids_tokens_and_keys_cannot_be_guessed() -> None:
    """No duplicate, no order in time, at least 128 bits for tokens; 60 bits and no look-alikes for keys."""
    assert TOKEN_BYTES * 8 >= 128
    for make in (new_id, new_key, lambda: secrets.token_urlsafe(TOKEN_BYTES)):
        made = [make() for _ in range(MANY)]
        assert len(set(made)) == MANY
        rising = sum(one < two for one, two in itertools.pairwise(made))
        assert abs(rising / MANY - 0.5) < 0.02
    key = new_key()
    assert len(key) == 14
    assert clean_key(f" {key.lower().replace('-', ' ').replace('0', 'o').replace('1', 'l')} ") == key
    assert not set("ILOU") & set("".join(new_key() for _ in range(1_000)))


async def test_i2_no_secrets_in_addresses_and_logs(redis: RedisProcess, tmp_path: Path) -> None:
    """Every command, by two players and a spectator, and HTTP besides, at the most talkative level."""
    hub = HubProcess(tmp_path, "--redis", redis.url, "--log-level", "debug")
    hub.start()
    try:
        ana, bo, cid = [await Client.open(hub.url, name) for name in ("Ana", "Bo", "Cid")]
        again = await Client.open(hub.url, "Ana", token=ana.token)
        keys = [await _play_everything(ana, bo, cid)]
        for path in ("/", "/api/matches", "/nowhere?token=x"):
            await asyncio.to_thread(_get, hub, path, ana.token or "")
        guest = await asyncio.to_thread(_post, hub, "/api/guests", {"name": "Dora"})
        received = {client: list(client.received) for client in (ana, bo, cid, again)}
        tokens = [str(client.token) for client in (ana, bo, cid)] + [str(guest.get("token", ana.token))]
        for client in (ana, bo, cid, again):
            await client.close()
    finally:
        assert hub.stop() == 0
    log = hub.log.read_text()
    assert "debug" in log
    assert "Move" in log
    assert "/api/matches" in log, "the access log is on"
    for secret in (*tokens, *keys, "A secret word"):
        assert secret not in log
    _only_their_owner_was_told(received, ana, tokens[0], keys[0])


def _only_their_owner_was_told(received: dict[Client, list[Message]], owner: Client, token: str, key: str) -> None:
    for client, messages in received.items():
        for message in messages:
            if client is not owner and client.player != owner.player:
                assert token not in repr(message)
                assert key not in repr(message)


async def _play_everything(ana: Client, bo: Client, cid: Client) -> str:
    """Every command there is, granted or not; returns a private key."""
    created = await ana.ask(Create(ref=ana.ref(), game="square", private=True), Accepted)
    match, key = created.match, created.key or ""
    await bo.ask(Join(ref=bo.ref(), key=key), Accepted)
    await cid.send(Join(ref=cid.ref(), key=key))
    await cid.send(Join(ref=cid.ref(), key="AAAA-BBBB-CCCC"))
    snapshot = await bo.expect(Message, lambda m: getattr(m, "match", "") == match and hasattr(m, "legal"))
    await ana.move(match, snapshot.version, snapshot.legal[0])  # type: ignore[attr-defined]
    commands: list[Command] = [
        Ping(ref="1"), WatchLobby(ref="2"), Watch(ref="3", match=match), Sync(ref="4", match=match),
        Look(ref="5", match=match, ply=0), GetRecord(ref="6", match=match), 
        Say(ref="7", match=match, text="A secret word"),
        Offer(ref="8", match=match, kind="draw"), Pause(ref="9", match=match), Continue(ref="10", match=match),
        Cancel(ref="11", match=match), Leave(ref="12", match=match), QuickMatch(ref="13", game="square"),
        Hello(ref="14", name="Eve", token="A" * 32), Abandon(ref="15", match=match),
    ]  # fmt: skip
    for command in commands:
        for client in (ana, bo, cid):
            await client.send(command)
    for client in (ana, bo, cid):
        await client.answer("15")
        await client.socket.send(b"\xc1 " + str(client.token).encode())
        await client.expect(Refused, lambda m: m.code == "malformed")
    return key


def _get(hub: HubProcess, path: str, token: str) -> None:
    request = urllib.request.Request(f"http://127.0.0.1:{hub.port}{path}", headers={"Authorization": f"Bearer {token}"})
    try:
        urllib.request.urlopen(request, timeout=20).read()
    except urllib.error.HTTPError as error:
        error.read()


def _post(hub: HubProcess, path: str, body: dict[str, str]) -> dict[str, str]:
    request = urllib.request.Request(
        f"http://127.0.0.1:{hub.port}{path}", json.dumps(body).encode(), {"Content-Type": "application/json"}
    )
    try:
        answer: dict[str, str] = json.loads(urllib.request.urlopen(request, timeout=20).read())
    except urllib.error.HTTPError as error:
        answer = {"error": error.read().decode()}
    return answer
