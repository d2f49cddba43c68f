"""`parlour window`, which also prints what is where on the screen, for a test that uses a real mouse."""

from __future__ import annotations

import argparse
import sys

from client.conversation.address import parse_address
from client.kept.identity import take_identity
from client.start.launch import Launch
from client.window.loop import Window
from client.window.parts.match_view import layout
from client.window.screens.match_screen import MatchScreen


class Teller:
    """Prints a line for each new screen, each new target, and the line of the board that can be drawn next."""

    def __init__(self, window: Window) -> None:
        self.window = window
        self.said: set[str] = set()

    def look(self) -> None:
        """Called once in each round of the loop."""
        app = self.window.application
        screen = app.screen
        self.say(f"screen {type(screen).__name__}")
        size = self.window.size
        self.say(f"size {size[0]} {size[1]}")
        for target in screen.shown(app.model, size, app.now).targets:
            if target.enabled:
                x, y = target.rect.centre
                self.say(f"target {target.action} {target.value} at {x:.0f} {y:.0f}")
        match = app.model.match
        if match is None or not isinstance(screen, MatchScreen) or app.model.pending:
            return
        if match.result is not None:
            self.say(f"result {match.result.text}")
        free = next((line for line in match.board.lines if line.id in match.legal), None)
        if free is not None and app.model.is_my_turn:
            view = layout(screen.sheet(size), screen.seen(app.now), app.model).view
            x, y = view.place((free.x1 + free.x2) / 2, (free.y1 + free.y2) / 2)
            self.say(f"free line {free.id} of {match.version} at {x:.0f} {y:.0f}")

    def say(self, line: str) -> None:
        """Print it, once."""
        if line not in self.said:
            self.said.add(line)
            print(line, flush=True)


def main() -> int:
    """Until the user quits."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--server", required=True)
    address = parse_address(parser.parse_args().server)
    with take_identity() as identity:
        window = Window(Launch(prepare=lambda: address, identity=identity))
        window.each_round = Teller(window).look
        return window.run()


if __name__ == "__main__":
    sys.exit(main())
