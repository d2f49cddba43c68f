"""What an operator reads on a terminal, which does what it is told: nothing of what people wrote may reach it raw."""

from __future__ import annotations


def harmless(text: str) -> str:
    r"""`text` with an escape for every character that is not simply printed (`H16`).

    Those of JSON, so that what was JSON still is, with the same meaning.

    >>> harmless("Ana \x1b[2J \u202e 日本")
    'Ana \\u001b[2J \\u202e 日本'
    """
    if text.isprintable():
        return text
    return "".join(character if character.isprintable() else _escaped(character) for character in text)


def _escaped(character: str) -> str:
    if character == "\n":
        return character
    utf_16 = character.encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{utf_16[at : at + 4]}" for at in range(0, len(utf_16), 4))


def say(text: str) -> None:
    """Print it."""
    print(harmless(text))
