"""pygame's events as inputs: mouse and fingers alike, keys by their names in the table of controls."""

from __future__ import annotations

from collections.abc import Sequence

import pygame

from client.window.hands.inputs import Input, Key, Left, Moved, Pressed, Released, Wheeled

NAMES = {
    pygame.K_ESCAPE: "escape", pygame.K_TAB: "tab", pygame.K_RETURN: "enter", pygame.K_KP_ENTER: "enter",
    pygame.K_BACKSPACE: "backspace", pygame.K_DELETE: "delete", pygame.K_HOME: "home", pygame.K_END: "end",
    pygame.K_PAGEUP: "pageup", pygame.K_PAGEDOWN: "pagedown", pygame.K_UP: "up", pygame.K_DOWN: "down",
    pygame.K_LEFT: "left", pygame.K_RIGHT: "right", pygame.K_AC_BACK: "escape",
} | {getattr(pygame, f"K_F{number}"): f"f{number}" for number in range(1, 13)}  # fmt: skip
"""Keys that type nothing."""
SIGNS = {
    " ": "space", "?": "question_mark", "/": "slash", ",": "comma", ".": "full_stop", "+": "plus", "-": "minus",
    ":": "colon", "=": "equals_sign",
}  # fmt: skip
"""Keys that type something and have another name than it."""
_OTHER_ALPHABETS = range(0x80, 0x11_0000)
"""Keys of a letter that is none of the table's: where these lie, the place of the key says which one is meant."""
_COMMAND = pygame.KMOD_CTRL | pygame.KMOD_META


def inputs_of(event: pygame.event.Event, size: tuple[int, int]) -> Sequence[Input]:
    """What the user does, nothing for an event that is none of it; `size` in pixels is the window's."""
    match event.type:
        case pygame.MOUSEMOTION if not event.touch:
            return [Moved(event.pos[0], event.pos[1], bool(event.buttons[0]))]
        case pygame.MOUSEBUTTONDOWN if event.button == pygame.BUTTON_LEFT and not event.touch:
            return [Pressed(*event.pos)]
        case pygame.MOUSEBUTTONUP if event.button == pygame.BUTTON_LEFT and not event.touch:
            return [Released(*event.pos)]
        case pygame.MOUSEWHEEL if not event.touch:
            return [Wheeled(*pygame.mouse.get_pos(), steps=event.precise_y)]
        case pygame.FINGERDOWN:
            return [Pressed(event.x * size[0], event.y * size[1])]
        case pygame.FINGERMOTION:
            return [Moved(event.x * size[0], event.y * size[1], held=True)]
        case pygame.FINGERUP:
            # A finger that is lifted hovers nowhere.
            return [Released(event.x * size[0], event.y * size[1]), Left()]
        case pygame.WINDOWLEAVE:
            return [Left()]
        case pygame.KEYDOWN:
            return _pressed(event)
        case pygame.TEXTINPUT:
            return [Key(SIGNS.get(text, text.lower()), text) for text in event.text]
    return []


def _pressed(event: pygame.event.Event) -> Sequence[Input]:
    if event.key in NAMES:
        name = NAMES[event.key]
        shifted = event.mod & pygame.KMOD_SHIFT and name in ("tab",)
        return [Key(f"shift+{name}" if shifted else name)]
    if event.mod & _COMMAND and event.key == pygame.K_v:
        return [Key("paste", pygame.scrap.get_text())]
    if event.mod & _COMMAND and pygame.K_a <= event.key <= pygame.K_z:
        return [Key(f"ctrl+{chr(event.key)}")]
    if event.key in _OTHER_ALPHABETS and pygame.KSCAN_A <= event.scancode <= pygame.KSCAN_Z:
        return [Key(chr(ord("a") + event.scancode - pygame.KSCAN_A))]
    # What is typed comes as TEXTINPUT, which knows dead keys and other alphabets.
    return []
