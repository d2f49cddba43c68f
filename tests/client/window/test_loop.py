"""The window itself: events of pygame, drawing only what changed, sleeping; and on an X screen with a real mouse."""

from __future__ import annotations

import re
import shutil
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic, process_time, sleep
from types import SimpleNamespace

import pygame
import pytest

from client.conversation.address import parse_address
from client.kept.identity import take_identity
from client.start.launch import Launch
from client.window.hands.inputs import Key, Left, Moved, Pressed, Released, Wheeled
from client.window.hands.keys import inputs_of
from client.window.loop import Window, first_size
from client.window.screens.lobby_screen import LobbyScreen
from client.window.sounding import Sound
from tests.client.window.conftest import SIZE
from tests.driver import ROOT, WAIT_S, HubProcess
from tests.pace import within
from tests.screen import screen

Pygame = pygame.event.Event


@contextmanager
def opened(address: str, folder: Path, monkeypatch: pytest.MonkeyPatch, name: str = "Win") -> Iterator[Window]:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(folder / "config"))
    with take_identity(folder=folder) as identity:
        server = parse_address(address)
        yield Window(Launch(prepare=lambda: server, identity=identity, name=name, connects_at_once=True), SIZE)


def test_mouse_fingers_and_keys_are_inputs() -> None:
    """DB 8.1: a finger does what the mouse does, and lifted it hovers nowhere; what is typed has its sign's name."""
    size = (200, 100)
    assert inputs_of(Pygame(pygame.MOUSEBUTTONDOWN, pos=(3, 4), button=1, touch=False), size) == [Pressed(3, 4)]
    assert inputs_of(Pygame(pygame.MOUSEBUTTONDOWN, pos=(3, 4), button=3, touch=False), size) == []
    assert inputs_of(Pygame(pygame.MOUSEBUTTONDOWN, pos=(3, 4), button=1, touch=True), size) == []
    motion = Pygame(pygame.MOUSEMOTION, pos=(5, 6), buttons=(1, 0, 0), touch=False)
    assert inputs_of(motion, size) == [Moved(5, 6, True)]
    assert inputs_of(Pygame(pygame.FINGERDOWN, x=0.5, y=0.25), size) == [Pressed(100, 25)]
    assert inputs_of(Pygame(pygame.FINGERMOTION, x=0.5, y=0.5), size) == [Moved(100, 50, True)]
    assert inputs_of(Pygame(pygame.FINGERUP, x=1.0, y=1.0), size) == [Released(200, 100), Left()]
    assert inputs_of(Pygame(pygame.KEYDOWN, key=pygame.K_TAB, mod=pygame.KMOD_LSHIFT), size) == [Key("shift+tab")]
    assert inputs_of(Pygame(pygame.KEYDOWN, key=pygame.K_q, mod=pygame.KMOD_LCTRL), size) == [Key("ctrl+q")]
    assert inputs_of(Pygame(pygame.KEYDOWN, key=pygame.K_q, mod=0), size) == []
    russian = Pygame(pygame.KEYDOWN, key=ord("й"), scancode=pygame.KSCAN_Q, mod=0)
    assert inputs_of(russian, size) == [Key("q")]
    assert inputs_of(Pygame(pygame.KEYDOWN, key=ord("é"), scancode=pygame.KSCAN_2, mod=0), size) == []
    assert inputs_of(Pygame(pygame.TEXTINPUT, text="?É"), size) == [Key("question_mark", "?"), Key("é", "É")]
    pygame.display.init()
    pygame.display.set_mode(size)
    pygame.scrap.put_text("ABCD-EFGH")
    paste = Pygame(pygame.KEYDOWN, key=pygame.K_v, mod=pygame.KMOD_LCTRL)
    assert inputs_of(paste, size) == [Key("paste", "ABCD-EFGH")]
    [wheel] = inputs_of(Pygame(pygame.MOUSEWHEEL, precise_y=-1.0, touch=False), size)
    assert isinstance(wheel, Wheeled)
    assert wheel.steps == -1


def test_nothing_is_drawn_while_nothing_happens(
    hub: HubProcess, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """UD RNF1: redrawn only when something changed; two seconds in the lobby cost next to no time of the processor."""
    with opened(f"127.0.0.1:{hub.port}", tmp_path, monkeypatch, "Idle") as window:
        began: list[tuple[float, float, int]] = []

        def in_each_round() -> None:
            if isinstance(window.application.screen, LobbyScreen) and not began:
                window.each_round = lambda: None
                settle = threading.Timer(0.7, measure)
                settle.daemon = True
                settle.start()

        def measure() -> None:
            began.append((monotonic(), process_time(), window.frames))
            sleep(2.0)
            began.append((monotonic(), process_time(), window.frames))
            pygame.event.post(Pygame(pygame.QUIT))

        window.each_round = in_each_round
        assert window.run() == 0
    (_, cpu, frames), (_, cpu_after, frames_after) = began
    print(f"idle: {frames_after - frames} pictures, {(cpu_after - cpu) / 2:.1%} of a processor")
    assert frames_after - frames <= 4


def test_other_sizes_and_the_dark_palette(hub: HubProcess, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """DB 8.1: the window may have any size from 640 x 480 on; F2 changes the palette, which is kept."""
    seen: list[tuple[tuple[int, int], object]] = []
    with opened(f"127.0.0.1:{hub.port}", tmp_path, monkeypatch, "Size") as window:
        steps = iter(
            [
                Pygame(pygame.VIDEORESIZE, w=800, h=1000),
                Pygame(pygame.VIDEORESIZE, w=300, h=200),
                Pygame(pygame.KEYDOWN, key=pygame.K_F2, mod=0),
                Pygame(pygame.QUIT),
            ]
        )

        def in_each_round() -> None:
            if isinstance(window.application.screen, LobbyScreen):
                surface = pygame.display.get_surface()
                assert surface is not None
                seen.append((surface.get_size(), window.application.settings.theme))
                step = next(steps, None)
                if step is not None:
                    pygame.event.post(step)

        window.each_round = in_each_round
        assert window.run() == 0
    sizes = [size for size, _ in seen]
    assert (800, 1000) in sizes
    assert sizes[-1] == (640, 480)
    assert len({theme for _, theme in seen}) == 2
    assert b"dark" in (tmp_path / "config" / "parlour" / "window.json").read_bytes()


@pytest.mark.parametrize(
    ("desktop", "size"),
    [((1920, 1080), (1120, 760)), ((1000, 700), (1000, 640)), ((1366, 768), (1120, 708)), ((640, 480), (640, 480))],
)
def test_it_opens_no_larger_than_the_screen(desktop: tuple[int, int], size: tuple[int, int]) -> None:
    """DB 8.1: nothing of the first screen lies outside of a small laptop's, and under no bar of its desktop."""
    assert first_size(desktop) == size


@pytest.mark.parametrize("focused", [False, True])
def test_a_window_behind_others_is_marked_when_one_is_wanted(
    hub: HubProcess, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, focused: bool
) -> None:
    """Issue 14, 5: in the desktop's list of windows, until one looks at it; who looks at it is not called."""
    marked: list[int] = []
    shown = SimpleNamespace(focused=focused, flash=marked.append)
    with opened(f"127.0.0.1:{hub.port}", tmp_path, monkeypatch, f"Flash {focused}") as window:
        steps = iter((Sound.MOVE, Sound.TURN, None))

        def in_each_round() -> None:
            if isinstance(window.application.screen, LobbyScreen):
                sound = next(steps, None)
                if sound is None:
                    pygame.event.post(Pygame(pygame.QUIT))
                    return
                monkeypatch.setattr(pygame, "Window", SimpleNamespace(from_display_module=lambda: shown))
                window.application.sounds.append(sound)
                pygame.event.post(Pygame(pygame.MOUSEMOTION, pos=(5, 6), buttons=(0, 0, 0), touch=False))

        window.each_round = in_each_round
        assert window.run() == 0
    assert marked == ([] if focused else [pygame.FLASH_UNTIL_FOCUSED])


def test_it_can_be_quit_within_a_second_while_the_server_is_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """UD RNF1, case N1: whatever the network does, closing the window ends the program in less than a second."""
    deaf = socket.create_server(("127.0.0.1", 0))
    with deaf, opened(f"127.0.0.1:{deaf.getsockname()[1]}", tmp_path, monkeypatch) as window:
        asked: list[float] = []

        def ask() -> None:
            asked.append(monotonic())
            pygame.event.post(Pygame(pygame.QUIT))

        threading.Timer(0.5, ask).start()
        assert window.run() == 0
        within(monotonic() - asked[0], 1.0)


# On a real screen ----------------------------------------------------------------------------------------------------


def xdotool(environment: dict[str, str], *arguments: str) -> str:
    done = subprocess.run(["xdotool", *arguments], env=environment, capture_output=True, text=True, timeout=WAIT_S)
    return done.stdout


@pytest.mark.skipif(
    not (shutil.which("Xvfb") and shutil.which("xdotool")), reason="needs Xvfb and xdotool, which only Linux has"
)
def test_a_game_with_a_real_mouse(hub: HubProcess, tmp_path: Path) -> None:
    """UD RF1, UD RF4, SQ2, DB 8.1: `parlour window` on an X screen: typed name, clicked buttons, lines by the mouse."""
    with screen() as environment:
        environment |= {"XDG_CONFIG_HOME": str(tmp_path / "config"), "XDG_DATA_HOME": str(tmp_path / "data")}
        environment |= {"HOME": str(tmp_path), "SDL_VIDEO_WINDOW_POS": "0,0"}
        environment |= {"SDL_VIDEODRIVER": "x11", "SDL_AUDIODRIVER": "dummy"}
        program = subprocess.Popen(
            [sys.executable, "-m", "tests.client.window.on_screen", "--server", f"127.0.0.1:{hub.port}"],
            cwd=ROOT, env=environment, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        )  # fmt: skip
        try:
            assert program.stdout is not None
            assert program.stdin is not None

            heard: list[str] = []

            def told(wanted: str) -> str:
                """The line that begins so, once the program has printed one; no line counts twice."""
                assert program.stdout is not None
                while not any(line.startswith(wanted) for line in heard):
                    heard.append(program.stdout.readline())
                    assert heard[-1], f"the program ended before it said {wanted}"
                line = next(line for line in heard if line.startswith(wanted))
                heard.remove(line)
                return line

            def click(line: str) -> None:
                x, y = re.findall(r"\d+", line.rpartition("at ")[2])[:2]
                xdotool(environment, "mousemove", x, y, "click", "1")

            told("screen FrontScreen")
            assert told("size ").split()[1:] == ["1120", "760"], "as the screen allows"
            xdotool(environment, "key", "n", "ctrl+u")
            xdotool(environment, "type", "Xenia")
            xdotool(environment, "key", "Return", "Return")
            told("screen LobbyScreen")
            click(told("target here "))
            click(told("target choose @game=3 "))
            click(told("target submit "))
            told("screen MatchScreen")
            for _ in range(12):
                click(told("free line "))
            assert "result" in told("result")
            xdotool(environment, "key", "q")
            assert program.wait(WAIT_S) == 0
        finally:
            program.kill()
            program.wait(WAIT_S)
            for stream in (program.stdin, program.stdout):
                if stream is not None:
                    stream.close()
