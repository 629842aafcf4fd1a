"""Doings that ask nobody, and answers that are tried on a clone before they count."""

from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any, TypeVar

from brt_cg.asks import Ask, Raw, Refused, Roll, default_of
from brt_cg.dice import Dice
from brt_cg.impossible import impossible
from brt_cg.refit.play import Play

T = TypeVar("T")
Doing = Coroutine[Any, Any, None]


def by_default(doing: Callable[[], Doing]) -> None:
    """Carries out what may ask, and asks nobody: what is chosen or entered takes its default, and a
    die shows a one."""
    steps, value = doing(), None
    try:
        while True:
            ask: Ask[Any] = steps.send(value)
            value = ask.read(_answer(ask))
    except StopIteration:
        return


def _answer(ask: Ask[Any]) -> Raw:
    if isinstance(ask, Roll):
        return 1 if ask.table.dice is Dice.ONE else [1, 1]
    return default_of(ask)


def tried(play: Play, read: Callable[[Play], T], put: Callable[[Play, T], Doing]) -> T:
    """An answer as `read` reads it, once all of it has been put on a clone of the campaign. Raises
    Refused, as both do, and with everything that would be impossible then (what no state file may
    say of a counter, or of two that are linked)."""
    trial = Play(play.rule, play.campaign.clone(), play.card, play.serial)
    by_default(partial(put, trial, read(trial)))
    before = set(impossible(play.campaign, play.card))
    found = [line for line in impossible(trial.campaign, play.card) if line not in before]
    if found:
        raise Refused("\n".join(found))
    return read(play)
