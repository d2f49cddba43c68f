"""Cutting off Redis at the very moment of one command."""

from __future__ import annotations

from tests.faults.trial.proxy import DOWN, UP

__all__ = ["Trap"]


class Trap:
    """Cuts all links when the script of the command with this ref is on its way, or when it has been carried out."""

    def __init__(self, ref: str, *, arrives: bool) -> None:
        self._ref = ref.encode()
        self._arrives = arrives
        self.sprung = False

    def __call__(self, way: str, data: bytes) -> bytes | None:
        if way == UP and not self.sprung and b"EVALSHA" in data and self._ref in data:
            self.sprung = True
            return data if self._arrives else None
        return None if way == DOWN and self.sprung and self._arrives else data
