"""The documents that are made from the message types: complete, and up to date."""

from __future__ import annotations

from typing import Any

import msgspec

from protocol import schema, schema_offers
from protocol.messages import COMMANDS, NOTIFICATIONS
from protocol.schema_asyncapi import asyncapi
from protocol.schema_examples import EXAMPLES, short
from protocol.schema_words import Style, in_words
from scripts.protocol_page import PAGE, page

PLAIN = Style(code=str, link=str, plain=str)


def test_the_page_is_up_to_date() -> None:
    """`python -m scripts.protocol_page` rewrites it."""
    assert page() == PAGE.read_text(encoding="utf-8")


def test_every_command_has_an_example_that_is_one() -> None:
    assert set(EXAMPLES) == set(COMMANDS.values())
    for kind, example in EXAMPLES.items():
        assert msgspec.convert(short(example), kind) == example


def test_every_message_is_described() -> None:
    made = schema.messages()
    for tag in (*COMMANDS, *NOTIFICATIONS):
        assert f"### `{tag}`\n" in made


def test_every_reference_leads_somewhere() -> None:
    document = asyncapi("1")
    references = list(_references(document))
    assert len(references) > 100
    for reference in references:
        part: Any = document
        for step in reference.removeprefix("#/").split("/"):
            part = part[step]


def _references(part: Any) -> Any:
    if isinstance(part, dict):
        if isinstance(part.get("$ref"), str):
            yield part["$ref"]
        for child in part.values():
            yield from _references(child)
    elif isinstance(part, list):
        for child in part:
            yield from _references(child)


def test_both_directions_are_whole() -> None:
    operations = asyncapi("1")["operations"]
    for operation, classes in (("command", COMMANDS), ("notify", NOTIFICATIONS)):
        named = [message["$ref"].rpartition("/")[2] for message in operations[operation]["messages"]]
        assert named == list(classes)


def test_schemas_in_words() -> None:
    for given, words in (
        ({"type": "integer", "minimum": 0, "maximum": 1}, "whole number (0 to 1)"),
        ({"type": "string", "maxLength": 40}, "text (at most 40 long)"),
        ({"type": "number", "minimum": 1}, "number (at least 1)"),
        ({"anyOf": [{"$ref": "#/x/Mark"}, {"type": "null"}]}, "Mark or nothing"),
        ({"type": "array", "items": {"enum": ["a", "b"]}}, "list of a or b"),
        ({"type": "object", "additionalProperties": {"type": "boolean"}}, "map of true or false"),
        ({"type": "array", "prefixItems": [{"type": "string"}, {}]}, "[text, anything]"),
    ):
        assert in_words(given, PLAIN) == words


def test_the_table_of_offers_has_every_cell() -> None:
    for cells in schema_offers.OFFERS.values():
        assert list(cells) == list(schema_offers.SITUATIONS)
    assert len(schema_offers.table().splitlines()) == 2 + len(schema_offers.SITUATIONS)
