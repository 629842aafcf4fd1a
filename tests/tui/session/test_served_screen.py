"""What a served screen may do: its own seat of its own campaign, and nothing of the machine's."""

from pathlib import Path

import pytest

from brt_cg.model.counters import Side
from brt_cg.questions.question_types import RollQuestion
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.storage.errors import StorageError
from brt_cg.tui import app as app_module
from brt_cg.tui.app import BrtApp
from brt_cg.tui.keys.actions import ACTIONS, EVERYWHERE
from brt_cg.tui.look.themes import OURS
from brt_cg.tui.session import CANNOT_OPEN
from brt_cg.tui.session.campaign_app import without_folders
from tests.tui.helpers import MIDDLE, screen_text, settled, until
from tests.tui.moments import opened, played


async def test_a_served_screen_stays_with_its_campaign_and_its_seat(demo_file: Path) -> None:
    async with opened(demo_file, Side.MARINE, served=True) as (app, pilot):
        for key in ("s", "h", "B", "d"):
            await pilot.press(key)
        await app.run_action("home")  # as a click on its name does
        seen = await settled(pilot)
        assert (seen.seat, app.current_mode) == (Side.MARINE, "dashboard")
        assert len(app.screen_stack) == 1


async def test_leaving_a_screen_right_after_a_change_does_not_crash(
    demo_file: Path,
) -> None:
    async with opened(demo_file, Side.MARINE, served=True) as (app, _):
        pass
    assert app._around is not None
    app._around._tell()


async def test_a_visitor_has_the_default_keys_not_the_hosts(
    demo_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = demo_file.with_name("keys.toml")
    own.write_text('[everywhere]\nforces = "Q"\n')
    monkeypatch.setattr(app_module, "keys_path", lambda: own)
    for served, key in ((True, "f"), (False, "Q")):
        async with opened(demo_file, Side.MARINE, served=served) as (app, _):
            assert app.key_text("everywhere.forces") == key


async def test_a_visitor_has_his_own_theme(
    demo_file: Path,
) -> None:
    usual = OURS[0].name
    for served, seat, theme in (
        (False, Side.MARINE, "nord"),
        (True, Side.MARINE, OURS[1].name),
        (True, Side.JAPANESE, usual),
    ):
        app = BrtApp(demo_file, served=served, seat=seat)
        assert app.theme == usual
        async with app.run_test(size=(80, 24)) as pilot:
            await settled(pilot)
            app.theme = theme
            await settled(pilot)
    for served, theme in ((False, "nord"), (True, OURS[1].name)):
        assert BrtApp(demo_file, served=served, seat=Side.MARINE).theme == theme


async def test_a_fixed_seat_is_not_told_to_change_seats(tmp_path: Path) -> None:
    path = tmp_path / "new.brt"
    desk = OpenCampaign.create(path, {"cg": "III"})
    squad = {"id": "j", "side": "japanese", "kind": "squad", "class": "elite"}
    state = {"format": "brt-cg/state", "version": 1, "units": [squad]}
    desk.run_command("reinforce", {"state": state})
    desk.play_to_question()
    desk.close()
    for served in (False, True):
        async with opened(path, Side.MARINE, size=MIDDLE, served=served) as (app, _):
            shown = screen_text(app)
            assert "The Japanese have a secret decision to make" in shown
            assert ("Press Enter:" in shown, "change seats" in shown) == (not served, not served)
            assert ("h Home" in shown) is not served


async def test_a_player_on_his_own_screen_cannot_answer_for_the_enemy(
    demo_file: Path,
) -> None:
    for seat, answers in ((Side.JAPANESE, False), (Side.MARINE, True)):
        app = BrtApp(played(demo_file, "15.602"), served=True, seat=seat)
        async with app.run_test(size=(120, 40)) as pilot:
            await pilot.press("r")
            before = await settled(pilot)
            assert before.ask is not None
            assert (before.ask.side, isinstance(before.ask, RollQuestion)) == (Side.MARINE, False)
            assert before.ask.prompt.split(":")[0] in screen_text(app)
            assert ("continues by itself" in screen_text(app)) is not answers
            for key in ("g", "down", "enter"):
                await pilot.press(key)
                await settled(pilot)
            assert ((await settled(pilot)).mark.rows > before.mark.rows) is answers


async def test_a_seat_that_may_not_decide_is_not_told_to_press_enter(demo_file: Path) -> None:
    for served, told in (
        (True, "decides this."),
        (False, "decides this; answer it only if you both"),
    ):
        app = BrtApp(played(demo_file, "15.602"), served=served, seat=Side.JAPANESE)
        async with app.run_test(size=(120, 40), notifications=True) as pilot:
            await pilot.press("r", app.key_text("refit.go_on"))
            await settled(pilot)
            assert f"Your opponent {told}" in screen_text(app)
            assert "by defaults" not in screen_text(app)


async def test_the_palette_of_a_served_screen_offers_no_local_actions(
    demo_file: Path,
) -> None:
    async with opened(demo_file, Side.MARINE, served=True) as (app, _):
        for action in ACTIONS:
            if action.machine:
                check = app if action.place == EVERYWHERE else app.screen
                place = getattr(app.screen, "PLACE", None)
                if action.place in (EVERYWHERE, place):
                    assert not check.check_action(action.name, ())


async def test_a_campaign_that_cannot_be_read_ends_the_screen(tmp_path: Path) -> None:
    path = tmp_path / "broken.brt"
    path.write_bytes(b"not a campaign")
    app = BrtApp(path, served=True, seat=Side.MARINE)
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: app.return_value is not None)
        assert (app.return_value, app.current_mode) == (CANNOT_OPEN, "dashboard")


async def test_a_visitor_sees_no_folder_of_the_host(demo_file: Path) -> None:
    async with opened(demo_file, Side.MARINE, served=True) as (app, pilot):
        demo_file.rename(demo_file.with_name("away.brt"))
        app.report_error(StorageError(f"{demo_file}: there is no such file"))
        await until(pilot, lambda: len(app._notifications) > 0)
        assert {notice.message for notice in app._notifications} == {
            f"{demo_file.name}: there is no such file"
        }


@pytest.mark.posix
@pytest.mark.parametrize(
    "words",
    [
        "{file}: the disk is full",
        "{file}: you may not write in the folder {folder}",
        "{folder}/c.backups: Permission denied",
        "there is no folder {folder}",
        "{real}/c.backups: Permission denied",
        "/root/.local/state/brt-cg/exported.json: the disk is full",
        "C:\\Users\\Bill\\Games\\c.brt: the disk is full",
        "not stored (~/games/tarawa/c.brt)",
    ],
)
def test_no_text_names_a_folder_of_the_host(words: str, tmp_path: Path) -> None:
    """However the folder is spelled: as it was typed, or where its link leads."""
    real = tmp_path / "really here"
    real.mkdir()
    folder = tmp_path / "my games"
    folder.symlink_to(real)
    told = words.format(file=folder / "c.brt", folder=folder, real=real)
    fit = without_folders(told, folder / "c.brt")
    theirs = ("my games", "really here", "root", "Bill", "games/", str(tmp_path))
    assert [part for part in theirs if part in fit] == []
    assert ("c.brt" in told) is ("c.brt" in fit)


@pytest.mark.parametrize("words", ["N21/N22 is on fire; 1/2 squad", "and/or: see 15.6/3", "a / b"])
def test_a_slash_in_game_text_is_kept(words: str, tmp_path: Path) -> None:
    assert without_folders(words, tmp_path / "c.brt") == words


@pytest.mark.parametrize("name", ["home", "seat", "backups"])
def test_actions_that_need_the_local_machine_are_marked(name: str) -> None:
    assert all(
        action.machine for action in ACTIONS if action.name == name and action.place != "home"
    )
