"""The OpenAPI document, made from the table of operations and the types that requests are read into."""

from __future__ import annotations

import inspect
from collections.abc import Iterable
from http import HTTPStatus
from typing import Any

import msgspec

from server.http.api import types
from server.http.api.problems import MEDIA_TYPE, Problem
from server.http.api.requests import JSON
from server.http.api.routes import MATCH, OPERATIONS, PREFIX, Operation, Parameter

ALWAYS = (400, 422, 429, 500, 503, 504)
"""Statuses that any operation may be refused with."""
WITH_BODY = (413, 415)
_REFS = "#/components/schemas/{name}"

_ABOUT = """\
Everything that a client by WebSocket can do, over plain HTTP, for every game, with the same refusals.

Come as a guest once, and send the token of the answer as `Authorization: Bearer` with every other request. Host a match
or join one; then, in turn, ask for updates (`wait` holds the request open until there is something) and send your own.

A command counts once for each `ref` (in the body, or in an `Idempotency-Key` header): sent again after an answer that
was lost, it is not done again. A refusal is a problem (RFC 9457) with a stable `code`; it has left no trace."""


def openapi(version: str, games: Iterable[str]) -> dict[str, Any]:
    """The document, as plain data, of a hub with these games."""
    schemas, components = _schemas()
    for hosting in (types.NewMatch, types.QuickMatch, types.NewChallenge):
        components[hosting.__name__]["properties"]["game"]["enum"] = list(games)
    paths: dict[str, dict[str, Any]] = {}
    for operation in OPERATIONS:
        paths.setdefault(PREFIX + operation.path, {})[operation.method.lower()] = _described(operation, schemas)
    return {
        "openapi": "3.1.0",
        "info": {"title": "Parlour", "version": version, "description": _ABOUT},
        "paths": paths,
        "components": {
            "schemas": components,
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
            "responses": {
                "Problem": {"description": "It is not granted.", "content": {MEDIA_TYPE: {"schema": schemas[Problem]}}}
            },
        },
    }


def _schemas() -> tuple[dict[Any, Any], dict[str, Any]]:
    wanted: list[Any] = [Problem]
    for operation in OPERATIONS:
        wanted += [operation.answer, *([operation.body] if operation.body is not None else [])]
        wanted += [parameter.type for parameter in (*operation.in_path, *operation.query)]
    made, components = msgspec.json.schema_components(wanted, ref_template=_REFS)
    for component in components.values():
        component["description"] = inspect.cleandoc(component.get("description", ""))
    return dict(zip(wanted, made, strict=True)), components


def _described(operation: Operation, schemas: dict[Any, Any]) -> dict[str, Any]:
    first, _, rest = operation.says.partition("\n\n")
    statuses = {*ALWAYS, *operation.refusals, *(WITH_BODY if operation.body is not None else ())}
    if operation.needs_token:
        statuses.add(401)
    answers: dict[str, Any] = {
        str(int(operation.status)): {
            "description": operation.status.phrase,
            "content": {JSON: {"schema": schemas[operation.answer]}},
        }
    }
    if operation.answer is types.Entered:
        answers[str(int(operation.status))]["links"] = _LINKS
    answers |= {str(status): {"$ref": "#/components/responses/Problem"} for status in sorted(statuses)}
    described: dict[str, Any] = {
        "operationId": operation.name,
        "summary": " ".join(first.split()),
        "description": rest,
        "parameters": [
            *(_parameter(parameter, "path", schemas) for parameter in operation.in_path),
            *(_parameter(parameter, "query", schemas) for parameter in operation.query),
        ],
        "responses": answers,
    }
    if operation.needs_token:
        described["security"] = [{"token": []}]
    if operation.body is not None:
        described["requestBody"] = {"required": True, "content": {JSON: {"schema": schemas[operation.body]}}}
    return described


def _parameter(parameter: Parameter, where: str, schemas: dict[Any, Any]) -> dict[str, Any]:
    schema = dict(schemas[parameter.type])
    if parameter.default is not None:
        schema["default"] = parameter.default
    return {
        "name": parameter.name,
        "in": where,
        "required": where == "path",
        "description": parameter.says,
        "schema": schema,
    }


_LINKS = {
    operation.name: {"operationId": operation.name, "parameters": {"match": "$response.body#/match"}}
    for operation in OPERATIONS
    if MATCH in operation.in_path
}
"""Where one can go on from a match that was entered."""


def phrase(status: str) -> str:
    """The words for a status code."""
    return HTTPStatus(int(status)).phrase
