"""In which order the tests are handed out."""

from __future__ import annotations

from tests.distribution import WAITED, in_order, scope

WAITING = [f"tests/faults/hubs/test_kills.py::test_k{number}" for number in range(40)]
COMPUTING = ["tests/browser/playing/test_hands.py", *(f"tests/server/games/test_{number}.py" for number in range(70))]
LONG = "tests/test_packages.py"


def test_a_file_stays_together_and_trials_go_one_by_one() -> None:
    assert scope("tests/hub/test_chat.py::test_a[1]") == scope("tests/hub/test_chat.py::test_b") != scope(WAITING[0])
    assert len(set(map(scope, WAITING))) == len(WAITING)


def test_the_longest_come_first_and_both_kinds_are_there_to_the_end() -> None:
    """Each part of the time of each kind stands in the same part of the order; the end is kept for computing."""
    order = in_order([*WAITING, *COMPUTING, LONG])
    assert sorted(order) == sorted([*WAITING, *COMPUTING, LONG])
    assert order[0] == LONG
    assert order.index("tests/browser/playing/test_hands.py") < 3
    last = max(order.index(name) for name in WAITING)
    assert WAITED - 0.1 < last / len(order) < WAITED + 0.1
    for part in range(1, 5):
        begun = order[: last * part // 4]
        assert abs(sum(name in WAITING for name in begun) - len(WAITING) * part / 4) < 5
