"""Taking a Unix socket: what a killed hub has left is taken over, and nothing else ever is."""

from __future__ import annotations

import socket
import stat
from pathlib import Path

import pytest

from server.listening import StartError
from server.unix_socket import listen_at


def test_it_is_there_for_those_who_may_enter_its_folder_and_gone_afterwards(tmp_path: Path) -> None:
    file = tmp_path / "hub.sock"
    with listen_at(file) as listening:
        assert listening.at == f"unix:{file}"
        assert listening.port == 0
        assert stat.S_IMODE(file.stat().st_mode) == 0o666
        with socket.socket(socket.AF_UNIX) as caller:
            caller.connect(str(file))
    assert not file.exists()


def test_one_that_a_killed_hub_left_is_taken_over(tmp_path: Path) -> None:
    file = tmp_path / "hub.sock"
    with socket.socket(socket.AF_UNIX) as killed:
        killed.bind(str(file))
        killed.listen()
    assert file.is_socket()
    with listen_at(file), socket.socket(socket.AF_UNIX) as caller:
        caller.connect(str(file))


def test_one_at_which_somebody_listens_is_left_to_them(tmp_path: Path) -> None:
    file = tmp_path / "hub.sock"
    with listen_at(file), pytest.raises(StartError, match="listens there already"), listen_at(file):
        pass
    assert not file.exists()


def test_who_is_started_again_waits_a_moment_for_it(tmp_path: Path) -> None:
    """A hub was killed between the fork and the exec of a worker, which has its sockets until then."""
    file, waits = tmp_path / "hub.sock", list[float]()

    def wait(for_s: float) -> None:
        waits.append(for_s)
        if len(waits) == 3:
            held.close()

    with socket.socket(socket.AF_UNIX) as killed:
        killed.bind(str(file))
        killed.listen()
        held = killed.dup()
    with held, listen_at(file, wait), socket.socket(socket.AF_UNIX) as caller:
        caller.connect(str(file))
    assert len(waits) == 3
    assert sum(waits) < 1


def test_what_is_no_socket_is_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "hub.sock"
    file.write_text("something of somebody's")
    with pytest.raises(StartError, match="something else than a socket"), listen_at(file):
        pass
    assert file.read_text() == "something of somebody's"


def test_the_socket_of_the_one_who_took_it_over_is_not_taken_away(tmp_path: Path) -> None:
    """Somebody has removed ours and begun anew while we served: that one is not ours to remove."""
    file = tmp_path / "hub.sock"
    with socket.socket(socket.AF_UNIX) as other:
        with listen_at(file):
            file.rename(tmp_path / "away")
            other.bind(str(file))
        assert file.is_socket()


@pytest.mark.parametrize("name", ["nowhere/hub.sock", "x" * 120])
def test_a_name_that_cannot_be_had_is_told(tmp_path: Path, name: str) -> None:
    with pytest.raises(StartError, match="Cannot listen on"), listen_at(tmp_path / name):
        pass
