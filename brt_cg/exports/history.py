"""The scenarios that a campaign has played, and its Nights, as the journal tells them."""

from collections.abc import Iterable, Iterator

from brt_cg.campaign import Campaign
from brt_cg.card import Card
from brt_cg.counters import Side
from brt_cg.exports.entries_told import Row
from brt_cg.exports.seat_journal import NOTHING
from brt_cg.journal.changes import apply
from brt_cg.records import SIDES, SideRecord, Situation
from brt_cg.values import frozen

DETERMINATION = "15.6203"


@frozen
class Scenario:
    """A scenario whose end was imported. `cvp` is what each side had amassed by the end of the
    Refit Phase that followed, `scored` what of it since the scenario before."""

    date: str
    winner: Side | None
    moved_first: Side | None
    cvp: dict[Side, int]
    scored: dict[Side, int]


def scenarios(rows: Iterable[Row]) -> list[Scenario]:
    """The scenarios played, in order, from the rows of the journal that a side may see."""
    found: dict[str, Scenario] = {}
    for campaign, _ in folded(rows, Situation.TABLE, SideRecord.TABLE):
        situation = campaign.situation
        if situation.ended is not None:
            found[situation.ended] = Scenario(
                situation.ended,
                situation.winner,
                situation.moved_first,
                {side: campaign.sides[side].cvp for side in SIDES},
                {
                    side: campaign.sides[side].cvp - campaign.sides[side].cvp_before
                    for side in SIDES
                },
            )
    return list(found.values())


def nights(rows: Iterable[Row], card: Card) -> dict[str, list[str]]:
    """What came of each Night CG Date at 15.6203, in the log's words, by date."""
    found: dict[str, list[str]] = {}
    date = card.first_date
    for campaign, row in folded(rows, Situation.TABLE):
        if row.rule == DETERMINATION and card.is_night(date):
            told = (line.text for line in row.lines if line.text != NOTHING)
            found.setdefault(date, []).extend(told)
        date = campaign.situation.date
    return {night: lines for night, lines in found.items() if lines}


def folded(rows: Iterable[Row], *tables: str) -> Iterator[tuple[Campaign, Row]]:
    """The rows that stand, each with these tables of the campaign as they were after it."""
    campaign = Campaign()
    for row in rows:
        if row.stands:
            apply(campaign, (change for change in row.changes if change[0] in tables))
            yield campaign, row
