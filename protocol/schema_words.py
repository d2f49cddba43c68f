"""JSON Schema in a few words, for the pages that people read."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple


class Style(NamedTuple):
    """How a page sets what is code, links to a type, and plain words."""

    code: Callable[[str], str]
    link: Callable[[str], str]
    plain: Callable[[str], str]


_BOUNDS = (("minimum", "maximum", ""), ("minLength", "maxLength", " long"), ("minItems", "maxItems", ""))


def in_words(schema: dict[str, Any], style: Style) -> str:
    """What a value may be: `whole number from 0 to 1`, `list of Move`, `text or nothing`."""
    if "$ref" in schema:
        return style.link(schema["$ref"].rpartition("/")[2])
    if "anyOf" in schema:
        return " or ".join(in_words(choice, style) for choice in schema["anyOf"])
    if "enum" in schema:
        return " or ".join(style.code(str(value)) for value in schema["enum"])
    if "prefixItems" in schema:
        return f"[{', '.join(in_words(item, style) for item in schema['prefixItems'])}]"
    if isinstance(schema.get("items"), dict):
        kind = f"list of {in_words(schema['items'], style)}"
    elif isinstance(schema.get("additionalProperties"), dict):
        kind = f"map of {in_words(schema['additionalProperties'], style)}"
    else:
        kind = style.plain(_WORDS.get(schema.get("type", ""), "anything"))
    return kind + "".join(style.plain(bound) for bound in _bounds(schema))


def _bounds(schema: dict[str, Any]) -> Iterator[str]:
    for low, high, unit in _BOUNDS:
        if low in schema and high in schema:
            yield f" ({schema[low]} to {schema[high]}{unit})"
        elif high in schema:
            yield f" (at most {schema[high]}{unit})"
        elif low in schema:
            yield f" (at least {schema[low]}{unit})"


_WORDS = {
    "string": "text",
    "integer": "whole number",
    "number": "number",
    "boolean": "true or false",
    "null": "nothing",
    "array": "list",
    "object": "map",
}
