"""How well the computer can be asked to play: five levels for every game, each called by a word."""

from __future__ import annotations

from protocol.messages import Level
from protocol.text import N_

BEGINNER, EASY, MEDIUM, HARD, MASTER = "beginner", "easy", "medium", "hard", "master"
LEVELS = (
    Level(BEGINNER, N_("Beginner")),
    Level(EASY, N_("Easy")),
    Level(MEDIUM, N_("Medium")),
    Level(HARD, N_("Hard")),
    Level(MASTER, N_("Master")),
)
