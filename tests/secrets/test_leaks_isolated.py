"""Who is hidden inside the enemy's area is Isolated there, but Controls nothing that the enemy can
ask about: neither his purchases nor his setup, nor what becomes of what lies there, tell of him."""

from typing import Any

import pytest

from brt_cg.exports.roster import roster_markdown_files
from brt_cg.journal.journal import Journal
from brt_cg.questions.answers import RefusedError
from brt_cg.views.view import create_view
from tests.exports.journals import JAPANESE, MARINE, begun, new, play, squad, state, take_in
from tests.secrets.pairs import POINTS, assert_alike

IN_M1, FAR = "M20", "L38"  # inside the Marine Perimeter, and in the middle of the Japanese area
SEEN = (squad("m-sq-1", "N19"), squad("j-sq-9", "P21"))
LMG = {"id": "j-lmg-1", "side": "japanese", "kind": "sw", "type": "LMG", "location": IN_M1}
TANK = {"id": "m-tank-1", "side": "marine", "type": "M4", "location": IN_M1}
EMPTY = {"status": ["abandoned"], "inherent_crew": False}
RUBBLE = {"id": "t-1", "location": IN_M1, "kind": "stone_rubble"}
PILLBOX = {"id": "j-pb-1", "side": "japanese", "type": "pillbox", "location": IN_M1}


def hiding(place: str, *units: dict[str, Any], **fields: Any) -> Journal:
    """A Refit Phase with a hidden Japanese squad there."""
    hidden = squad("j-sq-1", place, status=["hidden"])
    journal = new(allotments=POINTS)
    return take_in(journal, state(*SEEN, hidden, *units, **fields))


def things(**fields: Any) -> list[Journal]:
    """Two that differ in where the squad hides: inside the Marine area, or far from it."""
    return [hiding(place, **fields) for place in (IN_M1, FAR)]


def test_a_hidden_unit_is_isolated_and_keeps_its_location() -> None:
    squad_there = play(hiding(IN_M1), through="15.6082").campaign.units["j-sq-1"]
    assert squad_there.isolated
    assert squad_there.recorded_location == IN_M1


@pytest.mark.parametrize("through", ["15.6072", "15.6081", "15.6082", "15.6139", "15.616"])
def test_equipment_with_a_hidden_isolated_unit_shows_no_trace_of_it(through: str) -> None:
    journals = things(weapons=[LMG], vehicles=[TANK | EMPTY], terrain=[RUBBLE])
    for journal in journals:
        play(journal, through=through)
    assert_alike(*journals)


def test_equipment_with_a_hidden_isolated_unit_is_captured_by_marines() -> None:
    journal = play(hiding(IN_M1, weapons=[LMG]), through="15.6082")
    assert journal.campaign.weapons["j-lmg-1"].side is MARINE


def test_hidden_equipment_is_isolated_with_its_unit() -> None:
    gun = {"id": "j-gun-1", "side": "japanese", "kind": "gun", "type": "37L AT"}
    journal = hiding(IN_M1, weapons=[gun | {"location": IN_M1, "status": ["hidden"]}])
    found = play(journal, through="15.6082").campaign.weapons["j-gun-1"]
    assert (found.side, found.isolated) == (JAPANESE, True)


def test_a_known_pillbox_of_a_hidden_isolated_unit_is_marine_controlled() -> None:
    journals = [
        play(hiding(place, fortifications=[PILLBOX]), through="15.6082")
        for place in (f"{IN_M1}:j-pb-1", FAR)
    ]
    assert journals[0].campaign.fortifications["j-pb-1"].controller is MARINE
    assert_alike(*journals)


def test_a_hidden_pillbox_of_a_hidden_isolated_unit_stays_hidden() -> None:
    hidden = [PILLBOX | {"hidden": True}]
    journal = play(hiding(f"{IN_M1}:j-pb-1", fortifications=hidden), through="15.6082")
    assert journal.campaign.fortifications["j-pb-1"].hidden


def test_equipment_in_a_hidden_pillbox_shows_no_trace_of_the_unit() -> None:
    journals = []
    for place in (IN_M1, FAR):
        hidden = [PILLBOX | {"hidden": True, "location": place}]
        inside = f"{place}:j-pb-1"
        journals.append(hiding(inside, fortifications=hidden, weapons=[LMG | {"location": inside}]))
        play(journals[-1], through="15.616")
    assert_alike(*journals)


def test_the_last_visible_isolated_unit_leaves_all_visible_equipment() -> None:
    """Whether he leaves it to somebody who hides there, or to nobody."""
    leader = squad("j-ldr-1", IN_M1, status=["wounded"])
    journals = [hiding(place, leader, weapons=[LMG]) for place in (IN_M1, FAR)]
    for journal in journals:
        play(journal, through="15.616", j_ldr_1=6)
        assert journal.campaign.weapons["j-lmg-1"].side is MARINE
    assert_alike(*journals)


def test_a_hidden_pillbox_is_not_found_by_setting_up_inside() -> None:
    told = []
    for place in (IN_M1, FAR):
        hidden = [PILLBOX | {"hidden": True, "location": place}]
        journal = play(hiding(f"{place}:j-pb-1", fortifications=hidden), to="15.6202 marine")
        with pytest.raises(RefusedError) as refused:
            journal.answer({"m-sq-1": f"{IN_M1}:j-pb-1"}, MARINE)
        told.append(str(refused.value))
    assert told[0] == told[1]


def test_marines_may_buy_for_a_hidden_isolated_units_location() -> None:
    for journal in things():
        play(journal, to="15.614 marine")
        order = {"item": "foxhole_1s", "side": "marine", "quantity": 1, "location": "M19"}
        inside = hidden_refusal(journal, order | {"location": IN_M1})
        assert inside == hidden_refusal(journal, order)


def hidden_refusal(journal: Journal, order: dict[str, Any]) -> str | None:
    """Why the Marines may not buy something, without the Location."""
    try:
        journal.run_command("buy", order, "marine")
    except RefusedError as refused:
        return str(refused).replace(str(order["location"]), "there")
    return None


def test_isolated_marines_may_set_up_at_a_hidden_isolated_units_location() -> None:
    cut_off = squad("m-sq-5", "L20")
    for place in (IN_M1, FAR):
        journal = play(hiding(place, cut_off), to="15.6201 marine")
        journal.answer({"m-sq-5": IN_M1}, MARINE)
        assert journal.campaign.units["m-sq-5"].location == IN_M1


def test_marines_may_clear_rubble_in_a_hidden_isolated_units_location() -> None:
    for place in (IN_M1, FAR):
        journal = play(hiding(place, terrain=[RUBBLE]), to="15.6139 marine")
        journal.answer({"t-1": {"helpers": []}}, MARINE)
        assert [line.text for line in journal.entries[-1].said] == []


def test_japanese_rosters_show_a_hidden_isolated_unit_in_its_location() -> None:
    journal = play(begun(*SEEN, squad("j-sq-1", IN_M1, status=["hidden"])), through="15.616")
    assert (
        "4-4-7 squad no. 834"
        in roster_markdown_files(create_view(journal, JAPANESE))[f"isolated-{IN_M1}.md"]
    )
    assert f"isolated-{IN_M1}.md" not in roster_markdown_files(create_view(journal, MARINE))
