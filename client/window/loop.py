"""The window itself: pygame's events become inputs, pictures are drawn where they changed. Sleeps when nothing happens.

Only what a picture's `due` says, an input, or news from the network wakes it; it never draws more often than FRAMES a
second, and never waits for the network (`N1`).
"""

from __future__ import annotations

import contextlib
import os
import warnings
from collections.abc import Callable
from threading import Event as Flag
from time import monotonic

import pygame

from client.kept.settings import load_settings, settings_file
from client.start.launch import Launch
from client.window.application import Application
from client.window.drawing.canvas import Canvas
from client.window.drawing.theme import SMALLEST
from client.window.hands.keys import inputs_of
from client.window.screens.match_screen import MatchScreen
from client.window.sounding import Sound
from client.window.sounds import Sounds

FRAMES = 60
"""A second, at most."""
IDLE_S = 1.0
"""How long it sleeps at most."""
FIRST_SIZE = (1120, 760)
FRAME = 60
"""Pixels that a desktop's own bars and the window's title take of its height."""
LOOK_BUSY_S, LOOK_IDLE_S = 0.003, 0.015
"""How often it looks for events: while somebody uses it, and when nobody has for BUSY_S; less than one frame apart."""
BUSY_S = 1.0


def first_size(desktop: tuple[int, int]) -> tuple[int, int]:
    """How large a window opens on a desktop of this size: all of it can be seen and touched."""
    across, down = (min(wanted, there) for wanted, there in zip(FIRST_SIZE, desktop, strict=True))
    return max(across, SMALLEST[0]), max(min(down, desktop[1] - FRAME), SMALLEST[1])


class NoWindow(Exception):
    """No window can be opened here; the text says why."""


class Window:
    """One run of the window client."""

    def __init__(self, launch: Launch, size: tuple[int, int] | None = None) -> None:
        # Only what is used: with joysticks, pygame would look for events a thousand times a second.
        os.environ.setdefault("SDL_WINDOWS_DPI_AWARENESS", "permonitorv2")
        pygame.display.init()
        pygame.font.init()
        path = settings_file("window")
        settings = load_settings(path)
        self._woken = Flag()
        self._last_event = 0.0
        self.application = Application(launch, self._wake, MatchScreen, settings=settings, settings_path=path)
        self._sounds = Sounds(quiet=not settings.sound)
        self._size = size or first_size(pygame.display.get_desktop_sizes()[0])
        self._title = ""
        self._full = False
        self._canvas = Canvas(self._open(self._size), settings.theme)
        self.frames = 0
        """How many pictures were drawn."""
        self.each_round: Callable[[], object] = _nothing
        """Called whenever the loop has looked at what is new."""
        pygame.key.set_repeat(350, 35)
        pygame.key.start_text_input()

    def run(self) -> int:
        """Until the user quits; returns the exit status."""
        self.application.start()
        clock = pygame.time.Clock()
        try:
            due = self._show()
            while not self.application.is_over:
                news = self._take(self._wait(due))
                if not self.application.is_over and (news or (due is not None and due <= self.application.now)):
                    due = self._show()
                    clock.tick(FRAMES)
                self.each_round()
        finally:
            # Gone from the screen at once; the server is told meanwhile.
            pygame.display.quit()
            self._sounds.close()
            self.application.stop()
        return 0

    @property
    def size(self) -> tuple[int, int]:
        """What is drawn on, in pixels."""
        return self._canvas.surface.get_size()

    def _wake(self) -> None:
        """Called from the network's thread."""
        self._woken.set()

    def _wait(self, due: float | None) -> list[pygame.event.Event]:
        """Sleep until an event, news, or `due`.

        pygame's own wait looks for events a thousand times a second, which takes 2 % of a processor; here it is seldom,
        and never so seldom that a person could notice.
        """
        now = monotonic()
        until = now + (IDLE_S if due is None else min(max(due - self.application.now, 0.0), IDLE_S))
        while True:
            events = pygame.event.get()
            if events:
                self._last_event = monotonic()
            left_s = until - monotonic()
            if events or left_s <= 0 or self._woken.is_set():
                return events
            busy = monotonic() - self._last_event < BUSY_S
            self._woken.wait(min(left_s, LOOK_BUSY_S if busy else LOOK_IDLE_S))

    def _take(self, events: list[pygame.event.Event]) -> bool:
        """Whether anything may look different now."""
        anything = False
        for event in events:
            if event.type == pygame.QUIT:
                self.application.is_over = True
            elif event.type == pygame.VIDEORESIZE:
                self._resized(event.w, event.h)
                anything = True
            elif event.type in (pygame.WINDOWEXPOSED, pygame.WINDOWRESTORED, pygame.WINDOWSIZECHANGED):
                pygame.display.flip()
            else:
                for given in inputs_of(event, self.size):
                    self.application.take_input(given, self.size)
                    anything = True
        self._woken.clear()
        return self.application.take_news() or anything

    def _show(self) -> float | None:
        """Draw what is seen now; when it is out of date by itself."""
        application = self.application
        if application.is_full != self._full:
            self._full = application.is_full
            self._resized(*((0, 0) if self._full else self._size))
        if application.title != self._title:
            self._title = application.title
            pygame.display.set_caption(self._title)
        if application.copied:
            pygame.scrap.put_text(application.copied)
            application.copied = ""
        application.listen_to_clocks()
        self._sounds.quiet = not application.settings.sound
        self._sounds.volume = application.settings.volume
        for sound in application.sounds[:1]:
            self._sounds.play(sound)
        if Sound.TURN in application.sounds:
            _call()
        application.sounds.clear()
        picture = application.screen.shown(application.model, self.size, application.now)
        changed = self._canvas.show(picture, application.settings.theme, application.settings.board)
        if changed:
            pygame.display.update(changed)
            self.frames += 1
        return picture.due

    def _resized(self, width: int, height: int) -> None:
        if not self._full:
            self._size = (max(width, SMALLEST[0]), max(height, SMALLEST[1]))
        self._canvas = Canvas(self._open((width, height)), self.application.settings.theme)

    def _open(self, size: tuple[int, int]) -> pygame.Surface:
        flags = pygame.FULLSCREEN if self._full else pygame.RESIZABLE
        if not self._full:
            size = (max(size[0], SMALLEST[0]), max(size[1], SMALLEST[1]))
        surface = pygame.display.get_surface()
        if surface is not None and surface.get_size() == size and not self._full:
            return surface
        return pygame.display.set_mode(size, flags)


def _call() -> None:
    """One is wanted: a window that is behind others is marked where the desktop lists it, until one looks at it."""
    with contextlib.suppress(pygame.error), warnings.catch_warnings():
        # The display module has no other way to its window; only what it draws should go another way in time.
        warnings.simplefilter("ignore", DeprecationWarning)
        window = pygame.Window.from_display_module()
        if not window.focused:
            window.flash(pygame.FLASH_UNTIL_FOCUSED)


def _nothing() -> None:
    pass


def run_window(launch: Launch) -> int:
    """Open the window and run it; returns the exit status. Raises NoWindow."""
    try:
        window = Window(launch)
    except pygame.error as error:
        raise NoWindow(str(error)) from None
    return window.run()
