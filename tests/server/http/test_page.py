"""How the page is served: whole, once, and so that nothing from elsewhere can be in it."""

from __future__ import annotations

import gzip
import re
from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest
from starlette.applications import Starlette

from server.config import parse
from server.http import joined
from server.http.page import FOLDER, FOREVER, STYLES, TYPES, Page, knows, takes_gzip
from tests.hostile.tools import House

LARGE = b"const words = '" + b"words " * 500 + b"';"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A small page."""
    (tmp_path / "parts").mkdir()
    (tmp_path / "screens" / "parts").mkdir(parents=True)
    (tmp_path / "index.html").write_text(
        '<head><link rel="icon" href="./i.svg" /><link rel="stylesheet" href="./a.css" />\n'
        '<link rel="stylesheet" href="./b.css" />\n</head>'
        '<script type="module" async src="./start.js"></script><script type="module" src="./main.js"></script>'
    )
    (tmp_path / "start.js").write_text("export const x = 1;")
    (tmp_path / "main.js").write_text('import { b } from "./parts/b.js";\nconst later = () => import("./parts/c.js");')
    (tmp_path / "parts" / "b.js").write_text("// A comment.\nexport const b = 1;")
    (tmp_path / "parts" / "c.js").write_bytes(LARGE)
    (tmp_path / "screens" / "parts" / "living.js").write_text("export const y = 1;")
    (tmp_path / "a.css").write_text("body{}")
    (tmp_path / "b.css").write_text("/* Two\n lines. */\nmain {\n  color: red; /* why */\n}")
    parts = '/* In parts. */\n@import "./later/d.css";\n@import "./later/e.css";\n'
    (tmp_path / "parts" / "later.css").write_text(parts)
    (tmp_path / "parts" / "later").mkdir()
    (tmp_path / "parts" / "later" / "d.css").write_text("/* One. */\np {\n  margin: 0;\n}\n")
    (tmp_path / "parts" / "later" / "e.css").write_text("q {}\n")
    (tmp_path / "i.svg").write_text("<svg />")
    (tmp_path / "types.d.ts").write_text("export {};")
    (tmp_path / "worker.js").write_text("self.x = VERSION;")
    return tmp_path


def browser(page: Page) -> httpx.AsyncClient:
    app = Starlette(routes=page.routes())
    app.router.redirect_slashes = False
    transport = httpx.ASGITransport(app)
    return httpx.AsyncClient(transport=transport, base_url="http://hub.example:7878")


@pytest.fixture
async def client(folder: Path) -> AsyncIterator[httpx.AsyncClient]:
    async with browser(Page(folder)) as client:
        yield client


async def test_everything_lies_below_the_name_of_the_version(folder: Path, client: httpx.AsyncClient) -> None:
    """CK R11.1: the page's files, relative to where it is itself, and kept for ever."""
    version = Page(folder).version
    addresses = {}
    for query in ("", "?modules"):
        html = (await client.get(f"/{query}")).text
        addresses[query] = re.findall(r'(?:href|src)="([^"]+)"', html)
        for address in addresses[query]:
            answer = await client.get("/" + address)
            assert (answer.status_code, answer.headers["cache-control"]) == (200, FOREVER)
    few = ("i.svg", "joined/page.css", "joined/start.js", "joined/first.js")
    assert addresses[""] == [f"v/{version}/{name}" for name in few]
    many = ("i.svg", "a.css", "b.css", "start.js", "main.js")
    assert addresses["?modules"] == [f"v/{version}/{name}" for name in many]


async def test_style_sheets_are_one_in_their_order(folder: Path, client: httpx.AsyncClient) -> None:
    answer = await client.get(f"/v/{Page(folder).version}/{STYLES}")
    assert (answer.text, answer.headers["content-type"]) == ("body{}main {\ncolor: red; }", TYPES[".css"])
    later = await client.get(f"/v/{Page(folder).version}/parts/later.css")
    assert later.text == "p {\nmargin: 0;\n}\nq {}\n", "one request for all of its parts, without what is spare"


async def test_one_other_byte_is_another_version(folder: Path) -> None:
    """P39: two versions cannot be mixed, for no file of either has an address in the other."""
    before = Page(folder).version
    assert Page(folder).version == before
    (folder / "parts" / "c.js").write_bytes(LARGE + b" ")
    after = Page(folder)
    for name, content in (("index.html", "<p></p></head>"), ("worker.js", "self.y = VERSION;")):
        kept = (folder / name).read_text()
        (folder / name).write_text(content)
        assert Page(folder).version not in (before, after.version), name
        (folder / name).write_text(kept)
    assert after.version != before
    async with browser(after) as client:
        gone = await client.get(f"/v/{before}/main.js")
    assert (gone.status_code, gone.headers["cache-control"]) == (404, "no-store")


async def test_what_is_no_file_of_the_page_is_not_there(folder: Path, client: httpx.AsyncClient) -> None:
    """I3: nothing outside of the folder, nothing of a kind that is not listed, and no list of files."""
    version = Page(folder).version
    (folder.parent / "secret.txt").write_text("secret")
    for name in ("types.d.ts", "index.html", "worker.js", "", "parts", "parts/", "../secret.txt", "%2e%2e/secret.txt"):
        assert (await client.get(f"/v/{version}/{name}")).status_code == 404, name


async def test_compressed_once_and_only_where_it_helps(folder: Path, client: httpx.AsyncClient) -> None:
    version = Page(folder).version
    plain = await client.get(f"/v/{version}/parts/c.js", headers={"accept-encoding": "identity"})
    packed = await client.get(f"/v/{version}/parts/c.js", headers={"accept-encoding": "gzip, deflate"})
    assert plain.content == packed.content == LARGE
    assert "content-encoding" not in plain.headers
    assert packed.headers["content-encoding"] == "gzip"
    assert int(packed.headers["content-length"]) < len(LARGE) / 10
    assert plain.headers["etag"] != packed.headers["etag"]
    assert plain.headers["vary"] == packed.headers["vary"] == "Accept-Encoding"
    small = await client.get(f"/v/{version}/a.css", headers={"accept-encoding": "gzip"})
    assert "content-encoding" not in small.headers


@pytest.mark.parametrize(
    ("accepted", "takes"),
    [("gzip", True), ("GZIP, br", True), ("br, gzip;q=0.5", True), ("*", True), ("gzip;q=0", False),
     ("gzip; q=0.000", False), ("identity", False), ("", False), ("x-gzip", False)],
)  # fmt: skip
def test_who_takes_gzip(accepted: str, takes: bool) -> None:
    assert takes_gzip(accepted) is takes


@pytest.mark.parametrize(
    ("tags", "known"), [('"a"', True), ('W/"a"', True), ('"b", "a"', True), ("*", True), ('"b"', False), ("", False)]
)
def test_who_has_it_already(tags: str, known: bool) -> None:
    assert knows(tags, '"a"') is known


@pytest.mark.parametrize("address", ["/", "/v/{}/parts/c.js", "/worker.js"])
async def test_asked_again_it_is_not_sent_again(folder: Path, client: httpx.AsyncClient, address: str) -> None:
    path = address.format(Page(folder).version)
    first = await client.get(path)
    again = await client.get(path, headers={"if-none-match": first.headers["etag"]})
    head = await client.head(path)
    assert (first.status_code, again.status_code, head.status_code) == (200, 304, 200)
    assert (again.content, head.content) == (b"", b"")
    assert head.headers["content-length"] == first.headers["content-length"]
    for name in ("etag", "cache-control", "x-content-type-options", "referrer-policy"):
        assert first.headers[name] == again.headers[name] == head.headers[name]
    assert (await client.post(path)).status_code == 405


async def test_the_worker_knows_its_version(folder: Path, client: httpx.AsyncClient) -> None:
    """P41: a new version is a new worker, and a browser looks for one each time."""
    answer = await client.get("/worker.js")
    assert answer.text.startswith(f'const VERSION = "{Page(folder).version}";\n')
    assert answer.headers["cache-control"] == "no-cache"
    (folder / "worker.js").unlink()
    async with browser(Page(folder)) as without:
        assert (await without.get("/worker.js")).status_code == 404


async def test_the_policy_lets_nothing_in(client: httpx.AsyncClient) -> None:
    """What the page may load, run and connect to is this hub alone; nobody may put it into a frame (I6)."""
    policy = (await client.get("/")).headers["content-security-policy"]
    rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))
    assert rules == {
        "default-src": "'self'",
        "connect-src": "'self' ws://hub.example:7878 wss://hub.example:7878",
        "object-src": "'none'",
        "base-uri": "'none'",
        "form-action": "'none'",
        "frame-ancestors": "'none'",
    }


@pytest.mark.parametrize("host", ["a; script-src *", "a b", "a,b", "x'y", "[::1", "a:b", ""])
def test_a_host_cannot_write_into_the_policy(folder: Path, host: str) -> None:
    assert "connect-src 'self';" in Page(folder).policy(host)


@pytest.mark.parametrize("host", ["127.0.0.1:7878", "[::1]:7878", "games.example", "my-mac.local:1"])
def test_the_policy_names_the_host_that_was_asked(folder: Path, host: str) -> None:
    assert f"connect-src 'self' ws://{host} wss://{host};" in Page(folder).policy(host)


def test_who_may_embed_it(folder: Path) -> None:
    page = Page(folder, parse(["--embed", "https://school.example", "--embed", "http://10.0.0.1:80"], {}).embedders)
    assert page.policy("h").endswith("frame-ancestors https://school.example http://10.0.0.1")


@pytest.mark.parametrize("origin", ["*", "https://a.example/path", "a.example", "https://a; script-src *"])
def test_an_embedder_is_an_origin(origin: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        parse(["--embed", origin], {})
    assert "an origin is written as" in capsys.readouterr().err


# --- the page that is shipped ---


def test_every_file_of_the_page_is_served_or_for_the_checker() -> None:
    kinds = {path.suffix for path in FOLDER.rglob("*") if path.is_file()}
    assert kinds <= {*TYPES, ".ts"}


def test_nothing_in_the_page_is_inline_or_from_elsewhere() -> None:
    """No CDN, no inline script or style: the policy would stop them, and one would only see it in a browser."""
    html = (FOLDER / "index.html").read_text()
    assert not re.search(r"<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+=", html)
    assert all(address.startswith(("./", "api/")) for address in re.findall(r'(?:href|src)="([^"]+)"', html))


def test_a_hub_serves_it(house: House) -> None:
    """CK R11.1: the address of a hub opens the page, and each of its files comes with the type that `nosniff` wants."""
    with httpx.Client(base_url=f"http://127.0.0.1:{house.hub.port}") as client:
        html = client.get("/")
        assert html.headers["content-type"] == TYPES[".html"]
        for address in re.findall(r'(?:href|src)="(v/[^"]+)"', html.text):
            answer = client.get(address)
            assert answer.status_code == 200, address
            assert answer.headers["content-type"] == TYPES[Path(address).suffix]
            assert answer.headers["x-content-type-options"] == "nosniff"
            sent = client.stream("GET", address, headers={"accept-encoding": "gzip"})
            with sent as raw:
                body = b"".join(raw.iter_raw())
            if raw.headers.get("content-encoding") == "gzip":
                body = gzip.decompress(body)
            name = address.split("/", 2)[2]
            if not name.startswith(joined.FOLDER):
                assert body == (FOLDER / name).read_bytes()
