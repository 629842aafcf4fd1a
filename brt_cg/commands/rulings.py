"""The command `ruling`: records an agreement on a point that the source leaves open.

`asked` holds `id` ("R-SAN") and `value`.
"""

from collections.abc import Mapping

from brt_cg.card import Card
from brt_cg.card.rulings import Ruling
from brt_cg.commands import Command
from brt_cg.model.records import RulingInForce
from brt_cg.questions.answers import Refused
from brt_cg.text import none_of, shown


def ruling_of(card: Card, id: object) -> Ruling:
    """The ruling of an id. Raises Refused."""
    ruling = card.rulings.get(id) if isinstance(id, str) else None
    if ruling is None:
        wrong = f"{shown(id)} is not a ruling of CG {card.cg}"
        raise Refused(none_of(card.rulings, str(id), wrong, "brt-cg rulings FILE"))
    return ruling


def read_ruling(card: Card, asked: Mapping[str, object]) -> tuple[Ruling, str]:
    """The ruling of `asked` and the value agreed for it. Raises Refused."""
    ruling, value = ruling_of(card, asked.get("id")), asked.get("value")
    if not isinstance(value, str):
        raise Refused(f"{ruling.id}: found {shown(value)}; allowed: {ruling.allowed}")
    try:
        return ruling, ruling.check(value)
    except ValueError as error:
        raise Refused(str(error)) from None


def rule(command: Command) -> None:
    """Carries out `ruling`. Raises Refused for an unknown ruling or a value it does not allow."""
    command.only_before_the_end()
    ruling, agreed = read_ruling(command.card, command.asked)
    before, rulings = command.campaign.ruling(ruling.id), command.campaign.rulings
    if ruling.id in rulings:
        rulings[ruling.id].value = agreed
    else:  # the ruling is newer than the campaign
        command.campaign.add(RulingInForce(id=ruling.id, value=agreed))
    was = "unchanged" if before == agreed else f"was {ruling.worded(before)}"
    command.say(f"{ruling.id} ({ruling.rule}): {ruling.explained(agreed)}; {was}")
