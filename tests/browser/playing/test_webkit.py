"""A smoke run in WebKitGTK, the engine of Safari: matches to their end, with a reload in the middle.

It draws on an X screen without a monitor and is driven by the standard WebDriver protocol. There is no touch, no
slowing down and nothing of a phone's shell in it: what it shows is that the page's code runs in this engine.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from random import Random
from typing import Any

import pytest
from selenium.webdriver import Remote
from selenium.webdriver.common.actions.action_builder import ActionBuilder
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.client_config import ClientConfig
from selenium.webdriver.remote.remote_connection import RemoteConnection
from selenium.webdriver.support.wait import WebDriverWait
from selenium.webdriver.webkitgtk.options import Options
from selenium.webdriver.webkitgtk.service import Service

from tests.browser.conftest import in_full
from tests.driver import WAIT_S, HubProcess
from tests.screen import screen

pytestmark = pytest.mark.skipif(
    not (shutil.which("Xvfb") and shutil.which("WebKitWebDriver")), reason="needs Xvfb and WebKitWebDriver of Linux"
)
OTHERS = ("dots-and-boxes", "checkers", "hexoust", "ultimate-dots-and-boxes")
Open = Callable[..., "Guest"]

TROUBLES = """
window.troubles = [];
addEventListener("error", (event) => troubles.push(String(event.message)));
addEventListener("unhandledrejection", (event) => troubles.push(String(event.reason)));
addEventListener("securitypolicyviolation", (event) => troubles.push(event.violatedDirective));
"""
FREE = """return [...document.querySelectorAll(".board [data-id]")]
    .filter((one) => /, free$/.test(one.getAttribute("aria-label"))).map((one) => one.dataset.id);"""

MIDDLE = """const { x, y, width, height } = document.querySelector(`.board [data-id="${arguments[0]}"]`)
    .getBoundingClientRect(); return [x + width / 2, y + height / 2];"""


class Guest:
    """Somebody with a WebKit of their own."""

    def __init__(self, driver: Any) -> None:
        self.driver = driver

    def goes_to(self, address: str) -> None:
        """Load the address."""
        self.driver.get(address)
        self.driver.execute_script(TROUBLES)

    def finds(self, selector: str) -> Any:
        """What the selector names, as soon as it is there."""
        return WebDriverWait(self.driver, WAIT_S).until(lambda driver: driver.find_element(By.CSS_SELECTOR, selector))

    def clicks(self, selector: str) -> None:
        """A click with the mouse."""
        self.finds(selector).click()

    def asks(self, script: str, *given: Any) -> Any:
        """What the script returns."""
        return self.driver.execute_script(script, *given)

    def plays(self, element: str) -> None:
        """A click on the middle of an element of the board."""
        self.finds(f'.board [data-id="{element}"]')
        x, y = self.asks(MIDDLE, element)
        hand = ActionBuilder(self.driver)
        hand.pointer_action.move_to_location(round(x), round(y)).click()  # type: ignore[no-untyped-call]
        hand.perform()

    def shows(self, plies: int) -> None:
        """Until the match has so many moves on screen."""
        self.finds(f'.match[data-plies="{plies}"]')


@pytest.fixture
def webkit(tmp_path: Path) -> Iterator[Open]:
    """Opens browsers, each with its own driver and folder: a driver of WebKitGTK serves one browser at a time."""
    with ExitStack() as stack:
        environment = stack.enter_context(screen())

        def open_one(name: str) -> Guest:
            home = tmp_path / name
            home.mkdir()
            options = Options()
            options.binary_location = min(Path("/usr").glob("lib*/**/webkit2gtk-4.*/MiniBrowser")).as_posix()
            options.add_argument("--automation")
            own = {"HOME": str(home), "XDG_RUNTIME_DIR": str(home), "WEBKIT_DISABLE_COMPOSITING_MODE": "1"}
            # Processes of root have no sandbox to be put into, and this one loads nothing but the hub's page.
            own |= {"WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS": "1", "NO_AT_BRIDGE": "1"}
            service = Service(env={**os.environ, **environment, **own}, log_output=os.devnull)
            service.start()
            stack.callback(service.stop)
            driver = Remote(RemoteConnection(client_config=ClientConfig(service.service_url)), options=options)
            stack.callback(driver.quit)
            driver.set_window_size(1200, 860)
            return Guest(driver)

        yield open_one


def chance_moves(people: Sequence[Guest], chance: Random) -> None:
    """Legal moves of Square by clicks to the end, with a reload in the middle; no console complains."""
    for plies in range(12):
        for person in people:
            person.shows(plies)
        if people[0].asks("return document.querySelector('.match').dataset.status") == "ended":
            break
        mover = next(person for person in people if person.asks("return !!document.querySelector('.headline.mine')"))
        if plies == 5:
            mover.driver.refresh()
            mover.asks(TROUBLES)
            mover.finds(".headline.mine")
        mover.plays(chance.choice(mover.asks(FREE)))
    for person in people:
        person.finds('.match[data-status="ended"] .end')
        assert person.asks("return troubles") == []
        assert person.asks("return document.documentElement.scrollWidth <= innerWidth")
        assert person.asks("return document.querySelectorAll('.line.drawn').length") == 12


def test_a_game_in_webkit(hub: HubProcess, webkit: Open) -> None:
    """CK R11.1, 5.1, DB 1.8: from the front page to the end of a match, for two at one screen."""
    person = webkit("Ana")
    person.goes_to(f"http://127.0.0.1:{hub.port}/#here/square")
    person.finds('[data-link="up"]')
    person.clicks("form.form button[type=submit]")
    chance_moves([person], Random("webkit"))


@in_full
def test_two_in_webkit_by_a_link(hub: HubProcess, webkit: Open) -> None:
    """CK R11.1, 5.3: the host's link, two names, and a match to its end between two of them."""
    address = f"http://127.0.0.1:{hub.port}/"
    host, guest = webkit("Ana"), webkit("Ben")
    host.goes_to(f"{address}#friend/square")
    host.finds('[data-link="up"]')
    host.clicks("form.form button[type=submit]")
    host.finds("dialog [name=name]").send_keys("Ana")
    host.clicks("dialog .primary")
    link = host.finds("input[name=link]").get_property("value")
    guest.goes_to(link)
    guest.finds('[data-link="up"]')
    guest.finds(".invitation [name=name]").send_keys("Ben")
    guest.clicks(".invitation button[type=submit]")
    chance_moves([host, guest], Random("two webkits"))


@in_full
@pytest.mark.parametrize("game", OTHERS)
def test_each_game_in_webkit(hub: HubProcess, webkit: Open, game: str) -> None:
    """CK R11.1: every other game is drawn in this engine, and takes typed moves."""
    person = webkit("Ana")
    person.goes_to(f"http://127.0.0.1:{hub.port}/#here/{game}")
    person.finds('[data-link="up"]')
    person.clicks("form.form button[type=submit]")
    person.shows(0)
    assert person.asks("return document.querySelectorAll('.board [data-id]').length") > 12
    for plies in range(6):
        field = person.finds(".moves [name=move]")
        field.send_keys(field.get_property("placeholder").rsplit(" ", 1)[-1])
        person.clicks(".moves button[type=submit]")
        person.shows(plies + 1)
    assert person.asks("return troubles") == []
