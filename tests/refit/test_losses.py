"""What a loss does to what was tied to the lost counter, and to secrets."""

import pytest

from brt_cg.card import load_card
from brt_cg.model.records import RulingInForce
from brt_cg.model.visibility import secret_of
from brt_cg.refit.casualties import cvp_known_to_both
from brt_cg.refit.losses import (
    abandon_vehicle,
    apply_step_reduction,
    eliminate_and_score,
    make_wreck,
    remove_from_play,
)
from brt_cg.refit.play import Play
from brt_cg.refit.trial import run_with_defaults
from tests.refit.table import (
    JAPANESE,
    MARINE,
    campaign,
    gun,
    japanese_squad,
    marine_squad,
    sw,
    vehicle,
    vehicular,
)


def at(paragraph, *counters, **facts):
    return Play(paragraph, campaign(*counters, **facts), load_card("III"))


def test_a_lost_units_possessions_and_prisoners_are_left_behind():
    play = at(
        "15.6041",
        marine_squad("m", "N19"),
        sw("w", "N19", possessor="m"),
        japanese_squad("p", "N19", status="prisoner", guard="m"),
    )
    run_with_defaults(lambda: eliminate_and_score(play, play.campaign.units["m"]))
    assert play.campaign.weapons["w"].possessor is None
    assert play.campaign.units["p"].guard is None
    assert play.campaign.cvp("japanese") == 2


def test_a_cvp_line_names_the_lost_counter():
    play = at("15.6041", marine_squad("m", "N19"))
    named = play.campaign.units["m"].label
    run_with_defaults(lambda: eliminate_and_score(play, play.campaign.units["m"]))
    (line,) = [said.text for said in play.said if "CVP" in said.text]
    assert line.startswith(f"Japanese CVP +2 for {named}, now 2 (")


def test_a_cvp_line_names_nothing_unknown_to_the_enemy():
    play = at("15.6041", japanese_squad("j", "N19", status="hidden"))
    run_with_defaults(lambda: eliminate_and_score(play, play.campaign.units["j"]))
    public = [said.text for said in play.said if said.secret is None and "CVP" in said.text]
    assert public == []
    (own,) = [said.text for said in play.said if said.secret is JAPANESE and "CVP" in said.text]
    assert own.startswith("Marine CVP +2 for ")
    assert cvp_known_to_both(play.campaign, MARINE) == 0


def test_by_r_hidden_losses_points_are_reported_without_the_counters_name():
    play = at("15.6041", japanese_squad("j", "N19", status="hidden"))
    play.campaign.rulings["R-HIDDEN-LOSSES"] = RulingInForce(id="R-HIDDEN-LOSSES", value="at_once")
    run_with_defaults(lambda: eliminate_and_score(play, play.campaign.units["j"]))
    (public,) = [said.text for said in play.said if said.secret is None and "CVP" in said.text]
    assert public.startswith("Marine CVP +2, now 2")


@pytest.mark.parametrize("lost", ["j", "w"])
def test_a_hidden_units_weapon_stays_secret_whichever_of_them_is_lost(lost):
    hides = japanese_squad("j", "N19", status="hidden")
    play = at("15.6112", hides, sw("w", "N19", side=JAPANESE, possessor="j"))
    weapon = play.campaign.weapons["w"]
    assert secret_of(play.campaign, weapon) is JAPANESE
    remove_from_play(play.campaign, play.campaign.find(lost))
    assert secret_of(play.campaign, weapon) is JAPANESE


@pytest.mark.parametrize("paragraph", ["15.6111", "15.6113", "15.6132", "15.6134"])
def test_no_casualty_vp_outside_the_combat_paragraphs(paragraph):
    play = at(paragraph, marine_squad("m", "N19"))
    run_with_defaults(lambda: eliminate_and_score(play, play.campaign.units["m"]))
    assert play.campaign.cvp(JAPANESE) == 0


@pytest.mark.parametrize(
    "paragraph",
    ["15.601", "15.6041", "15.6043", "15.605", "15.609", "15.6112", "15.6131", "15.6139"],
)
@pytest.mark.parametrize(("ruling", "points"), [("combat", 2), ("none", 0)])
def test_combat_paragraphs_score_unless_ruled_otherwise(paragraph, ruling, points):
    play = at(paragraph, marine_squad("m", "N19"), rulings={"R-CVP-REFIT": ruling})
    run_with_defaults(lambda: eliminate_and_score(play, play.campaign.units["m"]))
    assert play.campaign.cvp(JAPANESE) == points
    assert play.campaign.cvp(MARINE) == 0


@pytest.mark.parametrize(
    ("values", "points"), [({}, 2), ({"inherent_crew": False}, 0), ({"status": "abandoned"}, 0)]
)
@pytest.mark.parametrize("paragraph", ["15.601", "15.6041", "15.6043", "15.605"])
def test_the_enemy_scores_only_the_crew_of_a_captured_vehicle(paragraph, values, points):
    play = at(paragraph, vehicle("t1", "H20", side=JAPANESE, nation=MARINE, **values))
    run_with_defaults(lambda: eliminate_and_score(play, play.campaign.vehicles["t1"]))
    assert play.campaign.cvp(MARINE) == points
    assert play.campaign.cvp(JAPANESE) == 0


def test_a_captured_weapon_scores_nothing():
    play = at("15.601", gun("g1", "H20", side=MARINE, nation=JAPANESE))
    run_with_defaults(lambda: eliminate_and_score(play, play.campaign.weapons["g1"]))
    assert play.campaign.cvp(JAPANESE) == 0


@pytest.mark.parametrize(
    ("squad", "strength", "becomes"),
    [
        (japanese_squad("u", "N19"), "reduced", "3-4-7"),
        (japanese_squad("u", "N19", strength="reduced"), "full", "2-3-7"),
        (japanese_squad("u", "N19", "conscript", traits="korean_laborer"), "full", "1-2-6"),
        (marine_squad("u", "N19"), "full", "3-4-8"),
    ],
)
def test_a_step_loss_turns_a_full_japanese_squad_over_and_halves_any_other(
    squad, strength, becomes
):
    lost = squad.clone()
    apply_step_reduction(load_card("III"), lost)
    kind = "squad" if strength == "reduced" else "half_squad"
    assert (lost.kind, lost.strength, lost.type) == (kind, strength, becomes)


def test_an_abandoned_vehicle_is_neither_crew_exposed_nor_stunned_nor_in_motion():
    status = "crew_exposed immobilized low_ammo motion shocked stun_plus1 stunned unconfirmed_kill"
    tank = vehicle("t1", "N19", status=status, armor_leader="9-1")
    abandon_vehicle(campaign(tank), tank)
    assert tank.status == ("abandoned", "immobilized", "low_ammo")
    assert (tank.inherent_crew, tank.armor_leader) == (False, None)


def test_a_wreck_keeps_no_other_status_and_no_weapons():
    tank, ma = vehicle("t1", "N19", status="crew_exposed stunned"), vehicular("w", "N19", "t1")
    make_wreck(campaign(tank, ma), tank, "burnt_out")
    assert tank.status == ("burnt_out", "wreck")
    assert (tank.inherent_crew, ma.in_play) == (False, False)
