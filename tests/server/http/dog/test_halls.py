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
    hall = hall_of("Ana")
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


def test_started_tells_only_what_start_has_not_told() -> None:
    hall = paired(hall_of("Ana", "Bea"), "0", 2)
    assert halls.told_by_started(hall, "0") is hall
    told = halls.told_by_started(hall, "1")
    assert told.guests["1"].stage is Stage.TOLD_BY_STARTED
    assert halls.told_by_started(told, "1") is told


def test_a_pairing_is_kept_until_the_last_one_is_free() -> None:
    hall = paired(hall_of("Ana", "Bea"), "0", 2)
    one = halls.free(hall, "0", "m", 50)
    assert "m" in one.pairings
    assert halls.free(one, "0", "m", 60) is one
    none = halls.free(one, "1", "m", 70)
    assert not none.pairings
    assert [none.guests[player].came_ms for player in "01"] == [50, 70]


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
