"""A students' match in the terminal client: it is in the lobby's list, and each move is a line of text."""

from __future__ import annotations

import asyncio
from pathlib import Path

from textual.app import App
from textual.pilot import Pilot

from client.conversation.address import parse_address
from client.kept.identity import take_identity
from client.start.launch import Launch
from client.terminal.app import Parlour
from tests.client.dog.conftest import MakeGame
from tests.driver import WAIT_S, HubProcess, wait_for


def on_screen(app: App[None]) -> str:
    strips = app.screen._compositor.render_strips()
    return "\n".join("".join(segment.text for segment in strip) for strip in strips)


async def sees(pilot: Pilot[None], text: str) -> None:
    async with asyncio.timeout(WAIT_S):
        while text not in on_screen(pilot.app):
            await pilot.pause(0.02)


async def test_a_students_match_is_listed_and_watched_in_the_terminal(
    make: MakeGame, hub: HubProcess, tmp_path: Path
) -> None:
    ana, bea = make("Iara"), make("Joana")
    assert ana.initialize() == bea.initialize() == "Conectado a Dog Server"
    await asyncio.to_thread(wait_for, lambda: ana.actor.start_match(2).get_code() == "2")
    with take_identity(folder=tmp_path / "identity") as identity:
        address = parse_address(f"127.0.0.1:{hub.port}")
        app = Parlour(Launch(prepare=lambda: address, name="Olga", identity=identity))
        async with app.run_test(size=(100, 30)) as pilot:
            await sees(pilot, "Olga")
            await pilot.press("enter")
            await sees(pilot, "Iara")
            await pilot.press("enter")
            await sees(pilot, "Joana")
            ana.actor.send_move({"column": 3, "match_status": "next"})
            await sees(pilot, '{"column": 3}')
            bea.actor.send_move({"match_status": "finished"})
            await sees(pilot, "the match is over")
            app.leave_program()
            await pilot.pause()
