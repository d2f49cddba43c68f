"""Typed lines wait their turn, but not for ever."""

from __future__ import annotations

from client.plain.typed import ANSWER_S, LAST_WORDS_S, QUIT_S, Typed


class Queue(Typed):
    """With a clock that is moved by hand."""

    def __init__(self) -> None:
        self.now = 100.0
        self.wakes: list[float] = []
        super().__init__(lambda: self.now, self.wakes.append)

    def ready(self, *, server: bool = True, busy: bool = False) -> bool:
        return self.is_ready(waits_for_server=not server, is_busy=busy)


def test_lines_come_in_order() -> None:
    typed = Queue()
    assert not typed.ready()
    for line in ("a", "b", None):
        typed.put(line)
    assert typed.ready()
    assert [typed.pop(), typed.pop(), typed.pop()] == ["a", "b", None]


def test_a_line_waits_for_the_last_answer_but_not_for_ever() -> None:
    typed = Queue()
    typed.put("a")
    typed.put("b")
    assert not typed.ready(busy=True)
    typed.now += ANSWER_S
    assert typed.ready(busy=True)
    typed.pop()
    assert not typed.ready(busy=True)
    assert typed.ready(busy=False)
    assert len(typed.wakes) == 2


def test_the_end_of_the_input_waits_a_little_longer() -> None:
    typed = Queue()
    typed.put(None)
    assert not typed.ready(busy=True)
    typed.now += ANSWER_S
    assert not typed.ready(busy=True)
    typed.now += LAST_WORDS_S
    assert typed.ready(busy=True)


def test_nothing_but_quitting_is_understood_before_the_server_is_there() -> None:
    typed = Queue()
    typed.put("list")
    assert not typed.ready(server=False)
    typed.pop()
    for word in ("quit\n", " Q ", "exit"):
        typed.put(word)
        assert typed.ready(server=False, busy=True)
        assert not typed.ready(busy=True)
        typed.now += QUIT_S
        assert typed.ready(busy=True)
        typed.pop()
