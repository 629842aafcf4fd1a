"""Mail on the screen: two players in two homes, each with his file and his program's memory."""

import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.widgets import Input

from brt_cg.model.counters import Side
from brt_cg.model.seat import Seat
from brt_cg.service import mail
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.service.unrestricted import unrestricted_campaign
from brt_cg.tui.app import BrtApp
from brt_cg.tui.dialogs.text_boxes import LetterScreen
from tests.tui.helpers import SMALL, screen_text, settled, shown, until, words
from tests.tui.moments import played, press

MARINE, JAPANESE = Side.MARINE, Side.JAPANESE


@asynccontextmanager
async def window(path: Path | None, seat: Side | None = None, **how: Any) -> AsyncIterator[Any]:
    app = BrtApp(path, seat=seat, **how)
    async with app.run_test(size=SMALL, notifications=True) as pilot:
        if path is not None:
            await settled(pilot)
        else:
            await shown(pilot, "New")
        yield app, pilot


@pytest.fixture
def theirs(demo_file: Path) -> Path:
    """The Japanese player's copy, in another folder."""
    folder = demo_file.parent / "theirs"
    folder.mkdir()
    return Path(shutil.copy(played(demo_file, "15.602"), folder / "theirs.brt"))


def mailed(path: Path, seat: Seat, *does: Any, whole: bool = False) -> Path:
    """The mail of a player after he has done something."""
    desk = OpenCampaign.open(path)
    desk.set_seat(seat)
    for each in does:
        each(desk)
    made = path.with_suffix(".brtmail")
    mail.write_mail_file(desk, made, seat, whole, force=True)
    desk.close()
    return made


def notes(text: str) -> Any:
    return lambda desk: desk.run_command("note", {"words": text, "side": None, "about": None})


def answers(typed: str) -> Any:
    def enter(desk: OpenCampaign) -> None:
        desk.set_seat(None)
        desk.answer_typed(typed)

    return enter


async def says(pilot: Pilot[int], told: str) -> None:
    app = pilot.app
    assert isinstance(app, BrtApp)
    await until(pilot, lambda: told in words(screen_text(app)), told)


def noticed(app: BrtApp) -> str:
    """The notices that are shown."""
    return "\n".join(notice.message for notice in app._notifications)


def receive(path: Path) -> list[str]:
    """The keys that choose a file to receive, whatever folder is proposed."""
    return ["ctrl+u", *str(path), "enter"]


async def test_a_mail_with_new_entries_has_a_text_to_copy(demo_file: Path) -> None:
    async with window(demo_file, MARINE) as (app, pilot):
        await press(pilot, "M")
        assert "Enter early answers before you send (E)" in words(screen_text(app))
        await press(pilot, "s", "enter")
        await shown(pilot, "The text for the mail")
        assert isinstance(app.screen, LetterScreen)
        assert "open brt-cg, press M, then r." in app.screen.letter
        assert "Or run the command brt-cg receive" in app.screen.letter
        await press(pilot, "Y")
        assert app.clipboard == app.screen.letter
        assert (demo_file.parent / "demo-marine.brtmail").exists()


async def test_a_mail_is_received_and_its_entries_are_shown(demo_file: Path, theirs: Path) -> None:
    came = mailed(theirs, Seat.JAPANESE, notes("greetings from home"), whole=True)
    async with window(demo_file, MARINE) as (_, pilot):
        await press(pilot, "M", "r", *receive(came))
        told = await shown(pilot, "It continues your campaign")
        assert "greetings from home" in told
        await press(pilot, "escape")
        assert "greetings" in str((await settled(pilot)).log[-1])


async def test_umpire_entries_are_accepted_if_the_player_confirms_them(
    demo_file: Path, theirs: Path
) -> None:
    def correct(desk: OpenCampaign) -> None:
        desk.run_command("edit", {"id": "m-sq-1", "set": {"name": "Theirs"}, "reason": "misread"})

    came = mailed(theirs, Seat.UMPIRE, correct, whole=True)
    async with window(demo_file, MARINE) as (app, pilot):
        await pilot.press("M", "r", *receive(came))
        await until(pilot, lambda: "Japanese seat may not enter" in noticed(app))
        assert (
            unrestricted_campaign(OpenCampaign.open_read_only(demo_file))
            .campaign.units["m-sq-1"]
            .name
            != "Theirs"
        )
        await press(pilot, "M", "u", *receive(came))
        await shown(pilot, "It continues your campaign")
        assert "checked against" in noticed(app)
        assert (
            unrestricted_campaign(OpenCampaign.open_read_only(demo_file))
            .campaign.units["m-sq-1"]
            .name
            == "Theirs"
        )


@pytest.mark.parametrize("begun", [True, False])
async def test_a_mail_received_at_home_finds_or_creates_its_campaign(
    demo_file: Path, theirs: Path, begun: bool
) -> None:
    came = mailed(theirs, Seat.JAPANESE, notes("greetings from home"), whole=True)
    theirs.unlink()
    if begun:
        shutil.copy(demo_file, theirs.with_name("mine.brt"))
    async with window(None, MARINE) as (_, pilot):
        await pilot.press("M")
        await shown(pilot, "Receive")
        await pilot.press(*receive(came))
        if not begun:
            await says(pilot, "holds a campaign that is not here yet")
            await pilot.press("enter")
        seen = await settled(pilot)
        assert seen.path == theirs.with_name("mine.brt" if begun else "theirs.brt")
        if begun:
            assert "greetings from home" in await shown(pilot, "It continues your campaign")


async def test_waiting_for_the_opponent_leads_to_the_mail_form(demo_file: Path) -> None:
    async with window(played(demo_file, "15.606"), JAPANESE) as (app, pilot):
        assert "15.607 asks the Marines: change seats" in words(screen_text(app))
        await press(pilot, "M", "s", "enter")
        await press(pilot, "escape", "r")
        assert "M Send your news, or receive your opponent's" in words(screen_text(app))
        assert "Enter: answer" not in screen_text(app)
        await press(pilot, "d")
        told = "15.607 asks the Marines: send your news, or receive your opponent's"
        assert told in words(screen_text(app))
        own = demo_file.parent / "demo-japanese.brtmail"
        came = shutil.copy(own, demo_file.parent / "demo-marine.brtmail")
        await press(pilot, "enter", "r")
        assert app.screen.query_one(Input).value == str(came)


async def test_a_campaign_begun_from_a_mail_offers_the_other_seat(
    demo_file: Path, tmp_path: Path
) -> None:
    came = mailed(demo_file, Seat.MARINE, whole=True).rename(tmp_path / "tarawa-marine.brtmail")
    demo_file.unlink()
    app = BrtApp(mail=came)
    async with app.run_test(size=SMALL) as pilot:
        await says(pilot, "holds a campaign that is not here yet")
        await pilot.press("enter")
        await shown(pilot, "Which seat?")
        await pilot.press("enter")
        seen = await settled(pilot)
        assert seen.seat is JAPANESE
        assert seen.path == tmp_path / "tarawa.brt"


async def test_the_program_can_be_opened_with_a_mail(demo_file: Path, theirs: Path) -> None:
    came = mailed(theirs, Seat.JAPANESE, notes("greetings from home"), whole=True)
    async with window(demo_file, MARINE, mail=came) as (_, pilot):
        assert "greetings from home" in await shown(pilot, "It continues your campaign")


@pytest.mark.parametrize(
    ("key", "goes_on"),
    [("m", "You keep your campaign"), ("t", "You use the campaign in the mail")],
)
async def test_the_player_chooses_at_a_fork(
    demo_file: Path, theirs: Path, key: str, goes_on: str
) -> None:
    came = mailed(theirs, Seat.UMPIRE, answers("stay"), whole=True)
    mailed(demo_file, Seat.UMPIRE, answers("unload"))
    before = demo_file.read_bytes()
    async with window(demo_file, MARINE) as (_, pilot):
        await press(pilot, "M", "r", *receive(came))
        told = words(await shown(pilot, "You have both continued"))
        assert "in yours: " in told
        assert "brt-cg receive" not in told
        await press(pilot, "n")
        assert demo_file.read_bytes() == before
        await press(pilot, "M", "r", *receive(came))
        await shown(pilot, "You have both continued")
        await press(pilot, key)
        assert "is kept as " in await shown(pilot, goes_on)


async def test_a_wrong_mail_or_unknown_campaign_is_reported(
    demo_file: Path, theirs: Path, new_file: Path
) -> None:
    desk = OpenCampaign.open(new_file)
    mail.write_mail_file(desk, path := new_file.with_suffix(".brtmail"), Seat.MARINE)
    desk.run_command("note", {"words": "known to both", "side": None})
    desk.close()
    new_file.unlink()
    broken = demo_file.with_name("broken.brtmail")
    broken.write_bytes(b"no mail")
    async with window(demo_file, MARINE) as (app, pilot):
        await pilot.press("M", "r", *receive(broken))
        assert "not a brt-cg mail file" in noticed(app)
        await press(pilot, "M", "r", *receive(path))
        await says(pilot, "holds a campaign that is not here yet")


async def test_the_first_entry_after_a_mail_gives_a_warning(demo_file: Path) -> None:
    async with window(demo_file, MARINE) as (app, pilot):
        await press(pilot, "M", "s", "enter")
        await shown(pilot, "The text for the mail")
        await press(pilot, "escape")
        app.perform(lambda desk: desk.continue_play() and desk.answer_typed("none"))
        await says(pilot, "this campaign has been sent")


async def test_the_windows_title_says_whose_turn_it_is(
    demo_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with window(demo_file, MARINE) as (app, pilot):
        written: list[str] = []
        monkeypatch.setattr(app._driver, "write", written.append)
        app.perform(lambda desk: desk.continue_play())
        await settled(pilot)
        assert written == ["\x1b]2;Your turn · Demo: Betio, 20 Nov 1943 · Marine\x07"]
        app.perform(lambda desk: None)
        await settled(pilot)
        assert len(written) == 1


async def test_a_discontinued_file_can_be_accepted_with_a_key(
    demo_file: Path,
) -> None:
    before = demo_file.read_bytes()
    async with window(demo_file, MARINE) as (app, pilot):
        app.perform(lambda desk: desk.run_command("note", {"words": "gone", "side": None}))
        await settled(pilot)
    demo_file.write_bytes(before)
    for accepts in (True, False):
        async with window(demo_file, MARINE) as (app, pilot):
            if not accepts:
                assert "is not a continuation" not in noticed(app)
                await pilot.press("T")
                await until(pilot, lambda app=app: "nothing to accept" in noticed(app))
                continue
            assert "is not a continuation of the campaign last seen" in noticed(app)
            assert "T accepts it as it is" in noticed(app)
            await press(pilot, "T")
            await shown(pilot, "Accept the file as it is?")
            await pilot.press("y")
            await until(pilot, lambda app=app: "Accepted as it is." in noticed(app))
