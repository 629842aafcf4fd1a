"""The chronicle: the story of a campaign for friends who were not there, a page for each CG
Date."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain
from typing import Any

from brt_cg.card import Card
from brt_cg.exports.betio import draw_map
from brt_cg.exports.blocks import (
    Block,
    Bullets,
    CounterLabel,
    Document,
    ListItem,
    Picture,
    SectionBlock,
    Sheet,
    SideBySide,
    TableBlock,
    TextBlock,
)
from brt_cg.exports.charts import deviation_chart, line_chart
from brt_cg.exports.headers import json_document_start, page_header_maker
from brt_cg.exports.history import list_scenarios
from brt_cg.exports.luck import FACES, MEAN, WHAT_IT_MEANS, Luck, count_luck
from brt_cg.exports.map_frame import PORTRAIT, WHOLE
from brt_cg.exports.purchases import cost_text
from brt_cg.exports.story import (
    Career,
    Chapter,
    LostCounter,
    build_story,
    marine_hexes_gained_and_lost,
)
from brt_cg.exports.strength import count_strength
from brt_cg.model import SIDES, Counter, Fate, Phase, Side, Unit
from brt_cg.purchases.listing import ListedPurchase, list_purchase_records
from brt_cg.text import count_text, halves_text, signed_text
from brt_cg.views.journal_rows import ShownRow
from brt_cg.views.view import PublicView, UmpireView, View

UPRIGHT = replace(WHOLE, printed=PORTRAIT)  # the whole map on an upright page
WHEN = {False: "scenario", True: "Refit"}  # key: whether it was in the Refit Phase
MOST = 14  # lines of lost on a page, for each side; the others are counted


def build_chronicle(book: View) -> Document:
    """Return the campaign so far, as a seat (a side or the umpire) may read it, or with only public
    facts."""
    chronicle = _Chronicle(book)
    data = chronicle.data()
    situation = book.campaign.situation
    title = situation.name or "A campaign on Betio"
    return Document(
        title, page_header_maker(book), data, partial(_sheets, data), chronicle.blocks, stepped=True
    )


class _Chronicle:
    """The story of a campaign, read only once."""

    def __init__(self, book: View) -> None:
        self.book, self.card, self.view = book, book.card, book.campaign
        rows = book.rows
        known = SIDES if isinstance(book, UmpireView) else [*filter(None, [book.side])]
        chapters, self.careers = build_story(rows, self.card, known)
        listed = list_purchase_records(self.view, self.card, book.side)
        bought = [row for row in listed if not (row.draft or row.voids or row.voided_by)]
        dates = {self.view.situation.date, *(row.date for row in bought)}
        self.chapters = [one for one in chapters if one.has_events or one.date in dates]
        self._take_scores(rows)
        self.bought = {
            one.date: [row for row in bought if row.date == one.date] for one in self.chapters
        }
        self.luck = [count_luck(rows, whose) for whose in SIDES]

    def _take_scores(self, rows: Sequence[ShownRow]) -> None:
        """Give each date the score that the Records have for it."""
        scores = {each["date"]: each for each in list_scenarios(rows)}
        for chapter in self.chapters:
            if score := scores.get(chapter.date):
                chapter.points = {side: score[f"{side}_vp"] for side in SIDES}
                chapter.scored = {side: score[f"{side}_vp_scored"] for side in SIDES}

    def previous_chapter(self, chapter: Chapter) -> Chapter | None:
        """Return the chapter of the previous date."""
        at = self.chapters.index(chapter)
        return self.chapters[at - 1] if at else None

    def points_scored(self, chapter: Chapter, side: Side) -> int:
        """Return the Victory Points of a side on a date."""
        return chapter.scored.get(side, 0)

    # --- for programs ---------------------------------------------------------------------------

    def data(self) -> dict[str, Any]:
        situation = self.view.situation
        public = isinstance(self.book, PublicView)
        return {
            **json_document_start("chronicle", self.book.side, public=public),
            "cg": situation.cg,
            "name": situation.name,
            "date": situation.date,
            "victor": situation.victor,
            "dates": [self._date(chapter) for chapter in self.chapters],
            "careers": [_career(one) for one in self.careers],
            "luck": [_luck(rolled) for rolled in self.luck],
        }

    def _date(self, chapter: Chapter) -> dict[str, Any]:
        gained, lost = marine_hexes_gained_and_lost(chapter, self.previous_chapter(chapter))
        return {
            "date": chapter.date,
            "played": chapter.played,
            "winner": chapter.winner,
            "moved_first": chapter.moved_first,
            "marine_hexes": len(chapter.area_hexes(Side.MARINE)),
            "gained": len(gained),
            "lost": len(lost),
            "sides": {
                side.value: {
                    "vp": chapter.points.get(side, 0),
                    "scored": self.points_scored(chapter, side),
                    "san": chapter.san.get(side, 0),
                    "squad_equivalents": _size(chapter, side, self.card),
                    "fell": sum(one.worth * number for one, number in chapter.losses_of(side)),
                }
                for side in SIDES
            },
            "fallen": [
                {
                    "side": side.value,
                    "who": fallen.words,
                    "number": number,
                    "cvp": fallen.worth,
                    "reduced": fallen.reduced,
                    "captured": fallen.captured,
                    "in_refit": fallen.in_refit,
                }
                for side in SIDES
                for fallen, number in chapter.losses_of(side)
            ],
            "purchases": [
                {
                    "side": row.side.value,
                    "item": _item(row),
                    "quantity": row.quantity,
                    "cost": cost_text(row),
                }
                for row in self.bought[chapter.date]
            ],
            "moments": [
                {"what": what, "words": words} for what, words in chapter.moments_in_order()
            ],
            "notes": chapter.notes,
        }

    # --- for people -----------------------------------------------------------------------------

    def blocks(self) -> Iterator[Block]:
        yield SectionBlock("The campaign", self._whole())
        for chapter in self.chapters:
            yield SectionBlock(chapter.date, self._page(chapter), page=chapter.played)
        if any(one.events for one in self.careers):
            yield SectionBlock("Service records", self._careers())
        if any(rolled.dice for rolled in self.luck):
            yield SectionBlock("The dice", self._dice())

    def _whole(self) -> Iterator[Block]:
        yield TextBlock(self._standing())
        played = [chapter for chapter in self.chapters if chapter.played]
        if len(played) > 1:
            yield self._chart(played)
        if played:
            yield self._by_date(played)
        if len(played) <= 1 and self.chapters:
            yield self._map(self.chapters[-1])

    def _chart(self, played: list[Chapter]) -> Picture:
        dates = [chapter.date for chapter in played]
        lines = {side: [chapter.points[side] for chapter in played] for side in SIDES}
        chart = line_chart("Victory Points", dates, lines)
        words = "Victory Points: Casualty VP, and for the Marines pillboxes (15.615)."
        return Picture(chart, words)

    def _by_date(self, played: list[Chapter]) -> TableBlock:
        columns = ("CG Date", "winner", "moved first", *(f"{side.label} VP" for side in SIDES))
        rows = [
            (
                *(chapter.date, _named(chapter.winner), _named(chapter.moved_first)),
                *(self._points(chapter, side) for side in SIDES),
            )
            for chapter in played
        ]
        return TableBlock(columns, rows)

    def _points(self, chapter: Chapter, side: Side) -> str:
        """Return the total of a side and, if the side had points before, the newly scored part."""
        total = chapter.points[side]
        had = self.points_scored(chapter, side) != total
        return f"{total} ({self._more(chapter, side)})" if had else str(total)

    def _more(self, chapter: Chapter, side: Side) -> str:
        return signed_text(self.points_scored(chapter, side))

    def _standing(self) -> str:
        situation = self.view.situation
        if situation.phase is Phase.OVER and situation.victor is not None:
            return f"CG {situation.cg} is over: the {situation.victor.plural} have won."
        if situation.phase is Phase.OVER:
            return f"CG {situation.cg} is over."
        return f"CG {situation.cg} is in progress; the CG Date is {situation.date}."

    def _page(self, chapter: Chapter) -> Iterator[Block]:
        yield TextBlock(self._outcome(chapter))
        if chapter.played:
            yield self._totals(chapter)
        yield self._map(chapter)
        yield from _beside(self._story_blocks(chapter), self._purchases(chapter))
        if chapter.fallen:
            yield SideBySide([[self._fallen(chapter, side)] for side in SIDES])

    def _outcome(self, chapter: Chapter) -> str:
        if chapter.winner is None:
            coming = chapter.date == self.view.situation.date
            return "Not yet played." if coming else "No scenario was played."
        first = chapter.moved_first
        moved = f"; the {first.plural} moved first" if first is not None else ""
        moved = " and moved first" if first is chapter.winner else moved
        return f"The {chapter.winner.plural} won{moved}."

    def _totals(self, chapter: Chapter) -> TableBlock:
        columns = ("", "VP", "on this date", "SAN", "squad-equivalents in play")
        rows = [
            (
                *(side.label, chapter.points[side], self._more(chapter, side), chapter.san[side]),
                halves_text(_size(chapter, side, self.card)),
            )
            for side in SIDES
        ]
        return TableBlock(columns, rows)

    def _map(self, chapter: Chapter) -> Picture:
        before = self.previous_chapter(chapter)
        gained, lost = marine_hexes_gained_and_lost(chapter, before)
        former = before.area_hexes(Side.MARINE) if before is not None and (gained or lost) else ()
        words = f"Betio {'at the end of' if chapter.played else 'on'} {chapter.date}"
        svg = draw_map(
            chapter.table,
            words,
            max_hex=self.card.highest_hex_number(self.view.current_rulings),
            frame=UPRIGHT,
            former=former,
            former_date=before.date if before is not None else "",
            tells=True,
        )
        held = count_text(len(chapter.area_hexes(Side.MARINE)), "hex")
        moved = [f"{count_text(len(gained), 'hex')} gained"] if gained and former else []
        moved += [f"{count_text(len(lost), 'hex')} lost"] if lost else []
        moved = moved or (["no change"] if before is not None else [])
        return Picture(svg, f"{words}. In Marine Setup Areas: {', '.join([held, *moved])}.")

    def _fallen(self, chapter: Chapter, side: Side) -> SectionBlock:
        losses = chapter.losses_of(side)
        rows: list[tuple[Any, ...]] = [
            (_label(fallen, number), WHEN[fallen.in_refit], fallen.worth * number)
            for fallen, number in losses[:MOST]
        ]
        if more := losses[MOST:]:
            rest = sum(number for _, number in more)
            worth = sum(fallen.worth * number for fallen, number in more)
            rows.append((CounterLabel(f"and {rest} more"), "", worth))
        table = TableBlock(("lost", "in", "CVP"), rows, (60, 24, 16), roomy=True)
        return SectionBlock(f"{side.label} losses", [table if rows else TextBlock("No losses.")])

    def _story_blocks(self, chapter: Chapter) -> Iterator[Block]:
        if moments := [ListItem(f"{what}: {words}") for what, words in chapter.moments_in_order()]:
            yield SectionBlock("Moments that mattered", [Bullets(moments)])
        if chapter.notes:
            yield SectionBlock("In the players’ own words", [Bullets(chapter.notes)])

    def _purchases(self, chapter: Chapter) -> Iterator[Block]:
        for side in SIDES:
            rows = [
                (_item(row), row.quantity, cost_text(row))
                for row in self.bought[chapter.date]
                if row.side is side
            ]
            if rows:
                table = TableBlock(("item", "number", "cost"), rows, (56, 14, 30), roomy=True)
                yield SectionBlock(f"{side.label} purchases", [table])

    def _careers(self) -> Iterator[Block]:
        rows = [
            (CounterLabel(one.first_and_last_value, one.name), one.side.label, one.words)
            for one in self.careers
            if one.events
        ]
        if rows:
            yield TableBlock(("who", "side", "career"), rows, (30, 12, 58), roomy=True)

    def _dice(self) -> Iterator[Block]:
        bars = {
            rolled.side: [count - rolled.dice / 6 for count in rolled.faces] for rolled in self.luck
        }
        chart = deviation_chart("Actual and expected rolls", [*map(str, FACES)], bars)
        words = "For each face: actual rolls minus expected rolls."
        yield Picture(chart, words, half=True)
        header = ("side", "dr", "DR", "average", "total minus expected total", "luckier than")
        rows = [
            (
                *(rolled.side.label, rolled.drs, rolled.double_drs, rolled.average),
                *(_deviation(rolled), f"{rolled.percent} in 100"),
            )
            for rolled in self.luck
        ]
        yield TableBlock(header, rows)
        yield TextBlock(f"{WHAT_IT_MEANS} The average of a die is {MEAN:.2f}.")


def _beside(*columns: Iterable[Block]) -> Iterator[Block]:
    """Yield the columns that have contents, side by side."""
    filled = [column for column in map(list, columns) if column]
    if len(filled) > 1:
        yield SideBySide(filled)
    else:
        yield from chain.from_iterable(filled)


def _size(chapter: Chapter, side: Side, card: Card) -> float:
    """Return a side's squad-equivalents in play."""
    fit = filter(_fights, chapter.table.counters())
    return count_strength(fit, card.ladders, (side,)).squad_equivalents


def _fights(counter: Counter) -> bool:
    return counter.in_play and not (isinstance(counter, Unit) and counter.prisoner)


def _named(side: Side | None) -> str:
    return side.label if side is not None else "–"


def _item(row: ListedPurchase) -> str:
    """Return the purchased item, without the id of the pillbox that it enlarges."""
    return "More capacity for a pillbox" if row.enlarged_pillbox_id is not None else row.name


def _label(fallen: LostCounter, number: int) -> CounterLabel:
    many = f"{fallen.kind} × {number}" if number > 1 else fallen.kind
    how = "half of it" if fallen.reduced else "captured" if fallen.captured else ""
    return CounterLabel(fallen.printed, many, notes=how)


def _career(one: Career) -> dict[str, Any]:
    fate = one.fate if one.fate is not Fate.IN_PLAY else None
    value = {"first": one.first, "last": one.last, "fate": fate}
    return {"side": one.side.value, "name": one.name, **value, "words": one.words}


def _deviation(rolled: Luck) -> str:
    """Return the number of pips by which the total of a side's dice exceeds the expected total."""
    return signed_text(round(rolled.sum - MEAN * rolled.dice))


def _luck(rolled: Luck) -> dict[str, Any]:
    return {
        "side": rolled.side.value,
        "dr": rolled.drs,
        "DR": rolled.double_drs,
        "sum": rolled.sum,
        "deviation": rolled.sum - MEAN * rolled.dice,
        "faces": list(rolled.faces),
        "luckier_than_percent": rolled.percent,
    }


def _sheets(data: dict[str, Any]) -> Iterator[Sheet]:
    columns: tuple[str, ...] = ("date", "winner", "moved_first", "marine_hexes", "gained", "lost")
    yield Sheet("dates", columns, data["dates"])
    sides = [
        {"date": date["date"], "side": side} | figures
        for date in data["dates"]
        for side, figures in date["sides"].items()
    ]
    columns = ("date", "side", "vp", "scored", "san", "squad_equivalents", "fell")
    yield Sheet("sides", columns, sides)
    parts = {
        "fallen": ("side", "who", "number", "cvp", "reduced", "captured", "in_refit"),
        "purchases": ("side", "item", "quantity", "cost"),
        "moments": ("what", "words"),
    }
    for name, columns in parts.items():
        rows = [{"date": date["date"]} | row for date in data["dates"] for row in date[name]]
        yield Sheet(name, ("date", *columns), rows)
    notes = [
        {"date": date["date"], "words": note} for date in data["dates"] for note in date["notes"]
    ]
    yield Sheet("notes", ("date", "words"), notes)
    yield Sheet("careers", ("side", "name", "first", "last", "fate", "words"), data["careers"])
    rolled = [luck | {"faces": " ".join(map(str, luck["faces"]))} for luck in data["luck"]]
    columns = ("side", "dr", "DR", "sum", "deviation", "faces", "luckier_than_percent")
    yield Sheet("luck", columns, rolled)
