"""A line of text that is being typed: what keys do to it. Pure."""

from __future__ import annotations

from dataclasses import dataclass, replace


@dataclass(frozen=True)
class Field:
    """The text, where the next character goes, and how many it may have."""

    text: str = ""
    at: int = 0
    most: int = 200

    @classmethod
    def holding(cls, text: str, most: int) -> Field:
        """A field with a text in it and the cursor behind it."""
        return cls(text[:most], len(text[:most]), most)

    def typed(self, text: str) -> Field:
        """After typing or pasting; what does not fit, and what is no character to be seen, is left out."""
        line = " ".join(text.splitlines())
        clean = "".join(character for character in line if character.isprintable())[: self.most - len(self.text)]
        return replace(self, text=self.text[: self.at] + clean + self.text[self.at :], at=self.at + len(clean))

    def pressed(self, key: str) -> Field | None:
        """After a key that edits; None for one that does not."""
        match key:
            case "backspace":
                start = max(self.at - 1, 0)
                return replace(self, text=self.text[:start] + self.text[self.at :], at=start)
            case "delete":
                return replace(self, text=self.text[: self.at] + self.text[self.at + 1 :])
            case "left":
                return replace(self, at=max(self.at - 1, 0))
            case "right":
                return replace(self, at=min(self.at + 1, len(self.text)))
            case "home":
                return replace(self, at=0)
            case "end":
                return replace(self, at=len(self.text))
            case "ctrl+u":
                return replace(self, text="", at=0)
            case _:
                return None
