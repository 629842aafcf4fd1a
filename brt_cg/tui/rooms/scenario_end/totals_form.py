"""The pages after the ticks at the end of a scenario: Perimeters, the few hexes that are needed,
totals, and a check of everything before it is stored."""

from collections import Counter
from collections.abc import Iterator, Sequence

from textual.content import Content

from brt_cg.commands.difference import DifferenceKind, DifferenceLine, import_difference
from brt_cg.exports.wording import total_text
from brt_cg.imports.event_sheet import EventSheet
from brt_cg.imports.open_places import NOTHING_OPEN, Asked, OpenPlaces
from brt_cg.imports.totals import (
    areas_for_lines_left_blank,
    default_totals,
    scenario_end_from_sheet,
)
from brt_cg.model import Campaign, Side
from brt_cg.questions import RefusedError
from brt_cg.refit.s607_perimeters import PERIMETERS
from brt_cg.service import shown_actions
from brt_cg.service.campaign_reader import CampaignReader
from brt_cg.service.tick_sheet import TickSheet
from brt_cg.storage.errors import StaleCampaignError
from brt_cg.tui.forms.open_place_fields import captured_field, captured_texts, encircled_fields
from brt_cg.tui.question.form import (
    NONE,
    EntryForm,
    FormField,
    FormPage,
    Typed,
    Validation,
    group_by_field,
)
from brt_cg.tui.session.session import CampaignSnapshot, Session
from brt_cg.views.view import View

SIDES = (("", NONE), *((side.value, side.label) for side in Side))
TICKS, ON_MAP, HEXES, TOTALS, CHECK = "Ticks", "Perimeters", "Hexes", "Totals", "Check"
OF_PAGE = {
    ON_MAP: (DifferenceKind.PERIMETERS,),
    TOTALS: (DifferenceKind.TOTALS, DifferenceKind.SCENARIO, DifferenceKind.CASUALTIES),
}
COUNTED = (
    DifferenceKind.ADDED,
    DifferenceKind.MISSING,
    DifferenceKind.MOVED,
    DifferenceKind.CHANGED,
)


class ScenarioEndForm(EntryForm[None]):
    """The form that asks for Perimeters, for the hexes of a few counters, for SAN and VP for
    pillboxes, shows the difference, and imports it."""

    def __init__(
        self,
        session: Session,
        sheet: TickSheet,
        open_: OpenPlaces = NOTHING_OPEN,
    ) -> None:
        self.session, self.sheet, self.open = session, sheet, open_
        self.first = self._first()
        self.fields = tuple(self._fields())
        asks = [captured_field(open_.captured)] if open_.captured else []
        self.left = (*asks, *encircled_fields(open_, sheet.totals))

    @property
    def seen(self) -> CampaignSnapshot:
        """The campaign now, as the reporting side sees it."""
        return self.session.current_snapshot.for_missing_scenario_report()

    def _first(self) -> dict[str, str]:
        return default_totals(self.sheet.event_sheet(self.seen))

    @property
    def draft_name(self) -> str:
        return ""  # the sheet keeps it, with the ticks

    def _parts(self) -> list[tuple[str, Sequence[FormField]]]:
        """Return the pages with their fields; the page for hexes only if a hex is needed."""
        perimeters = [field for field in self.fields if field.painted is not None]
        totals = [field for field in self.fields if field.painted is None]
        hexes = [(HEXES, self.left)] if self.left else []
        return [(ON_MAP, perimeters), *hexes, (TOTALS, totals), (CHECK, ())]

    def pages(self, typed: Typed) -> tuple[FormPage, ...]:
        parts = self._parts()
        names = [TICKS, *(name for name, _ in parts)]
        return tuple(
            FormPage(
                _trail(self.sheet.date, names, at),
                tuple(fields),
                f"continue with {names[at + 1]}" if name != CHECK else "enter it",
            )
            for at, (name, fields) in enumerate(parts, start=1)
        )

    def _fields(self) -> list[FormField]:
        """Return the fields with their first values, or those typed earlier."""
        values = {**self.first, **self.sheet.totals}
        sides = [side for side in Side if self.seen.may_know(side)]
        return [
            FormField("moved", "Moved first", values["moved"], SIDES),
            *(
                FormField(
                    f"san_{side}",
                    f"{side.label} SAN",
                    values[f"san_{side}"],
                    explains=f"{side}.san",
                )
                for side in sides
            ),
            FormField("pillboxes", "VP for pillboxes", values["pillboxes"], explains="marine.vp"),
            FormField(
                "perimeters",
                "Perimeters",
                values["perimeters"],
                about="Marine Perimeters: hexes and ranges, / between perimeters: N18-N21 / T26",
                painted=PERIMETERS,
            ),
        ]

    def field_changed(self, name: str, value: str) -> None:
        self.sheet.keep_typed_total(name, value, self.first.get(name, ""))

    def _event_sheet(self, typed: Typed) -> EventSheet:
        """Return the ticks, and as moves the Locations that the lines give."""
        return self.sheet.event_sheet(self.seen).with_moves(self.open.locations_given(typed))

    def campaign_to_paint_over(self) -> Campaign:
        """Return the campaign with each counter where the ticks and the Location lines put it."""
        return self._event_sheet(self.sheet.totals).campaign_after()

    def _asked(self, book: View, typed: Typed, *, settled: bool = True) -> Asked:
        """Return the input of `import`; if `settled`, with the Locations that the lines give.
        Raises RefusedError."""
        if (
            not self.seen.can_report_scenario_end
            or self.seen.view.situation.date != self.sheet.date
        ):
            raise RefusedError(
                f"the scenario of {self.sheet.date} has been ended by another window"
            )
        totals = {**self._first(), **typed}  # untyped totals and the opponent's are unchanged
        asked = scenario_end_from_sheet(book, self._event_sheet(typed), totals).asked
        return self.open.complete_import_input(book.campaign, asked, typed) if settled else asked

    async def validate(self, typed: Typed, page: int) -> Validation:
        parts = self._parts()
        name = parts[page][0]
        told = [Content.styled(text, "$warning")] if (text := _half_text(self.seen)) else []
        if name == HEXES:
            found = await self._judge_hexes(typed)
            return Validation(Content("\n").join([*told, found.verdict]), found.problems)
        # The text on later pages may be wrong, and is corrected there.
        known = [field.name for _, fields in parts[: page + 1] for field in fields]
        so_far = {field: typed[field] for field in known if field in typed}
        settled = HEXES in [earlier for earlier, _ in parts[:page]] or not self.left

        def difference(desk: CampaignReader) -> list[DifferenceLine]:
            book = desk.view().for_scenario_end_report(self.seen.seat)
            asked = self._asked(book, so_far, settled=settled)
            return import_difference(book.campaign, asked, book.card)

        lines = await self.session.look_up(difference)
        if name == CHECK:
            return Validation(Content("\n").join([*told, *await self._check(typed, lines)]))
        told += [Content(str(line)) for line in lines if line.what in OF_PAGE[name]]
        return Validation(Content("\n").join(told) or Content("No changes here."))

    async def _judge_hexes(self, typed: Typed) -> Validation:
        names = [field.name for field in self.left]
        wrong = group_by_field(self.open.line_problems(typed), names)
        told = [*captured_texts(self.open.captured), *await self._open_question_texts(typed)]
        return Validation(Content("\n").join(told), wrong)

    async def _check(self, typed: Typed, lines: Sequence[DifferenceLine]) -> list[Content]:
        """Return everything that would be stored: the CVP and the counts, what may be wrong, each
        loss, and each change."""
        odd = [f"warning: {words}" for words in self.sheet.event_sheet(self.seen).oddities()]
        odd += (str(line) for line in lines if line.what is DifferenceKind.WARNING)
        look_at = [Content.styled(words, "$warning") for words in odd]
        look_at += await self._open_question_texts(typed)
        heads, losses = self._cvp(lines)
        changes = [
            Content(str(line))
            for line in lines
            if line.what not in (DifferenceKind.WARNING, DifferenceKind.CASUALTIES)
        ]
        return [
            *heads,
            Content(_counts_text(lines)),
            *_under("Please check", look_at),
            *_under("Losses", losses),
            *_under("Changes", changes),
        ]

    def _cvp(self, lines: Sequence[DifferenceLine]) -> tuple[list[Content], list[Content]]:
        """Return the CVP of each side before and after, and the losses that score."""
        heads, losses = [], []
        scored = {line.about: str(line) for line in lines if line.what is DifferenceKind.CASUALTIES}
        for side in Side:
            head, _, rest = scored.get(side, "").partition(": ")
            heads.append(
                Content.styled(head, "bold")
                if head
                else Content(f"{side.label} CVP {total_text(self.seen.view, side, 'cvp')}")
            )
            losses += [Content(f"{side.label} +: {each}") for each in _each_loss(rest)]
        return heads, losses

    async def _open_question_texts(self, typed: Typed) -> list[Content]:
        """Return the counters without a hex, and those that were Encircled."""
        blank = await self.session.look_up(
            lambda desk: areas_for_lines_left_blank(desk.view(), self.open, typed)
        )
        return [*self._open_texts(blank)]

    def _open_texts(self, blank: str) -> Iterator[Content]:
        """Yield the number of counters without a hex, with those that need one, and their Areas;
        the units that were Encircled, and those assumed to be with their possessions."""
        told, still = self.sheet.event_sheet(self.seen), self.open.open
        waiting = [each for of in self.open.open_lists for _, each in of.numbered]
        for style, line in zip(
            ("bold", "bold $warning"), told.hex_reminders(waiting), strict=False
        ):
            many, colon, who = line.partition(": ")
            yield Content.assemble((f"{many}{colon}", style), who)
        yield from [Content(blank)] if blank else ()
        if still.encircled:
            yield Content(
                f"Encircled since setup: {', '.join(map(told.counter_text, still.encircled))}"
            )
        if still.beside:
            yield Content.styled(f"✓ {still.assumed_with_equipment_text}", "$success")

    async def submit(self, typed: Typed) -> None:
        known, shown = self.seen.mark, self.seen.basis_of()

        def enter(desk: CampaignReader) -> None:
            book = desk.view()
            asked = self._asked(book, typed)
            if book.mark != known:  # it would undo entries of another window
                raise StaleCampaignError
            shown_actions.run_shown_command(desk, shown, "import", asked)

        await self.session.perform(enter)


def _trail(date: str, names: Sequence[str], at: int) -> str:
    """Return the names of the pages, with a mark after those that are done."""
    done = (f"{name} ✓" if place < at else name for place, name in enumerate(names))
    return f"End of {date}: {' › '.join(done)}"


def _counts_text(lines: Sequence[DifferenceLine]) -> str:
    """Return the numbers of counters by their fate: "1 eliminated, 14 moved"."""
    found: Counter[str] = Counter()
    for line in lines:
        if line.what in COUNTED:
            fates = [each.new_value_text for each in line.changes if each.field.name == "fate"]
            moved = any(each.field.name == "location" for each in line.changes)
            what = DifferenceKind.MOVED if moved else line.what
            found[next(iter(fates), str(what))] += 1
    return ", ".join(f"{many} {what}" for what, many in found.items()) or "No counter changes."


def _each_loss(text: str) -> list[str]:
    """Return the losses of a line about CVP, each of which ends with its points in parentheses."""
    return [f"{each})" for each in text.removesuffix(")").split("), ") if each]


def _under(heading: str, lines: Sequence[Content]) -> list[Content]:
    """Return lines under a heading, if there are any."""
    return [Content.styled(heading, "bold"), *lines] if lines else []


def _half_text(seen: CampaignSnapshot) -> str:
    """Return a note for a player who enters only one side's report; "" for the umpire."""
    side = seen.seat
    if side is None:
        return ""
    if seen.half is side:
        return (
            f"The {side.enemy.label} report has been entered; you are entering the {side.label} "
            "report."
        )
    return (
        f"You are entering the {side.label} report only. The {side.enemy.label} report must come "
        "from its own seat, the umpire's or a file before the Refit Phase begins."
    )
