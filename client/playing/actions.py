"""What the user does, as commands to the session: the half of an application that faces the server.

The terminal and the window share it; each says how a command goes out and how the model comes forward.
"""

from __future__ import annotations

from client.conversation.events import ChatRead, Cleared, Event, Forgotten, Muted, Reviewed, Settled, Stepped
from client.playing.challenging import Challenging
from client.playing.commands import Meant, command_for
from client.playing.moving import Moving
from client.playing.new_match import Against, AtOnce, Choice, NoSuchGame
from client.playing.recording import Recording
from client.shown.history import questions
from client.shown.model import Model
from client.shown.words.challenges import invitation_text, leads_to
from client.shown.words.ending import rematch
from client.shown.words.lessons import is_done, next_task
from client.shown.words.lobby import Way
from protocol.messages import Abandon, Cancel, Command, Create, Forget, GetInvitation, Invitation, Join, Look, Say
from protocol.messages import Watch as WatchMatch

FORGOTTEN_S = 10.0
"""How long a refusal is shown that nothing else takes the place of."""


class Doing(Moving, Challenging, Recording):
    """Sends what the user asks for. The application below it carries the session and shows the model."""

    _noticed: tuple[int, float] = (0, 0.0)
    """The number of the newest notice, and since when it is shown."""

    # Entering ---------------------------------------------------------------------------------------------------------

    def create(self, choice: Choice) -> None:
        """Host a match (`CK R1.2`): against somebody, the computer (`SQ2`), or both at this keyboard (`DB 1.8`)."""
        self.last_choice = choice
        self._send(choice.create(self._ref(), both_here=self.is_local))

    def quick_match(self, choice: Choice) -> None:
        """Be paired (`UD RF2`); at one keyboard the two are there already."""
        if self.is_local:
            self.create(choice)
            return
        self.last_choice = choice
        self._send(choice.quick(self._ref()))

    def play_at_once(self, asked: AtOnce) -> bool:
        """From a card, or from the shell, to a board; False where there is no such game, which is told."""
        try:
            found = asked.begun(self.learned, self.model.games)
        except NoSuchGame as error:
            self.tell(str(error), "game")
            return False
        if found.against is not Against.LEARN:
            self.last_choice = found.choice
        self._send(found.command(self._ref()))
        return True

    def open_match(self, match: str, way: Way) -> None:
        """Join, watch or go on with a match of the lobby."""
        ref = self._ref()
        self._send(Join(ref=ref, match=match) if way is Way.JOIN else WatchMatch(ref=ref, match=match))

    def join_by_key(self, key: str) -> None:
        """Join a private match (`CK R1.6`)."""
        self._send(Join(ref=self._ref(), key=key))

    def ask_about_key(self, key: str) -> None:
        """Have it told to what a key invites, before a seat is taken by it."""
        self._send(GetInvitation(ref=self._ref(), key=key))

    def drop(self, match: str, act: str) -> None:
        """What a row of the lobby offers for one's own match: cancel it, surrender it, or have it there no longer."""
        ref = self._ref()
        commands: dict[str, Command] = {
            "cancel": Cancel(ref=ref, match=match),
            "give_up": Abandon(ref=ref, match=match),
            "forget": Forget(ref=ref, match=match),
        }
        self._send(commands[act])

    def forget(self) -> bool:
        """Take back a refusal that is old; whether one was."""
        notice = self.model.notice
        if notice.number != self._noticed[0]:
            self._noticed = (notice.number, self.now)
        is_old = bool(notice.code) and self.now - self._noticed[1] >= FORGOTTEN_S
        if is_old:
            self.take(Forgotten(notice.number))
        return is_old

    # In a match -------------------------------------------------------------------------------------------------------

    def act(self, action: str, version: int | None = None) -> None:
        """One of the actions that are a command by themselves: pause, draw, accept, give up and the others.

        `version` is that of the match when the user was asked whether it is meant; that of now without a question.
        """
        match = self.model.match
        if match is not None:
            self.eyes.look(match, self.now)
            seen = self.model.next_version if version is None else version
            self._send(command_for(action, self._ref(), Meant(match.match, seen, self.eyes.seen(self.now))))

    def step(self, ply: int) -> None:
        """Look at the position after `ply` moves; from the newest one on, play is followed again."""
        match = self.model.match
        if match is None:
            return
        ply = max(ply, 0)
        if ply >= match.plies:
            self.take(Stepped(None))
        else:
            self.take(Stepped(ply))
            self._send(Look(ref=self._ref(), match=match.match, ply=ply))
        self.refresh_screens()

    def follow_history(self, event: Event) -> None:
        """Ask for what is missing of the match's past; `event` has just been taken."""
        for question in questions(self.model, event, self._ref):
            self._send(question)

    def read_chat(self) -> None:
        """What was said is looked at."""
        if self.model.unread:
            self.take(ChatRead())

    def review(self) -> None:
        """Have the match that is over reviewed; again, break that off, or put it away."""
        self.take(Reviewed())
        self.refresh_screens()

    def follow_task(self) -> None:
        """Remember a task that was done."""
        match = self.model.match
        if match is not None and is_done(match):
            self.learned.mark(match.game, match.lesson)

    def say(self, text: str) -> None:
        """Say a line to those whom one may talk to."""
        match = self.model.match
        if match is not None and text.strip():
            self._send(Say(ref=self._ref(), match=match.match, text=text.strip()))

    def mute(self) -> None:
        """Leave out what others say, or not."""
        self.take(Muted(not self.model.muted))
        self.refresh_screens()

    def follow_on(self, before: Model, event: Event) -> None:
        """Into the match that both players agreed to go on with (`RU-M7`), who watched goes on watching; or where an
        accepted challenge leads.

        `event` has just been taken, `before` is what was known before it.
        """
        if isinstance(event, Settled) and isinstance(event.answer, Invitation):
            self.tell(invitation_text(self.model, event.answer), "")
        if match := rematch(before, self.model) or leads_to(before, event):
            self._send(WatchMatch(ref=self._ref(), match=match))

    # Out of it --------------------------------------------------------------------------------------------------------

    def cancel_match(self) -> None:
        """Take back a match that waits, and go to the lobby."""
        match = self.model.match
        if match is not None:
            self._send(Cancel(ref=self._ref(), match=match.match))
            self.leave_match()

    def go_to_lobby(self) -> None:
        """To the lobby: a match of one's own that waits goes on waiting, any other is left."""
        if self.model.waits:
            self.show_lobby()
        else:
            self.leave_match()

    def show_lobby(self) -> None:
        """The lobby, while what is on screen goes on."""
        raise NotImplementedError

    def clear_match(self) -> None:
        """Restore the initial state after a finished match: an empty board and no match (`UD RF3`)."""
        self.take(Cleared())
        self._unfollow()
        self.refresh_screens()

    def play_again(self) -> None:
        """The same game and options, with whoever is ready; after a task, the next one."""
        match = self.model.match
        if match is None:
            return
        if match.lesson:
            self._next_task(match.game)
            return
        alone = len(match.you) == 2 or self.last_choice.opponent != "somebody"
        choice = Choice(
            match.game,
            tuple(match.options.items()),
            match.private,
            opponent=self.last_choice.opponent,
            clock=match.clock_rule,
            grace_s=match.grace_s,
            level=match.level,
            seat=match.you[0] if len(match.you) == 1 else 0,
        )
        self.leave_match()
        if alone or self.is_local or match.private:
            self.create(choice)
        else:
            self.quick_match(choice)

    def _next_task(self, game: str) -> None:
        lesson = next_task(self.model)
        if lesson:
            self.leave_match()
            self._send(Create(ref=self._ref(), game=game, lesson=lesson))
