"""Sentences meant for people, kept apart from the language they are shown in.

A sentence travels through the core as a `Text`: an English message (the key of a gettext catalogue) and the values
to put into it. Only the edge that talks to one person renders it, in that person's language. Codes never change with
the language.
"""

from __future__ import annotations

import gettext
from collections.abc import Callable, Mapping
from typing import Any

import msgspec

DEFAULT_LANGUAGE = "en"
Translate = Callable[[str], str]


def N_(message: str) -> str:
    """Mark `message` for the translators' catalogue; returns it unchanged."""
    return message


class Text(msgspec.Struct, frozen=True):
    """A sentence: `message` is the English original with `{named}` places, `values` fills them."""

    message: str
    values: Mapping[str, Any] = {}

    def render(self, translate: Translate = str) -> str:
        """The sentence in the language of `translate` (English by default).

        A value that is itself a `Text` is rendered in the same language.
        """
        sentence = translate(self.message)
        if not self.values:
            return sentence
        values = {k: v.render(translate) if isinstance(v, Text) else v for k, v in self.values.items()}
        return sentence.format_map(values)

    def __str__(self) -> str:
        return self.render()


def text(message: str, **values: Any) -> Text:
    """`Text` from an already marked message: `text(N_("{name} won."), name="Ana")`."""
    return Text(message, values)


def translator(language: str, folder: str | None = None) -> Translate:
    """The gettext lookup for `language` in the catalogues below `folder`; English when there is none."""
    return gettext.translation("parlour", localedir=folder, languages=[language], fallback=True).gettext
