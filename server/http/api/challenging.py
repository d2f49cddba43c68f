"""Challenges by HTTP: made, listed, answered, taken back, and wanted or not."""

from __future__ import annotations

import asyncio
import hashlib
from typing import Annotated, Any

import msgspec
from msgspec import Meta
from starlette.requests import Request

from protocol.limits import MAX_ID
from protocol.messages import (
    Accepted,
    AnswerChallenge,
    Challenge,
    Challenged,
    ChallengeOver,
    ChallengesMuted,
    Command,
    MuteChallenges,
    Ping,
    Pong,
    Snapshot,
    WithdrawChallenge,
)
from server.http.api import types
from server.http.api.errands import Errands
from server.http.api.gone import first_of, gone
from server.http.api.listeners import Listeners
from server.http.api.requests import challenge_id, query, read_body, ref_of, token_of, who_asks
from server.http.api.types import Answered, Challenges
from server.http.api.viewers import Stays
from server.hub.presence.identity import token_hash
from server.hub.service import Service
from server.store.people import Guest
from server.store.port import Store

TAG_LENGTH = 16
UNHEARD_S = 2.0
"""Who cannot be told of news, for another player is here under that name, is looked for this often."""

_NEW_CHALLENGE = msgspec.json.Decoder(types.NewChallenge)
_ANSWER = msgspec.json.Decoder(types.ChallengeAnswer)
_WITHDRAWAL = msgspec.json.Decoder(types.Withdrawal)
_MUTING = msgspec.json.Decoder(types.Muting)


class Challenging:
    """The operations about challenges; `routes.OPERATIONS` says where each is found."""

    _store: Store
    _service: Service
    _errands: Errands
    _stays: Stays
    _listeners: Listeners
    stopping = False

    async def challenges(self, request: Request) -> Challenges:
        """Your challenges that stand, own and others', and how those of the last two minutes went.

        Who asks is here, and can be challenged under the own name, as long as the request is open and for some seconds
        after it. With `wait` the answer comes as soon as something is other than in the answer with the `tag` `known`,
        at the latest after so many seconds.
        """
        wait_s = query(request, "wait", Annotated[float, Meta(ge=0, le=types.MAX_WAIT_S)], 0.0)
        known = query(request, "known", Annotated[str, Meta(max_length=MAX_ID)], "")
        who = await who_asks(request, self._store)
        listener = await self._listeners.come(who, token_hash(token_of(request)))
        loop = asyncio.get_running_loop()
        deadline = loop.time() + wait_s
        if listener is None:
            return await self._listed_until(request, who, known, deadline)
        with listener.polling(self._listeners.here_s):
            leaving = asyncio.create_task(gone(request))
            try:
                while True:
                    news = listener.expect_news()
                    found = await self._listed(request, who)
                    left_s = deadline - loop.time()
                    if found.tag != known or left_s <= 0 or leaving.done() or self.stopping:
                        return found
                    await first_of(news, leaving, left_s)
            finally:
                leaving.cancel()

    async def new_challenge(self, request: Request) -> Challenges:
        """Asks the player of that name, who is here, for a match; the answer holds the challenge (`mine`).

        It stands for a minute, or until it is answered or taken back. Ask for your challenges, best with `wait`, to
        hear how it went: accepted, it is the id of your match.
        """
        return await self._done(request, Challenge, await read_body(request, _NEW_CHALLENGE))

    async def answer_challenge(self, request: Request) -> Answered:
        """Accepts or declines a challenge. Accepted, you are in the match, which has its id, opposite its `seat`."""
        challenge = challenge_id(request)
        asked = await read_body(request, _ANSWER)
        who = await who_asks(request, self._store)
        if asked.accept:
            self._stays.demand_room()
        command = AnswerChallenge(ref=ref_of(request, asked.ref), challenge=challenge, accept=asked.accept)
        async with self._errands.errand(request, who) as errand:
            accepted = await self._errands.perform(errand, command, Accepted)
            if accepted.match:
                # Before the errand is let go of: the player is here without a gap.
                await self._stays.stay_on(who, accepted.match)
            state = errand.last_or_none(Snapshot)
        return Answered(challenge=challenge, match=accepted.match, version=accepted.version, state=state)

    async def withdraw_challenge(self, request: Request) -> Challenges:
        """Takes your own challenge back."""
        challenge = challenge_id(request)
        return await self._done(request, WithdrawChallenge, await read_body(request, _WITHDRAWAL), challenge=challenge)

    async def mute_challenges(self, request: Request) -> Challenges:
        """Whoever challenges you from now on is refused as `muted`; `on: false` lets challenges come again."""
        return await self._done(request, MuteChallenges, await read_body(request, _MUTING))

    async def _done(self, request: Request, kind: type[Command], asked: Any, **more: Any) -> Challenges:
        who = await who_asks(request, self._store)
        listener = await self._listeners.come(who, token_hash(token_of(request)))
        fields = {name: getattr(asked, name) for name in kind.__struct_fields__ if hasattr(asked, name)}
        command = kind(**{**fields, **more, "ref": ref_of(request, asked.ref)})
        async with self._errands.errand(request, who) as errand:
            await self._errands.perform(errand, command, Accepted)
        return await self._listed(request, who, heard=listener is not None)

    async def _listed_until(self, request: Request, who: Guest, known: str, deadline: float) -> Challenges:
        loop, leaving = asyncio.get_running_loop(), asyncio.create_task(gone(request))
        try:
            while True:
                found = await self._listed(request, who, heard=False)
                left_s = deadline - loop.time()
                if found.tag != known or left_s <= 0 or leaving.done() or self.stopping:
                    return found
                await asyncio.wait({leaving}, timeout=min(left_s, UNHEARD_S))
        finally:
            leaving.cancel()

    async def _listed(self, request: Request, who: Guest, *, heard: bool = True) -> Challenges:
        async with self._errands.errand(request, who) as errand:
            pong = await self._errands.perform(errand, Ping(ref="look"), Pong)
            await self._service.challenges.show(errand)
        told = errand.received
        stand = tuple(one for one in told if isinstance(one, Challenged))
        over = tuple(one for one in told if isinstance(one, ChallengeOver))
        muted = any(isinstance(one, ChallengesMuted) for one in told)
        state = (heard, muted, [one.challenge for one in stand], [(one.challenge, one.fate) for one in over])
        tag = hashlib.sha256(msgspec.json.encode(state)).hexdigest()[:TAG_LENGTH]
        name = who.name if heard else ""
        return Challenges(name=name, now_ms=pong.now_ms, muted=muted, challenges=stand, over=over, tag=tag)
