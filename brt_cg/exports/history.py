"""The history of a campaign in its journal: its scenarios, its Nights, and a counter's lines."""

from collections import Counter as Tally
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from brt_cg.card import Card
from brt_cg.journal.changes import apply_changes
from brt_cg.model import (
    SIDES,
    Campaign,
    Casualty,
    Fortification,
    Purchase,
    RulingInForce,
    Side,
    SideRecord,
    Situation,
)
from brt_cg.refit.victory import victory_points
from brt_cg.views.journal import NOTHING
from brt_cg.views.journal_rows import ShownLine, ShownRow
from brt_cg.views.view import View

# The tables that Victory Points are counted from.
SCORES = (
    *(Situation.TABLE, SideRecord.TABLE, Casualty.TABLE, Fortification.TABLE, Purchase.TABLE),
)


def list_scenarios(rows: Iterable[ShownRow]) -> list[dict[str, Any]]:
    """Return the scenarios played, in order, from the rows that a side may see. Each has a side's
    CVP at the end of the following Refit Phase, the part of them scored since the previous
    scenario, and likewise its Victory Points. Later corrections of the casualty ledger count for
    the scenario that they correct."""
    found: dict[str, dict[str, Any]] = {}
    dated: dict[str, dict[Side, Tally[str]]] = {}
    at_last: dict[Side, Tally[str]] = {}
    for campaign, _ in campaign_after_each_row(rows, *SCORES):
        situation = campaign.situation
        if situation.ended is not None:
            whole, last = (victory_points(campaign, whole=each) for each in (True, False))
            found[situation.ended] = {
                "date": situation.ended,
                "winner": situation.winner,
                "moved_first": situation.moved_first,
                **{f"{side}_cvp": campaign.cvp(side) for side in SIDES},
                **{f"{side}_scored": campaign.cvp_of_last_scenario(side) for side in SIDES},
                **{f"{side}_vp": whole[side].total for side in SIDES},
                **{f"{side}_vp_scored": last[side].total for side in SIDES},
            }
            at_last = {side: _points_by_date(campaign, side) for side in SIDES}
            dated[situation.ended] = at_last
    _correct_scores(found, dated, at_last)
    return list(found.values())


def _correct_scores(
    found: dict[str, dict[str, Any]],
    dated: Mapping[str, Mapping[Side, Tally[str]]],
    at_last: Mapping[Side, Tally[str]],
) -> None:
    """Add to the score of each date the later corrections of the ledger. `dated` has the points as
    the ledger showed them on each date, `at_last` the current points."""
    so_far: list[str] = []
    for date, score in found.items():
        so_far.append(date)
        for side in SIDES:
            then, now = dated[date][side], at_last[side]
            in_all = sum(now[each] for each in so_far) - then.total()
            for name in ("cvp", "vp"):
                score[f"{side}_{name}"] += in_all
            for name in ("scored", "vp_scored"):
                score[f"{side}_{name}"] += now[date] - then[date]


def _points_by_date(campaign: Campaign, side: Side) -> Tally[str]:
    """Return the points of a side's rows in the casualty ledger, by the date of their scenario."""
    found = Tally[str]()
    for row in campaign.casualty_rows_scored_by(side):
        if row.date is not None:
            found[row.date] += row.points
    return found


def night_results(rows: Iterable[ShownRow], card: Card) -> dict[str, list[str]]:
    """Return the result of each Night CG Date at 15.6203, in the log's words, by date."""
    found: dict[str, list[str]] = {}
    date = card.first_date
    for campaign, row in campaign_after_each_row(rows, Situation.TABLE):
        if card.is_night_date(date):
            found.setdefault(date, []).extend(night_lines(row))
        date = campaign.situation.date
    return {night: lines for night, lines in found.items() if lines}


def night_lines(row: ShownRow) -> list[str]:
    """Return the lines of a row about the results of a Night (15.6203), but not about rulings
    agreed on."""
    ids = [id for table, id, *_ in row.changes if table == RulingInForce.TABLE]
    lines = [line.text for line in row.lines if row.rule == "15.6203" and line.text != NOTHING]
    return [text for text in lines if not any(id in text for id in ids)]


def campaign_after_each_row(
    rows: Iterable[ShownRow], *tables: str, before: Campaign | None = None
) -> Iterator[tuple[Campaign, ShownRow]]:
    """Yield the rows not undone, each with these tables of the campaign as they were after the row.
    If earlier rows are left out, `before` is the campaign before the first row; it is modified."""
    campaign = Campaign() if before is None else before
    for row in rows:
        if row.is_standing:
            apply_changes(campaign, (change for change in row.changes if change[0] in tables))
            yield campaign, row


def counter_history(book: View, id: str) -> list[ShownLine]:
    """Return all lines about a counter that were not undone and that a side (None: the umpire) may
    know."""
    stand = (line for line in book.lines if not line.undone and not line.is_undo_report)
    return [line for line in stand if id in line.about]
