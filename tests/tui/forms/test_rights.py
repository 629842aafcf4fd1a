"""No form lets a seat enter what the table of rights does not give it: each is opened for either
side, or for both, filled in and carried out, whatever room would offer it."""

import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, nullcontext, suppress
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from typing import Any

import pytest

from brt_cg import tui
from brt_cg.imports.preview import preview_import_file
from brt_cg.model.counters import Side
from brt_cg.model.seat import Seat, seat_of_side
from brt_cg.purchases.listing import list_purchase_records
from brt_cg.questions.answers import RefusedError
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.service.tick_sheet import load_tick_sheet
from brt_cg.service.unrestricted import unrestricted_campaign
from brt_cg.tui.dialogs.requests import DeclineForm
from brt_cg.tui.forms.edit import EditForm
from brt_cg.tui.forms.import_file import ImportForm
from brt_cg.tui.forms.order_lines import OrderLinesForm
from brt_cg.tui.forms.ruling import RulingForm
from brt_cg.tui.question.form import EntryForm
from brt_cg.tui.rooms.campaign.allotments import AllotmentForm
from brt_cg.tui.rooms.campaign.order_of_battle import ReinforceForm
from brt_cg.tui.rooms.journal.screen import NoteForm
from brt_cg.tui.rooms.purchases.buy_form import DRAFT, BuyForm, VoidForm
from brt_cg.tui.rooms.scenario_end.totals_form import ScenarioEndForm
from brt_cg.tui.session.session import Session
from tests.imports.ends import asked
from tests.tui.moments import played
from tests.tui.test_seats import entered_by

# These enter nothing in the open campaign: documents, mails, other campaigns, the player's own
# catalogue.
OTHERS = {"MailedCampaignForm", "ExportForm", "FigureForm", "NewForm", "SendForm"}
SEATS = (*Side, None)
Made = Callable[[Session, OpenCampaign, Side], EntryForm[Any]]
BEACH = {Side.MARINE: None, Side.JAPANESE: "island"}


def _void(session: Session, desk: OpenCampaign, side: Side) -> EntryForm[Any]:
    rows = list_purchase_records(
        unrestricted_campaign(desk).campaign, unrestricted_campaign(desk).card, None
    )
    return VoidForm(session, next(row for row in rows if row.side is side))


def _edit(session: Session, desk: OpenCampaign, side: Side) -> EntryForm[Any]:
    squad = unrestricted_campaign(desk).campaign.units[f"{side[0]}-own"]
    return EditForm(session, unrestricted_campaign(desk).campaign, squad, squad.label)


def _import(session: Session, desk: OpenCampaign, side: Side | None, what: Any) -> EntryForm[Any]:
    assert isinstance(desk.path, Path)
    file = desk.path.with_name("brought.json")
    file.write_text(json.dumps(what), "utf-8")
    return ImportForm(session, file.name, preview_import_file(desk.view(), file, side))


def _arrival(session: Session, desk: OpenCampaign, side: Side) -> EntryForm[Any]:
    leader = {"id": f"{side[0]}-new", "side": side, "kind": "leader", "type": "9-1"}
    return _import(session, desk, side, {"format": "brt-cg/state", "version": 1, "units": [leader]})


def _ended(session: Session, desk: OpenCampaign) -> EntryForm[Any]:
    return _import(session, desk, None, asked(desk, {}, winner="marine")["state"])


def _ruling(session: Session, desk: OpenCampaign) -> EntryForm[Any]:
    ruling = next(
        each for each in unrestricted_campaign(desk).card.rulings.values() if len(each.values) > 1
    )
    return RulingForm(
        session,
        ruling,
        unrestricted_campaign(desk).campaign.current_rulings.get(ruling.id, ruling.default),
        False,
    )


FORMS: dict[type[EntryForm[Any]], tuple[Made, dict[str, str]]] = {
    AllotmentForm: (
        lambda s, desk, side: AllotmentForm(s, s.current_snapshot, side, None),
        {"fpp": "5"},
    ),
    BuyForm: (
        lambda s, desk, side: BuyForm(
            s, unrestricted_campaign(desk).card.prices["san_increase"], side, BEACH[side], False
        ),
        {"quantity": "1", "when": DRAFT},
    ),
    EditForm: (_edit, {"name": "Able", "reason": "misread"}),
    ImportForm: (_arrival, {}),
    NoteForm: (
        lambda s, desk, side: NoteForm(s, unrestricted_campaign(desk).campaign, side, ""),
        {"words": "mine"},
    ),
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
    desk = OpenCampaign.open(new_file)
    desk.set_seat(Seat.UMPIRE)
    kinds = {Side.MARINE: "7-6-8", Side.JAPANESE: "4-4-8"}
    squads = [
        {"id": f"{side[0]}-own", "side": side.value, "kind": "squad", "type": kinds[side]}
        for side in Side
    ]
    desk.run_command(
        "reinforce", {"state": {"format": "brt-cg/state", "version": 1, "units": squads}}
    )
    for side in Side:
        at = {"side": side.value} | ({"beach": BEACH[side]} if BEACH[side] else {})
        desk.run_command("allot", at | {"fpp": 20})
        desk.run_command("buy", at | {"item": "san_increase", "quantity": 1})
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


@asynccontextmanager
async def seated(path: Path, seat: Side | None) -> AsyncIterator[tuple[Session, OpenCampaign]]:
    """A screen at a seat; all that it enters is within that seat's rights."""
    since = len(unrestricted_campaign(OpenCampaign.open_read_only(path)).entries)
    session = Session(lambda seen: None)
    desk = await session.open(lambda: OpenCampaign.open(path))
    await session.show_as_seat(seat)
    yield session, desk
    session.end_session()
    entered_by(path, seat_of_side(seat), since)


def kinds_since(path: Path, since: int) -> list[str]:
    return [
        entry.kind
        for entry in unrestricted_campaign(OpenCampaign.open_read_only(path)).entries[since:]
    ]


@pytest.mark.parametrize("seat", SEATS)
@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.__name__)
async def test_a_form_makes_entries_for_its_side_and_requests_for_the_enemys(
    form: type[EntryForm[Any]], seat: Side | None, begun: Path
) -> None:
    make, given = FORMS[form]
    for side in Side:
        since = len(unrestricted_campaign(OpenCampaign.open_read_only(begun)).entries)
        is_own = seat in (side, None)
        async with seated(begun, seat) as (session, desk):
            made = make(session, desk, side)
            with nullcontext() if is_own else suppress(RefusedError):
                await made.submit(filled_in(made, given, side))
        kinds = kinds_since(begun, since)
        assert bool(kinds) if is_own else {*kinds} <= {"ask"}
        assert seat is not None or "ask" not in kinds


@pytest.mark.parametrize("seat", [Side.JAPANESE, None])
@pytest.mark.parametrize(
    ("make", "by_a_side", "by_the_umpire"),
    [
        (_ruling, "ask", "ruling"),
        (_ended, "ask", "import"),
        (
            lambda session, desk: ScenarioEndForm(
                session, load_tick_sheet(session.current_snapshot)
            ),
            "import",  # of its own half
            "import",
        ),
    ],
    ids=["RulingForm", "ImportForm", "ScenarioEndForm"],
)
async def test_an_entry_about_both_sides_becomes_a_request(
    make: Callable[[Session, OpenCampaign], EntryForm[Any]],
    by_a_side: str,
    by_the_umpire: str,
    seat: Side | None,
    demo_file: Path,
) -> None:
    path = played(demo_file, None)
    since = len(unrestricted_campaign(OpenCampaign.open_read_only(path)).entries)
    async with seated(path, seat) as (session, desk):
        made = make(session, desk)
        typed = filled_in(made, {"moved": "marine"}, Side.MARINE)
        if isinstance(made, RulingForm):
            typed[made.ruling.id] = next(each for each in made.ruling.values if each != made.value)
        await made.submit(typed)
    assert kinds_since(path, since) == [by_a_side if seat else by_the_umpire]


@pytest.mark.parametrize("seat", SEATS)
async def test_a_request_is_declined_by_the_other_side_or_the_umpire(
    seat: Side | None, begun: Path
) -> None:
    desk = OpenCampaign.open(begun)
    desk.set_seat(Seat.MARINE)
    desk.run_command("edit", {"id": "m-own", "set": {"name": "Able"}, "reason": "misread"})
    desk.close()
    since = len(unrestricted_campaign(OpenCampaign.open_read_only(begun)).entries)
    async with seated(begun, seat) as (session, desk):
        (request,) = desk.view().requests
        made = DeclineForm(session, request)
        with suppress(RefusedError) if seat is Side.MARINE else nullcontext():
            await made.submit({"reason": ""})
    assert kinds_since(begun, since) == ([] if seat is Side.MARINE else ["decline"])


def test_every_form_is_tested() -> None:
    alike = {"DeclineForm", "RulingForm", "ScenarioEndForm"}
    assert every_form() == {form.__name__ for form in FORMS} | alike | OTHERS
