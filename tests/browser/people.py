"""People with a browser each: what they see, what went over their sockets, and what their console said."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlsplit

from playwright.async_api import Browser, BrowserContext, Page, WebSocket

from tests.driver import HubProcess
from tests.pace import WAIT_S

DESK = {"width": 1280, "height": 800}
PHONE: dict[str, Any] = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
SMALL_PHONE: dict[str, Any] = {"viewport": {"width": 320, "height": 568}, "has_touch": True, "is_mobile": True}
LIMIT_MS = int(1_500 * WAIT_S)
"""How long anything may take on a busy machine; nothing here is judged by its speed."""
WORKERS: Literal["allow", "block"] = "allow" if os.environ.get("PARLOUR_BROWSERS") == "full" else "block"
"""A page's worker keeps all its files for the next visit, which costs as much as a fifth of opening the page; in the
short form only trials of it have one."""
_BLOCKED = "Service Worker registration blocked"

_WATCH = """
addEventListener("securitypolicyviolation", (event) => console.error("policy:", event.violatedDirective));
addEventListener("unhandledrejection", (event) => console.error("unhandled:", String(event.reason)));
"""


@dataclass
class Person:
    """One tab of one person. `sent` and `received` are the frames of all its sockets, parsed, in order."""

    name: str
    context: BrowserContext
    page: Page
    sent: list[dict[str, Any]] = field(default_factory=list)
    received: list[dict[str, Any]] = field(default_factory=list)
    troubles: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)
    refusals: list[str] = field(default_factory=list)
    """Requests that were answered by a status of 400 and above."""
    sockets: list[WebSocket] = field(default_factory=list)
    expected: tuple[str, ...] = ()
    """What the console may say: a trial that cuts the network has the browser complain."""

    def commands(self, *kinds: str) -> list[dict[str, Any]]:
        """What was sent, without what every connection says by itself."""
        wanted = kinds or ("create", "join", "quick_match", "cancel", "move", "abandon", "offer", "answer", "withdraw",
                           "pause", "continue", "wait_longer", "call_draw", "say")  # fmt: skip
        return [frame for frame in self.sent if frame["type"] in wanted]

    def unique(self, *kinds: str) -> list[dict[str, Any]]:
        """The same, each once: sent again after a lost connection it has the same ref."""
        return list({frame["ref"]: frame for frame in self.commands(*kinds)}.values())

    @property
    def open_sockets(self) -> int:
        return sum(not socket.is_closed() for socket in self.sockets)

    async def up(self) -> None:
        """Until the hub has said welcome."""
        await self.page.locator("[data-link=up]").wait_for(state="attached", timeout=LIMIT_MS)

    def watch(self) -> None:
        """Write down what the tab says and sends."""
        page = self.page
        page.on("console", lambda message: self._said(message.type, message.text))
        page.on("pageerror", lambda error: self.troubles.append(f"uncaught: {error}"))
        page.on("request", lambda request: self.requests.append(request.url))
        page.on("response", lambda response: self._answered(response.url, response.status))
        page.on("websocket", self._socket)

    def _said(self, kind: str, text: str) -> None:
        if kind in ("error", "warning") and not any(words in text for words in (_BLOCKED, *self.expected)):
            self.troubles.append(f"{kind}: {text}")

    def _answered(self, url: str, status: int) -> None:
        if status >= 400:
            self.refusals.append(f"{status} {url}")

    def _socket(self, socket: WebSocket) -> None:
        self.sockets.append(socket)
        socket.on("framesent", lambda data: self.sent.append(json.loads(data)))
        socket.on("framereceived", lambda data: self.received.append(json.loads(data)))


class Stage:
    """Opens tabs, and judges all of them in the end."""

    def __init__(self, browser: Browser, hub: HubProcess, folder: Path) -> None:
        self.browser = browser
        self.hub = hub
        self.folder = folder
        self.people: list[Person] = []

    @property
    def address(self) -> str:
        """Of the page."""
        return f"http://127.0.0.1:{self.hub.port}/"

    async def person(
        self,
        name: str = "",
        *,
        fragment: str = "",
        address: str = "",
        scripts: Sequence[str] = (),
        expected: tuple[str, ...] = (),
        **settings: Any,
    ) -> Person:
        """A person with a browser of their own; with a name, known to this hub before the page is opened."""
        settings.setdefault("viewport", DESK)
        # What moves costs more than all else where nothing but the processor draws; trials of it ask for it.
        settings.setdefault("reduced_motion", "reduce")
        settings.setdefault("service_workers", WORKERS)
        context = await self.browser.new_context(**settings)
        context.set_default_timeout(LIMIT_MS)
        await context.add_init_script(_WATCH)
        if name:
            identity = json.dumps(json.dumps({"name": name, "token": None}))
            await context.add_init_script(
                "{ const key = `parlour:${new URL('.', location.href).pathname}:identity`;"
                f" if (!localStorage.getItem(key)) localStorage.setItem(key, {identity}); }}"
            )
        for script in scripts:
            await context.add_init_script(script)
        return await self.tab(context, name, fragment=fragment, address=address, expected=expected)

    async def tab(
        self,
        context: BrowserContext,
        name: str = "",
        *,
        fragment: str = "",
        address: str = "",
        expected: tuple[str, ...] = (),
    ) -> Person:
        """One more tab in a person's browser."""
        person = Person(name, context, await context.new_page(), expected=expected)
        person.watch()
        self.people.append(person)
        await person.page.goto((address or self.address) + fragment)
        return person

    async def close(self) -> None:
        """Close all; nobody's console may have complained."""
        for context in {person.context for person in self.people}:
            await context.close()
        troubles = [f"{person.name or 'somebody'}: {trouble}" for person in self.people for trouble in person.troubles]
        refusals = [refusal for person in self.people for refusal in person.refusals]
        assert not troubles, "\n".join([*troubles, *refusals])
        hosts = {urlsplit(url).hostname for person in self.people for url in person.requests}
        assert hosts <= {"127.0.0.1", "localhost", "hub.test", None}, "the page asks nobody but its hub"
