"""The documents that a hub serves about its API: whole, valid, and its own."""

from __future__ import annotations

from collections.abc import Iterator
from http import HTTPStatus
from typing import Any

import httpx
import pytest
from jsonschema_rs import Draft202012Validator, meta

from protocol.errors import Code, Refusal
from server.http.api.problems import STATUSES, status_of
from server.http.api.routes import OPERATIONS, PREFIX
from tests.server.http.api.player import HttpPlayer


async def openapi(link: httpx.AsyncClient) -> dict[str, Any]:
    answer = await link.get("/openapi.json")
    assert answer.headers["content-type"] == "application/json"
    document: dict[str, Any] = answer.json()
    return document


async def test_openapi_has_every_operation(link: httpx.AsyncClient) -> None:
    document = await openapi(link)
    assert document["openapi"] == "3.1.0"
    described = {(path, method.upper()) for path, methods in document["paths"].items() for method in methods}
    assert described == {(PREFIX + operation.path, operation.method) for operation in OPERATIONS}
    for schema in document["components"]["schemas"].values():
        meta.validate({"$schema": "https://json-schema.org/draft/2020-12/schema", **schema})


@pytest.mark.parametrize("name", ["openapi.json", "asyncapi.json"])
async def test_every_reference_leads_somewhere(link: httpx.AsyncClient, name: str) -> None:
    document = (await link.get(f"/{name}")).json()
    for reference in _references(document):
        part = document
        for step in reference.removeprefix("#/").split("/"):
            part = part[step]


def _references(part: Any) -> Iterator[str]:
    if isinstance(part, dict):
        if isinstance(part.get("$ref"), str):
            yield part["$ref"]
        for child in part.values():
            yield from _references(child)
    elif isinstance(part, list):
        for child in part:
            yield from _references(child)


async def test_answers_are_as_described(link: httpx.AsyncClient) -> None:
    """For every game: a match as it is hosted, followed and recorded."""
    document = await openapi(link)
    ana = await HttpPlayer.come(link, "Ana")
    games = (await link.get("/games")).json()
    _validate(document, "Games", games)
    for game in games["games"]:
        hosted = await ana.create(game["name"])
        match = hosted["match"]
        _validate(document, "Entered", hosted)
        _validate(document, "Snapshot", await ana.state(match))
        _validate(document, "Updates", await ana.updates(match, 0))
        _validate(document, "Record", await ana.get(f"/matches/{match}/record"))
        _validate(document, "Position", await ana.get(f"/matches/{match}/positions/0"))
        _validate(document, "Problem", await ana.move(match, 1, "x", 409))


def _validate(document: dict[str, Any], name: str, answer: Any) -> None:
    schema = {"$ref": f"#/components/schemas/{name}", "components": document["components"]}
    Draft202012Validator(schema).validate(answer)


async def test_the_page_is_self_contained(link: httpx.AsyncClient) -> None:
    """Nothing from elsewhere: no script, no style sheet, no picture."""
    answer = await link.get("/docs")
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert answer.headers["content-security-policy"].startswith("default-src 'none'")
    page = answer.text
    assert "<script" not in page
    assert "://" not in page
    for operation in OPERATIONS:
        assert f"{operation.method} {PREFIX}{operation.path}" in page
    for code in Code:
        assert f'id="{code}"' in page


async def test_a_problems_type_leads_to_its_explanation(link: httpx.AsyncClient) -> None:
    ana = await HttpPlayer.come(link, "Ana")
    refused = await ana.join("nothing", expect=404)
    path, _, anchor = refused["type"].partition("#")
    page = await link.get(f"http://{link.base_url.netloc.decode()}{path}")
    assert f'id="{anchor}"' in page.text


@pytest.mark.parametrize("code", STATUSES)
def test_refusals_are_the_clients_fault_or_the_servers_and_say_so(code: str) -> None:
    servers = code in (Code.BUSY, Code.UNAVAILABLE, Code.UNKNOWN_OUTCOME, Code.INTERNAL)
    assert (STATUSES[code] >= HTTPStatus.INTERNAL_SERVER_ERROR) is servers


def test_what_a_full_match_has_no_room_for_is_a_conflict() -> None:
    """Q12: as all that a match does not grant as it stands."""
    assert status_of(Refusal(Code.MATCH_FULL)) == status_of(Refusal(Code.FINISHED)) == HTTPStatus.CONFLICT
