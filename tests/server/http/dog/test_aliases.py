"""T1: nobody is told another's id, and games do not notice."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.http.dog import aliases
from server.http.dog.wire import Player

IDS = st.lists(st.integers(10**11 + 10, 10**12 - 20).map(str), min_size=2, max_size=5, unique=True)


def players(ids: list[str]) -> list[Player]:
    return [(f"Player {number}", player) for number, player in enumerate(ids)]


@given(IDS)
def test_t1_each_sees_its_own_id_and_no_other(ids: list[str]) -> None:
    for viewer, own in enumerate(ids):
        seen = aliases.seen(players(ids), viewer)
        assert seen[viewer] == own
        assert len(set(seen)) == len(ids)
        assert set(seen) & set(ids) == {own}
        assert {len(known) for known in seen} == {len(own)}


@given(IDS)
def test_t1_ids_stand_in_one_order_for_everybody(ids: list[str]) -> None:
    """Some games let the lower id begin, as a number or as a text."""
    right = sorted(range(len(ids)), key=lambda place: int(ids[place]))
    for viewer in range(len(ids)):
        seen = aliases.seen(players(ids), viewer)
        assert sorted(range(len(ids)), key=lambda place: int(seen[place])) == right
        assert sorted(range(len(ids)), key=lambda place: seen[place]) == right


@pytest.mark.parametrize("ids", [["7", "8"], ["1", "155000000000"], ["a-b", "155000000000000"], ["0", "00"]])
def test_t1_ids_that_no_library_makes_are_told_apart(ids: list[str]) -> None:
    for viewer, own in enumerate(ids):
        seen = aliases.seen(players(ids), viewer)
        assert seen[viewer] == own
        assert len(set(seen)) == len(ids)
        assert not (set(seen) - {own}) & set(ids)


def test_t1_ids_within_moves_are_those_that_each_knows() -> None:
    """Seen in the wild: whose turn it is as an id, hands by id, an id as a number, JSON within JSON."""
    table = players(["155000000007", "155000000003", "155000000005"])
    views = [aliases.seen(table, place) for place in range(3)]

    def said_by(view: list[str]) -> dict[str, Any]:
        return {
            "turn": view[1],
            "hands": {view[0]: [1], view[2]: {"of": view[0]}},
            "number": int(view[2]),
            "text": f'{{"id": "{view[1]}"}}',
            "longer": f"9{view[1]}",
            "other": [True, None, 155, 0.5, "155"],
        }

    for sender, receiver in permutations(range(3), 2):
        written = aliases.said_again(said_by(views[sender]), views[sender], aliases.logged(table))
        assert not any(player in repr(written) for _, player in table if f"9{player}" not in repr(written))
        heard = aliases.said_again(written, aliases.logged(table), views[receiver])
        assert heard == {**said_by(views[receiver]), "longer": f"9{views[sender][1]}"}
        assert type(heard["number"]) is int
        assert heard["other"][0] is True


def test_t1_no_alias_is_the_id_of_a_program_that_could_be_running() -> None:
    """Ids are milliseconds since 2021-12-19: an alias is of years ago, or of years to come."""
    now = 156_000_000_000
    year = 365 * 86_400_000
    for known in aliases.seen(players([str(now), str(now + 1), str(now - 1)]), 0)[1:]:
        assert abs(int(known) - now) > year
