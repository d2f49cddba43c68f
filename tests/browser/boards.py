"""The board of a match in a browser: what the page was told, and hands that play on it by mouse, finger and keys."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import msgspec
from playwright.async_api import CDPSession

from client.conversation.position import advance
from client.shown.board.picking import marked_by
from protocol.board import touched
from protocol.messages import NOTIFICATIONS, MatchEvent, Presence, Snapshot
from tests.browser.people import LIMIT_MS, Person, Stage

ARROWS = {"ArrowRight": (1, 0), "ArrowLeft": (-1, 0), "ArrowDown": (0, 1), "ArrowUp": (0, -1)}


def position(person: Person) -> Snapshot:
    """The match on the person's screen, by all frames that the page was sent."""
    match: Snapshot | None = None
    for frame in person.received:
        cls = NOTIFICATIONS[frame["type"]]
        if cls is Snapshot:
            told = msgspec.convert(frame, Snapshot)
            if match is None or told.match != match.match or told.version >= match.version:
                match = told
        elif match is not None and issubclass(cls, MatchEvent | Presence):
            event: Any = msgspec.convert(frame, cls)
            newer = isinstance(event, Presence) or event.version == match.version + 1
            if event.match == match.match and newer:
                match = advance(match, event)
    assert match is not None, "the page shows no match"
    return match


async def shows(person: Person, plies: int) -> None:
    """Until the screen has the position after so many moves, confirmed."""
    await person.page.locator(f'.match[data-plies="{plies}"]').wait_for(state="attached", timeout=LIMIT_MS)


async def shows_more(person: Person, plies: int) -> None:
    """Until the screen has a position after more moves than so many."""
    await person.page.wait_for_function(
        "(plies) => Number(document.querySelector('.match')?.dataset.plies) > plies", arg=plies, timeout=LIMIT_MS
    )


async def goes_on(*people: Person) -> bool:
    """Whether somebody is to move; a move that ends a match is told before its end, and that is waited for.

    Not for tasks: one that is done is told as the mover's turn still, a moment before its end.
    """
    for _ in range(LIMIT_MS // 10):
        known = [position(person) for person in people]
        if all(match.status == "ended" for match in known):
            return False
        if all(match.status != "ended" and match.to_move is not None for match in known):
            return True
        await asyncio.sleep(0.01)
    raise AssertionError("a match that neither goes on nor ends")


async def centre(person: Person, element: str) -> tuple[float, float]:
    """Where the middle of an element lies now, in pixels."""
    x, y = await person.page.evaluate(
        """(id) => {
            const drawn = [...document.querySelectorAll("[data-id]")].find((one) => one.dataset.id === id);
            const box = drawn.getBoundingClientRect();
            return [box.x + box.width / 2, box.y + box.height / 2];
        }""",
        element,
    )
    return x, y


def spots(match: Snapshot, move: str) -> Sequence[str]:
    """What is touched for a move: its line, or each of its cells; a last cell twice where the move could go on."""
    marked = marked_by(match.board, move)
    if len(marked) > 1 and any(
        len(touched(one)) > len(marked) and touched(one)[: len(marked)] == marked for one in match.legal
    ):
        return (*marked, marked[-1])
    return marked


async def click(person: Person, move: str) -> None:
    """Play a move by clicks."""
    for spot in spots(position(person), move):
        await person.page.mouse.click(*await centre(person, spot))


async def tap(person: Person, move: str) -> None:
    """Play a move by taps."""
    for spot in spots(position(person), move):
        await person.page.touchscreen.tap(*await centre(person, spot))


async def press_keys(person: Person, move: str) -> None:
    """Play a move by arrow keys and Enter: by Tab to the board, then from place to place as they lie on screen."""
    page = person.page
    await page.evaluate("document.querySelector('.board [tabindex=\"0\"]').focus()")
    await page.keyboard.press("Shift")
    for spot in spots(position(person), move):
        for _ in range(80):
            at, goal = await page.evaluate(
                """(id) => {
                    const middle = (one) => {
                        const box = one.getBoundingClientRect();
                        return [box.x + box.width / 2, box.y + box.height / 2];
                    };
                    const goal = [...document.querySelectorAll("[data-id]")].find((one) => one.dataset.id === id);
                    const here = document.querySelector('.board [tabindex="0"]');
                    return here === goal ? [null, null] : [middle(here), middle(goal)];
                }""",
                spot,
            )
            if at is None:
                break
            right, down = goal[0] - at[0], goal[1] - at[1]
            # To its row first: along another one the nearest place may lie left of the goal, and the next right of it.
            if abs(down) >= 1:
                await page.keyboard.press("ArrowDown" if down > 0 else "ArrowUp")
            else:
                await page.keyboard.press("ArrowRight" if right > 0 else "ArrowLeft")
        else:
            raise AssertionError(f"{spot} cannot be reached by arrows")
        await page.keyboard.press("Enter")


class Finger:
    """A finger on a phone's screen, moved step by step (Playwright's own only taps)."""

    def __init__(self, person: Person, session: CDPSession) -> None:
        self.person, self.session = person, session

    @classmethod
    async def of(cls, person: Person) -> Finger:
        """The finger of a person with a phone."""
        return cls(person, await person.context.new_cdp_session(person.page))

    async def down(self, x: float, y: float) -> None:
        """It touches the screen."""
        await self._send("touchStart", [{"x": x, "y": y}])

    async def to(self, x: float, y: float) -> None:
        """It slides there."""
        await self._send("touchMove", [{"x": x, "y": y}])

    async def up(self) -> None:
        """It is lifted where it is."""
        await self._send("touchEnd", [])

    async def cancel(self) -> None:
        """The system takes it away."""
        await self._send("touchCancel", [])

    async def _send(self, kind: str, points: list[dict[str, float]]) -> None:
        await self.session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})


async def choose(person: Person, row: str, value: Any) -> None:
    """Choose this in the row of the form, which is by its option's name, or one of the form's own behind an @."""
    inputs = person.page.locator(f'form.form [name="{row}"]')
    await inputs.first.wait_for(state="attached", timeout=LIMIT_MS)
    if not await inputs.first.is_visible():
        await person.page.click("form.form .more summary")
    if await inputs.first.get_attribute("type") == "range":
        await inputs.fill(str(value))
    else:
        await person.page.click(f'.choice:has([name="{row}"]) .pick >> text="{value}"')


async def hosted(
    stage: Stage,
    game: str,
    options: dict[str, Any] | None = None,
    *,
    way: str = "friend",
    name: str = "Ana",
    clock: str = "",
    **settings: Any,
) -> tuple[Person, str]:
    """Somebody who hosts a match and waits, and the link to give away (from the # on)."""
    host = await stage.person(name, fragment=f"#{way}/{game}", **settings)
    await host.up()
    await host.page.wait_for_selector("form.form", timeout=LIMIT_MS)
    for field, value in (options or {}).items():
        await choose(host, field, value)
    if clock:
        await choose(host, "@clock", clock)
    await host.page.click("form.form button[type=submit]")
    await host.page.wait_for_selector("input[name=link]", timeout=LIMIT_MS)
    link = await host.page.input_value("input[name=link]")
    return host, link[link.index("#") :]


async def seated(
    stage: Stage,
    game: str,
    options: dict[str, Any] | None = None,
    *,
    way: str = "friend",
    clock: str = "",
    host_name: str = "Ana",
    guest_name: str = "Ben",
    **settings: Any,
) -> tuple[Person, Person]:
    """Two people in a new match of the game: the host, who moves first, and a guest who opened the host's link.

    `settings` are those of both browsers; `guest` those of the guest's besides.
    """
    guest_settings = settings | settings.pop("guest", {})
    settings.pop("guest", None)
    guest_settings.pop("guest", None)
    host, link = await hosted(stage, game, options, way=way, name=host_name, clock=clock, **settings)
    guest = await stage.person(guest_name, fragment=link, **guest_settings)
    await guest.up()
    await guest.page.click(".invitation button[type=submit]")
    for person in (host, guest):
        await person.page.wait_for_selector(".match", timeout=LIMIT_MS)
    return host, guest


def whose_turn(*people: Person) -> Person:
    """Who is to move, by the newest that anybody was told: the other one may hear of it a moment later."""
    newest = max((position(person) for person in people), key=lambda told: told.version)
    return next(person for person in people if newest.to_move in position(person).you)


async def act(person: Person, action: str, *, double: bool = False) -> None:
    """What can be done in a match, by its button in the row, or behind the menu, which is closed again by that."""
    page = person.page
    button = page.locator(f":is(.acts, .menu) [data-action={action}]")
    if not await button.count():
        await page.click(".acts [data-action=more]")
    await (button.dblclick if double else button.click)()


async def surrender(person: Person) -> None:
    """Give the match up, by the button beside the board."""
    await act(person, "give_up")
    await person.page.click(".asked .primary")
