"""How questions are answered: typed in short, told in words, picked from a list."""

import json
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brt_cg.journal.journal import Journal
from brt_cg.model.counters import Fate
from brt_cg.questions.answers import RefusedError
from brt_cg.questions.question_items import QuestionItem
from brt_cg.questions.question_types import EntryQuestion, MultiQuestion, Question
from brt_cg.refit.play import Paragraph
from brt_cg.refit.s601_melee import fight_out_melees
from brt_cg.refit.s603_rally_and_victory import settle_control_cvp_and_winner
from brt_cg.refit.s607_perimeters import enter_perimeters
from brt_cg.refit.s611_promotion import recombine_half_squads
from brt_cg.refit.s612_new_date import adjust_san
from brt_cg.refit.s613_equipment import (
    ask_abandoned_and_scrounged,
    ask_replenished_ft_and_dc,
    ask_transfers,
)
from brt_cg.refit.s620_setup import set_up_isolated_units, set_up_the_rest
from brt_cg.refit.s6139_removal import attempt_removals
from tests.refit.table import (
    JAPANESE,
    MARINE,
    campaign,
    fort,
    gun,
    japanese_half_squad,
    japanese_squad,
    marine_half_squad,
    marine_squad,
    play,
    sw,
    vehicle,
)
from tests.settings import count
from tests.strategies import random_answer, states

AREAS = {"M1": "N18-N21", "J1": "J40-J50"}
RECORDED = sorted((Path(__file__).parents[1] / "recorded").glob("*/*.json"))


def first_ask(paragraph: Paragraph, *counters: Any, **facts: Any) -> Any:
    """The first question of a paragraph."""
    return play(paragraph, campaign(*counters, **facts)).asks[0]


def item(ask: MultiQuestion[Any], subject: str) -> QuestionItem:
    return ask.item(subject)


def refused(ask: Any, typed: str) -> str:
    with pytest.raises(RefusedError) as caught:
        ask.parse(typed)
    return str(caught.value)


def melee(**status: str) -> EntryQuestion[Any]:
    ask = first_ask(
        fight_out_melees, marine_squad("m1", "N35"), japanese_squad("j1", "N35", **status)
    )
    assert isinstance(ask, EntryQuestion)
    return ask


# --- 15.601 ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("typed", "raw"),
    [
        ("none", None),
        ("reduced a b; eliminated c", {"casualty_reduced": ["a", "b"], "eliminated": ["c"]}),
        ("captured a by b", {"captured": {"a": "b"}}),
        ("withdrew a to n21, b to N22:1", {"withdrew": {"a": "N21", "b": "N22:1"}}),
        ('{"eliminated": ["a"]}', {"eliminated": ["a"]}),
    ],
)
def test_a_melee_round_in_its_short_form(typed: str, raw: Any) -> None:
    assert melee().parse(typed) == raw


@pytest.mark.parametrize(
    ("typed", "raw"),
    [
        ("x2", {"eliminated": ["j1"]}),
        ("x12", {"eliminated": ["m1", "j1"]}),
        ("d1 x2", {"casualty_reduced": ["m1"], "eliminated": ["j1"]}),
        ("w2", {"casualty_reduced": ["j1"]}),
        ("c2 by 1", {"captured": {"j1": "m1"}}),
        ("m1 to n36, D2", {"withdrew": {"m1": "N36"}, "casualty_reduced": ["j1"]}),
    ],
)
def test_a_melee_round_in_the_codes_of_the_sheet(typed: str, raw: Any) -> None:
    assert melee().parse(typed) == raw


def test_a_wrong_code_says_which_numbers_there_are_or_how_codes_are_written() -> None:
    assert "3: no unit here has that number; enter 1–2" in refused(melee(), "x13")
    assert "c2 is not understood; enter x34: eliminated" in refused(melee(), "x1 c2")


def test_a_hidden_unit_has_no_number_for_its_enemy_and_changes_no_other() -> None:
    ask = first_ask(
        fight_out_melees,
        marine_squad("m1", "N35"),
        japanese_squad("j1", "N35", status="hidden"),
        japanese_squad("j2", "N35"),
    )
    assert ask.parse("x2", MARINE) == ask.parse("x2", JAPANESE) == {"eliminated": ["j2"]}
    assert ask.parse("x3", JAPANESE) == {"eliminated": ["j1"]}
    with pytest.raises(RefusedError, match="enter 1–2"):
        ask.parse("x3", MARINE)


def test_a_melee_part_begins_with_what_happened() -> None:
    assert "enter eliminated UNIT, reduced UNIT" in refused(melee(), "shot a")
    assert "captured: write UNIT by UNIT" in refused(melee(), "captured a")
    assert "eliminated: write eliminated UNIT" in refused(melee(), "reduced a; eliminated")


@pytest.mark.parametrize("typed", [",", ";", " ; ,"])
def test_a_melee_round_without_a_word_is_refused(typed: str) -> None:
    assert melee().parse("reduced a; ,") == {"casualty_reduced": ["a"]}
    assert "enter eliminated UNIT, reduced UNIT" in refused(melee(), typed)


def test_possible_results_of_a_round_are_offered_by_name() -> None:
    words = [one.words for one in melee().form.candidates_for(None)]
    assert "7-6-8 squad m1: Casualty Reduction" in words
    assert "4-4-7 squad j1: captured by 7-6-8 squad m1" in words
    assert "4-4-7 squad j1: withdrew to N36" in words


def test_several_results_can_belong_to_one_round() -> None:
    form = melee().form
    picked = [
        one.raw for one in form.candidates_for(None) if one.typed.endswith(("reduced j1", "to N36"))
    ]
    assert form.joined is not None
    assert form.joined([{"eliminated": ["m1"]}, *picked]) == {
        "eliminated": ["m1"],
        "withdrew": {"j1": "N36", "m1": "N36"},
        "casualty_reduced": ["j1"],
    }


def test_a_withdrawal_into_a_pillbox_names_the_pillbox() -> None:
    ask = first_ask(
        fight_out_melees,
        marine_squad("m1", "N35"),
        japanese_squad("j1", "N35"),
        fort("j-pb-1", "N35", capacity=1, ca_tem=3, nca_tem=5),
    )
    words = [one.words for one in ask.form.candidates_for(JAPANESE)]
    assert "4-4-7 squad j1: withdrew to N35, inside pillbox 1+3+5 j-pb-1" in words
    raw = {"withdrew": {"j1": "N35:j-pb-1"}}
    assert ask.form.worded(raw) == "4-4-7 squad j1 withdrew to N35, inside pillbox 1+3+5 j-pb-1"


def test_a_melee_round_is_described_in_words() -> None:
    told = melee().form.worded
    assert told(None) == "no more CC attacks here"
    assert told({}) == "a round without losses"
    raw = {"casualty_reduced": ["m1"], "withdrew": {"j1": "N36"}}
    assert told(raw) == "reduced 7-6-8 squad m1; 4-4-7 squad j1 withdrew to N36"


def test_options_of_a_hidden_unit_are_offered_to_its_side_alone() -> None:
    ask = melee(status="hidden")
    assert not any("j1" in one.words for one in ask.form.candidates_for(MARINE))
    assert any("j1" in one.words for one in ask.form.candidates_for(JAPANESE))
    assert not ask.public
    assert melee().public


# --- entries --------------------------------------------------------------------------------------


def test_perimeters_are_typed_with_slashes_between_them() -> None:
    ask = first_ask(enter_perimeters)
    assert ask.parse("n18-n21 m18, / T26") == [["N18-N21", "M18"], ["T26"]]
    assert ask.form.worded([["N18-N20", "N21"], ["T26"]]) == "N18-N21 / T26"


def test_a_san_is_one_of_eight() -> None:
    ask = first_ask(adjust_san, marine={"san": 4})
    assert ask.parse("5") == 5
    offered = ask.form.candidates_for(None)
    assert offered[0].words == "no: it stays 4"
    assert sorted(one.raw for one in offered) == [*range(8)]


def half_squads() -> list[Any]:
    return [
        *(marine_half_squad(f"m-hs-{n}", None, setup_area="M1") for n in (1, 2, 3)),
        marine_half_squad("m-hs-4", None, "2-4-8", setup_area="M1"),
        japanese_half_squad("j-hs-1", None, setup_area="J1"),
    ]


def test_half_squads_that_may_stay_single_are_listed_by_name() -> None:
    asked: list[list[tuple[Any, str]]] = []
    made = campaign(*half_squads(), areas=AREAS)
    play(recombine_half_squads, made, look=lambda ask: asked.append(offers(ask)))
    assert asked == [[([f"m-hs-{n}"], f"3-4-8 HS m-hs-{n} stays single") for n in (1, 2, 3)]]


def offers(ask: Any) -> list[tuple[Any, str]]:
    return [(one.raw, one.words) for one in ask.form.candidates_for(None)]


def test_one_type_at_a_time_is_offered_when_there_are_too_many_ways() -> None:
    more = [
        unit
        for n in range(5)
        for unit in (
            marine_half_squad(f"e-{n}", None, setup_area="M1", traits="engineer"),
            marine_half_squad(f"h-{n}", None, setup_area="M1"),
        )
    ]
    (ask,) = play(recombine_half_squads, campaign(*more, areas=AREAS)).asks
    assert isinstance(ask, EntryQuestion)
    assert len(ask.form.candidates_for(None)) == 9


# --- items ----------------------------------------------------------------------------------------


def test_a_correction_of_cvp_needs_a_reason() -> None:
    form = item(first_ask(settle_control_cvp_and_winner), "marine").form
    assert form.parse("−2 counted twice") == {"cvp": -2, "reason": "counted twice"}
    assert "write the points and why" in refused(form, "+2")
    assert form.worded({"cvp": -2, "reason": "counted twice"}) == "−2 (counted twice)"


def test_a_transferable_weapon_is_listed_with_its_possessor() -> None:
    squad = marine_half_squad("m-hs-1", None, setup_area="M1")
    mg = sw("m-mmg-3", None, setup_area="M1", possessor="m-hs-1")
    lying = sw("m-mmg-4", None, setup_area="M1")
    ask = first_ask(ask_transfers, squad, mg, lying, areas=AREAS)
    assert [one.words for one in ask.items] == [
        "MMG m-mmg-3 (Area M1), 3-4-8 HS m-hs-1 has it",
        "MMG m-mmg-4 (Area M1), nobody has it",
    ]
    form = item(ask, "m-mmg-4").form
    assert (form.parse("m-hs-1"), form.parse("-")) == ("m-hs-1", None)
    assert [one.words for one in form.candidates_for(None)] == ["3-4-8 HS m-hs-1", "nobody"]
    assert (form.worded("m-hs-1"), form.worded(None)) == ("3-4-8 HS m-hs-1", "nobody")


REMOVABLE = (
    vehicle("w", "N19", status="wreck"),
    fort("f", "N20", "wire"),
    japanese_half_squad("j", "N21"),
)
FRONT = {"M1": "N18-N20", "J1": "N21-N25"}


def test_a_removable_item_is_listed_with_the_dr_it_needs() -> None:
    ask = first_ask(attempt_removals, *(one.clone() for one in REMOVABLE), areas=FRONT)
    assert item(ask, "w").words == "M4A2 w (N19), dr ≤ 2 without help"
    immobile, lost = vehicle("v", "N19", status="immobilized"), {"R-REMOVED-CREW": "lost"}
    ask = first_ask(attempt_removals, immobile, areas=FRONT, rulings=lost)
    assert item(ask, "v").words == "M4A2 v (N19), dr ≤ 2 without help, and its crew is lost with it"


def helpers_offered(**rulings: str) -> list[str]:
    squad = marine_squad("e", None, setup_area="M1", traits="engineer")
    gone = marine_squad("x", None, "6-6-8", setup_area="M1")
    dozer = vehicle("d", None, setup_area="M1", bulldozer=True)
    counters = [one.clone() for one in (*REMOVABLE, squad, gone, dozer)]
    ask = first_ask(attempt_removals, *counters, areas=FRONT, rulings=rulings)
    return [one.typed for one in item(ask, "w").form.candidates_for(None)]


def test_only_eligible_helpers_are_offered() -> None:
    assert helpers_offered() == ["+", "d", "e"]
    assert helpers_offered(**{"R-WRECK-REMOVAL": "helper"}) == ["d", "e"]
    assert helpers_offered(**{"R-WRECK-REMOVAL": "bulldozer"}) == ["d"]


def test_helpers_are_typed_by_id_and_a_plus_is_nobody() -> None:
    ask = first_ask(attempt_removals, *(one.clone() for one in REMOVABLE), areas=FRONT)
    form = item(ask, "w").form
    assert form.parse("a, b") == {"helpers": ["a", "b"]}
    assert form.parse("+") == {"helpers": []}
    assert form.worded({"helpers": []}) == "tried without help"


# --- by hand --------------------------------------------------------------------------------------


def by_hand(paragraph: Paragraph = ask_abandoned_and_scrounged) -> EntryQuestion[Any]:
    squad = marine_half_squad("m-hs-1", None, setup_area="M1")
    mg = sw("m-mmg-3", None, setup_area="M1", possessor="m-hs-1")
    lost = sw("m-dc-1", None, "DC", fate=Fate.ELIMINATED)
    ask = first_ask(paragraph, mg, squad, lost, areas=AREAS)
    assert isinstance(ask, EntryQuestion)
    return ask


def test_a_change_by_hand_is_typed_as_fields_and_words() -> None:
    typed = "m-mmg-3 status=malfunctioned: scrounged from a wreck; m-hs-1 location=N21:1: goes up"
    scrounged = {"counter": "m-mmg-3", "do": "scrounged from a wreck"}
    assert by_hand().parse(typed) == [
        scrounged | {"set": {"status": ["malfunctioned"]}},
        {"do": "goes up", "counter": "m-hs-1", "set": {"location": "N21:1"}},
    ]


@pytest.mark.parametrize("typed", ["m-1", "m-1: gone", "m-1 status=broken", "x status=broken: so"])
def test_a_change_by_hand_needs_a_counter_a_field_and_words(typed: str) -> None:
    told = refused(by_hand(), typed)
    assert "write COUNTER FIELD=VALUE" in told or "enter the name" in told


def test_a_change_by_hand_cannot_find_a_hidden_enemy_counter() -> None:
    typed = "j1 name=Ito: seen"
    lurks = japanese_squad("j1", None, setup_area="J1", status="hidden")
    ask = first_ask(ask_abandoned_and_scrounged, lurks, areas=AREAS)
    assert refused(ask, typed) == refused(by_hand(), typed).replace("m-mmg", "")


@pytest.mark.parametrize("field", ["possessor", "location"])
def test_a_field_of_another_counter_cannot_find_a_hidden_enemy_counter(field: str) -> None:
    hidden = "f1" if field == "location" else "j1"
    outcome = {"do": "x", "counter": "m-mmg-3", "set": {field: f"N19:{hidden}"}}
    if field == "possessor":
        outcome["set"] = {field: hidden}
    lurks = japanese_squad("j1", "N19:f1"), fort("f1", "N19", hidden=True)
    mg = sw("m-mmg-3", None, setup_area="M1")
    told = []
    for there in ((), lurks):
        with pytest.raises(RefusedError) as caught:
            first_ask(ask_abandoned_and_scrounged, mg, *there, areas=AREAS).read([outcome])
        told.append(str(caught.value))
    assert told[0] == told[1]


def test_common_changes_by_hand_can_be_picked() -> None:
    words = [one.words for one in by_hand().form.candidates_for(None)]
    assert words == ["MMG m-mmg-3 (Area M1): abandoned", "MMG m-mmg-3 (Area M1): removed"]
    again = by_hand(ask_replenished_ft_and_dc).form.candidates_for(None)
    assert [one.words for one in again] == ["DC m-dc-1: replenished, for 3-4-8 HS m-hs-1"]


# --- setup ----------------------------------------------------------------------------------------


def setup_item(paragraph: Paragraph, counter: Any, *others: Any, **areas: str) -> QuestionItem:
    made = campaign(counter, *others, areas=areas or AREAS, phase="setup", date="20 PM")
    asks = play(paragraph, made).asks
    return next(
        ask.item(counter.id)
        for ask in asks
        if isinstance(ask, MultiQuestion) and counter.id in ask.subjects
    )


@pytest.mark.parametrize(
    ("typed", "raw"),
    [
        ("n21", "N21"),
        ("n21:1", "N21:1"),
        ("n21:j-fort-1", "N21:j-fort-1"),
        ("n18/n19", "N18/N19"),
        ("off_map", "off_map"),
        ("m22 n21,n22", {"location": "M22", "covered_arc": ["N21", "N22"]}),
        ("M21 exit k21", {"location": "M21", "exit": "K21"}),
    ],
)
def test_a_spot_in_its_short_form(typed: str, raw: Any) -> None:
    form = setup_item(set_up_the_rest, marine_squad("m", None, setup_area="M1")).form
    assert form.parse(typed) == raw


def test_half_a_covered_arc_and_broken_json_are_refused() -> None:
    form = setup_item(set_up_the_rest, marine_squad("m", None, setup_area="M1")).form
    assert "with a Covered Arc M22 N21,N22" in refused(form, "M22 N21")
    assert "broken JSON" in refused(form, '{"location": "N21"')


@pytest.mark.parametrize(
    ("values", "hint"),
    [
        ({"type": "pillbox_1_3_5"}, "N21; with its Covered Arc: M22 N21,N22"),
        ({"type": "pillbox_1_3_5", "covered_arc": ("N21", "N22")}, "a Location: N21"),
        ({"type": "tunnel"}, "N21; with its exit: M21 exit K21"),
    ],
)
def test_the_hint_lists_missing_fields_of_a_fortification(
    values: dict[str, Any], hint: str
) -> None:
    lacking = fort("p", "J40", **values)
    lacking.location = None
    assert setup_item(set_up_the_rest, lacking).form.hint == hint


def typed_places(item: QuestionItem) -> list[str]:
    return [one.typed for one in item.form.candidates_for(None)]


def test_isolated_and_bound_units_are_offered_their_allowed_locations() -> None:
    lone = marine_squad("m", "N22", isolated=True, recorded_location="N22")
    hidden = gun("g", None, setup_area="J1", status="hidden", recorded_location="J45")
    assert typed_places(setup_item(set_up_isolated_units, lone)) == ["N22", "N21"]
    assert typed_places(setup_item(set_up_the_rest, hidden)) == ["J45"]


def test_no_ocean_hex_is_offered() -> None:
    squad = marine_squad("m", None, setup_area="M1")
    places = typed_places(setup_item(set_up_the_rest, squad, M1="A1 N18-N21"))
    assert places == ["N18", "N19", "N20", "N21", "off_map"]


def test_a_new_fortification_is_offered_the_isolated_locations() -> None:
    lone = marine_squad("m", "N22", isolated=True, recorded_location="N22")
    foxhole = fort("w", "N21", "foxhole_1s", side=lone.side)
    foxhole.location = None
    assert typed_places(setup_item(set_up_isolated_units, foxhole, lone)) == ["N22"]


# --- every question -------------------------------------------------------------------------------


def check_offers(ask: Question[Any], chance: random.Random) -> None:
    """What is offered is allowed by itself, can be typed, and can be told."""
    if isinstance(ask, EntryQuestion):
        for one in sample(ask.form.candidates_for(None), chance):
            ask.read(one.raw)
            assert ask.parse(one.typed) == one.raw
            assert ask.form.worded(one.raw)
        ask.form.worded(ask.default)
    if isinstance(ask, MultiQuestion):
        for thing in sample(ask.items, chance):
            for one in sample(thing.form.candidates_for(None), chance):
                ask.read({thing.subject: one.raw})
                assert thing.form.parse(one.typed) == one.raw
                assert thing.form.worded(one.raw)


def sample(found: Any, chance: random.Random) -> list[Any]:
    listed, most = list(found), count(8, 200)
    return chance.sample(listed, most) if len(listed) > most else listed


def play_on(document: dict[str, Any], seed: int, cg: str = "III") -> None:
    """Plays the Refit Phase after a state file with whatever is offered."""
    chance = random.Random(seed)
    journal = Journal(lambda: "2026-01-01T00:00:00Z")
    journal.run_command(
        "new", {"cg": cg, "name": None, "players": None, "allotments": None}, "players"
    )
    asked = {"state": document, "source": "test", "missing": "eliminated", "side": None}
    journal.run_command("import", asked, "players")
    while (ask := journal.play_to_next_question()) is not None:
        check_offers(ask, chance)
        journal.answer(random_answer(ask, chance), ask.side)


@given(states(), st.integers(0, 2**16))
def test_every_offered_answer_is_allowed(document: dict[str, Any], seed: int) -> None:
    play_on(document, seed)


def recorded_states() -> list[Any]:
    found = [(path, json.loads(path.read_text("utf-8"))) for path in RECORDED]
    return [
        pytest.param(path, document, id=f"{path.parent.name}/{path.stem}")
        for path, document in found
        if document.get("format") == "brt-cg/state" and "scenario" in document
    ]


@pytest.mark.parametrize(("path", "document"), recorded_states())
def test_every_answer_offered_in_a_recorded_campaign_is_allowed(
    path: Path, document: dict[str, Any]
) -> None:
    steps = json.loads((path.parent / "campaign.json").read_text("utf-8"))["steps"]
    play_on(document, 1, steps[0]["new"]["cg"])
