"""The order of battle: what has arrived, what waits off map, what will arrive and when. Line by
line it is proofread against the card, with its worth, and in all; it is changed or dropped here."""

from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import count, islice
from typing import Any

from textual.content import Content

from brt_cg.board.locations import OFF_MAP_PLACED
from brt_cg.card import Card
from brt_cg.card.arriving import counters_of, words_of
from brt_cg.card.called import mmc_of
from brt_cg.card.proof import ProofLine, proof
from brt_cg.catalogue import TABLES
from brt_cg.commands.difference import DifferenceLine, reinforcement
from brt_cg.commands.reinforce import may_add
from brt_cg.commands.state_document import FORMAT, VERSION
from brt_cg.exports.order_of_battle import lines_of_arrival, order_lines
from brt_cg.exports.purchases import grant_text
from brt_cg.journal.changes import RECORDS
from brt_cg.model.counters import BY_TABLE, Counter, Side, Weapon
from brt_cg.model.encoding import record_of
from brt_cg.model.fields import Field, fields_of, given
from brt_cg.model.numbered import natural
from brt_cg.model.shapes import Mark, Raw
from brt_cg.purchases.breach import halves, squad_equivalents
from brt_cg.purchases.pools import to_come
from brt_cg.questions.answers import Candidate, Problem, Refused
from brt_cg.service.desk import Desk
from brt_cg.service.figures import PrintedFigures
from brt_cg.text import counted
from brt_cg.tui.dialogs.choice import ChoiceScreen, Reply
from brt_cg.tui.forms.edit import linked
from brt_cg.tui.forms.import_file import import_file
from brt_cg.tui.forms.order_lines import OrderLinesForm
from brt_cg.tui.lists.groups import tally_text
from brt_cg.tui.question.form import NONE, EntryForm, FormField, FormPage, Judged, Typed, field_for
from brt_cg.tui.rooms.campaign.page import PageRow, RowLink, heading, heading_of, labelled
from brt_cg.tui.session.campaign_app import CampaignApp
from brt_cg.tui.session.session import Seen, Session
from brt_cg.views.journal_rows import ShownRow

ARRIVALS = ("import", "reinforce")
NOTHING = "Nothing yet."
WHEN = "counters are added before the first scenario, during setup, and at 15.614."
FROM_FILE = "A state file without a scenario: adds its counters, and changes nothing else."
BY_LINES = (
    "The whole card in one field, a line for each kind of counter, typed or pasted: 4 x 6-6-8. "
    "Each line is shown as understood; nothing is stored until all are. Their Location may stay "
    "open until setup. A line that begins with a date (20 PM: …) arrives then."
)
ADDING = "A form for one kind of counter, with all of its fields: what the lines cannot say."


def rows(seen: Seen) -> Sequence[PageRow]:
    closed = "" if may_add(seen.view.situation) else f"Not {seen.view.situation.phase.when}: {WHEN}"
    found = [row for side in Side for row in _rows(seen, side, closed)]
    return [
        *found,
        heading("Both sides"),
        PageRow(
            Content("  + import a file: JSON, CSV, workbook"),
            "file",
            "From a file",
            Content(closed or FROM_FILE),
            enter="" if closed else "choose the file",
            does=import_file,
        ),
    ]


def _rows(seen: Seen, side: Side, closed: str) -> Iterator[PageRow]:
    """Yields the rows of a side; `closed` says why nothing can be added now, "" if it can."""

    async def arrived(session: Session, seen: Seen, id: str) -> Sequence[RowLink]:
        """The rows of the journal in which counters of the side arrived."""
        rows = await session.consult(lambda desk: desk.book().rows)
        return [RowLink(words, row.number) for row in rows if (words := _arrived(seen, row, side))]

    async def by_lines(app: CampaignApp) -> None:
        await app.fill_in(OrderLinesForm(app.session, side))

    async def add(app: CampaignApp) -> None:
        await app.fill_in(ReinforceForm(app.session, side))

    known = seen.may_know(side)
    mine = [piece for piece in seen.view.pieces() if piece.side is side and piece.in_play]
    changes = known and not closed and seen.view.situation.initial
    on_map = [piece for piece in mine if not piece.off_map]
    waiting = [piece for piece in mine if piece.off_map]
    yield heading_of(side)
    yield PageRow(
        labelled("In play", tally_text(on_map) or "–"),
        f"there.{side}",
        f"{side.label}: in play",
        Content(tally_text(on_map) or NOTHING),
        enter="add counters by lines" if known and not closed else "",
        does=by_lines,
        lacks=known and not closed and not mine,
        leads=arrived,
    )
    if changes:
        yield from proofread(seen, side)
    if waiting:
        off = tally_text(waiting)
        placed = f"Each is {OFF_MAP_PLACED}."
        text = Content("\n".join([off or NOTHING, *(each.label for each in waiting), placed]))
        row = labelled("Off map", off or "–")
        yield PageRow(row, f"off.{side}", f"{side.label}: off map", text)
    if known:
        yield from arrivals(seen, side)
        for grant in to_come(seen.view, seen.card, side):
            points = Content("Points (the page Allotments changes them).")
            row = labelled("To come", grant_text(grant))
            yield PageRow(row, f"grant.{grant.id}", "To come", points)
        ways = (
            ("lines", "add counters by lines", BY_LINES, "type or paste them", by_lines),
            ("add", "add one kind by a form", ADDING, "add them", add),
        )
        for id, words, about, enter, does in ways:
            yield PageRow(
                Content(f"  + {words}"),
                f"{id}.{side}",
                f"{side.label}: {words}",
                Content(closed or about),
                enter="" if closed else enter,
                does=does,
                leads=arrived,
            )


def _arrived(seen: Seen, row: ShownRow, side: Side) -> str:
    """The arrivals of a side in a journal row: "12 · Reinforcements · 4 squads"; "" if none."""
    if row.kind not in ARRIVALS or not row.stands:
        return ""
    made = [
        record_of(RECORDS[table], now)  # as it arrived, whatever has become of it
        for table, id, field, _, now in row.changes
        if not field and now is not None and seen.view.find(id) is not None
    ]
    mine = tally_text(each for each in made if isinstance(each, Counter) and each.side is side)
    return f"{row.number} · {row.heading} · {mine}" if mine else ""


# --- to be proofread ------------------------------------------------------------------------------


CHANGES = "change or drop it"


def proofread(seen: Seen, side: Side) -> Iterator[PageRow]:
    """Yields a row for each line of a side's counters, and one for all of them."""
    counters: list[Counter] = []
    for number, line in enumerate(order_lines(seen.view, side)):
        counters += line.counters
        worth = proof(line.counters, seen.card)[-1]
        ids = [each.id for each in line.counters]
        yield PageRow(
            labelled(f"  {line.text.replace(' x ', ' × ', 1)}", (_worth(worth), "dim"), "", 34),
            f"line.{side}.{number}",
            line.text,
            Content(f"{_worth(worth)}\n" + "\n".join(each.label for each in line.counters)),
            enter=CHANGES,
            does=_changing(side, line.text, ids),
        )
    if counters:
        total = proof(counters, seen.card)[-1]
        yield PageRow(
            labelled("Total", (_in_short(total), "bold"), "bold"),
            f"total.{side}",
            f"{side.label}: total, to check against the card",
            by_kind(counters, seen.card),
        )


def arrivals(seen: Seen, side: Side) -> Iterator[PageRow]:
    """Yields a row for each arrival of a side that has not entered."""
    waiting = seen.view.arrivals
    for key in sorted(waiting, key=natural):
        arrival = waiting[key]
        if arrival.side is side and not arrival.entered:
            worth = proof(counters_of(arrival), seen.card)[-1]
            yield PageRow(
                labelled("To come", words_of(arrival)),
                f"arrival.{arrival.id}",
                words_of(arrival),
                Content(f"{_total(worth)}\nThey enter off map at 15.6121 of that date."),
                enter=CHANGES,
                does=_changing(side, "\n".join(lines_of_arrival(arrival)), [arrival.id]),
            )


def by_kind(counters: Sequence[Counter], card: Card) -> Content:
    """The counters by kind and type, with what each is worth, and all together."""
    *lines, total = proof(counters, card)
    rows = [f"{line.count:>3} × {line.what} · {_worth(line)}".rstrip(" ·") for line in lines]
    return Content("\n").join([*map(Content, rows), Content.styled(_total(total), "bold")])


def _worth(line: ProofLine) -> str:
    size = f"{halves(line.squad_equivalents)} sq-eq" if line.squad_equivalents else ""
    cvp = f"{line.cvp} CVP" if line.cvp else ""
    return ", ".join(filter(None, (size, cvp)))


def _in_short(total: ProofLine) -> str:
    return f"{counted(total.count, 'counter')}, {_worth(total)}".rstrip(", ")


def _total(line: ProofLine) -> str:
    size = squad_equivalents(line.squad_equivalents)
    return f"{counted(line.count, 'counter')}, {size}, {line.cvp} CVP"


def _changing(side: Side, text: str, ids: list[str]) -> Callable[[CampaignApp], Awaitable[object]]:
    """What Enter does: asks whether to change the line or to drop it."""

    async def ask(app: CampaignApp) -> None:
        replies = [
            Reply("change", "e", "change the line"),
            Reply("drop", "x", f"drop it: {app.key('everywhere.undo')} restores it"),
        ]
        chosen = await app.push_screen_wait(ChoiceScreen(text.partition("\n")[0], "", replies))
        if chosen is not None and chosen.value == "drop":
            app.perform(lambda desk: desk.command("drop", {"ids": ids}))
        elif chosen is not None:
            await app.fill_in(OrderLinesForm(app.session, side, text, ids))

    return ask


# --- one kind of counter by a form ----------------------------------------------------------------


SORTS = (
    ("units", "units"),
    ("weapons", "SW and Guns"),
    ("vehicles", "vehicles"),
    ("fortifications", "Fortifications"),
)
SOURCE = "the order of battle, by hand"
FOLLOW = ("side", "fate")  # not asked for
JAPANESE = ("class", "strength")  # not asked for Marines, whose units have none
CVP, OF_ITS_TYPE = "cvp", "that of its type"
MOST = 99
ABOUT_TYPES = 'A type as it is printed: 768 is 7-6-8. One that is not known yet: "its name".'


class ReinforceForm(EntryForm[None]):
    """Adds counters of one type to a side."""

    def __init__(self, session: Session, side: Side) -> None:
        self.session, self.side = session, side
        self.catalogue = PrintedFigures(lambda _: None).catalogue

    def pages(self, typed: Typed) -> tuple[FormPage, ...]:
        sort = typed.get("sort", SORTS[0][0])
        first = (
            FormField("sort", "What", SORTS[0][0], SORTS),
            FormField("many", "How many", "1"),
        )
        title = f"{self.side.label} order of battle"
        words = "These counters will be identical; add those of other types afterwards."
        fields = tuple(self._field(sort, field) for field in self._declared(sort).values())
        named = dict(SORTS)[sort]
        return (
            FormPage(f"{title} · 1 of 2", first, "go on", words),
            FormPage(f"{title} · 2 of 2 · {named}", fields, "add them"),
        )

    def _field(self, sort: str, declared: Field) -> FormField:
        """A field with its default; a choice without a default starts with its first value."""
        field = field_for(declared, declared.default, linked(self.session.now.view, declared))
        choices = field.choices
        if choices and Mark.FOLLOWS in declared.marks:
            choices = (("", NONE), *choices)
        value = field.value or (choices[0][0] if choices else "")
        field = replace(field, name=f"{sort}.{field.name}", value=value, choices=choices)
        if declared.name == "type":
            return replace(field, offered=self._types(sort), about=ABOUT_TYPES)
        if declared.name == "location" and not self.session.now.view.areas:
            return replace(field, hint=f"{field.hint}; or leave it open until setup")
        return replace(field, value="", hint=OF_ITS_TYPE) if declared.name == CVP else field

    def _types(self, sort: str) -> tuple[Candidate, ...]:
        """The types to pick from, or to be completed."""
        card = self.session.now.card
        if sort in TABLES:
            names = self.catalogue.names(sort, self.side)
        else:
            ladder = card.ladders.figures.leaders[self.side].ladder
            names = [*dict.fromkeys(each.type for each in mmc_of(card, self.side)), *ladder]
        return tuple(Candidate(name, name, name) for name in names)

    def _known_type(self, sort: str, text: str) -> str:
        """The type that was typed, as the catalogue spells it; one in quotation marks is new.
        Raises Refused for any other, with the nearest."""
        quoted = text.strip('"“”')
        if sort not in TABLES or (quoted != text and quoted.strip()):
            return quoted.strip() or text
        found = self.catalogue.called(text, self.side)
        if found is not None and found.table == sort:
            return found.type
        near = self.catalogue.nearest(text, self.side)
        meant = f"did you mean {near}? " if near else "no such type. "
        raise Refused(
            Problem(f"{sort}.type", f'{text}: {meant}A new type goes in quotes: "{text}"')
        )

    def _declared(self, sort: str) -> Mapping[str, Field]:
        """The fields that players give for counters of this table."""
        fields = given(fields_of(BY_TABLE[sort]))
        left_out = FOLLOW if self.side is Side.JAPANESE else (*FOLLOW, *JAPANESE)
        return {name: field for name, field in fields.items() if name not in left_out}

    def _asked(self, typed: Typed) -> dict[str, Any]:
        """The arguments of the command `reinforce`. Raises ValueError."""
        sort = typed["sort"]
        declared = self._declared(sort)
        values: dict[str, Raw] = {"side": self.side.value}
        for name, field in declared.items():
            text = typed.get(f"{sort}.{name}", "").strip()
            if text and name == "type":
                values[name] = self._known_type(sort, text)
            elif text:
                values[name] = field.parse(text)
        printed = self.catalogue.called(str(values.get("type")), self.side)
        if sort == Weapon.TABLE and printed is not None and printed.kind is not None:
            values["kind"] = printed.kind.value  # a Gun is one, whatever was chosen
        if CVP in declared:
            known = self.session.now.card.ladders.vehicle_cvp(str(values.get("type")))
            values.setdefault(CVP, known or 0)
        what = values.get("kind") or values.get("type") or sort
        ids = islice(self._free_ids(str(what)), self._how_many(typed))
        listed = [{"id": id, **values} for id in ids]
        return {"state": {"format": FORMAT, "version": VERSION, sort: listed}}

    def _how_many(self, typed: Typed) -> int:
        text = typed["many"].strip()
        if text not in map(str, range(1, MOST + 1)):
            allowed = f"a whole number from 1 to {MOST}"
            raise Refused(Problem("many", f'found "{text}"; allowed: {allowed}'))
        return int(text)

    def _free_ids(self, what: str) -> Iterator[str]:
        """Yields ids that are not used yet: "m-squad-1", "m-squad-2"."""
        plain = "".join(letter if letter.isalnum() else "-" for letter in what.lower()).strip("-")
        ids = (f"{self.side[0]}-{plain}-{number}" for number in count(1))
        return (id for id in ids if self.session.now.view.find(id) is None)

    async def judge(self, typed: Typed, page: int) -> Judged:
        if page == 0:
            self._how_many(typed)
            return Judged()
        # All have the same problems, so one is tried first, to show each problem once.
        await self._preview({**typed, "many": "1"})
        lines = await self._preview(typed)
        return Judged(Content("\n".join(map(str, lines))))

    async def _preview(self, typed: Typed) -> list[DifferenceLine]:
        """The lines of what the command would add. Raises ValueError."""
        asked = self._asked(typed)

        def added(desk: Desk) -> list[DifferenceLine]:
            book = desk.book()
            return reinforcement(book.campaign, asked, book.card, book.side)

        return await self.session.consult(added)

    async def carry_out(self, typed: Typed) -> None:
        asked = self._asked(typed) | {"source": SOURCE}
        await self.session.perform(lambda desk: desk.command("reinforce", asked))
