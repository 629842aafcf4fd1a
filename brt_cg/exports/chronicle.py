"""The chronicle: the story of a campaign date by date, for friends who were not there."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from html import escape
from typing import Any

from brt_cg.card import Card
from brt_cg.commands.note import BEGINS
from brt_cg.exports.betio import map_svg
from brt_cg.exports.blocks import (
    Block,
    Bullets,
    Document,
    ListItem,
    Picture,
    SectionBlock,
    Sheet,
    TableBlock,
    TextBlock,
)
from brt_cg.exports.heads import opening, page_head
from brt_cg.exports.history import ServiceRecord, determination, folded, service_records
from brt_cg.exports.luck import FACES, MEAN, WHAT_IT_MEANS, Luck, luck
from brt_cg.exports.map_frame import FONT, INKS, PORTRAIT, WHOLE
from brt_cg.exports.purchases import figures_text
from brt_cg.exports.refit_summary import imported_text, summaries_of
from brt_cg.exports.strength import TOTALS, SideStrength, strength
from brt_cg.journal.changes import RECORDS
from brt_cg.model.campaign import Campaign
from brt_cg.model.counters import BY_TABLE, Counter, Fate, Side, Unit, Vehicle
from brt_cg.model.records import SIDES, Phase, Situation
from brt_cg.purchases.breach import halves
from brt_cg.purchases.listing import list_purchases
from brt_cg.views.book import Book, PublicBook
from brt_cg.views.journal import NOTHING
from brt_cg.views.journal_rows import ShownRow


@dataclass(slots=True)
class Chapter:
    """A CG Date. `table` is the map at the end of its scenario (for a date not yet played: the
    present one), with the Setup Areas that resulted; `forces` are each side's forces then, `losses`
    its losses on that date."""

    date: str
    table: Campaign
    played: bool = False
    winner: Side | None = None
    moved_first: Side | None = None
    san: Mapping[Side, int] = field(default_factory=dict)
    cvp: Mapping[Side, int] = field(default_factory=dict)
    forces: dict[Side, SideStrength] = field(default_factory=dict)
    losses: dict[Side, SideStrength] = field(default_factory=dict)
    moments: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    lost: dict[str, Counter] = field(default_factory=dict)

    @property
    def eventful(self) -> bool:
        """Whether there is anything to tell about it."""
        return self.played or bool(self.moments or self.notes or self.lost)


FORCES = ("leaders", "heroes", "squads", "half_squads", "crews", "guns", "vehicles")
UPRIGHT = replace(WHOLE, printed=PORTRAIT)  # the whole map on an upright page


def build(book: Book) -> Document:
    """The campaign so far, as a side (None: the umpire) may read it."""
    chronicle = _Chronicle(book)
    data = chronicle.data()
    title = f"Chronicle of {chronicle.view.situation.name or 'a campaign on Betio'}"
    return Document(title, page_head(book), data, partial(_sheets, data), chronicle.blocks)


class _Chronicle:
    """The data of a chronicle, computed once."""

    def __init__(self, book: Book) -> None:
        rows = book.rows
        self.side, self.public = book.side, isinstance(book, PublicBook)
        self.card = book.card
        self.view = book.campaign
        bought = [row for row in list_purchases(self.view, book.card, book.side) if not row.draft]
        dates = {self.view.situation.date, *(row.date for row in bought)}
        self.chapters = [
            chapter
            for chapter in chapters(rows, book.card)
            if chapter.eventful or chapter.date in dates
        ]
        self.leaders = service_records(rows)
        self.refits = {each.date: each for each in summaries_of(rows, book.card)}
        self.luck = [luck(rows, whose) for whose in SIDES]
        self.bought = {
            chapter.date: [row for row in bought if row.date == chapter.date]
            for chapter in self.chapters
        }

    # --- for programs ---------------------------------------------------------------------------

    def data(self) -> dict[str, Any]:
        situation = self.view.situation
        return {
            **opening("chronicle", self.side, public=self.public),
            "cg": situation.cg,
            "name": situation.name,
            "date": situation.date,
            "victor": situation.victor,
            "dates": [self._chapter(chapter) for chapter in self.chapters],
            "leaders": [_leader(leader) for leader in self.leaders],
            "luck": [_luck(rolled) for rolled in self.luck],
        }

    def _chapter(self, chapter: Chapter) -> dict[str, Any]:
        refit = self.refits.get(chapter.date)
        return {
            "date": chapter.date,
            "winner": chapter.winner,
            "moved_first": chapter.moved_first,
            "sides": {
                side.value: {
                    "san": chapter.san[side],
                    "cvp": chapter.cvp[side],
                    "forces": {what: chapter.forces[side].total(what) for what in FORCES},
                    "squad_equivalents": chapter.forces[side].squad_equivalents,
                    "losses": {what: chapter.losses[side].total(what) for what in FORCES},
                    "losses_in_squad_equivalents": chapter.losses[side].squad_equivalents,
                }
                for side in SIDES
            },
            "purchases": [
                {
                    "id": row.id,
                    "side": row.side.value,
                    "item": row.name,
                    "quantity": row.quantity,
                    "cost": figures_text(row),
                    "voids": row.voids,
                }
                for row in self.bought[chapter.date]
            ],
            "moments": chapter.moments,
            "imported": refit.imported if refit else 0,
            "refit": [*refit.lines()] if refit else [],
            "notes": chapter.notes,
        }

    # --- for people -----------------------------------------------------------------------------

    def blocks(self) -> Iterator[Block]:
        yield TextBlock(self._standing())
        played = [chapter for chapter in self.chapters if chapter.played]
        if len(played) > 1:
            yield from self._figures(played)
        for chapter in self.chapters:
            yield SectionBlock(self._title(chapter), self._of_date(chapter))
        if self.leaders:
            yield SectionBlock("Service records", self._leaders())
        if any(rolled.dice for rolled in self.luck):
            yield SectionBlock("The luck of the dice", self._dice())

    def _standing(self) -> str:
        situation = self.view.situation
        if situation.phase is Phase.OVER and situation.victor is not None:
            return f"CG {situation.cg} is over: the {situation.victor.label} side has won."
        if situation.phase is Phase.OVER:
            return f"CG {situation.cg} is over."
        return f"CG {situation.cg} is in progress; the CG Date is {situation.date}."

    def _figures(self, played: list[Chapter]) -> Iterator[Block]:
        dates = [chapter.date for chapter in played]
        cvp = {side: [chapter.cvp[side] for chapter in played] for side in SIDES}
        san = {side: [chapter.san[side] for chapter in played] for side in SIDES}
        charts = [line_chart("Casualty VP", dates, cvp), line_chart("SAN", dates, san)]
        yield Picture(drawing("CVP and SAN", *charts), "At the end of each CG Date (15.6121).")
        names = [f"{side.label} {word}" for word in ("CVP", "SAN") for side in SIDES]
        winners = [chapter.winner.label if chapter.winner else "–" for chapter in played]
        rows = zip(dates, winners, *cvp.values(), *san.values(), strict=True)
        yield TableBlock(("CG Date", "winner", *names), list(rows))

    def _title(self, chapter: Chapter) -> str:
        if chapter.played:
            return chapter.date
        coming = chapter.date == self.view.situation.date
        return f"{chapter.date}, {'not yet played' if coming else 'without a scenario'}"

    def _of_date(self, chapter: Chapter) -> Iterator[Block]:
        if chapter.winner is not None:
            first = chapter.moved_first
            moved = f"; the {first.label} side moved first" if first is not None else ""
            moved = " and moved first" if first is chapter.winner else moved
            yield TextBlock(f"The {chapter.winner.label} side won the scenario{moved}.")
        refit = self.refits.get(chapter.date)
        if refit is not None:
            yield TextBlock(f"{imported_text(refit)} at its end.")
            if lines := [*refit.lines()]:
                yield SectionBlock("The Refit Phase after it", [Bullets(lines)])
        words = f"Betio {'at the end of' if chapter.played else 'on'} {chapter.date}"
        highest = self.card.highest_hex(self.view.ruled)
        svg = map_svg(chapter.table, words, max_hex=highest, frame=UPRIGHT)
        yield Picture(svg, f"{words}: Setup Areas and stacks.")
        yield SectionBlock("Forces and losses", [self._forces(chapter)])
        if chapter.moments:
            yield SectionBlock("Decisive moments", [Bullets(chapter.moments)])
        if self.bought[chapter.date]:
            rows = [
                (row.side.label, row.id, row.name, row.quantity, figures_text(row), row.reason)
                for row in self.bought[chapter.date]
            ]
            header = ("side", "id", "item", "number", "cost", "")
            yield SectionBlock("Purchases", [TableBlock(header, rows)])
        if chapter.notes:
            yield SectionBlock("The players' own words", [Bullets(chapter.notes)])

    def _forces(self, chapter: Chapter) -> TableBlock:
        rows = []
        then = "at scenario end" if chapter.played else "in play"
        lost = "lost, Refit Phase included" if chapter.played else "lost"
        for side in SIDES:
            for words, size in ((then, chapter.forces[side]), (lost, chapter.losses[side])):
                figures = (size.total(what) for what in FORCES)
                rows.append((side.label, words, *figures, halves(size.squad_equivalents)))
        names = [TOTALS[what][1] for what in FORCES]
        return TableBlock(("", "", *names, "squad-equivalents"), rows)

    def _leaders(self) -> Iterator[Block]:
        rows = [
            (leader.side.label, leader.name, leader.words, len(leader.events))
            for leader in self.leaders
        ]
        yield TableBlock(("side", "leader", "value", "lines"), rows)
        for leader in self.leaders:
            if leader.events:
                events = [ListItem(words, f" · {date}") for date, words in leader.events]
                title = f"{leader.last} {leader.name} ({leader.side.label})"
                yield SectionBlock(title, [Bullets(events)])

    def _dice(self) -> Iterator[Block]:
        faces = {rolled.side: rolled.faces for rolled in self.luck}
        bars = bar_chart("Faces", [*map(str, FACES)], faces)
        yield Picture(drawing("Faces", bars), "How often each face came up.", half=True)
        header = ("side", "dr", "DR", *map(str, FACES), "average", "luckier than")
        rows = [
            (
                *(rolled.side.label, rolled.drs, rolled.double_drs, *rolled.faces, rolled.average),
                f"{rolled.percent} in 100",
            )
            for rolled in self.luck
        ]
        yield TableBlock(header, rows)
        yield TextBlock(f"{WHAT_IT_MEANS} The average of a die is {MEAN:.2f}.")


def _leader(leader: ServiceRecord) -> dict[str, Any]:
    events = [{"date": date, "words": words} for date, words in leader.events]
    return asdict(leader) | {"events": events}


def _luck(rolled: Luck) -> dict[str, Any]:
    return {
        "side": rolled.side.value,
        "dr": rolled.drs,
        "DR": rolled.double_drs,
        "sum": rolled.sum,
        "faces": list(rolled.faces),
        "luckier_than_percent": rolled.percent,
    }


def _sheets(data: dict[str, Any]) -> Iterator[Sheet]:
    sizes = {"forces": "squad_equivalents", "losses": "losses_in_squad_equivalents"}
    sides = [
        {"date": date["date"], "side": side, "what": when, "squad_equivalents": figures[size]}
        | {"san": figures["san"], "cvp": figures["cvp"]}
        | figures[when]
        for date in data["dates"]
        for side, figures in date["sides"].items()
        for when, size in sizes.items()
    ]
    yield Sheet("dates", ("date", "winner", "moved_first"), data["dates"])
    columns: tuple[str, ...] = ("date", "side", "what", "san", "cvp", *FORCES, "squad_equivalents")
    yield Sheet("sides", columns, sides)
    bought = [{"date": date["date"]} | row for date in data["dates"] for row in date["purchases"]]
    columns = ("date", "id", "side", "item", "quantity", "cost", "voids")
    yield Sheet("purchases", columns, bought)
    for name in ("moments", "notes"):
        rows = [
            {"date": date["date"], "words": words} for date in data["dates"] for words in date[name]
        ]
        yield Sheet(name, ("date", "words"), rows)
    yield Sheet("leaders", ("id", "name", "side", "first", "last", "fate"), data["leaders"])
    events = [
        {"id": leader["id"]} | event for leader in data["leaders"] for event in leader["events"]
    ]
    yield Sheet("service", ("id", "date", "words"), events)
    rolled = [luck | {"faces": " ".join(map(str, luck["faces"]))} for luck in data["luck"]]
    columns = ("side", "dr", "DR", "sum", "faces", "luckier_than_percent")
    yield Sheet("luck", columns, rolled)


# --- a campaign divided into its CG Dates ---------------------------------------------------------

TURNING = ("massacre", "victor", "winner")  # decisive fields of the situation
COMMANDS = ("import", "reinforce", "edit")
CAREER = ("", "fate", "type", "traits")  # fields of a leader or hero whose changes are reported


def chapters(rows: Iterable[ShownRow], card: Card) -> list[Chapter]:
    """The dates in order, from rows of the journal. Everything on a new date before its scenario,
    from 15.6122 on, belongs to that date; what comes of a Night (15.6203) belongs to the Night."""
    found: list[Chapter] = []
    for campaign, row in folded(rows, *RECORDS):
        date = campaign.situation.date
        night = found[-1] if found and determination(row) else None
        if not found or found[-1].date != date:
            if found and not found[-1].played:
                found[-1].table = campaign.clone()
            found.append(Chapter(date, campaign))
        chapter = found[-1]
        if row.kind == "import":
            chapter.played, chapter.table = True, campaign.clone()
        _tell(night or chapter, campaign, row)
        _close(chapter, campaign)
    for chapter in found:
        for side in SIDES:
            own = filter(_fights, chapter.table.counters())
            chapter.forces[side] = strength(own, card.ladders, (side,))
            chapter.losses[side] = strength(chapter.lost.values(), card.ladders, (side,))
    return found


def _fights(counter: Counter) -> bool:
    return counter.in_play and not (isinstance(counter, Unit) and counter.prisoner)


def _tell(chapter: Chapter, campaign: Campaign, row: ShownRow) -> None:
    for table, id, name, old, new in row.changes:
        counter = campaign.find(id) if table in BY_TABLE and name in ("fate", "status") else None
        if counter is None:
            continue
        if name == "fate" and new not in (Fate.ELIMINATED, Fate.CAPTURED):
            chapter.lost.pop(id, None)
        elif name == "fate":
            lost = counter.clone()
            if isinstance(lost, Unit):
                lost.lose("prisoner")  # counted as the unit that it was
            chapter.lost.setdefault(id, lost)
        elif isinstance(counter, Vehicle) and counter.wreck:
            vehicle = counter.clone()
            vehicle.status = tuple(old or ())
            if not vehicle.wreck:  # counted as the vehicle that it was
                chapter.lost[id] = vehicle
    if row.kind == "note":
        chapter.notes += [line.text.removeprefix(BEGINS) for line in row.lines]
    elif row.kind != "skip" and campaign.situation.ended is not None:
        chapter.moments += _moments(campaign, row)


def _moments(campaign: Campaign, row: ShownRow) -> list[str]:
    """The decisive lines of a row: leaders and heroes, victory, a Massacre, and the Banzai Night
    Attack."""
    turned = any(
        table == Situation.TABLE and name in TURNING for table, _, name, _, _ in row.changes
    )
    if turned and row.kind not in COMMANDS:
        return [line.text for line in row.lines if line.text != NOTHING]
    moments = determination(row)
    for _, id, name, _, new in row.changes:
        unit = campaign.units.get(id)
        if unit is None or not unit.smc or name not in CAREER:
            continue
        own = [line.text for line in row.lines if id in line.about]
        if row.kind in ("import", "reinforce"):
            lost = name == "fate" and new in (Fate.ELIMINATED, Fate.CAPTURED)
            own = [f"{unit.side.label} {unit.label}: {new}"] if lost else []
        moments += [text for text in own if text not in moments]
    return moments


def _close(chapter: Chapter, campaign: Campaign) -> None:
    """Updates the totals and Setup Areas; the last ones of the date stay."""
    situation = campaign.situation
    if situation.ended == chapter.date:
        chapter.winner, chapter.moved_first = situation.winner, situation.moved_first
    chapter.san = {side: campaign.sides[side].san for side in SIDES}
    chapter.cvp = {side: campaign.sides[side].cvp for side in SIDES}
    if chapter.played:
        chapter.table.areas.clear()
        chapter.table.areas.update({id: area.clone() for id, area in campaign.areas.items()})
    else:
        chapter.table = campaign


# --- charts as drawings ---------------------------------------------------------------------------

WIDTH, HEIGHT = 340, 150
LEFT, RIGHT, TOP, BOTTOM = 28, 58, 22, 24
SOFT = "#6d6a62"
# The colours of words, by class.
OF_WORDS = {"ink": "#22211e", "soft": SOFT} | {side.value: ink for side, ink in INKS.items()}


def line_chart(title: str, dates: Sequence[str], lines: Mapping[Side, Sequence[int]]) -> list[str]:
    """A line for each side, with a value for each date; its last value is written at its end."""
    top = _ceiling(max((value for values in lines.values() for value in values), default=0))
    step = (WIDTH - LEFT - RIGHT) / max(len(dates) - 1, 1)

    def spot(at: int, value: int) -> tuple[float, float]:
        return LEFT + step * at, HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * value / top

    body = [_words(LEFT, 11, title, 9, weight=600, anchor="start"), *_scale(top)]
    for at, date in enumerate(dates):
        body.append(_words(spot(at, 0)[0], HEIGHT - 9, date, 7, "soft"))
    ends: list[float] = []
    for side, values in lines.items():
        body += _line(side, [spot(at, value) for at, value in enumerate(values)])
        if values:
            x, y = spot(len(values) - 1, values[-1])
            y = _clear_of(ends, y)
            words = f"{side.label} {values[-1]}"
            body.append(_words(x + 5, y + 2.5, words, 7, side.value, anchor="start"))
    return body


def bar_chart(title: str, names: Sequence[str], bars: Mapping[Side, Sequence[int]]) -> list[str]:
    """Bars of both sides in pairs, one for each name, with their numbers."""
    top = _ceiling(max((value for values in bars.values() for value in values), default=0))
    step = (WIDTH - LEFT - RIGHT + 4) / max(len(names), 1)
    width = min(step / (len(bars) + 1), 22)
    body = [_words(LEFT, 11, title, 9, weight=600, anchor="start"), *_scale(top)]
    for at, name in enumerate(names):
        middle = LEFT + step * (at + 0.5)
        body.append(_words(middle, HEIGHT - 9, name, 8, "soft"))
        for number, (side, values) in enumerate(bars.items()):
            x = middle + (number - len(bars) / 2) * width
            high = (HEIGHT - TOP - BOTTOM) * values[at] / top
            y = HEIGHT - BOTTOM - high
            body.append(_bar(side, x + 1, y, width - 2, high))
            body.append(_words(x + width / 2, y - 2, str(values[at]), 6, "soft"))
    return [*body, *_legend(bars)]


def _bar(side: Side, x: float, y: float, width: float, height: float) -> str:
    """A bar that is told apart without colour: white for the Marines, dark for the Japanese."""
    marine = side is Side.MARINE
    name = "paper marine-line" if marine else side.value
    fill = "#fff" if marine else INKS[side]
    return (
        f'<rect class="{name}" x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" '
        f'height="{height:.1f}" fill="{fill}" stroke="{INKS[side]}" stroke-width=".8"/>'
    )


def _legend(sides: Iterable[Side]) -> Iterator[str]:
    for at, side in enumerate(sides):
        x = WIDTH - RIGHT - 90 + at * 60
        yield _bar(side, x, 5, 6, 6)
        yield _words(x + 9, 10.5, side.label, 7, side.value, anchor="start")


def drawing(title: str, *charts: Iterable[str]) -> str:
    """One chart, or several next to each other."""
    width = len(charts) * (WIDTH + 12) - 12
    parts = (
        f'<g transform="translate({at * (WIDTH + 12)})">{"".join(chart)}</g>'
        for at, chart in enumerate(charts)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {HEIGHT}" '
        f'width="{width * 2}" height="{HEIGHT * 2}" role="img" font-family="{FONT}">'
        f"<title>{escape(title)}</title>{''.join(parts)}</svg>"
    )


def _ceiling(most: int) -> int:
    """A round number not below the highest value."""
    steps = (unit * factor for unit in (1, 10, 100, 1000) for factor in (4, 8, 10, 20))
    return next((step for step in steps if step >= most), most)


def _scale(top: int) -> Iterator[str]:
    for part in range(5):
        if top * part % 4:
            continue
        y = HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * part / 4
        opacity = "" if part == 0 else ' stroke-opacity=".25"'
        yield (
            f'<path class="axis" d="M{LEFT} {y:.1f}H{WIDTH - RIGHT + 4}" stroke="{SOFT}" '
            f'stroke-width=".5"{opacity}/>'
        )
        yield _words(LEFT - 5, y + 2.4, str(top * part // 4), 7, "soft", anchor="end")


def _line(side: Side, spots: Sequence[tuple[float, float]]) -> Iterator[str]:
    path = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in spots) if spots else ""
    yield (
        f'<path class="{side.value}-line" d="{path}" fill="none" stroke="{INKS[side]}" '
        'stroke-width="1.6" stroke-linejoin="round"/>'
    )
    for x, y in spots:
        if side is Side.MARINE:
            yield _bar(side, x - 2, y - 2, 4, 4)
        else:
            spot = f'cx="{x:.1f}" cy="{y:.1f}" r="2"'
            yield f'<circle class="{side.value}" {spot} fill="{INKS[side]}"/>'


def _clear_of(ends: list[float], y: float) -> float:
    """A free height for the words at a line's end."""
    for other in ends:
        if abs(y - other) < 8:
            y = other + 8 if y >= other else other - 8
    ends.append(y)
    return y


def _words(
    x: float,
    y: float,
    words: str,
    size: float,
    name: str = "ink",
    *,
    anchor: str = "middle",
    weight: int = 400,
) -> str:
    return (
        f'<text class="{name}" x="{x:.1f}" y="{y:.1f}" font-size="{size}" fill="{OF_WORDS[name]}" '
        f'text-anchor="{anchor}" font-weight="{weight}">{escape(words)}</text>'
    )
