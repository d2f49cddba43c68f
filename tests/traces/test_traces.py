"""One conversation, two implementations: the Python client and the page go through the same traces, step by step.

Gaps, duplicates, damaged versions, takeback, restart, pause, resync after more than twenty events, refused moves,
rematch, lost connections with an unanswered move: each a trace that is kept (`scenes.py`), and more of them at random.
"""

from __future__ import annotations

import json
import subprocess
from collections import Counter
from typing import Any

import msgspec
import pytest

from protocol.messages import COMMANDS, Message, Welcome
from tests.client.impossible import EVENTS, LOBBIES, SNAPSHOTS
from tests.client.impossible import GAMES as IMPOSSIBLE_GAMES
from tests.client.refereed import CATALOGUE
from tests.driver import ROOT
from tests.forms import FUZZ
from tests.traces.random_scenes import at_random
from tests.traces.replayed import FOLDER, Step, replayed
from tests.traces.scene import Scene, outcome
from tests.traces.scenes import documents

FILES = sorted(FOLDER.glob("*.json"))
GAMES = sorted(name for name, game in CATALOGUE.items() if game.offered)
SEEDS = 60 if FUZZ else 2
NODE = ROOT / ".venv" / "bin" / "node"
NEEDED = (
    *("moved", "replaced", "paused", "continued", "away", "offered", "offer_closed", "ended", "rematched", "presence"),
    *(
        "offline",
        "left",
        "new_guest",
        "settled refused unknown_outcome",
        "chat",
        "said",
        "lobby_state",
        "lobby_change",
        "going_away",
        "outage",
        "challenged",
        "challenge_over",
        "challenges_muted",
        "set_back",
    ),
)


def by_the_page(traces: list[dict[str, Any]]) -> list[list[Step]]:
    """What the page makes of each step of each trace."""
    done = subprocess.run(
        [NODE, FOLDER / "replay.js"], input=json.dumps(traces), capture_output=True, text=True, timeout=100, check=False
    )
    assert done.returncode == 0, done.stderr[-4000:]
    results: list[list[Step]] = json.loads(done.stdout)
    for result in results:
        for step in result:
            # A field that is left out is its default, and so is one that is sent as such.
            step["out"] = [
                json.loads(msgspec.json.encode(msgspec.convert(frame, COMMANDS[frame["type"]])))
                for frame in step["out"]
            ]
    return results


def whole(frame: dict[str, Any]) -> dict[str, Any]:
    """A command with all its fields. Raises ValidationError for one that no hub could read."""
    found: dict[str, Any] = json.loads(msgspec.json.encode(msgspec.convert(frame, COMMANDS[frame["type"]])))
    return found


def read(path: Any) -> dict[str, Any]:
    trace: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return trace


def expected(trace: dict[str, Any]) -> list[Step]:
    return [{key: step[key] for key in ("out", "events", "shows") if key in step} for step in trace["steps"]]


def assert_same(trace: dict[str, Any], wanted: list[Step], got: list[Step]) -> None:
    """Step by step, for the first difference is the one to read."""
    for number, (step, want, have) in enumerate(zip(trace["steps"], wanted, got, strict=True)):
        doing = {key: value for key, value in step.items() if key not in ("out", "events", "shows")}
        assert have == want, f"step {number}: {str(doing)[:600]}"


def test_there_are_traces_of_all_that_may_happen() -> None:
    events = Counter(event for path in FILES for step in read(path)["steps"] for event in step.get("events", ()))
    for needed in NEEDED:
        assert events[needed], needed


def test_the_traces_are_what_the_python_client_does() -> None:
    """A change of the client that is meant: run python -m tests.traces.scenes."""
    assert {path.name: path.read_text(encoding="utf-8") for path in FILES} == documents()


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_page_does_the_same(path: Any) -> None:
    """CK R11.1, N5: the same frames in, the same frames out, and the same position after each."""
    trace = read(path)
    (result,) = by_the_page([trace])
    assert_same(trace, expected(trace), outcome(result))


@pytest.mark.fuzz
@pytest.mark.parametrize("viewer", ["ada", "ben", "cleo"])
@pytest.mark.parametrize("game", GAMES)
def test_at_random(game: str, viewer: str) -> None:
    """Every game, both seats and a spectator, over a hub that loses, doubles and swaps frames: to the last word."""
    traces = [at_random(game, viewer, seed).trace() for seed in range(SEEDS)]
    for trace, result in zip(traces, by_the_page(traces), strict=True):
        assert_same(trace, outcome(replayed(trace)), outcome(result))


def doubtful(told: Message) -> dict[str, Any]:
    """A conversation in which the hub tells three times what cannot be, and answers what it is asked besides."""
    made = Scene("What cannot be.")
    made.do("watch_lobby", on=True)
    made.enter()
    for _ in range(3):
        made.tell(told)
        made.after(600)
        made.serve()
    made.after(2_500)
    return made.trace()


IMPOSSIBLE: dict[str, Message] = {
    **SNAPSHOTS,
    **EVENTS,
    **LOBBIES,
    **{name: Welcome(ref="t-1", player="p1", name="Ada", games=games) for name, games in IMPOSSIBLE_GAMES.items()},
}


@pytest.mark.parametrize("part", range(4))
def test_what_cannot_be_is_doubted_alike(part: int) -> None:
    """Both refuse to believe the same, ask for what is true, and leave what is told wrong three times."""
    names = sorted(IMPOSSIBLE)[part::4]
    traces = [doubtful(IMPOSSIBLE[name]) for name in names]
    for trace, result in zip(traces, by_the_page(traces), strict=True):
        assert_same(trace, outcome(replayed(trace)), outcome(result))
