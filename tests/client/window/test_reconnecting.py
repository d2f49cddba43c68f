"""A hub that is killed under a window, and its store that falls silent: it says so, stays usable, and plays on."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from pathlib import Path
from time import monotonic

import pytest

from client.conversation.address import parse_address
from client.kept.identity import take_identity
from client.kept.settings import Settings
from client.playing.new_match import Choice
from client.shown.model import Link
from client.start.launch import Launch
from client.window.application import Application
from client.window.intents import Host, Play
from client.window.screens.match_screen import MatchScreen
from protocol.messages import ClockRule
from tests.client.window.conftest import Person
from tests.driver import HubProcess, RedisProcess

SMALL = (("width", 3), ("height", 3))
TOTAL = ClockRule(total_ms=600_000)


@pytest.fixture
def redis(tmp_path: Path) -> Iterator[RedisProcess]:
    """A Redis that outlives the hubs."""
    (tmp_path / "redis").mkdir()
    made = RedisProcess(tmp_path / "redis")
    made.start()
    yield made
    made.stop()


def hub_at(folder: Path, redis: RedisProcess, port: int = 0) -> HubProcess:
    folder.mkdir()
    hub = HubProcess(folder, "--redis", redis.url, port=port)
    hub.start()
    return hub


def stands_while_silent(rex: Person, redis: RedisProcess) -> None:
    """What the clocks show from when the outage is told until it is over, and until what is excused has passed."""
    redis.signal(signal.SIGSTOP)
    rex.sees("The server cannot store moves just now; clocks wait.")
    # It is told up to when they count, which may be a moment away.
    rex.until(lambda: rex.app.model.countdowns(monotonic()) == rex.app.model.countdowns(monotonic() + 60), "standing")
    stood = rex.app.model.countdowns(monotonic())
    shown = [text for text in rex.texts() if text.startswith("~")]
    assert len(shown) == 2, rex.texts()
    redis.signal(signal.SIGCONT)

    def goes_on() -> bool:
        assert rex.app.model.countdowns(monotonic()) == stood
        return rex.app.model.outage is None

    rex.until(goes_on, "the store")
    assert not [text for text in rex.texts() if text.startswith("~")]


def test_a_killed_hub_is_told_and_play_goes_on_with_the_next(redis: RedisProcess, tmp_path: Path) -> None:
    """UD RF1, UD RNF1, case N1: "reconnecting" is shown, the screen answers, a move made meanwhile is made once.

    D5: before that the store falls silent: the window says so, and its clock stands until it is there again.
    """
    first = hub_at(tmp_path / "first", redis)
    second: HubProcess | None = None
    server = parse_address(f"127.0.0.1:{first.port}")
    with take_identity(folder=tmp_path / "id") as identity:
        launch = Launch(prepare=lambda: server, identity=identity, name="Rex")
        app = Application(launch, lambda: None, MatchScreen, settings=Settings(sound=False, motion=False))
        app.start()
        rex = Person(app)
        try:
            rex.enter_lobby()
            app.carry_out(Host(Choice("dots-and-boxes", SMALL, opponent="both", clock=TOTAL)))
            rex.plays("dots-and-boxes", "playing")
            app.carry_out(Play("a1-b1"))
            rex.until(lambda: rex.match is not None and rex.match.plies == 1 and not app.model.pending)
            app.carry_out(Play("a2-b2"))
            rex.until(lambda: rex.match is not None and rex.match.plies == 2 and not app.model.pending)
            stands_while_silent(rex, redis)
            first.kill()
            rex.sees("reconnecting for")
            app.carry_out(Play("a1-a2"))
            assert app.model.pending_moves == ("a1-a2",)
            rex.click("help")
            rex.sees("Close")
            second = hub_at(tmp_path / "second", redis, port=first.port)
            rex.until(lambda: app.model.link is Link.UP and not app.model.pending, "the second hub")
            match = rex.plays()
            assert set(match.marks) == {"a1-b1", "a2-b2", "a1-a2"}
            assert match.plies == 3
        finally:
            app.stop()
            first.kill()
            if second is not None:
                second.kill()
