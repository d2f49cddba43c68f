"""Which server a request means and which page sent it (Q15): nothing changes for foreign ones."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator

import pytest

from tests.driver import WAIT_S
from tests.hostile.tools import House, housed


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A hub with the gateway for students' games, and a public name."""
    with housed(
        tmp_path_factory.mktemp("house"), "--dog", "--no-dog-front", "--origin", "https://games.example"
    ) as house:
        yield house


async def ask(house: House, line: str, *headers: str, body: str = "") -> tuple[int, bytes]:
    """The status and the whole answer."""
    reader, writer = await asyncio.open_connection("127.0.0.1", house.hub.port)
    head = [f"{line} HTTP/1.1", *headers, "Connection: close", f"Content-Length: {len(body)}"]
    try:
        writer.write("\r\n".join([*head, "", body]).encode())
        async with asyncio.timeout(WAIT_S):
            answer = await reader.read()
    finally:
        writer.close()
    return int(answer.split(b" ", 2)[1]), answer


async def new_guest(house: House, *headers: str) -> int:
    """The status of something that changes something."""
    kind = "Content-Type: application/json"
    return (await ask(house, "POST /api/guests", kind, *headers, body=json.dumps({"name": "Ana", "rename": True})))[0]


def host(house: House) -> str:
    return f"127.0.0.1:{house.hub.port}"


@pytest.mark.parametrize(
    "hosts",
    [(), ("Host: a", "Host: a"), ("Host: a", "host: b"), ("Host: ",), ("Host: a b",), ("Host: a/b",), ("Host: a, b",)],
)
@pytest.mark.parametrize("line", ["GET /", "GET /health", "GET /api/games", "POST /api/guests", "POST /dog/start/"])
async def test_one_host_is_named(house: House, line: str, hosts: tuple[str, ...]) -> None:
    """Q15: two or none are 400, wherever."""
    assert (await ask(house, line, *hosts))[0] == 400


@pytest.mark.parametrize("hosts", [(), ("Host: a", "Host: a"), ("Host: a b",)])
async def test_one_host_is_named_for_sockets_too(house: House, hosts: tuple[str, ...]) -> None:
    upgrade = ("Upgrade: websocket", "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==", "Sec-WebSocket-Version: 13")
    reader, writer = await asyncio.open_connection("127.0.0.1", house.hub.port)
    writer.write("\r\n".join(["GET /ws HTTP/1.1", *hosts, "Connection: Upgrade", *upgrade, "", ""]).encode())
    async with asyncio.timeout(WAIT_S):
        assert (await reader.readline()).split()[1] == b"400"
    writer.close()


@pytest.mark.parametrize(
    "name",
    ["127.0.0.1", "192.168.0.7:7878", "[::1]:7878", "localhost", "pc", "pc.local", "hub.internal", "games.example"],
)
async def test_names_that_are_this_hubs(house: House, name: str) -> None:
    """Addresses and local names need no setting, for programs and for pages; a public one is named by --origin."""
    assert await new_guest(house, f"Host: {name}") == 201
    if name != "games.example":
        assert await new_guest(house, f"Host: {name}", f"Origin: http://{name}") == 201


async def test_a_foreign_name_changes_nothing(house: House) -> None:
    """Q15, DNS rebinding: with and without an Origin; a page may write X-Forwarded-For, and wins nothing by it."""
    for more in ((), ("Origin: http://evil.example",), ("Origin: http://evil.example", "X-Forwarded-For: 8.8.8.8")):
        assert await new_guest(house, "Host: evil.example", *more) == 403
    status, answer = await ask(house, "POST /api/guests", "Host: evil.example")
    assert status == 403
    assert b"--origin http://evil.example" in answer, "it says what would help"
    assert (await ask(house, "GET /api/games", "Host: evil.example"))[0] == 200


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", "https://games.example.evil.example", "http://127.0.0.1", ""]
)
async def test_a_foreign_page_changes_nothing(house: House, origin: str) -> None:
    """Q15, CSRF: forms and scripts of other pages; the one that was named is let in."""
    assert await new_guest(house, f"Host: {host(house)}", f"Origin: {origin}") == 403
    assert await new_guest(house, f"Host: {host(house)}", f"Origin: http://{host(house)}") == 201
    assert await new_guest(house, f"Host: {host(house)}", "Origin: https://games.example") == 201
    two = ("Origin: https://games.example", "Origin: https://games.example")
    assert await new_guest(house, f"Host: {host(house)}", *two) == 403


async def test_students_games_are_programs_whose_address_may_be_any(house: House) -> None:
    """They play on under any name; a page that sends a form to them is refused."""
    form = "player_id=1&game_id=g&player_name=Ana"
    kind = "Content-Type: application/x-www-form-urlencoded"
    assert (await ask(house, "POST /dog/player/", kind, "Host: dog.example", body=form))[0] == 200
    page = ("Host: dog.example", "Origin: http://dog.example")
    assert (await ask(house, "POST /dog/player/", kind, *page, body=form))[0] == 403


@pytest.mark.parametrize("line", ["PUT /api/guests", "DELETE /api/matches", "PATCH /", "POST /nowhere"])
async def test_whatever_could_change_something_is_asked(house: House, line: str) -> None:
    assert (await ask(house, line, "Host: evil.example"))[0] == 403
    assert (await ask(house, line, f"Host: {host(house)}"))[0] in (404, 405)
