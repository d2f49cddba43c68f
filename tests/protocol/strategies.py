"""Hypothesis strategies for any message, worked out from its fields' types, so that a new message is tested unasked."""

from __future__ import annotations

from typing import Any

import msgspec
from hypothesis import strategies as st
from msgspec import inspect

FEW = 4
"""Entries of a collection: enough for the codec, and small enough for the limits."""
LONGEST_TEXT = 30
INT64 = 2**63

_anything = (
    st.none() | st.booleans() | st.integers(-INT64, INT64 - 1) | st.floats(allow_nan=False) | st.text(max_size=10)
)


def messages(cls: type[msgspec.Struct]) -> st.SearchStrategy[Any]:
    """Any value of `cls` that its type allows."""
    return _struct(inspect.type_info(cls))


def _struct(info: inspect.Type) -> st.SearchStrategy[Any]:
    assert isinstance(info, inspect.StructType)
    return st.builds(info.cls, **{field.name: _value(field.type) for field in info.fields})


def _value(info: inspect.Type) -> st.SearchStrategy[Any]:
    match info:
        case inspect.AnyType():
            return _anything.filter(lambda value: value not in (float("inf"), float("-inf")))
        case inspect.NoneType():
            return st.none()
        case inspect.BoolType():
            return st.booleans()
        case inspect.IntType(ge=low, le=high):
            return st.integers(-INT64 if low is None else low, INT64 - 1 if high is None else high)
        case inspect.FloatType():
            return st.floats(allow_nan=False, allow_infinity=False)
        case inspect.StrType(min_length=shortest, max_length=longest):
            return st.text(min_size=shortest or 0, max_size=min(LONGEST_TEXT, longest or LONGEST_TEXT))
        case inspect.LiteralType(values=values):
            return st.sampled_from(list(values))
        case inspect.EnumType(cls=cls):
            return st.sampled_from(list(cls))
        case inspect.UnionType(types=types):
            return st.one_of([_value(kind) for kind in types])
        case inspect.DictType(key_type=key, value_type=value):
            return st.dictionaries(_value(key), _value(value), max_size=FEW)
        case inspect.VarTupleType(item_type=item):
            return st.lists(_value(item), max_size=FEW).map(tuple)
        case inspect.TupleType(item_types=items):
            return st.tuples(*[_value(item) for item in items])
        case inspect.StructType():
            return _struct(info)
        case _:
            raise NotImplementedError(f"no strategy for {info}")
