"""Keys that come all at once, as over a slow line, act on what was shown when they were pressed."""

import asyncio
from math import inf
from pathlib import Path
from typing import Any

import pytest
from textual import events
from textual.message import Message
from textual.pilot import Pilot

from brt_cg.board.locations import OFF_MAP
from brt_cg.model.counters import Side
from brt_cg.questions.question_types import RollQuestion
from brt_cg.refit.setup_progress import common_possible_locations
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.tui.dialogs.choice import ConfirmScreen, confirm
from brt_cg.tui.dialogs.path import PathScreen
from brt_cg.tui.forms.fields import ListField
from brt_cg.tui.forms.screen import FormScreen
from brt_cg.tui.keys import key_buffer
from brt_cg.tui.keys.actions import DASHBOARD, FORCES, REFIT, ROOMS, SCENARIO_END
from brt_cg.tui.keys.key_buffer import BURST, PAIR, KeyBufferApp
from brt_cg.tui.point.screen import PointScreen
from brt_cg.tui.rooms.journal.screen import FilterScreen
from brt_cg.tui.rooms.setup.screen import SetupScreen
from tests.tui.helpers import MIDDLE, screen_text, settled, until
from tests.tui.keys.test_actions import own_keys
from tests.tui.moments import in_refit, opened, played


def at_once(pilot: Pilot[int], *keys: str) -> None:
    """Sends keys without waiting for anything between them."""
    for key in keys:
        pilot.app.post_message(events.Key(key, key if len(key) == 1 else None))


async def until_done(pilot: Pilot[int]) -> None:
    """Waits until no key waits any more, and no form is open."""
    await settled(pilot)

    def is_done() -> bool:
        return not (pilot.app._keys_waiting or isinstance(pilot.app.screen, FormScreen))  # type: ignore[attr-defined]

    await until(pilot, is_done, "the end of the form")
    await settled(pilot)


async def test_an_order_of_battle_is_typed_faster_than_its_pages_are_drawn(new_file: Path) -> None:
    async with opened(new_file, size=MIDDLE) as (app, pilot):
        await app.run_action("order_of_battle")
        await pilot.pause()
        await pilot.press("down", "enter")
        await until(pilot, lambda: isinstance(app.screen, FormScreen))
        await pilot.pause()
        at_once(pilot, "down", "3", "enter", "down", *"7-6-8", "enter")
        await until_done(pilot)
        assert [unit.type for unit in (await settled(pilot)).view.units.values()] == ["7-6-8"] * 3


@pytest.mark.real_time
async def test_text_typed_before_its_field_appears_is_kept_and_not_entered(
    new_file: Path,
) -> None:
    async with opened(new_file, size=MIDDLE) as (app, pilot):
        await app.run_action("order_of_battle")
        await pilot.pause()
        at_once(pilot, "enter", *"3 x 768", "f4", "ctrl+s")
        await until_handled(pilot)
        assert isinstance(app.screen, FormScreen)
        assert "3 x 768" in "\n".join(app.screen.typed.values())
        assert not (await settled(pilot)).view.units


async def test_a_location_is_typed_before_the_list_of_locations_is_open(at_setup: Path) -> None:
    async with opened(at_setup, Side.MARINE, "setup", MIDDLE) as (app, pilot):
        room = app.screen
        assert isinstance(room, SetupScreen)
        assert room.setup_answers is not None
        chosen = tuple(room._chosen)
        places = [
            at.typed for at in common_possible_locations(room.setup_answers, chosen, Side.MARINE)
        ]
        last = [place for place in places if ":" not in place and place != OFF_MAP][-1]
        consult = app.session.look_up

        async def slowly(work: Any) -> Any:
            await asyncio.sleep(0.1)
            return await consult(work)

        app.session.look_up = slowly  # type: ignore[method-assign]
        at_once(pilot, "enter", *last)
        await until_handled(pilot)
        await pilot.press("enter")
        await until(pilot, lambda: room.setup_answers and room.setup_answers.worded)
        assert room.setup_answers.worded == dict.fromkeys(chosen, last)


@pytest.mark.real_time
async def test_a_key_right_after_a_room_key_is_dropped_and_named(
    demo_file: Path,
) -> None:
    async with opened(demo_file, size=MIDDLE) as (app, pilot):
        told: list[str] = []
        app.show_notice = told.append  # type: ignore[method-assign]
        at_once(pilot, "f", "i", "x")
        await until_handled(pilot)
        assert app.current_mode == FORCES
        assert [words.split(":")[0] for words in told] == ["i", "x"]
        await until_no_burst(pilot)
        at_once(pilot, "down", "down", "up")
        await until_handled(pilot)
        assert len(told) == 2, "arrows for what is shown wait their turn"


async def test_no_pasted_line_is_lost(demo_file: Path) -> None:
    async with opened(demo_file, room="journal", size=MIDDLE) as (app, pilot):
        await pilot.press("t")
        await until(pilot, lambda: isinstance(app.screen, FormScreen) and app.focused)
        app.post_message(events.Paste("Held to  the last.\n\n  Send\twater.\r\n"))
        await pilot.pause()
        assert "Held to  the last. Send water." in screen_text(app)


async def until_handled(pilot: Pilot[int]) -> None:
    """Wait until no key waits, nothing is being done that one could wait for, and the box in front,
    if any, has been drawn."""
    app = pilot.app
    assert isinstance(app, KeyBufferApp)
    await until(pilot, lambda: not app._keys_waiting and not app.is_at_work())
    await settled(pilot)
    if isinstance(box := app.screen, ConfirmScreen):
        await until(pilot, lambda: box.drawn.was_drawn_before(Message().time))


async def until_no_burst(pilot: Pilot[int]) -> None:
    """Wait until a key no longer counts as pressed together with one that was dropped."""
    app = pilot.app
    assert isinstance(app, KeyBufferApp)
    await until(pilot, lambda: Message().time - app._dropped_at > BURST)


async def test_words_typed_after_the_key_of_a_dialog_go_into_the_dialog(demo_file: Path) -> None:
    async with opened(demo_file, room="journal", size=MIDDLE) as (app, pilot):
        at_once(pilot, *"vmar")
        await until_handled(pilot)
        assert app.current_mode == "journal"
        assert isinstance(app.screen, FilterScreen)
        assert app.screen.field.value == "mar"


async def test_q_after_the_key_of_a_service_record_does_not_quit(demo_file: Path) -> None:
    async with opened(demo_file, room="forces", size=MIDDLE) as (app, pilot):
        consult = app.session.look_up

        async def slowly(work: Any) -> Any:
            await asyncio.sleep(1.5)  # longer than a key waits for widgets
            return await consult(work)

        app.session.look_up = slowly  # type: ignore[method-assign]
        at_once(pilot, "l", "q")
        await until_handled(pilot)
        assert app.is_running
        assert app.current_mode == "forces"


async def test_pasted_text_waits_for_the_form_like_a_key(demo_file: Path) -> None:
    async with opened(demo_file, room="journal", size=MIDDLE) as (app, pilot):
        at_once(pilot, "t")
        app.post_message(events.Paste("Held to the last."))
        at_once(pilot, "!")  # a letter for the field
        await until_handled(pilot)
        assert isinstance(app.screen, FormScreen)
        assert app.screen.typed["words"] == "Held to the last.!"


@pytest.mark.real_time
async def test_a_die_typed_before_a_question_appears_does_not_answer_it(demo_file: Path) -> None:
    async with opened(played(demo_file, "15.6032"), room="refit", size=MIDDLE) as (app, pilot):
        said: list[str] = []
        app.show_notice = said.append  # type: ignore[method-assign]
        await settled(pilot)
        first, before = app.session.current_snapshot.ask, app.session.current_snapshot.mark.rows
        assert isinstance(first, RollQuestion)
        at_once(pilot, *"1111")  # the dice of two Task Checks
        await until_handled(pilot)
        assert app.session.current_snapshot.mark.rows == before + 1
        assert ", ".join(words.split(":")[0] for words in said) == "1, 1"  # in one notice or two


@pytest.mark.real_time
async def test_a_room_key_pressed_twice_rolls_no_die_early(
    demo_file: Path,
) -> None:
    async with opened(played(demo_file, "15.6032"), size=MIDDLE) as (app, pilot):
        assert app.session.current_snapshot.ask is not None
        before = app.session.current_snapshot.mark.rows
        at_once(pilot, "r", "r", "1", "c", "enter")
        await until_handled(pilot)
        assert app.current_mode == "refit"
        assert app.session.current_snapshot.mark.rows == before


@pytest.mark.real_time
async def test_a_loss_cannot_be_confirmed_before_it_could_be_read(demo_file: Path) -> None:
    async with opened(played(demo_file, "15.6111"), room="refit", size=MIDDLE) as (app, pilot):
        said: list[str] = []
        app.show_notice = said.append  # type: ignore[method-assign]
        before = app.session.current_snapshot.mark.rows
        at_once(pilot, "W", "y", "enter")
        await until_handled(pilot)
        assert isinstance(app.screen, ConfirmScreen)
        # Which of the two depends on how long the question took to prepare.
        assert said[0].startswith(("y: pressed before", "y, Enter: pressed while"))
        await until_no_burst(pilot)
        await pilot.press("y")
        await until_handled(pilot)
        assert app.session.current_snapshot.mark.rows != before


async def test_done_pressed_twice_ends_nothing(demo_file: Path) -> None:
    async with opened(played(demo_file, "15.613"), room="refit", size=MIDDLE) as (app, pilot):
        before = (await settled(pilot)).ask
        assert before is not None
        assert before.buying
        for keys in ("c", "c"), ("c",), ("c",):
            at_once(pilot, *keys)
            await until_handled(pilot)
            assert isinstance(app.screen, ConfirmScreen)
        assert app.session.current_snapshot.ask is before


@pytest.mark.real_time
async def test_a_letter_that_answered_a_box_is_ignored_for_half_a_second(
    demo_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`n`: not yet; pressed again by habit, it would open the form for the end of a scenario of a
    player with such a key."""
    own_keys('[refit]\nform = "n"\n')
    async with in_refit(played(demo_file, None)) as (app, pilot):
        for habit, room in ((inf, REFIT), (0.0, SCENARIO_END)):  # within it, or after
            monkeypatch.setattr(key_buffer, "HABIT", habit)
            app.run_worker(confirm(app, "Sure?", "", "lose it"))
            await until(pilot, lambda: isinstance(app.screen, ConfirmScreen))
            await pilot.pause()
            await pilot.press("n")
            await until(pilot, lambda: not isinstance(app.screen, ConfirmScreen))
            await pilot.press("n")
            await until_handled(pilot)
            assert app.current_mode == room


@pytest.mark.real_time
async def test_a_letter_pressed_before_a_box_could_be_read_does_not_answer_it(
    demo_file: Path,
) -> None:
    async with opened(demo_file) as (app, pilot):
        before = len((await settled(pilot)).log)
        at_once(pilot, "s", "f", "g", "c", "r", "j")
        await until_handled(pilot)
        seen = await settled(pilot)
        assert (seen.seat, app.current_mode, len(seen.log)) == (None, DASHBOARD, before)
        await pilot.pause(BURST)
        await pilot.press("j")
        await until_handled(pilot)
        assert (await settled(pilot)).seat is Side.JAPANESE


@pytest.mark.real_time
async def test_keys_pressed_during_work_do_nothing(demo_file: Path) -> None:
    async with opened(demo_file, room="forces", size=MIDDLE) as (app, pilot):
        told: list[str] = []
        app.show_notice = told.append  # type: ignore[method-assign]
        before = await settled(pilot)

        async def writes() -> None:
            await asyncio.sleep(0.5)

        app.action_copy_row = lambda: app.run_worker(writes())  # type: ignore[method-assign]
        at_once(pilot, "Y")
        await asyncio.sleep(0.05)
        at_once(pilot, "i", "x", "e", "r", "enter", "down")
        await until_handled(pilot)
        assert app.current_mode == FORCES
        assert len(app.screen_stack) == 1
        assert (await settled(pilot)).mark == before.mark
        assert [words.split(": ")[0] for words in told if "was busy" in words] == [
            "i, x, e, r, Enter"
        ]


@pytest.mark.real_time
@pytest.mark.parametrize("between", [0.0, 0.04, 0.1])
async def test_a_pair_of_dice_is_accepted_or_dropped_together(
    demo_file: Path, between: float
) -> None:
    """Another player answers between the two dice, or before both."""
    path = played(demo_file, "15.6032")
    async with opened(path, room="refit", size=MIDDLE) as (app, pilot):
        await pilot.press("3")
        other = OpenCampaign.open(path)
        ask = other.view().ask
        assert ask is not None
        other.begin_invocation()
        other.answer_and_play(ask, [1, 1])  # passes: the next one rolls
        other.close()
        entries = len(OpenCampaign.open_read_only(path).entry_hashes_for_seat())
        await app._catch_up()
        await pilot.pause(between)
        await pilot.press("4")
        await until_handled(pilot)
        assert app.screen.panel.faces == ()  # type: ignore[attr-defined]
        await pilot.pause(PAIR)
        await pilot.press("2", "5")
        await until_handled(pilot)
        await until(
            pilot, lambda: len(OpenCampaign.open_read_only(path).entry_hashes_for_seat()) > entries
        )
        assert "DR 2,5 = 7" in "\n".join(line.text for line in app.session.current_snapshot.log)


@pytest.mark.real_time
@pytest.mark.parametrize("late", [0.0, 0.02, 0.06, 0.1])
async def test_a_pair_of_dice_over_a_slow_link_is_never_split_between_questions(
    demo_file: Path, late: float
) -> None:
    """Both dice are on their way while another player answers: they come `late` after that, 40 ms
    apart, before or after the new question is drawn."""
    path = played(demo_file, "15.6032")
    async with opened(path, room="refit", size=MIDDLE) as (app, pilot):
        other = OpenCampaign.open(path)
        ask = other.view().ask
        assert ask is not None
        other.begin_invocation()
        other.answer_and_play(ask, [1, 1])  # passes: the next one rolls
        other.close()
        entries = len(OpenCampaign.open_read_only(path).entry_hashes_for_seat())
        reading = asyncio.create_task(app._catch_up())
        await asyncio.sleep(late)
        at_once(pilot, "3")
        await asyncio.sleep(0.04)
        at_once(pilot, "4")
        await reading
        await until_handled(pilot)
        assert app.screen.panel.faces == ()  # type: ignore[attr-defined]
        log = "\n".join(line.text for line in app.session.current_snapshot.log)
        stored = len(OpenCampaign.open_read_only(path).entry_hashes_for_seat()) > entries
        assert ("DR 3,4 = 7" in log) == stored


async def test_no_hex_is_picked_before_the_map_could_be_seen(at_setup: Path) -> None:
    async with opened(at_setup, Side.MARINE, "setup", MIDDLE) as (app, pilot):
        room = app.screen
        assert isinstance(room, SetupScreen)
        at_once(pilot, "m", "enter")
        await until_handled(pilot)
        assert isinstance(app.screen, PointScreen)
        assert room.setup_answers is not None
        assert not room.setup_answers.worded


@pytest.mark.real_time
async def test_keys_for_one_setup_do_not_end_the_next(at_setup: Path) -> None:
    async with opened(at_setup, room="setup", size=MIDDLE) as (app, pilot):
        first = app.session.current_snapshot.ask
        await pilot.press("c")
        await until_handled(pilot)
        at_once(pilot, "y", "c", "enter")
        await until_handled(pilot)
        await until(pilot, lambda: app.session.current_snapshot.ask is not first)
        await until_handled(pilot)
        assert isinstance(app.screen, SetupScreen)


async def test_each_line_pasted_into_a_field_for_a_list_is_an_entry(demo_file: Path) -> None:
    async with opened(demo_file, room="forces", size=MIDDLE) as (app, pilot):
        await pilot.press("slash", *"hawkins", "enter", "e")
        await until(pilot, lambda: isinstance(app.screen, FormScreen) and app.focused)
        assert isinstance(app.screen, FormScreen)
        field = app.screen.query(ListField).first()
        field.focus()
        await pilot.pause()
        field.value = ""
        app.post_message(events.Paste("broken\n\n  wounded\n"))
        await pilot.pause()
        assert field.value == "broken, wounded"


async def test_an_idle_room_accepts_keys(demo_file: Path) -> None:
    async with opened(demo_file, room="forces", size=MIDDLE) as (app, pilot):
        for room in ROOMS:
            await app.go_to_room(room)
            await settled(pilot)
            assert not app.is_at_work(), (room, [*app.workers])


async def test_an_idle_file_dialog_accepts_keys(demo_file: Path) -> None:
    async with opened(demo_file, room="home", size=MIDDLE) as (app, pilot):
        await pilot.press("O")
        assert isinstance(app.screen, PathScreen)
        assert not app.is_at_work(), [*app.workers]


async def test_the_idle_palette_accepts_keys(demo_file: Path) -> None:
    async with opened(demo_file, size=MIDDLE) as (app, pilot):
        await pilot.press("ctrl+p", "u")
        await until(pilot, lambda: not app.is_at_work())
