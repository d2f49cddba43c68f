"""Opening the page: from nothing to a welcome, in a real browser."""

from __future__ import annotations

import json

import pytest

from tests.browser.people import Stage

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_the_address_of_a_hub_is_all_that_is_needed(stage: Stage) -> None:
    """CK R11.1: the page opens, connects by itself, and nobody is asked for anything before it is needed."""
    person = await stage.person()
    await person.up()
    assert [frame["type"] for frame in person.sent][:1] == ["hello"]
    assert all(url.startswith(stage.address) for url in person.requests)


async def test_the_token_is_kept_and_shown_nowhere(stage: Stage) -> None:
    """I2: who one is survives a reload; the secret is in no address."""
    person = await stage.person("Ada")
    await person.up()
    first = next(frame for frame in person.received if frame["type"] == "welcome")
    await person.page.reload()
    await person.up()
    hellos = [frame for frame in person.sent if frame["type"] == "hello"]
    welcomes = [frame for frame in person.received if frame["type"] == "welcome"]
    assert hellos[-1]["token"] == first["token"]
    assert {welcome["player"] for welcome in welcomes} == {first["player"]}
    assert welcomes[-1]["name"] == "Ada"
    assert first["token"] not in json.dumps(person.requests)


async def test_a_name_with_a_wide_address(stage: Stage) -> None:
    """I1: the page works at every address by which a hub is reached, here one of a network."""
    person = await stage.person(address=f"http://localhost:{stage.hub.port}/")
    await person.up()
