"""What an invitation leads to, asked before a seat is taken (CK R1.3, R1.6, I4)."""

from __future__ import annotations

from protocol.messages import (
    Accepted,
    Cancel,
    ClockRule,
    Create,
    GetInvitation,
    Invitation,
    Join,
    MatchEvent,
    OptionValue,
    Refused,
)
from tests.driver import Client
from tests.hub.conftest import Open

RULE = ClockRule(total_ms=180_000, increment_ms=2_000)


async def invited(client: Client, **to: str) -> Invitation | Refused:
    """The answer to the question."""
    asked = GetInvitation(ref=client.ref(), **to)
    await client.send(asked)
    answer = await client.answer(asked.ref)
    assert isinstance(answer, Invitation | Refused)
    return answer


async def test_the_key_tells_all_and_takes_no_seat(open_client: Open) -> None:
    """Host, game, options, clock and the side that is free, on either seat; who sits there is told the own one."""
    host, guest = await open_client("Host"), await open_client("Guest")
    for seat in (0, 1):
        options: dict[str, OptionValue] = {"captures": "forced"}
        created = await host.ask(
            Create(ref=host.ref(), game="checkers", options=options, private=True, clock=RULE, seat=seat), Accepted
        )
        told = await invited(guest, key=created.key or "")
        assert isinstance(told, Invitation)
        assert (told.summary.match, told.summary.game, told.seat) == (created.match, "checkers", 1 - seat)
        assert (told.summary.options["captures"], told.summary.clock_rule) == ("forced", RULE)
        assert told.summary.names[seat] == host.name
        assert told.summary.names[1 - seat] is None
        assert told.summary.styles is not None
        own = await invited(host, key=created.key or "")
        assert isinstance(own, Invitation)
        assert own.seat == seat
    host.forget_unread()
    await guest.ask(Join(ref=guest.ref(), key=created.key or ""), Accepted)
    joined = await host.expect(MatchEvent)
    assert (joined.match, joined.version) == (created.match, 2), "nothing happened in it before"


async def test_a_public_match_tells_the_same_by_its_id(open_client: Open) -> None:
    """As in the list; of a private one its id tells nothing."""
    host, guest = await open_client("Host"), await open_client("Guest")
    public = await host.create("square")
    told = await invited(guest, match=public.match)
    assert isinstance(told, Invitation)
    assert (told.summary.names, told.seat) == ((host.name, None), 1)
    private = await host.create("square", private=True)
    refused = [await invited(guest, match=match) for match in (private.match, "nothing", "")]
    assert [getattr(one, "code", "") for one in refused] == ["private", "unknown_match", "unknown_match"]


async def test_i4_closed_doors_look_alike_to_who_asks(open_client: Open) -> None:
    """A wrong key, that of a full match and of a cancelled one; each counts as a guess, as if it had been used."""
    host, friend, stranger = await open_client("Host"), await open_client("Friend"), await open_client("Stranger")
    full, cancelled = [await host.ask(Create(ref=host.ref(), game="square", private=True), Accepted) for _ in range(2)]
    await friend.ask(Join(ref=friend.ref(), key=full.key or ""), Accepted)
    await host.ask(Cancel(ref=host.ref(), match=cancelled.match), Accepted)
    answers = [await invited(stranger, key=key or "") for key in ("0000-0000-0000", full.key, cancelled.key)]
    assert all(isinstance(one, Refused) for one in answers)
    told = {(one.code, one.text, str(one.data), one.match, one.version) for one in answers if isinstance(one, Refused)}
    assert [code for code, *_ in told] == ["wrong_key"]
    codes = [getattr(await invited(stranger, key=f"AAAA-BBBB-{n:04}"), "code", "") for n in range(30)]
    assert "too_fast" in codes
    assert set(codes) <= {"wrong_key", "too_fast"}
