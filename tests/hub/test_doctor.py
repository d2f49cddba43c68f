"""`parlour-server admin doctor`: what is not as it should be is found and named, with what to do about it."""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import redis as sync_redis

from server.store.keys import Keys
from server.store.operators.rights import acl
from tests import fork_server
from tests.driver import WAIT_S, HubProcess, RedisProcess, wait_for
from tests.stand import running_hub, running_redis


def doctor(*store: str, url: str = "") -> tuple[int, dict[str, str]]:
    """How much is to be mended, and what is said of each thing, behind `well` or `MEND`."""
    environment = {key: value for key, value in os.environ.items() if not key.startswith("PARLOUR_")}
    words = ["admin", *store, "doctor", *(["--url", url] if url else [])]
    done = fork_server.run(words, environment, WAIT_S)
    assert "Traceback" not in done.stderr
    found = re.findall(r"^(well|MEND) +(\w+) +(.*)$", done.stdout, re.MULTILINE)
    assert done.returncode == any(how == "MEND" for how, *_ in found), done.stdout + done.stderr
    # On a machine that does much else the disk does, too.
    said = {what: f"{how} {sentence}" for how, what, sentence in found if what != "disk"}
    return sum(sentence.startswith("MEND") for sentence in said.values()), said


@pytest.fixture(scope="module")
def redis(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisProcess]:
    with running_redis(tmp_path_factory) as process:
        yield process


@pytest.fixture(scope="module")
def hub(redis: RedisProcess, tmp_path_factory: pytest.TempPathFactory) -> Iterator[HubProcess]:
    with running_hub(tmp_path_factory, redis) as hub, sync_redis.Redis(unix_socket_path=str(redis.socket)) as look:
        wait_for(lambda: bool(look.keys("parlour:report:*")))
        yield hub


def test_where_all_is_well_nothing_is_to_be_mended(redis: RedisProcess, hub: HubProcess) -> None:
    to_mend, said = doctor("--redis", redis.url, url=f"http://127.0.0.1:{hub.port}/")
    assert not to_mend, said
    assert re.search(r"1 hub of release \S+\.$", said["hubs"])
    assert said["callers"] == "well This request counts for 127.0.0.1."
    assert sorted(said) == [
        "address", "callers", "claims", "clock", "flush", "hubs", "memory", "rights", "sockets", "values"
    ]  # fmt: skip


def test_each_thing_that_is_wrong_with_the_store_is_named(redis: RedisProcess, hub: HubProcess) -> None:
    changed = {"appendfsync": "everysec", "maxmemory": 10_000_000_000, "maxmemory-policy": "allkeys-lru"}
    with sync_redis.Redis(unix_socket_path=str(redis.socket)) as look:
        before = {name: look.config_get(name)[name] for name in changed}
        for name, value in changed.items():
            look.config_set(name, value)
        look.execute_command("ACL", "SETUSER", *acl("less", "pw", Keys()), "-xadd", "-publish")
        look.hset("parlour:aside", "12345678", b"x")
        look.set("parlour:report:old", b"\x93\x80\x00\x80")
        look.zadd("parlour:hubs", {"old": 9_000_000_000_000})
        try:
            to_mend, said = doctor("--redis", redis.url)
            assert to_mend == 3, said
            assert "may be lost" in said["flush"]
            assert "set noeviction" in said["flush"]
            assert "2 hubs of several releases" in said["hubs"]
            assert "an older one" in said["hubs"]
            assert "admin aside" in said["values"]
            assert "publish, xadd" in doctor("--redis", f"unix://less:pw@{redis.socket}")[1]["rights"]
            look.config_set("maxmemory-policy", "noeviction")
            look.config_set("maxmemory", int(1.1 * look.info()["used_memory"]))
            assert "raise it before" in doctor("--redis", redis.url)[1]["memory"]
            look.config_set("maxmemory", 0)
            look.set("parlour:form", "7")
            to_mend, said = doctor("--redis", redis.url)
            assert "written by a newer release" in said.pop("store")
            assert not said
        finally:
            for name, value in before.items():
                look.config_set(name, value)
            look.delete("parlour:aside", "parlour:report:old", "parlour:form")
            look.zrem("parlour:hubs", "old")


def test_an_embedded_store_is_looked_at_without_a_hub(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    _, said = doctor("--data", str(tmp_path / "data"))
    assert said["flush"].startswith("well")
    assert "are free for" in said["room"]
    assert said["hubs"] == "well 0 hubs."


def test_where_nobody_answers_that_is_said(redis: RedisProcess) -> None:
    _, said = doctor("--redis", redis.url, url="http://127.0.0.1:9/")
    assert said["address"].startswith("MEND No hub answers at http://127.0.0.1:9/health")


# The way through a proxy ----------------------------------------------------------------------------------------------


class Proxy:
    """Passes requests on to a hub: with these fields in place of those that clients send by the same names."""

    def __init__(self, hub: HubProcess, *fields: str, without: str = "") -> None:
        self._port = hub.port
        self._fields = fields
        self._own = {_name(field) for field in fields} | {without}

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode().strip()
        first, *fields = head.split("\r\n")
        passed = [field for field in fields if _name(field) not in self._own]
        there, back = await asyncio.open_connection("127.0.0.1", self._port)
        back.write("\r\n".join([first, *passed, *self._fields, "", ""]).encode())
        # What asks for a page asks for the connection to be closed behind it; of a socket the answer's head is enough.
        socket = "sec-websocket-key" in head.lower() and "upgrade" not in self._own
        writer.write(await (there.readuntil(b"\r\n\r\n") if socket else there.read()))
        for end in (writer, back):
            end.close()

    async def said(self, redis: RedisProcess, path: str = "/") -> dict[str, str]:
        """What the doctor says of the way through it."""
        async with await asyncio.start_server(self._pass, "127.0.0.1", 0) as server:
            url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}{path}"
            return (await asyncio.to_thread(lambda: doctor("--redis", redis.url, url=url)))[1]


def _name(field: str) -> str:
    return field.partition(":")[0].lower()


async def test_a_proxy_that_is_not_named_or_takes_the_upgrade_off(redis: RedisProcess, hub: HubProcess) -> None:
    said = await Proxy(hub, "X-Forwarded-For: 203.0.113.9", "Connection: close", without="upgrade").said(redis)
    assert said["callers"].startswith("MEND A proxy names whom it speaks for, and the hub does not believe it")
    assert "all of them count as 127.0.0.1. Name the proxy by --proxy." in said["callers"]
    assert "have the proxy pass the upgrade on" in said["sockets"]


async def test_a_proxy_whose_word_is_everybodys_or_that_says_another_address(
    redis: RedisProcess, tmp_path_factory: pytest.TempPathFactory
) -> None:
    with running_hub(tmp_path_factory, redis, "--proxy", "127.0.0.1") as trusting:
        said = await Proxy(trusting).said(redis)
        assert said["claims"].startswith("MEND Whoever writes an address into X-Forwarded-For counts for that one")
        said = await Proxy(trusting, "X-Forwarded-For: 203.0.113.9", "X-Forwarded-Prefix: /games").said(redis)
        assert said["claims"].startswith("well")
        assert said["callers"] == "well This request counts for 203.0.113.9."
        assert "or give the hub --public-url http://127.0.0.1" in said["address"]
