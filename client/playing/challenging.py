"""Challenging others, and answering their challenges."""

from __future__ import annotations

from client.playing.new_match import Choice
from client.playing.sending import Sending
from client.shown.words.challenges import ONCE_MORE, incoming, leaves_a_match, outgoing
from protocol.messages import AnswerChallenge, MuteChallenges, WithdrawChallenge


class Challenging(Sending):
    """Sends challenges and the answers to them."""

    _asked_about = ""
    """The challenge of which it was said that to accept it leaves a match."""

    def challenge(self, name: str, choice: Choice) -> None:
        """Ask a player who is here for a match."""
        self.last_choice = choice
        self._send(choice.challenge(self._ref(), name))

    def answer_challenge(self, *, accept: bool) -> None:
        """Accept or decline the oldest challenge; nobody is taken away from a match without having been asked."""
        told = incoming(self.model)
        if told is None:
            return
        if accept and leaves_a_match(self.model) and self._asked_about != told.challenge:
            self._asked_about = told.challenge
            self.tell(ONCE_MORE)
        else:
            self._send(AnswerChallenge(ref=self._ref(), challenge=told.challenge, accept=accept))

    def withdraw_challenge(self) -> None:
        """Take the newest challenge of one's own back."""
        told = outgoing(self.model)
        if told is not None:
            self._send(WithdrawChallenge(ref=self._ref(), challenge=told.challenge))

    def mute_challenges(self) -> None:
        """Be challenged by nobody, or by others again."""
        self._send(MuteChallenges(ref=self._ref(), on=not self.model.unchallenged))
