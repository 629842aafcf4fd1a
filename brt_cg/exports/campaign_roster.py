"""The campaign roster: a line for each CG Date with the figures of both sides, as a seat knows
them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from brt_cg.exports.blocks import Block, SectionBlock, TableBlock, TextBlock
from brt_cg.exports.history import SCORES, campaign_after_each_row, list_scenarios
from brt_cg.exports.story import build_story
from brt_cg.exports.strength import count_strength
from brt_cg.model import BY_TABLE, SIDES, Campaign, Phase, Side, Situation
from brt_cg.purchases.listing import list_purchase_records
from brt_cg.purchases.pools import KIND_NAMES, KINDS
from brt_cg.text import halves_text, signed_text
from brt_cg.views.view import UmpireView, View

DATE = ("date", "winner", "moved_first", "turns")
FIGURES = (
    *("san", "elr", "strength", "lost", "cvp", "cvp_scored", "vp", "vp_scored"),
    *(f"{kind}_spent" for kind in KINDS),
)
COLUMNS = (*DATE, *(f"{side}_{name}" for side in SIDES for name in FIGURES))
HEADER = (
    *("CG Date", "first", "turns", "winner", "SAN", "ELR", "strength", "lost", "CVP", "VP"),
    "points spent",
)
WIDTHS = (7, 8, 6, 9, 5, 5, 11, 7, 16, 16, 20)
ABOUT = (
    "Marine / Japanese. Strength: squad-equivalents known when the scenario began. Lost: counters. "
    "CVP and VP: the total, with that date's in parentheses."
)


@dataclass(slots=True)
class DateFigures:
    """The figures of a CG Date; each side's figures are by name (FIGURES), and None if not
    known."""

    date: str
    winner: Side | None = None
    moved_first: Side | None = None
    turns: str | None = None
    sides: dict[Side, dict[str, Any]] = field(
        default_factory=lambda: {side: dict.fromkeys(FIGURES) for side in SIDES}
    )

    def as_row(self) -> dict[str, Any]:
        """Return the figures as one row for a file."""
        row: dict[str, Any] = {name: getattr(self, name) for name in DATE}
        for side, figures in self.sides.items():
            row |= {f"{side}_{name}": value for name, value in figures.items()}
        return row


def list_date_figures(book: View) -> list[DateFigures]:
    """Return, in order, the figures of the CG Dates up to now whose scenario has been played or
    begun."""
    found = dict(_at_scenario_starts(book))
    for score in list_scenarios(book.rows):
        date = found.setdefault(score["date"], DateFigures(score["date"]))
        date.winner, date.moved_first = score["winner"], score["moved_first"] or date.moved_first
        for side in SIDES:
            figures = date.sides[side]
            figures["cvp"], figures["cvp_scored"] = score[f"{side}_cvp"], score[f"{side}_scored"]
            figures["vp"], figures["vp_scored"] = score[f"{side}_vp"], score[f"{side}_vp_scored"]
    known = _known(book)
    for chapter in build_story(book.rows, book.card, known)[0]:
        if chapter.date in found:
            for side in SIDES:
                lost = sum(number for _, number in chapter.losses_of(side))
                found[chapter.date].sides[side]["lost"] = lost
    _add_spent(book, found, known)
    return sorted(found.values(), key=lambda each: book.card.date_index(each.date))


def _known(book: View) -> Sequence[Side]:
    """Return the sides that hide nothing from the reader."""
    return SIDES if isinstance(book, UmpireView) else [*filter(None, [book.side])]


def _at_scenario_starts(book: View) -> Iterator[tuple[str, DateFigures]]:
    """Yield the order, SAN, ELR and strength of each date at the start of its scenario. If that
    scenario was played before the campaign was entered, yield the SAN and ELR at its end."""
    before: tuple[str, Phase] | None = None
    begun: set[str] = set()
    for campaign, _ in campaign_after_each_row(book.rows, *dict.fromkeys((*SCORES, *BY_TABLE))):
        situation = campaign.situation
        now = situation.date, situation.phase
        if now != before and situation.phase is Phase.SCENARIO:
            yield situation.date, _figures_at_start(book, campaign, situation)
            begun.add(situation.date)
        elif situation.ended is not None and situation.ended not in begun:
            date = DateFigures(situation.ended)
            for side in SIDES:
                total = campaign.sides[side]
                date.sides[side] |= {"san": total.san, "elr": total.elr}
            yield situation.ended, date
            begun.add(situation.ended)
        before = now


def _figures_at_start(book: View, campaign: Campaign, situation: Situation) -> DateFigures:
    date = DateFigures(situation.date, None, situation.first_move, situation.turns)
    for side in SIDES:
        mine = [each for each in campaign.pieces() if each.side is side and each.in_play]
        size = count_strength(mine, book.card.ladders, (side,)).squad_equivalents
        total = campaign.sides[side]
        date.sides[side] |= {"san": total.san, "elr": total.elr, "strength": size}
    return date


def _add_spent(book: View, found: Mapping[str, DateFigures], known: Sequence[Side]) -> None:
    """Add the points that each side is known to have spent on a date; a void counts on its own
    date."""
    for side in {Side.MARINE, *known}:  # only Japanese purchases are secret
        for date in found.values():
            date.sides[side] |= {f"{kind}_spent": 0 for kind in KINDS}
    for row in list_purchase_records(book.campaign, book.card, book.side):
        if row.date in found and not row.draft:
            figures = found[row.date].sides[row.side]
            for kind, points in ((row.points, row.total), ("exponent", row.exponent)):
                figures[f"{kind}_spent"] = (figures[f"{kind}_spent"] or 0) + points


def roster_blocks(dates: list[dict[str, Any]]) -> Iterator[Block]:
    """Yield the roster as a table, from its rows in data."""
    if dates:
        rows = [_printed(date) for date in dates]
        yield SectionBlock(
            "Campaign roster", [TableBlock(HEADER, rows, WIDTHS), TextBlock(ABOUT)], across=True
        )


def _printed(date: Mapping[str, Any]) -> tuple[str, ...]:
    def both(text: Any) -> str:
        return " / ".join(text({n: date[f"{side}_{n}"] for n in FIGURES}) for side in SIDES)

    def score(name: str) -> str:
        return both(
            lambda of: (
                "–" if of[name] is None else f"{of[name]} ({signed_text(of[f'{name}_scored'])})"
            )
        )

    who = [Side(date[name]).label if date[name] else "–" for name in ("moved_first", "winner")]
    return (
        *(date["date"], who[0], date["turns"] or "–", who[1]),
        *(both(lambda of, name=name: _figure(of[name])) for name in ("san", "elr")),
        both(lambda of: "–" if of["strength"] is None else halves_text(of["strength"])),
        both(lambda of: _figure(of["lost"])),
        *map(score, ("cvp", "vp")),
        both(_spent_text),
    )


def _figure(value: object) -> str:
    return "–" if value is None else str(value)


def _spent_text(figures: Mapping[str, Any]) -> str:
    """Return the points spent, by kind: "4 GPP, 12 FPP"."""
    spent = [
        f"{figures[f'{kind}_spent']} {KIND_NAMES[kind]}"
        for kind in KINDS
        if figures[f"{kind}_spent"]
    ]
    known = any(figures[f"{kind}_spent"] is not None for kind in KINDS)
    return ", ".join(spent) or ("0" if known else "–")
