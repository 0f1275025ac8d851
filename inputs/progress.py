"""How far long work has got, told to whoever listens; without a listener, telling costs nothing."""

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TypeVar

Listener = Callable[[str, float], None]
"""Takes the name of a phase and the share of it that is done, from 0 to 1."""

T = TypeVar("T")

_listeners: list[Listener] = []


@contextmanager
def listening(listener: Listener) -> Iterator[None]:
    """Has a listener told of all progress made in the context."""
    _listeners.append(listener)
    try:
        yield
    finally:
        _listeners.remove(listener)


@contextmanager
def working(what: str) -> Iterator[None]:
    """Shows on stderr, if that is a terminal, how far the work in the context is."""
    if sys.stderr.isatty():
        from inputs.bar import shown  # here, because rich takes a while to load

        with shown(what):
            yield
    else:
        yield


def tell(phase: str, done: float, total: float) -> None:
    """Says that so much of a phase is done."""
    for listener in _listeners:
        listener(phase, min(1.0, done / total) if total else 1.0)


def followed(phase: str, items: Sequence[T]) -> Iterable[T]:
    """Yields items, telling before each how many are done."""
    for number, item in enumerate(items):
        tell(phase, number, len(items))
        yield item
    tell(phase, 1, 1)
