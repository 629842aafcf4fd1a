"""Counts, setups off map, and the help of hidden counters show no secret."""

from typing import Any

import pytest

from brt_cg.exports.dice import list_rolls
from brt_cg.exports.status import status_document
from brt_cg.journal.journal import Journal
from brt_cg.model.counters import Fate, Side
from brt_cg.questions.answers import Raw
from brt_cg.questions.question_types import Question, RollQuestion
from brt_cg.refit.sequence import paragraph_of
from brt_cg.views.view import create_view
from tests.exports.journals import JAPANESE, MARINE, begun, new, plain_answer, play, squad
from tests.secrets.pairs import POINTS, assert_alike

SEEN = (squad("m-sq-1", "N19"), squad("m-sq-2", "N20"), squad("j-sq-9", "P21"))


# --- counts ---------------------------------------------------------------------------------------


def test_the_count_of_retained_equipment_leaves_out_hidden_counters() -> None:
    gun = {"id": "j-gun-1", "side": "japanese", "kind": "gun", "type": "37L AT"}
    journals = [
        play(begun(*SEEN, weapons=[gun | {"location": place, "status": ["hidden"]}]))
        for place in ("M20", "L38")
    ]
    assert_alike(*journals)
    assert "Area M1: 2 counters are Retained" in told(journals[0], MARINE, "15.6081")


def told(journal: Journal, side: Side | None, rule: str) -> list[str]:
    return [line.text for line in create_view(journal, side).lines if line.rule == rule]


# --- set up off map -------------------------------------------------------------------------------


def test_a_marine_set_up_off_map_is_secret_until_both_have_set_up() -> None:
    journals = []
    for place in ("N20", "off_map"):
        journal = play(begun(*SEEN), to="15.6202 marine")
        journal.answer({"m-sq-1": place}, MARINE)
        journals.append(play(journal, through="15.6202"))
    assert_alike(*journals, side=JAPANESE)
    assert status_document(create_view(journals[1], MARINE))["off_map"]["marine"] == 1
    assert status_document(create_view(play(journals[1]), JAPANESE))["off_map"]["marine"] == 1


def test_units_already_off_map_stay_visible_there() -> None:
    journal = play(begun(*SEEN, squad("m-sq-4", "off_map")), through="15.6202")
    assert status_document(create_view(journal, JAPANESE))["off_map"]["marine"] == 1


def test_entering_from_off_map_is_secret_until_setup() -> None:
    journals = []
    for place in ("N20", "off_map"):
        document = {"format": "brt-cg/state", "version": 1, "units": [squad("m-sq-1", place)]}
        journals.append(new())
        asked = {"state": document, "source": "oob.json"}
        journals[-1].run_command("reinforce", asked, "players")
    assert_alike(*journals, side=JAPANESE)


def test_setup_in_a_new_pillbox_is_secret_until_both_have_set_up() -> None:
    journals = []
    for inside, outside in (("j-sq-1", "j-sq-2"), ("j-sq-2", "j-sq-1")):
        journal = new(allotments=POINTS)
        units = [squad(id, "N25") | {"location": None} for id in ("j-sq-1", "j-sq-2", "m-sq-1")]
        document = {"format": "brt-cg/state", "version": 1, "units": units}
        journal.run_command("reinforce", {"state": document, "source": "oob.json"}, "players")
        asked = {"item": "pillbox_1_3_5", "beach": "red_one"}
        journal.run_command("buy", asked | {"side": "japanese"}, "japanese")
        play(journal, to="15.6202 japanese")
        pillbox = {"location": "M20", "covered_arc": ["N19", "N20"]}
        places = {"pj1-1": pillbox, inside: "M20:pj1-1", outside: "K20"}
        journal.answer(places, JAPANESE)
        journals.append(journal)
    assert_alike(*journals)


# --- help from those who are hidden ---------------------------------------------------------------

ENCIRCLED = squad("j-sq-2", "L40", status=["encircled"])
LEADER = squad("j-ldr-1", "L40", status=["hidden"])
CHECK = "15.6041"


def checked(*units: dict[str, Any], leader: str | None) -> Journal:
    """An Encircled squad has taken its check, with or without the leader's DRM."""
    journal = begun(*SEEN, ENCIRCLED, *units)
    while (ask := journal.play_to_next_question(paragraph_of(CHECK))) is not None:
        journal.answer(_answer(ask, leader), ask.side)
    return journal


def _answer(ask: Question[Any], leader: str | None) -> Raw:
    return leader if ask.rule == CHECK and not isinstance(ask, RollQuestion) else plain_answer(ask)


def read(journal: Journal, side: Side) -> str:
    lines = " / ".join(told(journal, side, CHECK))
    return lines + str([roll["modifiers"] for roll in list_rolls(create_view(journal, side))])


@pytest.mark.parametrize("leader", ["j-ldr-1", None])
def test_a_hidden_leader_does_not_show_in_the_drm_of_units_he_helps(
    leader: str | None,
) -> None:
    journal = checked(LEADER, leader=leader)
    assert "leader" in read(journal, JAPANESE)
    assert "leader" not in read(journal, MARINE)
    check = "NTC against Morale 7, DR 3,4 = 7, other DRM unknown: passes"
    seen = f"4-4-7 squad no. 1 (L40): {check}"
    assert told(journal, MARINE, CHECK) == [seen]
    assert list_rolls(create_view(journal, MARINE)) == []


def test_a_hidden_leaders_help_leaves_no_trace() -> None:
    assert_alike(checked(LEADER, leader="j-ldr-1"), checked(LEADER, leader=None))


def test_a_roll_helped_by_a_visible_leader_is_shown() -> None:
    in_sight = squad("j-ldr-2", "L40", type="9-0")
    journal = checked(LEADER, in_sight, leader=None)
    assert [roll["subject"] for roll in list_rolls(create_view(journal, MARINE))] == ["j-sq-2"]
    assert_alike(journal, checked(in_sight, leader=None))


def test_a_hidden_leader_does_not_show_in_the_drm_of_wading_units() -> None:
    afloat = squad("j-sq-2", "A50"), LEADER | {"location": "A50"}
    journal = begun(*SEEN, *afloat)
    while (ask := journal.play_to_next_question(paragraph_of("15.605"))) is not None:
        journal.answer(plain_answer(ask), ask.side)
    assert "leader" in str(list_rolls(create_view(journal, JAPANESE)))
    assert list_rolls(create_view(journal, MARINE)) == []
    open_words = "DR 3,4 = 7, +1 for 2 hexes to the beach, other DRM unknown: survives"
    assert told(journal, MARINE, "15.605")[0] == f"4-4-7 squad no. 1 (A50): {open_words}"


LABORERS = squad("j-sq-1", "L40", status=["hidden"], traits=["korean_laborer"])
WIRE = {"id": "j-w-1", "side": "japanese", "type": "wire", "location": "L41"}


def test_hidden_laborers_do_not_show_in_the_drm_of_a_removal() -> None:
    laborers = LABORERS | {"class": "conscript"}
    journal = play(begun(*SEEN, laborers, fortifications=[WIRE]), to="15.6139 japanese")
    journal.answer({"j-w-1": {"helpers": ["j-sq-1"]}}, JAPANESE)
    journal.answer(3, JAPANESE)
    assert journal.campaign.fortifications["j-w-1"].fate is Fate.ELIMINATED
    assert any("laborer" in line for line in told(journal, JAPANESE, "15.6139"))
    seen = "wire no. 1 (L41): dr 3, other drm unknown: removed"
    assert told(journal, MARINE, "15.6139") == [seen]
    assert "15.6139" not in [roll["rule"] for roll in list_rolls(create_view(journal, MARINE))]
