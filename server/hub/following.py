"""What a viewer is shown of a match: from now on, as it was after some move, or all that happened."""

from __future__ import annotations

from contextlib import suppress

from protocol.errors import Code, ParlourError, Refusal
from protocol.messages import Accepted, GetRecord, Look, Sync, Watch
from server.hub.presence.tracker import PresenceTracker
from server.hub.rooms.chat import ChatBook
from server.hub.rooms.keeper import Keeper
from server.hub.rooms.room import Room
from server.hub.viewers.viewer import Viewer
from server.match import views
from server.match.state import Match
from server.store.receipts import Receipt


class Following:
    """Who follows which match, as far as they may see it. All but `enter` raise Refusal for what may not be seen."""

    def __init__(self, keeper: Keeper, tracker: PresenceTracker, chat: ChatBook | None) -> None:
        self._keeper = keeper
        self._tracker = tracker
        self._chat = chat

    async def enter(self, viewer: Viewer, ref: str, receipt: Receipt) -> None:
        """Hand over the receipt, for all is stored, and show the match as far as that can be done now.

        Who was answered long ago may not be allowed to see it any more; and if it cannot be read just now the client
        asks for it by itself.
        """
        room: Room | None = None
        with suppress(ParlourError):
            room = await self._keeper.room(receipt.match)
        room = room or self._keeper.rooms.get(receipt.match)
        viewer.begin_write()
        try:
            viewer.send(Accepted(ref=ref, match=receipt.match, version=receipt.version, key=receipt.key or None))
            if room is not None and _may_see(viewer, room):
                self._tracker.enter(viewer, room)
        finally:
            viewer.end_write()

    async def watch(self, viewer: Viewer, asked: Watch) -> None:
        """Follow a match from now on."""
        await self._follow(viewer, asked.ref, asked.match)

    async def sync(self, viewer: Viewer, asked: Sync) -> None:
        """Follow it from the version that the viewer knows."""
        room = await self.visible(viewer, asked.match)
        other_epoch = asked.epoch not in ("", self._keeper.epoch)
        if other_epoch or asked.after > room.seen_by(viewer.player).version:
            # It knows of more than this hub does: who is right is in the log.
            await self._keeper.read_again(asked.match)
        await self._follow(viewer, asked.ref, asked.match, asked.after, anew=other_epoch)

    async def _follow(
        self, viewer: Viewer, ref: str, match: str, after: int | None = None, *, anew: bool = False
    ) -> None:
        """All that can fail comes first: a command has one answer, and one that is refused follows nothing.

        `anew` is for one who knows the match as it was before the store was set back.
        """
        room = await self.visible(viewer, match)
        if self._chat is not None:
            await self._chat.prepare(viewer, room)
            room = await self.visible(viewer, match)
        known = room.seen_by(viewer.player).version
        viewer.send(Accepted(ref=ref, match=match, version=known))
        shown_whole = anew and after is not None and after <= known
        self._tracker.enter(viewer, room, after=None if shown_whole else after)
        if self._chat is not None:
            self._chat.show_again(viewer, match)

    async def look(self, viewer: Viewer, asked: Look) -> None:
        """Show the position after some move. Raises Refusal `paused`, too."""
        viewer.send(views.position(await self._open(viewer, asked.match), asked.ply, viewer.translate, asked.ref))

    async def get_record(self, viewer: Viewer, asked: GetRecord) -> None:
        """Tell all moves so far. Raises Refusal `paused`, too."""
        match = await self._open(viewer, asked.match)
        viewer.send(await self._keeper.slices.run(views.recording(match, viewer.translate, asked.ref, asked.after)))

    async def _open(self, viewer: Viewer, match_id: str) -> Match:
        """A match whose past `viewer` may look at now, as far as it may. Raises Refusal `paused`, or as `visible`."""
        room = await self.visible(viewer, match_id)
        if views.hidden(room.match):
            raise Refusal(Code.PAUSED)
        return room.seen_by(viewer.player)

    async def visible(self, viewer: Viewer, match_id: str) -> Room:
        """The room of a match that `viewer` may look at. A private one is for its players, unless the host opened it
        to spectators (`F5`)."""
        room = await self._keeper.room(match_id)
        if not _may_see(viewer, room):
            raise Refusal(Code.PRIVATE)
        return room


def _may_see(viewer: Viewer, room: Room) -> bool:
    return room.match.watchable or bool(room.match.seats_of(viewer.player))
