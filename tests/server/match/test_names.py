"""Names by `RU-M9`, and the ones that cannot be seen or told apart (H14)."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.errors import Code, Refusal
from protocol.limits import MAX_NAME_INPUT
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
}
DIFFERENT = {("Ana", "Anna"), ("Ana", "Aná"), ("Ana", "Ana 2"), ("Иван", "Петр"), ("Ελένη", "Ρένα")}


@pytest.mark.parametrize(("one", "other"), sorted(ALIKE))
def test_names_that_look_alike_are_told_apart_by_a_number(one: str, other: str) -> None:
    """H14: two names that look the same cannot sit in one game unmarked."""
    assert looks(clean_name(one)) == looks(clean_name(other))
    assert distinct_name(clean_name(other), clean_name(one)).endswith(" 2")


@pytest.mark.parametrize(("one", "other"), sorted(DIFFERENT))
def test_names_that_look_different_stay(one: str, other: str) -> None:
    assert looks(one) != looks(other)
    assert distinct_name(one, other) == one
