"""Challenges: one player asks another, by name, for a match, wherever the two are; see `server.store.challenges`.

What is decided is decided in the store. All hubs are told that something has changed, and each that has one of the two
reads it there and tells them; whoever comes back, and every hub whose subscription was down, reads it again. A match is
opened when a challenge is accepted and not before, by whichever hub is first, the same by all: so nothing waits that
nobody wants, and nobody is told of a match that is not there.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Coroutine
from contextlib import suppress
from typing import Any

import msgspec
import structlog

from protocol.errors import Code, OutcomeUnknown, ParlourError, Refusal, StoreUnavailable
from protocol.messages import (
    AnswerChallenge,
    Challenge,
    Challenged,
    ChallengeFate,
    ChallengeOver,
    ChallengesMuted,
    Message,
    MuteChallenges,
    WithdrawChallenge,
)
from protocol.text import N_, text
from server.games import Catalogue
from server.hub.limits.settings import Limits
from server.hub.matchmaking.matchmaker import SEED_BITS, Matchmaker
from server.hub.presence.identity import new_id
from server.hub.presence.live_names import KEPT_S
from server.hub.presence.online import OnlinePlayers
from server.hub.rooms.keeper import Keeper
from server.hub.viewers.viewer import Viewer
from server.match.events import Created, SeatTaken, decode_event, encode_event
from server.match.machine import Asked, create
from server.match.names import clean_name, distinct_name, looks
from server.store.challenges import LATELY, MANY, MUTED, NONE, NewChallenge, StoredChallenge
from server.store.port import ChallengeNotice, Store
from server.store.receipts import Receipt

RELOAD_S = 3.0
"""Who said goodbye may be loading a page anew; who does not come back within this has gone."""
LATE_S = 0.1
"""How much later than its time a challenge is looked at: hubs' clocks differ a little."""
OPENED = 2
"""The version that the match of a challenge begins with: both sit."""

_OWN: dict[ChallengeFate, str] = {
    "accepted": N_("{to} has accepted."),
    "declined": N_("{to} declined."),
    "withdrawn": N_("You took the challenge back."),
    "expired": N_("{to} did not answer within the time."),
    "left": N_("{gone} has gone."),
}
_OTHERS: dict[ChallengeFate, str] = {
    "accepted": N_("You accepted."),
    "declined": N_("You declined."),
    "withdrawn": N_("{by} took the challenge back."),
    "expired": N_("The challenge of {by} has run out."),
    "left": N_("{gone} has gone."),
}

log = structlog.get_logger(__name__)


class Note(msgspec.Struct, frozen=True, array_like=True):
    """What is stored of a challenge: the ids and names of who asks and who is asked, and the match's first event."""

    by: str
    to: str
    by_name: str
    to_name: str
    created: bytes

    @property
    def players(self) -> tuple[str, str]:
        """Who asks, and who is asked."""
        return self.by, self.to


_DECODER = msgspec.msgpack.Decoder(Note)


class Challenges:
    """The challenges of players who are connected to this hub."""

    def __init__(
        self,
        store: Store,
        catalogue: Catalogue,
        keeper: Keeper,
        matchmaker: Matchmaker,
        online: OnlinePlayers,
        limits: Limits,
    ) -> None:
        self._store = store
        self._catalogue = catalogue
        self._keeper = keeper
        self._matchmaker = matchmaker
        self._online = online
        self._open_ms = round(limits.challenge_s * 1000)
        self._most = limits.open_challenges
        self._timed: dict[str, tuple[asyncio.TimerHandle, Note]] = {}
        """Those that stand, of players here, and what looks at each when its time is over."""
        self._tasks: set[asyncio.Task[None]] = set()

    # What players do --------------------------------------------------------------------------------------------------

    async def challenge(self, viewer: Viewer, asked: Challenge) -> None:
        """Refused as `unknown_game`, also by a ref that was used before, as `not_here`, `not_yourself`, `muted`,
        `challenged_lately`, `too_many_challenges` or `too_many`."""
        game = self._catalogue[asked.game]
        if await self._store.receipt(viewer.player, asked.ref) is not None:
            return
        typed = clean_name(asked.name)
        holder = await self._store.name_holder(looks(typed))
        if holder is None:
            raise Refusal(Code.NOT_HERE, name=typed)
        to, name = holder.player, holder.name or typed
        if to == viewer.player:
            raise Refusal(Code.NOT_YOURSELF)
        by = Asked(viewer.player, "", self._store.now_ms())
        created = create(
            game, asked.options, viewer.name, by, seed=secrets.randbits(SEED_BITS),
            clock=asked.clock, reserved=to, seat=asked.seat,
        )  # fmt: skip
        await self._matchmaker.demand_room(viewer)
        note = Note(viewer.player, to, viewer.name, name, encode_event(created))
        why_not = await self._store.challenge(
            NewChallenge(
                challenge=new_id(), by=viewer.player, to=to, ref=asked.ref, data=msgspec.msgpack.encode(note),
                open_ms=self._open_ms, most=self._most,
            )
        )  # fmt: skip
        if why_not:
            raise Refusal(_WHY_NOT[why_not], name=name, limit=self._most)

    async def answer(self, viewer: Viewer, asked: AnswerChallenge) -> Receipt | None:
        """The match that comes of it; None for none. Raises Refusal `no_challenge` or `too_many`, or OutcomeUnknown."""
        known = await self._store.receipt(viewer.player, asked.ref)
        if known is not None and not known.version:
            return None
        stored = await self._store.stored_challenge(asked.challenge)
        note = self._read(stored)
        if known is not None and note is None:
            return known
        if note is None or note.to != viewer.player:
            raise Refusal(Code.NO_CHALLENGE)
        if not asked.accept:
            await self._decide(asked.challenge, note, "declined", viewer, asked.ref)
            return None
        if known is None:
            await self._matchmaker.demand_room(viewer)
            await self._decide(asked.challenge, note, "accepted", viewer, asked.ref)
        try:
            await self._open(await self._store.stored_challenge(asked.challenge), note)
        except StoreUnavailable as error:
            # It is accepted: sent again it is answered when the match is there.
            raise OutcomeUnknown(error.reason) from error
        return Receipt(asked.challenge, OPENED)

    async def withdraw(self, viewer: Viewer, asked: WithdrawChallenge) -> None:
        """Raises Refusal `no_challenge`."""
        if await self._store.receipt(viewer.player, asked.ref) is not None:
            return
        note = self._read(await self._store.stored_challenge(asked.challenge))
        if note is None or note.by != viewer.player:
            raise Refusal(Code.NO_CHALLENGE)
        await self._decide(asked.challenge, note, "withdrawn", viewer, asked.ref)

    async def mute(self, viewer: Viewer, asked: MuteChallenges) -> None:
        """No challenges for this player from now on, or challenges again."""
        await self._store.mute(viewer.player, on=asked.on)

    async def _decide(self, challenge: str, note: Note, fate: ChallengeFate, viewer: Viewer, ref: str) -> None:
        if await self._store.decide(challenge, note.players, fate, viewer.name, player=viewer.player, ref=ref) != fate:
            raise Refusal(Code.NO_CHALLENGE)

    async def _open(self, stored: StoredChallenge | None, note: Note) -> None:
        """The match that was agreed, if it is not there: the same events at every hub. Raises StoreUnavailable."""
        if stored is None or stored.fate != "accepted" or stored.challenge in self._keeper.rooms:
            return
        created = decode_event(note.created)
        assert isinstance(created, Created)
        name = distinct_name(stored.name, note.by_name)
        await self._keeper.open(
            stored.challenge,
            [
                msgspec.structs.replace(created, at_ms=stored.at_ms),
                SeatTaken(at_ms=stored.at_ms, player=note.to, seat=1 - created.seat, name=name),
            ],
        )

    # What they are told -----------------------------------------------------------------------------------------------

    async def take(self, notice: ChallengeNotice) -> None:
        """Something has changed, here or at another hub: tell those of the two who are here."""
        if not any(self._online.viewers_of(player) for player in notice.players):
            return
        if notice.challenge == NONE:
            _, muted = await self._store.challenges(notice.players[0])
            for viewer in self._online.viewers_of(notice.players[0]):
                viewer.send(ChallengesMuted(on=muted))
            return
        stored = await self._store.stored_challenge(notice.challenge)
        if stored is None or (note := await self._ready(stored)) is None:
            return
        for player in note.players:
            for viewer in self._online.viewers_of(player):
                viewer.send(self._told(viewer, stored, note))

    async def show(self, viewer: Viewer) -> None:
        """Tell one who has come what stands, how what stood lately went, and that no challenges are wanted."""
        found, muted = await self._store.challenges(viewer.player)
        if muted:
            viewer.send(ChallengesMuted(on=True))
        for stored in found:
            if (note := await self._ready(stored)) is not None:
                viewer.send(self._told(viewer, stored, note))

    async def read_again(self) -> None:
        """The subscription was down: whoever is here is told everything again. Raises StoreUnavailable."""
        for viewer in self._online.viewers:
            await self.show(viewer)

    async def _ready(self, stored: StoredChallenge) -> Note | None:
        """A challenge of which one may be told: it is watched here as long as it stands, and its match is there."""
        note = self._read(stored)
        if note is None:
            return None
        if stored.fate:
            self._watch_no_longer(stored.challenge)
            await self._open(stored, note)
        elif stored.challenge not in self._timed:
            self._watch(stored.challenge, note, max(0, stored.until_ms - self._store.now_ms()) / 1000 + LATE_S)
        return note

    def _told(self, viewer: Viewer, stored: StoredChallenge, note: Note) -> Message:
        mine, to = viewer.player == note.by, stored.name if stored.fate == "accepted" else note.to_name
        if stored.fate:
            fate: ChallengeFate = stored.fate  # type: ignore[assignment]
            sentence = text((_OWN if mine else _OTHERS)[fate], by=note.by_name, to=to, gone=stored.name)
            return ChallengeOver(
                challenge=stored.challenge, by=note.by_name, to=to, mine=mine, fate=fate,
                text=sentence.render(viewer.translate),
            )  # fmt: skip
        created = decode_event(note.created)
        assert isinstance(created, Created)
        return Challenged(
            challenge=stored.challenge, by=note.by_name, to=to, mine=mine, game=created.game,
            title=viewer.translate(self._catalogue[created.game].title), options=created.options, clock=created.clock,
            until_ms=stored.until_ms, now_ms=self._store.now_ms(), seat=created.seat,
        )  # fmt: skip

    def _read(self, stored: StoredChallenge | None) -> Note | None:
        """What it says; None for what is none, or of a game that this hub does not have."""
        with suppress(msgspec.DecodeError, ValueError, Refusal):
            if stored is not None:
                note = _DECODER.decode(stored.data)
                created = decode_event(note.created)
                if isinstance(created, Created) and created.game in self._catalogue:
                    return note
        return None

    # Ends that nobody asks for ----------------------------------------------------------------------------------------

    def gone(self, viewer: Viewer) -> None:
        """The player's last connection here is gone: what stands ends if it does not come back."""
        own = [challenge for challenge, (_, note) in self._timed.items() if viewer.player in note.players]
        if own:
            self._in_background(self._see_gone(viewer, own))

    async def _see_gone(self, viewer: Viewer, own: list[str]) -> None:
        await asyncio.sleep(RELOAD_S if viewer.said_goodbye else KEPT_S + 1)
        holder = await self._store.name_holder(looks(viewer.name))
        if holder is not None and holder.player == viewer.player:
            return
        for challenge in own:
            if (timed := self._timed.get(challenge)) is not None:
                await self._store.decide(challenge, timed[1].players, "left", viewer.name)

    def _watch(self, challenge: str, note: Note, after_s: float) -> None:
        timer = asyncio.get_running_loop().call_later(
            after_s, lambda: self._in_background(self._expire(challenge, note))
        )
        self._timed[challenge] = timer, note

    def _watch_no_longer(self, challenge: str) -> None:
        if (timed := self._timed.pop(challenge, None)) is not None:
            timed[0].cancel()

    async def _expire(self, challenge: str, note: Note) -> None:
        self._timed.pop(challenge, None)
        if not await self._store.decide(challenge, note.players, "expired"):
            self._watch(challenge, note, LATE_S)

    def _in_background(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(self._logged(work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _logged(self, work: Coroutine[Any, Any, None]) -> None:
        try:
            await work
        except ParlourError as error:
            # The store forgets it by itself, and clients know when its time is over.
            log.warning("a challenge could not be ended", reason=str(error))


_WHY_NOT = {MUTED: Code.MUTED, LATELY: Code.CHALLENGED_LATELY, MANY: Code.TOO_MANY_CHALLENGES}
