"""Drafts of two windows of one seat are joined, and outlive the program and the file's name."""

import errno
from pathlib import Path

import pytest

from brt_cg import files
from brt_cg.model.counters import Side
from brt_cg.model.seat import seat_of_side
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.service.saved_notes import SavedNotes
from brt_cg.service.setup_answers import SetupAnswers
from brt_cg.service.tick_sheet import load_tick_sheet
from brt_cg.storage.place import canonical_place
from brt_cg.tui.answering.answer_list import AnswerList
from brt_cg.tui.memory.recent import Memory, load_memory
from tests.tui.helpers import look_from, screen_text, settled, shown
from tests.tui.moments import in_refit, opened, played, press, to_room
from tests.tui.question.test_one_list import standing_at

MARINE = Side.MARINE


def placed(path: Path) -> tuple[OpenCampaign, SetupAnswers]:
    """A window at the setup of the Marines."""
    desk = OpenCampaign.open(path)
    desk.set_seat(seat_of_side(MARINE))
    placings = SetupAnswers(desk)
    placings.carry_over_to_reopened_question(desk)
    return desk, placings


def place(desk: OpenCampaign, placings: SetupAnswers, *ids: str) -> None:
    noted = placings.answers_to(desk.view().question_identity)
    assert noted is not None
    placings.store(noted.with_changes(dict.fromkeys(ids, ("N19",))), desk.view().question_identity)


def given(desk: OpenCampaign, placings: SetupAnswers) -> set[str]:
    noted = placings.answers_to(desk.view().question_identity)
    return set(noted.given) if noted is not None else set()


def test_locations_given_in_two_windows_are_all_kept(at_setup: Path) -> None:
    one, other = placed(at_setup), placed(at_setup)
    place(*one, "m-sq-8")
    place(*other, "m-sq-9")
    assert given(*other) == {"m-sq-8", "m-sq-9"}
    assert one[1].merge_saved()
    assert given(*one) == given(*other)
    assert not one[1].merge_saved(), "nothing is new"
    assert given(*placed(at_setup.rename(at_setup.with_name("another.brt")))) == given(*one)


def test_locations_of_another_campaign_are_not_used(at_setup: Path, new_file: Path) -> None:
    place(*placed(at_setup), "m-sq-8")
    other = OpenCampaign.create(at_setup.with_name("other.brt"), {"cg": "III"})
    other.set_seat(seat_of_side(MARINE))
    placings = SetupAnswers(other)
    placings.carry_over_to_reopened_question(other)
    assert placings.answers_to(other.view().question_identity) is None


def test_ticks_survive_a_renamed_file_and_version_1_0(demo_file: Path) -> None:
    seen = look_from(OpenCampaign.open(played(demo_file, None)), None)
    old = files.state_file_path("ticks", f"umpire {canonical_place(demo_file)}")
    stands_for = {"date": seen.view.situation.date, "begun": seen.begun}
    SavedNotes(old, stands_for).save(ticks={"m-sq-8": {"broken": ""}})
    sheet = load_tick_sheet(seen)
    assert sheet.ticks == {"m-sq-8": {"broken": ""}}
    assert not sheet.merge_saved(), "they stay"
    sheet.ticks["m-sq-9"] = {"broken": ""}
    sheet.save()
    away = demo_file.rename(demo_file.with_name("another.brt"))
    assert load_tick_sheet(look_from(OpenCampaign.open(away), None)).ticks.keys() == {
        "m-sq-8",
        "m-sq-9",
    }


async def test_a_full_disk_is_reported_and_the_ticks_are_kept(
    demo_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    played(demo_file, None)
    async with opened(demo_file, None, "scenario_end", notifications=True) as (app, pilot):
        monkeypatch.setattr(files, "write_atomically", full)
        await press(pilot, "down", "down", "y")
        await app._catch_up()
        await shown(pilot, "cannot be kept")
        app.screen.merge_ticks_of_other_window()  # type: ignore[attr-defined]
        assert len(app.screen.ticks) == 1  # type: ignore[attr-defined]


async def test_a_list_of_answers_survives_q(demo_file: Path) -> None:
    standing_at(demo_file, "15.6131", "Recall")
    async with in_refit(demo_file) as (app, pilot):
        await settled(pilot)
        await press(pilot, "down", "down", "enter", "enter")
    async with in_refit(demo_file) as (app, pilot):
        await settled(pilot)
        answers = app.screen.query_one(AnswerList).answers
        assert answers is not None
        assert len(answers.given) == 2
        assert "Continue with the 2 of 11" in " ".join(screen_text(app).split())
    async with in_refit(demo_file, MARINE) as (app, pilot):
        await settled(pilot)
        left = app.screen.query_one(AnswerList).answers
        assert left is None or not left.given, "another seat has its own"


async def test_text_typed_for_a_question_survives_q_for_its_own_seat(demo_file: Path) -> None:
    played(demo_file, "15.6121")
    async with in_refit(demo_file, MARINE) as (app, pilot):
        await settled(pilot)
        for key in "15":
            await press(pilot, key)
        assert app.screen.query_one(AnswerList).entry.value == "15"
    async with in_refit(demo_file, Side.JAPANESE) as (app, pilot):
        await settled(pilot)
        left = app.screen.query_one(AnswerList).answers
        assert left is None or not left.left, "another seat has its own"
    for _ in range(2):
        async with in_refit(demo_file, MARINE) as (app, pilot):
            await settled(pilot)
            assert app.screen.query_one(AnswerList).entry.value == "15"
            await press(pilot, "escape")  # keeps it too


async def test_a_second_digit_follows_the_first_and_does_not_replace_it(demo_file: Path) -> None:
    played(demo_file, "15.6121")
    async with in_refit(demo_file, MARINE) as (app, pilot):
        await settled(pilot)
        await press(pilot, "1")
        await press(pilot, "5")
        assert app.screen.query_one(AnswerList).entry.value == "15"


async def test_hexes_painted_for_a_question_survive_q(demo_file: Path) -> None:
    played(demo_file, "15.606")
    async with in_refit(demo_file) as (_, pilot):
        room = await to_room(pilot, "map")
        await press(pilot, "space")
        painted = {*room.painting.hexes}
        assert room.painting.is_changed
    renamed = demo_file.rename(demo_file.with_name("another.brt"))
    async with in_refit(renamed) as (_, pilot):
        room = await to_room(pilot, "map")
        assert room.painting.hexes == painted
        await press(pilot, "u")
        assert not room.painting.is_changed
    async with in_refit(renamed) as (_, pilot):
        assert not (await to_room(pilot, "map")).painting.is_changed
    async with in_refit(renamed, MARINE.enemy) as (_, pilot):
        painting = (await to_room(pilot, "map")).painting
        assert painting is None or not painting.is_changed, "another seat has its own"


async def test_a_line_of_codes_survives_q(demo_file: Path) -> None:
    played(demo_file, None)
    async with opened(demo_file, None, "scenario_end") as (_, pilot):
        await pilot.press("comma", *"b1d q35")
    async with opened(demo_file, None, "scenario_end", notifications=True) as (app, pilot):
        assert "Kept, but not entered: b1d q35" in screen_text(app)
        await pilot.press("comma")
        assert app.screen.line.typed.value == "b1d q35"  # type: ignore[attr-defined]


def test_two_windows_do_not_reset_each_others_settings(tmp_path: Path) -> None:
    one, other = Memory(), Memory()
    one.note_theme("chalk")
    other.note_signs("plain")
    one.note_read("15.601")
    other.note_used("everywhere.mail")
    kept = load_memory()
    assert (kept.theme, kept.signs) == ("chalk", "plain")
    assert (kept.rules, kept.used) == (["15.601"], ["everywhere.mail"])
