"""Plays the sounds, made at the start of a few decaying tones each. Quiet where there is no device."""

from __future__ import annotations

import math
import os
from array import array
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

import pygame

from client.window.sounding import Sound

RATE_HZ = 22_050
LOUDEST = 0.35
"""Of what the device can: a board game is heard, not listened to."""
ATTACK_S = 0.004
"""How long a tone takes to be there: without it, it would click."""

Tone = tuple[float, float, float]
"""Frequency in Hz, when it begins in s, how long it takes to fade to a tenth in s."""

TONES: Mapping[Sound, Sequence[Tone]] = {
    Sound.MOVE: ((310.0, 0.0, 0.05), (620.0, 0.0, 0.02)),
    Sound.CAPTURE: ((310.0, 0.0, 0.05), (465.0, 0.06, 0.08), (930.0, 0.06, 0.03)),
    Sound.TURN: ((523.25, 0.0, 0.16), (783.99, 0.09, 0.22)),
    Sound.LOW: ((880.0, 0.0, 0.07), (880.0, 0.14, 0.07)),
    Sound.END: ((523.25, 0.0, 0.2), (659.26, 0.12, 0.2), (783.99, 0.24, 0.45)),
}


def wave(tones: Sequence[Tone]) -> array[int]:
    """Samples of 16 bits at RATE_HZ, one channel: the tones over each other, none of them cut off while it is heard."""
    length_s = max(begin + 2 * fade for _, begin, fade in tones)
    samples = [0.0] * round(length_s * RATE_HZ)
    for frequency, begin, fade in tones:
        first = round(begin * RATE_HZ)
        for index in range(first, len(samples)):
            at = (index - first) / RATE_HZ
            loud = min(at / ATTACK_S, 1.0) * 10 ** (-at / fade)
            samples[index] += loud * math.sin(2 * math.pi * frequency * at)
    peak = max(map(abs, samples))
    return array("h", (round(sample / peak * LOUDEST * 32_767) for sample in samples))


@contextmanager
def _without_a_word() -> Iterator[None]:
    """ALSA tells the console by itself, in a line for each device that it tries, what is no fault to anybody."""
    try:
        kept = os.dup(2)
    except OSError:  # there is no console
        yield
        return
    with open(os.devnull, "wb") as nothing:
        os.dup2(nothing.fileno(), 2)
    try:
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)


class Sounds:
    """The sounds, ready to be played; `quiet` and `volume` (0 to 1) may be set at any time."""

    volume = 1.0

    def __init__(self, *, quiet: bool = False) -> None:
        self.quiet = quiet
        self._made: dict[Sound, pygame.mixer.Sound] = {}
        try:
            with _without_a_word():
                pygame.mixer.init(RATE_HZ, -16, 1, 512, allowedchanges=0)
        except pygame.error:
            return  # No device, or none that is free: the game goes on without.
        self._made = {sound: pygame.mixer.Sound(buffer=wave(tones).tobytes()) for sound, tones in TONES.items()}

    @property
    def can_be_heard(self) -> bool:
        """Whether there is a device."""
        return bool(self._made)

    def play(self, sound: Sound) -> None:
        """Let it be heard, unless all is to be quiet."""
        if not self.quiet and sound in self._made:
            self._made[sound].set_volume(self.volume)
            self._made[sound].play()

    def close(self) -> None:
        """Give the device back; nothing can be played afterwards."""
        self._made = {}
        pygame.mixer.quit()
