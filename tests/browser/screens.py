"""A tour through every screen of the page, for pictures and for axe: both look at the same."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from random import Random
from typing import Any

from tests.browser.boards import act, centre, click, goes_on, position, seated, shows_more, whose_turn
from tests.browser.people import DESK, LIMIT_MS, Person, Stage

Visit = Callable[[str, Person], Awaitable[None]]
"""Called at each screen with its name and whoever has it before them."""
Part = Callable[[Stage, Visit], Awaitable[None]]
LONG_NAME = "Wilhelmina Mummery"
GAMES: dict[str, tuple[dict[str, Any], int]] = {
    "checkers": ({}, 24),
    "hexoust": ({}, 30),
    "square": ({}, 7),
    "ultimate-dots-and-boxes": ({}, 44),
    "dots-and-boxes": ({"width": 6, "height": 6}, 34),
}
"""Options, and after how many moves the match is looked at."""

IN_A_ROW = """() => [...document.querySelectorAll(".match .player")].flatMap((row) => {
    const whole = ".time, .you, .scores b, .clock";
    const all = `${whole}, .badge-seat, .name, .how, .turn-sign, .first-move, .scores small`;
    const edge = row.getBoundingClientRect();
    const text = row.querySelector(".player-text").getBoundingClientRect().right + 1;
    const seen = [...row.querySelectorAll(all)].map((one) => [one, one.getBoundingClientRect()])
        .filter(([one, box]) => box.width > 1 && getComputedStyle(one).visibility !== "hidden");
    return seen.flatMap(([one, a], at) => [
        ...(a.right > edge.right || (one.closest(".player-text") && a.right > text) ? [`${one.className} out`] : []),
        ...(one.matches(whole) && one.scrollWidth > one.clientWidth + 1 ? [`${one.className} cut`] : []),
        ...seen.slice(at + 1).filter(([, b]) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 0.5
            && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 0.5)
            .map(([other]) => `${one.className} and ${other.className} ${other.textContent}`),
    ]);
})"""
"""What lies on something else, out of its row or is cut, of all that the rows of the players tell."""


async def settle(person: Person) -> None:
    """Until nothing moves any more."""
    await person.page.wait_for_function(
        """() => document.getAnimations().every(
            (one) => one.playState !== "running" || one.effect.getTiming().iterations > 9)""",
        timeout=LIMIT_MS,
    )


async def alone(stage: Stage, visit: Visit) -> None:
    """Screens that need nobody else."""
    person = await stage.person()
    page = person.page
    await person.up()
    await page.wait_for_selector(".game .board", timeout=LIMIT_MS)
    await visit("front-empty", person)
    await page.click(".who .button")
    await page.wait_for_selector("dialog [name=name]", timeout=LIMIT_MS)
    await visit("name", person)
    await page.fill("dialog [name=name]", "!!!")
    await page.click("dialog .primary")
    await page.wait_for_selector("dialog .bad", timeout=LIMIT_MS)
    await visit("name-refused", person)
    await page.keyboard.press("Escape")
    for screen, ready in (
        ("host", "form"),
        ("computer", "form"),
        ("saved", ".card"),
        ("settings", ".settings"),
        ("help", ".rules h2"),
    ):
        await page.evaluate("(hash) => { location.hash = hash; }", screen)
        await page.wait_for_selector(f".page {ready}", timeout=LIMIT_MS)
        await visit(screen, person)
    await page.goto(stage.address + "#key=NONE-NONE-NONE")
    await page.wait_for_selector(".invitation .notice", timeout=LIMIT_MS)
    await visit("invitation-refused", person)
    await person.context.close()


async def lobby(stage: Stage, visit: Visit) -> None:
    """A lobby with somebody who waits, and a match to be seen on the front page."""
    hosts = [await stage.person(name) for name in (LONG_NAME, "Bo")]
    for host, game in zip(hosts, ("hexoust", "checkers"), strict=True):
        await host.up()
        await host.page.evaluate("(hash) => { location.hash = hash; }", f"#host/{game}")
        await host.page.click(".form button[type=submit]")
        await host.page.wait_for_selector(".waiting .qr path", timeout=LIMIT_MS)
    await visit("waiting", hosts[0])
    guest = await stage.person("Zoë")
    await guest.up()
    await guest.page.click(".lobby .row .primary >> nth=0")
    await guest.page.wait_for_selector(".match", timeout=LIMIT_MS)
    seer = await stage.person("Ida")
    await seer.up()
    await seer.page.wait_for_selector(".featured .board", timeout=LIMIT_MS)
    await visit("front", seer)
    await seer.page.click(".featured .button")
    await seer.page.wait_for_selector(".match", timeout=LIMIT_MS)
    await visit("watching", seer)
    waiting = [host for host in hosts if await host.page.locator(".waiting").count()]
    link = await waiting[0].page.input_value("[name=link]")
    invited = await stage.person(fragment=link[link.index("#") :])
    await invited.up()
    await invited.page.wait_for_selector(".invitation form", timeout=LIMIT_MS)
    await visit("invitation", invited)
    for person in (*hosts, guest, seer, invited):
        await person.context.close()


async def challenges(stage: Stage, visit: Visit) -> None:
    """Somebody is challenged: the form, and the bar for who asks and who is asked, there over the front page too."""
    asking, asked = await stage.person("Ana"), await stage.person(LONG_NAME)
    for person in (asking, asked):
        await person.up()
    page = asking.page
    await page.get_by_role("button", name=f"Challenge {LONG_NAME}").click(timeout=LIMIT_MS)
    await page.wait_for_selector("form.form", timeout=LIMIT_MS)
    await visit("challenge-form", asking)
    await page.click("form.form button[type=submit]")
    await page.wait_for_selector(".challenge .button", timeout=LIMIT_MS)
    await asked.page.wait_for_selector(".challenge .primary", timeout=LIMIT_MS)
    await visit("challenge-asked", asked)
    await visit("challenge-asking", asking)
    for person in (asking, asked):
        await person.context.close()


async def _against_the_computer(person: Person, game: str) -> None:
    """A new match, with oneself to move."""
    await person.page.evaluate("(hash) => { location.hash = hash; }", f"#computer/{game}")
    await person.page.click("form.form button[type=submit]")
    await person.page.wait_for_selector(".match .board", timeout=LIMIT_MS)
    await person.page.wait_for_selector(".headline.mine", timeout=LIMIT_MS)


async def own_matches(stage: Stage, visit: Visit) -> None:
    """One's own matches on the front page: one that waits, one that is played and one that is over; and its review."""
    person = await stage.person("Ana")
    page = person.page
    await person.up()
    await _against_the_computer(person, "square")
    while await goes_on(person):
        await page.wait_for_selector(".headline.mine, .end", timeout=LIMIT_MS)
        if await goes_on(person):
            plies = position(person).plies
            await click(person, min(position(person).legal))
            await shows_more(person, plies)
    await page.click(".end >> text=Review the moves")
    await page.wait_for_selector(".review-head >> text=/What cost most|No move cost much/", timeout=LIMIT_MS)
    await visit("review", person)
    await page.click('[aria-label="One move back"]')
    await page.wait_for_selector(".headline.back", timeout=LIMIT_MS)
    await visit("review-back", person)
    await page.evaluate("location.hash = ''")
    await _against_the_computer(person, "dots-and-boxes")
    await page.evaluate("location.hash = '#friend/checkers'")
    await page.click("form.form button[type=submit]")
    await page.wait_for_selector(".waiting .qr path", timeout=LIMIT_MS)
    await page.evaluate("location.hash = ''")
    await page.wait_for_selector(".own-matches .row >> nth=2", timeout=LIMIT_MS)
    await visit("own-matches", person)
    await person.context.close()


async def learning(stage: Stage, visit: Visit) -> None:
    """A task that is to be done, and what came of it."""
    person = await stage.person("Ana")
    page = person.page
    await person.up()
    await page.click('.learn[aria-label*="Dots and Boxes"] >> nth=0')
    await page.wait_for_selector(".headline.task", timeout=LIMIT_MS)
    await visit("task", person)
    # The first task is over with its first move, whichever it is: the box is closed, or it is the other side's turn.
    await page.fill("[name=move]", min(position(person).legal))
    await page.keyboard.press("Enter")
    await page.wait_for_selector(".end.task", timeout=LIMIT_MS)
    await visit("task-over", person)
    await person.context.close()


async def play_some(people: tuple[Person, Person], plies: int, chance: Random) -> None:
    """So many random legal moves, by clicks."""
    while await goes_on(*people) and (board := position(people[0])).plies < plies:
        mover = whose_turn(*people)
        moves = [move for move in position(mover).legal if move != "swap"]
        await click(mover, chance.choice(sorted(moves)))
        for person in people:
            await shows_more(person, board.plies)


async def _around(stage: Stage, people: tuple[Person, Person], visit: Visit) -> None:
    """Everything that may be seen in a match besides its board."""
    mover = whose_turn(*people)
    waits = next(person for person in people if person is not mover)
    page = mover.page
    free = sorted(position(waits).legal)
    await waits.page.mouse.click(*await centre(waits, free[0]))
    await waits.page.wait_for_selector(".ask.plan", timeout=LIMIT_MS)
    await visit("planned", waits)
    await waits.page.keyboard.press("Escape")
    await act(mover, "draw")
    await waits.page.wait_for_selector('.ask[data-offer="draw"]', timeout=LIMIT_MS)
    await visit("offer", waits)
    await waits.page.click(".ask >> text=Decline")
    await page.click("#tab-chat")
    for person, text in (
        (mover, "Good luck!"),
        (waits, "You too. I have never seen a board as full of lines as this one."),
    ):
        await person.page.click("#tab-chat")
        await person.page.fill("[name=say]", text)
        await person.page.keyboard.press("Enter")
        await mover.page.wait_for_selector(f'.said-text:has-text("{text[:8]}")', timeout=LIMIT_MS)
    await visit("chat", mover)
    await page.click("#tab-help")
    await page.wait_for_selector(".panel .rules h2", timeout=LIMIT_MS)
    await visit("help-beside", mover)
    await page.click("#tab-moves")
    await page.click(".acts [data-action=more]")
    await page.wait_for_selector(".menu", timeout=LIMIT_MS)
    await visit("menu", mover)
    await page.keyboard.press("Escape")
    await page.click('[aria-label="One move back"]')
    await page.wait_for_selector(".headline.back", timeout=LIMIT_MS)
    await visit("looking-back", mover)
    await page.keyboard.press("End")
    await act(mover, "save")
    await page.wait_for_selector("dialog [name=save]", timeout=LIMIT_MS)
    await visit("save", mover)
    await page.click("dialog .primary")
    await page.wait_for_selector("dialog [role=status]", timeout=LIMIT_MS)
    await page.click("dialog .primary")
    await page.fill("[name=move]", "a1-f6")
    await page.keyboard.press("Enter")
    await page.wait_for_selector(".hint.bad", timeout=LIMIT_MS)
    await visit("refused", mover)
    await act(mover, "pause")
    await waits.page.wait_for_selector(".cover h2", timeout=LIMIT_MS)
    await visit("pause", mover)
    await page.click(".cover .primary")
    await page.wait_for_selector(".board", timeout=LIMIT_MS)
    await act(mover, "give_up")
    await page.wait_for_selector(".asked", timeout=LIMIT_MS)
    await visit("surrender", mover)
    await page.click(".asked .primary")
    await waits.page.wait_for_selector(".end", timeout=LIMIT_MS)
    await visit("end", waits)
    await page.evaluate("location.hash = '#saved'")
    await page.wait_for_selector(".saved-row", timeout=LIMIT_MS)
    await page.click(".saved-name")
    await visit("saved-games", mover)


def _board(game: str) -> Part:
    async def boards(stage: Stage, visit: Visit) -> None:
        options, plies = GAMES[game]
        people = await seated(stage, game, options)
        await play_some(people, plies, Random(f"tour {game}"))
        await people[0].page.mouse.move(2, 2)
        await visit(f"match-{game}", people[0])
        for person in people:
            await person.context.close()

    return boards


async def in_a_match(stage: Stage, visit: Visit, plies: int = 20) -> None:
    """Everything that may be seen in a match besides its board."""
    people = await seated(stage, "dots-and-boxes", {"width": 6, "height": 6})
    await play_some(people, plies, Random("tour"))
    await _around(stage, people, visit)
    for person in people:
        await person.context.close()


PARTS: dict[str, Part] = {
    "alone": alone, "lobby": lobby, "challenges": challenges, "own-matches": own_matches, "learning": learning,
    "in-a-match": in_a_match, **{game: _board(game) for game in GAMES},
}  # fmt: skip
"""The parts of the tour; together they come to every screen."""


async def look(person: Person, width: int, height: int, *, dark: bool) -> None:
    """Another size and another light."""
    await person.page.set_viewport_size({"width": width, "height": height})
    await person.page.emulate_media(color_scheme="dark" if dark else "light")
    # What changes with the light begins to do so with the next picture.
    await person.page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    await settle(person)


async def look_as_before(person: Person) -> None:
    """The desk again."""
    await look(person, DESK["width"], DESK["height"], dark=False)
