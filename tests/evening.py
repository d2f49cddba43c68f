"""An evening of three people at a hub, with one of everything that is kept, and whether it goes on elsewhere.

The same is played to record a folder of an older release (`scripts/record_folder.py`), to move it from store to store,
and at two releases over one Redis. It needs no more of the hub than the protocol has had from its first version on.
"""

from __future__ import annotations

import msgspec

from protocol.messages import (
    Abandon,
    Accepted,
    Answer,
    Chat,
    ClockRule,
    Create,
    Ended,
    GetRecord,
    Joined,
    Leave,
    LobbyState,
    Move,
    Offer,
    Offered,
    Record,
    Rematched,
    Replaced,
    Say,
    Snapshot,
    Watch,
    WatchLobby,
)
from tests.driver import Client

CLOCK = ClockRule(total_ms=600_000, increment_ms=2_000)


class Evening(msgspec.Struct, kw_only=True):
    """What was played: tokens by name, ids of matches, and what must be found of them."""

    tokens: dict[str, str] = {}
    running: str
    """With a clock, chat, and a move that was taken back."""
    moves: list[str]
    last_ref: str
    last_version: int
    last_by: int
    """The last command in it, the version that it was accepted with, and whose it was."""
    over: str
    """Given up; a rematch was agreed."""
    following: str
    """That rematch."""
    alone: str
    """Against the computer."""
    waiting: str
    hidden: str
    """Waits behind `key`."""
    key: str


async def play(url: str, other: str) -> Evening:
    """Two play at one hub or at two (`other`), and stay away at the end."""
    ana, bo = await Client.open(url, "Ana"), await Client.open(other, "Bo")
    over = (await ana.create("square")).match
    before = await bo.join(over)
    await _begun(ana, before)
    await ana.move(over, before.version, before.legal[0])
    await bo.ask(Abandon(ref=bo.ref(), match=over), Accepted)
    await ana.expect(Ended, lambda ended: ended.match == over)
    offered = await ana.ask(Offer(ref=ana.ref(), match=over, kind="rematch"), Accepted)
    await _told_of(bo, offered)
    await bo.ask(Answer(ref=bo.ref(), match=over, accept=True, offer=offered.version), Accepted)
    following = (await ana.expect(Rematched)).next

    running = (await ana.create("dots-and-boxes", options={"width": 4, "height": 4}, clock=CLOCK)).match
    known = await bo.join(running)
    await _begun(ana, known)
    moves, version = [], known.version
    for turn, move in enumerate(sorted(known.legal)[::5][:4]):
        player = (ana, bo)[turn % 2]
        version = (await player.move(running, version, move)).version
        await (bo, ana)[turn % 2].moved(version)
        moves.append(move)
    back = Offer(ref=bo.ref(), match=running, kind="takeback", version=version)
    offered = await bo.ask(back, Accepted)
    await _told_of(ana, offered)
    await ana.ask(Answer(ref=ana.ref(), match=running, accept=True, offer=offered.version), Accepted)
    moves.pop()
    taken = (await bo.expect(Replaced)).version
    again = Move(ref=bo.ref(), match=running, version=taken, move=sorted(known.legal)[3])
    last = await bo.ask(again, Accepted)
    moves.append(again.move)
    await ana.ask(Say(ref=ana.ref(), match=running, text="What a game"), Accepted)
    await bo.ask(Say(ref=bo.ref(), match=running, text="Your move"), Accepted)

    alone = (await ana.create("square", computer=True)).match
    hidden = await ana.ask(Create(ref=ana.ref(), game="hexoust", private=True), Accepted)
    waiting = (await bo.create("checkers")).match
    evening = Evening(
        running=running, moves=moves, last_ref=again.ref, last_version=last.version, last_by=1, over=over,
        following=following, alone=alone, waiting=waiting, hidden=hidden.match, key=hidden.key or "",
        tokens={client.name: client.token or "" for client in (ana, bo)},
    )  # fmt: skip
    for client in (ana, bo):
        await client.close()
    return evening


async def _begun(host: Client, match: Snapshot) -> None:
    """The hub of the host knows a moment later that somebody has joined at another one."""
    await host.expect(Joined, lambda joined: (joined.match, joined.version) == (match.match, match.version))


async def _told_of(player: Client, offer: Accepted) -> None:
    """The hub of who is asked knows of the offer: at another one a moment later."""
    await player.expect(Offered, lambda offered: (offered.match, offered.version) == (offer.match, offer.version))


async def goes_on(url: str, other: str, evening: Evening) -> Evening:
    """Ana and Bo are back, at one hub or at two: all is there, and they play on; returns what is to be found then."""
    ana, bo = await _back(url, "Ana", evening), await _back(other, "Bo", evening)
    players = (ana, bo)
    for host, match in ((ana, evening.hidden), (bo, evening.waiting)):
        await _seen(host, match)
    seen = await _seen(ana, evening.running)
    assert (seen.status, seen.plies) == ("playing", len(evening.moves))
    said = await ana.expect(Chat, lambda chat: chat.match == evening.running)
    assert [line.text for line in said.lines] == ["What a game", "Your move"]
    assert (await _record(ana, evening.running)).moves == tuple(evening.moves)

    # A command whose answer was lost is answered the same, and played once.
    once_more = Move(ref=evening.last_ref, match=evening.running, version=1, move=evening.moves[-1])
    assert (await players[evening.last_by].ask(once_more, Accepted)).version == evening.last_version

    seen = await _seen(bo, evening.running)
    assert seen.to_move is not None
    mover, watcher = players[seen.to_move], players[1 - seen.to_move]
    move = Move(ref=mover.ref(), match=evening.running, version=seen.version, move=min(seen.legal))
    last = await mover.ask(move, Accepted)
    moved = await watcher.moved(last.version)
    assert moved.move == move.move
    assert moved.clock is not None
    assert min(moved.clock) > CLOCK.total_ms - 120_000, "nobody is charged for the time in between"

    over = await _record(ana, evening.over)
    assert over.result is not None
    assert (over.result.winner, over.result.reason) == (0, "forfeit")
    assert [seat.name for seat in (await _seen(ana, evening.following)).seats] == ["Bo", "Ana"]
    alone = await _seen(ana, evening.alone)
    assert (alone.status, alone.seats[0].name) == ("playing", "Ana")
    await _can_be_joined(other, evening)
    for client in players:
        await client.close()
    return msgspec.structs.replace(
        evening, moves=[*evening.moves, move.move], last_ref=move.ref, last_version=last.version, last_by=seen.to_move
    )


async def _back(url: str, name: str, evening: Evening) -> Client:
    client = await Client.connect(url, name)
    welcome = await client.hello(evening.tokens[name])
    assert {evening.running, evening.following} <= set(welcome.matches)
    assert evening.over not in welcome.matches
    return client


async def _seen(client: Client, match: str) -> Snapshot:
    await client.ask(Watch(ref=client.ref(), match=match), Accepted)
    return await client.expect(Snapshot, lambda snapshot: snapshot.match == match)


async def _record(client: Client, match: str) -> Record:
    return await client.ask(GetRecord(ref=client.ref(), match=match), Record)


async def _can_be_joined(url: str, evening: Evening) -> None:
    """A third one finds what waits in the lobby, and behind its key what does not; and leaves both as they were."""
    cem = await Client.open(url, "Cem")
    await cem.ask(WatchLobby(ref=cem.ref()), Accepted)
    lobby = {row.match: row.status for row in (await cem.expect(LobbyState)).matches}
    assert (lobby[evening.waiting], lobby[evening.running]) == ("waiting", "playing")
    assert not {evening.hidden, evening.over, evening.alone} & lobby.keys()
    for match, found in ((evening.waiting, {"match": evening.waiting}), (evening.hidden, {"key": evening.key})):
        assert (await cem.join(**found)).match == match
        await cem.ask(Leave(ref=cem.ref(), match=match), Accepted)
    await cem.close()
