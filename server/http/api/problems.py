"""Refusals as problem details (RFC 9457): what the sockets tell as `Refused`, with a status code that fits."""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

import msgspec
from msgspec import Struct
from starlette.responses import Response

from protocol.errors import BadMessage, BadOption, Code, IllegalMove, MalformedMove, ParlourError
from protocol.text import Translate
from server.hub.metrics import count_refusal

MEDIA_TYPE = "application/problem+json"
RETRY_AFTER_S = 1
RETRIED = (HTTPStatus.SERVICE_UNAVAILABLE, HTTPStatus.GATEWAY_TIMEOUT, HTTPStatus.TOO_MANY_REQUESTS)
"""What is worth another try: after 504 with the same `ref` or Idempotency-Key, for it may have been done."""

STATUSES: dict[str, HTTPStatus] = {
    Code.MALFORMED: HTTPStatus.BAD_REQUEST,
    Code.TOO_DEEP: HTTPStatus.BAD_REQUEST,
    Code.TOO_LARGE: HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
    Code.NOT_A_MAP: HTTPStatus.UNPROCESSABLE_ENTITY,
    Code.UNKNOWN_MESSAGE: HTTPStatus.UNPROCESSABLE_ENTITY,
    Code.BAD_FIELD: HTTPStatus.UNPROCESSABLE_ENTITY,
    Code.BAD_NAME: HTTPStatus.UNPROCESSABLE_ENTITY,
    Code.UNKNOWN_GAME: HTTPStatus.UNPROCESSABLE_ENTITY,
    Code.DOES_NOT_REPLAY: HTTPStatus.UNPROCESSABLE_ENTITY,
    Code.NO_COMPUTER: HTTPStatus.UNPROCESSABLE_ENTITY,
    Code.BAD_TOKEN: HTTPStatus.UNAUTHORIZED,
    Code.PRIVATE: HTTPStatus.FORBIDDEN,
    Code.NOT_SEATED: HTTPStatus.FORBIDDEN,
    Code.MUTED: HTTPStatus.FORBIDDEN,
    Code.UNKNOWN_MATCH: HTTPStatus.NOT_FOUND,
    Code.WRONG_KEY: HTTPStatus.NOT_FOUND,
    Code.NO_SUCH_PLY: HTTPStatus.NOT_FOUND,
    Code.NOT_HERE: HTTPStatus.NOT_FOUND,
    Code.NO_CHALLENGE: HTTPStatus.NOT_FOUND,
    Code.TOO_MANY: HTTPStatus.TOO_MANY_REQUESTS,
    "too_fast": HTTPStatus.TOO_MANY_REQUESTS,
    "too_many_connections": HTTPStatus.TOO_MANY_REQUESTS,
    Code.BUSY: HTTPStatus.SERVICE_UNAVAILABLE,
    Code.UNAVAILABLE: HTTPStatus.SERVICE_UNAVAILABLE,
    Code.UNKNOWN_OUTCOME: HTTPStatus.GATEWAY_TIMEOUT,
    Code.INTERNAL: HTTPStatus.INTERNAL_SERVER_ERROR,
}
"""Where the default does not fit: what the match does not grant as it stands is a conflict, bad input is 422."""


class Problem(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A refusal. `code` is stable, `detail` is for people, `data` holds what it names; `version` is the match's."""

    type: str
    title: str
    status: int
    detail: str
    code: str
    version: int | None = None
    data: dict[str, Any] = {}


def status_of(error: ParlourError) -> HTTPStatus:
    """The status code for a refusal."""
    if error.code in STATUSES:
        return STATUSES[error.code]
    if isinstance(error, BadMessage | BadOption | MalformedMove | IllegalMove):
        return HTTPStatus.UNPROCESSABLE_ENTITY
    return HTTPStatus.CONFLICT


def refused(error: ParlourError, translate: Translate, below: str = "") -> Response:
    """The answer to a command that is not granted, in the words that a socket would get; `below` is the hub's path."""
    count_refusal(error.code)
    status = status_of(error)
    version = error.data.get("version")
    problem = Problem(
        type=f"{below}/api/docs#{error.code}",
        title=error.code.replace("_", " ").capitalize(),
        status=status,
        detail=error.text.render(translate),
        code=error.code,
        version=version if isinstance(version, int) else None,
        data={key: value for key, value in error.data.items() if key != "version" and _plain(value)},
    )
    headers = {}
    if status is HTTPStatus.UNAUTHORIZED:
        headers["www-authenticate"] = 'Bearer realm="parlour"'
    if status in RETRIED:
        headers["retry-after"] = str(RETRY_AFTER_S)
    return _response(problem, headers)


def plain_problem(status: int, headers: Mapping[str, str] | None = None, detail: str = "") -> Response:
    """What HTTP itself has a word for: an unknown path, a wrong method, a wrong type; `detail` says more."""
    known = HTTPStatus(status)
    problem = Problem(
        type="about:blank",
        title=known.phrase,
        status=status,
        detail=detail or known.description or known.phrase,
        code=known.name.lower(),
    )
    return _response(problem, headers or {})


def _plain(value: object) -> bool:
    return isinstance(value, str | int | float)


def _response(problem: Problem, headers: Mapping[str, str]) -> Response:
    return Response(msgspec.json.encode(problem), problem.status, dict(headers), MEDIA_TYPE)
