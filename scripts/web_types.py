"""Makes, from the Python types of the messages, what the page knows of them.

    python -m scripts.web_types           writes messages.d.ts, protocol.js and limits.js in client/web/conversation/
    python -m scripts.web_types --check   fails when they are not up to date

The first is for the type checker alone. The second are the shapes of all notifications, by which a frame is checked
and what it leaves out is filled in, exactly as msgspec does it for the Python clients; the third are the limits.
"""

from __future__ import annotations

import inspect
import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec
from msgspec import NODEFAULT
from msgspec import inspect as types

from protocol import limits
from protocol.messages import COMMANDS, NOTIFICATIONS, MatchEvent

FOLDER = Path(__file__).resolve().parents[1] / "client" / "web" / "conversation"
HEAD = "// Made by python -m scripts.web_types from protocol/: change it there.\n"
_SIMPLE = {types.StrType: "string", types.IntType: "number", types.FloatType: "number", types.BoolType: "boolean",
           types.NoneType: "null", types.AnyType: "unknown"}  # fmt: skip
_LETTERS = {types.StrType: "s", types.IntType: "i", types.FloatType: "n", types.BoolType: "b", types.AnyType: "a"}
REPLIES = ("accepted", "analysis", "invitation", "refused", "position", "record")
"""What answers a command for good."""


def files() -> dict[str, str]:
    """All files by name."""
    commands = [*_structs(COMMANDS.values())]
    told = [*_structs(NOTIFICATIONS.values())]
    values = {
        info.cls.__name__: info
        for info in _reachable([*commands, *told])
        if info.tag is None and info.cls is not MatchEvent
    }
    declared = [
        *(_declaration(info, sent=True) for info in commands),
        *(_declaration(info) for info in told),
        *(_declaration(info) for _, info in sorted(values.items())),
        _union("Command", commands),
        _union("Notification", told),
        _union("MatchEvent", [info for info in told if issubclass(info.cls, MatchEvent)]),
        _union("Reply", [info for info in told if info.tag in REPLIES]),
    ]
    messages = {str(info.tag): _fields(info) for info in told}
    inside = {name: _shape(info) for name, info in sorted(values.items())}
    numbers = {name: value for name, value in vars(limits).items() if name.isupper()}
    return {
        "messages.d.ts": HEAD + "\n".join(declared),
        "protocol.js": "".join(
            [
                HEAD,
                "// A shape is a letter (string, integer, number, boolean, anything), a name among these, or one of\n",
                "// {e: one of}, {l: list}, {t: tuple}, {m: map to}, {o: any of; null if n}, {p: fields by place}\n",
                "// and {f: fields by name}; a field is [shape] or [shape, default].\n\n",
                f"export const MESSAGES = {_short(messages)};\n\n",
                f"export const VALUES = {_short(inside)};\n",
            ]
        ),
        "limits.js": f"{HEAD}\nexport const LIMITS = Object.freeze({json.dumps(numbers, indent=2)});\n",
    }


def _short(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def _structs(classes: Iterable[type[Any]]) -> Iterable[types.StructType]:
    for cls in classes:
        info = types.type_info(cls)
        assert isinstance(info, types.StructType)
        yield info


def _reachable(roots: Iterable[types.StructType]) -> Iterable[types.StructType]:
    """The roots and all that stands inside of them, each once."""
    seen: set[type] = set()
    waiting: list[Any] = list(roots)
    for found in waiting:
        if isinstance(found, types.StructType):
            if found.cls in seen:
                continue
            seen.add(found.cls)
            yield found
            waiting += [field.type for field in found.fields]
        elif isinstance(found, types.Metadata):
            waiting.append(found.type)
        elif isinstance(found, types.UnionType):
            waiting += found.types
        elif isinstance(found, types.TupleType):
            waiting += found.item_types
        elif isinstance(found, types.VarTupleType):
            waiting.append(found.item_type)
        elif isinstance(found, types.DictType):
            waiting.append(found.value_type)


def _declaration(info: types.StructType, *, sent: bool = False) -> str:
    """One type; what may be left out of a command is optional, what is received has everything."""
    name = info.cls.__name__
    says = inspect.cleandoc(info.cls.__doc__ or "").partition("\n\n")[0].replace("\n", " ").replace("*/", "")
    if info.array_like:
        items = ", ".join(f"{field.encode_name}: {_type(field.type)}" for field in info.fields)
        return f"/** {says} */\nexport type {name} = [{items}];\n"
    lines = [f'  type: "{info.tag}";'] if info.tag is not None else []
    for field in info.fields:
        optional = "" if field.required or not sent else "?"
        lines.append(f"  {field.encode_name}{optional}: {_type(field.type)};")
    return "\n".join([f"/** {says} */", f"export interface {name} {{", *lines, "}\n"])


def _union(name: str, members: Iterable[types.StructType]) -> str:
    return f"export type {name} =\n  | " + "\n  | ".join(info.cls.__name__ for info in members) + ";\n"


def _type(info: Any) -> str:
    """A type in TypeScript."""
    match info:
        case types.Metadata(type=inner):
            return _type(inner)
        case types.StructType(cls=cls):
            return cls.__name__
        case types.UnionType(types=parts):
            return " | ".join(_type(part) for part in parts)
        case types.LiteralType(values=values):
            return " | ".join(f'"{value}"' for value in values)
        case types.EnumType(cls=cls):
            return " | ".join(f'"{member.value}"' for member in cls)
        case types.TupleType(item_types=items):
            return f"[{', '.join(_type(item) for item in items)}]"
        case types.VarTupleType(item_type=item):
            return f"Array<{_type(item)}>"
        case types.DictType(value_type=value):
            return f"Record<string, {_type(value)}>"
        case _:
            return _SIMPLE[type(info)]


def _fields(info: types.StructType) -> dict[str, Any]:
    if info.array_like:
        return {"p": [_field(field) for field in info.fields]}
    return {"f": {field.encode_name: _field(field) for field in info.fields}}


def _field(field: types.Field) -> list[Any]:
    if field.required:
        return [_shape(field.type, name=True)]
    default = field.default if field.default is not NODEFAULT else field.default_factory()
    return [_shape(field.type, name=True), msgspec.to_builtins(default)]


def _shape(info: Any, *, name: bool = False) -> Any:
    """A type as a shape; `name`: a struct by its name only."""
    match info:
        case types.Metadata(type=inner):
            return _shape(inner, name=name)
        case types.StructType(cls=cls):
            return str(info.tag or cls.__name__) if name else _fields(info)
        case types.UnionType(types=parts):
            others = [_shape(part, name=True) for part in parts if not isinstance(part, types.NoneType)]
            return {"o": others} | ({"n": 1} if len(others) < len(parts) else {})
        case types.LiteralType(values=values):
            return {"e": list(values)}
        case types.EnumType(cls=cls):
            return {"e": [member.value for member in cls]}
        case types.TupleType(item_types=items):
            return {"t": [_shape(item, name=True) for item in items]}
        case types.VarTupleType(item_type=item):
            return {"l": _shape(item, name=True)}
        case types.DictType(key_type=key, value_type=value):
            keys = {"k": _shape(key)} if isinstance(key, types.EnumType) else {}
            return {"m": _shape(value, name=True)} | keys
        case _:
            return _LETTERS[type(info)]


def main(arguments: list[str]) -> int:
    """Write or check; returns the exit status."""
    if "--check" in arguments:
        return int(any((FOLDER / name).read_text(encoding="utf-8") != text for name, text in files().items()))
    for name, text in files().items():
        (FOLDER / name).write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
