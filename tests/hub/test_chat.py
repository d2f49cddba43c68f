"""Chat over two real hubs: who hears what, once, in order, again after a reconnect, and nothing but text."""

from __future__ import annotations

import asyncio
from functools import partial

import pytest

from protocol.errors import Refusal
from protocol.messages import Abandon, Accepted, Chat, Joined, Leave, Pause, Refused, Said, Say, SeatFreed, Sync, Watch
from server.match.lines import clean_line
from tests.driver import Client, HubProcess
from tests.hub.conftest import Open


async def table(hubs: list[HubProcess], open_client: Open) -> tuple[str, list[Client], list[Client]]:
    """A match with a player and a spectator at each hub."""
    players = [await open_client(f"Player {number}", url=hub.url) for number, hub in enumerate(hubs)]
    match = (await players[0].create("square")).match
    await players[1].join(match)
    spectators = [await open_client(f"Spectator {number}", url=hub.url) for number, hub in enumerate(hubs)]
    for spectator in spectators:
        await spectator.ask(Watch(ref="w", match=match), Accepted)
    return match, players, spectators


async def say(client: Client, match: str, text: str, ref: str = "") -> Accepted:
    return await client.ask(Say(ref=ref or client.ref(), match=match, text=text), Accepted)


def _is_of(match: str, said: Said) -> bool:
    return said.match == match


def heard(client: Client) -> list[tuple[int, str]]:
    return [(m.number, m.text) for m in client.received if isinstance(m, Said)]


async def test_players_and_spectators_hear_their_own_alone(hubs: list[HubProcess], open_client: Open) -> None:
    match, players, spectators = await table(hubs, open_client)
    await say(players[0], match, "Good luck!")
    await say(spectators[1], match, "He should take b2.")
    await say(players[1], match, "You too.")
    await say(spectators[0], match, "I think so, too.")
    for player in players:
        await player.expect(Said, lambda said: said.number == 2)
        assert heard(player) == [(1, "Good luck!"), (2, "You too.")]
    for spectator in spectators:
        await spectator.expect(Said, lambda said: said.number == 2)
        assert heard(spectator) == [(1, "He should take b2."), (2, "I think so, too.")]
    said = next(m for m in players[1].received if isinstance(m, Said))
    assert (said.channel, said.name, said.seat) == ("players", "Player 0", 0)
    assert said.at_ms > 0
    await asyncio.sleep(0.3)
    assert not [text for client in players for _, text in heard(client) if "b2" in text or "think" in text]


@pytest.mark.parametrize("number", [0, 1])
async def test_the_next_guest_is_not_shown_what_was_said_with_the_one_before(
    hubs: list[HubProcess], open_client: Open, number: int
) -> None:
    """Q7: a seat that was freed brings nothing of the earlier guest's, at whichever hub; the host has heard it."""
    host = await open_client(f"Host {number}", url=hubs[0].url)
    match = (await host.create("square")).match
    await say(host, match, "I am from Lisbon.")
    first = await open_client(f"First {number}", url=hubs[1].url)
    await first.join(match)
    assert await shown_lines(first, match) == ["I am from Lisbon."]
    await say(first, match, "My address is a secret.")
    await first.ask(Leave(ref=first.ref(), match=match), Accepted)
    await host.expect(SeatFreed)
    following = await open_client(f"Next {number}", url=hubs[number].url)
    await following.join(match)
    await following.ask(Watch(ref=following.ref(), match=match), Accepted)
    await host.expect(Joined, lambda event: event.name == f"Next {number}")
    await say(host, match, "Welcome!")
    await following.expect(Said, lambda said: said.text == "Welcome!")
    assert await shown_lines(following, match) == ["Welcome!"]
    assert not [message for message in following.received if "secret" in str(message) or "Lisbon" in str(message)]
    assert await shown_lines(host, match) == ["I am from Lisbon.", "My address is a secret.", "Welcome!"]


async def shown_lines(client: Client, match: str) -> list[str]:
    """What is shown to one who watches the match again."""
    await client.ask(Watch(ref=client.ref(), match=match), Accepted)
    return [line.text for line in (await client.expect(Chat)).lines]


async def test_a_line_sent_twice_is_said_once(hubs: list[HubProcess], open_client: Open) -> None:
    match, players, _ = await table(hubs, open_client)
    for _ in range(3):
        await say(players[0], match, "Once", ref="same")
    again = await open_client("Player 0", url=hubs[1].url, token=players[0].token)
    await say(again, match, "Once", ref="same")
    await say(players[0], match, "Twice")
    await players[1].expect(Said, lambda said: said.text == "Twice")
    assert heard(players[1]) == [(1, "Once"), (2, "Twice")]


async def test_a_line_is_heard_though_somebody_comes_at_the_same_moment(
    hubs: list[HubProcess], open_client: Open
) -> None:
    """The other hub reads the lines for the one who comes, before it hears that one was just said.

    A hub that took what it read for old lost 162 of these 200 lines.
    """
    for number in range(200):
        if number % 8 == 0:  # nobody may do much at once
            host = await open_client(f"Host {number}", url=hubs[0].url)
            guest = await open_client(f"Guest {number}", url=hubs[1].url)
            spectator = await open_client(f"Spectator {number}", url=hubs[1].url)
        match = (await host.create("square")).match
        await guest.join(match)
        watching = spectator.ask(Watch(ref=f"w{number}", match=match), Accepted)
        await asyncio.gather(say(host, match, f"Line {number}"), watching)
        said = await guest.expect(Said, partial(_is_of, match))
        assert (said.number, said.text) == (1, f"Line {number}")
        await host.ask(Abandon(ref=host.ref(), match=match), Accepted)


async def test_who_joins_is_told_what_the_host_said_while_waiting(hubs: list[HubProcess], open_client: Open) -> None:
    host, guest = await open_client("Player 0", url=hubs[0].url), await open_client("Player 1", url=hubs[0].url)
    match = (await host.create("square")).match
    await say(host, match, "Come in!")
    await guest.join(match)
    chat = await guest.expect(Chat)
    assert [line.text for line in chat.lines] == ["Come in!"]


async def test_who_comes_back_is_told_what_was_said(hubs: list[HubProcess], open_client: Open) -> None:
    match, players, spectators = await table(hubs, open_client)
    for number in range(8):
        await say(players[number % 2], match, f"Line {number}")
    players[0].cut()
    await say(players[1], match, "Are you there?")
    again = await open_client("Player 0", url=hubs[1].url, token=players[0].token)
    await again.ask(Sync(ref="s", match=match, after=2), Accepted)
    chat = await again.expect(Chat)
    assert [line.text for line in chat.lines] == [*(f"Line {number}" for number in range(8)), "Are you there?"]
    assert [line.number for line in chat.lines] == list(range(1, 10))
    late = await open_client("Late")
    await late.ask(Watch(ref="w", match=match), Accepted)
    await asyncio.sleep(0.2)
    assert not [m for m in (*late.received, *spectators[0].received) if isinstance(m, Chat | Said)]


@pytest.mark.parametrize("many", [60])
async def test_only_the_last_lines_are_kept(hubs: list[HubProcess], open_client: Open, many: int) -> None:
    match, _, speakers = await table(hubs, open_client)
    for number in range(many):
        # Nobody says so much in so short a time: each of them says eight lines.
        if number // 8 >= len(speakers):
            speakers.append(await open_client(f"Speaker {number}"))
            await speakers[-1].ask(Watch(ref="w", match=match), Accepted)
        await say(speakers[number // 8], match, f"Line {number}")
    again = await open_client("Late")
    await again.ask(Watch(ref="w", match=match), Accepted)
    chat = await again.expect(Chat)
    assert [line.number for line in chat.lines] == list(range(many - 49, many + 1))


async def test_a_pause_does_not_silence(hubs: list[HubProcess], open_client: Open) -> None:
    match, players, _ = await table(hubs, open_client)
    await players[0].ask(Pause(ref="p", match=match), Accepted)
    await say(players[0], match, "The door bell, sorry.")
    assert (await players[1].expect(Said)).text == "The door bell, sorry."


async def test_chatter_is_slowed_down(hubs: list[HubProcess], open_client: Open) -> None:
    match, players, _ = await table(hubs, open_client)
    codes = []
    for number in range(20):
        command = Say(ref=f"r{number}", match=match, text="spam")
        await players[0].send(command)
        answer = await players[0].answer(command.ref)
        codes.append(answer.code if isinstance(answer, Refused) else "")
    assert codes.count("too_fast") >= 5
    assert codes.count("") >= 10


async def test_what_cannot_be_said(open_client: Open) -> None:
    client, stranger = await open_client("Ana"), await open_client("Stranger")
    private = (await client.create("square", private=True)).match
    assert await client.refusal(Say(ref="1", match=private, text="\u200b\x07 \n")) == "nothing_said"
    assert await client.refusal(Say(ref="2", match=private, text="x" * 201)) == "bad_field"
    assert await client.refusal(Say(ref="3", match="nowhere", text="x")) == "unknown_match"
    assert await stranger.refusal(Say(ref="4", match=private, text="x")) == "private"


async def test_a_server_without_chat(tmp_path_factory: pytest.TempPathFactory) -> None:
    hub = HubProcess(tmp_path_factory.mktemp("hub"), "--data", str(tmp_path_factory.mktemp("data")), "--no-chat")
    hub.start()
    try:
        client = await Client.connect(hub.url, "Ana")
        assert (await client.hello()).chat is False
        match = (await client.create("square")).match
        assert await client.refusal(Say(ref="1", match=match, text="Hello?")) == "chat_off"
        await client.close()
    finally:
        assert hub.stop() == 0


@pytest.mark.parametrize(
    ("raw", "line"),
    [
        ("<script>alert(1)</script> {{7*7}} <img onerror=x>", "<script>alert(1)</script> {{7*7}} <img onerror=x>"),
        ("\x1b[31mred\x1b[0m \x07bell\b", "[31mred[0m bell"),
        ("two\r\nlines\tand\u2028more", "two lines and more"),
        ("\u202eright to left\u202c", "right to left"),
        ("zero\u200bwidth\ufeff", "zerowidth"),
        ("a" + "\u0301" * 200, "á" + "\u0301" * 4),
        ("👩\u200d💻 olá", "👩\u200d💻 olá"),
    ],
)
def test_lines_are_text_and_nothing_else(raw: str, line: str) -> None:
    """H13, H16: markup stays as it is (to be shown literally); control and direction characters go."""
    assert clean_line(raw) == line


@pytest.mark.parametrize("raw", ["", " ", "\x00", "\u200d", "\u0301", "\u202e\u2066"])
def test_a_line_of_nothing_is_refused(raw: str) -> None:
    with pytest.raises(Refusal, match="nothing_said"):
        clean_line(raw)
