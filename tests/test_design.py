"""docs/design.md is the design in UML 2 of this program, and not of another one: its diagrams are held to the code."""

from __future__ import annotations

import ast
import importlib
import inspect
import re
import sys
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any, get_args

import pytest

from client.conversation.outgoing import State
from protocol import messages
from protocol.commands import Command
from protocol.notifications import Notification

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "design.md"
TEXT = PAGE.read_text(encoding="utf-8")
DIAGRAMS = re.findall(r"```mermaid\n(.*?)```", TEXT, re.S)
CLASS = re.compile(r"^    class (\w+) \{\n(.*?)^    \}", re.M | re.S)
MEMBER = re.compile(r"\+(\w+)(?:\(([\w, ]*)\))?")
RELATION = re.compile(r'^    (\w+) (<\|--|\*--|-->|\.\.>) (?:"[^"]*" )?(\w+)(?: : (\w+))?$', re.M)
MESSAGE = re.compile(r"^\s+\w+--?>>\w+: (\w+)(\(\))?$", re.M)
NO_MESSAGES = {"stored", "steps", "refusal"}
"""What comes back from a call and is no message of the protocol."""


def of(kind: str) -> list[str]:
    return [one for one in DIAGRAMS if one.startswith(kind)]


def members(cls: type) -> set[str]:
    """Its fields, methods and what its own functions set."""
    found = set(dir(cls))
    for one in cls.__mro__:
        found |= set(inspect.get_annotations(one))
        if one.__module__.startswith(("client", "server")):
            found |= set(re.findall(r"\bself\.(\w+)(?:: [^=\n]+)? = ", source_of(one)))
    return found


@cache
def source_of(cls: type) -> str:
    """Of its whole module: to find where a class ends in it takes long."""
    return Path(sys.modules[cls.__module__].__file__ or "").read_text(encoding="utf-8")


@cache
def sources() -> str:
    return "".join(path.read_text() for top in ("client", "server") for path in (ROOT / top).rglob("*.py"))


def module_of(body: str) -> ModuleType:
    found = re.search(r"<<([\w.]+)>>", body)
    assert found is not None
    return importlib.import_module(found[1])


def commands() -> set[str]:
    return {str(one.__struct_config__.tag) for one in subclasses(Command)}


def subclasses(cls: type) -> set[Any]:
    return {one for one in vars(messages).values() if isinstance(one, type) and issubclass(one, cls) and one is not cls}


@pytest.mark.parametrize("diagram", of("classDiagram"), ids=range(len(of("classDiagram"))))
def test_classes_are_those_of_the_code(diagram: str) -> None:
    """UD RNF2: each class with its members and their arguments; what inherits inherits, and what is associated is
    named where it says."""
    known: dict[str, type] = {}
    for name, body in CLASS.findall(diagram):
        cls = known[name] = getattr(module_of(body), name)
        for member, arguments in MEMBER.findall(body):
            assert member in members(cls), f"{name} has no {member}"
            function = inspect.getattr_static(cls, member, None)
            if arguments and inspect.isfunction(function) and cls.__name__ != "Game":
                asked = set(arguments.split(", "))
                assert asked <= set(inspect.signature(function).parameters), f"{name}.{member}"
    assert len(known) >= 8
    relations = RELATION.findall(diagram)
    assert len(relations) == len(re.findall(r"<\|--|\*--|-->|\.\.>", diagram)), "each arrow is understood"
    for one, arrow, other, label in relations:
        if arrow == "<|--":
            assert issubclass(known[other], known[one]), f"{other} is no {one}"
        else:
            assert label in members(known[one]), f"{one} has no {label}"
            own = "".join(
                source_of(cls) for cls in known[one].__mro__ if cls.__module__.startswith(("client", "server"))
            )
            assert re.search(rf"\b\w*{other}\b", own), f"{one} knows of no {other}"


def imports() -> set[tuple[str, str]]:
    """Which part of client or server imports which, as `client.shown`, with `protocol` as one."""
    found = set()
    for path in (path for top in ("client", "server", "protocol") for path in (ROOT / top).rglob("*.py")):
        own = part_of(".".join(path.relative_to(ROOT).with_suffix("").parts))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            names += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            found |= {(own, part_of(name)) for name in names}
    return found


def part_of(module: str) -> str:
    top, *rest = module.split(".")
    return top if top == "protocol" or not rest else f"{top}.{rest[0]}"


def test_components_depend_on_each_other_as_drawn() -> None:
    """UD RNF2: every dependency among the components that are drawn is drawn, and no other one."""
    diagram = next(one for one in of("flowchart") if "client.terminal" in one)
    boxes = set(re.findall(r"^\s+([\w.]+)\[", diagram, re.M))
    assert all((ROOT / box.replace(".", "/") / "__init__.py").exists() for box in boxes)
    drawn = {
        (one, other)
        for one, others in re.findall(r"^    ([\w.]+) --> (.+)$", diagram, re.M)
        for other in others.split(" & ")
    }
    assert drawn == {(one, other) for one, other in imports() if one != other and {one, other} <= boxes}


def test_every_command_belongs_to_a_use_case() -> None:
    """UD RNF2: each command of the protocol once, and each use case is drawn with an actor or another use case."""
    diagram = next(one for one in of("flowchart") if "«include»" in one)
    cases = dict(re.findall(r"^\s+(\w+)\(\[(.+)\]\)$", diagram, re.M))
    table = re.findall(r"^\| ([^|]+) \| ([^|]+) \| [^|]+ \|$", TEXT.split("## Packages")[0], re.M)[1:]
    assert sorted(cases.values()) == sorted(name for name, _ in table)
    told = [command for _, cell in table for command in re.findall(r"`(\w+)`", cell)]
    assert sorted(told) == sorted(commands())
    ends = set(re.findall(r"\w+", " ".join(line for line in diagram.splitlines() if "---" in line or ".->" in line)))
    assert set(cases) <= ends


@pytest.mark.parametrize("diagram", of("sequenceDiagram"), ids=range(len(of("sequenceDiagram"))))
def test_what_lifelines_say_to_each_other_can_be_said(diagram: str) -> None:
    """UD RNF2: between processes a message of the protocol, within one a method of the class at the arrow's head."""
    said = MESSAGE.findall(diagram)
    assert len(said) == len(re.findall(r">>\w+:", diagram)), "each arrow is understood"
    tags = commands() | {str(one.__struct_config__.tag) for one in subclasses(Notification)}
    tags |= {str(one.__struct_config__.tag) for one in get_args(messages.MatchEvent)}
    functions = set(re.findall(r"\bdef (\w+)\(", sources()))
    for message, call in said:
        assert message in (functions if call else tags | NO_MESSAGES), message
    for name in re.findall(r"participant \w+ as \w+ : (\w+)", diagram):
        assert re.search(rf"^class {name}\b", sources(), re.M), name


def test_states_and_artifacts_are_there() -> None:
    """UD RNF2: the states of a session are those of the code; what is deployed is a file, or a program of ours."""
    states = set(re.findall(r"\b[A-Z]{3,}\b", of("stateDiagram")[0]))
    assert states == {state.name for state in State}
    scripts = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    diagram = next(one for one in of("flowchart") if "«artifact»" in one)
    artifacts = [found.split(":")[0].split(" (")[0] for found in re.findall(r"«artifact» ([^\"]+)\"", diagram)]
    assert len(artifacts) >= 6
    for artifact in artifacts:
        assert (ROOT / artifact).exists() or f"\n{artifact} = " in scripts or artifact == "workers of the computer", (
            artifact
        )
