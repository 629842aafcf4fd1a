"""No form lets a seat enter what the table of rights does not give it: each is opened for the
enemy's side, filled in and carried out, whatever room would offer it."""

from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from typing import Any

import pytest

from brt_cg import tui
from brt_cg.model.counters import Side
from brt_cg.model.seat import Seat, seat_for
from brt_cg.purchases.listing import list_purchases
from brt_cg.questions.answers import Refused
from brt_cg.service.desk import Desk
from brt_cg.tui.forms.edit import EditForm
from brt_cg.tui.forms.order_lines import OrderLinesForm
from brt_cg.tui.question.form import EntryForm
from brt_cg.tui.rooms.campaign.allotment_form import AllotmentForm
from brt_cg.tui.rooms.campaign.reinforce_form import ReinforceForm
from brt_cg.tui.rooms.journal.note_form import NoteForm
from brt_cg.tui.rooms.purchases.buy_form import DRAFT, BuyForm, VoidForm
from brt_cg.tui.session.session import Session
from tests.tui.test_seats import entered_by

# These enter nothing for a side: documents, mails, a new campaign, the player's own catalogue, a
# word to a request; rulings, which are both sides'; files and totals, whose side is the seat's.
OTHERS = {"BeginForm", "DeclineForm", "ExportForm", "FigureForm", "ImportForm", "NewForm"}
OTHERS |= {"RulingForm", "SendForm", "TotalsForm"}
Made = Callable[[Session, Desk, Side], EntryForm[Any]]
BEACH = {Side.MARINE: None, Side.JAPANESE: "island"}


def _void(session: Session, desk: Desk, side: Side) -> EntryForm[Any]:
    rows = list_purchases(desk.campaign, desk.card, None)
    return VoidForm(session, next(row for row in rows if row.side is side))


def _edit(session: Session, desk: Desk, side: Side) -> EntryForm[Any]:
    squad = desk.campaign.units[f"{side[0]}-own"]
    return EditForm(session, desk.campaign, squad, squad.label)


FORMS: dict[type[EntryForm[Any]], tuple[Made, dict[str, str]]] = {
    AllotmentForm: (lambda s, desk, side: AllotmentForm(s, s.now, side, None), {"fpp": "5"}),
    BuyForm: (
        lambda s, desk, side: BuyForm(
            s, desk.card.prices["san_increase"], side, BEACH[side], False
        ),
        {"quantity": "1", "when": DRAFT},
    ),
    EditForm: (_edit, {"name": "Able", "reason": "misread"}),
    NoteForm: (lambda s, desk, side: NoteForm(s, desk.campaign, side, ""), {"words": "mine"}),
    OrderLinesForm: (lambda s, desk, side: OrderLinesForm(s, side), {"lines": "9-1"}),
    ReinforceForm: (
        lambda s, desk, side: ReinforceForm(s, side),
        {"units.kind": "leader", "units.type": "9-1"},
    ),
    VoidForm: (_void, {"reason": "a mistake"}),
}


def every_form() -> set[str]:
    """The names of all forms of the screen."""
    for module in walk_packages(tui.__path__, f"{tui.__name__}."):
        import_module(module.name)
    forms = (
        form for form in EntryForm.__subclasses__() if form.__module__.startswith(tui.__name__)
    )
    return {form.__name__ for form in forms}  # tests have forms of their own


@pytest.fixture
def begun(new_file: Path) -> Path:
    """A campaign before its first scenario, with a squad and a purchase of each side."""
    desk = Desk.open(new_file)
    desk.sit(Seat.UMPIRE)
    kinds = {Side.MARINE: "7-6-8", Side.JAPANESE: "4-4-8"}
    squads = [
        {"id": f"{side[0]}-own", "side": side.value, "kind": "squad", "type": kinds[side]}
        for side in Side
    ]
    desk.command("reinforce", {"state": {"format": "brt-cg/state", "version": 1, "units": squads}})
    for side in Side:
        at = {"side": side.value} | ({"beach": BEACH[side]} if BEACH[side] else {})
        desk.command("allot", at | {"fpp": 20})
        desk.command("buy", at | {"item": "san_increase", "quantity": 1})
    desk.close()
    return new_file


def filled_in(form: EntryForm[Any], given: dict[str, str], side: Side) -> dict[str, str]:
    """The form as it is typed: what it needs, and the side wherever that can be chosen."""
    typed: dict[str, str] = {}
    for _ in range(2):  # later pages depend on the first
        for page in form.pages(typed):
            for field in page.fields:
                typed.setdefault(field.name, field.value)
                if side.value in dict(field.choices):
                    typed[field.name] = side.value
        typed |= given
    return typed


@pytest.mark.parametrize("seat", [*Side])
@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.__name__)
async def test_a_form_enters_for_its_own_side_and_for_the_enemys_only_a_request(
    form: type[EntryForm[Any]], seat: Side, begun: Path
) -> None:
    make, given = FORMS[form]
    for side in (seat.enemy, seat):
        since = len(Desk.look_at(begun).entries)
        session = Session(lambda seen: None)
        desk = await session.open(lambda: Desk.open(begun))
        await session.sit(seat)
        made = make(session, desk, side)
        if side is seat:
            await made.carry_out(filled_in(made, given, side))
        else:
            with suppress(Refused):
                await made.carry_out(filled_in(made, given, side))
        session.end()
        entries = Desk.look_at(begun).entries[since:]
        assert entered_by(begun, seat_for(seat), since) == len(entries)
        if side is not seat:
            assert {entry.kind for entry in entries} <= {"ask"}
        else:
            assert entries


def test_no_form_is_left_out() -> None:
    assert every_form() == {form.__name__ for form in FORMS} | OTHERS
