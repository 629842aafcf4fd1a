"""The form for points of the CG card, given at first or at a later date."""

from typing import Any

from textual.content import Content

from brt_cg.board.locations import beach_name
from brt_cg.commands import Command
from brt_cg.commands.allotting import allot, dates_to_come
from brt_cg.model.counters import Side
from brt_cg.model.records import Allotment
from brt_cg.purchases.pools import capp_text
from brt_cg.purchases.totals import POINTS, Fund
from brt_cg.tui.question.form import EntryForm, FormField, FormPage, Judged, Typed, number_typed
from brt_cg.tui.session.session import Seen, Session


class AllotmentForm(EntryForm[None]):
    """Sets what is allotted to a beach or to the Marines, or what is granted at a later date;
    `given` is that so far, None for a new grant."""

    def __init__(self, session: Session, seen: Seen, side: Side, given: Allotment | None) -> None:
        self.session, self.seen, self.side, self.given = session, seen, side, given
        self.later = given is None or given.date is not None

    def pages(self, typed: Typed) -> tuple[FormPage, ...]:
        fields = [] if self.given or self.side is Side.MARINE else [self._beach()]
        if self.later:
            fields.append(self._date())
        fields += map(self._points, self._kinds())
        whose = beach_name(self.given.beach) if self.given else self.side.label
        title = f"Points granted later: {whose}" if self.later else f"Points: {whose}"
        return (FormPage(title, tuple(fields), "save"),)

    def _kinds(self) -> tuple[str, ...]:
        """The kinds of points to enter; all, while the beach of a new Japanese grant is open."""
        return Fund(self.side, self.given.beach if self.given else None).printed

    def _beach(self) -> FormField:
        names = tuple((beach, beach_name(beach)) for beach in self.seen.card.beaches)
        return FormField("beach", "Beach", names[0][0], names)

    def _date(self) -> FormField:
        dates = dates_to_come(self.seen.view, self.seen.card)
        if self.given is not None:
            dates = (str(self.given.date),)
        return FormField("date", "On", dates[0], tuple((date, date) for date in dates))

    def _points(self, kind: str) -> FormField:
        value = ""
        if self.given is not None:
            value = capp_text(self.given) if kind == "capp" else getattr(self.given, kind) or ""
        hint = "as the card prints them: 26^2" if kind == "capp" else ""
        return FormField(kind, kind.upper(), str(value), hint=hint)

    def _asked(self, typed: Typed) -> dict[str, Any]:
        """The arguments of the command `allot`; a figure that was cleared is 0."""
        asked: dict[str, Any] = {"side": self.side.value}
        beach = self.given.beach if self.given else typed.get("beach")
        if beach is not None:
            asked["beach"] = beach
        if self.later:
            asked["date"] = typed["date"]
        for kind in self._kinds():
            text = typed[kind].strip()
            before = self._points(kind).value
            if text or before:
                asked[kind] = number_typed(text or "0")
        return asked

    async def judge(self, typed: Typed, page: int) -> Judged:
        """Tries the command on a copy of the campaign."""
        asked = self._asked(typed)
        when = "at 15.614 of that date" if self.later else "at once"
        if not any(asked.get(kind) is not None for kind in POINTS):
            return Judged(Content(f"The points are credited {when}."))
        card, by = self.seen.card, self.side.value
        tried = Command("allot", asked, self.seen.view.clone(), card, {}, by, "")
        allot(tried)
        return Judged(Content(f"{tried.said[0].text}; credited {when}."))

    async def carry_out(self, typed: Typed) -> None:
        asked = self._asked(typed)
        await self.session.perform(lambda desk: desk.command("allot", asked, self.side.value))
