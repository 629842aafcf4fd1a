"""A visitor's files: they go to his browser and come from there, and of the machine that serves he
sees and leaves nothing."""

import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
from textual.pilot import Pilot
from textual.widgets import DirectoryTree

from brt_cg.model.counters import Side
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.service.unrestricted import unrestricted_campaign
from brt_cg.tui import app as app_module
from brt_cg.tui.app import BrtApp
from brt_cg.tui.dialogs.path import UploadScreen
from brt_cg.tui.forms.delivery import deliver_document
from brt_cg.tui.forms.export import write_rosters_and_sheets
from brt_cg.tui.forms.screen import FormScreen
from brt_cg.tui.frame.palette import PaletteScreen
from brt_cg.tui.frame.title_and_badge import window_title
from brt_cg.tui.lists.row_lists import SteadyList
from brt_cg.tui.session.page import CampaignFileChanged, FilesGiven, GivenFile
from tests.tui.helpers import MIDDLE, SMALL, look_from, screen_text, settled, shown, until, words
from tests.tui.moments import played, press


class Visited(BrtApp):
    """A served screen whose page is the test."""

    CSS_PATH = Path(app_module.__file__).with_name("app.tcss")

    def __init__(self, path: Path, seat: Side | None) -> None:
        super().__init__(path, served=True, seat=seat)
        self.downloads: dict[str, tuple[bytes, bool]] = {}
        self.told: list[Mapping[str, Any]] = []
        self.stored = 0

    def deliver_binary(self, path_or_file: Any, **how: Any) -> str:
        shows = how["open_method"] == "browser"
        self.downloads[how["save_filename"]] = path_or_file.read(), shows
        return "key"

    def send_to_page(self, told: Mapping[str, Any]) -> None:
        self.told.append(told)

    def notify_stored(self) -> None:
        self.stored += 1

    def newest(self, type: str) -> Mapping[str, Any]:
        return next(told for told in reversed(self.told) if told["type"] == type)


@asynccontextmanager
async def visited(
    path: Path, seat: Side | None, size: tuple[int, int] = MIDDLE
) -> AsyncIterator[tuple[Visited, Pilot[int]]]:
    """The screen of a visitor, once all has been read."""
    app = Visited(path, seat)
    async with app.run_test(size=size, notifications=True) as pilot:
        await settled(pilot)
        yield app, pilot


async def until_in_front(pilot: Pilot[Any], screen: type) -> None:
    """Waits until a dialog or form is there, and can be used."""
    app = pilot.app
    await until(pilot, lambda: isinstance(app.screen, screen) and app.screen.is_attached, screen)
    await pilot.pause(0.1)


async def until_downloaded(pilot: Pilot[Any], app: "Visited") -> None:
    await until(pilot, lambda: app.downloads, "a download")


def files_under(folder: Path) -> set[Path]:
    return {path for path in folder.iterdir() if path.is_file()}


async def test_a_printable_page_opens_in_the_visitors_browser(
    demo_file: Path,
) -> None:
    app, before = Visited(demo_file, Side.MARINE), files_under(demo_file.parent)
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await settled(pilot)
        await app.run_action("export")
        await press(pilot, "enter")
        await until_in_front(pilot, FormScreen)
        assert str(demo_file.parent) not in screen_text(app)
        await press(pilot, "enter")
        await until_downloaded(pilot, app)
        [(name, (content, shows))] = app.downloads.items()
        assert (name, shows) == ("demo-roster-marine.html", True)
        assert b"<!doctype html>" in content
        await shown(pilot, "Sent to your browser")
    assert files_under(demo_file.parent) == before


async def test_several_tables_come_as_one_file(demo_file: Path) -> None:
    async with visited(demo_file, None) as (app, _):
        tables = {"units.csv": "id\n", "sides.csv": b"side\n"}
        name = await deliver_document(app, tables, Path("/x/state"), None)
    [(content, shows)] = app.downloads.values()
    assert (name, shows) == ("state.zip", False)
    with ZipFile(BytesIO(content)) as packed:
        assert {each: packed.read(each) for each in packed.namelist()} == {
            "units.csv": b"id\n",
            "sides.csv": b"side\n",
        }


async def test_the_rosters_are_the_visitors_own(demo_file: Path) -> None:
    app = Visited(demo_file, Side.JAPANESE)
    async with app.run_test(size=(120, 40)) as pilot:
        await write_rosters_and_sheets(app, await settled(pilot))
    assert [name.partition(".")[0] for name in app.downloads] == [
        "demo-roster-japanese",
        "demo-scenario-sheet-japanese",
    ]


async def importing(app: Visited, pilot: Pilot[int], *files: GivenFile) -> None:
    await settled(pilot)
    await press(pilot, "less_than_sign")
    await until_in_front(pilot, UploadScreen)
    assert app.newest("wants")["endings"] == (".json", ".csv", ".xlsx", ".vsav", ".vlog")
    if files:
        app.post_message(FilesGiven(files))


@pytest.fixture
def scenario_ended(tmp_path: Path) -> tuple[Path, bytes]:
    """A campaign in its scenario, and the situation at its end as a file."""
    path = tmp_path / "new.brt"
    desk = OpenCampaign.create(path, {"cg": "III"})
    squad = {"id": "s1", "side": "marine", "kind": "squad", "type": "7-6-8"}
    state = {"format": "brt-cg/state", "version": 1, "units": [squad]}
    desk.close()
    return path, json.dumps(state).encode()


async def test_a_visitor_imports_a_file_of_his_own(scenario_ended: tuple[Path, bytes]) -> None:
    path, state = scenario_ended
    app = Visited(path, Side.MARINE)
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await importing(app, pilot, GivenFile("../../mine.json", state))
        await until_in_front(pilot, FormScreen)
        assert "Reinforce from mine.json" in screen_text(app)
        await press(pilot, "enter")
        await shown(pilot, "Imported.")
        seen = await settled(pilot)
        assert [piece.id for piece in seen.view.pieces()] == ["s1"]
        assert app.newest("wants")["endings"] == []
    assert not (path.parent.parent / "mine.json").exists()


@pytest.mark.parametrize(
    ("files", "says"),
    [
        ([GivenFile("state.json", b"{")], "state.json: not JSON"),
        ([GivenFile("passwd", b"root")], "passwd: choose a file that ends in .json"),
        ([GivenFile("units.csv", b"id\n"), GivenFile("nonsense.csv", b"")], "no counters to add"),
        (
            [GivenFile("a.json", b"{}"), GivenFile("b.json", b"{}")],
            "2 files do not belong together",
        ),
        ([GivenFile("..", b"")], "choose another name"),
        pytest.param(
            [GivenFile(f"{'a' * 300}.json", b"{}")], "File name too long", marks=pytest.mark.posix
        ),
    ],
)
async def test_a_file_that_cannot_be_imported_is_refused_without_a_path_of_the_machine(
    files: list[GivenFile], says: str, scenario_ended: tuple[Path, bytes]
) -> None:
    app = Visited(scenario_ended[0], Side.MARINE)
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await importing(app, pilot, *files)
        await until(pilot, lambda: says in words(screen_text(app)), says)
        assert "/tmp" not in screen_text(app)
        assert not isinstance(app.screen, FormScreen)


async def test_leaving_the_dialog_cancels_the_file_request(demo_file: Path) -> None:
    app = Visited(demo_file, Side.MARINE)
    async with app.run_test(size=(120, 40)) as pilot:
        await importing(app, pilot)
        await press(pilot, "escape")
        await until(pilot, lambda: app.newest("wants")["endings"] == [])
        app.post_message(FilesGiven([GivenFile("late.json", b"{}")]))
        await settled(pilot)
        assert app.current_mode == "dashboard"


@pytest.mark.parametrize(("page", "row"), [("order_of_battle", "file"), ("export", "vsav")])
async def test_no_page_shows_a_visitor_the_hosts_folders(
    page: str, row: str, tmp_path: Path
) -> None:
    path = tmp_path / "new.brt"
    OpenCampaign.create(path, {"cg": "III"}).close()
    async with visited(path, None) as (app, pilot):
        await app.run_action(page)
        await settled(pilot)
        rows = app.screen.query_one("#rows", SteadyList)
        rows.highlighted = rows.get_option_index(row)
        await press(pilot, "enter")
        await until_in_front(pilot, UploadScreen)
        assert not app.screen.query(DirectoryTree)
        assert str(tmp_path) not in screen_text(app)


async def test_the_page_gets_the_active_keys_and_whose_turn_it_is(demo_file: Path) -> None:
    async with visited(played(demo_file, "15.602"), Side.MARINE) as (app, pilot):
        await until(pilot, lambda: {"title", "keys"} <= {told["type"] for told in app.told})
        assert app.newest("title")["text"] == "Your turn · Demo: Betio, 20 Nov 1943 · Marine"
        keys = app.newest("keys")["keys"]
        assert {"r": "Refit", "?": "Help", "f8": "Palette"}.items() <= dict(keys).items()
        assert "d" not in dict(keys)
        await press(pilot, "r")
        await until(pilot, lambda: "d" in dict(app.newest("keys")["keys"]))
        await press(pilot, "question_mark")
        await until(pilot, lambda: "d" not in dict(app.newest("keys")["keys"]))
        assert len(app.told) < 12


async def test_the_opponents_entry_is_shown_when_the_server_announces_it(
    demo_file: Path,
) -> None:
    app = Visited(demo_file, Side.MARINE)
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        before = await settled(pilot)
        other = OpenCampaign.open(demo_file)
        other.run_command("note", {"words": "I am at the table.", "side": None, "about": None})
        other.close()
        app.post_message(CampaignFileChanged())
        await shown(pilot, "I am at the table.")
        assert (await settled(pilot)).mark.rows == before.mark.rows + 1
        assert "Another window" not in screen_text(app)


async def test_entries_are_announced_to_the_server_but_reads_are_not(
    demo_file: Path,
) -> None:
    async with visited(demo_file, Side.MARINE) as (app, pilot):
        other = OpenCampaign.open(demo_file)
        other.run_command("note", {"words": "From afar.", "side": None, "about": None})
        other.close()
        app.post_message(CampaignFileChanged())
        await until(
            pilot,
            lambda: (
                app.session.current_snapshot.mark.rows == len(unrestricted_campaign(other).entries)
            ),
            "the entry",
        )
        assert app.stored == 0
        note = {"words": "From here.", "side": "marine", "about": None}
        app.perform(lambda desk: desk.run_command("note", note))
        await until(pilot, lambda: app.stored == 1, "word of the entry")


@pytest.mark.parametrize("seat", [Side.JAPANESE, None])
def test_the_title_says_that_the_opponent_must_answer(seat: Side | None, demo_file: Path) -> None:
    seen = look_from(OpenCampaign.open(played(demo_file, "15.602")), seat)
    assert window_title(seen).startswith("Marine player to answer")


async def test_the_screen_names_the_seat_and_its_own_key_of_the_palette(demo_file: Path) -> None:
    async with visited(demo_file, Side.JAPANESE, size=SMALL) as (app, pilot):
        assert "Japanese · CG III" in screen_text(app)
        assert app.key_text("everywhere.command_palette") == "F8"
        await press(pilot, "f8")
        await until_in_front(pilot, PaletteScreen)
        await press(pilot, "escape", "question_mark", *"palette")
        await until(pilot, lambda: "F8  :" in screen_text(app))
        assert "Ctrl+P" not in screen_text(app)


async def test_an_umpire_in_a_browser_can_send_and_receive_mail(
    demo_file: Path,
) -> None:
    app, before = Visited(demo_file, None), files_under(demo_file.parent)
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await settled(pilot)
        await press(pilot, "M", "a")
        await shown(pilot, "The text for the mail")
        [(name, (content, shows))] = app.downloads.items()
        assert (name, shows) == ("demo.brtmail", False)
        assert files_under(demo_file.parent) == before

        await press(pilot, "escape", "M", "r")
        await until_in_front(pilot, UploadScreen)
        assert app.newest("wants")["endings"] == (".brtmail",)
        app.post_message(FilesGiven([GivenFile(name, content)]))
        assert "Mail: demo.brtmail" in await shown(pilot, "you already have everything in it")

        await press(pilot, "escape", "M", "r")
        await until_in_front(pilot, UploadScreen)
        app.post_message(FilesGiven([GivenFile(name, b"nonsense")]))
        await shown(pilot, "demo.brtmail: not a brt-cg mail file")
        assert "/tmp" not in screen_text(app)


async def test_a_side_in_a_browser_sees_who_mails_the_campaign(demo_file: Path) -> None:
    """A mail holds the enemy's secrets, and says itself from which seat it comes."""
    async with visited(demo_file, Side.MARINE) as (app, pilot):
        await press(pilot, "M")
        await shown(pilot, "only the host sends and receives it")
        assert len(app.screen_stack) == 1
    assert app.downloads == {}
