"""Commands of which this hub does not know whether they were done (`Q5`).

Sent again they are judged by what the log says. Until it can be read nobody may be told that nothing was done: the
first sending may lie in the log.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager

from protocol.errors import OutcomeUnknown, StoreUnavailable

REMEMBERED = 10_000
"""Commands that are kept in mind; the one that came longest ago is forgotten first."""


class InDoubt:
    """The refs in doubt, by player."""

    def __init__(self) -> None:
        self._refs: OrderedDict[tuple[str, str], None] = OrderedDict()

    def __len__(self) -> int:
        return len(self._refs)

    @contextmanager
    def about(self, player: str, ref: str) -> Iterator[None]:
        """While a command is carried out: as long as it is in doubt, no try of it says that nothing was done."""
        try:
            yield
        except BaseException as error:
            told = self.told(player, ref, error)
            if told is error:
                raise
            raise told from error
        self.settled(player, ref)

    def told(self, player: str, ref: str, error: BaseException) -> BaseException:
        """What is told of a try that ended in this error."""
        if isinstance(error, OutcomeUnknown):
            self._refs[player, ref] = None
            if len(self._refs) > REMEMBERED:
                self._refs.popitem(last=False)
        elif not isinstance(error, StoreUnavailable):
            self.settled(player, ref)
        elif (player, ref) in self._refs:
            return OutcomeUnknown(error.reason)
        return error

    def settled(self, player: str, ref: str) -> None:
        """It is known of a command what came of it."""
        if self._refs:
            self._refs.pop((player, ref), None)
