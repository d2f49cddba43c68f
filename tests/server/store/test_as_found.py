"""Redis as an operator finds it: what will never do is told at once, in one sentence; what does is used."""

from __future__ import annotations

import asyncio
import re
import shutil
import socket
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
import redis as sync_redis

from server.starting import meet
from server.store.connection.address import Certificates, read_address
from server.store.connection.unfit import UnfitStore
from server.store.keys import Keys
from server.store.operators.rights import ASKED, FOR_THE_OPERATOR, OPTIONAL, SCRIPTED, acl
from server.store.redis_store import RedisStore
from server.store.scripts import script
from tests.driver import ROOT, WAIT_S, RedisProcess, wait_for


@dataclass
class Found:
    """A Redis with TLS, a password and users; a Sentinel; and a node of a cluster."""

    redis: RedisProcess
    plain: int
    tls: int
    sentinel: int
    cluster: int
    certificate: Path
    key: Path

    async def meet(self, address: str, certificates: Certificates | None = None) -> None:
        """What a hub does first at its start."""
        filled = address.format(**{name: value for name, value in vars(self).items() if isinstance(value, int)})
        store = RedisStore(read_address(filled, certificates), "hub")
        try:
            await meet(store)
        finally:
            await store.close()
            # The standard loop lets go of a link that failed in its handshake in the turn after.
            await asyncio.sleep(0)

    def operator(self) -> sync_redis.Redis:
        return sync_redis.Redis(unix_socket_path=str(self.redis.socket), password="secret")


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Found]:
    folders = [tmp_path_factory.mktemp(name) for name in ("redis", "sentinel", "cluster")]
    key, certificate = folders[0] / "key.pem", folders[0] / "cert.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
         "-keyout", key, "-out", certificate, "-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1"],
        check=True, capture_output=True,
    )  # fmt: skip
    ports = free_ports(4)
    main = RedisProcess(
        folders[0], "--port", str(ports[0]), "--tls-port", str(ports[1]), "--tls-cert-file", str(certificate),
        "--tls-key-file", str(key), "--tls-ca-cert-file", str(certificate), "--tls-auth-clients", "no",
    )  # fmt: skip
    cluster = RedisProcess(folders[2], "--port", str(ports[3]), "--cluster-enabled", "yes")
    (folders[1] / "sentinel.conf").write_text(f"port {ports[2]}\n")
    program = shutil.which("redis-server") or "valkey-server"
    sentinel = subprocess.Popen(
        [program, folders[1] / "sentinel.conf", "--sentinel"], stdout=subprocess.DEVNULL, start_new_session=True
    )
    try:
        main.start()
        cluster.start()
        with sync_redis.Redis(unix_socket_path=str(main.socket)) as operator:
            operator.config_set("requirepass", "secret")
        wait_for(lambda: answers(ports[2]))
        plain, tls, asked, part = ports
        yield Found(main, plain=plain, tls=tls, sentinel=asked, cluster=part, certificate=certificate, key=key)
    finally:
        main.stop()
        cluster.stop()
        sentinel.kill()
        sentinel.wait()


def free_ports(count: int) -> list[int]:
    links = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [link.getsockname()[1] for link in links]
    for link in links:
        link.close()
    return ports


def answers(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port)).close()
    except OSError:
        return False
    return True


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """A link is made in whatever time this machine takes."""
    monkeypatch.setattr("server.store.redis_store.CONNECT_TIMEOUT_S", WAIT_S)
    monkeypatch.setattr("server.store.connection.unfit.LOOK_S", WAIT_S)


@pytest.mark.parametrize(
    ("address", "says"),
    [
        ("redis://127.0.0.1:{plain}", "asks for a password"),
        ("redis://:wrong@127.0.0.1:{plain}", "does not take this name and password"),
        ("redis://nobody:secret@127.0.0.1:{plain}", "does not take this name and password"),
        ("valkey://:secret@127.0.0.1:{plain}/16", "has no database 16"),
        ("redis://a.name.that.is.invalid", "No machine has the name"),
        ("redis://:secret@127.0.0.1:{tls}", "speaks TLS: give its address as rediss://"),
        ("rediss://:secret@127.0.0.1:{tls}", "is not trusted"),
        ("redis://127.0.0.1:{sentinel}", "is a Sentinel"),
        ("redis://127.0.0.1:{sentinel}/1", "perhaps a Sentinel"),
        ("redis://127.0.0.1:{cluster}", "part of a cluster"),
        ("redis://127.0.0.1:{cluster}/1", "part of a cluster"),
    ],
)
async def test_what_will_never_do_is_told_at_once(found: Found, address: str, says: str) -> None:
    """The sentence names the place, and no password."""
    with pytest.raises(UnfitStore, match=re.escape(says)) as told:
        await found.meet(address)
    assert "secret" not in str(told.value).replace("PASSWORD", "")
    assert "wrong" not in str(told.value)


async def test_a_redis_that_is_asked_by_tls_serves(found: Found) -> None:
    """One that asks for a certificate of its clients, too, when the hub has one to show."""
    address, trusted = "rediss://:secret@127.0.0.1:{tls}", found.certificate
    await found.meet(address, Certificates(trusted))
    with found.operator() as operator:
        operator.config_set("tls-auth-clients", "yes")
        try:
            await found.meet(address, Certificates(trusted, trusted, found.key))
            with pytest.raises(UnfitStore, match="--redis-cert"):
                await found.meet(address, Certificates(trusted))
        finally:
            operator.config_set("tls-auth-clients", "no")


async def test_tls_at_a_redis_without_is_told(found: Found, monkeypatch: pytest.MonkeyPatch) -> None:
    """It waits for a line that never ends; the way to it is given up sooner here."""
    monkeypatch.setattr("server.store.redis_store.CONNECT_TIMEOUT_S", 0.1)
    with pytest.raises(UnfitStore, match="speaks no TLS: give its address as redis://"):
        await found.meet("rediss://:secret@127.0.0.1:{plain}")


async def test_something_else_that_answers_is_told(found: Found) -> None:
    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 400 Bad Request\r\n\r\n")
        writer.close()

    async with await asyncio.start_server(answer, "127.0.0.1", 0) as stranger:
        port = stranger.sockets[0].getsockname()[1]
        with pytest.raises(UnfitStore, match="is no Redis"):
            await found.meet(f"redis://127.0.0.1:{port}")


# Rights ---------------------------------------------------------------------------------------------------------------


async def test_a_user_with_the_rights_that_are_listed_is_enough(found: Found) -> None:
    """All that any store must do is tried by such a user, too: see `conftest.py`."""
    with found.operator() as operator:
        operator.execute_command("ACL", "SETUSER", *acl("enough", "pw", Keys(), operator=False))
    await found.meet("redis://enough:pw@127.0.0.1:{plain}")


async def test_each_right_that_is_missing_is_named_at_the_start(found: Found) -> None:
    """What a hub would only need hours later, too: to say a line, to publish a move."""
    store = RedisStore(f"redis://less:pw@127.0.0.1:{found.plain}", "hub")
    with found.operator() as operator:

        def let(*words: str) -> None:
            operator.execute_command("ACL", "SETUSER", "less", *words)

        let(*acl("less", "pw", Keys())[1:])
        assert await store.lacking_rights() == []
        to_ask = {"evalsha", "script|load"}
        for command in sorted({*SCRIPTED, *ASKED} - {*OPTIONAL, "select"} - to_ask):
            let(f"-{command}")
            assert await store.lacking_rights() == [command]
            let(f"+{command}")
        await store.close()
        for command in (*to_ask, "xadd", "info"):
            let(f"-{command}")
            with pytest.raises(UnfitStore, match=rf"(?i)may not do all that a hub does: {re.escape(command)}\."):
                await found.meet("redis://less:pw@127.0.0.1:{plain}")
            let(f"+{command}")
        let("-config|get", "-latency|latest", "-select")
        await found.meet("redis://less:pw@127.0.0.1:{plain}")
        let(*acl("less", "pw", Keys("parlour", 1))[1:], "-select")
        with pytest.raises(UnfitStore, match="may not do all that a hub does: SELECT"):
            await found.meet("redis://less:pw@127.0.0.1:{plain}/1")


async def test_names_of_another_installation_are_not_ours(found: Found) -> None:
    with found.operator() as operator:
        operator.execute_command("ACL", "SETUSER", *acl("other", "pw", Keys("club", 1)))
    with pytest.raises(UnfitStore, match="lists the rights"):
        await found.meet("redis://other:pw@127.0.0.1:{plain}")


def test_the_rights_are_those_of_the_scripts() -> None:
    """A script that begins to use another command is found here, not by somebody whose user may not."""
    used = set()
    for file in (ROOT / "server/store/scripts").glob("*.lua"):
        used |= set(re.findall(r"redis\.p?call\('(\w+)'", script(file.stem)))
    used |= {"SADD", "SREM", "SET", "ZADD", "ZREM"}  # The operations of `append`.
    assert {command.lower() for command in used} == {command.partition("|")[0] for command in SCRIPTED}


def test_the_document_lists_exactly_these() -> None:
    text = (ROOT / "docs/hosting.md").read_text()
    for user in (acl("parlour", "PASSWORD", Keys()), acl("parlour", "PASSWORD", Keys("club", 1))):
        names = " ".join(word for word in user if not word.startswith("+"))
        assert f"user {names}" in text
    listed = set(re.findall(r"\s\+([a-z|]+)", text))
    assert listed == {*SCRIPTED, *ASKED, *FOR_THE_OPERATOR}
