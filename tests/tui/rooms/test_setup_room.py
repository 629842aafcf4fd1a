"""Setup: who sets up what where, the Locations given, what is left to do."""

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from platformdirs import user_state_path
from textual.pilot import Pilot

from brt_cg.card import load_card
from brt_cg.exports.setup_pages import japanese_limits_text
from brt_cg.model.counters import Side
from brt_cg.model.seat import Seat
from brt_cg.questions.partial_answers import PartialAnswers
from brt_cg.refit.setup_progress import (
    allowed_places_text,
    common_possible_locations,
    ids_needing_location,
    no_common_location_reason,
)
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.service.setup_answers import SetupAnswers, as_setup_question
from brt_cg.service.unrestricted import unrestricted_campaign
from brt_cg.tui.answering.question_panel import QuestionPanel
from brt_cg.tui.lists.counter_list import CounterList
from brt_cg.tui.rooms.setup.screen import SetupScreen, setup_groups
from tests.reading import is_its_owners_only
from tests.refit.table import campaign, japanese_squad, marine_squad
from tests.tui.helpers import MIDDLE, SMALL, look_from, same_as_golden, screen_text, settled, until
from tests.tui.moments import in_refit, opened, played, press, to_room
from tests.tui.point.test_pointing import pointing

in_setup = partial(opened, room="setup", size=MIDDLE)


async def resting(pilot: Pilot[int], *keys: str) -> None:
    """Presses keys, and waits until what they begin is done."""
    for key in keys:
        await press(pilot, key)
        await pilot.pause(0.15)


async def test_counters_asked_for_are_listed_and_v_shows_the_rest(
    at_setup: Path,
) -> None:
    async with in_setup(at_setup, size=MIDDLE) as (app, pilot):
        room = app.screen
        for width, height in (MIDDLE, SMALL):
            await pilot.resize_terminal(width, height)
            assert room.setup_answers is not None
            assert room.query_one(CounterList).id_at_cursor in room.setup_answers.asked
            same_as_golden(app, f"setup-{width}x{height}")
        assert room.setup_answers is not None
        listed = {row.id for group in room._matching_groups() for row in group.rows}
        assert listed == room.setup_answers.asked
        await resting(pilot, "v")
        assert len([row for group in room._matching_groups() for row in group.rows]) > len(listed)
        await resting(pilot, "v")
        assert {row.id for group in room._matching_groups() for row in group.rows} == listed


async def test_several_counters_are_set_up_in_one_location(at_setup: Path) -> None:
    async with in_setup(at_setup, Side.MARINE) as (app, pilot):
        room = app.screen
        placing = room.setup_answers
        assert placing is not None
        groups = [group for group in room.all if "M1" in group.place]
        ids = [row.id for row in groups[0].rows if row.id in placing.asked][:2]
        room.marked.ids = frozenset(ids)
        offered = [*common_possible_locations(placing, tuple(ids), Side.MARINE)]
        place = next(held.typed for held in offered if ":" not in held.typed)
        await resting(pilot, "enter")
        assert "Allowed: " in screen_text(app)
        await resting(pilot, *place.lower(), "enter")
        assert room.setup_answers is not None
        assert room.setup_answers.worded == dict.fromkeys(sorted(ids), place)
        assert f"→ {place}" in screen_text(app)
        assert "2 of " in screen_text(app)
        await resting(pilot, "c", "y")
        await settled(pilot)
    campaign = unrestricted_campaign(OpenCampaign.open(at_setup)).campaign
    assert {getattr(campaign.find(id), "location", None) for id in ids} == {place}


async def test_a_squad_deploys_by_a_key_and_its_half_squads_are_set_up(at_setup: Path) -> None:
    async with in_setup(at_setup, Side.MARINE) as (app, pilot):
        room = app.screen
        assert room.setup_answers is not None
        squad = next(
            unit.id
            for unit in room.seen.view.units.values()
            if unit.id in room.setup_answers.asked and unit.type == "7-6-8"
        )
        room.marked.ids = frozenset([squad])
        await resting(pilot, "H")
        await settled(pilot)
        assert room.setup_answers is not None
        assert {squad, f"{squad}.2"} <= room.setup_answers.asked
        assert room.seen.view.units[squad].type == "3-4-8"


async def test_enter_offers_the_table_first(at_setup: Path) -> None:
    async with in_setup(at_setup, Side.MARINE) as (app, pilot):
        room = app.screen
        room.listed.put_cursor("m-sq-8")
        chosen = room.selected_counter
        await resting(pilot, "enter")
        assert "on the table, in a hex that is not named here" in screen_text(app)
        await resting(pilot, "enter")
        assert room.setup_answers is not None
        assert room.setup_answers.given[chosen].startswith("in ")


async def test_counters_are_marked_by_key_and_placed_by_a_click(at_setup: Path) -> None:
    async with in_setup(at_setup, Side.MARINE) as (app, pilot):
        room = app.screen
        await resting(pilot, "space")
        assert len(room.marked) == 1
        await resting(pilot, "A")
        assert room.setup_answers is not None
        assert room.marked.ids == ids_needing_location(
            room.setup_answers, look_from(OpenCampaign.open(at_setup), Side.MARINE).view
        )
        assert room.marked.ids < room.setup_answers.asked, (
            "what is bound to its Location is left out"
        )
        await resting(pilot, "A")
        assert not room.marked
        listed = room.query_one(CounterList)
        lines = screen_text(app).splitlines()
        y = next(at for at, line in enumerate(lines) if "›★" in line) - listed.region.y
        await pilot.click(CounterList, offset=(8, y))
        await pilot.pause(0.3)
        assert "Where? " in screen_text(app)


async def test_a_counter_off_map_shows_how_to_give_it_a_location(
    at_setup: Path,
) -> None:
    async with in_setup(at_setup, Side.MARINE) as (app, pilot):
        await resting(pilot, "v")
        off_map = next(p.id for p in app.screen.seen.view.pieces() if p.off_map and p.in_play)
        app.screen.query_one(CounterList).put_cursor(off_map)
        await resting(pilot, "enter")
        said = [notice.message for notice in app._notifications]
        assert any("off map, placed at a scenario's end, or" in one for one in said)


# --- what is told ---------------------------------------------------------------------------------


def test_all_allowed_locations_are_shown(at_setup: Path) -> None:
    seen = look_from(OpenCampaign.open(at_setup), Side.MARINE)
    ask = as_setup_question(seen.ask)
    assert ask is not None
    squad = next(id for id in sorted(ask.subjects) if id.startswith("m-sq-"))
    offered = [*common_possible_locations(PartialAnswers(ask), (squad,), Side.MARINE)]
    area = seen.view.areas[getattr(seen.view.find(squad), "setup_area", None) or ""]
    told = allowed_places_text(offered)
    assert "off map" in told or "off_map" in told
    assert f"{area.hexes[0]}" in told.split(" ")[0] or "-" in told
    placing = PartialAnswers(ask).with_answer((squad,), offered[0].typed)
    states = {
        row.id: row.state
        for group in setup_groups(seen.view, seen.card, placing, Side.MARINE)
        for row in group.rows
    }
    assert states[squad] == f"→ {offered[0].words}"
    assert placing.with_answer((squad,), None).given == {}


def test_the_reason_is_shown_if_marked_counters_share_no_location(at_setup: Path) -> None:
    seen = look_from(OpenCampaign.open(at_setup), Side.MARINE)
    ask = as_setup_question(seen.ask)
    assert ask is not None
    apart = ("m-ldr-1", "m-sq-8")
    assert [
        place.typed for place in common_possible_locations(PartialAnswers(ask), apart, Side.MARINE)
    ] == ["off_map"]
    told = no_common_location_reason(PartialAnswers(ask), apart, seen.view, seen.card, seen.seat)
    assert "7-6-8 squad no. 5: Retained in Area M1, and " in told
    assert "m-ldr-1" not in told, "he may go there"


def test_the_marines_see_no_limit_that_counts_hidden_units(at_setup: Path) -> None:
    desk = OpenCampaign.open(at_setup)
    for seat, told in ((Side.MARINE, False), (Side.JAPANESE, True), (None, True)):
        seen = look_from(desk, seat)
        assert bool(japanese_limits_text(seen.view, seen.card, seat)) is told


def test_a_prisoner_does_not_count_as_a_squad_of_his_captors() -> None:
    held = japanese_squad("j", None, status="prisoner", guard="m")
    view = campaign(marine_squad("m", None, setup_area="M1"), held, areas={"M1": "N18-N21"})
    assert [group.tally for group in setup_groups(view, load_card("III"), None, None)] == [
        "1 squad"
    ]


def test_purchased_hip_is_counted_as_remaining(demo_file: Path) -> None:
    desk = OpenCampaign.open(played(demo_file, "15.613"))
    told = []
    for _ in range(2):
        told.append(
            japanese_limits_text(
                unrestricted_campaign(desk).campaign, unrestricted_campaign(desk).card, None
            ).partition(" · ")[0]
        )
        wanted = {"item": "hip_squad", "side": "japanese", "beach": "green", "quantity": 1}
        desk.run_command("buy", wanted)
    assert told == [
        "HIP now 5½, allowed by day 4, at night 9",
        "HIP now 5½, allowed by day 5, at night 10",
    ]


async def test_marked_counters_are_placed_by_pointing_on_the_map(at_setup: Path) -> None:
    async with in_setup(at_setup) as (app, pilot):
        room = app.screen
        for id in ("m-sq-8", "m-sq-9"):
            room.query_one(CounterList).put_cursor(id)
            await resting(pilot, "space")
        await resting(pilot, "m")
        screen = await pointing(pilot)
        assert screen.island.drawing.marked == {"M18", "M19", "M20", "N18", "N19", "N20"}
        screen.go_to("A1")
        await resting(pilot, "enter", "enter")
        assert app.screen is screen  # Ocean is refused while the map stands
        screen.go_to("N19")
        await resting(pilot, "enter")
        await until(pilot, lambda: app.screen is room)
        assert room.setup_answers is not None
        assert room.setup_answers.given == {"m-sq-8": "N19", "m-sq-9": "N19"}


# --- one list for Setup and Refit -----------------------------------------------------------------


def gives(pilot: Pilot[int]) -> dict[str, str]:
    """Two squads are given a Location as the Setup room does."""
    room = pilot.app.screen
    assert isinstance(room, SetupScreen)
    assert room.setup_answers is not None
    room._keep(room.setup_answers.with_changes({"m-sq-8": ("N19",), "m-sq-9": ("N19",)}))
    return {"m-sq-8": "N19", "m-sq-9": "N19"}


async def shown_in_refit(pilot: Pilot[int]) -> dict[str, str]:
    """What Refit's list shows as given, in words."""
    room = await to_room(pilot, "refit")
    answers = room.query_one(QuestionPanel).answers.answers
    assert answers is not None
    assert answers.noted is not None
    return answers.noted.worded


async def test_locations_given_in_refit_appear_in_setup_and_after_an_undo(
    at_setup: Path,
) -> None:
    async with in_setup(at_setup, Side.MARINE) as (app, pilot):
        setup = app.screen
        assert setup.setup_answers is not None
        refit = await to_room(pilot, "refit")
        rows = refit.query_one(QuestionPanel).answers.rows
        rows.highlighted = [*rows.rows].index("item:m-sq-8")
        await resting(pilot, "enter", *"n19", "enter")
        assert await to_room(pilot, "setup") is setup
        assert setup.setup_answers.worded == {"m-sq-8": "N19"}
        assert "→ N19" in screen_text(app)
        await resting(pilot, "c", "y")
        await settled(pilot)
        app.perform(lambda desk: desk.undo_or_request())
        await settled(pilot)
        assert setup.setup_answers is not None
        assert setup.setup_answers.worded == {"m-sq-8": "N19"}


def as_umpire(desk: OpenCampaign, work: Callable[[], object]) -> None:
    seat = desk.seat
    desk.set_seat(Seat.UMPIRE)
    work()
    desk.set_seat(seat)


async def test_given_locations_are_kept_while_the_question_is_open(at_setup: Path) -> None:
    async with in_setup(at_setup, Side.MARINE) as (app, pilot):
        room = app.screen
        assert room.setup_answers is not None
        given, before = gives(pilot), room.setup_answers.ask
        app.perform(lambda desk: desk.reload())
        await settled(pilot)
        assert room.setup_answers.ask is not before
        assert room.setup_answers.worded == given
        assert "→ N19" in screen_text(app)
        app.perform(lambda desk: as_umpire(desk, lambda: desk.undo_or_request(whole_call=True)))
        await settled(pilot)
        assert app.session.seen is not None
        assert as_setup_question(app.session.seen.ask) is None
        app.perform(lambda desk: as_umpire(desk, desk.redo))
        await settled(pilot)
        assert room.setup_answers.worded == given


async def test_given_locations_are_kept_between_sessions(at_setup: Path) -> None:
    async with in_setup(at_setup, Side.MARINE) as (_, pilot):
        given = gives(pilot)
    async with in_setup(at_setup, Side.JAPANESE) as (app, _):
        assert app.screen.setup_answers is None
    async with in_setup(at_setup, Side.MARINE) as (app, _):
        assert app.screen.setup_answers is not None
        assert app.screen.setup_answers.worded == given
        assert "→ N19" in screen_text(app)


@pytest.mark.parametrize("damaged", [[], {"items": []}, {"items": {"m-sq-8": 5, "x": [], "y": ""}}])
def test_damaged_stored_locations_are_ignored(at_setup: Path, damaged: object) -> None:
    desk = OpenCampaign.open(at_setup)
    ask = as_setup_question(unrestricted_campaign(desk).open_question())
    assert ask is not None
    placings = SetupAnswers(desk)
    placings.carry_over_to_reopened_question(desk)
    placings.store(PartialAnswers(ask, {"m-sq-8": "N19"}), desk.question_identity())
    (file,) = (user_state_path("brt-cg") / "drafts").glob("*.json")
    assert is_its_owners_only(file)  # it may tell who is hidden where
    file.write_text(json.dumps(damaged), "utf-8")
    again = SetupAnswers(desk)
    again.carry_over_to_reopened_question(desk)
    assert again.answers_to(desk.question_identity()) == PartialAnswers(ask)


async def test_given_locations_appear_in_refit_but_not_for_the_enemy(
    at_setup: Path,
) -> None:
    async with in_refit(at_setup, Side.MARINE, size=MIDDLE) as (app, pilot):
        assert await shown_in_refit(pilot) == {}
        room = await to_room(pilot, "setup")
        given = gives(pilot)
        assert await shown_in_refit(pilot) == given
        answers = app.screen.query_one(QuestionPanel).answers.answers
        assert answers is not None
        assert answers.answer_leaving_rest_default == ("Continue with the 2 entered", given)
        assert "Continue with" in screen_text(app)
        await app.session.show_as_seat(Side.JAPANESE)
        refit = await to_room(pilot, "refit")
        assert refit.query_one(QuestionPanel).answers.answers is None
        assert "N19" not in screen_text(app)
        await to_room(pilot, "setup")
        assert room.setup_answers is None
        assert "→ N19" not in screen_text(app)
        assert "Done" not in screen_text(app).splitlines()[-1]
        assert not any(
            row.state for group in room.all for row in group.rows if row.side is Side.MARINE
        )
        await app.session.show_as_seat(Side.MARINE)
        assert await shown_in_refit(pilot) == given


def test_only_given_locations_no_longer_allowed_are_lost(at_setup: Path) -> None:
    desk, again = OpenCampaign.open(at_setup), OpenCampaign.open(at_setup)
    ask = as_setup_question(unrestricted_campaign(desk).open_question())
    assert ask is not None
    placings = SetupAnswers(desk)
    placings.carry_over_to_reopened_question(desk)
    assert placings.answers_to(desk.question_identity()) == PartialAnswers(ask)
    given = {"m-sq-8": "N19", "m-sq-9": "A1", "gone": "N19"}
    placings.store(PartialAnswers(ask, given), desk.question_identity())
    placings.carry_over_to_reopened_question(again)
    kept = placings.answers_to(again.question_identity())  # the same question, read again
    assert kept is not None
    assert kept.given == {"m-sq-8": "N19"}


# --- what is left to do ---------------------------------------------------------------------------


async def test_the_next_counter_without_a_location_is_selected(
    at_setup: Path,
) -> None:
    async with in_setup(at_setup, Side.MARINE, notifications=True) as (app, pilot):
        room = app.screen
        await resting(pilot, "enter", *"zz9", "enter")
        assert "Not allowed" in screen_text(app)
        assert room.setup_answers is not None
        assert room.setup_answers.given == {}
        await resting(pilot, "escape")
        room.listed.put_cursor("m-sq-8")
        first = room.selected_counter
        await resting(pilot, "enter", *"n20", "enter")
        assert room.setup_answers is not None
        assert room.setup_answers.given == {first: "N20"}
        second = room.selected_counter
        assert second != first
        await resting(pilot, "enter", *"n19", "enter")
        assert room.setup_answers.given == {first: "N20", second: "N19"}
        room.filter_line.set_text_without_filtering("→ n19")
        room.apply_filter()
        assert [row.id for group in room._matching_groups() for row in group.rows] == [second]


def test_a_sw_goes_with_its_possessor_and_does_not_wait_for_a_location(at_setup: Path) -> None:
    seen = look_from(OpenCampaign.open(at_setup), Side.MARINE)
    ask = as_setup_question(seen.ask)
    assert ask is not None
    placing = PartialAnswers(ask)
    owned = {
        weapon.id: weapon.possessor
        for weapon in seen.view.weapons.values()
        if weapon.id in placing.asked and weapon.kind == "sw" and weapon.possessor
    }
    assert owned
    free = ids_needing_location(placing, seen.view)
    assert not owned.keys() & free
    assert {*owned.values()} <= free
    rows = {
        row.id: row.state
        for group in setup_groups(seen.view, seen.card, placing, Side.MARINE)
        for row in group.rows
    }
    assert {rows[id].partition(" ")[0] for id in owned} == {"goes"}
    theirs = look_from(OpenCampaign.open(at_setup), Side.JAPANESE)
    enemy = setup_groups(theirs.view, seen.card, None, Side.JAPANESE)
    assert not any("goes with" in row.found_by for group in enemy for row in group.rows)
