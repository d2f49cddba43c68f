"""The codec: microseconds of CPU to encode and to decode the messages of a move."""

from __future__ import annotations

import time
from collections.abc import Callable

from protocol.board import Mark, Piece
from protocol.codec import JSON, MSGPACK, Codec
from protocol.messages import Move, Moved

ROUNDS = 20_000
REPEATS = 5

MOVE = Move(ref="6f1c2a9e-57", match="XlDbhuCB1YGk", version=57, move="c3-c4")
MOVED = Moved(
    match="XlDbhuCB1YGk",
    version=58,
    at_ms=1_795_826_372_499,
    seat=0,
    move="c3-c4",
    marks={"c3-c4": Mark(0, Piece.LINE), "#b3": Mark(0, Piece.BOX)},
    to_move=0,
    text="Player 1's turn",
    scores=((4,), (2,)),
)


def micros(work: Callable[[], object]) -> float:
    """CPU for one call, the best of several rounds, in microseconds."""
    best = float("inf")
    for _ in range(REPEATS):
        started = time.process_time()
        for _ in range(ROUNDS):
            work()
        best = min(best, time.process_time() - started)
    return best / ROUNDS * 1e6


def line(codec: Codec) -> str:
    """One row of the table."""
    command, notification = codec.encode(MOVE), codec.encode(MOVED)
    text = command.decode() if codec.text else command
    return (
        f"{codec.subprotocol:20} {micros(lambda: codec.decode_command(text)):10.2f}"
        f" {micros(lambda: codec.encode(MOVED)):10.2f} {len(command):10} {len(notification):10}"
    )


def main() -> None:
    """Print the table."""
    print(f"{'codec':20} {'move in us':>10} {'moved out':>10} {'bytes in':>10} {'bytes out':>10}")
    for codec in (MSGPACK, JSON):
        print(line(codec))


if __name__ == "__main__":
    main()
