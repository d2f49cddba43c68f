"""Hypothesis strategies for any message, worked out from its fields' types, so that a new message is tested unasked."""

from __future__ import annotations

from dataclasses import dataclass
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


@dataclass(frozen=True)
class Pool:
    """Texts and numbers that are worth a try, beside any others."""

    texts: tuple[str, ...] = ()
    integers: tuple[int, ...] = ()
    floats: tuple[float, ...] = ()

    def text(self, shortest: int, longest: int) -> st.SearchStrategy[str]:
        """One of them where it may stand, or any."""
        fitting = [text for text in self.texts if shortest <= len(text) <= longest]
        anyhow = st.text(min_size=shortest, max_size=longest)
        return st.sampled_from(fitting) | anyhow if fitting else anyhow

    def integer(self, low: int, high: int) -> st.SearchStrategy[int]:
        """The same for whole numbers."""
        fitting = [number for number in self.integers if low <= number <= high]
        return st.sampled_from(fitting) | st.integers(low, high) if fitting else st.integers(low, high)

    def number(self) -> st.SearchStrategy[float]:
        """The same for other numbers."""
        anyhow = st.floats(allow_nan=False, allow_infinity=False)
        return st.sampled_from(self.floats) | anyhow if self.floats else anyhow


def messages(cls: type[msgspec.Struct], pool: Pool | None = None) -> st.SearchStrategy[Any]:
    """Any value of `cls` that its type allows."""
    return _struct(inspect.type_info(cls), pool if pool is not None else Pool())


def changed(base: msgspec.Struct, pool: Pool) -> st.SearchStrategy[Any]:
    """`base` with one or two of its fields as anything that their types allow."""
    info = inspect.type_info(type(base))
    assert isinstance(info, inspect.StructType)
    fields = {field.name: _value(field.type, pool) for field in info.fields}
    one = st.sampled_from(sorted(fields)).flatmap(lambda name: st.tuples(st.just(name), fields[name]))
    return st.lists(one, min_size=1, max_size=2).map(lambda pairs: msgspec.structs.replace(base, **dict(pairs)))


def _struct(info: inspect.Type, pool: Pool) -> st.SearchStrategy[Any]:
    assert isinstance(info, inspect.StructType)
    return st.builds(info.cls, **{field.name: _value(field.type, pool) for field in info.fields})


def _value(info: inspect.Type, pool: Pool) -> st.SearchStrategy[Any]:
    match info:
        case inspect.AnyType():
            return _anything.filter(lambda value: value not in (float("inf"), float("-inf")))
        case inspect.NoneType():
            return st.none()
        case inspect.BoolType():
            return st.booleans()
        case inspect.IntType(ge=low, le=high):
            return pool.integer(-INT64 if low is None else low, INT64 - 1 if high is None else high)
        case inspect.FloatType():
            return pool.number()
        case inspect.StrType(min_length=shortest, max_length=longest):
            return pool.text(shortest or 0, min(LONGEST_TEXT, longest or LONGEST_TEXT))
        case inspect.LiteralType(values=values):
            return st.sampled_from(list(values))
        case inspect.EnumType(cls=cls):
            return st.sampled_from(list(cls))
        case inspect.UnionType(types=types):
            return st.one_of([_value(kind, pool) for kind in types])
        case inspect.DictType(key_type=key, value_type=value):
            return st.dictionaries(_value(key, pool), _value(value, pool), max_size=FEW)
        case inspect.VarTupleType(item_type=item):
            return st.lists(_value(item, pool), max_size=FEW).map(tuple)
        case inspect.TupleType(item_types=items):
            return st.tuples(*[_value(item, pool) for item in items])
        case inspect.StructType():
            return _struct(info, pool)
        case _:
            raise NotImplementedError(f"no strategy for {info}")
