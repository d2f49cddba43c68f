"""What becomes of an open offer, cell by cell, as the documents show it. The tests try each cell at a real hub."""

from __future__ import annotations

from typing import NamedTuple

from protocol.errors import Code
from protocol.messages import OfferFate, OfferKind


class Cell(NamedTuple):
    """What an open offer meets in a situation: a fate that closes it, or it stays open.

    `refused` is the code with which that is refused which would have been done; `note` says what else is to be known.
    """

    fate: OfferFate | None = None
    refused: Code | None = None
    note: str = ""


STAYS = Cell()
GONE = Cell(note="gone with the match: an answer is refused as `finished`")

SITUATIONS = {
    "own_move": "the one who offered moves",
    "others_move": "the other moves",
    "decline": "the other declines",
    "same_offer": "the other offers the same",
    "other_offer": "either offers something else",
    "own_pause": "the one who offered pauses",
    "others_pause": "the other pauses",
    "cut": "a connection is cut",
    "hub_killed": "the hub is killed",
    "end": "the match ends otherwise",
}

_PLAYED = {
    "own_move": Cell("moved"),
    "others_move": Cell("moved"),
    "decline": Cell("declined", note="the same may be offered again after three own moves"),
    "same_offer": Cell("accepted", note="both wanted it"),
    "other_offer": Cell(refused=Code.OFFER_OPEN),
    "own_pause": Cell("withdrawn"),
    "others_pause": Cell("declined"),
    "cut": STAYS,
    "hub_killed": STAYS,
    "end": GONE,
}
_AFTER_THE_END = {
    "own_move": Cell(refused=Code.FINISHED),
    "others_move": Cell(refused=Code.FINISHED),
    "decline": Cell("declined", note="it may be offered again at once"),
    "same_offer": Cell("accepted", note="both wanted it"),
    "other_offer": Cell(refused=Code.FINISHED),
    "own_pause": Cell(refused=Code.FINISHED),
    "others_pause": Cell(refused=Code.FINISHED),
    "cut": STAYS,
    "hub_killed": STAYS,
    "end": Cell(note="cannot be: it is offered after the end"),
}

OFFERS: dict[OfferKind, dict[str, Cell]] = {
    "draw": _PLAYED,
    "takeback": {**_PLAYED, "same_offer": Cell(refused=Code.OFFER_OPEN)},
    "restart": _PLAYED,
    "revert": {**_PLAYED, "same_offer": Cell("accepted", note="the same saved moves; others are `offer_open`")},
    "rematch": _AFTER_THE_END,
}


def table() -> str:
    """The table in Markdown: situations down, offers across; offers that fare alike share a column."""
    columns: list[tuple[list[str], dict[str, Cell]]] = []
    for kind, cells in OFFERS.items():
        alike = next((names for names, others in columns if others == cells), None)
        if alike is None:
            columns.append(([kind], cells))
        else:
            alike.append(kind)
    heads = [", ".join(f"`{name}`" for name in names) for names, _ in columns]
    rows = [["while it is open", *heads], ["---"] * (len(columns) + 1)]
    rows += [[says, *(_say(cells[name]) for _, cells in columns)] for name, says in SITUATIONS.items()]
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)


def _say(cell: Cell) -> str:
    if cell.fate:
        return f"closed: `{cell.fate}`" + (f"; {cell.note}" if cell.note else "")
    if cell.refused:
        return f"stays open; that is refused as `{cell.refused}`"
    return cell.note or "stays open"
