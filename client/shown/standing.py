"""Which challenges stand, and which are over and were told of. Pure."""

from __future__ import annotations

from dataclasses import replace

from client.shown.state import Model
from protocol.messages import Challenged, ChallengeOver

MAX_HEARD = 20
"""Challenges that are over and are remembered, for who comes back is told of them again."""
MAX_TOLD = 20
"""Challenges that stand; the server allows fewer."""


def challenged(model: Model, told: Challenged) -> Model:
    """A challenge that stands: a new one, or one that is told again."""
    if told.challenge in model.challenges_heard:
        return model
    rest = tuple(known for known in model.challenges if known.challenge != told.challenge)
    return replace(model, challenges=(*rest, told)[-MAX_TOLD:])


def over(model: Model, event: ChallengeOver) -> Model:
    """It stands no longer."""
    rest = tuple(known for known in model.challenges if known.challenge != event.challenge)
    heard = (*(one for one in model.challenges_heard if one != event.challenge), event.challenge)[-MAX_HEARD:]
    return replace(model, challenges=rest, challenges_heard=heard)


def is_news(model: Model, event: ChallengeOver) -> bool:
    """Whether the user, who sees `model`, is to be told in words: not of what was done here and shows by itself."""
    return event.challenge not in model.challenges_heard and (
        event.mine or event.fate in ("withdrawn", "expired", "left")
    )
