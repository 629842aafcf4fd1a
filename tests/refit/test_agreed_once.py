"""The first time that a ruling of low sureness decides over a counter, the players are asked
whether it shall stand for their campaign: once, and never so that a secret shows."""

from typing import Any

import pytest

from brt_cg.card import load_card
from brt_cg.card.rulings import Confidence, Ruling
from brt_cg.model.campaign import Campaign
from brt_cg.model.counters import Fate
from brt_cg.questions.question_types import ChoiceQuestion
from brt_cg.refit.play import Paragraph
from brt_cg.refit.s601_melee import fight_out_melees
from brt_cg.refit.s603_rally_and_victory import rally_and_unload
from brt_cg.refit.s604_encirclement import check_encircled_units
from brt_cg.refit.s605_wading import roll_for_wading_survival
from brt_cg.refit.s607_perimeters import isolate_cut_off_units
from brt_cg.refit.s610_fires import burn_out_vehicles_in_blaze
from brt_cg.refit.s611_promotion import harden_mmc_by_heroes, recombine_half_squads
from brt_cg.refit.s620_setup import determine_banzai_night
from brt_cg.refit.s6139_removal import attempt_removals
from brt_cg.refit.sequence import NUMBERS, paragraph_of
from tests.refit.table import (
    JAPANESE,
    MARINE,
    Result,
    campaign,
    hero,
    japanese_half_squad,
    japanese_squad,
    leader,
    marine_half_squad,
    marine_squad,
    play,
    terrain,
    vehicle,
)

AREAS = {"M1": "N18-N21", "J1": "N22-N30"}
OCEAN = "T30"
RULINGS = load_card("III").rulings

# A ruling; the paragraph in which it decides; what is on the table; its dice, its choices.
Case = tuple[str, Paragraph, dict[str, Any], dict[str, Any], dict[str, Any]]


def afloat(**values: Any) -> Any:
    return vehicle("t1", OCEAN, **values)


def case(
    ruling: str, paragraph: Paragraph, *counters: Any, rolls: Any = None, tries: Any = None
) -> Any:
    table = {"counters": counters, "areas": AREAS, "perimeters": (("S29",),)}
    return pytest.param(ruling, paragraph, table, rolls or {}, tries or {}, id=ruling)


DECIDING = [
    case(
        "R-UNLOAD",
        rally_and_unload,
        afloat(),
        marine_half_squad("m", OCEAN, aboard="t1"),
        marine_half_squad("n", OCEAN, aboard="t1"),
    ),
    case(
        "R-CVP-REFIT",
        check_encircled_units,
        marine_squad("m", "N19", status="encircled"),
        marine_squad("n", "N19", status="encircled"),
        rolls={"m": [[6, 6]], "n": [[6, 6]]},
    ),
    case(
        "R-WADE-SMC",
        roll_for_wading_survival,
        marine_squad("m", OCEAN),
        leader("l", OCEAN, "8-0"),
        leader("n", OCEAN, "8-0"),
        rolls={"m": [[6, 6]]},
    ),
    case("R-OCEAN-MOBILE", isolate_cut_off_units, afloat(), vehicle("t2", "T31")),
    case("R-OCEAN-VEHICLES", isolate_cut_off_units, afloat(status="mired")),
    case(
        "R-FIRE-VEHICLES",
        burn_out_vehicles_in_blaze,
        vehicle("t1", "N25", status="wreck", inherent_crew=False),
        vehicle("t2", "N25", status="wreck", inherent_crew=False),
        terrain("b", "N25", fire="blaze"),
    ),
    case(
        "R-HARDEN-ELITE",
        harden_mmc_by_heroes,
        hero("h", None, setup_area="M1"),
        hero("i", None, setup_area="M1"),
        marine_squad("m", None, setup_area="M1"),
    ),
    case(
        "R-WRECK-REMOVAL",
        attempt_removals,
        vehicle("t1", "N19", status="wreck", inherent_crew=False),
        rolls={"t1": [6]},
        tries={"marine": {"t1": {"helpers": []}}},
    ),
]


def decided(
    ruling: str, paragraph: Paragraph, table: dict[str, Any], rolls: Any, choices: Any
) -> Result:
    counters = [one.clone() for one in table["counters"]]
    rest = {key: value for key, value in table.items() if key != "counters"}
    made = campaign(*counters, not_agreed=[ruling], **rest)
    return play(paragraph, made, rolls, choices)


@pytest.mark.parametrize(("ruling", "paragraph", "table", "rolls", "choices"), DECIDING)
def test_the_players_are_asked_once_before_a_ruling_decides(
    ruling: str, paragraph: Paragraph, table: Any, rolls: Any, choices: Any
) -> None:
    result = decided(ruling, paragraph, table, rolls, choices)
    assert result.subjects.count(ruling) == 1
    asked = result.ask(ruling)
    assert isinstance(asked, ChoiceQuestion)
    assert asked.public
    assert [one.raw for one in asked.options] == list(RULINGS[ruling].values)
    assert "holds for the whole campaign" in asked.prompt
    assert asked.default == RULINGS[ruling].default
    point = RULINGS[ruling]
    settled = f"Settled for this campaign, by default: {point.meaning(point.default)}".replace(
        "no: ", "no, "
    )
    assert f"{settled} (ruling {ruling})" in result.log
    assert result.campaign.is_ruling_agreed(ruling)


@pytest.mark.parametrize(("ruling", "paragraph", "table", "rolls", "choices"), DECIDING)
def test_an_earlier_ruling_is_not_asked_about_again(
    ruling: str, paragraph: Paragraph, table: Any, rolls: Any, choices: Any
) -> None:
    counters = [one.clone() for one in table["counters"]]
    made = campaign(*counters, **{key: one for key, one in table.items() if key != "counters"})
    assert ruling not in play(paragraph, made, rolls, choices).subjects


def test_the_chosen_ruling_decides_now_and_from_then_on() -> None:
    made = campaign(afloat(), vehicle("t2", "T31"), areas=AREAS, not_agreed=["R-OCEAN-MOBILE"])
    result = play(isolate_cut_off_units, made, choices={"R-OCEAN-MOBILE": "nearest"})
    assert not result.vehicle("t1").isolated
    assert not result.vehicle("t2").isolated
    assert made.ruling_value("R-OCEAN-MOBILE") == "nearest"
    assert "campaign: they are Retained, with all aboard, in the nearest" in result.log
    assert "(ruling R-OCEAN-MOBILE)" in result.log
    assert "R-OCEAN-MOBILE" not in play(isolate_cut_off_units, made).subjects


def test_a_ruling_that_affects_nothing_is_not_asked_about() -> None:
    made = campaign(vehicle("t1", "N19"), areas=AREAS, not_agreed=RULINGS)
    assert play(isolate_cut_off_units, made).subjects == []
    alive = campaign(
        marine_squad("m", OCEAN), leader("l", OCEAN), perimeters=(("S29",),), not_agreed=RULINGS
    )
    assert "R-WADE-SMC" not in play(roll_for_wading_survival, alive, {"m": [[1, 1]]}).subjects


def test_the_third_drm_of_a_night_attack_is_asked_for_before_the_dr() -> None:
    def night(drm: str) -> Result:
        made = campaign(
            cg="III", date="20 NT", phase="setup", banzai=True, not_agreed=["R-BANZAI-DRM"]
        )
        return play(determine_banzai_night, made, {"japanese": [2]}, {"R-BANZAI-DRM": drm})

    assert night("-1").subjects == ["R-BANZAI-DRM", "japanese"]
    assert night("-1").campaign.situation.date == "20 NT"
    assert night("0").campaign.situation.date == "21 AM"


def test_the_score_of_a_melee_round_is_agreed_on_before_any_loss() -> None:
    fighting = [marine_squad("m", "N20"), japanese_squad("j", "N20"), japanese_squad("k", "N20")]
    made = campaign(*fighting, not_agreed=["R-CVP-REFIT"])

    def look(ask: Any) -> None:
        if ask.subject == "R-CVP-REFIT":
            assert all(unit.in_play for unit in made.units.values())

    rounds = {"N20": [{"eliminated": ["m"], "casualty_reduced": ["j"]}]}
    result = play(fight_out_melees, made, choices=rounds, look=look)
    assert result.subjects.count("R-CVP-REFIT") == 1
    assert (result.cvp(JAPANESE), result.cvp(MARINE)) == (2, 1)


# --- secrets ----------------------------------------------------------------------------------


def lost_in_the_night(*counters: Any) -> tuple[Result, Campaign]:
    made = campaign(*counters, not_agreed=["R-CVP-REFIT"])
    rolls = {one.id: [[6, 6]] for one in counters}
    return play(check_encircled_units, made, rolls), made


def test_a_ruling_about_a_hidden_counter_uses_its_default_without_asking() -> None:
    hidden = japanese_squad("j", "N25", status="hidden encircled")
    result, made = lost_in_the_night(hidden)
    assert result.subjects == ["j"]
    assert not made.is_ruling_agreed("R-CVP-REFIT")
    assert result.cvp(MARINE) == 2


def test_players_are_asked_for_a_ruling_once_the_enemy_knows_the_counter() -> None:
    hidden = japanese_squad("j", "N25", status="hidden encircled")
    seen = japanese_squad("k", "N26", status="encircled")
    result, made = lost_in_the_night(hidden, seen)
    assert result.subjects == ["j", "k", "R-CVP-REFIT"]
    assert "k" in result.ask("R-CVP-REFIT").prompt
    assert "j (" not in result.ask("R-CVP-REFIT").prompt
    assert made.units["j"].fate is Fate.ELIMINATED


@pytest.mark.parametrize(
    ("hidden", "squad_hidden"), [("hidden", ""), ("", "hidden"), ("hidden", "hidden")]
)
def test_a_ruling_question_does_not_reveal_a_hidden_hero_or_mmc(
    hidden: str, squad_hidden: str
) -> None:
    home = {"setup_area": "J1", "recorded_location": "N25"}
    made = campaign(
        hero("h", None, JAPANESE, status=hidden, **home),
        japanese_squad("j", None, "elite", status=squad_hidden, **home),
        areas=AREAS,
        not_agreed=["R-HARDEN-ELITE"],
    )
    assert play(harden_mmc_by_heroes, made).subjects == []


def test_a_ruling_question_does_not_reveal_a_hidden_tank_in_the_ocean() -> None:
    tank = vehicle("t1", OCEAN, side=JAPANESE, status="hidden")
    made = campaign(tank, areas=AREAS, not_agreed=["R-OCEAN-MOBILE"])
    assert play(isolate_cut_off_units, made).subjects == []


def test_the_log_shows_only_their_owner_which_ruling_keeps_hidden_hs_apart() -> None:
    home = {"setup_area": "J1", "recorded_location": "N25", "status": "hidden"}
    pair = [japanese_half_squad(id, None, **home) for id in ("j", "k")]
    lone = japanese_half_squad("l", None, **(home | {"recorded_location": "N26"}))
    result = play(recombine_half_squads, campaign(*pair, lone, areas=AREAS, not_agreed=RULINGS))
    assert [line.split(":")[0].split(" (")[0] for line in result.said] == [
        "2-3-7 HS j",
        "2-3-7 HS k",
    ]
    assert all(
        "stays hidden and does not Recombine (ruling R-HIDDEN-HS)" in line for line in result.said
    )
    assert set(result.secrets) == {JAPANESE}
    assert result.subjects == []


# --- the data -----------------------------------------------------------------------------------


@pytest.mark.parametrize("ruling", RULINGS.values(), ids=lambda ruling: ruling.id)
def test_each_uncertain_ruling_is_asked_in_a_paragraph_or_says_why_not(ruling: Ruling) -> None:
    somewhere = [number for number in NUMBERS if ruling.id in paragraph_of(number).subjects]
    low = ruling.sure is Confidence.LOW and len(ruling.values) > 1
    assert bool(somewhere) is ruling.is_asked_when_it_matters
    assert ruling.is_asked_when_it_matters is (low and ruling.unasked is None)
    assert low or ruling.unasked is None
