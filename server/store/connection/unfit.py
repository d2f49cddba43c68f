"""Why a store that was named will never do, as one sentence for the operator: what no waiting mends."""

from __future__ import annotations

import asyncio
import errno
import socket
import ssl
from collections.abc import Iterator, Sequence
from contextlib import suppress

from redis.exceptions import AuthenticationError, InvalidResponse, ResponseError

from server.store.connection.address import StoreAddress

LOOK_S = 2.0
"""How long a look at what answers there may take."""
NO_TLS = "What answers at {at} speaks no TLS: give its address as {other}."
TLS_ONLY = "What answers at {at} speaks TLS: give its address as {other}."
PASSWORD = "The store at {at} asks for a password: redis://:PASSWORD@host:6379/0, best in PARLOUR_REDIS."
_SAID = (
    ("HELLO must be called", PASSWORD),
    ("NOAUTH", PASSWORD),
    ("Authentication required", PASSWORD),
    ("without any password configured", "The store at {at} has no password, and one was given."),
    (
        "DB index is out of range",
        "The store at {at} has no database {database}: its setting `databases` says how many.",
    ),
    ("not allowed in cluster mode", "The Redis at {at} is part of a cluster; give the address of one that is not."),
    ("unknown command 'SELECT'", "What answers at {at}, perhaps a Sentinel, has no databases: name the master itself."),
    ("DENIED", "The Redis at {at} is in protected mode and serves its own machine alone, until it has a password."),
)
"""What Redis says, and what it means for who gave the address; the library keeps no other trace of most."""


class UnfitStore(Exception):
    """This Redis cannot serve at all; the text says what is wrong and what to do."""


def why_never(error: BaseException, address: StoreAddress) -> str | None:
    """The sentence, if what has gone wrong will go wrong again; None for what may pass."""
    for each in _chain(error):
        sentence = _sentence(each, address)
        if sentence is not None:
            return sentence.format(at=address.shown, database=address.database)
    return None


async def look(address: StoreAddress) -> str | None:
    """The sentence, if what answers there is asked by TLS and was not, or the other way round: it just keeps silent."""
    if address.url.startswith("rediss:"):
        if await _speaks(address, None):
            return NO_TLS.format(at=address.shown, other="redis://")
    elif address.url.startswith("redis:"):
        unseen = ssl.create_default_context()
        unseen.check_hostname, unseen.verify_mode = False, ssl.CERT_NONE
        if await _speaks(address, unseen):
            return TLS_ONLY.format(at=address.shown, other="rediss://")
    return None


def is_forbidden(error: BaseException) -> bool:
    """Whether Redis said that its user may not do something."""
    text = str(error.__cause__ or error)
    return "NOPERM" in text or "no permissions" in text or "user executing the script can't" in text


def lacking(commands: Sequence[str], address: StoreAddress) -> UnfitStore:
    """For a user that may not do everything."""
    return UnfitStore(
        f"The user of the store at {address.shown} may not do all that a hub does: {', '.join(commands)}."
        " docs/hosting.md lists the rights that are needed."
    )


async def _speaks(address: StoreAddress, context: ssl.SSLContext | None) -> bool:
    with suppress(OSError, TimeoutError, EOFError):
        async with asyncio.timeout(LOOK_S):
            reader, writer = await asyncio.open_connection(address.host, address.port, ssl=context)
            try:
                writer.write(b"PING\r\n")
                return (await reader.read(1)) in (b"+", b"-")
            finally:
                writer.transport.abort()
    return False


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    seen = 0
    while error is not None and seen < 10:
        yield error
        error, seen = error.__cause__ or error.__context__, seen + 1


def _sentence(error: BaseException, address: StoreAddress) -> str | None:
    text = str(error)
    match error:
        case AuthenticationError() | ResponseError():
            for said, sentence in _SAID:
                if said in text:
                    return sentence
            if isinstance(error, AuthenticationError) or "WRONGPASS" in text:
                return "The store at {at} does not take this name and password."
            if "NOPERM" in text or "no permissions" in text:
                return str(lacking([_quoted(text) or "all of it"], address))
        case InvalidResponse():
            return "What answers at {at} is no Redis."
        case socket.gaierror() if error.errno != socket.EAI_AGAIN:
            return "No machine has the name in the address of the store, {at}."
        case ssl.SSLCertVerificationError():
            return (
                "The certificate of the store at {at} is not trusted"
                f" ({error.verify_message.rstrip('.')}): --redis-ca names who vouches for it."
            )
        case ssl.SSLError(reason="TLSV13_ALERT_CERTIFICATE_REQUIRED"):
            return "The store at {at} asks for a certificate of its clients: --redis-cert and --redis-key name it."
        case ssl.SSLError():
            return (
                f"The store at {{at}} cannot be asked by TLS: {(error.reason or str(error)).replace('_', ' ').lower()}."
            )
        case OSError() if error.errno in (errno.EACCES, errno.EPERM):
            return "The store at {at} may not be reached by this user."
    return None


def _quoted(text: str) -> str:
    return text.split("'")[1].upper() if text.count("'") >= 2 else ""
