"""What a person is shown whose browser asked for an address at which there is nothing: so, and the way to the games."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

_HEADERS = {"content-security-policy": "default-src 'none'; style-src 'unsafe-inline'", "cache-control": "no-store"}
_PAGE = (
    '<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
    "<title>Nothing here - Parlour</title><style>:root{color-scheme:light dark}"
    "body{font:1.125rem/1.5 system-ui,sans-serif;max-width:32rem;margin:4rem auto;padding:0 1rem}"
    "a{display:inline-block;padding:.6rem 0}</style>"
    "<main><h1>There is nothing at this address.</h1>"
    '<p>Part of it may be missing, or wrong.</p><a href="%s">Go to the games</a></main></html>\n'
)


def is_for_a_person(request: Request) -> bool:
    """Whether a browser asks for something to be shown, and no program, picture or script."""
    return request.method == "GET" and "text/html" in request.headers.get("accept", "")


def nothing_here(request: Request, status: int) -> Response:
    """The page, with a way that holds below any path at which a proxy has the hub."""
    up = "../" * (request.url.path.count("/") - 1)
    return HTMLResponse(_PAGE % (up or "./"), status, _HEADERS)
