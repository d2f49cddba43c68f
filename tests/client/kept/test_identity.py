"""Identities: kept private, one for each running client."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from client.kept import identity as identity_module
from client.kept.identity import IdentityUnavailable, take_identity


def test_name_and_token_are_kept_for_each_server(tmp_path: Path) -> None:
    with take_identity(folder=tmp_path) as identity:
        assert (identity.name, identity.token("ws://a/ws")) == ("", None)
        identity.remember("ws://a/ws", "Ada", "secret a")
        identity.remember("ws://b/ws", "Ada", "secret b")
    with take_identity(folder=tmp_path) as identity:
        assert identity.name == "Ada"
        assert identity.token("ws://a/ws") == "secret a"
        assert identity.token("ws://b/ws") == "secret b"
        identity.remember("ws://a/ws", "Ada", None)
        assert identity.token("ws://a/ws") is None


def test_only_the_owner_can_read_it(tmp_path: Path) -> None:
    with take_identity(folder=tmp_path) as identity:
        identity.remember("ws://a/ws", "Ada", "secret")
    assert stat.S_IMODE((tmp_path / "identity.json").stat().st_mode) == 0o600


def test_two_running_clients_are_two_people(tmp_path: Path) -> None:
    with take_identity(folder=tmp_path) as first, take_identity(folder=tmp_path) as second:
        first.remember("ws://a/ws", "Ada", "one")
        second.remember("ws://a/ws", "Ben", "two")
        assert first.token("ws://a/ws") == "one"
    assert (tmp_path / "identity-2.json").exists()
    with take_identity(folder=tmp_path) as again:
        assert again.name == "Ada"


def test_kinds_are_counted_apart(tmp_path: Path) -> None:
    with take_identity(folder=tmp_path, kind="local") as first, take_identity(folder=tmp_path, kind="local") as second:
        assert (first.label, second.label) == ("local", "local-2")
    with take_identity(folder=tmp_path) as identity:
        assert identity.label == "identity"


def test_a_profile_is_one_person(tmp_path: Path) -> None:
    with take_identity("work", tmp_path) as identity:
        identity.remember("ws://a/ws", "Ada", "one")
        with pytest.raises(IdentityUnavailable, match="in use"):
            take_identity("work", tmp_path)
    assert (tmp_path / "identity-work.json").exists()


@pytest.mark.parametrize("profile", ["", "a/b", "../x", "x" * 33, "a b"])
def test_names_of_profiles_cannot_leave_the_folder(tmp_path: Path, profile: str) -> None:
    with pytest.raises(IdentityUnavailable):
        take_identity(profile, tmp_path)


@pytest.mark.parametrize("content", ["", "{", "[]", '{"name": 3, "tokens": []}', '{"tokens": {"ws://a/ws": 3}}'])
def test_a_damaged_file_makes_a_new_guest(tmp_path: Path, content: str) -> None:
    (tmp_path / "identity.json").write_text(content)
    with take_identity(folder=tmp_path) as identity:
        assert (identity.name, identity.token("ws://a/ws")) == ("", None)
        identity.remember("ws://a/ws", "Ada", "one")
        assert identity.token("ws://a/ws") == "one"


def test_the_number_of_identities_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(identity_module, "MAX_IDENTITIES", 2)
    with take_identity(folder=tmp_path), take_identity(folder=tmp_path), pytest.raises(IdentityUnavailable):
        take_identity(folder=tmp_path)


def test_where_nothing_can_be_kept_it_lasts_for_the_run(tmp_path: Path) -> None:
    """Q21: one comes as a guest all the same, and is told; who asked for a profile is not somebody else without it."""
    (tmp_path / "file").write_text("")
    with take_identity(folder=tmp_path / "file" / "folder") as identity:
        assert "cannot be kept" in identity.warning
        assert not identity.is_kept
        identity.remember("server", "Ada", "secret")
        assert (identity.name, identity.token("server")) == ("Ada", "secret")
    with pytest.raises(IdentityUnavailable, match="cannot be kept"):
        take_identity("work", folder=tmp_path / "file")
