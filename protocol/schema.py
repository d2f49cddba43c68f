"""The messages as a page to read, made from their types: docstrings, fields, examples, and the codes of refusals.

`python -m scripts.protocol_page` puts it into docs/protocol.md.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterable
from typing import Any

import msgspec

from protocol import board
from protocol import messages as messages_module
from protocol.errors import SENTENCES
from protocol.messages import COMMANDS, NOTIFICATIONS, Message
from protocol.schema_asyncapi import name
from protocol.schema_examples import EXAMPLES, short
from protocol.schema_words import Style, in_words


def _anchor(type_name: str) -> str:
    return f"[{type_name}](#{type_name.lower()})"


STYLE = Style(code=lambda word: f"`{word}`", link=_anchor, plain=str)


def messages() -> str:
    """Commands, notifications and the values inside them."""
    classes = [*COMMANDS.values(), *NOTIFICATIONS.values()]
    _, schemas = msgspec.json.schema_components(classes, ref_template="{name}")
    told = {cls.__name__ for cls in classes}
    values = [(type_name, schema) for type_name, schema in schemas.items() if type_name not in told]
    return "\n".join(
        [
            "## Commands\n",
            *(_message(cls, schemas[cls.__name__]) for cls in COMMANDS.values()),
            "## Notifications\n",
            *(_message(cls, schemas[cls.__name__]) for cls in NOTIFICATIONS.values()),
            "## Values inside messages\n",
            *(_value(type_name, schema) for type_name, schema in sorted(values)),
        ]
    )


def codes() -> str:
    """The codes of refusals that do not belong to a single game."""
    rows = "".join(f"| `{code}` | {sentence} |\n" for code, sentence in sorted(SENTENCES.items()))
    return f"| code | in English |\n|---|---|\n{rows}"


def _message(cls: type[Message], schema: dict[str, Any]) -> str:
    parts = [f"### `{name(cls)}`\n", f"{inspect.getdoc(cls)}\n", _fields(schema)]
    if cls in EXAMPLES:
        example = msgspec.json.encode(short(EXAMPLES[cls])).decode()
        parts.append(f"```json\n{example}\n```\n")
    return "\n".join(part for part in parts if part)


def _value(type_name: str, schema: dict[str, Any]) -> str:
    says = inspect.cleandoc(schema.get("description", ""))
    body = _fields(schema) or f"{_listed(type_name)}{in_words(schema, STYLE)}\n"
    return "\n".join(part for part in (f"### {type_name}\n", f"{says}\n" if says else "", body) if part)


def _listed(type_name: str) -> str:
    """For what is sent as a list, to be short, the names of its fields in their order."""
    cls = getattr(board, type_name, None) or getattr(messages_module, type_name, None)
    fields = getattr(cls, "__struct_fields__", ())
    return f"A list of its fields, in this order: {', '.join(f'`{field}`' for field in fields)}.\n\n" if fields else ""


def _fields(schema: dict[str, Any]) -> str:
    required = schema.get("required", [])
    rows = [
        f"| `{field}` | {_cell(in_words(of, STYLE))} | {_default(field, of, required)} |"
        for field, of in schema.get("properties", {}).items()
        if field != "type"
    ]
    return _table(rows) if rows else ""


def _table(rows: Iterable[str]) -> str:
    return "".join(f"{row}\n" for row in ("| field | what it is | if left out |", "|---|---|---|", *rows))


def _default(field: str, schema: dict[str, Any], required: list[str]) -> str:
    if field in required:
        return "must be there"
    return f"`{msgspec.json.encode(schema.get('default')).decode()}`"


def _cell(words: str) -> str:
    return words.replace("|", "\\|")
