"""A game's board as it is before the first move, with the options that a form has chosen (`SQ6`, `HX SR1`, `UD RF1`).

Whoever fills in the form for a match sees by it what is about to begin. It is told in the words of an example
(`examples.py`), with no moves.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from functools import lru_cache

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from protocol.errors import BadOption
from protocol.messages import Option, OptionValue
from protocol.text import Translate
from server.games import AnyGame, Catalogue
from server.http.page import ASK_AGAIN, File, answer

KEPT = 64
"""Openings that are kept ready; the largest is some 60 kB, and 5 kB of that are sent."""


class Openings:
    """All openings there can be: `/boards/GAME.json?OPTION=VALUE&...`, where what is left out has its default."""

    def __init__(self, catalogue: Catalogue, translate: Translate) -> None:
        self._catalogue = catalogue
        self._translate = translate
        self._file = lru_cache(KEPT)(self._make)

    def routes(self) -> list[Route]:
        """The one of them all."""
        return [Route("/boards/{game}.json", self._serve)]

    async def _serve(self, request: Request) -> Response:
        name = request.path_params["game"]
        if name not in self._catalogue:
            raise HTTPException(404)
        game = self._catalogue[name]
        try:
            params = game.parse_options(_given(game, request.query_params))
        except BadOption as error:
            raise HTTPException(400, error.text.render(self._translate)) from error
        return answer(request, await asyncio.to_thread(self._file, game.name, params), ASK_AGAIN)

    def _make(self, name: str, params: msgspec.Struct) -> File:
        game = self._catalogue[name]
        told = {
            "game": name,
            "board": game.board(params),
            "styles": [
                msgspec.structs.replace(style, name=self._translate(style.name)) for style in game.seats(params)
            ],
            "marks": game.marks(game.new(params)),
            "moves": [],
            "focus": game.focus(game.new(params)),
        }
        return File.of(msgspec.json.encode(told), ".json")


def _given(game: AnyGame, asked: Mapping[str, str]) -> dict[str, OptionValue | str]:
    """The options of an address, each as what it is; what cannot be read as that is judged as it stands."""
    options = {option.name: option for option in game.options}
    return {name: _value(options[name], text) if name in options else text for name, text in asked.items()}


def _value(option: Option, text: str) -> OptionValue | str:
    if isinstance(option.default, bool):
        return {"true": True, "false": False}.get(text, text)
    if isinstance(option.default, int) and text.isascii() and text.isdecimal() and len(text) < 10:
        return int(text)
    return text
