"""Journal: the lines of the log, the filter, where a line leads, notes, going back."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from brt_cg.exports.dice import luck_by_side_and_table
from brt_cg.model.counters import Side
from brt_cg.model.visibility import visible_campaign
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.service.unrestricted import unrestricted_campaign as journal_of
from brt_cg.tui.app import BrtApp
from brt_cg.tui.dialogs.choice import ChoiceScreen, pick_service_record_counter
from brt_cg.tui.dialogs.text_boxes import luck_blocks, luck_text
from brt_cg.tui.dialogs.why import WhyScreen
from brt_cg.tui.memory.recent import load_memory, memory_path
from brt_cg.tui.rooms.journal.log_filter import (
    Destination,
    FilterBy,
    LineFilter,
    filter_lines,
    filter_offers,
    line_links,
    merge_similar_lines,
)
from brt_cg.tui.rooms.journal.screen import JournalScreen, LineList
from brt_cg.views.journal_rows import ShownLine
from brt_cg.views.view import create_view
from tests.tui.helpers import MIDDLE, SMALL, at_work, same_as_golden, screen_text, settled, until
from tests.tui.moments import app_on, opened, played, press, to_room


async def all_lines(pilot: Pilot[int]) -> None:
    """Waits until all lines are there."""
    await until(pilot, lambda: not at_work(pilot.app, "journal"))  # type: ignore[arg-type]
    await pilot.pause(0.06)


@asynccontextmanager
async def in_journal(
    path: Path, seat: Side | None = None, **how: Any
) -> AsyncIterator[tuple[BrtApp, Pilot[int]]]:
    """The Journal, once all lines are there."""
    async with opened(path, seat, "journal", **how) as (app, pilot):
        await all_lines(pilot)
        yield app, pilot


async def resting(pilot: Pilot[int], *keys: str) -> None:
    """Presses keys, and waits until the selected line is told."""
    await press(pilot, *keys)
    await pilot.pause(0.08)


def paragraph_of(app: BrtApp) -> str | None:
    """The paragraph in which the campaign is."""
    seen = app.session.seen
    return None if seen is None else seen.view.situation.paragraph


def texts(room: JournalScreen) -> list[str]:
    return [line.text for line in room.query_one(LineList).lines]


def whole(room: JournalScreen) -> list[str]:
    return [line.text for line in merge_similar_lines(room.all)]


# --- what is shown --------------------------------------------------------------------------------


async def test_the_newest_line_is_selected_and_search_works_while_typing(
    demo_file: Path,
) -> None:
    async with in_journal(played(demo_file, None)) as (app, pilot):
        room = app.screen
        assert room.line is room.all[-1]
        same_as_golden(app, "journal-80x24")
        await resting(pilot, "slash", *"battle hardens", "enter")
        assert texts(room)
        assert all("Battle Hardens" in text for text in texts(room))
        assert f"{len(texts(room))} of {len(room.all)}" in screen_text(app)
        await resting(pilot, "escape")
        assert texts(room) == whole(room)


async def test_counters_added_together_are_one_line_and_each_is_found(demo_file: Path) -> None:
    async with in_journal(demo_file) as (app, pilot):
        room = app.screen
        (open_, secret) = [text for text in texts(room) if "added" in text]
        assert open_.startswith("added 2")
        assert "9-1 Hays" in open_
        assert "9-1 Hays" not in secret
        await resting(pilot, "slash", *"hays", "enter")
        assert texts(room) == ["added: 9-1 Hays, off map"]


async def test_dice_luck_is_shown_by_side_and_table(demo_file: Path) -> None:
    async with in_journal(played(demo_file, None)) as (app, pilot):
        await press(pilot, "D")
        await pilot.pause(0.2)
        same_as_golden(app, "dice-80x24")
        assert "Marine: all " in screen_text(app)
        assert "luckier than " in screen_text(app)


async def test_undone_entries_stay_and_are_marked(demo_file: Path) -> None:
    async with in_journal(played(demo_file, "15.6111"), size=MIDDLE) as (app, pilot):
        room = app.screen
        before = len(room.all)
        await resting(pilot, "u")
        assert len(room.all) > before
        assert room.all[before - 1].undone
        assert "↶ " in screen_text(app)


async def test_lines_can_be_filtered_by_counter_and_selected_by_mouse(
    demo_file: Path,
) -> None:
    async with in_journal(played(demo_file, None), size=MIDDLE) as (app, pilot):
        room = app.screen
        assert room.line is room.all[-1]
        same_as_golden(app, "journal-120x40")
        await press(pilot, "v", *"hays", "enter", "escape")
        await pilot.pause(0.1)
        assert "only: 9-2 Hays" in screen_text(app)
        assert all("m-ldr-19" in line.about for line in room.query_one(LineList).lines)
        await resting(pilot, "escape")
        assert texts(room) == whole(room)
        await pilot.click(LineList, offset=(40, 3))
        await pilot.pause(0.08)
        taken = room.line
        assert taken is not None
        assert taken is not room.all[-1]
        await pilot.click(LineList, offset=(40, 3))
        await pilot.pause(0.2)
        assert "Open from this line" in screen_text(app)


# --- where a line leads ---------------------------------------------------------------------------


async def test_a_line_links_to_its_paragraph_ruling_hex_and_counter(
    demo_file: Path,
) -> None:
    async with in_journal(played(demo_file, None), size=MIDDLE) as (app, pilot):
        room = app.screen
        await press(pilot, "enter", "u")
        await pilot.pause(0.1)
        assert "Who sets up and moves first?" in screen_text(app)
        await press(pilot, "escape", "enter", "r")
        await pilot.pause(0.1)
        assert "15.6205" in screen_text(app)
        await press(pilot, "escape", "slash", *"takagi", "enter", "up")
        seen = await settled(pilot)
        assert room.line is not None
        hex = next(
            lead.subject
            for lead in line_links(room.line, seen.view, seen.card)
            if lead.to is Destination.MAP
        )
        assert hex in room.line.text
        await press(pilot, "enter", "m")
        await pilot.pause(0.1)
        assert app.current_mode == "map"
        assert app.screen.island.cursor == hex  # type: ignore[attr-defined]
        await press(pilot, "j", "slash", "ctrl+u", *"hays", "enter", "enter", "f")
        await pilot.pause(0.1)
        assert app.current_mode == "forces"
        assert "9-2 Hays" in screen_text(app)
        assert app.screen.query_one("#counters").id_at_cursor == "m-ldr-19"  # type: ignore[attr-defined]


async def test_a_service_record_is_one_key_away_and_an_entry_is_found_by_number(
    demo_file: Path,
) -> None:
    async with opened(played(demo_file, None), room="forces", size=MIDDLE) as (app, pilot):
        for place in ("forces", "journal"):
            await to_room(pilot, place)
            await press(pilot, "slash", *"hays", "enter", "l")
            await pilot.pause(0.1)
            shown = screen_text(app)
            assert "Service record: 9-2 Hays" in shown, place
            assert "9-1 Hays (off map) Battle Hardens to 9-2" in shown
            await press(pilot, "escape", "escape")
        await app.go_to_room("map", "T11")
        await press(pilot, "l")
        await pilot.pause(0.1)
        assert "Whose service record?" in screen_text(app)
        await press(pilot, "1")
        await pilot.pause(0.1)
        assert "Service record: " in screen_text(app)
        await press(pilot, "escape")
        await app.go_to_room("journal", "3")
        await settled(pilot)
        await pilot.pause(0.1)
        room = app.screen
        assert isinstance(room, JournalScreen)
        assert room.line is not None
        assert room.line.seq == 3


def test_a_journal_without_rolls_says_so(demo_file: Path) -> None:
    desk = OpenCampaign.open(demo_file)
    told = luck_text([*luck_blocks(*luck_by_side_and_table(create_view(journal_of(desk))))], 60)
    assert told.plain == "No dice have been rolled yet."


# --- notes, going back ----------------------------------------------------------------------------


async def test_a_note_can_be_written_in_the_journal(demo_file: Path) -> None:
    async with in_journal(played(demo_file, "15.6111"), Side.JAPANESE, size=MIDDLE) as (app, pilot):
        room = app.screen
        await press(pilot, "t", *"held to the last", "tab", "right", "enter")
        await pilot.pause(0.4)
        await settled(pilot)
        assert texts(room)[-1] == "note: held to the last"
        assert room.all[-1].secret is Side.JAPANESE
        await press(pilot, "s", "m")
        await pilot.pause(0.3)
        assert not any("held to the last" in line.text for line in room.all)


async def test_a_note_is_stored_after_another_windows_entry(
    demo_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("brt_cg.tui.app.LOOK_EVERY", 3600.0)
    async with in_journal(demo_file, size=MIDDLE) as (app, pilot):
        room = app.screen
        await press(pilot, "t", *"held to the last")
        other = OpenCampaign.open(demo_file)
        other.run_command("note", {"words": "dig in", "side": None, "about": None}, "japanese")
        other.close()
        await press(pilot, "enter")
        await until(pilot, lambda: app.screen is room)
        await settled(pilot)
        assert texts(room)[-2:] == ["note: dig in", "note: held to the last"]


async def test_only_the_first_counters_of_a_list_have_a_key(demo_file: Path) -> None:
    async with opened(demo_file) as (app, pilot):
        seen = await settled(pilot)
        app.run_worker(pick_service_record_counter(app, seen.view, [*seen.view.units][:40]))
        await pilot.pause()
        dialog = app.screen
        assert isinstance(dialog, ChoiceScreen)
        assert [answer.key for answer in dialog.answers][32:35] == ["y", "z", ""]
        await pilot.press("space")
        assert app.screen is dialog


async def test_going_back_lists_the_entries_to_undo_and_asks(demo_file: Path) -> None:
    async with in_journal(played(demo_file, None), size=MIDDLE) as (app, pilot):
        room = app.screen
        await press(pilot, "slash", *"battle hardens", "enter", "home", "G")
        await pilot.pause(0.2)
        shown = screen_text(app)
        assert "Go back to here?" in shown
        assert "15.6114 Leaders: 1 answer" in shown
        assert " answers" in shown
        entries = (await settled(pilot)).mark.rows
        await press(pilot, "enter")  # the selected answer leaves it as it is
        assert (await settled(pilot)).mark.rows == entries
        line = room.line
        assert line is not None
        await press(pilot, "G")
        await until(pilot, lambda: "Go back to here?" in screen_text(app))
        await press(pilot, "y")
        await until(pilot, lambda: paragraph_of(app) == line.rule)
        assert room.line == line
        await press(pilot, "U")
        await pilot.pause(0.2)
        assert (await settled(pilot)).view.situation.date == "21 AM"


async def test_only_the_umpire_undoes_entries_of_both_sides(demo_file: Path) -> None:
    async with in_journal(
        played(demo_file, None), Side.MARINE, size=MIDDLE, notifications=True
    ) as (app, pilot):
        entries = (await settled(pilot)).mark.rows
        await press(pilot, "home", "G")
        assert "Going back undoes actions" in " ".join(screen_text(app).split())
        assert (await settled(pilot)).mark.rows == entries


# --- since you last looked ------------------------------------------------------------------------


async def looked_at(path: Path, seat: Side | None) -> None:
    """A seat looks at the campaign for the first time, is told nothing, and leaves."""
    app = app_on(path, seat)
    async with app.run_test(size=SMALL) as pilot:
        await settled(pilot)
        assert app.news is None


async def test_a_seat_sees_the_entries_since_its_last_visit(demo_file: Path) -> None:
    played(demo_file, "15.6111")
    await looked_at(demo_file, Side.JAPANESE)
    before = len(create_view(journal_of(OpenCampaign.open(demo_file)), Side.JAPANESE).rows)
    played(demo_file, "15.6131")
    stored = demo_file.read_bytes()
    async with opened(demo_file, Side.JAPANESE, size=MIDDLE) as (app, pilot):
        await pilot.pause(0.1)
        assert "Since you last looked: " in screen_text(app)
        assert ", from 15.6112 Wounded leaders to 15.6131" in screen_text(app)
        same_as_golden(app, "dashboard-news-120x40")
        await press(pilot, "j")
        room = app.screen
        await all_lines(pilot)
        assert "only: since you last looked" in screen_text(app)
        shown = room.query_one(LineList).lines
        assert 0 < len(shown) < len(room.all)
        assert all(line.seq >= before for line in shown)
        await resting(pilot, "escape")
        assert texts(room) == whole(room)
        await resting(pilot, "J")
        assert len(texts(room)) == len(shown)
    assert demo_file.read_bytes() == stored  # reading writes nothing into the campaign


async def test_a_first_or_immediately_repeated_visit_shows_no_news(demo_file: Path) -> None:
    await looked_at(played(demo_file, "15.6111"), Side.MARINE)
    async with opened(demo_file, Side.MARINE) as (app, pilot):
        await pilot.pause(0.1)
        assert "Since you last looked" not in screen_text(app)


async def test_secret_enemy_entries_are_not_shown_as_news(demo_file: Path) -> None:
    await looked_at(demo_file, Side.MARINE)
    desk = OpenCampaign.open(demo_file)
    desk.run_command("note", {"words": "dig in", "side": "japanese", "about": None}, "japanese")
    desk.close()
    async with opened(demo_file, Side.MARINE) as (app, pilot):
        await pilot.pause(0.1)
        assert app.news is None
        assert "Since you last looked" not in screen_text(app)


async def test_each_seat_has_its_own_last_visit(demo_file: Path) -> None:
    played(demo_file, "15.6111")
    await looked_at(demo_file, Side.MARINE)
    played(demo_file, "15.6131")
    async with opened(demo_file) as (app, pilot):
        assert app.news is None
        await press(pilot, "s", "m")
        await pilot.pause(0.2)
        assert app.news is not None


async def test_a_replacement_campaign_shows_no_news(demo_file: Path, tmp_path: Path) -> None:
    await looked_at(demo_file, Side.MARINE)
    demo_file.unlink()
    desk = OpenCampaign.create(demo_file, {"cg": "III"})
    desk.run_command("note", {"words": "another one", "side": None, "about": None})
    desk.close()
    async with opened(demo_file, Side.MARINE) as (app, pilot):
        await pilot.pause(0.1)
        assert app.news is None


@pytest.mark.parametrize("kept", ['{"looked": 3}', '{"looked": {"a": {"Marine": ["x", 1]}}}'])
def test_a_damaged_last_visit_is_ignored(kept: str) -> None:
    memory_path().parent.mkdir(parents=True, exist_ok=True)
    memory_path().write_text(kept, "utf-8")
    assert not any(load_memory().looked.values())


# --- secrets --------------------------------------------------------------------------------------


@pytest.mark.parametrize("side", [*Side])
def test_no_enemy_secret_is_found_or_offered(demo_file: Path, side: Side) -> None:
    desk = OpenCampaign.open(played(demo_file, None))
    view = visible_campaign(journal_of(desk).campaign, side)
    lines = create_view(journal_of(desk), side).lines
    hidden = {
        counter.id
        for counter in journal_of(desk).campaign.counters()
        if view.find(counter.id) is None
    }

    def whose(id: str) -> Side | None:
        return getattr(view.find(id), "side", None)

    offered = filter_offers(lines, view, whose)
    assert hidden.isdisjoint(offer.choice[1] for offer in offered)
    assert not any(line.secret is side.enemy for line in lines)
    assert [line.seq for line in lines] == sorted(line.seq for line in lines)
    led = {lead.subject for line in lines for lead in line_links(line, view, journal_of(desk).card)}
    assert hidden.isdisjoint(led)
    assert hidden or side is Side.JAPANESE


def test_filters_of_one_kind_add_up_and_of_several_narrow_down(demo_file: Path) -> None:
    desk = OpenCampaign.open(played(demo_file, None))
    lines = create_view(journal_of(desk)).lines

    def whose(id: str) -> Side | None:
        return getattr(journal_of(desk).campaign.find(id), "side", None)

    def found(*choices: tuple[FilterBy, str]) -> int:
        return len(filter_lines(lines, LineFilter(choices=frozenset(choices)), whose))

    dice, decisions = (FilterBy.KIND, "Dice"), (FilterBy.KIND, "Decision")
    assert found(dice, decisions) == found(dice) + found(decisions)
    both = filter_lines(
        lines, LineFilter(choices=frozenset({dice, (FilterBy.SIDE, "marine")})), whose
    )
    assert 0 < len(both) < found(dice)
    offered = {
        offer.choice: offer.lines
        for offer in filter_offers(lines, journal_of(desk).campaign, whose)
    }
    assert offered[dice] == found(dice)


@pytest.mark.parametrize("one", ["no. ", "m-sq-"])  # as it is called now, and was
@pytest.mark.parametrize(
    ("begins", "told"),
    [
        ("added", "added"),
        (
            "no Location, its Setup Area is decided later",
            "no Location, its Setup Area is decided later for",
        ),
    ],
)
def test_many_counters_without_a_location_are_counted_by_kind(
    begins: str, told: str, one: str
) -> None:
    lines = [
        ShownLine(
            seq=4, text=f"{begins}: 6-6-8 squad {one}{number}", rule=None, title="Reinforcements"
        )
        for number in range(1, 9)
    ]
    leader = replace(lines[0], text=f"{begins}: 9-1 Crowe")
    assert [line.text for line in merge_similar_lines([*lines, leader])] == [
        f"{told} 9 counters: 8 × 6-6-8 squad, 9-1 Crowe"
    ]


def test_an_undo_is_one_line() -> None:
    lines = [
        ShownLine(seq=9, text=f"undone: counter {number}", rule=None, title="Undo")
        for number in range(280)
    ]
    assert [line.text for line in merge_similar_lines(lines)] == [
        "undone: counter 0, and 279 more lines"
    ]


async def test_why_explains_the_selected_line_immediately(demo_file: Path) -> None:
    async with opened(played(demo_file, "15.6041"), room="journal", size=SMALL) as (app, pilot):
        await all_lines(pilot)
        room = app.screen
        assert isinstance(room, JournalScreen)
        line = room.line
        assert line is not None
        assert room.why_subjects()[0] == f"entry {line.seq}"
        await press(pilot, "w")
        assert isinstance(app.screen, WhyScreen)
        assert line.text[:20] in screen_text(app), screen_text(app)
