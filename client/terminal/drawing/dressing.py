"""What an application wears: one of the palettes, in as many colours as its terminal has."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any, TypeVar

from rich.theme import Theme as RichTheme
from textual.app import App
from textual.filter import LineFilter

from client.terminal.drawing.few_colours import FewColours
from client.terminal.drawing.theme import DARK, PALETTES, THEMES, VARIABLES, Palette

Result = TypeVar("Result")


class Dressed(App[Result]):
    """Base of the applications in the terminal."""

    def __init__(self, *, dark: bool) -> None:
        # Where colours are unwanted the terminal's own are used, of which Textual then leaves none.
        unwanted = "NO_COLOR" in os.environ
        super().__init__(ansi_color=True if unwanted else None)
        self._has_sixteen = self.console.color_system == "standard" and not unwanted
        has_few = self.console.color_system in ("standard", "256") and not unwanted
        self._few = [FewColours(sixteen=self._has_sixteen)] if has_few else []
        for theme in THEMES:
            self.register_theme(theme)
        # One that changes into its colours later reads its style sheet twice.
        self.set_reactive(App.theme, self._palette_name(dark=dark))
        self.stylesheet.set_variables(self.get_css_variables())
        self._tell_rich(self.theme)

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """The palette, for the style sheet."""
        return dict(VARIABLES)

    def get_line_filters(self) -> Sequence[LineFilter]:
        """What is done to every line that is drawn."""
        return [*super().get_line_filters(), *self._few]

    def wear(self, *, dark: bool) -> None:
        """Change into another palette."""
        name = self._palette_name(dark=dark)
        if name != self.theme:
            self.console.pop_theme()
            self._tell_rich(name)
            self.theme = name

    def _palette_name(self, *, dark: bool) -> str:
        return f"parlour-{'dark' if dark else 'light'}{'-16' if self._has_sixteen else ''}"

    def _tell_rich(self, name: str) -> None:
        """The same names for what Rich draws: cells of tables, and logs."""
        named = {f"${colour}": value for colour, value in asdict(PALETTES[name]).items()}
        self.console.push_theme(RichTheme(named | {f"bold {key}": f"bold {value}" for key, value in named.items()}))


def worn(app: App[Any]) -> Palette:
    """The palette that an application wears now, for what Textual does not draw."""
    return PALETTES.get(app.theme, DARK)
