"""The `ruling` command, which records an agreement on a point that the rules leave open. `asked`
holds `id` ("R-SAN") and `value`.
"""

from collections.abc import Mapping

from brt_cg.card import Card, Ruling
from brt_cg.commands import Command
from brt_cg.model import RulingInForce
from brt_cg.questions import RefusedError
from brt_cg.text import short_json, unknown_name_error


def find_ruling(card: Card, id: object) -> Ruling:
    """Return the ruling with an id. Raises RefusedError if there is none."""
    ruling = card.rulings.get(id) if isinstance(id, str) else None
    if ruling is None:
        wrong = f"{short_json(id)} is not a ruling of CG {card.cg}"
        raise RefusedError(unknown_name_error(card.rulings, str(id), wrong, "brt-cg rulings FILE"))
    return ruling


def read_agreed_ruling(card: Card, asked: Mapping[str, object]) -> tuple[Ruling, str]:
    """Return the ruling in `asked` and its agreed value. Raises RefusedError."""
    ruling, value = find_ruling(card, asked.get("id")), asked.get("value")
    if not isinstance(value, str):
        raise RefusedError(
            f"{ruling.id}: {short_json(value)} is not accepted; enter {ruling.allowed_text}"
        )
    try:
        return ruling, ruling.check_value(value)
    except ValueError as error:
        raise RefusedError(str(error)) from None


def record_ruling(command: Command) -> None:
    """Carry out `ruling`. Raises RefusedError for an unknown ruling or a value it does not
    allow."""
    command.require_campaign_not_over()
    ruling, agreed = read_agreed_ruling(command.card, command.asked)
    before, rulings = command.campaign.ruling_value(ruling.id), command.campaign.rulings
    if ruling.id in rulings:
        rulings[ruling.id].value = agreed
    else:  # the ruling is newer than the campaign
        command.campaign.add(RulingInForce(id=ruling.id, value=agreed))
    was = "as before" if before == agreed else f"until now: {ruling.meaning(before)}"
    now = f"{ruling.question} {ruling.meaning(agreed)}"
    command.log(f"{ruling.id} ({ruling.rule}): {now}; {was}")
