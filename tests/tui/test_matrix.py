"""What happens while a room, a form or a box is open: nothing is stored that was not shown, nothing
typed is lost, a change is told, and a secret of the enemy shows nowhere.

Every room, every form and every box is in the table, times everything that may happen; a new one
cannot be left out.
"""

import asyncio
import errno
import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from itertools import product
from pathlib import Path
from pkgutil import walk_packages
from random import Random
from typing import Any

import pytest
from textual.content import Content
from textual.pilot import Pilot
from textual.screen import Screen
from textual.widgets import Input, TextArea

from brt_cg import files, tui
from brt_cg.forecast.upcoming_questions import EarlyAnswerSheet
from brt_cg.imports.preview import preview_import_file
from brt_cg.model.counters import Side
from brt_cg.purchases.listing import list_purchase_records
from brt_cg.questions import Candidate
from brt_cg.questions.dice import SeededDice
from brt_cg.questions.pointing import MapPointing, PointingForm
from brt_cg.refit.s607_perimeters import PERIMETERS
from brt_cg.refit.sequence import last_paragraph_beginning_with
from brt_cg.service.answer_supply import AnswerSupply
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.service.tick_sheet import load_tick_sheet
from brt_cg.service.unrestricted import unrestricted_campaign
from brt_cg.tui.answering.early_answers import EarlyAnswersScreen
from brt_cg.tui.app import BrtApp
from brt_cg.tui.dialogs.choice import ChoiceScreen, ConfirmScreen, Reply
from brt_cg.tui.dialogs.curtain import CurtainScreen, PinScreen
from brt_cg.tui.dialogs.dialog import Dialog
from brt_cg.tui.dialogs.likely_rulings import LikelyRulingsScreen
from brt_cg.tui.dialogs.path import PathScreen, UploadScreen
from brt_cg.tui.dialogs.pick import PickScreen
from brt_cg.tui.dialogs.requests import DeclineForm, RequestsScreen
from brt_cg.tui.dialogs.text_boxes import LetterScreen, LuckScreen, WordsScreen
from brt_cg.tui.dialogs.why import WhyScreen
from brt_cg.tui.dialogs.working import WorkingScreen
from brt_cg.tui.forms.edit import EditForm
from brt_cg.tui.forms.export import ExportForm
from brt_cg.tui.forms.import_file import ImportForm
from brt_cg.tui.forms.mail import MailedCampaignForm, SendForm
from brt_cg.tui.forms.order_lines import OrderLinesForm
from brt_cg.tui.forms.ruling import RulingForm
from brt_cg.tui.forms.screen import FormScreen
from brt_cg.tui.frame.help_screen import HelpScreen
from brt_cg.tui.frame.palette import PaletteScreen
from brt_cg.tui.keys.actions import FORCES, ROOMS, SCENARIO_END
from brt_cg.tui.map.map_room import IslandScreen
from brt_cg.tui.map.painting import Painting
from brt_cg.tui.point.screen import AreasScreen, PointScreen
from brt_cg.tui.rooms.campaign.allotments import AllotmentForm
from brt_cg.tui.rooms.campaign.catalogue import FigureForm
from brt_cg.tui.rooms.campaign.order_of_battle import ReinforceForm
from brt_cg.tui.rooms.home.new_form import NewForm
from brt_cg.tui.rooms.journal.screen import FilterScreen, NoteForm
from brt_cg.tui.rooms.purchases.buy_form import BuyForm, VoidForm
from brt_cg.tui.rooms.scenario_end.totals_form import ScenarioEndForm
from brt_cg.views.requests import Request
from tests.imports.ends import asked
from tests.settings import count
from tests.tui.forms.test_rights import every_form
from tests.tui.helpers import MIDDLE, at_work, screen_text, settled, until
from tests.tui.moments import opened, played

MARINE = Side.MARINE
REFIT, SCENARIO, BOUGHT = "refit", "scenario", "bought"  # where a campaign stands

Made = Callable[[BrtApp, Path], Any]


@dataclass
class Open:
    """A box, or the form in one, that is open; `stands` says where the campaign must stand."""

    make: Made
    stands: str = ""


def desk_of(path: Path) -> OpenCampaign:
    return OpenCampaign.open_read_only(path)


def _void(app: BrtApp, path: Path) -> VoidForm:
    desk = desk_of(path)
    rows = list_purchase_records(
        unrestricted_campaign(desk).campaign, unrestricted_campaign(desk).card, None
    )
    return VoidForm(app.session, rows[0])


def _buy(app: BrtApp, path: Path) -> BuyForm:
    price = app.session.current_snapshot.card.prices["san_increase"]
    return BuyForm(app.session, price, MARINE, None, as_draft=False)


def _import(app: BrtApp, path: Path) -> ImportForm:
    file = path.with_name("brought.json")
    leader = {"id": "m-new", "side": "marine", "kind": "leader", "type": "9-1"}
    state = {"format": "brt-cg/state", "version": 1, "units": [leader]}
    file.write_text(json.dumps(state), "utf-8")
    return ImportForm(
        app.session, file.name, preview_import_file(desk_of(path).view(), file, MARINE)
    )


def _ruling(app: BrtApp, path: Path) -> RulingForm:
    ruling = next(
        each for each in app.session.current_snapshot.card.rulings.values() if len(each.values) > 1
    )
    return RulingForm(app.session, ruling, ruling.default, is_agreed=False)


def _edit(app: BrtApp, path: Path) -> EditForm:
    view = app.session.current_snapshot.view
    return EditForm(app.session, view, view.units["m-sq-8"], "a squad")


REQUEST = Request(1, MARINE.enemy, "edit", {}, "a correction", (), None)

FORMS: dict[str, Open] = {
    "AllotmentForm": Open(
        lambda a, _: AllotmentForm(a.session, a.session.current_snapshot, MARINE, None)
    ),
    "MailedCampaignForm": Open(lambda _, path: MailedCampaignForm(path.with_suffix(".brtmail"))),
    "BuyForm": Open(_buy, BOUGHT),
    "DeclineForm": Open(lambda a, _: DeclineForm(a.session, REQUEST)),
    "EditForm": Open(_edit),
    "ExportForm": Open(lambda a, _: ExportForm(a, a.session.current_snapshot, "roster")),
    "FigureForm": Open(lambda _a, _: FigureForm(None)),
    "ImportForm": Open(_import, BOUGHT),
    "NewForm": Open(lambda _a, _: NewForm()),
    "NoteForm": Open(lambda a, _: NoteForm(a.session, a.session.current_snapshot.view, MARINE, "")),
    "OrderLinesForm": Open(lambda a, _: OrderLinesForm(a.session, MARINE)),
    "ReinforceForm": Open(lambda a, _: ReinforceForm(a.session, MARINE)),
    "RulingForm": Open(_ruling),
    "SendForm": Open(lambda a, _: SendForm(a, a.session.current_snapshot, whole=False)),
    "ScenarioEndForm": Open(
        lambda a, _: ScenarioEndForm(a.session, load_tick_sheet(a.session.current_snapshot)),
        SCENARIO,
    ),
    "VoidForm": Open(_void, BOUGHT),
}
REPLIES = (Reply(False, "n", "no"), Reply(True, "y", "yes"))


def _rulings(app: BrtApp, path: Path) -> LikelyRulingsScreen:
    return LikelyRulingsScreen([*app.session.current_snapshot.card.rulings.values()][:3])


def _working(app: BrtApp, path: Path) -> WorkingScreen:
    return WorkingScreen("At it", asyncio.ensure_future(asyncio.sleep(3600)), can_stop=False)


BOXES: dict[str, Open] = {
    "EarlyAnswersScreen": Open(
        lambda _, path: EarlyAnswersScreen(EarlyAnswerSheet(desk_of(path), MARINE)), REFIT
    ),
    "ChoiceScreen": Open(lambda _a, _: ChoiceScreen("Which?", "words", REPLIES)),
    "ConfirmScreen": Open(lambda _a, _: ConfirmScreen("Sure?", "words", REPLIES)),
    "CurtainScreen": Open(lambda _a, _: CurtainScreen({}, MARINE)),
    "HelpScreen": Open(lambda a, _: HelpScreen(a.screen)),
    "LetterScreen": Open(lambda _a, _: LetterScreen("A letter", "words")),
    "LuckScreen": Open(lambda _a, _: LuckScreen((), ())),
    "FilterScreen": Open(lambda _a, _: FilterScreen((), frozenset())),
    "PaletteScreen": Open(lambda _a, _: PaletteScreen(())),
    "PathScreen": Open(lambda _, path: PathScreen("A file", "hint", (".json",), path.parent)),
    "PickScreen": Open(lambda _a, _: PickScreen("Which?", "any", ())),
    "PinScreen": Open(lambda _a, _: PinScreen("PIN", "", lambda pin: "no")),
    "RequestsScreen": Open(lambda _a, _: RequestsScreen()),
    "LikelyRulingsScreen": Open(_rulings),
    "UploadScreen": Open(lambda _a, _: UploadScreen("A file", "hint", (".json",))),
    "WhyScreen": Open(lambda _a, _: WhyScreen(("marine.cvp",))),
    "WordsScreen": Open(lambda _a, _: WordsScreen("Words", Content("words"))),
    "WorkingScreen": Open(_working),
}


def _point(app: BrtApp, path: Path) -> PointScreen:
    places = [Candidate(hex, hex, hex, spots=(hex,)) for hex in ("N20", "N21")]
    return PointScreen(MapPointing("Where?", PointingForm(), places), lambda raw: None)


# Screens in front of a room that are neither forms nor boxes: pointing and painting on the map.
MAPS: dict[str, Open] = {
    "AreasScreen": Open(
        lambda _a, _: AreasScreen(Painting("Perimeter", PERIMETERS, []), lambda painting: None)
    ),
    "PointScreen": Open(_point),
}
FRONTS = {**FORMS, **BOXES, **MAPS}
COMMON = {"FormScreen", "FindDialog"}  # of all forms, of several boxes

# What each form may store when the player presses Enter in it; boxes store nothing themselves.
STORES: dict[str, set[str]] = {
    "AllotmentForm": {"allot"},
    "BuyForm": {"buy"},
    "DeclineForm": {"decline"},
    "EditForm": {"edit", "ask"},
    "ImportForm": {"import", "reinforce"},
    "NoteForm": {"note"},
    "OrderLinesForm": {"reinforce"},
    "ReinforceForm": {"reinforce"},
    "RulingForm": {"ruling", "ask"},
    "ScenarioEndForm": {"import"},
    "VoidForm": {"void", "ask"},
}
OF_ROOMS = {"MapScreen"}
REFIT_ROOM = "refit"

# --- what happens ---------------------------------------------------------------------------------

NOTE, SECRET, ANSWER, UNDO, END = "open note", "secret note", "answer", "undo", "end"
REPLACED, RENAMED, FULL, RESIZED = "file replaced", "file renamed", "disk full", "resize"
BY_ANOTHER_WINDOW = (NOTE, ANSWER, UNDO, END)
HAPPENS = (NOTE, SECRET, ANSWER, UNDO, END, REPLACED, RENAMED, FULL, RESIZED)


def by_another_window(path: Path, what: str) -> None:
    """Something is entered in another window, by the umpire."""
    desk = OpenCampaign.open(path)
    if what in (NOTE, SECRET):
        side = "japanese" if what == SECRET else None
        desk.run_command("note", {"words": "words", "side": side, "about": None})
    elif what == ANSWER:
        supply = AnswerSupply(dice=SeededDice(1), defaults=True)
        for _ in desk.play_with_supply(supply, last_paragraph_beginning_with("15.6031")):
            pass
    elif what == UNDO:
        desk.undo_or_request()
    else:
        desk.run_command("import", asked(desk, {}, winner="marine"))
    desk.close()


def cells() -> list[tuple[str, str]]:
    """Every room, form and box with everything that may happen while it is open."""
    found = product((*ROOMS, *FRONTS), HAPPENS)
    return [each for each in found if is_possible(*each)]


def stands(name: str, what: str) -> str:
    """An overview of the campaign."""
    opened = FRONTS.get(name)
    fixed = opened.stands if opened is not None else SCENARIO if name == SCENARIO_END else ""
    return fixed or (REFIT if what == ANSWER else SCENARIO)


def is_possible(name: str, what: str) -> bool:
    """Whether something may happen where the campaign must stand: a scenario ends only while it is
    played, and a question is answered only in a Refit Phase."""
    needed = {END: SCENARIO, ANSWER: REFIT}
    return what not in needed or stands(name, what) == needed[what]


def test_every_room_form_and_box_is_tested() -> None:
    for module in walk_packages(tui.__path__, f"{tui.__name__}."):
        import_module(module.name)
    assert every_form() == {*FORMS}
    assert boxes_of(Dialog) == {*BOXES} | COMMON
    assert boxes_of(IslandScreen) - OF_ROOMS == {*MAPS}
    named = {name for name, _ in cells()}
    assert named == {*ROOMS, *FRONTS}


def boxes_of(base: type[Screen[Any]]) -> set[str]:
    """The names of all screens of a kind in the program."""
    found: set[str] = set()
    for each in base.__subclasses__():
        ours = each.__module__.startswith(f"{tui.__name__}.")
        found |= ({each.__name__} if ours else set()) | boxes_of(each)
    return found


SAMPLE = Random(60).sample(cells(), count(ci=12, full=len(cells())))


@pytest.mark.parametrize(("name", "what"), SAMPLE, ids=lambda each: each.replace(" ", "-"))
async def test_open_boxes_and_typed_text_survive_every_event(
    name: str,
    what: str,
    demo_file: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    path = standing(demo_file, stands(name, what))
    monkeypatch.chdir(path.parent)  # files that are written are written there
    told: list[str] = []
    async with opened(path, MARINE, FORCES, MIDDLE) as (app, pilot):
        monkeypatch.setattr(app, "notify", lambda message, **how: told.append(message))
        front = await put_in_front(app, pilot, path, name)
        if what == FULL:
            monkeypatch.setattr(files, "write_atomically", full)
        typed = await type_something(pilot, front)
        before = screen_text(app)
        now = await happen(pilot, path, what)
        after = screen_text(app)
        if what == SECRET:
            assert steady(after) == steady(before), "a secret shows"
            assert not told
        if name in FRONTS:
            assert app.screen is front, "it was taken away"
            assert text_in(front) == typed, "what was typed is lost"
        assert is_told(front, told, what), f"nothing says it: {told}"
        if isinstance(front, FormScreen) and front.form.draft_name and what != FULL and typed:
            draft = app.drafts(front.form.at_home).form_draft(front.form.draft_name)
            assert draft.text.items() >= front._changed.items()
        await check_enter(app, pilot, now, name, what)


async def check_enter(app: BrtApp, pilot: Pilot[int], path: Path, name: str, what: str) -> None:
    """After all of that Enter stores nothing but what the form in front is for; in a campaign that
    has taken the place of the open one, or has another name now, nothing at all."""
    before = len(unrestricted_campaign(OpenCampaign.open_read_only(path)).entries)
    begins = {"begin"} if app.current_mode in (REFIT_ROOM, "dashboard") else set()  # as they say
    for _ in range(2 if what in (REPLACED, RENAMED) else 1):
        await pilot.press("enter")
        await pilot.pause()
        await until(pilot, lambda: not at_work(app, "desk"))
    stored = {
        entry.kind
        for entry in unrestricted_campaign(OpenCampaign.open_read_only(path)).entries[before:]
    }
    allowed = STORES.get(name, begins)
    assert stored <= (set() if what in (REPLACED, RENAMED) else allowed), "it was not shown"


def standing(path: Path, where: str) -> Path:
    """A campaign that stands there."""
    if where == SCENARIO:
        return played(path, None)
    if where == BOUGHT:
        path.unlink()
        desk = OpenCampaign.create(path, {"cg": "III"})
        desk.run_command("allot", {"side": "marine", "fpp": 20})
        desk.run_command("buy", {"side": "marine", "item": "san_increase", "quantity": 1})
        desk.close()
    return path


async def put_in_front(app: BrtApp, pilot: Pilot[int], path: Path, name: str) -> Screen[Any]:
    """Opens a room, a form or a box."""
    if name in ROOMS:
        await app.switch_mode(name)
    elif name in FORMS:
        _ = app.push_screen(FormScreen(FORMS[name].make(app, path)))
    else:
        _ = app.push_screen(FRONTS[name].make(app, path))
    await pilot.pause()
    await settled(pilot)
    await looked_up(pilot, app)
    return app.screen


def fields_of(screen: Screen[Any]) -> list[Input | TextArea]:
    return [each for each in screen.query("*") if isinstance(each, Input | TextArea)]


def text_in(screen: Screen[Any]) -> list[str]:
    """What stands in the fields of a box, or is painted on the map."""
    if isinstance(screen, AreasScreen):
        return sorted(screen.painting.hexes if screen.painting is not None else ())
    return [each.value if isinstance(each, Input) else each.text for each in fields_of(screen)]


async def type_something(pilot: Pilot[int], front: Screen[Any]) -> list[str]:
    """Types into the first field of a box, if it has one; what stands in all of them."""
    field = next((each for each in fields_of(front) if each.display), None)
    if field is not None and isinstance(front, Dialog):
        field.focus()
        await pilot.press("7")
        await settled(pilot)
    if isinstance(front, AreasScreen):
        await pilot.press("space")
        await settled(pilot)
    return text_in(front)


def full(*_: object, **__: object) -> None:
    raise OSError(errno.ENOSPC, "No space left on device")


async def happen(pilot: Pilot[int], path: Path, what: str) -> Path:
    """Lets something happen, and the screen notice it; where the campaign's file is then."""
    app = pilot.app
    assert isinstance(app, BrtApp)
    if what == REPLACED:
        path.unlink()
        OpenCampaign.create(path, {"cg": "I"}).close()
    elif what == RENAMED:
        path = path.rename(path.with_name("another.brt"))
    elif what == RESIZED:
        await pilot.resize_terminal(100, 30)
    elif what != FULL:
        by_another_window(path, what)
    for _ in range(2):
        await app._catch_up()
        await pilot.pause()
    await looked_up(pilot, app)
    return path


async def looked_up(pilot: Pilot[int], app: BrtApp) -> None:
    """Waits until the history of the counter in the room behind is shown again."""
    await until(pilot, lambda: not at_work(app, "chain"))


def steady(text: str) -> str:
    """A frame without the seconds that work has taken."""
    return re.sub(r"for \d+ s\.", "for 0 s.", text)


def is_told(front: Screen[Any], told: list[str], what: str) -> bool:
    """Whether a word says what has happened, where anything has that matters here."""
    if what in (SECRET, RESIZED):
        return True
    if what == FULL:
        keeps = isinstance(front, FormScreen) and bool(front.kept_draft_name)
        return not keeps or any("cannot be kept" in words for words in told)
    if what in BY_ANOTHER_WINDOW and isinstance(front, Dialog):
        return front.FOLLOWS or bool(front.made_before_text)
    return bool(told)
