"""A paragraph played by other rules than those of the program: what a later version may change."""

from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import wraps
from itertools import islice
from typing import Any

from brt_cg.questions.answers import RefusedError
from brt_cg.questions.question_types import Question
from brt_cg.refit.play import Play
from brt_cg.refit.sequence import paragraph_of

Asks = Generator[Question[Any], Any, None]
Otherwise = Callable[[Play, Asks], Asks]


@contextmanager
def played_otherwise(number: str, otherwise: Otherwise) -> Iterator[None]:
    """Plays a paragraph by other rules in a `with` block."""
    paragraph = paragraph_of(number)
    original = paragraph.play

    class Steps:
        def __init__(self, play: Play) -> None:
            self.play = play

        def __await__(self) -> Asks:
            return otherwise(self.play, original(self.play).__await__())

    @wraps(original)
    async def play(play: Play) -> None:
        await Steps(play)

    object.__setattr__(paragraph, "play", play)
    try:
        yield
    finally:
        object.__setattr__(paragraph, "play", original)


def _each(asks: Asks, after: Callable[[int], None], most: int = 10_000) -> Asks:
    """Passes the questions on; `after` is called with the number of answers so far."""
    answer = None
    for number in range(most):
        try:
            ask = asks.send(answer)
        except StopIteration:
            return
        answer = yield ask
        after(number + 1)


def begins_otherwise(play: Play, asks: Asks) -> Asks:
    """Another SAN before the first question."""
    play.campaign.sides["marine"].san += 1
    yield from asks


def gives_after(answers: int) -> Otherwise:
    """Another SAN after some answers."""

    def otherwise(play: Play, asks: Asks) -> Asks:
        def after(number: int) -> None:
            if number == answers:
                play.campaign.sides["marine"].san += 1

        yield from _each(asks, after)

    return otherwise


def refuses(answer: int) -> Otherwise:
    """An answer is not accepted any more."""

    def otherwise(play: Play, asks: Asks) -> Asks:
        def after(number: int) -> None:
            if number == answer:
                raise RefusedError("that is not allowed any more")

        yield from _each(asks, after)

    return otherwise


def ends_after(answers: int) -> Otherwise:
    """Nothing more is asked after some answers."""
    return lambda play, asks: _each(asks, lambda number: None, answers)


def asks_about_another(play: Play, asks: Asks) -> Asks:
    """The first question is about another counter."""
    ask = next(asks)
    answer = yield replace(ask, subject="m-sq-99")
    while True:
        try:
            ask = asks.send(answer)
        except StopIteration:
            return
        answer = yield ask


def fails(play: Play, asks: Asks) -> Asks:
    """Older records make the rules fail."""
    yield from islice(asks, 0)
    asks.close()
    raise KeyError("a record that older rules did not make")
