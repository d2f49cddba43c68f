"""A name for somebody who has not said one: made up once, so that nothing stands before the first board."""

from __future__ import annotations

from random import Random, SystemRandom

HOW = (
    "Brave", "Brisk", "Calm", "Clever", "Eager", "Fair", "Gentle", "Happy", "Jolly", "Keen", "Kind", "Lively",
    "Lucky", "Merry", "Nimble", "Patient", "Quick", "Quiet", "Ready", "Sly", "Steady", "Sunny", "Swift", "Wise",
)  # fmt: skip
WHO = (
    "Badger", "Beaver", "Bison", "Crane", "Dolphin", "Falcon", "Ferret", "Finch", "Fox", "Gecko", "Hare", "Heron",
    "Ibis", "Lark", "Lynx", "Magpie", "Marten", "Otter", "Owl", "Puffin", "Raven", "Robin", "Seal", "Stoat",
    "Swan", "Tern", "Vole", "Weasel", "Wombat", "Wren",
)  # fmt: skip


def made_up_name(rng: Random | None = None) -> str:
    """Such as "Quiet Otter": at most 20 characters (`RU-M9`). Where it is taken the server adds a number."""
    chance = rng if rng is not None else SystemRandom()
    return f"{chance.choice(HOW)} {chance.choice(WHO)}"
