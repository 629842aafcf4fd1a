"""Where a campaign stands, for the umpire and for a side."""

import json

from brt_cg.exports.status import status_document, status_text
from brt_cg.views.view import create_view
from tests.exports.journals import JAPANESE, MARINE, begun, demo, new, play, squad, state, take_in

WOUNDED = squad("m-ldr-1", "N19", status=["wounded"])
HIDDEN = squad("j-sq-1", "M40", status=["hidden"])


def test_status_is_json() -> None:
    for journal in (new(), begun(WOUNDED), play(begun(WOUNDED), to="m-ldr-1")):
        assert json.loads(json.dumps(status_document(create_view(journal)))) == status_document(
            create_view(journal)
        )


def test_a_new_campaign_has_no_question_and_no_step() -> None:
    found = status_document(create_view(new()))
    assert (found["phase"], found["step"], found["asks"]) == ("purchase", None, None)
    assert found["next"] == "15.6201"
    told = status_text(create_view(new()))
    assert "then set up (15.6201)" in told
    assert "Isolated unit setup" not in told, "nobody is Isolated yet"


def test_values_not_entered_yet_are_shown_as_a_dash() -> None:
    assert "Marine    SAN –   ELR –   CVP 0" in status_text(create_view(new()))
    assert "SAN 3" in status_text(create_view(demo()))


def test_the_step_is_the_last_one_done_between_paragraphs() -> None:
    found = status_document(create_view(play(begun(WOUNDED), through="15.6031")))
    assert (found["step"], found["next"], found["asks"]) == ("15.6031", "15.6032", None)


def test_a_prisoner_is_not_counted_in_an_area() -> None:
    guard = squad("m-sq-1", "N19")
    held = squad("j-sq-1", "N19", status=["prisoner"], guard="m-sq-1")
    areas = {
        one["id"]: one
        for one in status_document(create_view(play(begun(guard, held), through="15.6082")))[
            "areas"
        ]
    }
    assert areas["M1"]["units"] == 1
    assert areas["J1"]["units"] == 0


def test_an_isolated_unit_is_counted_separately() -> None:
    found = status_document(
        create_view(
            play(begun(squad("j-sq-1", "N19"), squad("m-sq-1", "N20")), through="15.6082"), None
        )
    )
    assert found["isolated"] == [{"location": "N19", "side": "japanese", "units": 1}]
    assert [one["units"] for one in found["areas"]] == [0, 1]


def test_units_on_the_table_count_for_their_own_side() -> None:
    journal = begun(squad("m-sq-1", "in N18"), squad("m-sq-2", "in N18"), squad("m-sq-3", "N19"))
    assert status_document(create_view(journal))["on_the_table"] == {"marine": 2, "japanese": 0}
    assert status_document(create_view(journal, JAPANESE))["on_the_table"] == {"japanese": 0}
    assert "On the table, in a hex of their Setup Area: Marine 2" in status_text(
        create_view(journal)
    )


def test_off_map_units_and_vehicles_are_counted() -> None:
    tank = {"id": "j-tk-1", "side": "japanese", "type": "Type 95 HA-GO", "location": "off_map"}
    units = (squad("m-sq-1", "off_map"), squad("m-sq-2", "off_map"))
    assert status_document(create_view(begun(*units, vehicles=[tank])))["off_map"] == {
        "marine": 2,
        "japanese": 1,
    }


def test_the_points_left_to_win_cg_i_are_shown_in_the_first_scenario_too() -> None:
    assert "Immediate victory" not in status_text(create_view(new("I")))
    assert "Immediate victory" in status_text(create_view(play(new("I"))))


# --- what a side may know -------------------------------------------------------------------------


def test_a_question_that_is_secret_to_the_enemy_is_not_shown() -> None:
    journal = play(begun(HIDDEN), to="j-sq-1")
    assert status_document(create_view(journal, JAPANESE))["asks"]["subject"] == "j-sq-1"
    assert status_document(create_view(journal, MARINE))["asks"] is None
    assert "j-sq-1" not in status_text(create_view(journal, MARINE))


def test_during_a_secret_question_the_enemy_sees_the_last_public_state() -> None:
    waiting = create_view(play(begun(HIDDEN), to="j-sq-1"), MARINE)
    assert status_document(waiting)["step"] is None
    assert "Japanese player to answer, in private" in status_text(waiting)


def test_the_enemys_options_are_not_shown() -> None:
    found = state(squad("j-sq-1", "M40"))
    found["sides"]["marine"]["cvp"] = 0  # so that the Japanese have won
    journal = play(take_in(new(), found), to="15.6114 japanese")
    assert status_document(create_view(journal, MARINE))["asks"] is None
    assert status_document(create_view(journal, JAPANESE))["asks"]["allowed"] == [
        {"create": "J1"},
        None,
    ]


# --- in words -------------------------------------------------------------------------------------


def test_the_text_shows_the_question_and_how_to_answer() -> None:
    text = status_text(create_view(play(begun(WOUNDED), to="m-ldr-1")), file="t.brt")
    assert "15.6112 asks the Marines about 9-1 no. 1:" in text
    assert "allowed: a dr: 1–6" in text
    assert "Answer it: brt-cg answer t.brt DICE" in text


def test_the_commands_shown_to_a_side_name_its_seat() -> None:
    """Without --side the umpire enters, and is shown both sides' secrets."""
    asked = create_view(play(begun(WOUNDED), to="m-ldr-1"), MARINE)
    assert "brt-cg answer t.brt DICE --side marine;" in status_text(asked, file="t.brt")
    played = create_view(play(begun(WOUNDED)), JAPANESE)
    assert "brt-cg end t.brt CODES --side japanese, or" in status_text(played, file="t.brt")


def test_an_answer_that_is_a_code_is_listed_with_its_meaning() -> None:
    """It said "allowed: normal, none"."""
    text = status_text(create_view(play(begun(WOUNDED), to="15.6032 winner")), file="t.brt")
    assert "allowed:\n    marine: the Marines" in text


def test_an_area_of_one_hex_has_no_hexes() -> None:
    found = state(squad("m-sq-1", "N19")) | {"perimeters": [["N19"]]}
    text = status_text(create_view(play(take_in(new(), found), through="15.6071")))
    assert "M1   Marine      1 hex    1 unit" in text
    assert "J1   Japanese  766 hexes  0 units" in text


def test_the_text_says_which_counters_an_entry_may_name_and_how() -> None:
    journal = begun(squad("m-sq-1", "N19"), squad("j-sq-1", "N19"), squad("m-sq-2", "N20"))
    melee = status_text(create_view(play(journal, to="N19")))
    assert "in short: eliminated UNIT…; reduced UNIT…" in melee
    setup = status_text(
        create_view(play(begun(squad("m-sq-1", "N19"), WOUNDED), to="15.6202 marine"))
    )
    assert "of: m-ldr-1, m-sq-1" in setup
    assert "in short: ITEM ANSWER; ITEM ANSWER, each a Location: N21, N21:1" in setup


def test_the_text_names_the_next_command_in_each_phase() -> None:
    assert "brt-cg refit t.brt" in status_text(create_view(new()), file="t.brt")
    scenario = status_text(create_view(demo()), file="t.brt")
    assert scenario.index("brt-cg end t.brt") < scenario.index("brt-cg import t.brt STATE")
    after = status_text(create_view(play(begun(WOUNDED), through="15.6031")), file="t.brt")
    assert "Continue with 15.6032 Victory and CVP: brt-cg refit t.brt" in after


def test_the_text_names_the_seat_of_its_view() -> None:
    assert status_text(create_view(new())).endswith("Umpire's view: both sides' secrets")
    assert status_text(create_view(new(), MARINE)).endswith("The Marine player's view")


def test_the_demo_fits_a_terminal() -> None:
    lines = status_text(create_view(demo())).splitlines()
    assert len(lines) <= 24
    assert max(map(len, lines)) <= 80
