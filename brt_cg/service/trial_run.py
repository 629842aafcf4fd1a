"""How much the app would do if it played on by defaults: played at the desk and rolled back."""

from typing import Any

from brt_cg.immutable import immutable
from brt_cg.questions import Question, StratifiedDice
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.service.unrestricted import unrestricted_campaign

Figures = tuple[int, int]  # rolls, and decisions by default


@immutable
class PlayPreview:
    """What playing on would roll and decide: to the end of the paragraph in progress, to the
    purchases, to the end of the phase. Other dice may lead to a little more or less."""

    paragraph: Figures
    purchases: Figures
    phase: Figures


class _Tried(Exception):
    """Raised to roll back what was only tried."""


def preview_play(desk: OpenCampaign) -> PlayPreview:
    """Plays on by defaults from the open question, for the umpire, and takes it back: nothing is
    stored, and no die of the app is known by it. Raises RefusedError."""
    journal, rolls, decisions = unrestricted_campaign(desk), 0, 0
    here = journal.campaign.situation.paragraph
    passed: dict[str, Figures] = {}

    def count(ask: Question[Any]) -> bool:
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
        with journal.transaction(), desk.early.restored_on_error():
            for _ in desk.play_while(StratifiedDice("how much", 0), count):
                pass
            raise _Tried
    except _Tried:
        journal.call = call
    all_of_it = rolls, decisions
    return PlayPreview(
        passed.get("paragraph", all_of_it), passed.get("purchases", all_of_it), all_of_it
    )
