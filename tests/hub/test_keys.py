"""Guesses of private keys against a real hub with the limits that are shipped: slow, and all alike (I4)."""

from __future__ import annotations

import asyncio
import os
import time
from collections import Counter

import httpx
import pytest

from protocol.messages import Abandon, Accepted, Cancel, Create, Join, Refused
from server.hub.limits.admission import MISTYPED
from tests.driver import Client, HubProcess
from tests.hub.conftest import Open
from tests.pace import within

FULL = os.environ.get("PARLOUR_FAULTS") == "full"
WRONG_KEYS = 10_000 if FULL else 400


async def try_key(client: Client, key: str) -> str:
    """The code of the refusal, or "" when the key opened a match."""
    command = Join(ref=client.ref(), key=key)
    await client.send(command)
    answer = await client.answer(command.ref)
    return answer.code if isinstance(answer, Refused) else ""


async def guesses(client: Client, count: int) -> dict[str, int]:
    codes: dict[str, int] = {}
    for number in range(count):
        code = await try_key(client, f"AAAA-BBBB-{number:04}")
        codes[code] = codes.get(code, 0) + 1
        if code == "too_fast":
            await asyncio.sleep(0.2)
    return codes


@pytest.mark.faults
@pytest.mark.parametrize("connections", [1, 100 if FULL else 30])
async def test_i4_guessing_is_slow(open_client: Open, connections: int) -> None:
    """From one connection and from many: throttled; meanwhile the right key works for its owner within 2 s."""
    address = f"192.0.2.{connections}"
    host = await open_client("Host", address="192.0.2.200")
    created = await host.ask(Create(ref="c", game="square", private=True), Accepted)
    attackers = [await open_client(f"Eve {number}", address=address) for number in range(connections)]
    each = max(20, WRONG_KEYS // connections // 20)
    started = time.monotonic()
    attack = [asyncio.create_task(guesses(attacker, each)) for attacker in attackers]
    await asyncio.sleep(0.5)
    friend = await open_client("Friend", address=address)
    began = time.monotonic()
    assert await try_key(friend, created.key or "") == ""
    within(time.monotonic() - began, 2.0)
    results = await asyncio.gather(*attack)
    seconds = time.monotonic() - started
    wrong = sum(codes.get("wrong_key", 0) for codes in results)
    assert sum(codes.get("too_fast", 0) for codes in results) > 0
    assert set().union(*results) <= {"wrong_key", "too_fast"}
    # Of each guest some are looked at whatever the others did, and one was under way when the address had no more.
    shared = 400 + (MISTYPED + 1) * connections
    assert wrong <= min(10 * connections, shared) + (seconds + 10) * 7


async def test_i4_all_closed_doors_look_alike(open_client: Open) -> None:
    """A wrong key, that of a full match, of a cancelled one, of a finished one."""
    host, friend, stranger = await open_client("Host"), await open_client("Friend"), await open_client("Stranger")
    keys = []
    for _ in range(3):
        accepted = await host.ask(Create(ref=host.ref(), game="square", private=True), Accepted)
        keys.append((accepted.match, accepted.key or ""))
    (_, full), (cancelled_match, cancelled), (over_match, over) = keys
    assert await try_key(friend, full) == ""
    await host.ask(Cancel(ref=host.ref(), match=cancelled_match), Accepted)
    assert await try_key(friend, over) == ""
    await friend.ask(Abandon(ref=friend.ref(), match=over_match), Accepted)
    answers = []
    for key in ("0000-0000-0000", full, cancelled, over):
        command = Join(ref=stranger.ref(), key=key)
        refused = await stranger.ask(command, Refused)
        answers.append((refused.code, refused.text, refused.data, refused.match, refused.version))
    assert set(map(str, answers)) == {str(answers[0])}
    assert answers[0][0] == "wrong_key"
    assert await try_key(friend, full) == "", "who sits there already is let in again"


@pytest.mark.faults
async def test_i4_guessing_by_http_is_slow(hub: HubProcess, open_client: Open) -> None:
    """Throttled, by as many guests as one makes; the right key works for its owner's friend within 2 s meanwhile."""
    host = await open_client("Host", address="192.0.2.200")
    created = await host.ask(Create(ref="c", game="square", private=True), Accepted)
    codes: Counter[str] = Counter()
    bodies: set[str] = set()
    gate = asyncio.Semaphore(8)
    headers = {"X-Forwarded-For": "192.0.2.77"}
    async with httpx.AsyncClient(
        base_url=f"http://127.0.0.1:{hub.port}/api", trust_env=False, headers=headers, timeout=20
    ) as link:
        tokens = [(await link.post("/guests", json={"name": f"Eve {n}"})).json()["token"] for n in range(4)]

        async def guess(number: int) -> None:
            body = {"ref": f"g{number}", "key": f"AAAA-BBBB-{number:04}"}
            async with gate:
                answer = await link.post("/players", json=body, headers=_bearer(tokens[number % 4]))
            codes[answer.json()["code"]] += 1
            if answer.status_code == 404:
                bodies.add(answer.text)

        started = time.monotonic()
        attack = asyncio.gather(*(guess(number) for number in range(WRONG_KEYS)))
        await asyncio.sleep(0.3)
        began = time.monotonic()
        friend = await open_client("Friend", address="192.0.2.201")
        assert await try_key(friend, created.key or "") == ""
        within(time.monotonic() - began, 2.0)
        await attack
        seconds = time.monotonic() - started
    print(f"{dict(codes)}")
    assert set(codes) == {"wrong_key", "too_fast"}
    assert codes["wrong_key"] <= 400 + (seconds + 10) * 7
    assert len(bodies) == 1, "all wrong keys are answered alike"


def _bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}
