"""Where each operation is found, in one table: the routes and the OpenAPI document are made from it."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Annotated, Any

import msgspec
import structlog
from msgspec import Meta
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route

from protocol import limits
from protocol.codec import MSGPACK
from protocol.errors import Code, ParlourError, StoreUnavailable
from protocol.messages import Analysis, Invitation, MatchId, Position, Record, Snapshot
from server.http.api import types
from server.http.api.handlers import Handlers
from server.http.api.problems import plain_problem, refused
from server.http.api.requests import JSON, WrongMediaType, language_of
from server.http.asked import public_of
from server.hub.viewers.viewer import form_for, language

PREFIX = "/api"

log = structlog.get_logger(__name__)
Handler = Callable[[Request], Awaitable[Any]]


@dataclass(frozen=True)
class Parameter:
    """Something in the address: in the path, or after the question mark."""

    name: str
    type: Any
    says: str
    default: Any = None


MATCH = Parameter("match", MatchId, "the match")
PLY = Parameter("ply", Annotated[int, Meta(ge=0, le=limits.MAX_MOVES)], "how many moves")
GAME = Parameter("game", Annotated[str, Meta(min_length=1, max_length=limits.MAX_ID)], "only this game")
AFTER = Parameter("after", Annotated[int, Meta(ge=0, le=limits.MAX_VERSION)], "the version you know", 0)
WAIT = Parameter("wait", Annotated[float, Meta(ge=0, le=types.MAX_WAIT_S)], "how many seconds to wait for news", 0)
PAST = Parameter("after", Annotated[int, Meta(ge=0, le=limits.MAX_MOVES)], "the moves that follow so many", 0)
CHALLENGE = Parameter("challenge", MatchId, "the challenge")
KNOWN = Parameter("known", Annotated[str, Meta(max_length=limits.MAX_ID)], "the `tag` of the answer that you have", "")
OWN = Parameter("own", bool, "whether what you did yourself is told, too", False)


@dataclass(frozen=True)
class Operation:
    """One operation. `refusals` are the statuses that it may be refused with, besides those of every operation."""

    method: str
    path: str
    handler: Callable[[Handlers, Request], Awaitable[Any]]
    answer: Any
    body: Any = None
    query: tuple[Parameter, ...] = ()
    in_path: tuple[Parameter, ...] = ()
    status: HTTPStatus = HTTPStatus.OK
    needs_token: bool = True
    refusals: tuple[int, ...] = ()

    @property
    def name(self) -> str:
        """The handler's name, which is unique."""
        return self.handler.__name__

    @property
    def says(self) -> str:
        """What it does: the handler's docstring."""
        return inspect.getdoc(self.handler) or ""


OPERATIONS = (
    Operation(
        "POST", "/guests", Handlers.new_guest, types.Guest, types.NewGuest,
        status=HTTPStatus.CREATED, needs_token=False, refusals=(409,),
    ),
    Operation("GET", "/games", Handlers.games, types.Games, needs_token=False),
    Operation("GET", "/matches", Handlers.matches, types.Matches, query=(GAME,), needs_token=False),
    Operation(
        "POST", "/matches", Handlers.new_match, types.Entered, types.NewMatch,
        status=HTTPStatus.CREATED, refusals=(409,),
    ),
    Operation(
        "POST", "/quick-matches", Handlers.quick_match, types.Entered, types.QuickMatch,
        status=HTTPStatus.CREATED, refusals=(409,),
    ),
    Operation(
        "POST", "/invitations", Handlers.invitation, Invitation, types.InvitationWish, refusals=(403, 404, 409),
    ),
    Operation(
        "POST", "/players", Handlers.new_player, types.Entered, types.NewPlayer,
        status=HTTPStatus.CREATED, refusals=(403, 404, 409),
    ),
    Operation(
        "POST", "/matches/{match}/players", Handlers.join, types.Entered, types.SeatWish, in_path=(MATCH,),
        status=HTTPStatus.CREATED, refusals=(403, 404, 409),
    ),
    Operation(
        "POST", "/matches/{match}/updates", Handlers.update, types.Done, types.AnyUpdate, in_path=(MATCH,),
        refusals=(403, 404, 409),
    ),
    Operation(
        "GET", "/matches/{match}/updates", Handlers.updates, types.Updates, in_path=(MATCH,),
        query=(AFTER, WAIT, OWN), refusals=(403, 404),
    ),
    Operation("GET", "/matches/{match}", Handlers.state, Snapshot, in_path=(MATCH,), refusals=(403, 404)),
    Operation(
        "GET", "/matches/{match}/positions/{ply}", Handlers.position, Position, in_path=(MATCH, PLY),
        refusals=(403, 404, 409),
    ),
    Operation(
        "POST", "/matches/{match}/hints", Handlers.hint, Analysis, types.NewHint, in_path=(MATCH,),
        refusals=(403, 404, 409),
    ),
    Operation("POST", "/analyses", Handlers.analysis, Analysis, types.NewAnalysis, refusals=(403, 404, 409)),
    Operation("GET", "/challenges", Handlers.challenges, types.Challenges, query=(KNOWN, WAIT)),
    Operation(
        "POST", "/challenges", Handlers.new_challenge, types.Challenges, types.NewChallenge,
        status=HTTPStatus.CREATED, refusals=(403, 404, 409),
    ),
    Operation("POST", "/challenges/mute", Handlers.mute_challenges, types.Challenges, types.Muting),
    Operation(
        "POST", "/challenges/{challenge}/answers", Handlers.answer_challenge, types.Answered, types.ChallengeAnswer,
        in_path=(CHALLENGE,), refusals=(404, 409),
    ),
    Operation(
        "POST", "/challenges/{challenge}/withdrawals", Handlers.withdraw_challenge, types.Challenges, types.Withdrawal,
        in_path=(CHALLENGE,), refusals=(404,),
    ),
    Operation(
        "GET", "/matches/{match}/record", Handlers.record, Record, in_path=(MATCH,), query=(PAST,),
        refusals=(403, 404, 409),
    ),
)  # fmt: skip


def routes(handlers: Handlers) -> list[Route]:
    """One route for each path, so that a wrong method is answered with all right ones."""
    paths: dict[str, dict[str, Operation]] = {}
    for operation in OPERATIONS:
        paths.setdefault(operation.path, {})[operation.method] = operation
    return [
        Route(PREFIX + path, _endpoint(handlers, by_method), methods=list(by_method))
        for path, by_method in paths.items()
    ]


def _endpoint(handlers: Handlers, by_method: Mapping[str, Operation]) -> Callable[[Request], Awaitable[Response]]:
    async def endpoint(request: Request) -> Response:
        # Starlette lets HEAD in wherever there is GET, and the body is left out by the server.
        operation = by_method.get(request.method) or by_method["GET"]
        return await _answer(handlers, operation, request)

    return endpoint


async def _answer(handlers: Handlers, operation: Operation, request: Request) -> Response:
    """Carry out one request. Whatever goes wrong is told to it and harms no other."""
    handlers.is_busy()
    translate = language(form_for(MSGPACK, language_of(request)).language)
    below = public_of(request.scope).path
    try:
        answer = await operation.handler(handlers, request)
    except WrongMediaType:
        return plain_problem(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, {"accept-post": JSON})
    except StoreUnavailable as error:
        log.warning("store unavailable", operation=operation.name, reason=error.reason)
        return refused(error, translate, below)
    except ParlourError as error:
        return refused(error, translate, below)
    except ClientDisconnect:
        return Response(status_code=HTTPStatus.BAD_REQUEST)
    except Exception:
        # The one place where an unforeseen fault of a handler ends: logged whole, told without its text.
        log.exception("a request failed", operation=operation.name)
        return refused(ParlourError(Code.INTERNAL), translate, below)
    headers = {"cache-control": "no-store"}
    if operation.status is HTTPStatus.CREATED and isinstance(answer, types.Entered):
        headers["location"] = f"{below}{PREFIX}/matches/{answer.match}"
    return Response(msgspec.json.encode(answer), operation.status, headers, JSON)
