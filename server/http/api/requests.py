"""Reading requests: bounded bodies, typed queries, who asks; whatever is wrong is refused by name."""

from __future__ import annotations

import re
import secrets
from typing import Annotated, Any, TypeVar, get_args, get_origin

import msgspec
from starlette.requests import Request

from protocol import limits
from protocol.errors import BadMessage, Code, Refusal
from protocol.limits import MAX_COMMAND_BYTES
from server.hub.presence.identity import token_hash
from server.store.people import Guest
from server.store.port import Store

JSON = "application/json"
_MATCH_ID = re.compile(rf"[A-Za-z0-9_-]{{1,{limits.MAX_ID}}}")
_BEARER = re.compile(r"bearer +(\S+) *", re.IGNORECASE)
_WHOLE = re.compile(r"-?(0|[1-9][0-9]{0,18})")
_NUMBER = re.compile(r"-?(0|[1-9][0-9]{0,18})(\.[0-9]{1,18})?")
_TRUTH = re.compile("true|false")
_SPELLINGS: dict[Any, re.Pattern[str]] = {int: _WHOLE, float: _NUMBER, bool: _TRUTH}
"""How values are written in an address: no signs, blanks, exponents, underscores or digits that JSON has not."""
SPELLED = {_WHOLE: "Expected a whole number", _NUMBER: "Expected a number", _TRUTH: "Expected `true` or `false`"}

T = TypeVar("T")


class WrongMediaType(Exception):
    """The body is not said to be JSON."""


def forwarded(request: Request) -> tuple[list[str], list[str]]:
    """What proxies say of whom a request is from: the values of `X-Forwarded-For`, and of `Forwarded`."""
    return request.headers.getlist("x-forwarded-for"), request.headers.getlist("forwarded")


async def read_body(request: Request, decoder: msgspec.json.Decoder[T]) -> T:
    """The body as what `decoder` reads; {} when there is none. Raises BadMessage, WrongMediaType or ClientDisconnect.

    Never holds more than a command may have (`H18`): a longer body is refused as soon as that is known.
    """
    announced = request.headers.get("content-length", "0")
    if announced.isdecimal() and int(announced) > MAX_COMMAND_BYTES:
        raise BadMessage(Code.TOO_LARGE, limit=MAX_COMMAND_BYTES)
    data = bytearray()
    async for chunk in request.stream():
        data += chunk
        if len(data) > MAX_COMMAND_BYTES:
            raise BadMessage(Code.TOO_LARGE, limit=MAX_COMMAND_BYTES)
    if data and request.headers.get("content-type", "").partition(";")[0].strip().lower() != JSON:
        raise WrongMediaType
    try:
        return decoder.decode(bytes(data) or b"{}")
    except msgspec.ValidationError as error:
        raise BadMessage(Code.BAD_FIELD, problem=str(error)[:200]) from None
    except RecursionError:
        raise BadMessage(Code.TOO_DEEP, limit=limits.MAX_DEPTH) from None
    except (msgspec.DecodeError, ValueError):
        raise BadMessage(Code.MALFORMED) from None


def match_id(request: Request) -> str:
    """The match in the address. Raises Refusal `unknown_match` for what cannot be one, without asking the store."""
    return _id_in_path(request, "match", Code.UNKNOWN_MATCH)


def challenge_id(request: Request) -> str:
    """The challenge in the address. Raises Refusal `no_challenge` for what cannot be one, without asking the store."""
    return _id_in_path(request, "challenge", Code.NO_CHALLENGE)


def _id_in_path(request: Request, name: str, otherwise: Code) -> str:
    wanted: str = request.path_params[name]
    if not _MATCH_ID.fullmatch(wanted):
        raise Refusal(otherwise)
    return wanted


def query(request: Request, name: str, wanted: Any, default: T) -> T:
    """A parameter after the question mark, as the type `wanted`. Raises BadMessage `bad_field`."""
    given = request.query_params.getlist(name)
    if len(given) > 1:
        raise BadMessage(Code.BAD_FIELD, problem=f"given {len(given)} times - at `{name}`")
    return convert(name, given[0], wanted) if given else default


def convert(name: str, given: str, wanted: Any) -> Any:
    """A part of the address as the type `wanted`, written as JSON writes it. Raises BadMessage `bad_field`."""
    spelling = _SPELLINGS.get(get_args(wanted)[0] if get_origin(wanted) is Annotated else wanted)
    if spelling is not None and not spelling.fullmatch(given):
        raise BadMessage(Code.BAD_FIELD, problem=f"{SPELLED[spelling]} - at `{name}`")
    try:
        return msgspec.convert(given, wanted, strict=False)
    except (msgspec.ValidationError, OverflowError) as error:
        raise BadMessage(Code.BAD_FIELD, problem=f"{error} - at `{name}`"[:200]) from None


def ref_of(request: Request, given: str | None) -> str:
    """The command's ref: from the body, else from the Idempotency-Key header, else a new one, which counts once."""
    return given or idempotency_key(request) or secrets.token_urlsafe(12)


def idempotency_key(request: Request) -> str:
    """The header of that name; "" if there is none. Raises BadMessage `bad_field` for one that is too long."""
    key = request.headers.get("idempotency-key", "").strip('"')
    if len(key) > limits.MAX_REF:
        raise BadMessage(Code.BAD_FIELD, problem=f"at most {limits.MAX_REF} characters - at `idempotency-key`")
    return key


async def who_asks(request: Request, store: Store) -> Guest:
    """The player whose token is in the Authorization header. Raises Refusal `bad_token`, or StoreUnavailable."""
    guest = await store.guest(token_hash(token_of(request)))
    if guest is None:
        raise Refusal(Code.BAD_TOKEN)
    return guest


def token_of(request: Request) -> str:
    """The token in the Authorization header. Raises Refusal `bad_token`."""
    bearer = _BEARER.fullmatch(request.headers.get("authorization", ""))
    if bearer is None or len(bearer[1]) > limits.MAX_TOKEN:
        raise Refusal(Code.BAD_TOKEN)
    return bearer[1]


def language_of(request: Request) -> str:
    """The language that the client likes best."""
    return re.split("[,;]", request.headers.get("accept-language", ""))[0].strip()[: limits.MAX_LANGUAGE]
