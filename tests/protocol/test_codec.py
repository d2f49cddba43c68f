"""Messages to bytes and back: what was sent is what is read, and what is no message is refused with the right code."""

from __future__ import annotations

import contextlib
import json
from typing import Any

import msgpack
import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from protocol import limits
from protocol.codec import CODECS, JSON, MSGPACK, Codec
from protocol.errors import BadMessage, Code
from protocol.messages import COMMANDS, NOTIFICATIONS, Create, Hello, Message, Move, OptionValue, Ping, Pong
from server.games import load_catalogue
from server.match.events import Created
from server.match.machine import open_match
from server.match.views import snapshot
from tests.forms import generated
from tests.protocol.strategies import messages

CLASSES = {**COMMANDS, **NOTIFICATIONS}
every_class = pytest.mark.parametrize("cls", CLASSES.values(), ids=CLASSES)
every_codec = pytest.mark.parametrize("codec", CODECS.values(), ids=CODECS)


def wire(codec: Codec, value: Any) -> bytes | str:
    """`value` as bytes of the codec, whether or not it is a message."""
    return json.dumps(value) if codec.text else msgpack.packb(value)


def frame(codec: Codec, message: Message) -> bytes | str:
    """`message` as the receiving side gets it."""
    data = codec.encode(message)
    return data.decode() if codec.text else data


def decode(codec: Codec, data: bytes | str, cls: type[Message]) -> Message:
    """`data` read as a message of the direction that `cls` belongs to."""
    read = codec.decode_command if cls in COMMANDS.values() else codec.decode_notification
    return read(data)


def refused(codec: Codec, data: bytes | str) -> BadMessage:
    """Why `data` is no command."""
    with pytest.raises(BadMessage) as caught:
        codec.decode_command(data)
    return caught.value


# There and back -------------------------------------------------------------------------------------------------------


@every_class
@every_codec
@generated(full=15, short=5)
@given(data=st.data())
def test_round_trip(codec: Codec, cls: type[Message], data: st.DataObject) -> None:
    message = data.draw(messages(cls))
    back = decode(codec, frame(codec, message), cls)
    assert back == message
    assert type(back) is cls


@every_class
@every_codec
@generated(full=4, short=2)
@given(data=st.data())
def test_unknown_fields_are_ignored(codec: Codec, cls: type[Message], data: st.DataObject) -> None:
    """Either side may be newer: what it adds is passed over."""
    message = data.draw(messages(cls))
    plain = {**msgspec.to_builtins(message), "added_in_version_2": {"a": [1, 2]}, "another": None}
    assert decode(codec, wire(codec, plain), cls) == message


@every_class
@every_codec
def test_a_message_of_the_other_direction_is_unknown(codec: Codec, cls: type[Message]) -> None:
    data = wire(codec, {"type": cls.__struct_config__.tag, "ref": "r"})
    read = codec.decode_notification if cls in COMMANDS.values() else codec.decode_command
    with pytest.raises(BadMessage) as caught:
        read(data)
    assert caught.value.code == Code.UNKNOWN_MESSAGE


@every_codec
def test_what_is_left_out_has_its_default(codec: Codec) -> None:
    assert codec.decode_command(wire(codec, {"type": "hello", "ref": "r"})) == Hello(ref="r")
    assert codec.decode_command(wire(codec, {"type": "create", "ref": "r", "game": "g"})) == Create(ref="r", game="g")


def test_both_codecs_carry_the_same_names_and_values() -> None:
    """A client may be moved from one to the other without other changes."""
    message = Move(ref="r", match="m", version=7, move="a1-b1")
    assert msgpack.unpackb(MSGPACK.encode(message)) == json.loads(JSON.encode(message))


def test_the_codecs_are_found_by_their_subprotocols() -> None:
    assert {limits.SUBPROTOCOL_MSGPACK: MSGPACK, limits.SUBPROTOCOL_JSON: JSON} == CODECS


# Moves, which are read in one step ------------------------------------------------------------------------------------

MOVE = {"type": "move", "ref": "r", "match": "m", "version": 7, "move": "a1-b1"}
SCALARS: tuple[Any, ...] = (
    None, True, 0, 7, -1, 1.0, 7.5, 2**53, 2**63, "", "7", "x" * 70, "move", "ping", [], [1], {}, {"a": 1}, "é", "\x00",
)  # fmt: skip
pairs = st.tuples(st.sampled_from([*MOVE, "more"]), st.sampled_from(SCALARS))


def in_three_steps(codec: Codec, data: bytes | str) -> Message | str:
    """What is read of any command, or the code of the refusal and all that is told with it."""
    try:
        return codec._decode(data, COMMANDS, limits.MAX_COMMAND_BYTES)
    except BadMessage as error:
        return f"{error.code} {error.data}"


def in_one_step(codec: Codec, data: bytes | str) -> Message | str:
    """The same, as it is read."""
    try:
        return codec.decode_command(data)
    except BadMessage as error:
        return f"{error.code} {error.data}"


def written(codec: Codec, entries: list[tuple[str, Any]]) -> bytes | str:
    """A map of these entries in this order, keys as often as they come."""
    if codec.text:
        return "{" + ",".join(f"{json.dumps(key)}:{json.dumps(value)}" for key, value in entries) + "}"
    return bytes([0x80 + len(entries)]) + b"".join(msgpack.packb(key) + msgpack.packb(value) for key, value in entries)


@every_codec
@settings(max_examples=300, deadline=None, database=None)
@given(changes=st.lists(pairs, max_size=4), twice=st.booleans(), left_out=st.sampled_from([None, *MOVE]))
def test_one_step_reads_what_three_steps_read(
    codec: Codec, changes: list[tuple[str, Any]], twice: bool, left_out: str | None
) -> None:
    """H6: a move read at once is the same, and what is none is refused in the same words; a key may come twice."""
    plain = [(key, value) for key, value in MOVE.items() if key != left_out]
    entries = [*plain, *changes] if twice else list({**dict(plain), **dict(changes)}.items())
    data = written(codec, entries)
    assert in_one_step(codec, data) == in_three_steps(codec, data)


@every_codec
@settings(max_examples=200, deadline=None, database=None)
@given(places=st.lists(st.tuples(st.integers(0, 60), st.integers(0, 255)), min_size=1, max_size=3))
def test_a_spoilt_move_is_read_the_same_in_one_step(codec: Codec, places: list[tuple[int, int]]) -> None:
    data = bytearray(codec.encode(Move(ref="r", match="m", version=70_000, move="a1-b1")))
    for place, byte in places:
        data[place % len(data)] = byte % 128 if codec.text else byte
    given_data = data.decode() if codec.text else bytes(data)
    assert in_one_step(codec, given_data) == in_three_steps(codec, given_data)


REQUIRED = {"version": 7, "ply": 7, "accept": True, "kind": "draw"}
"""Values of fields that are no text, and must be there."""
ALL_COMMANDS: tuple[type[Message], ...] = tuple(COMMANDS.values())


@every_codec
@generated(full=1_000, short=100)
@given(data=st.data())
def test_any_command_is_read_the_same_in_one_step(codec: Codec, data: st.DataObject) -> None:
    """H6: well written, with fields left out, of another kind or unknown, and with bytes of it spoilt."""
    plain = msgspec.to_builtins(data.draw(messages(data.draw(st.sampled_from(ALL_COMMANDS)))))
    names = st.sampled_from([*plain, "more"])
    plain |= data.draw(st.dictionaries(names, st.sampled_from(SCALARS), max_size=2))
    for name in data.draw(st.sets(names, max_size=2)):
        plain.pop(name, None)
    frames = [wire(codec, plain)]
    spoilt = bytearray(frames[0].encode() if isinstance(frames[0], str) else frames[0])
    spoilt[data.draw(st.integers(0, len(spoilt) - 1))] = data.draw(st.integers(0, 127 if codec.text else 255))
    if not codec.text:
        frames.append(bytes(spoilt))
    elif spoilt.isascii():
        frames.append(spoilt.decode())
    for each in frames:
        assert in_one_step(codec, each) == in_three_steps(codec, each)


@every_codec
@pytest.mark.parametrize("cls", ALL_COMMANDS, ids=lambda cls: cls.__name__)
def test_what_is_read_in_one_step(codec: Codec, cls: type[Message]) -> None:
    """Every command that has nothing unknown in it; a clock may have, and goes the long way."""
    names = [field.name for field in msgspec.structs.fields(cls) if field.required]
    required: dict[str, Any] = {"type": cls.__struct_config__.tag, **{name: REQUIRED.get(name, "x") for name in names}}
    read = codec.command_in(wire(codec, required))
    assert read == in_three_steps(codec, wire(codec, required))
    assert type(read) is cls
    assert codec.command_in(wire(codec, {**required, "more": 1})) is None
    if "clock" in cls.__struct_fields__:
        timed = wire(codec, {**required, "clock": {"total_ms": 60_000, "more": 1}})
        assert codec.command_in(timed) is None
        assert type(codec.decode_command(timed)) is cls


@every_codec
def test_a_move_is_one_of_the_commands(codec: Codec) -> None:
    read = codec.decode_command(frame(codec, Move(ref="r", match="m", version=7, move="a1-b1")))
    assert type(read) is Move


@every_class
@settings(max_examples=10, deadline=None, database=None)
@given(data=st.data())
def test_what_is_sent_is_read_alike_by_the_msgpack_library(cls: type[Message], data: st.DataObject) -> None:
    """Another library reads the same, so one may take the other's place; it takes no more bytes for it.

    (But for two: of a class with more than fifteen fields msgspec leaves room to count them all.)
    """
    message = data.draw(messages(cls))
    sent, plain = MSGPACK.encode(message), msgspec.to_builtins(message)
    assert msgpack.unpackb(sent) == msgpack.unpackb(msgpack.packb(plain)) == msgspec.msgpack.decode(sent)
    assert len(sent) <= len(msgpack.packb(plain)) + 2


# Limits ---------------------------------------------------------------------------------------------------------------


def padded(codec: Codec, size: int) -> bytes | str:
    """A valid ping of exactly `size` bytes, by an unknown field."""
    for pad in range(size, 0, -1):
        data = wire(codec, {"type": "ping", "ref": "r", "pad": "x" * pad})
        if len(data) == size:
            return data
    raise AssertionError(size)


@every_codec
def test_size_limit_is_exact(codec: Codec) -> None:
    """G10: one byte more is one too many."""
    assert codec.decode_command(padded(codec, limits.MAX_COMMAND_BYTES)) == Ping(ref="r")
    error = refused(codec, padded(codec, limits.MAX_COMMAND_BYTES + 1))
    assert error.code == Code.TOO_LARGE
    assert str(limits.MAX_COMMAND_BYTES) in str(error)


@every_codec
def test_a_notification_may_be_larger(codec: Codec) -> None:
    assert limits.MAX_NOTIFICATION_BYTES > limits.MAX_COMMAND_BYTES
    plain = {"type": "pong", "ref": "r", "now_ms": 1, "pad": "x" * (limits.MAX_NOTIFICATION_BYTES - 100)}
    assert codec.decode_notification(wire(codec, plain)) == Pong(ref="r", now_ms=1)
    with pytest.raises(BadMessage) as caught:
        codec.decode_notification(wire(codec, {**plain, "more": "x" * 100}))
    assert caught.value.code == Code.TOO_LARGE


def nested(levels: int) -> Any:
    """A list `levels` deep."""
    value: Any = []
    for _ in range(levels - 1):
        value = [value]
    return value


@every_codec
def test_depth_limit_is_exact(codec: Codec) -> None:
    ping = {"type": "ping", "ref": "r"}
    assert codec.decode_command(wire(codec, {**ping, "pad": nested(limits.MAX_DEPTH - 1)})) == Ping(ref="r")
    for levels in (limits.MAX_DEPTH, 100, 500):
        error = refused(codec, wire(codec, {**ping, "pad": nested(levels)}))
        assert error.code == Code.TOO_DEEP
        assert error.data == {"limit": limits.MAX_DEPTH}


def test_as_deep_as_a_command_can_be() -> None:
    """No recursion that bytes from outside can drive."""
    room = limits.MAX_COMMAND_BYTES - 40
    deep = b"\x83" + msgpack.packb("type") + msgpack.packb("ping") + msgpack.packb("ref") + msgpack.packb("r")
    assert refused(MSGPACK, deep + msgpack.packb("pad") + b"\x91" * room).code in (Code.TOO_DEEP, Code.MALFORMED)
    assert refused(MSGPACK, deep + msgpack.packb("pad") + b"\x91" * room + b"\xc0").code == Code.TOO_DEEP
    half = room // 2
    assert refused(JSON, '{"type":"ping","ref":"r","p":' + "[" * half + "]" * half + "}").code == Code.TOO_DEEP
    assert refused(JSON, "[" * limits.MAX_COMMAND_BYTES).code in (Code.TOO_DEEP, Code.MALFORMED)


def test_item_limit_is_exact() -> None:
    """Small on the wire is not allowed to be big in memory."""
    ping = {"type": "ping", "ref": "r"}
    assert MSGPACK.decode_command(msgpack.packb({**ping, "pad": [0] * limits.MAX_ITEMS})) == Ping(ref="r")
    assert refused(MSGPACK, msgpack.packb({**ping, "pad": [0] * (limits.MAX_ITEMS + 1)})).code == Code.MALFORMED


def test_heads_within_heads() -> None:
    """H6, H7: what each promises is within the bound, and all together would be sixteen megabytes."""
    head = b"\xdc" + limits.MAX_ITEMS.to_bytes(2, "big")
    assert refused(MSGPACK, head * 1_000).code == Code.MALFORMED
    assert MSGPACK.decode_command(msgpack.packb({"type": "ping", "ref": "r", "pad": [[0] * 16] * 30})) == Ping(ref="r")


@pytest.mark.parametrize("first", [0x700, 0x780, 0x7C0])
def test_no_letter_is_taken_for_a_head(first: int) -> None:
    """Syriac, Thaana and N'Ko are written with the bytes that heads of large arrays have."""
    letters = "".join(chr(first + step) for step in range(0x40)) * 10
    ping = {"type": "ping", "ref": "r", "pad": letters}
    assert MSGPACK.decode_command(msgpack.packb(ping)) == Ping(ref="r")


def test_a_whole_snapshot_fits_the_limits_of_a_notification() -> None:
    """The deepest message that we define is read by our own limits, with a wide board besides."""
    catalogue = load_catalogue()
    for game in catalogue.values():
        highest: dict[str, OptionValue] = {
            o.name: o.high for o in game.options if not o.choices and not isinstance(o.default, bool)
        }
        created = Created(
            at_ms=1, player="p", ref="r", game=game.name, options=highest, name="Ana", private=False,
            both_seats=True, seed=1,
        )  # fmt: skip
        shown = snapshot(open_match("m", created, catalogue), "p", str, 1)
        for codec in CODECS.values():
            assert codec.decode_notification(frame(codec, shown)) == shown
            assert len(codec.encode(shown)) < limits.MAX_NOTIFICATION_BYTES / 2, game.name


# What is no message ---------------------------------------------------------------------------------------------------


@every_codec
@pytest.mark.parametrize("value", [None, 1, 1.5, True, "hello", [], ["hello"], {}, {"ref": "r"}, {"type": 1}])
def test_not_a_map_with_a_type(codec: Codec, value: Any) -> None:
    assert refused(codec, wire(codec, value)).code == Code.NOT_A_MAP


@every_codec
def test_truncated_anywhere(codec: Codec) -> None:
    data = frame(codec, Move(ref="r", match="m", version=70_000, move="a1-b1"))
    for end in range(len(data)):
        # What is cut off after a whole value is that value: no map then.
        assert refused(codec, data[:end]).code in (Code.MALFORMED, Code.NOT_A_MAP)
    twice = data * 2
    assert refused(codec, twice).code == Code.MALFORMED


def test_the_other_kind_of_frame() -> None:
    assert refused(MSGPACK, JSON.encode(Ping(ref="r")).decode()).code == Code.MALFORMED
    assert refused(JSON, MSGPACK.encode(Ping(ref="r"))).code == Code.MALFORMED


@every_codec
def test_an_unknown_message_names_itself_and_the_command(codec: Codec) -> None:
    error = refused(codec, wire(codec, {"type": "fly" * 40, "ref": "r7"}))
    assert error.code == Code.UNKNOWN_MESSAGE
    assert error.data["ref"] == "r7"
    assert error.data["type"] == ("fly" * 40)[: limits.MAX_ID]


@every_codec
def test_a_wrong_field_is_named(codec: Codec) -> None:
    error = refused(codec, wire(codec, {"type": "move", "ref": "r", "match": "m", "version": "1", "move": "a1"}))
    assert error.code == Code.BAD_FIELD
    assert "version" in str(error)
    assert error.data["ref"] == "r"


@every_codec
@pytest.mark.parametrize("ref", [None, 5, "", "x" * (limits.MAX_REF + 1), ["r"], {}])
def test_a_ref_that_is_none(codec: Codec, ref: Any) -> None:
    """The sender is told as much of it as can be told."""
    error = refused(codec, wire(codec, {"type": "ping", "ref": ref}))
    assert error.code == Code.BAD_FIELD
    assert error.data["ref"] == (ref[: limits.MAX_REF] if isinstance(ref, str) else "")


def test_numbers_are_not_converted() -> None:
    """Strict: "1", true and 1.0 are no version; 2**53 and more is none either."""
    for version in ("1", True, None, 1.5, -1, 2**53, 2**63, 2**64 - 1, float("nan"), float("inf")):
        plain = {"type": "move", "ref": "r", "match": "m", "version": version, "move": "a1"}
        assert refused(MSGPACK, msgpack.packb(plain)).code == Code.BAD_FIELD, version


@settings(max_examples=300, deadline=None, database=None)
@given(data=st.binary(max_size=200))
def test_any_bytes_are_a_command_or_refused(data: bytes) -> None:
    """Nothing but BadMessage comes out, whatever goes in."""
    with contextlib.suppress(BadMessage):
        MSGPACK.decode_command(data)


@settings(max_examples=300, deadline=None, database=None)
@given(data=st.text(max_size=200))
def test_any_text_is_a_command_or_refused(data: str) -> None:
    with contextlib.suppress(BadMessage):
        JSON.decode_command(data)
