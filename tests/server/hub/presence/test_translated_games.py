"""What is on offer is told to each once, and known by a hash."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from protocol.codec import CODECS, MSGPACK, Codec
from protocol.messages import GameInfo, Hello, Welcome
from protocol.text import Translate
from server.games import Catalogue, load_catalogue
from server.hub.presence.translated_games import TranslatedGames
from server.hub.viewers.viewer import Form, language
from tests.driver import RedisProcess
from tests.faults.trial.proxy import Proxy
from tests.server.hub.house import House

CATALOGUE = load_catalogue()
KNOWN_WELCOME_BYTES = 1_500
"""With no match that goes on; each of those has some 12 bytes more."""


def shouting(name: str) -> Translate:
    """A language of the tests' own beside those there are."""
    return str.upper if name == "loud" else language(name)


EN, LOUD = Form(MSGPACK, "en"), Form(MSGPACK, "loud")


def read(games: Any) -> tuple[GameInfo, ...]:
    """The games in a part of a message."""
    return msgspec.msgpack.decode(games, type=tuple[GameInfo, ...])


def test_a_hash_that_is_known_has_the_games_left_out() -> None:
    games = TranslatedGames(CATALOGUE)
    first = games.to(EN, "")
    assert [game.name for game in read(first.games)] == list(CATALOGUE)
    assert games.to(EN, first.catalogue) == ((), first.catalogue)


def test_a_hash_that_the_hub_does_not_know_has_them_told() -> None:
    games = TranslatedGames(CATALOGUE)
    assert games.to(EN, "of another hub") == games.to(EN, "")


def test_another_language_is_another_catalogue() -> None:
    games = TranslatedGames(CATALOGUE, shouting)
    quiet, loud = games.to(EN, ""), games.to(LOUD, "")
    assert read(loud.games)[0].title == read(quiet.games)[0].title.upper()
    assert games.to(LOUD, quiet.catalogue) == loud
    assert games.to(EN, loud.catalogue) == quiet
    assert games.to(LOUD, loud.catalogue).games == ()


def test_hubs_with_the_same_games_name_the_same_and_others_do_not() -> None:
    here = TranslatedGames(CATALOGUE).to(EN, "")
    fewer = TranslatedGames(Catalogue([CATALOGUE["square"], CATALOGUE["checkers"]]))
    assert TranslatedGames(load_catalogue()).to(EN, here.catalogue).games == ()
    assert [game.name for game in read(fewer.to(EN, here.catalogue).games)] == ["checkers", "square"]


@pytest.mark.parametrize("codec", CODECS.values(), ids=list(CODECS))
def test_a_welcome_is_written_as_if_its_games_were_not_written_yet(codec: Codec) -> None:
    told = TranslatedGames(CATALOGUE).to(Form(codec, "en"), "")
    games = tuple(game.info(language("en")) for game in CATALOGUE.values())
    written = codec.encode(Welcome(ref="r", player="p", name="n", games=told.games, catalogue=told.catalogue))
    assert written == codec.encode(Welcome(ref="r", player="p", name="n", games=games, catalogue=told.catalogue))


@pytest.mark.parametrize("codec", CODECS.values(), ids=list(CODECS))
async def test_a_welcome_back_is_small(redis: RedisProcess, codec: Codec) -> None:
    """A welcome without the games' texts has under 1.5 kB; a hello that names no catalogue is told them all."""
    async with Proxy(redis.socket) as proxy:
        house = House(proxy, redis)
        try:
            await house.keeper.beat()
            first: Welcome = await house.ask("", Hello, name="Ada", rename=True)
            again: Welcome = await house.ask("", Hello, token=first.token, catalogue=first.catalogue)
        finally:
            await house.close()
    assert [game.name for game in read(first.games)] == list(CATALOGUE)
    assert (again.player, again.games, again.catalogue) == (first.player, (), first.catalogue)
    assert len(codec.encode(again)) < KNOWN_WELCOME_BYTES
