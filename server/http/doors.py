"""What every request passes before anybody looks at it: which server it means, which page sent it, how many there are.

One Host header says which server is meant. What could change something comes from no foreign page and to no foreign
name; a program says no Origin, and students' games (DOG), which are programs with an address in them that may be any,
are asked for theirs only when a page sends them.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from http import HTTPStatus

from starlette.middleware.cors import CORSMiddleware
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from protocol.codec import MSGPACK
from protocol.text import N_, text
from server.http.api.problems import plain_problem
from server.http.api.requests import forwarded, language_of
from server.http.api.routes import PREFIX
from server.http.asked import ASKED, CALLER, PUBLIC, Caller
from server.hub.connections.hub import Hub
from server.hub.connections.origins import is_host, is_own_host, may_connect
from server.hub.connections.public import PublicAddress, asked_for
from server.hub.limits.admission import home, is_own
from server.hub.viewers.viewer import form_for, language

READING = ("GET", "HEAD", "OPTIONS")
SLOWED_S = 1.0
"""A student's game whose address asks for too much waits so long: it would take a refusal for a broken hub."""
ONE_HOST = N_("One Host header says which server is meant.")
FOREIGN = N_(
    "This hub does not know that name or page as its own. Who runs it can name it: parlour-server --origin {origin}"
)
HEADERS_TAKEN = ("authorization", "content-type", "idempotency-key")
HEADERS_SHOWN = ("location", "retry-after", "www-authenticate")
"""Beside those that browsers let any page send, and read."""
PREFLIGHT_S = 600
CROWDED = N_("There are too many requests from your address.")


def _last_answer(send: Send) -> Send:
    """The next question is another hub's: after this answer the connection is closed."""

    async def send_last(message: Message) -> None:
        if message["type"] == "http.response.start":
            message["headers"] = [*message.get("headers", ()), (b"connection", b"close")]
        await send(message)

    return send_last


class Doors:
    """An ASGI application before another; `dog_port` is the one that serves students' games alone.

    `public` is the hub's address, if the operator has named it. `sharing` are origins whose pages may read the API's
    answers (CORS): those that were named.
    """

    def __init__(
        self,
        app: ASGIApp,
        hub: Hub,
        dog_port: int | None = None,
        public: PublicAddress | None = None,
        sharing: Sequence[str] = (),
    ) -> None:
        self._app = app
        self._hub = hub
        self._dog_port = dog_port
        self._public = public
        self._shared: ASGIApp | None = None
        if sharing:
            self._shared = CORSMiddleware(
                self._open, sharing, ("GET", "POST"), HEADERS_TAKEN, expose_headers=HEADERS_SHOWN, max_age=PREFLIGHT_S
            )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        if self._hub.draining:
            send = _last_answer(send)
        request = Request(scope)
        peer = request.client.host if request.client else ""
        scope[ASKED] = asked_for(self._hub.proxies, peer, request.headers.getlist, scope["scheme"])
        scope[PUBLIC] = self._public or scope[ASKED]
        if self._shared is None or not scope["path"].startswith(f"{PREFIX}/"):
            await self._open(scope, receive, send)
        elif request.method == "OPTIONS":
            # The question before a request is weighed like one: who asks too much is refused.
            await self._within_bounds(request, receive, send, game=False, app=self._shared)
        else:
            await self._shared(scope, receive, send)

    async def _open(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope)
        game = self._is_game(scope)
        hosts = request.headers.getlist("host")
        if len(hosts) != 1 or not is_host(hosts[0]):
            await self._refuse(request, HTTPStatus.BAD_REQUEST, ONE_HOST)(scope, receive, send)
        elif request.method not in READING and self._is_foreign(request, game=game):
            origin = scope[ASKED].origin
            await self._refuse(request, HTTPStatus.FORBIDDEN, FOREIGN, origin=origin)(scope, receive, send)
        else:
            await self._within_bounds(request, receive, send, game=game)

    async def _within_bounds(
        self, request: Request, receive: Receive, send: Send, *, game: bool, app: ASGIApp | None = None
    ) -> None:
        peer = request.client.host if request.client else ""
        address, addresses = self._hub.proxies.client(peer, *forwarded(request)), self._hub.addresses
        request.scope[CALLER] = Caller(address, any(forwarded(request)), peer in self._hub.proxies)
        # Straight from there its connection is counted already.
        counted = address != home(peer) and not is_own(address)
        if counted and addresses.full(address):
            await self._refuse(request, HTTPStatus.TOO_MANY_REQUESTS, CROWDED)(request.scope, receive, send)
            return
        if counted:
            addresses.add(address)
        try:
            if not self._hub.service.rate_limiter.may_ask(address):
                if not game:
                    await self._refuse(request, HTTPStatus.TOO_MANY_REQUESTS, CROWDED)(request.scope, receive, send)
                    return
                await asyncio.sleep(SLOWED_S)
            await (app or self._app)(request.scope, receive, send)
        finally:
            if counted:
                addresses.remove(address)

    def _is_foreign(self, request: Request, *, game: bool) -> bool:
        origins, host = request.headers.getlist("origin"), request.scope[ASKED].host
        peer = request.client.host if request.client else ""
        proxied = self._hub.proxies.passed_on(peer, *forwarded(request))
        if origins:
            return not may_connect(origins, [host], self._hub.origins, peer=peer, forwarded=proxied)
        return not game and not is_own_host(host, self._hub.origins, peer=peer, forwarded=proxied)

    def _is_game(self, scope: Scope) -> bool:
        server = scope.get("server") or ("", None)
        return scope["path"].startswith("/dog/") or (self._dog_port is not None and server[1] == self._dog_port)

    @staticmethod
    def _refuse(request: Request, status: HTTPStatus, sentence: str, **data: str) -> ASGIApp:
        translate = language(form_for(MSGPACK, language_of(request)).language)
        headers = {"retry-after": "1"} if status is HTTPStatus.TOO_MANY_REQUESTS else {}
        return plain_problem(status, headers, text(sentence, **data).render(translate))
