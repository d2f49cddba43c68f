"""What is drawn is what is so now: components whose props change, and times that are not counted down."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

import pytest
from playwright.async_api import Route

from tests.browser.boards import seated, shows, whose_turn
from tests.browser.conftest import in_full
from tests.browser.people import LIMIT_MS, Stage
from tests.browser.truth import at_rest, plays_one, veiled
from tests.driver import ROOT

pytestmark = pytest.mark.asyncio(loop_scope="session")
ROUNDS = 60
DRAWN = """async (rounds) => {
    const { batch, computed, html, render, signal } = await import("/alone/vendor/preact.js");
    const { useSeen, useSeenAll } = await import("/alone/screens/parts/seeing.js");
    const model = signal([["a", 0], ["b", 0]]);
    const app = { doing: { get seen() { return model.value; } } };
    const chosen = signal(0);
    function One({ seat }) {
        const name = useSeen(app, (now) => now[seat][0]);
        const [, count] = useSeenAll(app, (now) => now[seat]);
        const text = computed(() => model.value[seat].join(" "));
        return html`<p class=${text} title=${name}>${text}, ${name}, ${count}</p>`;
    }
    const host = document.createElement("div");
    render(html`<${() => html`<${One} seat=${chosen.value} />`} />`, host);
    // The same numbers each time: a generator of Lehmer's.
    let state = 13;
    const chance = (below) => (state = (state * 48271) % 2147483647) % below;
    const wrong = [];
    let [props, signals, both] = [0, 0, 0];
    for (let round = 0; round < rounds; round += 1) {
        const [others, news] = [chance(3) > 0, chance(3) > 0];
        batch(() => {
            if (others) chosen.value = 1 - chosen.value;
            if (news) {
                const changed = model.value.slice();
                changed[chance(2)] = ["abc"[chance(3)], chance(3)];
                model.value = changed;
            }
        });
        [props, signals, both] = [props + others, signals + news, both + (others && news)];
        await new Promise((done) => setTimeout(done));
        const [name, count] = model.value[chosen.value];
        const right = `${name} ${count}|${name}|${name} ${count}, ${name}, ${count}`;
        const p = host.firstChild;
        const drawn = `${p.className}|${p.title}|${p.textContent}`;
        if (drawn !== right) wrong.push(`round ${round}: ${drawn} where ${right} is`);
    }
    render(null, host);
    return { wrong, props, signals, both };
}"""


async def _module(route: Route) -> None:
    path = ROOT / "client" / "web" / urlsplit(route.request.url).path.removeprefix("/alone/")
    await route.fulfill(body=path.read_text(encoding="utf-8"), content_type="text/javascript")


async def test_a_component_draws_what_its_props_say_now(stage: Stage) -> None:
    """Whether the props change, what they are looked up in, or both: nothing is left of the props before."""
    person = await stage.person()
    # The hub serves its modules joined; here two of them are looked at alone.
    await person.page.route("**/alone/**", _module)
    told = await person.page.evaluate(DRAWN, ROUNDS)
    assert min(told["props"], told["signals"], told["both"]) >= ROUNDS // 4, "provoked"
    assert told["wrong"] == []


async def test_where_one_must_play_is_seen_at_once(stage: Stage) -> None:
    """`UD RF4`, `RU-UD4`: in the first position, and in one that is drawn anew, after which nothing has changed."""
    people = await seated(stage, "ultimate-dots-and-boxes")
    for moves in range(2):
        for person in people:
            assert len(await veiled(person)) == 8
            await person.page.reload()
            await shows(person, moves)
            assert len(await veiled(person)) == 8
        await at_rest(stage.hub, *people)
        await plays_one(whose_turn(*people))
        for person in people:
            await shows(person, moves + 1)


@in_full
async def test_what_is_not_charged_is_not_counted_down(stage: Stage) -> None:
    """`RU-M2`: a seat's clock stands in its first move; how long that one may take is said beside it."""
    people = await seated(stage, "square", clock="5+3")
    clocks = "() => [...document.querySelectorAll('.player .clock')].map((one) => Number(one.dataset.left))"
    for plies in range(2):
        mover = whose_turn(*people)
        for person in people:
            seat = person.page.locator(".player.to-move .first-move")
            await seat.wait_for(timeout=LIMIT_MS)
            before = await seat.inner_text()
            assert re.fullmatch(r"first move within \d:\d\d", before)
            await person.page.wait_for_function(
                "(before) => document.querySelector('.player.to-move .first-move').textContent !== before",
                arg=before,
                timeout=LIMIT_MS,
            )
            assert min(await person.page.evaluate(clocks)) >= 300_000
        await plays_one(mover)
        for person in people:
            await shows(person, plies + 1)
    for person in people:
        await person.page.locator(".player .first-move").first.wait_for(state="detached", timeout=LIMIT_MS)
        await person.page.wait_for_function(f"() => Math.min(...({clocks})()) < 303000", timeout=LIMIT_MS)
    assert [len(person.unique("move")) for person in people] == [1, 1]
