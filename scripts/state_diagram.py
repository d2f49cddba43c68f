"""Draws the state diagram of docs/architecture.md from the match machine itself, by trying every command everywhere.

    python -m scripts.state_diagram           rewrites the diagram
    python -m scripts.state_diagram --check   fails when it is not up to date

What is drawn is what `decide` does on a small match, so the picture cannot disagree with the table.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from protocol.errors import Refusal
from protocol.messages import ClockRule
from server.games import load_catalogue
from server.match import commands
from server.match.machine import TABLE, Asked, create, decide, open_match
from server.match.state import Match, Status

PAGE = Path(__file__).parent.parent / "docs" / "architecture.md"
BEGIN, END = "<!-- state diagram: python -m scripts.state_diagram -->", "<!-- end of state diagram -->"
HOST, GUEST = "host", "guest"
FAR_MS = 10_000_000
ROUNDS = 6
"""How many commands in a row are tried; every status is reached after at most three."""

Edge = tuple[Status, str, Status]


def _asks(match: Match) -> Iterator[tuple[str, commands.MatchCommand, str, int]]:
    """Every kind of command, by everybody whom it may concern, with the name to draw it under."""
    offered = match.offer.version if match.offer else 0
    for player in (HOST, GUEST):
        yield "join", commands.Join("Bob"), player, 1
        yield "leave", commands.Leave(), player, 1
        yield "cancel", commands.Cancel(), player, 1
        yield "abandon", commands.Abandon(), player, 1
        yield "pause", commands.Pause(), player, 1
        yield "continue", commands.Continue(), player, 1
        yield "wait longer", commands.WaitLonger(), player, 1
        yield "call a draw", commands.CallDraw(), player, 1
        yield "withdraw", commands.Withdraw(offered), player, 1
        for kind in ("draw", "takeback", "restart", "revert", "rematch"):
            yield "offer", commands.Offer(kind, next_match="next", version=match.version), player, 1
        yield "accept", commands.Answer(True, "next", offered), player, 1
        yield "decline", commands.Answer(False, offer=offered), player, 1
        for move in match.legal:
            yield "play", commands.Play(match.version, move), player, 1
    yield "host gone for good", commands.Expire(), "", 1
    yield "stopped by the operator", commands.Stop(), "", 1
    yield "somebody is away or back", commands.Notice((True, False)), "", 1
    yield "time runs out", commands.Notice((True, False)), "", FAR_MS


def edges() -> set[Edge]:
    """Every change from status to status (or to the same one) that a command can bring about."""
    catalogue = load_catalogue()
    clock = ClockRule(per_move_ms=1_000)
    opened = create(
        catalogue["dots-and-boxes"], {"width": 2, "height": 2}, "Ana", Asked(HOST, "r", 0), clock=clock
    )  # fmt: skip
    found: set[Edge] = set()
    seen: set[object] = set()
    matches = [open_match("m", opened, catalogue)]
    for _ in range(ROUNDS):
        following: list[Match] = []
        for match in matches:
            for name, command, player, at_ms in _asks(match):
                try:
                    happened = decide(match, command, Asked(player, "r", at_ms))
                except Refusal:
                    continue
                if not happened:
                    continue
                after = happened[-1].after
                found.add((match.status, name, after.status))
                if after.standing not in seen:
                    seen.add(after.standing)
                    following.append(after)
        matches = following
    return found


def diagram(found: Iterable[Edge]) -> str:
    """The diagram in Mermaid's words; commands that lead the same way share an arrow."""
    arrows: dict[tuple[Status, Status], set[str]] = {}
    for before, name, after in found:
        arrows.setdefault((before, after), set()).add(name)
    order = list(Status)
    lines = ["```mermaid", "stateDiagram-v2", "    [*] --> waiting: create", "    [*] --> playing: create, alone"]
    for before, after in sorted(arrows, key=lambda arrow: (order.index(arrow[0]), order.index(arrow[1]))):
        names = ", ".join(sorted(arrows[before, after]))
        lines.append(f"    {before.value} --> {after.value}: {names}")
    return "\n".join([*lines, "```"])


def page(found: Iterable[Edge]) -> str:
    """The page with the diagram as it should be."""
    text = PAGE.read_text(encoding="utf-8")
    before, rest = text.split(BEGIN)
    _, after = rest.split(END)
    return f"{before}{BEGIN}\n{diagram(found)}\n{END}{after}"


def main(arguments: list[str]) -> int:
    """Rewrite or check; returns the exit status."""
    found = edges()
    missing = {status for status, _ in TABLE} - {before for before, _, _ in found}
    assert not missing, f"never reached: {missing}"
    wanted = page(found)
    if "--check" in arguments:
        return 0 if PAGE.read_text(encoding="utf-8") == wanted else 1
    PAGE.write_text(wanted, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
