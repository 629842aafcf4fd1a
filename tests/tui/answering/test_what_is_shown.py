"""What is typed for a question stays as long as that question is open, whatever others do; and it
is entered for no other one."""

import re
from pathlib import Path

import pytest
from textual.widgets import Input

from brt_cg.model.counters import Side
from brt_cg.model.records import Phase
from brt_cg.questions.dice import SeededDice
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.service.unrestricted import unrestricted_campaign
from brt_cg.tui.app import BrtApp
from brt_cg.tui.lists.log import text_in_words
from tests.settings import count
from tests.tui.helpers import MIDDLE, screen_text, settled, shown, until, words
from tests.tui.moments import SEED, in_refit, played, press, to_room

CLOSED = "That question has already been answered, so nothing was entered."
SEATS = [None, *Side]
ENTERS = count(ci=40, full=400)
ROLLS = count(ci=12, full=1000)  # of the demo's Refit Phase, which has fewer


async def note(app: BrtApp, path: Path, side: str | None = None) -> None:
    """Another player writes a note, and this window reads it."""
    other = OpenCampaign.open(path)
    other.run_command("note", {"words": "from the other room", "side": side, "about": None})
    other.close()
    await app._catch_up()


def roll_elsewhere(path: Path) -> None:
    """Another player rolls for the open question."""
    other = OpenCampaign.open(path)
    for _ in other.play_by_defaults_until(SeededDice(2), lambda ask: True):
        pass
    ask = other.view().ask
    assert ask is not None
    other.begin_invocation()
    other.answer_and_play(ask, [6, 6])
    other.close()


def newest_roll(app: BrtApp) -> str:
    return next(
        line.text for line in reversed(app.session.current_snapshot.log) if "DR " in line.text
    )


@pytest.mark.parametrize("seat", SEATS)
async def test_a_typed_die_stays_when_the_other_player_writes_a_note(
    demo_file: Path, seat: Side | None
) -> None:
    async with in_refit(played(demo_file, "15.6032"), seat) as (app, pilot):
        await press(pilot, "3")
        await note(app, demo_file)
        await settled(pilot)
        assert app.screen.panel.faces == (3,)
        await press(pilot, "4", "6")
        assert "DR 3,4 = 7" in newest_roll(app)


@pytest.mark.parametrize("seat", [*Side])
async def test_a_secret_enemy_note_changes_nothing_on_the_screen(
    demo_file: Path, seat: Side
) -> None:
    async with in_refit(played(demo_file, "15.6032"), seat, size=MIDDLE) as (app, pilot):
        await press(pilot, "3")
        before = screen_text(app)
        await note(app, demo_file, seat.enemy.value)
        await settled(pilot)
        assert screen_text(app) == before


async def test_a_die_typed_for_an_answered_question_is_not_used_elsewhere(
    demo_file: Path,
) -> None:
    async with in_refit(played(demo_file, "15.6032")) as (app, pilot):
        await press(pilot, "3")
        roll_elsewhere(demo_file)
        await app._catch_up()
        await settled(pilot)
        assert app.screen.panel.faces == ()
        assert "DR 6,6" in newest_roll(app)


@pytest.mark.parametrize("seat", [None, Side.JAPANESE])
async def test_ticks_and_marks_of_a_list_are_kept(demo_file: Path, seat: Side | None) -> None:
    async with in_refit(played(demo_file, "15.601"), seat, size=MIDDLE) as (app, pilot):
        await press(pilot, "home", "down", "enter", "space")
        answers = app.screen.panel.answers
        given, marked = dict(answers.answers.given), {*answers.answers.marked.ids}
        row = answers.rows.id_at_cursor
        assert given
        assert marked
        before = screen_text(app)
        await note(app, demo_file, "marine")
        await settled(pilot)
        assert (answers.answers.given, answers.answers.marked.ids) == (given, marked)
        assert answers.rows.id_at_cursor == row
        assert screen_text(app).splitlines()[3:20] == before.splitlines()[3:20]


async def test_text_in_the_field_of_a_question_is_kept_and_entered(demo_file: Path) -> None:
    async with in_refit(played(demo_file, "15.6121")) as (app, pilot):
        await press(pilot, "5")
        await note(app, demo_file)
        await settled(pilot)
        assert isinstance(app.focused, Input)
        assert app.focused.value == "5"
        await press(pilot, "enter")
        assert "Marine SAN changes from 3 to 5" in app.session.current_snapshot.log[-1].text


async def test_the_next_key_does_not_replace_a_long_answer_that_was_left(demo_file: Path) -> None:
    """Its first key erased all Perimeters that had been typed before Esc."""
    async with in_refit(played(demo_file, "15.606"), size=MIDDLE) as (app, pilot):
        for typed in ("N18-N21 M18", " N22"):
            await press(pilot, "end", "enter")
            assert isinstance(app.focused, Input)
            await press(pilot, *typed)
            found = app.focused.value
            await press(pilot, "escape")
        assert found == "N18-N21 M18 N22"


async def test_hexes_painted_for_a_question_are_kept(demo_file: Path) -> None:
    async with in_refit(played(demo_file, "15.606"), size=MIDDLE) as (app, pilot):
        ask = (await settled(pilot)).ask
        assert ask is not None
        assert ask.form is not None
        assert ask.form.painted
        room = await to_room(pilot, "map")
        await press(pilot, "space")
        painted = {*room.painting.hexes}
        assert room.painting.is_changed
        await note(app, demo_file)
        await settled(pilot)
        assert room.painting.hexes == painted
        assert room.painting.is_changed


async def test_a_repeated_confirmation_shows_the_changes_and_undoes_nothing_else(
    demo_file: Path,
) -> None:
    path = played(demo_file, "15.6032")
    async with in_refit(path, size=MIDDLE, notifications=True) as (app, pilot):
        entries = (await settled(pilot)).mark.rows
        await press(pilot, "W")
        await shown(pilot, "Undo this?")
        await note(app, path)
        await press(pilot, "y")
        asked = await shown(pilot, "This has changed since you were asked")
        assert "Note" in asked
        assert (await settled(pilot)).mark.rows == entries + 1
        await press(pilot, "escape")
        assert (await settled(pilot)).mark.rows == entries + 1


async def test_done_with_purchases_ends_those_of_the_side_in_the_box(
    demo_file: Path,
) -> None:
    path = played(demo_file, "15.613")
    async with in_refit(path, size=MIDDLE, notifications=True) as (app, pilot):
        first = (await settled(pilot)).ask
        assert first is not None
        assert first.buying
        await to_room(pilot, "purchases")
        await press(pilot, "c")
        await shown(pilot, f"{first.side.label}: done with purchases?")
        other = OpenCampaign.open(path)
        other.answer("done")
        other.play_to_question()
        other.close()
        await app._catch_up()
        await press(pilot, "y")
        await until(pilot, lambda: CLOSED in screen_text(app))
        ask = (await settled(pilot)).ask
        assert ask is not None
        assert ask.side is first.side.enemy, "its purchases go on"


async def test_enter_alone_neither_rolls_a_die_nor_ends_a_melee(demo_file: Path) -> None:
    async with in_refit(demo_file) as (_, pilot):
        for _ in range(ENTERS):
            await pilot.press("enter")
        seen = await settled(pilot)
        told = "\n".join(line.text for line in seen.log)
        assert "dr " not in told
        assert "DR " not in told
        assert "no CC attacks were entered" not in told
        assert seen.view.situation.paragraph in (None, "15.601")


def decide_elsewhere(path: Path, seat: Side | None) -> None:
    """Another player decides what is asked, by default, up to the next roll that the seat may
    make."""
    other, secrets = OpenCampaign.open(path), (None, *([seat] if seat else Side))
    for _ in other.play_by_defaults_until(
        SeededDice(SEED), lambda ask: ask.dice is not None and ask.secret in secrets
    ):
        pass
    other.close()


@pytest.mark.parametrize("seat", SEATS)
async def test_each_roll_of_the_phase_is_shown_with_its_dice_and_effects(
    demo_file: Path, seat: Side | None
) -> None:
    rolls = 0
    async with in_refit(demo_file, seat) as (app, pilot):
        while rolls < ROLLS:
            seen = await settled(pilot)
            if seen.ask is None or seen.ask.dice is None:
                if seen.view.situation.phase is Phase.SCENARIO:
                    break
                decide_elsewhere(demo_file, seat)
                await app._catch_up()
                continue
            await press(pilot, "space")
            rolls += 1
            rolled = app.session.current_snapshot.rolled
            assert rolled is not None
            faces = ",".join(map(str, rolled.dice))
            shows = words(screen_text(app).replace("║", " "))
            assert faces in shows
            line = re.fullmatch(f"(.*?)[:,]? (DR|dr) {faces}(.*)", text_in_words(rolled.lines[0]))
            assert line is not None
            who, kind, after = line.groups()
            final, _, said = after.partition(": ")
            said = re.sub("^(passes|fails)", lambda found: found[0].upper(), said)
            assert words(f"{who}") in shows
            assert words(f"{kind} {faces}{final} {said}") in shows
            assert all(words(text_in_words(effect)) in shows for effect in rolled.effects[:2])
    entries = unrestricted_campaign(OpenCampaign.open_read_only(demo_file)).entries
    made = sum("roll" in entry.payload for entry in entries)
    assert rolls == made or seat is not None, "it was made without being seen"
