"""The page that plays in a browser: its files, read and compressed once, below a name that is their hash.

`/` is the only address that people see. Everything it loads lies below `v/HASH/`, where HASH stands for all files
together: what was loaded once is never asked for again, and two versions are never mixed. All addresses are relative,
so that a proxy may serve the hub below a path (`/parlour/`). Modules and style sheets come joined to a few files
(`joined.py`); at `/?modules` they come one by one, as they lie in the repository. A style sheet of several files names
them by `@import`, and comes as one.
"""

from __future__ import annotations

import asyncio
import gzip
import hashlib
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from server.http import joined
from server.http.asked import public_of

FOLDER = Path(__file__).resolve().parents[2] / "client" / "web"
INDEX = "index.html"
EXAMPLES = "boards.json"
"""An example of each game on offer: it hangs on the hub's games and not on the page's files."""
WORKER = "worker.js"
"""The service worker: it rules what lies below its own address, so it lies beside `/`."""
STYLES = f"{joined.FOLDER}/page.css"
"""The style sheets that the page names, as one."""
SEPARATE = "modules"
"""With this word in its query the page comes with its modules as they lie in the repository."""

TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".woff2": "font/woff2",
    ".json": "application/json",
    ".webmanifest": "application/manifest+json",
    ".txt": "text/plain; charset=utf-8",
}
"""What is served, and as what. The system's own tables are not asked: with `nosniff` one wrong entry in them would
leave the page blank."""
_PACKED = frozenset({".png", ".woff2"})
_LEAST_SAVED = 0.9
"""A file is sent compressed when that leaves less than this part of it."""

FOREVER = "public, max-age=31536000, immutable"
ASK_AGAIN = "no-cache"

_OWN = re.compile(r'\b(href|src)="\./')
_SHEET = re.compile(r'<link rel="stylesheet" href="\./(?P<path>[^"]+)" />\n')
_PART = re.compile(r'@import "\./(?P<path>[^"]+)";\n?')
_SPARE = re.compile(r"/\*.*?\*/\n?|^[ \t]+", re.M | re.S)
_SCRIPT = re.compile(r'(?P<tag><script type="module"[^>]* src="\./)(?P<path>[^"]+)')
_HOST = re.compile(r"[A-Za-z0-9._-]+(?::\d{1,5})?|\[[0-9A-Fa-f:.]+\](?::\d{1,5})?")


@dataclass(frozen=True)
class File:
    """One file as it is sent. `packed` is its gzip, where that is worth it."""

    content: bytes
    packed: bytes | None
    media_type: str
    etag: str

    @classmethod
    def of(cls, content: bytes, suffix: str) -> File:
        """Make it ready, compressed with the same result each time."""
        packed = None if suffix in _PACKED else gzip.compress(content, mtime=0)
        if packed is not None and len(packed) > len(content) * _LEAST_SAVED:
            packed = None
        return cls(content, packed, TYPES[suffix], hashlib.sha256(content).hexdigest()[:20])


@dataclass(frozen=True)
class Shipped:
    """All that browsers get, by its name below the version; `separate` is the index with its modules one by one."""

    version: str
    files: Mapping[str, File]
    index: File
    separate: File
    worker: File | None

    @classmethod
    def of(cls, contents: Mapping[str, bytes]) -> Shipped:
        """Join and compress the files that lie in the folder."""
        others = {name: _whole(name, contents) for name in contents if name not in (INDEX, WORKER)}
        index, worker = contents[INDEX].decode(), contents.get(WORKER)
        modules = {name: joined.bare(one.decode()) for name, one in others.items() if name.endswith(".js")}
        parts = {**joined.joined(modules), STYLES: _styles(index, others)}
        others |= {name: one.encode() for name, one in (modules | parts).items()}
        version = _hash({INDEX: index.encode(), WORKER: worker or b"", **others})
        return cls(
            version,
            {name: File.of(content, PurePosixPath(name).suffix) for name, content in others.items()},
            File.of(_below(_few(index), version).encode(), ".html"),
            File.of(_below(index, version).encode(), ".html"),
            None if worker is None else File.of(_versioned(worker, version), ".js"),
        )


class Page:
    """All files of the page. `embedders` are origins of other pages that may show it in a frame of theirs.

    The files are read at once, so that they are of one version; they are joined and compressed once somebody asks,
    beside the loop, for that takes a tenth of a second. `examples` makes the examples of the games, as late.
    """

    def __init__(
        self, folder: Path = FOLDER, embedders: Iterable[str] = (), examples: Callable[[], bytes] | None = None
    ) -> None:
        self._contents = {
            path.relative_to(folder).as_posix(): path.read_bytes()
            for path in sorted(folder.rglob("*"))
            if path.is_file() and path.suffix in TYPES
        }
        self._frame = " ".join(embedders) or "'none'"
        self._shipped: Shipped | None = None
        self._make_examples = examples
        self._examples: File | None = None

    @property
    def version(self) -> str:
        """The hash of all that is shipped."""
        return self._ship().version

    def routes(self) -> list[Route]:
        """`/`, the worker, and `/v/HASH/...`; Starlette answers HEAD like GET."""
        routes = [Route("/", self._serve_index), Route("/v/{version}/{name:path}", self._serve_file)]
        if self._make_examples is not None:
            routes.append(Route(f"/{EXAMPLES}", self._serve_examples))
        if WORKER in self._contents:
            routes.append(Route(f"/{WORKER}", self._serve_worker))
        return routes

    def _ship(self) -> Shipped:
        if self._shipped is None:
            self._shipped = Shipped.of(self._contents)
        return self._shipped

    async def _ready(self) -> Shipped:
        if self._shipped is None:
            return await asyncio.to_thread(self._ship)
        return self._shipped

    async def _serve_index(self, request: Request) -> Response:
        shipped = await self._ready()
        index = shipped.separate if SEPARATE in request.query_params else shipped.index
        response = answer(request, index, ASK_AGAIN)
        response.headers["content-security-policy"] = self.policy(public_of(request.scope).host)
        response.headers["cross-origin-opener-policy"] = "same-origin"
        return response

    async def _serve_file(self, request: Request) -> Response:
        shipped = await self._ready()
        file = shipped.files.get(request.path_params["name"])
        if file is None or request.path_params["version"] != shipped.version:
            # Never for long: a hub of the next version may answer the next time.
            raise HTTPException(404, headers={"cache-control": "no-store"})
        return answer(request, file, FOREVER)

    async def _serve_worker(self, request: Request) -> Response:
        worker = (await self._ready()).worker
        assert worker is not None
        return answer(request, worker, ASK_AGAIN)

    async def _serve_examples(self, request: Request) -> Response:
        if self._examples is None and self._make_examples is not None:
            self._examples = File.of(await asyncio.to_thread(self._make_examples), ".json")
        assert self._examples is not None
        return answer(request, self._examples, ASK_AGAIN)

    def policy(self, host: str) -> str:
        """What the page may do: nothing from elsewhere, nothing written into it, and sockets to this hub alone.

        `host` is where the browser believes to be. Older WebKit does not count a socket to the own host as 'self'.
        """
        sockets = f" ws://{host} wss://{host}" if _HOST.fullmatch(host) else ""
        return (
            f"default-src 'self'; connect-src 'self'{sockets}; object-src 'none'; base-uri 'none'; form-action 'none'; "
            f"frame-ancestors {self._frame}"
        )


def _styles(html: str, contents: Mapping[str, bytes]) -> str:
    """The style sheets that the page names, in that order. What they ask for themselves (`../fonts/`) lies as deep."""
    return "".join(contents[found["path"]].decode() for found in _SHEET.finditer(html))


def _whole(name: str, contents: Mapping[str, bytes]) -> bytes:
    """A file as it is sent: a style sheet with what it imports in the place of that, and without what is spare."""
    if not name.endswith(".css"):
        return contents[name]

    def part(found: re.Match[str]) -> str:
        return _whole(str(PurePosixPath(name).parent / found["path"]), contents).decode()

    return _SPARE.sub("", _PART.sub(part, contents[name].decode())).encode()


def _few(html: str) -> str:
    """The page with the joined files instead of the modules and style sheets that it names."""
    parts = {beginning: part for part, beginning in joined.PARTS.items()}
    html = _SCRIPT.sub(lambda found: f"{found['tag']}{joined.FOLDER}/{parts[found['path']]}.js", html)
    first, html = html[: (at := _first_sheet(html))], html[at:]
    return f'{first}<link rel="stylesheet" href="./{STYLES}" />\n{_SHEET.sub("", html)}'


def _first_sheet(html: str) -> int:
    found = _SHEET.search(html)
    return found.start() if found else html.index("</head>")


def _below(html: str, version: str) -> str:
    """The page with what it loads below the name of this version."""
    return _OWN.sub(rf'\1="v/{version}/', html)


def _versioned(worker: bytes, version: str) -> bytes:
    """The worker knows which version it keeps: a new version is a new worker."""
    return f'const VERSION = "{version}";\n'.encode() + worker


def _hash(contents: Mapping[str, bytes]) -> str:
    whole = hashlib.sha256()
    for name, content in contents.items():
        whole.update(f"{name}\0{len(content)}\0".encode() + content)
    return whole.hexdigest()[:16]


def answer(request: Request, file: File, keep: str) -> Response:
    """The file in the form that the browser takes, or that it has it already (304)."""
    zipped = file.packed is not None and takes_gzip(request.headers.get("accept-encoding", ""))
    etag = f'"{file.etag}{"-gzip" if zipped else ""}"'
    headers = {
        "cache-control": keep,
        "etag": etag,
        "vary": "Accept-Encoding",
        "x-content-type-options": "nosniff",
        "referrer-policy": "no-referrer",
        "cross-origin-resource-policy": "same-origin",
    }
    if knows(request.headers.get("if-none-match", ""), etag):
        return Response(status_code=304, headers=headers)
    if zipped:
        headers["content-encoding"] = "gzip"
    return Response(file.packed if zipped else file.content, headers=headers, media_type=file.media_type)


def takes_gzip(accepted: str) -> bool:
    """Whether an Accept-Encoding has gzip in it, and not with a weight of 0."""
    for part in accepted.lower().split(","):
        name, _, weight = part.partition(";")
        if name.strip() in ("gzip", "*"):
            return re.fullmatch(r"q=0(\.0*)?", weight.replace(" ", "")) is None
    return False


def knows(tags: str, etag: str) -> bool:
    """Whether an If-None-Match names the tag; proxies that compress anew make weak ones of it."""
    return any(tag.strip().removeprefix("W/") in (etag, "*") for tag in tags.split(","))
