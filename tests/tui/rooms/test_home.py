"""Home: recent campaigns, a new one, opening, the demo."""

import os
from pathlib import Path
from threading import Event

import pytest
from textual.pilot import Pilot
from textual.widgets import Input

from brt_cg.model.campaign import Campaign
from brt_cg.model.counters import Side
from brt_cg.model.records import Phase
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.service.unrestricted import unrestricted_campaign
from brt_cg.tui.app import BrtApp
from brt_cg.tui.dialogs.path import PathScreen, parse_typed_path
from brt_cg.tui.forms.screen import FormScreen
from brt_cg.tui.memory.recent import RecentCampaign, load_memory, memory_path
from brt_cg.tui.rooms.home.new_form import NewForm
from tests.exports.journals import squad
from tests.homes import set_documents
from tests.settings import count
from tests.tui.helpers import (
    MIDDLE,
    SMALL,
    same_as_golden,
    screen_lines,
    screen_text,
    settled,
    shown,
    until,
    words,
)
from tests.tui.moments import opened, press

WAYS_BY_NAME = ("New", "Open", "Import", "Mail", "Demo", "Guide")


def told(app: BrtApp) -> str:
    """The newest notice, which the screen would break into lines."""
    return [one.message for one in app._notifications][-1]


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "games"
    folder.mkdir()
    monkeypatch.chdir(folder)
    set_documents(monkeypatch, folder)


@pytest.mark.parametrize("size", [SMALL, MIDDLE], ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.posix  # its recent file has slashes
async def test_home_looks_as_expected(size: tuple[int, int]) -> None:
    memory = load_memory()
    memory.note_opened(RecentCampaign("/games/gone.brt", "Betio by mail", "CG I · 21 PM · setup"))
    app = BrtApp()
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        same_as_golden(app, f"home-{size[0]}x{size[1]}")


async def test_the_island_shrinks_for_the_actions_below_many_campaigns() -> None:
    memory = load_memory()
    for number in range(8):
        memory.note_opened(
            RecentCampaign(f"/games/{number}.brt", f"Betio {number}", "CG I · 21 PM · setup")
        )
    app = BrtApp()
    async with app.run_test(size=MIDDLE) as pilot:
        await pilot.pause()
        shown = screen_text(app)
        assert "Betio 0" in shown
        assert "Opens the example campaign" in shown
        assert "█" not in shown


@pytest.mark.parametrize("campaigns", [2, 6, 8])
async def test_recent_campaigns_hide_no_action_in_a_small_terminal(campaigns: int) -> None:
    memory = load_memory()
    for number in range(campaigns):
        path = f"/games/{'a long folder/' * 6}{number}.brt"
        memory.note_opened(RecentCampaign(path, f"Betio {number}", "CG I · 21 PM · setup"))
    app = BrtApp()
    async with app.run_test(size=SMALL) as pilot:
        await pilot.pause()
        lines = screen_lines(app)
    listed = [line for line in lines if "CG I · 21 PM · setup" in line]
    assert len(listed) == campaigns
    assert all(any(f" {way} " in line for line in lines) for way in WAYS_BY_NAME)


async def test_a_key_that_needs_a_campaign_says_so_where_none_is_open() -> None:
    app = BrtApp()
    async with app.run_test(size=SMALL, notifications=True) as pilot:
        for key, name in {"f": "Forces", "d": "Dashboard", "f7": "Export", "u": "Undo"}.items():
            await pilot.press(key)
            await pilot.pause()
            assert told(app) == f"{name}: open a campaign or begin a new one first."
        await pilot.press("ctrl+p", *"forces")
        await pilot.pause()
        assert told(app).startswith("Undo"), "a letter that is written says nothing"


async def test_a_recent_campaign_is_one_key_away_until_removed(
    demo_file: Path,
) -> None:
    async with opened(demo_file):
        pass
    again = BrtApp(seat=None)
    async with again.run_test(size=SMALL) as pilot:
        await pilot.pause()
        assert "Demo: Betio, 20 Nov 1943" in screen_text(again)
        await pilot.press("enter")
        assert (await settled(pilot)).path == demo_file
        assert again.current_mode == "dashboard"
        await press(pilot, "h", "x")
        assert "Demo: Betio, 20 Nov 1943" not in screen_text(again)
    assert load_memory().recent == []
    assert demo_file.is_file()


async def test_a_new_campaign_takes_players_points_and_rulings() -> None:
    app = BrtApp(seat=None)
    async with app.run_test(size=MIDDLE) as pilot:
        await pilot.press("N", "left", "down")  # CG II; the file's name
        await pilot.press("tab", *"Reef", "tab", *"Ann", "down", *"Bo", "enter")
        await pilot.press(*"24", "tab", *"26^2", "enter", "enter")  # no counters yet
        await pilot.pause(0.3)
        same_as_golden(app, "new-rulings-120x40")
        await pilot.press("down", "right", "enter")
        seen = await settled(pilot)
    view = seen.view
    assert (view.situation.cg, view.situation.name) == ("II", "Reef")
    assert (view.sides[Side.MARINE].player, view.sides[Side.JAPANESE].player) == ("Ann", "Bo")
    green = view.allotments["japanese/green"]
    assert (green.gpp, green.capp, green.exponent) == (24, 26, 2)
    assert view.ruling_value("R-HIDDEN-HS") == "recombine"


async def test_a_low_screen_shows_the_full_text_of_a_changed_ruling() -> None:
    app = BrtApp(seat=None)
    async with app.run_test(size=SMALL) as pilot:
        await pilot.press("N", *["enter"] * 3)
        await shown(pilot, "These 3 matter in CG III")
        await shown(pilot, "asked about 10 when they come up; the other 32 rarely")
        assert not app.screen.query("#R-GUN-SITES")
        await pilot.press("f6")
        await shown(pilot, "Do Passengers unload")
        for ruling in ("R-CVP-REFIT", "R-OCEAN-MOBILE", "R-FIRE-VEHICLES", "R-GUN-SITES"):
            app.screen.query_one(f"#{ruling}").focus()
            await pilot.press("right")
        await until(pilot, lambda: "only those of a Massacre" in words(screen_text(app)))
        said = words(screen_text(app).replace("│", ""))
    assert "Does the program check SSR BRT6 and T8.1, wh… ‹ yes ›" in said
    source = "we had only excerpts of both; check your rulebook"
    assert f"{source}; confidence: medium; 15.6141" in said


async def test_points_of_the_card_are_typed_by_column_and_invalid_ones_reported() -> None:
    app = BrtApp(seat=None)
    async with app.run_test(size=SMALL, notifications=True) as pilot:
        await pilot.press("N", "enter", *"many", "down", "enter")  # back to what is wrong
        await pilot.pause()
        form = app.screen
        assert isinstance(form, FormScreen)
        assert "2 of 4" in screen_text(app)
        assert '✗ "many" is not accepted' in screen_text(app)
        await pilot.press("ctrl+u", "1", "down", "2", "tab", *"3^1", "up", *"4^1")
        rows = {field.label for field in form.page.fields}
        await pilot.press(*["down"] * (len(rows) - 2), *"30")  # past Island, without CAPP
    given = {name: words for name, words in form.typed.items() if "." in name and words}
    japanese = {"green.gpp": "1", "green.capp": "4^1", "red_one.gpp": "2", "red_one.capp": "3^1"}
    assert given == japanese | {"marine.fpp": "30"}


@pytest.mark.parametrize("game", ["I", "II", "III"])
async def test_typed_values_make_a_new_campaign(game: str) -> None:
    form = NewForm()
    typed = {"cg": game}
    for page in form.pages(typed):
        typed = {field.name: field.value for field in page.fields} | typed
    first = next(name for name in typed if name.endswith(".gpp"))
    desk = OpenCampaign.open(await form.submit(typed | {first: "24", "marine.fpp": "30"}))
    assert unrestricted_campaign(desk).campaign.situation.cg == game
    given = {
        of: (made.gpp, made.fpp)
        for of, made in unrestricted_campaign(desk).campaign.allotments.items()
    }
    assert given == {f"japanese/{first.removesuffix('.gpp')}": (24, 0), "marine": (0, 30)}
    desk.close()


async def test_an_existing_file_is_not_overwritten() -> None:
    app = BrtApp(seat=None)
    async with app.run_test(size=SMALL, notifications=True) as pilot:
        await pilot.press("N")
        Path("tarawa.brt").write_text("mine", "utf-8")
        await until(pilot, lambda: "the game" in screen_text(app))
        await pilot.press("enter")
        await until(pilot, lambda: "already exists" in words(screen_text(app)))
    assert Path("tarawa.brt").read_text("utf-8") == "mine"


async def test_a_failed_new_campaign_keeps_the_text_and_reports_the_file() -> None:
    app = BrtApp(seat=None)
    async with app.run_test(size=SMALL, notifications=True) as pilot:
        await pilot.press("N", "down")
        app.screen.query_one("#file", Input).value = "a" * 252  # pasted
        await pilot.press("tab", *"Reef", "enter")
        await shown(pilot, "2 of 4")
        await pilot.press("2", "enter")
        await shown(pilot, "3 of 4")
        await pilot.press("enter")
        await shown(pilot, "4 of 4")
        await pilot.press("enter")  # SQLite's journal beside it has too long a name
        assert "✗" in await shown(pilot, "1 of 4")
        form = app.screen
        assert isinstance(form, FormScreen)
        assert form.focused is not None
        assert form.focused.name == "file"
        assert "the file cannot be opened" in words(screen_text(app))
        assert (form.typed["name"], form.typed["green.gpp"]) == ("Reef", "2")
        await pilot.press("ctrl+u", *"reef.brt", *["enter"] * 4)
        await settled(pilot)
    assert (
        unrestricted_campaign(OpenCampaign.open(Path("reef.brt"))).campaign.situation.name == "Reef"
    )


async def test_a_read_only_folder_is_refused_while_typing_the_file(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("os.access", lambda *_: False)
    judged = await NewForm().validate({"file": "tarawa.brt"}, 0)
    refused = f"{Path.cwd() / 'tarawa.brt'}: you may not write in the folder {Path.cwd()}"
    wrong = f"{refused}; choose another folder"
    assert judged.problems == {"file": wrong}


async def test_a_file_is_opened_by_name_and_a_folder_is_refused(demo_file: Path) -> None:
    app = BrtApp(seat=None)
    async with app.run_test(size=SMALL, notifications=True) as pilot:
        await pilot.press("O", "enter")
        await pilot.pause()
        assert told(app).endswith("is a folder: choose a file in it that ends in .brt or .brtmail")
        app.clear_notifications()
        await pilot.press(*"x", "enter")
        await pilot.pause()
        assert told(app).startswith("There is no ")
        app.clear_notifications()
        field = app.screen.query_one(Input)
        before, field.value = field.value, "a" * 5000  # pasted
        await pilot.press("enter")
        await pilot.pause()
        assert told(app).endswith("File name too long") or os.name == "nt"
        assert isinstance(app.screen, PathScreen)
        field.value = before
        await pilot.press("end", "ctrl+u", *"../demo.brt", "enter")
        assert (await settled(pilot)).view.situation.cg == "III"


@pytest.mark.parametrize(
    ("typed", "why"), [("a" * 5000, "File name too long"), ("~no-such-player/x", "home directory")]
)
@pytest.mark.posix
async def test_an_inaccessible_path_is_refused(typed: str, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        parse_typed_path(typed)
    judged = await NewForm().validate({"file": typed}, 0)
    assert why in judged.problems["file"]


@pytest.mark.parametrize(("endings", "will_do"), [((".json", ".csv"), True), ((".brt",), False)])
async def test_a_folder_of_tables_can_be_imported(
    tmp_path: Path, endings: tuple[str, ...], will_do: bool
) -> None:
    (tmp_path / "units.csv").write_text("id\n", "utf-8")
    app = BrtApp(seat=None)
    async with app.run_test(size=SMALL) as pilot:
        await app.push_screen(PathScreen("Import", "A file.", endings, tmp_path))
        await pilot.pause()
        await pilot.press("enter")
        await pilot.pause()
        assert isinstance(app.screen, PathScreen) is not will_do


async def test_a_full_path_or_address_may_be_typed_after_the_folder(
    tmp_path: Path,
) -> None:
    for name in ("here.brt", "~here.brt"):
        (tmp_path / name).touch()
    address = "postgresql://club.example/games?campaign=two"
    app = BrtApp(seat=None)
    async with app.run_test(size=SMALL):
        screen = PathScreen("Open", "A file.", (".brt",), Path("/tmp"))
        for whole in (address, str(tmp_path / "here.brt")):
            assert (
                str(screen._place(whole))
                == str(screen._place(screen.initial_folder + whole))
                == whole
            )
        screen = PathScreen("Open", "A file.", (".brt",), tmp_path)
        assert screen._place(str(tmp_path / "~here.brt")) == tmp_path / "~here.brt"


async def test_a_file_that_is_not_a_campaign_leads_back_home() -> None:
    Path("notes.txt").write_text("not a campaign", "utf-8")
    app = BrtApp(Path("notes.txt"), seat=None)
    async with app.run_test(size=SMALL, notifications=True) as pilot:
        await until(pilot, lambda: app.current_mode == "home")
        await shown(pilot, "Not possible")


async def test_the_demo_is_the_last_row() -> None:
    app = BrtApp(seat=None)
    async with app.run_test(size=SMALL) as pilot:
        await pilot.press("end", "enter")
        seen = await settled(pilot)
        assert Path("brt-demo/demo.brt").is_file()
        assert seen.view.situation.phase is Phase.REFIT


async def test_the_first_frame_shows_the_campaign(
    demo_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("brt_cg.tui.app.READ_FIRST", 60)
    painted: list[str] = []
    app = BrtApp(demo_file, seat=None)
    monkeypatch.setattr(app, "_display", lambda *_: painted.append(screen_text(app)))
    async with app.run_test(size=SMALL) as pilot:
        await settled(pilot)
    assert painted
    assert all("Total" in frame for frame in painted)


async def test_a_slow_campaign_shows_a_wait_screen(
    demo_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    waited_for = Event()

    def read(path: Path, backs_up: bool) -> None:
        waited_for.wait()
        raise OSError("stop here")

    monkeypatch.setattr("brt_cg.tui.session.campaign_app.read_campaign", read)
    app = BrtApp(demo_file, seat=None)
    async with app.run_test(size=SMALL) as pilot:
        assert "Reading the campaign" in screen_text(app)
        waited_for.set()
        await shown(pilot, "A new campaign")


def test_damaged_recent_files_are_ignored() -> None:
    path = memory_path()
    path.parent.mkdir(parents=True, exist_ok=True)
    for spoilt in ("{", "[]", '{"theme": 3, "recent": [{"path": 4}, 5]}', '{"recent": {}}'):
        path.write_text(spoilt, "utf-8")
        memory = load_memory()
        assert (memory.theme, memory.recent) == (None, [])


async def to_the_first_scenario(pilot: Pilot[int]) -> Campaign:
    """Plays a new campaign without Marine points, as keys lead on; the campaign then."""
    await pilot.press("r", "enter", "y")
    for _ in range(20):
        seen = await settled(pilot)
        if seen.view.situation.phase is Phase.SCENARIO:
            break
        await pilot.press(*(["enter"] if seen.ask is None else ["g", "end", "enter"]))
        await pilot.pause(0.1)
    assert seen.view.situation.phase is Phase.SCENARIO
    assert "scenario" in screen_text(pilot.app).lower()  # type: ignore[arg-type]
    return seen.view


async def test_a_new_campaign_reaches_its_first_scenario_by_keys_alone() -> None:
    app = BrtApp(seat=None)
    async with app.run_test(size=MIDDLE) as pilot:
        await pilot.press("N", "enter", "enter", "enter", "enter")
        view = (await settled(pilot)).view
        assert Path("tarawa.brt").is_file()
        assert (view.situation.cg, view.situation.phase) == ("III", Phase.PURCHASE)
        # SAN and ELR of both sides, as the Dashboard leads on to them.
        await pilot.press("enter", "right", "enter", "4", "down", "5", "enter")
        await settled(pilot)
        await pilot.press("down", "down", "down", "enter", "5", "down", "4", "enter")
        await settled(pilot)
        # The order of battle: seven squads of each side.
        await pilot.press("d", "enter", "right", "right")
        await pilot.press("enter", *"7 x 768", "enter", "enter")
        await settled(pilot)
        await pilot.press(*["down"] * 4, "enter", *"7 x 447", "enter", "enter")
        view = (await settled(pilot)).view
        sides = [(view.sides[side].san, view.sides[side].elr) for side in Side]
        assert sides == [(4, 5), (5, 4)]
        made = sorted((unit.side, unit.type) for unit in view.units.values())
        assert made == [(Side.JAPANESE, "4-4-7")] * 7 + [(Side.MARINE, "7-6-8")] * 7
        assert len((await to_the_first_scenario(pilot)).units) == 14


@pytest.mark.parametrize("game", ["I", "II"][: count(1, 2)])
async def test_the_other_games_reach_their_first_scenario(game: str, tmp_path: Path) -> None:
    path = tmp_path / f"{game}.brt"
    desk = OpenCampaign.create(path, {"cg": game, "allotments": None})
    squads = [squad("m-sq-1", "N20"), squad("j-sq-1", "M40")]
    document = {"format": "brt-cg/state", "version": 1, "units": squads}
    desk.run_command("reinforce", {"state": document, "source": "oob.json"})
    desk.close()
    async with opened(path, size=MIDDLE) as (_, pilot):
        assert len((await to_the_first_scenario(pilot)).units) == 2


async def test_the_demo_starts_with_an_introduction_and_one_key(
    demo_file: Path,
) -> None:
    app = BrtApp(demo_file, tour=True)
    async with app.run_test(size=SMALL) as pilot:
        await settled(pilot)
        assert app.session.seat is None, "nobody is asked for his seat"
        told = [line.strip(" ▌") for line in screen_lines(app) if line.startswith(" ▌")]
        assert told == [
            "A demo on Betio, November 1943: the scenario of 20 PM has been played.",
            "Now the Refit Phase: who rallies, what is repaired, what can be bought.",
            "Press Enter: it begins, one question at a time.",
        ]
        await press(pilot, "m", "d")
        assert told[0] in screen_text(app), "another key is not that key"
        await press(pilot, "r", "d")
        assert told[0] not in screen_text(app)
        assert "Press Enter: Begin the Refit Phase" in screen_text(app)


async def test_the_seat_question_shows_nothing_of_the_previous_campaign(
    demo_file: Path,
) -> None:
    app = BrtApp(demo_file)
    async with app.run_test(size=SMALL) as pilot:
        await shown(pilot, "Which seat?")
        await press(pilot, "u")
        await press(pilot, "h")
        await pilot.press("N")
        for page in range(1, 5):
            await shown(pilot, f"{page} of 4")
            await pilot.press("enter")
        await shown(pilot, "Which seat?")
        assert "secret)" not in await shown(pilot, "Reading the campaign")
        assert "Begin the Refit Phase" not in screen_text(app)


async def test_the_demo_explains_the_keys_at_its_first_question_of_each_kind(
    demo_file: Path,
) -> None:
    app = BrtApp(demo_file, tour=True)
    async with app.run_test(size=SMALL) as pilot:
        await settled(pilot)
        await press(pilot, "enter")
        await press(pilot, "enter")  # the rulings, as they are
        assert "Demo: Enter opens a Melee. Type x34 if" in words(screen_text(app))
        for key in "cy":
            await press(pilot, key)
        told = words(screen_text(app))
        assert "Demo: " in told
        assert "Melee. Type" not in told
        seen = await settled(pilot)
        await press(pilot, "d")
        await press(pilot, "r")
        assert (await settled(pilot)).asked == seen.asked
        assert "Demo: " in words(screen_text(app)), "until the question is answered"


async def test_another_campaign_has_no_first_steps(demo_file: Path) -> None:
    async with opened(demo_file, size=SMALL) as (app, pilot):
        await press(pilot, "enter")
        await press(pilot, "enter")
        assert "Demo: Enter" not in screen_text(app)
