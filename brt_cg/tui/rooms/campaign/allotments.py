"""The points of 15.614 that the CG card gives at the beginning and later, beach by beach."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from textual.content import Content

from brt_cg.board import beach_name
from brt_cg.commands import Command
from brt_cg.commands.allotments import allowed_grant_dates, set_allotment_or_grant
from brt_cg.model import Allotment, Phase, Side
from brt_cg.purchases.pools import (
    HEADS,
    KINDS,
    Account,
    Amounts,
    allotment_amounts,
    capp_text,
    due_and_future_grants,
    list_accounts,
)
from brt_cg.purchases.totals import POINTS, Fund
from brt_cg.service import shown_actions
from brt_cg.tui.look.columns import Column, Columns, columns, right_aligned_columns
from brt_cg.tui.question.form import (
    EntryForm,
    FormField,
    FormPage,
    Typed,
    Validation,
    parse_number_or_text,
    refuse_capp_without_exponent,
)
from brt_cg.tui.rooms.campaign.page import PageRow, journal_rows_explaining, side_heading
from brt_cg.tui.session.session import CampaignSnapshot, Session

WIDTHS = {"gpp": 4, "capp": 6, "exponent": 10, "fpp": 5}
ON = Column(7, "  On")  # the date on which future points are granted


def allotment_rows(seen: CampaignSnapshot) -> Sequence[PageRow]:
    return [row for side in Side if seen.may_know(side) for row in _side_rows(seen, side)]


def _side_rows(seen: CampaignSnapshot, side: Side) -> Iterator[PageRow]:
    view, card = seen.view, seen.card
    table = _table(side)
    yield side_heading(side, table)
    for account in list_accounts(view, card, side):
        text = Content("\n").join(_details(account))
        row = _points_row(table, account.beach, account.given)
        named = PageRow(row, account.fund.id, beach_name(account.beach), text)
        yield _with_form(named, seen, side, _given(seen, account))
    for grant in due_and_future_grants(view, card, side):
        title = f"{beach_name(grant.beach)} on {grant.date}"
        row = _points_row(table, grant.beach, allotment_amounts(grant), str(grant.date))
        text = Content(f"Still to come: {allotment_amounts(grant)}.")
        yield _with_form(PageRow(row, grant.id, title, text), seen, side, grant)
    if allowed_grant_dates(view, card):
        later = Content("  + points granted later")
        text = Content("The CG card says when.")
        last = PageRow(later, f"grant of {side}", "Points granted later", text)
        yield _with_form(last, seen, side, None)


def _with_form(
    row: PageRow, seen: CampaignSnapshot, side: Side, given: Allotment | None
) -> PageRow:
    """Add the form to a row: it changes the allotment, or adds points of a later date."""
    enter = "change them" if given else "add"
    return replace(
        row,
        enter="" if seen.view.situation.phase is Phase.OVER else enter,
        does=lambda app: app.show_form(AllotmentForm(app.session, seen, side, given)),
        leads=journal_rows_explaining,
    )


def _given(seen: CampaignSnapshot, account: Account) -> Allotment:
    """Return the initial allotment of an account."""
    fund = (account.side, account.beach, None)
    every = seen.view.allotments.values()
    known = (points for points in every if (points.side, points.beach, points.date) == fund)
    fresh = Allotment(id=account.fund.id, side=account.side, beach=account.beach)
    return next(known, fresh)


def _table(side: Side) -> Columns:
    """Return the columns of points by kind, with headings for those that the side may have."""
    names = {**HEADS, "exponent": "Exponent"}
    heads = (names[kind] if kind in Fund(side, None).point_kinds else "" for kind in KINDS)
    return columns(13, *right_aligned_columns(heads, WIDTHS.values()), ON)


def _points_row(table: Columns, beach: str | None, points: Amounts, when: str = "") -> Content:
    whose = beach_name(beach) if beach else "all beaches"
    shown = (str(points.points_of(kind) or "") for kind in KINDS)
    return table.row(f"  {whose}", *shown, f"  {when}")


def _details(account: Account) -> Iterator[Content]:
    yield Content(f"Given: {account.given}.")
    if account.spent:
        yield Content(f"Spent: {account.spent}.")
        yield Content(f"Left: {account.left}.".replace("-", "−"))


# --- the form -------------------------------------------------------------------------------------


class AllotmentForm(EntryForm[None]):
    """The form for the points allotted to a beach or to the Marines, or granted at a later date;
    `given` is the current record, None for a new grant."""

    def __init__(
        self, session: Session, seen: CampaignSnapshot, side: Side, given: Allotment | None
    ) -> None:
        self.session, self.seen, self.side, self.given = session, seen, side, given
        held = [side.value] if given is None else [side.value, given.id]
        self.shown = session.current_snapshot.basis_of(*held, fields=POINTS)
        self.later = given is None or given.date is not None

    @property
    def draft_name(self) -> str:
        return f"allotment {self.side} {self.given}"

    def pages(self, typed: Typed) -> tuple[FormPage, ...]:
        fields = [] if self.given or self.side is Side.MARINE else [self._beach()]
        if self.later:
            fields.append(self._date())
        fields += map(self._points, self._kinds())
        whose = beach_name(self.given.beach) if self.given else self.side.label
        title = f"Points granted later: {whose}" if self.later else f"Points: {whose}"
        return (FormPage(title, tuple(fields), "save"),)

    def _kinds(self) -> tuple[str, ...]:
        """Return the kinds of points to enter; all of them until the beach of a new Japanese grant
        is chosen."""
        return Fund(self.side, self.given.beach if self.given else None).point_kinds_on_card

    def _beach(self) -> FormField:
        names = tuple((beach, beach_name(beach)) for beach in self.seen.card.beaches)
        return FormField("beach", "Beach", names[0][0], names)

    def _date(self) -> FormField:
        dates = allowed_grant_dates(self.seen.view, self.seen.card)
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
        """Return the arguments of the `allot` command; a cleared field is 0."""
        asked: dict[str, Any] = {"side": self.side.value}
        beach = self.given.beach if self.given else typed.get("beach")
        if beach is not None:
            asked["beach"] = beach
        if self.later:
            asked["date"] = typed["date"]
        for kind in self._kinds():
            text = typed[kind].strip()
            before = self._points(kind).value
            if kind == "capp" and text != before:
                refuse_capp_without_exponent(kind, text)
            if text or before:
                asked[kind] = parse_number_or_text(text or "0")
        return asked

    async def validate(self, typed: Typed, page: int) -> Validation:
        """Try the command on a copy of the campaign."""
        asked = self._asked(typed)
        when = "at 15.614 of that date" if self.later else "now"
        if not any(asked.get(kind) is not None for kind in POINTS):
            return Validation(Content(f"The points are credited {when}."))
        card, by = self.seen.card, self.side.value
        tried = Command("allot", asked, self.seen.view.clone(), card, {}, by, "")
        set_allotment_or_grant(tried)
        return Validation(Content(f"{tried.said[0].text}; credited {when}."))

    async def submit(self, typed: Typed) -> None:
        asked = self._asked(typed)
        await self.session.perform(
            lambda desk: shown_actions.run_shown_command(
                desk, self.shown, "allot", asked, self.side.value
            )
        )
