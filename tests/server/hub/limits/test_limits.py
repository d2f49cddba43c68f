"""Limits as values: settings, rates of commands, wrong keys, addresses. Time is an argument."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import pytest

from protocol.errors import Refusal
from protocol.messages import COMMANDS, Command, Move, Ping
from server.config import parse
from server.hub.limits.admission import Crowd, GuestGate, KeyGate, Tallies, home, is_own
from server.hub.limits.proxies import Proxies
from server.hub.limits.settings import (
    RATES,
    WARNINGS,
    LimitError,
    Limits,
    Meter,
    Verdict,
    most_connections,
    rates,
    with_settings,
)
from server.store.lifetimes import Lifetimes

HOSTING = Path(__file__).parents[4] / "docs/hosting.md"


def section(title: str) -> str:
    """One section of the page on hosting."""
    return HOSTING.read_text(encoding="utf-8").split(f"\n## {title}\n")[1].split("\n## ")[0]


def times(per_s: float, seconds: float, start: float = 100.0) -> list[float]:
    return [start + number / per_s for number in range(int(per_s * seconds))]


def test_every_command_has_a_rate_that_is_a_limit() -> None:
    assert set(RATES) == set(COMMANDS.values())
    assert set(RATES.values()) <= {field.name for field in fields(Limits)}


def test_every_limit_is_in_the_docs_with_its_default() -> None:
    rows = [[cell.strip(" `") for cell in line.split("|")[1:3]] for line in section("Limits").splitlines()]
    documented = {row[0]: row[1].replace(" ", "") for row in rows if len(row) == 2}
    for field in fields(Limits):
        assert float(documented.get(field.name, "nan")) == field.default, field.name


def test_a_limit_is_set_by_name() -> None:
    assert with_settings(["moves=2.5,pace=3", "open_matches=7"], Limits()) == Limits(moves=2.5, pace=3, open_matches=7)


@pytest.mark.parametrize(
    ("setting", "says"),
    [
        ("movs=3", "Did you mean moves?"),
        ("qqq=3", "There are connections,"),
        ("moves", "a number above 0"),
        ("moves=fast", "not “fast”"),
        ("moves=-1", "not “-1”"),
        ("open_matches=1.5", "a number above 0"),
        ("pace=inf", "a number above 0"),
        ("pace=nan", "a number above 0"),
    ],
)
def test_a_wrong_limit_is_refused_with_a_hint(setting: str, says: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(LimitError, match=says.replace("?", r"\?")):
        with_settings([setting], Limits())
    with pytest.raises(SystemExit):
        parse(["--limit", setting], {})
    assert says in capsys.readouterr().err


def test_limits_come_from_the_environment_and_arguments_win() -> None:
    config = parse(["--limit", "moves=5", "--proxy", "10.0.0.1"], {"PARLOUR_LIMIT": "moves=4,chat=1"})
    assert (config.limits.moves, config.limits.chat) == (5, 1)
    assert config.proxies == Proxies(["10.0.0.1"])
    with pytest.raises(SystemExit):
        parse(["--proxy", "proxy.example"], {})


def test_lifetimes_are_set_like_limits(capsys: pytest.CaptureFixture[str]) -> None:
    """J13."""
    config = parse(["--lifetime", "match=60", "--lifetime", "ref=0.5"], {})
    assert config.lifetimes == Lifetimes(match=60, ref=0.5)
    assert config.lifetimes.ms("ref") == 500
    for setting, says in (("mach=60", "there is no lifetime “mach”. Did you mean match?"), ("ref=0", "above 0")):
        with pytest.raises(SystemExit):
            parse(["--lifetime", setting], {})
        assert says in capsys.readouterr().err


def test_hosting_describes_every_lifetime() -> None:
    for field in fields(Lifetimes):
        assert f"| `{field.name}` | {field.default:.0f} |" in section("Lifetimes"), field.name


def test_a_fast_human_never_meets_a_rate() -> None:
    """G5: ten moves a second for five seconds, and that again and again."""
    meter = Meter(rates(Limits()))
    assert all(meter.admit(Move, now) is Verdict.FINE for now in times(10, 60))


@pytest.mark.parametrize("kind", COMMANDS.values(), ids=COMMANDS)
def test_a_flood_is_warned_and_then_shown_out(kind: type[Command]) -> None:
    """G5, for every kind of command."""
    meter = Meter(rates(Limits()))
    verdicts = [meter.admit(kind, now) for now in times(5_000, 1)]
    verdicts = verdicts[: verdicts.index(Verdict.FLOOD) + 1]
    fine, warned = verdicts.count(Verdict.FINE), verdicts.count(Verdict.TOO_FAST)
    assert 5 <= fine <= 300
    assert warned == WARNINGS
    assert verdicts == sorted(verdicts, key=list(Verdict).index), "first fine, then warned, then out"
    assert meter.flooding


def test_who_heeds_a_warning_is_forgiven() -> None:
    meter = Meter(rates(Limits()))
    for start in range(0, 600, 60):
        verdicts = [meter.admit(Ping, 100.0 + start + number / 1_000) for number in range(60)]
        assert Verdict.TOO_FAST in verdicts
        assert Verdict.FLOOD not in verdicts
        assert meter.admit(Ping, 102.0 + start) is Verdict.FINE


def test_kinds_with_rates_of_their_own_do_not_share() -> None:
    meter = Meter(rates(Limits()))
    while meter.admit(Ping, 1.0) is Verdict.FINE:
        pass
    assert meter.admit(Move, 1.0) is Verdict.FINE


def test_pace_multiplies_rates() -> None:
    meter = Meter(rates(Limits(pace=1_000)))
    assert all(meter.admit(Ping, now) is Verdict.FINE for now in times(5_000, 10))


def test_descriptors_are_kept_for_the_hub_itself() -> None:
    assert most_connections(Limits(), None) == Limits().connections
    assert most_connections(Limits(), 256) == 192
    assert most_connections(Limits(connections=100), 256) == 100
    assert most_connections(Limits(), 64) == 48


# Wrong keys -----------------------------------------------------------------------------------------------------------


def passes(gate: KeyGate, player: str, address: str, now: float) -> bool:
    try:
        gate.admit(player, address, now)
    except Refusal as refusal:
        return refusal.code != "too_fast"
    return True


def guess(gate: KeyGate, player: str, address: str, now: float) -> bool:
    allowed = passes(gate, player, address, now)
    if allowed:
        gate.wrong(player, address, now)
    return allowed


def test_one_player_guesses_ten_times_and_then_every_six_seconds() -> None:
    gate = KeyGate(Limits())
    assert sum(guess(gate, "eve", "1.1.1.1", now) for now in times(100, 1)) == 10
    assert sum(guess(gate, "eve", "1.1.1.1", now) for now in times(100, 60, start=101.0)) in (10, 11)


def test_many_players_of_one_address_leave_room_for_one_who_has_not_guessed() -> None:
    """I4: a hundred connections guess; somebody behind the same address types a right key."""
    gate = KeyGate(Limits())
    guessed = sum(guess(gate, f"eve {number % 100}", "1.1.1.1", now) for number, now in enumerate(times(1_000, 10)))
    assert 400 <= guessed <= 500
    assert passes(gate, "ana", "1.1.1.1", 110.0)


def test_however_many_new_guests_guess_a_right_key_works() -> None:
    """Q14: the buckets of address and hub are full; who has not guessed, or has mistyped, is let in all the same."""
    gate = KeyGate(Limits())
    for number, now in enumerate(times(1_000, 20)):
        guess(gate, f"eve {number}", f"1.1.1.{number % 3}", now)
    assert passes(gate, "ana", "1.1.1.1", 120.0)
    for typed in range(2):
        assert guess(gate, "ana", "1.1.1.1", 120.0 + typed)
    assert passes(gate, "ana", "1.1.1.1", 122.0)


def test_guessers_share_what_their_address_and_the_hub_have() -> None:
    """Q14, I4: a thousand guests that are there already get three guesses an hour each, and then all of them 400 a
    minute."""
    gate = KeyGate(Limits())
    guests = [f"eve {number}" for number in range(1_000)]
    first = sum(guess(gate, eve, "1.1.1.1", 100.0) for _ in range(5) for eve in guests)
    assert first == 3 * len(guests)
    later = sum(guess(gate, eve, "1.1.1.1", 100.0 + 6 * step) for step in range(1, 600) for eve in guests)
    assert later <= 400 * 61 + 4 * len(guests)


def test_all_addresses_together_have_a_limit() -> None:
    gate = KeyGate(Limits(wrong_keys_in_all=100))
    guessed = [guess(gate, f"eve {number % 30}", f"1.1.{number % 250}.1", 1.0) for number in range(600)]
    assert sum(guessed) == 100


def test_what_is_remembered_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("server.hub.limits.admission.REMEMBERED", 3)
    tallies = Tallies(1)
    for name in "abcd":
        tallies.count(name, 1.0)
    assert "a" not in tallies
    assert tallies.used("d", 1.0) >= 1.0


def test_new_guests_of_one_address_are_limited_but_not_our_own() -> None:
    gate = GuestGate(Limits(guests_from_address=3))
    for _ in range(3):
        gate.admit("1.1.1.1")
    with pytest.raises(Refusal, match="too_fast"):
        gate.admit("1.1.1.1")
    for _ in range(10):
        gate.admit("127.0.0.1")


def test_a_crowd_counts() -> None:
    crowd = Crowd(2)
    crowd.add("a")
    assert not crowd.full("a")
    crowd.add("a")
    assert crowd.full("a")
    crowd.remove("a")
    assert not crowd.full("a")


# Addresses ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("address", "counted"),
    [
        ("10.1.2.3", "10.1.2.3"),
        ("::ffff:10.1.2.3", "10.1.2.3"),
        ("2001:db8:1:2:aaaa::1", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("::1", "::1"),
        ("nonsense", "nonsense"),
        ("", ""),
    ],
)
def test_what_counts_as_one_address(address: str, counted: str) -> None:
    assert home(address) == counted


def test_this_machine_is_told_from_others() -> None:
    assert all(is_own(address) for address in ("127.0.0.1", "::1", ""))
    assert not any(is_own(address) for address in ("10.0.0.1", "127.8.8.8", "2001:db8::/64"))
