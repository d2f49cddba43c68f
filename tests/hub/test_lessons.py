"""A task for who learns a game, at a real hub."""

from __future__ import annotations

from protocol.messages import Accepted, Create, Ended, Leave, LobbyState, Offer, Rematched, Snapshot, Watch, WatchLobby
from tests.driver import Client
from tests.hub.conftest import Open


async def begin(client: Client, number: int, **fields: object) -> Snapshot:
    asked = Create(ref=client.ref(), game="dots-and-boxes", lesson=number, **fields)  # type: ignore[arg-type]
    created = await client.ask(asked, Accepted)
    assert created.key is None
    return await client.expect(Snapshot, lambda shown: shown.match == created.match)


async def look(client: Client, match: str) -> Snapshot:
    await client.ask(Watch(ref=client.ref(), match=match), Accepted)
    return await client.expect(Snapshot, lambda shown: shown.match == match)


async def test_a_task_is_done_tried_again_and_left(open_client: Open) -> None:
    """Nobody is told of it; the server says what is to be done, and whether it was."""
    ana, bob = await open_client("Ana"), await open_client("Bob")
    task = await begin(ana, 2, private=False, computer=True, level="hard", options={"width": 9})
    assert (task.lesson, task.options, task.level) == (2, {"width": 4, "height": 3}, "")
    assert "three boxes" in task.text
    await bob.ask(WatchLobby(ref="l"), Accepted)
    assert (await bob.expect(LobbyState)).matches == ()
    await ana.move(task.match, task.version, "a2-a3")
    missed = await ana.expect(Ended)
    assert (missed.result.reason, missed.result.winner) == ("task_missed", None)
    await ana.ask(Offer(ref="again", match=task.match, kind="rematch"), Accepted)
    following = (await ana.expect(Rematched)).next
    again = await look(ana, following)
    assert (again.lesson, again.text, again.plies) == (2, task.text, task.plies)
    for version, move in enumerate(("b1-b2", "c1-c2", "d1-d2"), again.version):
        await ana.move(again.match, version, move)
    done = await ana.expect(Ended, lambda ended: ended.match == again.match)
    assert (done.result.reason, done.result.winner) == ("task_done", 0)


async def test_what_is_left_is_over(open_client: Open) -> None:
    """So who looks at task after task is never refused for having too many matches, and none waits for anybody."""
    ana = await open_client("Ana")
    for _ in range(2):
        task = await begin(ana, 1)
        await ana.ask(Leave(ref=ana.ref(), match=task.match), Accepted)
        assert (await look(ana, task.match)).status == "ended"


async def test_a_task_that_there_is_not_is_refused(open_client: Open) -> None:
    ana = await open_client("Ana")
    assert await ana.refusal(Create(ref="n", game="dots-and-boxes", lesson=19)) == "bad_option"
