"""Text from outside for the widgets.

Control codes are taken out by `client.conversation.cleaning`. Markup is a second danger; so nothing that came from
outside is ever handed to Textual or Rich as a string that they parse, but as Content or Text.
"""

from __future__ import annotations

from textual.content import Content

from client.conversation.cleaning import cleaned, plain

__all__ = ["cleaned", "content", "plain"]


def content(text: str, style: str = "") -> Content:
    """`text` for a widget, taken literally: brackets in it are brackets."""
    return Content.styled(text, style) if style else Content(text)
