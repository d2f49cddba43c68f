"""The catalogue: finds every game in this folder (and, if asked, in another one) by its `GAME` value.

Nobody edits a list: a new file with a `GAME` is in the catalogue at the next start.
"""

from __future__ import annotations

import importlib
import importlib.util
import pkgutil
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

from protocol.errors import Code, Refusal
from server.games.game import Game

AnyGame = Game[Any, Any]
_NOT_GAMES = {"game", "levels"}


class Catalogue(Mapping[str, AnyGame]):
    """The games on offer, by name, in alphabetical order.

    A game that is not on offer (`Game.offered`) is found by its name, because there are logs of it to be read, but it
    is listed nowhere.
    """

    def __init__(self, games: list[AnyGame]) -> None:
        self._games: dict[str, AnyGame] = {}
        for game in sorted(games, key=lambda g: g.name):
            if game.name in self._games:
                raise ValueError(f"two games are called {game.name!r}")
            self._games[game.name] = game
        self._offered = tuple(name for name, game in self._games.items() if game.offered)

    def __getitem__(self, name: str) -> AnyGame:
        """The game called `name`. Raises Refusal `unknown_game`."""
        try:
            return self._games[name]
        except KeyError:
            raise Refusal(Code.UNKNOWN_GAME, game=name) from None

    def __contains__(self, name: object) -> bool:
        return name in self._offered

    def __iter__(self) -> Iterator[str]:
        return iter(self._offered)

    def __len__(self) -> int:
        return len(self._offered)


def load_catalogue(folder: Path | None = None) -> Catalogue:
    """All games of this package, and those in the files of `folder` when one is given.

    Raises ValueError when two games share a name, and whatever a broken file raises.
    """
    modules = [
        importlib.import_module(f"{__name__}.{found.name}")
        for found in pkgutil.iter_modules(__path__)
        if not found.name.startswith("_") and found.name not in _NOT_GAMES
    ]
    if folder is not None:
        modules += [_load_file(path) for path in sorted(folder.glob("*.py")) if not path.name.startswith("_")]
    return Catalogue([module.GAME for module in modules if isinstance(getattr(module, "GAME", None), Game)])


def _load_file(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"parlour_game_{path.stem}", path)
    if spec is None or spec.loader is None:
        raise ValueError(f"{path} is not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # msgspec looks a class's annotations up by the name of its module
    spec.loader.exec_module(module)
    return module
