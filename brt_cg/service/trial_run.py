"""How much the app would do if it played on by defaults: played at the desk and rolled back."""

from typing import Any

from brt_cg.model.value import value
from brt_cg.questions.asks import Ask
from brt_cg.questions.dice import EvenDice
from brt_cg.service.desk import Desk
from brt_cg.service.whole import whole

Figures = tuple[int, int]  # rolls, and decisions by default


@value
class Ahead:
    """What playing on would roll and decide: to the end of the paragraph in progress, to the
    purchases, to the end of the phase. Other dice may lead to a little more or less."""

    paragraph: Figures
    purchases: Figures
    phase: Figures


class _Tried(Exception):
    """Raised to roll back what was only tried."""


def ahead(desk: Desk) -> Ahead:
    """Plays on by defaults from the open question, for the umpire, and takes it back: nothing is
    stored, and no die of the app is known by it. Raises Refused."""
    journal, rolls, decisions = whole(desk), 0, 0
    here = journal.campaign.situation.paragraph
    passed: dict[str, Figures] = {}

    def count(ask: Ask[Any]) -> bool:
        nonlocal rolls, decisions
        if journal.campaign.situation.paragraph != here:
            passed.setdefault("paragraph", (rolls, decisions))
        if ask.buying:
            passed.setdefault("purchases", (rolls, decisions))
        rolls += ask.dice is not None
        decisions += ask.is_decision
        return False

    call = journal.call
    try:
        with journal.together(), desk.early.restored_on_error():
            for _ in desk.run(EvenDice("how much", 0), count):
                pass
            raise _Tried
    except _Tried:
        journal.call = call
    all_of_it = rolls, decisions
    return Ahead(passed.get("paragraph", all_of_it), passed.get("purchases", all_of_it), all_of_it)
