"""What is on offer, as it is told in each language: made and written once, and known by its hash.

Who knows no hash is told the games at once, in the Welcome, and need not ask: a first visit, of all, should not wait
for one more way there and back, and a client from before there were hashes has them as ever.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import NamedTuple

import msgspec

from protocol.messages import GameInfo
from protocol.text import Translate
from server.games import Catalogue
from server.hub.viewers.viewer import Form, language

HASH_CHARACTERS = 16
"""64 bits: nobody gains anything by two catalogues with one hash, they only must not come by chance."""


class GamesInLanguage(NamedTuple):
    """The games in one language. Hubs that have the same games in the same words name the same `catalogue`.

    `games` are a part of a message in one codec (`Codec.part`).
    """

    games: tuple[GameInfo, ...]
    catalogue: str


class TranslatedGames:
    """The games of this hub by form, of which there are twice as many as `languages`."""

    def __init__(self, catalogue: Catalogue, translation: Callable[[str], Translate] = language) -> None:
        self._catalogue = catalogue
        self._translation = translation
        self._made: dict[Form, GamesInLanguage] = {}

    def to(self, form: Form, known: str) -> GamesInLanguage:
        """What to tell in a form to somebody who knows the games of the catalogue `known`: then no games."""
        told = self._made.get(form)
        if told is None:
            told = self._made[form] = self._make(form)
        return told if told.catalogue != known else GamesInLanguage((), known)

    def _make(self, form: Form) -> GamesInLanguage:
        translate = self._translation(form.language)
        games = tuple(game.info(translate) for game in self._catalogue.values())
        return GamesInLanguage(
            form.codec.part(games), hashlib.sha256(msgspec.msgpack.encode(games)).hexdigest()[:HASH_CHARACTERS]
        )
