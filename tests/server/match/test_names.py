# ruff: noqa: RUF001, RUF002 - letters that look like others are what this is about
"""Names by `RU-M9`, and the ones that cannot be seen or told apart (H14)."""

from __future__ import annotations

import json
import sys
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.errors import Code, Refusal
from protocol.limits import MAX_NAME_INPUT
from scripts import confusables_table
from server.match.confusables import ROWS
from server.match.names import MAX_COMBINING, MAX_NAME, clean_name, distinct_name, looks

SHOWN = {
    "Ana": "Ana",
    "  Ana  ": "Ana",
    "Ana  Maria": "Ana Maria",
    "Ana\u00a0Maria": "Ana Maria",  # no-break space
    "Ana\u3000Maria": "Ana Maria",  # ideographic space
    "Ana\tMaria\n": "Ana Maria",
    "A": "A",
    "7": "7",
    "x" * MAX_NAME: "x" * MAX_NAME,
    "João": "João",
    "Joa\u0303o": "João",  # decomposed, as macOS types it
    "Łukasz Żółć": "Łukasz Żółć",
    "Ελένη": "Ελένη",
    "Дмитрий": "Дмитрий",
    "李小龙": "李小龙",
    "ひろし": "ひろし",
    "ﾋﾛｼ": "ヒロシ",  # half width
    "김민준": "김민준",
    "नमिता": "नमिता",  # vowel signs are marks
    "สมชาย": "สมชาย",
    "مريم": "مريم",
    "שרה": "שרה",
    "O'Brien": "O'Brien",
    "Jean-Luc": "Jean-Luc",
    "snake_case": "snake_case",
    "Dr. No": "Dr. No",
    "\uff21\uff4e\uff41": "Ana",  # full width
    "ﬁne": "fine",  # a ligature
    "Ⅳ": "IV",
    "a\u0301\u0323": unicodedata.normalize("NFKC", "a\u0301\u0323"),
    "e" + "\u0302" * 2: unicodedata.normalize("NFKC", "e\u0302\u0302"),
    "-Ana-": "-Ana-",
    "...1": "...1",
}
"""What was typed, and the name it gives."""

REFUSED = {
    "nothing": "",
    "a space": " ",
    "no-break spaces only": "\u00a0\u00a0",
    "an ideographic space": "\u3000",
    "line ends only": "\r\n",
    "every space there is": "\u2000\u2003\u2009\u202f\u205f\u1680",
    "one character too many": "x" * (MAX_NAME + 1),
    "as long as may be sent": "x" * MAX_NAME_INPUT,
    "10,000 characters": "x" * 10_000,
    "long only after NFKC": "\ufdfa" * 2,  # one character that stands for eighteen
    "punctuation only": "-_.'",
    "a lone dot": ".",
    "zero-width space": "An\u200ba",
    "zero-width joiner": "An\u200da",
    "zero-width non-joiner": "An\u200ca",
    "only zero-width": "\u200b\u200b\u200b",
    "byte order mark": "\ufeffAna",
    "word joiner": "Ana\u2060",
    "soft hyphen": "An\u00ada",
    "right-to-left override": "\u202eanA",
    "left-to-right mark": "Ana\u200e",
    "isolates": "\u2067Ana\u2069",
    "Arabic letter mark": "Ana\u061c",
    "combining grapheme joiner": "An\u034fa",
    "variation selector": "Ana\ufe0f",
    "a later variation selector": "Ana\U000e0101",
    "Mongolian variation selector": "Ana\u180b",
    "Mongolian vowel separator": "Ana\u180e",
    "Khmer inherent vowel": "Ana\u17b5",
    "Hangul filler": "\u3164",
    "Hangul choseong filler": "\u115f",
    "Hangul jungseong filler": "\u1160\u1160",
    "half-width Hangul filler": "\uffa0",
    "a filler in the middle": "An\u3164a",
    "Braille blank": "\u2800",
    "tag characters": "Ana\U000e0041",
    "interlinear annotation": "Ana\ufff9",
    "three marks on one letter": "x\u0301\u0302\u0303",
    "200 marks": "Z" + "\u0335" * 200,
    "18 marks": "Z" + "\u0335" * 18,
    "marks first": "\u0301Ana",
    "marks only": "\u0301\u0302",
    "a mark on a space": "Ana \u0308b",
    "a mark on a hyphen": "Ana-\u0308b",
    "spacing diaeresis, which is a space with a mark": "Ana\u00a8b",
    "enclosing marks": "a\u20dd\u20dd\u20dd",
    "NUL": "Ana\x00",
    "escape": "\x1b[31mAna",
    "bell": "Ana\x07",
    "backspace": "Ana\x08\x08\x08Bea",
    "delete": "Ana\x7f",
    "C1 control": "Ana\x9b31m",
    "script": "<script>alert(1)",
    "an ampersand": "Ana&amp;",
    "quotation mark": 'Ana"',
    "braces": "{loser}",
    "percent": "%s",
    "slash": "a/b",
    "backslash": "a\\b",
    "colon": "a:b",
    "semicolon": "a;b",
    "at": "a@b",
    "hash": "a#b",
    "dollar": "$(id)",
    "backquote": "`id`",
    "asterisk": "a*b",
    "emoji": "Ana 😀",
    "flag": "🇧🇷",
    "box drawing": "a│b",
    "private use": "\ue000",
    "not assigned": "a\u0378",
    "replacement character": "\ufffd",
    "object replacement": "\ufffc",
    "typographic apostrophe": "O\u2019Brien",
    "soft dash": "Ana\u2014Bea",
    "ellipsis only": "…",
}

every_refused = pytest.mark.parametrize("typed", REFUSED.values(), ids=REFUSED)


@pytest.mark.parametrize(("typed", "shown"), SHOWN.items())
def test_shown(typed: str, shown: str) -> None:
    assert clean_name(typed) == shown


@every_refused
def test_refused(typed: str) -> None:
    """H14: what cannot be seen, or is no name, is refused in words."""
    with pytest.raises(Refusal) as caught:
        clean_name(typed)
    assert caught.value.code == Code.BAD_NAME


def test_there_are_80_of_them() -> None:
    """H14's figure."""
    assert len(REFUSED) + len(SHOWN) >= 80


@given(st.text(max_size=MAX_NAME_INPUT))
def test_a_name_that_is_shown_is_safe(typed: str) -> None:
    """Whatever was typed: visible, bounded, one line, nothing that controls a terminal or turns the text around."""
    try:
        name = clean_name(typed)
    except Refusal:
        return
    assert 1 <= len(name) <= MAX_NAME
    assert name == name.strip()
    assert "  " not in name
    assert not any(unicodedata.category(char)[0] == "C" for char in name)
    assert unicodedata.is_normalized("NFKC", name)
    assert clean_name(name) == name


@given(st.text(alphabet="ab\u0301\u0302\u0323 ", max_size=20))
def test_at_most_two_marks_a_letter(typed: str) -> None:
    try:
        name = clean_name(typed)
    except Refusal:
        return
    run = 0
    for char in name:
        run = run + 1 if unicodedata.combining(char) else 0
        assert run <= MAX_COMBINING


# Two of one name ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "other", "shown"),
    [
        ("Bea", "Ana", "Bea"),
        ("Ana", None, "Ana"),
        ("Ana", "Ana", "Ana 2"),
        ("ANA", "ana", "ANA 2"),
        ("straße", "STRASSE", "straße 2"),
        ("Σίσυφος", "ΣΊΣΥΦΟΣ", "Σίσυφος 2"),
        ("x" * 20, "x" * 20, "x" * 18 + " 2"),
        ("Ana 2", "Ana 2", "Ana 2 2"),
        ("a" * 17 + " 22", "a" * 17 + " 22", "a" * 17 + " 2"),
        # Cut to make room for the number, the name would be the other's again.
        ("A" * 18 + " 2", "a" * 18 + " 2", "A" * 18 + " 3"),
    ],
)
def test_the_second_of_one_name_gets_a_number(name: str, other: str | None, shown: str) -> None:
    """I7: players called the same can be told apart."""
    assert distinct_name(name, other) == shown


names = st.text(alphabet="aAbß 2İ", min_size=1, max_size=MAX_NAME)


@given(names, names)
def test_two_seats_never_show_one_name(first: str, second: str) -> None:
    try:
        first, second = clean_name(first), clean_name(second)
    except Refusal:
        return
    shown = distinct_name(second, first)
    assert shown.casefold() != first.casefold()
    assert clean_name(shown) == shown


ALIKE = {
    ("Ana", "ANA"),
    ("Ana", "\u0410n\u0430"),  # Cyrillic a, large and small
    ("Alice", "AIice"),  # a capital i for an l
    ("Alice", "A1ice"),
    ("Bob", "B0b"),
    ("Bob", "\u0392\u03bf\u0432"),  # Greek beta and omicron
    ("paypal", "\u0440\u0430\u0443\u0440\u0430\u04cf"),
    ("Ana", "\u0410n\u0430"),
    ("Nina", "\u039dina"),  # a capital nu alone
    ("Mario", "Rnario"),
    ("mario", "rnario"),
    ("Tom", "T0m"),
    ("Leo", "1eo"),
    ("Ole", "\u041el\u0435"),
    ("Joe", "\u0408\u043e\u0435"),
    ("Sisi", "\u0405\u0456\u0455\u0456"),
    ("Pax", "\u03a1\u03b1\u03c7"),  # chi is no x, but its capital is one
    ("Hans", "\u041d\u0430ns"),
    ("HANS", "\u041d\u0410N\u0405"),
    ("Kim", "\u039a\u0456m"),
    ("Eva", "\u0395v\u0430"),
    ("Vik", "\u2164ik"),  # a Roman numeral
    ("Cora", "\u216d\u043era"),
    ("Lisa", "\u216c\u0456sa"),
    ("Zoe", "\u0396o\u0435"),
    ("Yara", "\u03a5ara"),
    ("gabi", "\u0261abi"),  # a script g
    ("dora", "\u0501ora"),
    ("waldo", "\u051daldo"),
    ("Oskar", "\u0555skar"),  # Armenian
    ("Otto", "\u2c9etto"),  # Coptic
    ("Dana", "\u13a0ana"),  # Cherokee
    ("Ana", "\u15c5na"),  # Canadian syllabics
    ("Bob", "\ua4d0ob"),  # Lisu
    ("Ana", "\uff21\uff4e\uff41"),  # full width
    ("Ana", "\U0001d400\U0001d427\U0001d41a"),  # mathematical
    ("ヒロシ", "ﾋﾛｼ"),  # half width
    ("José", "Jose\u0301"),
    ("José", "Jos\u0435\u0301"),  # a Cyrillic e below the mark
    ("Ana\u0301", "\u0410n\u0430\u0301"),
    ("Анна", "АННА"),
    ("АННА", "AHHA"),
    ("анна", "ahha"),
    ("Борис", "БОРИС"),
    ("Бах", "БАХ"),
    ("Ελένη", "ΕΛΈΝΗ"),
    ("Жора", "Ж\u043ep\u0430"),
    ("Straße", "STRASSE"),
    ("Zoë", "ZOË"),
    ("Ana 10", "Ana l0"),
    ("Ana 2", "Ana \ua644"),
}
"""What people do in real life to be taken for somebody else, and one name in two spellings."""

DIFFERENT = {
    ("Ana", "Anna"), ("Ana", "Aná"), ("Ana", "Ana 2"), ("Иван", "Петр"), ("Ελένη", "Ρένα"), ("José", "Jose"),
    ("Zoe", "Zoë"), ("Jörg", "Jorg"), ("Ñuno", "Nuno"), ("Çelik", "Celik"), ("Łukasz", "Lukasz"), ("Ava", "Ana"),
    ("Ivan", "Иван"), ("Eve", "Ева"), ("Dan", "Ban"), ("Tim", "Tom"), ("Max", "Mex"), ("Bea", "Lea"), ("Uwe", "Ute"),
    ("Mia", "Nia"), ("Ole", "Ode"), ("Kim", "Tim"), ("Ana 2", "Ana 3"), ("Ana 12", "Ana 13"), ("李明", "李朋"),
    ("김민준", "김민중"), ("مريم", "كريم"), ("שרה", "שדה"), ("नमिता", "नमता"), ("ひろし", "ひろみ"), ("Вова", "Вера"),
    ("Νίκος", "Νίκη"), ("Дима", "Дина"), ("Саша", "Паша"), ("Maja", "Maya"), ("Jan", "Jana"), ("Vera", "Wera"),
}  # fmt: skip
"""Honest names: marks and letters that one sees tell them apart."""


@pytest.mark.parametrize(("one", "other"), sorted(ALIKE))
def test_names_that_look_alike_are_told_apart_by_a_number(one: str, other: str) -> None:
    """H14: two names that look the same cannot sit in one game unmarked."""
    assert looks(clean_name(one)) == looks(clean_name(other))
    assert distinct_name(clean_name(other), clean_name(one)).endswith(" 2")


@pytest.mark.parametrize(("one", "other"), sorted(DIFFERENT))
def test_names_that_look_different_stay(one: str, other: str) -> None:
    assert looks(one) != looks(other)
    assert distinct_name(one, other) == one


def test_case_makes_no_difference_in_any_alphabet() -> None:
    """RU-M9: but for letters of which the small and the capital one look like two different Latin ones, such as Greek
    ν and Ν: alone they are what is seen."""
    known = {"ν", "υ", "ύ", "ϋ", "ὑ", "ὓ", "ὕ", "ὗ", "ὺ", "ῠ", "ῡ", "ƽ", "ꮁ", *"ᾐᾑᾒᾓᾔᾕᾖᾗῃ", *"\U000118c4\U000118c6"}
    known |= {"\U000118d5", "\U000118dc"}
    found = set()
    for char in map(chr, range(sys.maxunicode + 1)):
        if unicodedata.category(char) == "Ll" and unicodedata.normalize("NFKC", char) == char:
            capital = char.upper()
            if len(capital) == 1 and unicodedata.normalize("NFKC", capital) == capital:
                found |= {char} if looks(char) != looks(capital) else set()
                # Within a name of that alphabet it makes none even so.
                assert looks("ж" + char) == looks("Ж" + capital)
    assert found <= known


def test_letters_and_digits_that_look_different_have_different_looks() -> None:
    alike: dict[str, set[str]] = {}
    for char in "abcdefghijklmnopqrstuvwxyz0123456789":
        alike.setdefault(looks(char), set()).add(char)
    assert [chars for chars in alike.values() if len(chars) > 1] == [{"i", "l", "1"}, {"o", "0"}]


def test_whatever_the_table_says_looks_latin_is_taken_for_that() -> None:
    """Q16: each character that looks like one or two letters or digits of ours, alone and within a name."""
    counted = 0
    for row in ROWS:
        prototype, _, sources = row.partition(":")
        shown = "".join(chr(int(code, 16)) for code in prototype.split("."))
        for code in sources.split() if shown.isalnum() and shown.isascii() else ():
            counted += 1
            for before, after in (("", ""), ("An", "a"), ("\u0430", "7")):
                assert looks(f"{before}{chr(int(code, 16))}{after}") == looks(f"{before}{shown}{after}"), code
    assert counted > 400


def test_the_table_is_made_as_its_script_makes_it() -> None:
    """Q16: from Unicode's own file, and from the package's that is made of it, alike; and rows are read as written."""
    text = "\ufeff# a comment\n0430 ;\t0061 ;\tMA\t# ( а → a )\n006D ;\t0072 006E ;\tMA\t#\n2264 ; 003C ; MA\n"
    pairs = confusables_table.from_text(text)
    assert pairs == {"а": "a", "m": "rn", "≤": "<"}
    assert list(confusables_table.rows(pairs)) == ["61: 430", "72.6e: 6d"], "no sign that no name may hold"
    package = {
        "а": [{"c": "a"}], "ɑ": [{"c": "a"}], "a": [{"c": "а"}, {"c": "ɑ"}], "m": [{"c": "rn"}], "rn": [{"c": "m"}],
    }  # fmt: skip
    assert confusables_table.from_json(json.dumps(package)) == {"а": "a", "ɑ": "a", "m": "rn"}
    assert len(ROWS) > 1_000
