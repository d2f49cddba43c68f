"""Any command as plain data, worked out from its type, so that a command added later is attacked unasked."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import inspect

from protocol.messages import COMMANDS, Command
from tests.hostile.tools import new_ref

Plain = dict[str, Any]

IN_A_MATCH = {name: cls for name, cls in COMMANDS.items() if "match" in cls.__struct_fields__}
"""The commands that name a match."""
READING = {"forget", "watch", "sync", "leave", "look", "get_record", "get_invitation", "analyse", "say"}
"""Those of them that anybody may give: they show, end showing, or talk to other watchers, and change no match for one
who has no seat in it."""
ACTING = {name: cls for name, cls in IN_A_MATCH.items() if name not in READING}
"""Those that would change the match."""


def plain_command(name: str, /, **given: Any) -> Plain:
    """A well-formed command: `given` where it has such a field, else the simplest value of the field's type."""
    cls = COMMANDS[name]
    values: Plain = {"type": name, "ref": new_ref()}
    for field in msgspec.structs.fields(cls):
        if field.name in given:
            values[field.name] = given[field.name]
        elif field.name != "ref" and field.required:
            values[field.name] = _simplest(inspect.type_info(field.type))
    assert isinstance(msgspec.convert(values, cls), Command)
    return values


def _simplest(info: inspect.Type) -> Any:
    match info:
        case inspect.BoolType():
            return True
        case inspect.IntType(ge=low):
            return low or 0
        case inspect.StrType():
            return "x"
        case inspect.LiteralType(values=values):
            return values[0]
        case inspect.VarTupleType():
            return []
        case inspect.DictType():
            return {}
        case inspect.UnionType(types=types):
            return _simplest(types[0])
        case _:
            raise NotImplementedError(info)
