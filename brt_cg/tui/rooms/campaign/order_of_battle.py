"""The order of battle: the numbers of counters that have arrived, are present now, are lost and are
off map; and the arrivals of each date. Here the player proofreads it against the card, line by line
and in total, with values, and changes or drops lines."""

from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import count, islice
from typing import Any

from textual.content import Content

from brt_cg.board import OFF_MAP_PLACED
from brt_cg.card import (
    Card,
    arrival_text,
    arrivals_landing_on,
    landing_schedule,
    read_arrival_counters,
    wave_of,
)
from brt_cg.card.proof import ProofLine, proofreading_lines
from brt_cg.card.unit_names import all_mmc_of_side
from brt_cg.catalogue import TABLES
from brt_cg.commands.difference import DifferenceLine, reinforcement_difference
from brt_cg.commands.reinforce import can_add_counters
from brt_cg.commands.state_document import FORMAT, VERSION
from brt_cg.exports.order_matrix import (
    HEADS,
    ArrivedBatch,
    counters_by_matrix_row,
    counts_by_kind,
    list_arrived_batches,
)
from brt_cg.exports.order_of_battle import arrival_lines, order_lines
from brt_cg.exports.purchases import grant_text
from brt_cg.model import (
    BY_TABLE,
    SIDES,
    Counter,
    Field,
    FieldMark,
    Raw,
    Side,
    Weapon,
    fields_entered_by_players,
    fields_of,
    natural_sort_key,
)
from brt_cg.purchases.breach import squad_equivalents_text
from brt_cg.purchases.pools import due_and_future_grants
from brt_cg.questions import Candidate, Problem, RefusedError
from brt_cg.service import shown_actions
from brt_cg.service.campaign_reader import CampaignReader
from brt_cg.service.printed_figures import PrintedFigures
from brt_cg.text import capitalize, count_text, halves_text
from brt_cg.tui.dialogs.choice import ChoiceScreen, Reply
from brt_cg.tui.forms.edit import link_candidates
from brt_cg.tui.forms.import_file import import_file
from brt_cg.tui.forms.order_lines import OrderLinesForm
from brt_cg.tui.lists.groups import tally_text
from brt_cg.tui.look.columns import Column, columns, right_aligned_columns
from brt_cg.tui.look.signs import SIGNS
from brt_cg.tui.question.form import (
    NONE,
    EntryForm,
    FormField,
    FormPage,
    Typed,
    Validation,
    make_form_field,
)
from brt_cg.tui.rooms.campaign.page import (
    CampaignPage,
    PageRow,
    PageShape,
    RowLink,
    heading_row,
    label_row,
    side_heading,
)
from brt_cg.tui.session.campaign_app import CampaignApp
from brt_cg.tui.session.session import CampaignSnapshot, Session

NOTHING = "Nothing."
ABOUT = {
    "arrived": "As it arrived. Later changes (Deployed HS, Recombined squads) are counted below.",
    "now": "On the island, or in an Area to set up.",
    "lost": "Eliminated, captured, wrecked, or in the enemy's hands.",
    "off map": f"Each is {OFF_MAP_PLACED}.",
}
MATRIX = columns(Column(12), *right_aligned_columns(HEADS, (8, 6, 8, 9, 6, 7, 10)))
DATES = columns(11)
MARKS = {-1: ("●", "dim"), 0: ("◉", "bold $accent"), 1: ("○", "")}  # past, present, future
WHEN = "counters are added before the first scenario, during setup, and at 15.614."
FROM_FILE = "A state file without a scenario: adds its counters and changes nothing else."
BY_LINES = (
    "The whole card in one field, a line for each kind of counter, typed or pasted: 4 x 6-6-8. "
    "You see how the program reads each line; nothing is stored until it can read them all. "
    "Locations may stay open until setup. Counters on a line that begins with a date (20 PM: …) "
    "arrive on that date."
)
ADDING = "A form for one kind of counter, with all its fields, even those that lines do not have."


class OrderOfBattlePage(CampaignPage):
    """The page of the order of battle: a matrix of each side; the line of dates with arrivals; the
    ways to add counters."""

    def __init__(self) -> None:
        super().__init__("order_of_battle", self._page_rows, shape=PageShape.TABLE)
        self._read_of: CampaignSnapshot | None = None
        self._arrived: Sequence[ArrivedBatch] = ()

    async def read_page_data(self, app: CampaignApp, seen: CampaignSnapshot, opened: bool) -> None:
        """Read the arrivals in the journal."""
        if self._read_of is not seen:
            await self.read_arrivals(app.session, seen)
            self.changed()

    async def read_arrivals(self, session: Session, seen: CampaignSnapshot) -> None:
        """Read the arrivals without showing them."""
        self._arrived = await session.look_up(lambda desk: list_arrived_batches(desk.view()))
        self._read_of = seen

    def _page_rows(self, seen: CampaignSnapshot) -> Sequence[PageRow]:
        before = self._read_of
        if before is None or before.viewer_key != seen.viewer_key:
            self._arrived = ()  # the arrivals may be the last seat's secret
        closed = (
            ""
            if can_add_counters(seen.view.situation)
            else f"Not {seen.view.situation.phase.when_text}: {WHEN}"
        )
        matrices = [row for side in SIDES for row in _matrix(seen, side, self._arrived)]
        ways = [row for side in SIDES if seen.may_know(side) for row in _ways(seen, side, closed)]
        file = [heading_row("Both sides"), _from_file(closed)]
        dates = [*_dates(seen, self._arrived)]
        return [*matrices, *(dates + ways if closed else ways + dates), *file]


def _matrix(
    seen: CampaignSnapshot, side: Side, batches: Sequence[ArrivedBatch]
) -> Iterator[PageRow]:
    """Yield the rows of a side's figures; for each the details in words, with the counters."""
    yield side_heading(side, MATRIX)
    own = [batch for batch in batches if batch.side is side]

    async def when(session: Session, seen: CampaignSnapshot, id: str) -> Sequence[RowLink]:
        return [
            RowLink(f"{each.row} · {each.heading} · {tally_text(each.counters)}", each.row)
            for each in own
        ]

    for row, counters in counters_by_matrix_row(seen.view, side, batches).items():
        numbers = (str(number or "–") for number in counts_by_kind(counters))
        about = [tally_text(counters) or NOTHING, ABOUT[row]]
        if row not in ("arrived", "now"):
            about.append(", ".join(each.label for each in counters))
        yield PageRow(
            MATRIX.row((f"  {capitalize(row)}", "dim"), *numbers),
            f"{row.replace(' ', '_')}.{side}",
            f"{side.label}: {row}",
            Content("\n".join(filter(None, about))),
            leads=when if row == "arrived" else None,
        )


def _dates(seen: CampaignSnapshot, batches: Sequence[ArrivedBatch]) -> Iterator[PageRow]:
    """Yield the line of dates, each with the counters that have arrived or will arrive, as the seat
    may know."""
    yield heading_row("Arrivals")
    now = seen.card.date_index(seen.view.situation.date)
    for at, date in enumerate(seen.card.dates):
        found = [_arrived(each) for each in batches if each.date == date]
        for side in SIDES:
            if seen.may_know(side):
                found += landing_rows(seen, side, date)
                found += arrival_rows(seen, side, date)
                found += _grants(seen, side, date)
        mark, style = MARKS[(at > now) - (at < now)]
        nothing = PageRow(Content(), f"date.{date}", date, Content(NOTHING))
        for number, row in enumerate(found or [nothing]):
            head = ("  │", "dim") if number else (f"  {mark} {date}", style)
            yield replace(row, words=DATES.row(head, row.content_for_width(0)))


def _arrived(batch: ArrivedBatch) -> PageRow:
    async def its_row(session: Session, seen: CampaignSnapshot, id: str) -> Sequence[RowLink]:
        return [RowLink(f"{batch.row} · {batch.heading}", batch.row)]

    what = tally_text(batch.counters)
    return PageRow(
        _of(batch.side, what),
        f"batch.{batch.row}.{batch.side}",
        f"{batch.side.label}: arrived on {batch.date}",
        Content(what),
        leads=its_row,
    )


def _grants(seen: CampaignSnapshot, side: Side, date: str) -> Iterator[PageRow]:
    for grant in due_and_future_grants(seen.view, seen.card, side):
        if grant.date == date:
            points = Content("Points; change them on the Allotments page.")
            words = _of(side, grant_text(grant).removesuffix(f" on {date}"))
            yield PageRow(words, f"grant.{grant.id}", "To come", points)


def _of(side: Side, words: str) -> Content:
    return Content.assemble((f"{SIGNS[side]} ", f"${side}"), words)


def _ways(seen: CampaignSnapshot, side: Side, closed: str) -> Iterator[PageRow]:
    """Yield the ways to add counters to a side, and its lines to proofread, while they may be
    changed; `closed` says why nothing can be added now, "" if counters can."""

    async def by_lines(app: CampaignApp) -> None:
        await app.show_form(OrderLinesForm(app.session, side))

    async def add(app: CampaignApp) -> None:
        await app.show_form(ReinforceForm(app.session, side))

    nothing = not any(each.side is side and each.in_play for each in seen.view.pieces())
    yield side_heading(side)
    ways = (
        ("lines", "add counters as text lines", BY_LINES, "type or paste them", by_lines),
        ("add", "add one kind with a form", ADDING, "add them", add),
    )
    for id, words, about, enter, does in ways:
        yield PageRow(
            Content(f"  + {words}"),
            f"{id}.{side}",
            f"{side.label}: {words}",
            Content(closed or about),
            enter="" if closed else enter,
            does=does,
            lacks=id == "lines" and not closed and nothing,
        )
        if id == "lines" and not closed and seen.view.situation.initial:
            yield from proofread_rows(seen, side)


def _from_file(closed: str) -> PageRow:
    return PageRow(
        Content("  + import a file: JSON, CSV, workbook"),
        "file",
        "From a file",
        Content(closed or FROM_FILE),
        enter="" if closed else "choose the file",
        does=import_file,
    )


# --- to be proofread ------------------------------------------------------------------------------


CHANGES = "change or remove it"


def proofread_rows(seen: CampaignSnapshot, side: Side) -> Iterator[PageRow]:
    """Yield a row for each line of a side's counters, and one for all of them."""
    counters: list[Counter] = []
    for number, line in enumerate(order_lines(seen.view, side)):
        counters += line.counters
        worth = proofreading_lines(line.counters, seen.card)[-1]
        ids = [each.id for each in line.counters]
        yield PageRow(
            label_row(f"  {line.text.replace(' x ', ' × ', 1)}", (_worth(worth), "dim"), "", 34),
            f"line.{side}.{number}",
            line.text,
            Content(f"{_worth(worth)}\n" + "\n".join(each.label for each in line.counters)),
            enter=CHANGES,
            does=_changing(side, line.text, ids),
        )
    if counters:
        total = proofreading_lines(counters, seen.card)[-1]
        yield PageRow(
            label_row("Total", (_in_short(total), "bold"), "bold"),
            f"total.{side}",
            f"{side.label}: total, to check against the card",
            counters_by_kind_text(counters, seen.card),
        )


def arrival_rows(seen: CampaignSnapshot, side: Side, date: str) -> Iterator[PageRow]:
    """Yield a row for each of a side's arrivals on a date that has not entered yet, by turn and
    Wave."""
    known = sorted(seen.view.arrivals.values(), key=lambda each: natural_sort_key(each.id))
    others = (each for each in known if wave_of(each) is None)
    for arrival in (*others, *landing_schedule(known, seen.card)):
        if arrival.side is side and not arrival.entered and arrival.date == date:
            worth = proofreading_lines(read_arrival_counters(arrival), seen.card)[-1]
            yield PageRow(
                _of(side, arrival_text(arrival).removeprefix(date).lstrip(",: ")),
                f"arrival.{arrival.id}",
                arrival_text(arrival),
                Content(f"{_total(worth)}\nThey arrive off map at 15.6121 on that date."),
                enter=CHANGES,
                does=_changing(side, "\n".join(arrival_lines(arrival)), [arrival.id]),
            )


def landing_rows(seen: CampaignSnapshot, side: Side, date: str) -> Iterator[PageRow]:
    """Yield a row for each Wave of a side that lands on a date and is off map already (T15.13)."""
    for arrival in landing_schedule(arrivals_landing_on(seen.view, date, side), seen.card):
        words = arrival_text(arrival).removeprefix(f"{date}, ")
        yield PageRow(
            _of(side, capitalize(words)),
            f"landing.{arrival.id}",
            arrival_text(arrival),
            Content(f"Landing Schedule Record (T15.13). {capitalize(words)}"),
        )


def counters_by_kind_text(counters: Sequence[Counter], card: Card) -> Content:
    """Return the counters by kind and type, with the value of each, and the total."""
    *lines, total = proofreading_lines(counters, card)
    rows = [f"{line.count:>3} × {line.what} · {_worth(line)}".rstrip(" ·") for line in lines]
    return Content("\n").join([*map(Content, rows), Content.styled(_total(total), "bold")])


def _worth(line: ProofLine) -> str:
    size = f"{halves_text(line.squad_equivalents)} sq-eq" if line.squad_equivalents else ""
    cvp = f"{line.cvp} CVP" if line.cvp else ""
    return ", ".join(filter(None, (size, cvp)))


def _in_short(total: ProofLine) -> str:
    return f"{count_text(total.count, 'counter')}, {_worth(total)}".rstrip(", ")


def _total(line: ProofLine) -> str:
    size = squad_equivalents_text(line.squad_equivalents)
    return f"{count_text(line.count, 'counter')}, {size}, {line.cvp} CVP"


def _changing(side: Side, text: str, ids: list[str]) -> Callable[[CampaignApp], Awaitable[object]]:
    """Return the action of Enter: ask whether to change the line or to drop it."""

    async def ask(app: CampaignApp) -> None:
        replies = [
            Reply("change", "e", "change the line"),
            Reply("drop", "x", f"remove it: {app.key_text('everywhere.undo')} restores it"),
        ]
        shown = app.session.current_snapshot.basis_of(*ids)
        chosen = await app.push_screen_wait(ChoiceScreen(text.partition("\n")[0], "", replies))
        if chosen is not None and chosen.value == "drop":
            app.perform(
                lambda desk: shown_actions.run_shown_command(desk, shown, "drop", {"ids": ids})
            )
        elif chosen is not None:
            await app.show_form(OrderLinesForm(app.session, side, text, ids))

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
JAPANESE = ("class", "strength")  # not asked for Marine units, which have none
CVP, OF_ITS_TYPE = "cvp", "same as its type"
MOST = 99
ABOUT_TYPES = 'A type as printed: 768 is 7-6-8. Put a new type in quotes: "its name".'


class ReinforceForm(EntryForm[None]):
    """The form that adds counters of one type to a side."""

    def __init__(self, session: Session, side: Side) -> None:
        self.session, self.side, self.shown = session, side, session.current_snapshot.basis_of()
        self.catalogue = PrintedFigures(lambda _: None).catalogue

    @property
    def draft_name(self) -> str:
        return f"reinforce {self.side}"

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
            FormPage(f"{title} · 1 of 2", first, "continue", words),
            FormPage(f"{title} · 2 of 2 · {named}", fields, "add them"),
        )

    def _field(self, sort: str, declared: Field) -> FormField:
        """Return a field with its default; a choice without a default starts with its first
        value."""
        field = make_form_field(
            declared,
            declared.default,
            link_candidates(self.session.current_snapshot.view, declared),
        )
        choices = field.choices
        if choices and FieldMark.FOLLOWS in declared.marks:
            choices = (("", NONE), *choices)
        value = field.value or (choices[0][0] if choices else "")
        field = replace(field, name=f"{sort}.{field.name}", value=value, choices=choices)
        if declared.name == "type":
            return replace(field, offered=self._types(sort), about=ABOUT_TYPES)
        if declared.name == "location" and not self.session.current_snapshot.view.areas:
            return replace(field, hint=f"{field.hint}; or leave it open until setup")
        return replace(field, value="", hint=OF_ITS_TYPE) if declared.name == CVP else field

    def _types(self, sort: str) -> tuple[Candidate, ...]:
        """Return the types to pick from, or to be completed."""
        card = self.session.current_snapshot.card
        if sort in TABLES:
            names = self.catalogue.type_names(sort, self.side)
        else:
            ladder = card.ladders.figures.leaders[self.side].ladder
            names = [
                *dict.fromkeys(each.type for each in all_mmc_of_side(card, self.side)),
                *ladder,
            ]
        return tuple(Candidate(name, name, name) for name in names)

    def _known_type(self, sort: str, text: str) -> str:
        """Return the typed type as the catalog spells it; a type in quotation marks is new. Raises
        RefusedError, with the nearest known type, for any other."""
        quoted = text.strip('"“”')
        if sort not in TABLES or (quoted != text and quoted.strip()):
            return quoted.strip() or text
        found = self.catalogue.find_by_name(text, self.side)
        if found is not None and found.table == sort:
            return found.type
        near = self.catalogue.nearest_name(text, self.side)
        meant = f"did you mean {near}? " if near else "no such type. "
        raise RefusedError(
            Problem(f"{sort}.type", f'{text}: {meant}A new type goes in quotes: "{text}"')
        )

    def _declared(self, sort: str) -> Mapping[str, Field]:
        """Return the fields that players give for counters of this table."""
        fields = fields_entered_by_players(fields_of(BY_TABLE[sort]))
        left_out = FOLLOW if self.side is Side.JAPANESE else (*FOLLOW, *JAPANESE)
        return {name: field for name, field in fields.items() if name not in left_out}

    def _asked(self, typed: Typed) -> dict[str, Any]:
        """Return the arguments of the `reinforce` command. Raises ValueError."""
        sort = typed["sort"]
        declared = self._declared(sort)
        values: dict[str, Raw] = {"side": self.side.value}
        for name, field in declared.items():
            text = typed.get(f"{sort}.{name}", "").strip()
            if text and name == "type":
                values[name] = self._known_type(sort, text)
            elif text:
                values[name] = field.parse(text)
        printed = self.catalogue.find_by_name(str(values.get("type")), self.side)
        if sort == Weapon.TABLE and printed is not None and printed.kind is not None:
            values["kind"] = printed.kind.value  # a Gun stays a Gun, whatever kind was chosen
        if CVP in declared:
            known = self.session.current_snapshot.card.ladders.vehicle_type_cvp(
                str(values.get("type"))
            )
            values.setdefault(CVP, known or 0)
        what = values.get("kind") or values.get("type") or sort
        ids = islice(self._free_ids(str(what)), self._how_many(typed))
        listed = [{"id": id, **values} for id in ids]
        return {"state": {"format": FORMAT, "version": VERSION, sort: listed}}

    def _how_many(self, typed: Typed) -> int:
        text = typed["many"].strip()
        if text not in map(str, range(1, MOST + 1)):
            allowed = f"a whole number from 1 to {MOST}"
            raise RefusedError(Problem("many", f'"{text}" is not accepted; enter {allowed}'))
        return int(text)

    def _free_ids(self, what: str) -> Iterator[str]:
        """Yield ids that are not used yet: "m-squad-1", "m-squad-2"."""
        plain = "".join(letter if letter.isalnum() else "-" for letter in what.lower()).strip("-")
        ids = (f"{self.side[0]}-{plain}-{number}" for number in count(1))
        return (id for id in ids if self.session.current_snapshot.view.find(id) is None)

    async def validate(self, typed: Typed, page: int) -> Validation:
        if page == 0:
            self._how_many(typed)
            return Validation()
        # All have the same problems, so one is tried first, to show each problem once.
        await self._preview({**typed, "many": "1"})
        lines = await self._preview(typed)
        return Validation(Content("\n".join(map(str, lines))))

    async def _preview(self, typed: Typed) -> list[DifferenceLine]:
        """Return the lines about the counters that the command would add. Raises ValueError."""
        asked = self._asked(typed)

        def added(desk: CampaignReader) -> list[DifferenceLine]:
            book = desk.view()
            return reinforcement_difference(book.campaign, asked, book.card, book.side)

        return await self.session.look_up(added)

    async def submit(self, typed: Typed) -> None:
        asked = self._asked(typed) | {"source": SOURCE}
        await self.session.perform(
            lambda desk: shown_actions.run_shown_command(desk, self.shown, "reinforce", asked)
        )
