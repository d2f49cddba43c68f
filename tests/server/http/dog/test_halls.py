"""Who is registered and paired, as values."""

from __future__ import annotations

import pytest

from server.http.dog import halls
from server.http.dog.halls import Full, Guest, Hall, Pairing, Stage

TABLE = Pairing("table", 5, ())


def alive(player: str, guest: Guest) -> bool:
    return not guest.name.startswith("gone")


def hall_of(*names: str) -> Hall:
    hall = Hall()
    for number, name in enumerate(names):
        hall = halls.register(hall, str(number), name, number, alive)
        hall = halls.at_stage(hall, str(number), "", Stage.ASKING, number)
    return hall


def paired(hall: Hall, player: str, count: int) -> Hall:
    made = halls.pair(hall, player, count, "m", TABLE, alive)
    assert made is not None
    return made


def test_an_id_is_free_again_when_its_player_is_gone() -> None:
    hall = hall_of("Ana", "gone")
    with pytest.raises(Full):
        halls.register(hall, "0", "Bea", 9, alive)
    assert halls.register(hall, "1", "Bea", 9, alive).guests["1"].name == "Bea"


def test_sent_again_a_registration_is_the_same() -> None:
    hall = halls.register(Hall(), "0", "Ana", 0, alive)
    assert halls.register(hall, "0", "Ana", 0, alive) is hall


def test_a_hall_has_an_end() -> None:
    hall = hall_of(*("Ana",) * halls.MAX_GUESTS)
    with pytest.raises(Full):
        halls.register(hall, "one more", "Bea", 1, alive)


def test_those_who_have_waited_longest_are_paired_after_the_requester() -> None:
    hall = paired(hall_of("Ana", "gone", "Bea", "Cau", "Duda"), "3", 3)
    assert hall.pairings["m"].players == (("Cau", "3"), ("Ana", "0"), ("Bea", "2"))
    assert [hall.guests[player].match for player in "01234"] == ["m", "", "m", "m", ""]
    assert [hall.guests[player].stage for player in "03"] == [Stage.UNTOLD, Stage.TOLD_BY_START]


def test_who_plays_is_paired_with_nobody() -> None:
    hall = paired(hall_of("Ana", "Bea", "Cau"), "0", 2)
    assert halls.pair(hall, "2", 2, "n", TABLE, alive) is None


def test_t1_only_who_asks_for_a_match_is_drafted() -> None:
    """T1: a guest at any other stage holds an old match for being played, or has not polled at all."""
    for stage in set(Stage) - {Stage.ASKING}:
        hall = halls.at_stage(hall_of("Ana", "Bea"), "1", "", stage, 9)
        assert halls.pair(hall, "0", 2, "m", TABLE, alive) is None, stage
        assert halls.pair(hall, "1", 2, "m", TABLE, alive) is not None, stage


def test_t1_those_who_linger_are_recalled_when_they_are_wanted() -> None:
    hall = halls.at_stage(hall_of("Ana", "Bea"), "1", "", Stage.LINGERING, 9)
    assert halls.recall(hall, (), 10).guests["1"].stage is Stage.OUSTED
    assert halls.recall(hall_of("Ana"), (), 10) == hall_of("Ana")


def test_t6_who_has_not_heard_the_end_is_recalled_after_it() -> None:
    hall = paired(hall_of("Ana", "Bea"), "0", 2)
    called = halls.recall(hall, {"m"}, 10)
    assert halls.recall(called, {"m"}, 11) is called
    for recalled, before in ((True, called), (False, halls.recall(hall, (), 10))):
        after = halls.free(before, "0", "m", Stage.LINGERING, 12).guests["0"]
        assert (after.stage is Stage.OUSTED) is recalled
        assert not after.recalled
    assert halls.free(called, "0", "m", Stage.DONE, 12).guests["0"].stage is Stage.DONE


def test_a_pairing_is_kept_until_the_last_one_is_free() -> None:
    hall = paired(hall_of("Ana", "Bea"), "0", 2)
    one = halls.free(hall, "0", "m", Stage.DONE, 50)
    assert "m" in one.pairings
    assert halls.free(one, "0", "m", Stage.DONE, 60) is one
    none = halls.free(one, "1", "m", Stage.OUSTED, 70)
    assert not none.pairings
    assert [(none.guests[player].stage, none.guests[player].since_ms) for player in "01"] == [
        (Stage.DONE, 50), (Stage.OUSTED, 70),
    ]  # fmt: skip


def test_the_idle_who_are_lost_go_and_the_others_stay() -> None:
    hall = paired(hall_of("Ana", "Bea", "Cau"), "0", 2)
    assert halls.without(hall, {"0"}) is hall
    assert set(halls.without(hall, {"0", "2"}).guests) == {"0", "1"}


def test_the_stored_form_comes_back() -> None:
    hall = halls.seen(paired(hall_of("Ana", "Bea"), "0", 2), {"0": 77, "stranger": 1})
    assert hall.guests["0"].seen_ms == 77
    assert halls.decode(halls.encode(hall)) == hall
    assert halls.encode(Hall()) == b""
    assert halls.decode(b"") == Hall()
