"""The form for the totals at the end of a scenario, with a preview of all changes."""

from collections.abc import Iterator

from textual.content import Content

from brt_cg.commands.difference import import_difference
from brt_cg.imports.event_sheet import EventSheet
from brt_cg.imports.open_places import NOTHING_OPEN, Asked, OpenPlaces
from brt_cg.imports.totals import blank_lines_text, default_totals, scenario_end_from_sheet
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


class TotalsForm(EntryForm[None]):
    """The form that asks for SAN, VP for pillboxes and Perimeters, shows the difference, and
    imports it."""

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
        return self.session.current_snapshot.for_report()

    def _first(self) -> dict[str, str]:
        return default_totals(self.sheet.event_sheet(self.seen))

    @property
    def draft_name(self) -> str:
        return ""  # the sheet keeps it, with the ticks

    def pages(self, typed: Typed) -> tuple[FormPage, ...]:
        title = f"The end of {self.sheet.date}"
        return (
            FormPage(title, self.fields, "see what would change"),
            FormPage(f"{title}: what would change", self.left, "enter it"),
        )

    def _fields(self) -> list[FormField]:
        """The fields with their first values, or those typed earlier."""
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
        """The ticks, and as moves the Locations that the lines give."""
        return self.sheet.event_sheet(self.seen).with_moves(self.open.locations_given(typed))

    def campaign_to_paint_over(self) -> Campaign:
        """The counters where they are after the ticks, and after the lines of Locations."""
        return self._event_sheet(self.sheet.totals).campaign_after()

    def _asked(self, book: View, typed: Typed, *, settled: bool = True) -> Asked:
        """The input of `import`, `settled` by the lines too. Raises RefusedError."""
        if not self.seen.can_end_scenario or self.seen.view.situation.date != self.sheet.date:
            raise RefusedError(
                f"the scenario of {self.sheet.date} has been ended by another window"
            )
        totals = {**self._first(), **typed}  # those not typed, and the opponent's, are unchanged
        asked = scenario_end_from_sheet(book, self._event_sheet(typed), totals).asked
        return self.open.complete_import_input(book.campaign, asked, typed) if settled else asked

    async def validate(self, typed: Typed, page: int) -> Validation:
        told = [Content.styled(text, "$warning")] if (text := _half_text(self.seen)) else []
        odd = self.sheet.event_sheet(self.seen).oddities()
        told += (Content.styled(f"warning: {words}", "$warning") for words in odd)
        wrong = group_by_field(self.open.line_problems(typed), [field.name for field in self.left])
        if page:
            blank = await self.session.look_up(
                lambda desk: blank_lines_text(desk.view(), self.open, typed)
            )
            told += captured_texts(self.open.captured)
            told += self._told_open(blank)
        if wrong and page:
            return Validation(Content("\n").join(told), wrong)

        def lines(desk: CampaignReader) -> list[str]:
            book = desk.view().for_report(self.seen.seat)
            asked = self._asked(book, typed, settled=not wrong)
            return [*map(str, import_difference(book.campaign, asked, book.card))]

        changes = await self.session.look_up(lines) or ["Nothing would change."]
        told.append(Content.from_markup("[bold]What would change[/]"))
        return Validation(Content("\n").join([*told, *map(Content, changes)]))

    def _told_open(self, blank: str) -> Iterator[Content]:
        """The number of counters without a hex, with those that need one, and their Areas; the
        units that were Encircled, and those assumed to be with their possessions."""
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
            yield Content.styled(f"✓ {still.beside_text}", "$success")

    async def submit(self, typed: Typed) -> None:
        known, shown = self.seen.mark, self.seen.basis_of()

        def enter(desk: CampaignReader) -> None:
            book = desk.view()
            asked = self._asked(book, typed)
            if book.mark != known:  # it would undo entries of another window
                raise StaleCampaignError
            shown_actions.run_shown_command(desk, shown, "import", asked)

        await self.session.perform(enter)


def _half_text(seen: CampaignSnapshot) -> str:
    """A note for a player who enters only one side's report; "" for the umpire."""
    side = seen.seat
    if side is None:
        return ""
    if seen.half is side:
        return (
            f"The {side.enemy.label} half has been entered; you are entering the {side.label} half."
        )
    return (
        f"You are entering the {side.label} half only. The {side.enemy.label} half must come from "
        "its own seat, the umpire's or a file before the Refit Phase begins."
    )
