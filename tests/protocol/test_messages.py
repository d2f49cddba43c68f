"""Every message class: named once, dated, documented."""

from __future__ import annotations

import typing

import msgspec
import pytest

from protocol import limits
from protocol.messages import (
    COMMANDS,
    NOTIFICATIONS,
    AnyCommand,
    AnyNotification,
    Challenge,
    Command,
    Create,
    MatchEvent,
    Message,
)

CLASSES = {**COMMANDS, **NOTIFICATIONS}
every_class = pytest.mark.parametrize("cls", CLASSES.values(), ids=CLASSES)


def subclasses(cls: type) -> set[type]:
    """All leaves below `cls`."""
    below: list[type] = cls.__subclasses__()
    return {leaf for child in below for leaf in subclasses(child)} or {cls}


def test_every_message_is_in_one_union() -> None:
    """A class that is in neither union could not be received by anybody."""
    assert subclasses(Command) == set(typing.get_args(AnyCommand)) == set(COMMANDS.values())
    assert subclasses(Message) - subclasses(Command) == set(typing.get_args(AnyNotification))
    assert len(CLASSES) == len(COMMANDS) + len(NOTIFICATIONS), "a tag stands for two messages"


@every_class
def test_every_message_says_since_when_it_is_there(cls: type[Message]) -> None:
    assert 1 <= cls.since <= limits.PROTOCOL_VERSION


@every_class
def test_every_message_is_documented_frozen_and_tagged(cls: type[Message]) -> None:
    assert (cls.__doc__ or "").strip()
    assert cls.__doc__ != Message.__doc__
    config = cls.__struct_config__
    assert config.frozen
    assert config.tag_field == "type"
    assert "type" not in cls.__struct_fields__
    assert not config.forbid_unknown_fields, "either side may be newer"


@pytest.mark.parametrize("cls", COMMANDS.values(), ids=COMMANDS)
def test_every_command_has_a_bounded_ref_and_bounded_fields(cls: type[Command]) -> None:
    for field in msgspec.structs.fields(cls):
        if field.name == "ref":
            assert field.required
        for kind in _kinds(msgspec.inspect.type_info(field.type)):
            if isinstance(kind, msgspec.inspect.StrType):
                assert kind.max_length is not None, field.name
            if isinstance(kind, msgspec.inspect.IntType):
                assert kind.le is not None, field.name
                assert kind.ge is not None, field.name
            if isinstance(kind, msgspec.inspect.DictType):
                assert kind.max_length is not None, field.name


def _kinds(kind: msgspec.inspect.Type) -> list[msgspec.inspect.Type]:
    # The keys and values of options are judged by the game, within the bound of the whole command.
    return (
        [part for inner in kind.types for part in _kinds(inner)]
        if isinstance(kind, msgspec.inspect.UnionType)
        else [kind]
    )


@pytest.mark.parametrize("cls", sorted(subclasses(MatchEvent), key=str), ids=lambda cls: cls.__name__)
def test_every_event_has_match_version_and_time(cls: type[MatchEvent]) -> None:
    required = {field.name for field in msgspec.structs.fields(cls) if field.required}
    assert {"match", "version", "at_ms"} <= required


def test_no_command_names_who_sends_it() -> None:
    """I5: identity comes from the connection; there is no field in which it could be claimed.

    Where one sits in a match that one makes, or asks for, is a choice: it says nothing of who one is.
    """
    for cls in COMMANDS.values():
        claims = {"player", "colour", "you", "sender", *([] if cls in (Create, Challenge) else ["seat"])}
        assert not claims & set(cls.__struct_fields__), cls


def test_every_limit_is_a_positive_number() -> None:
    names = [name for name in vars(limits) if name.startswith("MAX_")]
    assert len(names) > 10
    assert all(isinstance(getattr(limits, name), int) and getattr(limits, name) > 0 for name in names)
