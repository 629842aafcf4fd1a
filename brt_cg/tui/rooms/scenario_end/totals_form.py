"""The form for the totals at the end of a scenario, with a preview of all changes."""

from collections.abc import Mapping, Sequence
from typing import Any

from textual.content import Content

from brt_cg.board.perimeters import from_text, read_perimeters
from brt_cg.commands.difference import DifferenceLine, difference
from brt_cg.imports.door import staying
from brt_cg.imports.open_places import NOTHING_OPEN, OpenPlaces, blank_text, open_places
from brt_cg.model.campaign import Campaign
from brt_cg.model.counters import Side
from brt_cg.model.events import MOVED
from brt_cg.questions.answers import Refused
from brt_cg.refit.s607_perimeters import PERIMETERS
from brt_cg.service.desk import Desk
from brt_cg.storage.errors import MovedOn
from brt_cg.tui.forms.places_left import (
    CAPTURED,
    THEIRS,
    captured_field,
    fields_left,
    told_captured,
    told_left,
)
from brt_cg.tui.question.form import NONE, EntryForm, FormField, FormPage, Judged, Typed, by_field
from brt_cg.tui.rooms.scenario_end import ticks
from brt_cg.tui.rooms.scenario_end.tick_sheet import TickSheet
from brt_cg.tui.rooms.scenario_end.ticks import SOURCE, Ticks, first_totals
from brt_cg.tui.session.session import Seen, Session

SIDES = (("", NONE), *((side.value, side.label) for side in Side))


class TotalsForm(EntryForm[None]):
    """Asks for the winner, CVP, SAN and perimeters, shows the difference, and imports it."""

    def __init__(
        self,
        session: Session,
        sheet: TickSheet,
        before: Mapping[Side, int],
        open_: OpenPlaces = NOTHING_OPEN,
        captured: Sequence[str] = (),
    ) -> None:
        self.session, self.sheet, self.before, self.open = session, sheet, before, open_
        self.captured = captured
        self.first = self._first()
        self.fields = tuple(self._fields())
        asks = [captured_field(captured)] if captured else []
        self.left = (*asks, *fields_left(open_, sheet.totals))

    @property
    def seen(self) -> Seen:
        """The campaign now, as the half to be entered shows it."""
        return self.session.now.for_half()

    def _first(self) -> dict[str, str]:
        return first_totals(self.seen.view, self.sheet.ticks, self.seen.card, self.before)

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
        figures = [(name, side) for name in ("cvp", "san") for side in sides]
        return [
            FormField("winner", "Who won?", values["winner"], SIDES),
            FormField("moved", "Moved first", values["moved"], SIDES),
            *(self._total(side, name, values[f"{name}_{side}"]) for name, side in figures),
            FormField("pillboxes", "VP for pillboxes", values["pillboxes"], explains="marine.vp"),
            FormField(
                "perimeters",
                "Perimeters",
                values["perimeters"],
                about="Marine Perimeters: hexes and ranges, / between perimeters: N18-N21 / T26",
                painted=PERIMETERS,
            ),
        ]

    def _total(self, side: Side, name: str, value: str) -> FormField:
        """The field for a side's CVP or SAN."""
        id, label = f"{name}_{side}", f"{side.label} {name.upper()}"
        about = self._cvp_note(side) if name == "cvp" and self.seen.seat is not None else ""
        return FormField(id, label, value, about=about, explains=f"{side}.{name}")

    def _cvp_note(self, side: Side) -> str:
        """A note for a side about which CVP its figure includes."""
        theirs = f"what the {side.enemy.label} side lost"
        if side not in self.before:
            return f"Does not include {theirs}, which its half will say: add that."
        known = f"{self.before[side]} for {theirs}, of units known to the {side.label} side"
        return f"Includes {known}; add the rest."

    def note(self, name: str, value: str) -> None:
        self.sheet.type(name, value, self.first.get(name, ""))

    def _asked(self, typed: Typed) -> dict[str, Any]:
        """The arguments of the command `import`. Raises ValueError."""
        view, card, seat = self.seen.view, self.seen.card, self.seen.seat
        if not self.seen.ends_scenario or view.situation.date != self.sheet.date:
            raise Refused(f"the scenario of {self.sheet.date} has been ended by another window")
        totals = {**self._first(), **typed}  # those not typed, of the other side, are unchanged
        return {
            "state": ticks.scenario_state(view, self._ticks(typed), totals, card),
            "source": SOURCE,
            "missing": None,
            "side": seat.value if seat else None,
            **({CAPTURED: [*self.captured]} if typed.get(CAPTURED) == THEIRS else {}),
        }

    def positions(self) -> Campaign:
        """The counters where they are after the ticks, and after the lines of Locations."""
        return ticks.after(self.seen.view, self._ticks(self.sheet.totals), self.seen.card)

    def _ticks(self, typed: Typed) -> Ticks:
        """The ticks, and as moves those Locations that the lines give."""
        with_moves = {id: dict(wanted) for id, wanted in self.sheet.ticks.items()}
        for id, place in self.open.places(typed).items():
            ticks.set_tick(with_moves, id, MOVED, place)
        return with_moves

    async def judge(self, typed: Typed, page: int) -> Judged:
        told = [Content.styled(text, "$warning")] if (text := _half_text(self.seen)) else []
        odd = ticks.odd_ticks(self.seen.view, self.sheet.ticks, self.seen.card)
        told += (Content.styled(f"warning: {words}", "$warning") for words in odd)
        told += told_captured(self.captured) if page and self.captured else []
        told += told_left(self.open, typed, (), await self._blank_text(typed)) if page else []
        wrong = by_field(self.open.problems(typed), [field.name for field in self.left])
        if wrong and page:
            return Judged(Content("\n").join(told), wrong)
        asked = self._asked(typed)

        def lines(desk: Desk) -> list[DifferenceLine]:
            book = desk.book().for_half(self.seen.seat)
            settled = self.open.settled(book.campaign, asked, typed) if not wrong else asked
            return difference(book.campaign, settled, book.card)

        changes = [*map(str, await self.session.consult(lines))] or ["Nothing would change."]
        told.append(Content.from_markup("[bold]What would change[/]"))
        return Judged(Content("\n").join([*told, *map(Content, changes)]))

    async def _blank_text(self, typed: Typed) -> str:
        """Where the counters wait whose line is left blank."""
        left = [each for each, _ in self.open.left(typed)]
        if not left:
            return ""
        stated, highest = (
            from_text(typed["perimeters"]),
            self.seen.card.highest_hex(self.seen.view.ruled),
        )
        perimeters, _ = read_perimeters([*stated], highest, free=True)
        return await self.session.consult(
            lambda desk: blank_text(desk.book().campaign, self.seen.card, perimeters, left)
        )

    async def carry_out(self, typed: Typed) -> None:
        asked, known = self._asked(typed), self.seen.mark

        def enter(desk: Desk) -> None:
            book = desk.book()
            if book.mark != known:  # it would take back what another window has entered
                raise MovedOn
            desk.command("import", self.open.settled(book.campaign, asked, typed))

        await self.session.perform(enter)


def open_after(desk: Desk, seen: Seen, sheet: TickSheet) -> tuple[OpenPlaces, list[str]]:
    """What the ticks leave open, and the ids of those that only the other half has as captured;
    nothing while the ticks are not possible, as the form says then."""
    totals = first_totals(seen.view, sheet.ticks, seen.card)
    try:
        state = ticks.scenario_state(seen.view, sheet.ticks, totals, seen.card)
        side = seen.seat.value if seen.seat else None
        asked = {"state": state, "source": SOURCE, "missing": None, "side": side}
        book = desk.book()
        captured = staying(book.for_half(seen.seat), side, asked).get(CAPTURED, [])
        return open_places(book, asked), captured
    except Refused:
        return NOTHING_OPEN, []


def _half_text(seen: Seen) -> str:
    """A note for a player who enters only his side's half; "" for the umpire."""
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
