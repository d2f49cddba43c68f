"""The bot of the documentation, as a stranger runs it: a program of its own, against a real hub."""

from __future__ import annotations

import asyncio
import sys

from client.bot import play
from client.conversation.address import parse_address
from protocol.messages import LobbyChange, LobbyState, Moved, Watch, WatchLobby
from server.games import load_catalogue
from server.games.game import Reason
from tests.at_random import AtRandom
from tests.driver import ROOT, WAIT_S, Client, HubProcess

BOT = ROOT / "examples" / "bot.py"
PLAYED_OUT = {str(reason) for reason in Reason}


async def run_bot(hub: HubProcess, game: str) -> str:
    """Run the program to its end; returns what it prints."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, str(BOT), hub.url, game, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE
    )
    try:
        async with asyncio.timeout(4 * WAIT_S):
            out, err = await process.communicate()
    finally:
        if process.returncode is None:
            process.kill()
    assert process.returncode == 0, err.decode()
    return out.decode().strip()


def test_it_is_short_enough_to_be_read() -> None:
    """Issue 5: at most 60 lines."""
    assert len(BOT.read_text().splitlines()) <= 60


def test_the_documentation_shows_it() -> None:
    assert BOT.read_text() in (ROOT / "docs" / "protocol.md").read_text()


async def play_against_it(hub: HubProcess, game: str) -> None:
    carrier, said = await asyncio.gather(
        play(parse_address(f"127.0.0.1:{hub.port}"), f"Eva {len(game)}", AtRandom, game=game), run_bot(hub, game)
    )
    position = carrier.position
    assert position is not None
    assert position.result is not None
    assert position.result.reason in PLAYED_OUT
    assert said == position.result.text


async def test_it_plays_every_game_to_its_end(hub: HubProcess) -> None:
    """Against a client of ours, by the rules, all at the same time."""
    await asyncio.gather(*(play_against_it(hub, game) for game in load_catalogue()))


async def test_two_of_them_play_each_other(hub: HubProcess) -> None:
    said = await asyncio.gather(*(run_bot(hub, "square") for _ in range(2)))
    assert said[0] == said[1] != ""


async def test_it_comes_back_to_its_match(hub: HubProcess) -> None:
    """After its hub was killed and has come again, it plays on (promise 7)."""
    killed = asyncio.create_task(_kill_when_playing(hub))
    await asyncio.gather(play_against_it(hub, "dots-and-boxes"), killed)


async def _kill_when_playing(hub: HubProcess) -> None:
    spectator = await Client.open(hub.url, "Tom")
    await spectator.send(WatchLobby(ref="l"))
    row = None
    while row is None:
        message = await spectator.next()
        if isinstance(message, LobbyState | LobbyChange):
            rows = message.matches if isinstance(message, LobbyState) else message.put
            row = next((row for row in rows if row.status == "playing"), None)
    await spectator.send(Watch(ref="w", match=row.match))
    for _ in range(5):
        await spectator.expect(Moved)
    hub.kill()
    hub.start()
    spectator.cut()
