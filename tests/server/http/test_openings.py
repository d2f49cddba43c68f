"""The boards before their first move that the form for a match shows."""

from __future__ import annotations

from collections.abc import AsyncIterator

import httpx
import pytest
from starlette.applications import Starlette

from client.shown.board.examples import read_examples
from protocol.text import translator
from server.games import load_catalogue
from server.http.openings import Openings

CATALOGUE = load_catalogue()


@pytest.fixture
async def asking() -> AsyncIterator[httpx.AsyncClient]:
    app = Starlette(routes=Openings(CATALOGUE, translator("en", "")).routes())
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://hub") as client:
        yield client


@pytest.mark.parametrize("game", [name for name, game in CATALOGUE.items() if game.offered])
async def test_every_game_has_its_board_before_the_first_move(asking: httpx.AsyncClient, game: str) -> None:
    """SQ6, HX SR1, UD RF1, RNF3, DB 7.1.1.3: with each option at each end of its range the board is the rules' own, and
    clients can read it; nothing lies on it that does not lie there at the start."""
    rules = CATALOGUE[game]
    asked: list[dict[str, object]] = [{}]
    for option in rules.options:
        values = [False, True] if isinstance(option.default, bool) else option.choices or (option.low, option.high)
        asked += [{option.name: value} for value in values]
    for options in asked:
        told = await asking.get(f"/boards/{game}.json", params={name: _written(one) for name, one in options.items()})
        params = rules.parse_options(options)
        [example] = read_examples(b"[" + told.content + b"]").values()
        position = example.at(5)
        assert position.board == rules.board(params)
        assert position.marks == rules.marks(rules.new(params))
        assert position.focus == rules.focus(rules.new(params))
        assert [seat.style for seat in position.seats] == list(rules.seats(params))
        assert position.last is None


def _written(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


async def test_what_no_form_asks_for_is_refused(asking: httpx.AsyncClient) -> None:
    assert (await asking.get("/boards/chess.json")).status_code == 404
    for wrong in ("width=1", "width=99", "width=x", "width=9999999999999", "depth=3", "width="):
        assert (await asking.get(f"/boards/dots-and-boxes.json?{wrong}")).status_code == 400, wrong
    assert (await asking.get("/boards/square.json?width=3")).status_code == 400
    again = await asking.get("/boards/square.json")
    known = await asking.get("/boards/square.json", headers={"if-none-match": again.headers["etag"]})
    assert (again.status_code, known.status_code) == (200, 304)
