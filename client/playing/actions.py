"""What the user does, as commands to the session: the half of an application that faces the server.

The terminal and the window share it; each says how a command goes out and how the model comes forward.
"""

from __future__ import annotations

from client.conversation.events import (
    Chosen,
    Cleared,
    Event,
    Forgotten,
    Left,
    Muted,
    Planned,
    Reviewed,
    Stepped,
    TalkRead,
)
from client.kept.learned import Learned
from client.kept.saves import SavedGame, SaveError, save
from client.kept.settings import Settings
from client.playing import log_saves
from client.playing.commands import Meant, command_for
from client.playing.new_match import Against, AtOnce, Choice, NoSuchGame
from client.playing.practice import practice
from client.playing.saving import Keeping
from client.shown.challenges import ONCE_MORE, incoming, leads_to, leaves_a_match, outgoing
from client.shown.controls import is_enabled
from client.shown.history import questions
from client.shown.in_view import Eyes
from client.shown.lessons import is_done, next_task
from client.shown.lobby import Way
from client.shown.model import Model, Notice
from client.shown.plans import move_of, path_of
from protocol.messages import (
    Abandon,
    AnswerChallenge,
    Cancel,
    Command,
    Create,
    Forget,
    GetRecord,
    Join,
    Look,
    Move,
    MuteChallenges,
    Offer,
    Record,
    Refused,
    Say,
    WithdrawChallenge,
)
from protocol.messages import Watch as WatchMatch

FORGOTTEN_S = 10.0
"""How long a refusal is shown that nothing else takes the place of."""


class Doing:
    """Sends what the user asks for. The application below it carries the session and shows the model."""

    model: Model
    last_choice: Choice
    is_local: bool
    eyes: Eyes
    learned: Learned
    _keeping: Keeping
    _noticed: tuple[int, float] = (0, 0.0)
    """The number of the newest notice, and since when it is shown."""
    _asked_about = ""
    """The challenge of which it was said that to accept it leaves a match."""
    _practising: tuple[str, int, tuple[int, ...]] | None = None
    """The ref of the question for a record, after how many moves play goes on, and the seats held there."""
    _saving: tuple[str, str, bool] | None = None
    """The ref of the question for a record, under which name it is to be saved, and whether over another game."""

    @property
    def now(self) -> float:
        """The session's clock, in seconds."""
        raise NotImplementedError

    def take(self, event: Event) -> None:
        """Bring the model forward by one event, and act on it."""
        raise NotImplementedError

    def refresh_screens(self) -> None:
        """Show the model."""
        raise NotImplementedError

    def _send(self, command: Command) -> None:
        """Send it, now or as soon as there is a connection."""
        raise NotImplementedError

    def _ref(self) -> str:
        """A new name for a command."""
        raise NotImplementedError

    def _unfollow(self) -> None:
        """Follow the match on screen no longer."""
        raise NotImplementedError

    # Entering ---------------------------------------------------------------------------------------------------------

    def tell(self, text: str, code: str = "told") -> None:
        """A sentence of the client's own, where the server's refusals stand."""
        notice = Notice(text, code, self.model.notice.number + 1)
        self.take(Refused(ref="", code=notice.code, text=notice.text))

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

    # Challenges -------------------------------------------------------------------------------------------------------

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

    def follow_challenge(self, before: Model, event: Event) -> None:
        """Go where an accepted challenge leads; `event` has just been taken, `before` is what was known before it."""
        if match := leads_to(before, event):
            self._send(WatchMatch(ref=self._ref(), match=match))

    # In a match -------------------------------------------------------------------------------------------------------

    def play(self, move: str) -> None:
        """Play a move: at once, or once it is confirmed, or on the next turn (which the same move again revokes)."""
        model, match = self.model, self.model.match
        if match is None:
            return
        if model.may_plan and is_enabled("touch", model):
            path = path_of(match, move)
            self._planned(Planned(path if path != model.plan.path else ()))
        elif model.confirms and model.is_my_turn:
            self._planned(Planned(unsent=move))
        else:
            self._play(move)

    def confirm(self) -> None:
        """Send the move that waits for that."""
        move = self.model.plan.unsent
        self._planned(Planned())
        if move:
            self._play(move)

    def drop_plan(self) -> bool:
        """Let go of what is planned or not confirmed; whether there was anything."""
        had = bool(self.model.plan.path or self.model.plan.unsent)
        if had:
            self._planned(Planned())
        return had

    def follow_plan(self) -> None:
        """On one's turn, play what was planned for it, if that is legal exactly as it was touched."""
        model, match = self.model, self.model.match
        if match is not None and model.plan.path and model.is_my_turn and not model.pending_moves:
            move = move_of(match, model.plan.path)
            self._planned(Planned(dropped=move is None))
            if move is not None:
                self._play(move)

    def choose(self, settings: Settings) -> None:
        """What the user has chosen holds from now on."""
        self.take(Chosen(settings.confirm, settings.premove))
        self.refresh_screens()

    def _planned(self, plan: Planned) -> None:
        self.take(plan)
        self.refresh_screens()

    def _play(self, move: str) -> None:
        # In the position that one's own pending moves lead to; legal or not, the server has the words.
        match = self.model.match
        if match is not None:
            version = self.model.next_version
            self._send(Move(ref=self._ref(), match=match.match, version=version, move=move))

    def act(self, action: str, version: int | None = None) -> None:
        """One of the actions that are a command by themselves: pause, draw, accept, give up and the others.

        `version` is that of the match when the user was asked whether it is meant; that of now without a question.
        """
        match = self.model.match
        if match is not None:
            self.eyes.look(match, self.now)
            seen = self.model.next_version if version is None else version
            self._send(command_for(action, self._ref(), Meant(match.match, seen, self.eyes.seen(self.now))))

    def revert(self, moves: tuple[str, ...]) -> None:
        """Ask to go back to a saved position (`DB 7.3.3.2`)."""
        match = self.model.match
        if match is not None:
            version = self.model.next_version
            self._send(Offer(ref=self._ref(), match=match.match, kind="revert", moves=moves, version=version))

    def go_back_to(self, saved: SavedGame) -> None:
        """The same, to that of a file; whether it was the one that was saved is told afterwards."""
        match = self.model.match
        if match is not None:
            self._keeping.expect(saved, match.match)
            self.revert(saved.moves)

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

    def read_talk(self) -> None:
        """What was said is looked at."""
        if self.model.unread:
            self.take(TalkRead())

    def review(self) -> None:
        """Have the match that is over reviewed; again, break that off, or put it away."""
        self.take(Reviewed())
        self.refresh_screens()

    def save(self, name: str, *, replace: bool = False) -> None:
        """Ask for the match's record, to be written to a file of this name (`DB 7.3.3.1`)."""
        match = self.model.match
        if match is not None and self.model.is_log:
            self.tell(*log_saves.save(self.model, name, replace=replace))
        elif match is not None:
            ref = self._ref()
            self._saving = (ref, name, replace)
            self._send(GetRecord(ref=ref, match=match.match))

    def practise(self) -> None:
        """Play on against the computer from the position that is looked at."""
        match = self.model.match
        if match is not None:
            ref = self._ref()
            self._practising = (ref, self.model.shown_ply, match.you)
            self._send(GetRecord(ref=ref, match=match.match))

    def _recorded(self, record: Record) -> None:
        """What was asked for a record: to save it, or to play on from it."""
        self._save_now(record)
        if self._practising is None or self._practising[0] != record.ref:
            return
        (_, ply, you), self._practising = self._practising, None
        begun = practice(record, ply, you, self._ref())
        self.last_choice = Choice(
            begun.game, tuple(begun.options.items()), False, opponent="computer", clock=begun.clock
        )
        self.leave_match()
        self._send(begun)

    def _save_now(self, record: Record) -> None:
        if self._saving is None or self._saving[0] != record.ref:
            return
        _, name, replace = self._saving
        self._saving = None
        try:
            path = save(record, name, replace=replace)
        except SaveError as error:
            self.tell(str(error), "save")
        else:
            self.tell(f"Saved as “{path.stem}”.", "")

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

    def leave_match(self) -> None:
        """Back to the lobby."""
        if self.model.is_cleared:
            self.take(Left(""))
        self._unfollow()

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
