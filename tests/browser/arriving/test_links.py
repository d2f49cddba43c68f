"""Links and keys: previews, rough handling, the third who comes, two at one browser, what is not there (P26 to P34)."""

from __future__ import annotations

import httpx
import pytest

from tests.browser.boards import centre, hosted, position, seated, shows
from tests.browser.conftest import FULL, in_full
from tests.browser.people import LIMIT_MS, PHONE, Person, Stage
from tests.browser.truth import at_rest, plays_one

pytestmark = pytest.mark.asyncio(loop_scope="session")
SMALL = {"width": 3, "height": 3}
PREVIEWERS = (
    "WhatsApp/2.23.20.0",
    "TelegramBot (like TwitterBot)",
    "Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)",
    "Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)",
    "facebookexternalhit/1.1",
    "Mozilla/5.0 (compatible; SkypeUriPreview Preview/0.5)",
)

NOWHERE = ("#watch=nothing", "#key=AAAA-BBBB-CCCC", "#join=nothing", "#watch=<b>x</b>", "#key=", "#watch=%ff")


async def joins(person: Person) -> None:
    """Says yes to the invitation on screen."""
    await person.up()
    await person.page.click(".invitation button[type=submit]")
    await person.page.wait_for_selector(".match", timeout=LIMIT_MS)


async def test_a_friend_and_a_spectator_by_link(stage: Stage) -> None:
    """CK R1.6, R11.1, 5.3: the host's link is all that a guest needs; a spectator comes by the match's own."""
    host, fragment = await hosted(stage, "dots-and-boxes", way="host")
    guest = await stage.person("Ben", fragment=fragment, **PHONE)
    await joins(guest)
    match = position(host).match
    spectator = await stage.person("Cleo", fragment=f"#watch={match}")
    await spectator.page.wait_for_selector(".match", timeout=LIMIT_MS)
    await plays_one(host)
    for person in (host, guest, spectator):
        await shows(person, 1)
    assert position(spectator).you == ()
    await at_rest(stage.hub, host, guest)


async def test_an_invitation_says_to_what(stage: Stage) -> None:
    """CK R1.3, R1.6: before a seat is taken by key: who invites to which game, its options and clock, and the own side;
    and once the seat is gone, that. One's own is known as such."""
    host, fragment = await hosted(stage, "checkers", {"captures": "forced"}, clock="3+2")
    guest = await stage.person("Ben", fragment=fragment, **PHONE)
    card = guest.page.locator(".invitation")
    await card.locator("h2", has_text=f"{host.name} invites you to Checkers").wait_for(timeout=LIMIT_MS)
    said = await card.inner_text()
    assert "Captures: forced" in said
    assert "3 min for each of you, and 2 s more with each move" in said
    assert await card.locator(".seats .swatch").count() == 1
    assert "You will be" in said
    assert f"{host.name} begins." in said
    assert not [frame for frame in host.received if frame["type"] == "joined"]
    again = await stage.tab(host.context, host.name, fragment=fragment)
    await again.page.locator(".invitation h2", has_text="your own match").wait_for(timeout=LIMIT_MS)
    await joins(guest)
    late = await stage.person(fragment=fragment)
    await late.page.locator(".invitation [role=alert]").wait_for(timeout=LIMIT_MS)
    assert not await late.page.locator(".invitation form").count()
    assert host.name not in await late.page.inner_text("main")


async def test_a_match_that_waits_survives_a_look_at_the_lobby(stage: Stage) -> None:
    """Issue 14, 6: neither Esc nor another screen leaves it; who joins calls the host back."""
    host, fragment = await hosted(stage, "square")
    await host.page.keyboard.press("Escape")
    await host.page.evaluate("() => { location.hash = ''; }")
    row = host.page.locator(".own-matches .row")
    await row.filter(has_text="waiting for an opponent").wait_for(timeout=LIMIT_MS)
    guest = await stage.person("Ben", fragment=fragment)
    await joins(guest)
    assert host.commands("cancel") == []
    await host.page.get_by_role("button", name="Go back to it").click()
    await host.page.locator(".match .player.above", has_text="Ben").wait_for(timeout=LIMIT_MS)


async def test_previews_take_no_seat(stage: Stage) -> None:
    """P31: chat programs fetch a link, some run its scripts; nobody is told, and the guest still gets in."""
    host, fragment = await hosted(stage, "dots-and-boxes")
    fetched = 0
    async with httpx.AsyncClient() as client:
        for agent in PREVIEWERS * (8 if FULL else 1):
            for method in ("GET", "HEAD"):
                answer = await client.request(method, stage.address, headers={"user-agent": agent})
                assert answer.status_code == 200
                fetched += 1
                if method == "GET":
                    assert 'property="og:title" content="Parlour"' in answer.text
                    assert "Ana" not in answer.text
    for _ in range(4 if FULL else 1):
        headless = await stage.person(fragment=fragment)
        await headless.up()
        await headless.page.wait_for_selector(".invitation", timeout=LIMIT_MS)
        await headless.context.close()
        fetched += 1
    assert fetched >= 13, "provoked: fetched by programs and by a browser"
    assert not [frame for frame in host.received if frame["type"] == "joined"]
    guest = await stage.person("Ben", fragment=fragment)
    await joins(guest)
    await host.page.wait_for_selector(".match", timeout=LIMIT_MS)


@pytest.mark.parametrize("end", [".", "),", "%20", ">", "\u2019"] if FULL else ["),"])
async def test_links_that_were_handled_roughly(stage: Stage, end: str) -> None:
    """P32: what stands behind a link that was copied out of a sentence does no harm."""
    _, fragment = await hosted(stage, "dots-and-boxes")
    guest = await stage.person("Ben", fragment=fragment + end)
    await joins(guest)
    await shows(guest, 0)


@in_full
async def test_a_sentence_in_the_key_field(stage: Stage) -> None:
    """P32, CK 5.2: the key alone, a whole link, or the sentence around it; and nonsense is told as such."""
    host, fragment = await hosted(stage, "dots-and-boxes")
    guest = await stage.person("Ben")
    await guest.up()
    field = guest.page.locator("input[name=key]")
    await field.fill("what is this?")
    await guest.page.locator(".key-form button").click()
    await guest.page.wait_for_selector(".key-form [aria-invalid=true]", timeout=LIMIT_MS)
    assert await field.input_value() == "what is this?"
    await field.fill(f"Come and play: <{stage.address}{fragment}>, I wait!")
    await guest.page.locator(".key-form button").click()
    await guest.page.wait_for_selector(".invitation", timeout=LIMIT_MS)
    await joins(guest)
    await host.page.wait_for_selector(".match", timeout=LIMIT_MS)


async def test_the_third_who_comes(stage: Stage) -> None:
    """P33: told in words that it is full, with a way on; of a private match nothing more."""
    host, fragment = await hosted(stage, "dots-and-boxes")
    for name in ("Ben", "Cleo"):
        person = await stage.person(name, fragment=fragment)
        await person.up()
        if name == "Ben":
            await person.page.click(".invitation button[type=submit]")
            await person.page.wait_for_selector(".match", timeout=LIMIT_MS)
    alert = person.page.locator(".invitation [role=alert]")
    await alert.wait_for(timeout=LIMIT_MS)
    assert "Ben" not in await person.page.inner_text("main")
    assert await person.page.locator(".invitation .buttons button").count() >= 2
    assert position(host).seats[1].name == "Ben"


async def test_links_to_what_is_not_there(stage: Stage) -> None:
    """P34: unknown, damaged, endless, with markup: a sentence and a way on, and no spinner that stays."""
    first = await stage.person("Ben")
    shown = 0
    for fragment in (
        "#watch=nothing",
        "#key=AAAA-BBBB-CCCC",
        "#join=nothing",
        f"#watch={'x' * 5000}",
        "#watch=<b>x</b>",
    ):
        person = await stage.tab(first.context, "Ben", fragment=fragment)
        await person.up()
        await person.page.wait_for_selector("[role=alert], .sorry", timeout=LIMIT_MS)
        assert await person.page.locator("main button").count() >= 1
        if await person.page.locator(".sorry").count():
            shown += 1
            told = await person.page.locator(".sorry").inner_text()
            assert "no such match" in told
            assert "private" not in told
        assert not await person.page.locator("main b:text-is('x')").count()
        await person.page.close()
    assert shown


@in_full
async def test_two_people_at_one_browser(stage: Stage) -> None:
    """P26: one's own link in a second tab: somebody else may sit there, and both seats outlive a reload."""
    host, fragment = await hosted(stage, "dots-and-boxes", way="host")
    second = await stage.tab(host.context, "Ben", fragment=fragment)
    await second.up()
    choices = second.page.locator(".invitation .buttons button")
    await choices.nth(2).wait_for(timeout=LIMIT_MS)
    assert not [frame for frame in second.sent if frame["type"] == "join"]
    await choices.nth(2).click()
    await second.page.wait_for_selector(".invitation form", timeout=LIMIT_MS)
    await second.up()
    await second.page.fill("input[name=name]", "Bartholomew")  # whom no other trial has left here
    await second.page.click(".invitation button[type=submit]")
    for person in (host, second):
        await person.page.wait_for_selector(".match", timeout=LIMIT_MS)
    await plays_one(host)
    for person in (host, second):
        await person.page.reload()
        await shows(person, 1)
    assert [position(host).you, position(second).you] == [(0,), (1,)]


@pytest.mark.parametrize("way", ["friend", "host"] if FULL else ["friend"])
async def test_the_seat_whose_key_is_gone(stage: Stage, way: str) -> None:
    """P27: all that the browser kept is gone in mid-match: it is said that it holds no seat, a public match may be
    watched, no seat is offered, and the other side sees who is away."""
    host, guest = await seated(stage, "dots-and-boxes", SMALL, way=way)
    match = position(host).match
    await plays_one(host)
    await shows(guest, 1)
    session = await guest.context.new_cdp_session(guest.page)
    await session.send("Storage.clearDataForOrigin", {"origin": stage.address.rstrip("/"), "storageTypes": "all"})
    begun = len(guest.received)
    await guest.page.goto(f"{stage.address}?again#watch={match}")
    await guest.page.wait_for_selector(".match .board" if way == "host" else ".sorry", timeout=LIMIT_MS)
    await guest.page.locator("text=/browser (does not hold|holds no) a? ?seat/").first.wait_for(timeout=LIMIT_MS)
    if way == "friend":
        assert "no such match" not in await guest.page.locator(".sorry").inner_text(), "there is: it is private"
    told = guest.received[begun:]
    assert [frame["token"] for frame in guest.sent if frame["type"] == "hello"][-1] is None, "provoked"
    assert not [frame for frame in told if frame["type"] == "snapshot" and frame["you"]]
    assert await guest.page.locator('button:has-text("Join")').count() == 0
    if way == "host":
        await guest.page.mouse.click(*await centre(guest, "b2-c2"))
    await host.page.locator(".match .above", has_text="has quit").wait_for(timeout=LIMIT_MS)
    assert not guest.commands("move", "join")[1:]
    assert position(host).plies == 1


@in_full
@pytest.mark.parametrize("way", ["friend", "host"] if FULL else ["friend"])
async def test_in_the_apps_own_browser(stage: Stage, way: str) -> None:
    """P36: joined in one browser, opened in another: the seat is taken, by whom if it is public, and where to go."""
    host, fragment = await hosted(stage, "dots-and-boxes", SMALL, way=way)
    guest = await stage.person("Ben", fragment=fragment)
    await joins(guest)
    begun = len(host.received)
    again = await stage.person(fragment=fragment)
    await again.up()
    await again.page.wait_for_selector('.invitation:has-text("go on in that one")', timeout=LIMIT_MS)
    assert ("Ben" in await again.page.inner_text(".invitation")) is (way == "host")
    for person in (host, guest):
        await plays_one(person)
        for one in (host, guest):
            await shows(one, 1 if person is host else 2)
    assert not [one for one in host.received[begun:] if one["type"] == "presence" and not all(one["here"])]


@in_full
async def test_back_and_forward_make_no_matches(stage: Stage) -> None:
    """P28, P29: the way there and back again, ten times: one match, and the way back to it is on the front page."""
    host = await stage.person("Ana")
    await host.up()
    await host.page.evaluate("location.hash = 'host/dots-and-boxes'")
    await host.page.click("form.form button[type=submit]")
    await host.page.wait_for_selector("input[name=link]", timeout=LIMIT_MS)
    link = await host.page.input_value("input[name=link]")
    guest = await stage.person("Ben", fragment=link[link.index("#") :])
    await joins(guest)
    await plays_one(host)
    for person in (host, guest):
        await shows(person, 1)
    for turn in range(10 if FULL else 4):
        for way in ("back", "back", "forward", "forward"):
            await host.page.evaluate(f"history.{way}()")
            await host.page.wait_for_timeout(50 if turn % 2 else 200)
    await host.page.evaluate("history.go(-2)")
    await host.page.locator("main.front .own-match button").click()
    await shows(host, 1)
    kinds = [frame["type"] for frame in host.commands()]
    assert kinds.count("create") == 1
    assert "abandon" not in kinds
    assert not [frame for frame in guest.received if frame["type"] == "ended"]
    await at_rest(stage.hub, host, guest)
