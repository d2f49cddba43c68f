"""Plain clients as processes over pipes, at a real hub: a whole game, saved, loaded and replayed."""

from __future__ import annotations

import re
import signal
import time
from pathlib import Path

import httpx
import pytest

from client.kept.saves import load
from tests.client.plain.conftest import PlainProcess, Start
from tests.driver import WAIT_S, HubProcess, RedisProcess

ASKED_EVERY_S = 0.1
"""Own matches are told anew every few seconds: asking without a pause would only take the machine from others."""


def at(hub: HubProcess, name: str) -> tuple[str, ...]:
    """The arguments for being `name` at the hub."""
    return ("--plain", "--server", f"127.0.0.1:{hub.port}", "--name", name)


def legal_move(client: PlainProcess) -> str:
    """The first of the legal moves that the client tells."""
    client.type("moves")
    return client.hears("Legal moves").partition(": ")[2].partition(",")[0].rstrip(".")


def save_file(tmp_path: Path, home: str, name: str) -> Path:
    (folder,) = (tmp_path / home).rglob("saves")
    return folder / f"{name}.json"


def test_two_play_a_game_to_its_end_and_go_over_it(hub: HubProcess, start: Start, tmp_path: Path) -> None:
    """CK R1.2, R1.6, R4.5, DB 7.3.3.1, 7.3.3.2, UD RF7, RU-M7, RU-M8."""
    ada, ben = start("ada", *at(hub, "Ada")), start("ben", *at(hub, "Ben"))
    ada.hears("Connected as Ada")
    ben.hears("Connected as Ben")
    ada.type("create square private")
    key = ada.hears("The key to give").rpartition(" ")[2]
    assert ada.hears("The link for somebody at this computer").endswith(f"/#key={key}")
    for word in ("invitation", "join"):
        ben.type(f"{word} {key}")
        assert ben.hears("invites you") == "Ada invites you: Square, no clock, you are O."
    ben.hears("You play O and go second.")
    ada.hears("Ben sat down.")
    ada.hears("Your turn.")

    ada.type("a1 b1")
    ben.hears("Ada: a1-b1")
    ben.hears("Your turn.")
    ben.type("b1-a1")
    ben.hears("drawn already")
    ben.type("say good luck")
    ada.hears("Ben says: good luck")
    ada.type("save early")
    ada.hears("Saved as “early”, 1 move.")

    ben.type("draw")
    ada.hears("Ben offers a draw.")
    ada.hears("Type accept or decline.")
    ada.type("decline")
    ben.hears("Ada declines")

    ben.type("c1-c2")
    ada.hears("Ben: c1-c2")
    ada.type("revert early")
    ben.hears("Ada asks to revert to a saved position.")
    ben.type("accept")
    ada.hears("The match was reverted to a saved position.")
    ben.hears("Your turn.")

    turn, other = ben, ada
    plies = 1
    while True:
        move = legal_move(turn)
        turn.type(move)
        plies += 1
        for client in (turn, other):
            client.hears(f": {move}")
        if plies == 12:
            break
        # A closed box moves again: the one whose turn it is says so itself.
        turn.type("who")
        line = turn.hears("Current Turn")
        is_x = line.endswith("X")
        turn, other = (ada, ben) if is_x else (ben, ada)
        turn.type("help quit")
        turn.hears("quit: ")
    for client in (ada, ben):
        client.hears("Type rematch, save NAME or lobby.")
    ada.type("save whole")
    ada.hears("Saved as “whole”, 12 moves.")

    ada.type("rematch")
    ben.hears("Ada asks for a rematch.")
    ben.type("yes")
    ben.hears("You play X and begin.")
    ada.hears("You play O and go second.")
    ben.type("a1-b1")
    ada.hears("Ben: a1-b1")
    ben.type("surrender")
    for client in (ada, ben):
        client.hears("Ben surrendered. Ada wins.")
        client.hears("Type rematch, save NAME or lobby.")
    ada.type("lobby")
    ada.hears("You are in the lobby.")
    ada.type("load early computer")
    ada.hears("Moves so far: 1.")
    ada.type("quit")
    assert ada.end() == 0
    ben.type("q")
    assert ben.end() == 0

    path = save_file(tmp_path, "ada", "whole")
    assert load(path).names == ("Ada", "Ben")
    replay = start("ada", "replay", "--plain", str(path))
    replay.hears("Square: Ada against Ben.")
    replay.hears("The beginning, before 12 moves.")
    replay.type("n")
    replay.hears("Move 1 of 12: Ada a1-b1.")
    replay.type("end")
    replay.hears("Move 12 of 12: ")
    replay.hears(load(path).result)
    replay.type("b")
    replay.hears("Move 11 of 12: ")
    replay.type("q")
    assert replay.end() == 0


def test_against_the_computer(hub: HubProcess, start: Start) -> None:
    """SQ2, SQ5, DB 8.3: every move is answered until the end."""
    ada = start("ada", *at(hub, "Cleo"))
    ada.type("computer square")
    ada.hears("You play X and begin.")
    while True:
        if ada.hears("Your turn.", "Type rematch").startswith("Type"):
            break
        ada.type(legal_move(ada))
    ada.type("lobby")
    ada.hears("You are in the lobby.")
    assert ada.process.stdin is not None
    ada.process.stdin.close()
    assert ada.end() == 0


def test_the_shell_leads_to_a_board_at_once(hub: HubProcess, start: Start) -> None:
    """Issue 14, 1: `parlour play square --computer --plain`; a game that is none is a failure."""
    server = ("--plain", "--server", f"127.0.0.1:{hub.port}")
    ada = start("ada", "play", "square", "--computer", *server)
    ada.hears("You play X and begin.")
    ada.hears("Your turn.")
    ada.type("quit")
    assert ada.end() == 0
    ben = start("ben", "play", "chess", "--here", *server)
    ben.hears("There is no game “chess”")
    ben.type("quit")
    assert ben.end() == 1


def test_a_hub_that_is_killed_is_come_back_to(start: Start, tmp_path: Path) -> None:
    """G3, J1, D5: the loss is told, the prompt stays usable, what is typed meanwhile is sent then; a store that falls
    silent under the hub is told, too."""
    redis = RedisProcess(tmp_path)
    redis.start()
    hub = HubProcess(tmp_path, "--redis", redis.url)
    try:
        hub.start()
        ada = start("ada", *at(hub, "Ada"))
        ada.type("create square both")
        ada.hears("Current Turn: X")
        redis.signal(signal.SIGSTOP)
        ada.hears("The server cannot store moves just now; clocks wait.")
        redis.signal(signal.SIGCONT)
        ada.hears("The server stores moves again.")
        hub.kill()
        assert (hub.folder / "port").exists()  # by which other clients know that it did not end by itself
        ada.hears("Coming back by itself")
        ada.type("a1-b1")
        ada.type("help draw")
        ada.hears("draw: Offer a draw")
        hub.start()
        ada.hears("Connected again.")
        ada.hears("X: a1-b1")
        ada.type("quit")
        assert ada.end() == 0
        assert hub.stop() == 0
        assert not (hub.folder / "port").exists()
    finally:
        hub.kill()
        redis.stop()


def test_a_match_is_hosted_from_a_file(hub: HubProcess, start: Start, tmp_path: Path) -> None:
    """RU-M8: what replays is played on; what does not is refused with the server's reason."""
    text = """{"format": "parlour-match", "version": 1, "game": "square", "names": ["Ada", "Ben"],
        "moves": ["a1-b1", "MOVE"], "hash": "HASH"}"""
    (tmp_path / "good.json").write_text(text.replace("MOVE", "b1-c1").replace("HASH", "0" * 64))
    ada = start("ada", *at(hub, "Eva"), "--from", str(tmp_path / "good.json"))
    ada.hears("You play X and begin.")
    ada.hears("Moves so far: 2.")
    ada.hears("This is not the position that was saved")
    ada.type("lobby")
    ada.hears("Your match goes on waiting")
    (tmp_path / "bad.json").write_text(text.replace("MOVE", "a1-b1").replace("HASH", "0" * 64))
    ada.type(f"load {tmp_path / 'bad.json'}")
    ada.hears("move 2 cannot be played")
    ada.type(f"load {tmp_path / 'good.json'} review")
    ada.hears("This is the game as far as it was saved.")
    ada.hears("Review: 0 of 3 positions. Type review to break it off.")
    ada.hears("2. Ben: b1-c1. Right: b2-c2.")
    ada.type("quit")
    assert ada.end() == 0
    bad = start("ada", "replay", "--plain", str(tmp_path / "bad.json"))
    assert bad.end() == 1
    assert bad.lines == ["The saved moves do not fit this game: move 2 cannot be played."]
    missing = start("ada", *at(hub, "Eva"), "--from", "nothing")
    assert missing.end() == 1
    assert "There is no saved game called “nothing”." in missing.lines[-1]


def test_a_name_is_asked_for_and_asked_again(hub: HubProcess, start: Start) -> None:
    """UD RF1, RU-M9."""
    ada = start("ada", "--plain", "--server", f"127.0.0.1:{hub.port}")
    ada.hears("Type the name")
    ada.type("<>")
    ada.hears("Type another name.")
    ada.type("Fay")
    ada.hears("Connected as Fay.")
    ada.type("quit")
    assert ada.end() == 0
    again = start("ada", "--plain", "--server", f"127.0.0.1:{hub.port}")
    again.hears("Connected as Fay.")


def test_who_plays_by_http_is_said_to_read(hub: HubProcess, start: Start) -> None:
    """Where the other one is, is told in words: at no board, but by requests."""
    with httpx.Client(base_url=f"http://127.0.0.1:{hub.port}/api", trust_env=False) as link:
        carl = {"authorization": f"Bearer {link.post('/guests', json={'name': 'Carl'}).json()['token']}"}
        match = link.post("/matches", json={"game": "square"}, headers=carl).json()["match"]
        wim = start("wim", "--name", "Wim", "open", "--plain", f"http://127.0.0.1:{hub.port}/#join={match}")
        wim.hears("You play O and go second.")
        link.get(f"/matches/{match}/updates", headers=carl)
        wim.type("who")
        assert "Carl plays X and begins" in (line := wim.hears("Carl plays X"))
        assert "reads by HTTP" in line
        wim.type("quit")
        wim.type("quit")
        assert wim.end() == 0


def test_a_script_does_not_go_on_under_no_name(hub: HubProcess, start: Start) -> None:
    """A refused name is asked for again where somebody can type another one, but a script's next line is none."""
    hal = start("hal", *at(hub, "Hal"))
    hal.hears("Connected as Hal.")
    other = start("other", *at(hub, "Hal"))
    other.type("create square both")
    assert other.end() == 1
    assert len(other.lines) == 1


def test_a_script_whose_match_is_not_to_be_had_has_failed(hub: HubProcess, start: Start) -> None:
    client = start("ana", "--plain", "--server", f"127.0.0.1:{hub.port}", "--name", "Ana", "--watch", "nowhere")
    client.hears("Connected as Ana")
    client.hears("There is no such match")
    client.type("quit")
    assert client.end() == 1


def test_nobody_there_is_told_and_ends_it(start: Start) -> None:
    ada = start("ada", "--plain", "--server", "127.0.0.1:1", "--name", "Ada")
    assert ada.end() == 1
    assert ada.lines == ["Nobody answers at 127.0.0.1:1."]


def test_the_output_is_text_alone(hub: HubProcess, start: Start) -> None:
    """H16: a pipe gets no bell, no title, no colour and no cursor movement."""
    ada = start("ada", *at(hub, "Gus"))
    for line in ("create square both", "a1-b1", "board", "\x1b[2J", "say \x1b]0;x\a", "save \x1b[2J", "save x", "quit"):
        ada.type(line)
    assert ada.end() == 0
    assert "Saved as “x”, 1 move." in ada.lines
    assert all(line.isprintable() for line in ada.lines)
    assert not re.search(r"\x1b", "".join(ada.lines))


def test_a_game_is_learnt_by_tasks(hub: HubProcess, start: Start, tmp_path: Path) -> None:
    """From the shell, and again later: it goes on with the first task that was not done."""
    server = ("--plain", "--server", f"127.0.0.1:{hub.port}")
    ada = start("ada", "learn", "dots", *server)
    ada.hears("Task 1 of 4: Close a box.")
    ada.hears("One box has three sides.")
    ada.type("takeback")
    ada.hears("There is no such thing in a task.")
    ada.type("a3-b3")
    ada.hears("Look for the box with three sides")
    ada.hears("Not yet. Type again, next or lobby.")
    ada.type("again")
    ada.hears("The task begins anew.")
    ada.hears("Task 1 of 4: Close a box.")
    ada.type("b1-b2")
    ada.hears("Done! Type again, next or lobby.")
    ada.type("next")
    ada.hears("Task 2 of 4: Take a whole chain.")
    ada.type("next")
    ada.hears("There is no next task here.")
    ada.type("lobby")
    ada.hears("You are in the lobby.")
    ada.type("learn square 9")
    ada.hears("Square has no task 9")
    ada.type("quit")
    assert ada.process.wait(WAIT_S) == 0
    again = start("ada", "learn", "dots-and-boxes", *server)
    again.hears("Task 2 of 4: Take a whole chain.")


def test_who_comes_back_with_a_new_program_hears_all_moves_from_the_first_on(hub: HubProcess, start: Start) -> None:
    """Issue 14, 4."""
    ada, ben = start("ada", *at(hub, "Ada")), start("ben", *at(hub, "Ben"))
    ada.hears("Connected as Ada")
    ben.hears("Connected as Ben")
    ada.type("create square private")
    key = ada.hears("The key to give").rpartition(" ")[2]
    ben.type(f"join {key}")
    ada.hears("Your turn.")
    ada.type("a1 b1")
    ben.hears("Ada: a1-b1")
    ben.type("c1 c2")
    ada.hears("Ben: c1-c2")
    ada.type("quit")
    ada.end()
    ben.hears("Ada has quit.")
    again = start("ada", *at(hub, "Ada"))
    again.hears("Matches of yours that go on: 1.")
    again.type("list")
    again.hears("1. ")
    again.type("join 1")
    again.hears("Your turn.")
    again.type("log all")
    again.hears("1. Ada: a1-b1")
    again.hears("2. Ben: c1-c2")


def test_ones_own_matches_are_told_while_one_of_them_waits(hub: HubProcess, start: Start) -> None:
    """Issue 14, 4: how they stand goes on in the list, and the one that waits is cancelled from there."""
    ida, joe = start("ida", *at(hub, "Ida")), start("joe", *at(hub, "Joe"))
    ida.hears("Connected as Ida")
    joe.hears("Connected as Joe")
    ida.type("create square private")
    joe.type(f"join {ida.hears('The key to give').rpartition(' ')[2]}")
    ida.hears("Your turn.")
    ida.type("a1 b1")
    joe.hears("Ida: a1-b1")
    ida.type("lobby")
    ida.hears("You are in the lobby.")
    ida.type("create checkers private")
    ida.hears("The key to give")

    def listed(words: str) -> str:
        """The line of the list with these words, asked for until it is there."""
        deadline = time.monotonic() + WAIT_S
        while time.monotonic() < deadline:
            ida.type("list")
            ida.type("help quit")
            said = [ida.hears("")]
            while not said[-1].startswith("quit: "):
                said.append(ida.hears(""))
            if found := next((line for line in said if words in line), ""):
                return found
            time.sleep(ASKED_EVERY_S)
        raise AssertionError(f"{words!r} was never listed")

    assert "Checkers" in listed("yours, waiting")
    joe.type("c1-c2")
    assert "Joe  0 : 0" in listed("yours, your turn")
    ida.type(f"drop {listed('yours, waiting').partition('.')[0]}")
    ida.hears("Ida cancelled the match.")
    for client in (ida, joe):
        client.process.kill()
        client.process.wait()


@pytest.mark.parametrize(("at_a_terminal", "quin", "quentin"), [(True, "Quin", "Quentin"), (False, "Rolf", "Rodrigo")])
def test_who_types_is_told_what_quitting_costs(
    hub: HubProcess, start: Start, quin: str, quentin: str, *, at_a_terminal: bool
) -> None:
    """Issue 14, 11: asked once in a running match, and again when something else was typed meanwhile; a script is
    asked nothing."""
    ada, ben = start("ada", *at(hub, quin), at_a_terminal=at_a_terminal), start("ben", *at(hub, quentin))
    ada.hears(f"Connected as {quin}")
    ben.hears(f"Connected as {quentin}")
    ada.type("create square private")
    ben.type(f"join {ada.hears('The key to give').rpartition(' ')[2]}")
    ada.hears("Your turn.")
    ada.type("a1 b1")
    ben.hears(f"{quin}: a1-b1")
    for words in ("quit", "who", "q") if at_a_terminal else ():
        ada.type(words)
        ada.hears("Type quit once more to leave." if words != "who" else "goes second")
        assert ada.process.poll() is None
    ada.type("quit")
    assert ada.end() == 0
    ben.hears(f"{quin} has quit.")
    costs = [line for line in ada.lines if "Your seat is kept" in line]
    assert len(costs) == 2 * at_a_terminal
