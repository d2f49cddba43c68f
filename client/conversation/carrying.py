"""The task that carries a session: what goes wrong in it for a reason that nobody foresaw is told, and not lost."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from client.conversation.cleaning import plain

MAX_WHY = 200
"""Characters of the error that are told."""


async def carried(work: Awaitable[None], tell: Callable[[str], object]) -> None:
    """Do the work; an error that nobody foresaw is told as a sentence. (Nobody waits for the task, to hear of it.)"""
    try:
        await work
    except Exception as error:  # told to the user, whatever it is
        why = plain(f"{type(error).__name__}: {error}")[:MAX_WHY]
        tell(f"The connection ended through a fault of this program: {why}. Start it again to go on.")
