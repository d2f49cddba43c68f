"""The page that says which test shows which requirement is made from the tests."""

from __future__ import annotations

import pytest

from scripts.requirements_page import PAGE, PARTLY, in_name, named, page, place, rows


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("DB 7.3.2.1 to 7.3.2.3.", ["7.3.2.1", "7.3.2.2", "7.3.2.3"]),
        ("CK R5 to R8, R10.1: over 2 connections", ["R5", "R6", "R7", "R8", "R10.1"]),
        ("`DB 7.3.3.1`, `8.2`, `RU-M8`", ["7.3.3.1", "8.2"]),
        ("HX SR4.E1, SR4.E2.", ["SR4.E1", "SR4.E2"]),
        ("HX must move, and then 5 more", ["must move"]),
        ("SQ2, SQ5, DB 8.3: any game", ["8.3", "SQ2", "SQ5"]),
        ("RU-DB5, RU-HX1: the sizes", []),
        ("UD RF4; within 30 s", ["RF4"]),
    ],
)
def test_numbers_are_found_in_a_docstring(text: str, numbers: list[str]) -> None:
    assert [number for _, number in named(text)] == numbers


def test_numbers_are_found_in_the_names_of_the_rules_tests() -> None:
    where = "tests/server/games/test_checkers_ends.py::"
    assert in_name(where, "test_r4_1_a_player_without_pieces_loses") == "CK R4.1"
    assert in_name(where.replace("checkers_ends", "square"), "test_l10_sq4_completing_a_box") == "SQ4"
    assert in_name(where.replace("checkers_ends", "dots_and_boxes"), "test_7_2_1_2_the_fourth_side") == "DB 7.2.1.2"
    assert in_name(where, "test_the_computer_wins_at_once") == ""
    assert in_name("tests/hub/test_seats.py", "test_r4_1_whatever") == ""


def test_ranges_in_a_row_stand_for_each_of_them() -> None:
    by_cell = {row.cell: row for row in rows(PAGE.read_text(encoding="utf-8"))}
    assert by_cell["R5.1 - R5.6"].is_met_by("R5.4")
    assert by_cell["R5.1 - R5.6"].is_met_by("R5")
    assert not by_cell["R2.1"].is_met_by("R2.2")
    assert not by_cell["R10.1"].is_met_by("R1")
    assert by_cell["SR1, SR1.1 - SR1.3"].is_met_by("SR1.2")
    assert by_cell["7.3.1.6, 7.3.1.7"].is_met_by("7.3.1.7")


@pytest.mark.parametrize(
    ("test", "where"),
    [
        ("tests/browser/arriving/test_ways.py::test_a", "page"),
        ("tests/client/window/test_match.py::test_a", "window"),
        ("tests/client/terminal/test_playing.py::test_a", "terminal"),
        ("tests/client/shown/test_model.py::test_a", "all clients"),
        ("tests/server/games/test_square.py::test_a", "rules"),
        ("tests/server/match/test_offers.py::test_a", "hub"),
        ("tests/test_packages.py::test_a", "package"),
        ("tests/test_design.py::test_a", "document"),
    ],
)
def test_a_test_is_named_with_where_it_looks(test: str, where: str) -> None:
    assert place(test) == where


def test_what_is_met_in_part_says_so_and_is_counted_apart() -> None:
    text = PAGE.read_text(encoding="utf-8")
    names = {row.name for row in rows(text)}
    assert set(PARTLY) <= names
    cells = [line for line in text.splitlines() if "| **partly**: " in line]
    assert len(cells) == len(PARTLY)
    assert f"In part: {len(PARTLY)}." in text


def test_the_page_is_up_to_date() -> None:
    """`python -m scripts.requirements_page` rewrites it."""
    assert PAGE.read_text(encoding="utf-8") == page()
