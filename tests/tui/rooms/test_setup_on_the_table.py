"""Setup for those who play with counters on a table: no Locations, one key."""

from functools import partial
from pathlib import Path

from brt_cg.card.arrivals import enter_arrival
from brt_cg.exports.setup_pages import arrivals_text
from brt_cg.model.counters import Piece, Side
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.service.unrestricted import unrestricted_campaign
from tests.tui.helpers import MIDDLE, SMALL, look_from, screen_text, settled
from tests.tui.moments import opened, played, press

in_setup = partial(opened, room="setup", size=MIDDLE)


def places(path: Path, side: Side) -> list[str]:
    """The places of a side's free counters, in words."""
    seen = look_from(OpenCampaign.open(path), side)
    return [seen.view.place_text(piece) for piece in seen.view.pieces() if piece.side is side]


async def test_a_side_sets_up_on_the_table_with_one_key(at_setup: Path) -> None:
    async with in_setup(at_setup, Side.MARINE, size=SMALL) as (app, pilot):
        assert "z Table" in screen_text(app)
        await press(pilot, "z")
        assert "→ on the table" in screen_text(app)
        assert "55 of 57" not in screen_text(app)
        said = [notice.message for notice in app._notifications]
        assert any(one.startswith("On the table: ") for one in said)
        await press(pilot, "c")
        assert "Marine: " in screen_text(app)
        await press(pilot, "y")
        await settled(pilot)
    table = [place for place in places(at_setup, Side.MARINE) if place.startswith("on the table")]
    assert len(table) > 50
    assert "on the table, Area M2" in table


async def test_marked_counters_are_set_up_on_the_table_and_x_clears_it(
    at_setup: Path,
) -> None:
    async with in_setup(at_setup, Side.MARINE) as (app, pilot):
        room = app.screen
        room.listed.put_cursor("m-sq-8")
        await press(pilot, "space", "space", "z")
        assert room.setup_answers is not None
        assert len(room.setup_answers.given) == 2
        assert not room.marked
        room.listed.put_cursor("m-sq-8")
        await press(pilot, "x")
        assert room.setup_answers is not None
        assert len(room.setup_answers.given) == 1


async def test_a_filtered_area_is_set_up_on_the_table(at_setup: Path) -> None:
    async with in_setup(at_setup, Side.MARINE) as (app, pilot):
        room = app.screen
        await press(pilot, "slash", *"m1", "enter", "z")
        assert room.setup_answers is not None
        given = [app.screen.seen.view.find(id) for id in room.setup_answers.given]
        assert {one.setup_area for one in given if isinstance(one, Piece)} == {"M1"}
        assert len(given) > 3


async def test_counters_that_need_a_hex_are_named_with_the_reason(demo_file: Path) -> None:
    played(demo_file, "15.6201")
    desk = OpenCampaign.open(demo_file)
    assert unrestricted_campaign(desk).open_question() is not None
    desk.answer(unrestricted_campaign(desk).open_question().default)
    desk.close()
    async with in_setup(demo_file, Side.JAPANESE) as (app, pilot):
        await press(pilot, "z")
        said = "\n".join(notice.message for notice in app._notifications)
        assert "On the table: " in said
        assert "Unpossessed equipment needs its hex: MMG no. 19." in said


async def test_unplaced_purchases_are_listed_before_the_setup_ends(
    demo_file: Path,
) -> None:
    desk = OpenCampaign.open(played(demo_file, "15.613"))
    assert unrestricted_campaign(desk).open_question() is not None
    desk.run_command("buy", {"side": "marine", "item": "foxhole_1s", "quantity": 2})
    desk.close()
    played(demo_file, "15.6201")
    async with in_setup(demo_file, Side.MARINE) as (app, pilot):
        await press(pilot, "z", "c")
        assert "Not placed yet: 2 × 1S foxhole." in screen_text(app)
        await press(pilot, "n")
        fort = next(
            fort for fort in app.screen.seen.view.fortifications.values() if not fort.location
        )
        room = app.screen
        assert room.setup_answers is not None
        assert fort.id not in room.setup_answers.given


def test_due_and_arrived_reinforcements_are_announced(new_file: Path) -> None:
    desk = OpenCampaign.open(new_file)
    document = {"format": "brt-cg/state", "version": 1}
    unit = {"id": "m-sq-1", "side": "marine", "kind": "squad", "type": "6-6-8"}
    later = {"date": "20 PM", "wave": "3", "lines": "6-6-8"}
    desk.run_command("reinforce", {"state": document | {"units": [unit]}} | later)
    view, card = unrestricted_campaign(desk).campaign, unrestricted_campaign(desk).card
    assert arrivals_text(view, card, Side.MARINE) == ""
    view.situation.date = "20 PM"
    assert arrivals_text(view, card, None) == "Marine arrivals: 20 PM, wave 3: 6-6-8"
    assert arrivals_text(view, card, Side.JAPANESE) == ""
    enter_arrival(view, view.arrivals["am1"])
    came = "Marine arrivals: 20 PM, wave 3: 6-6-8 (off map)"
    assert arrivals_text(view, card, Side.MARINE) == came


async def test_a_forbidden_counter_does_not_block_the_others(at_setup: Path) -> None:
    async with in_setup(at_setup, Side.MARINE) as (app, pilot):
        room = app.screen
        asked = sorted(room.setup_answers.asked)
        view = app.screen.seen.view
        mine = {id: getattr(view.find(id), "setup_area", None) for id in asked}
        two = [id for id in asked if mine[id] == "M2" and id.startswith("m-sq")][:2]
        other = next(id for id in asked if mine[id] == "M1" and id.startswith("m-sq"))
        room.marked.ids = frozenset([*two, other])
        hexes = view.areas["M2"].hexes
        await room._give((*two, other), hexes[0])
        await pilot.pause()
        assert room.setup_answers is not None
        assert sorted(room.setup_answers.given) == two
        assert room.marked.ids == {other}
        said = "\n".join(notice.message for notice in app._notifications)
        assert "Retained in Area M1" in said
