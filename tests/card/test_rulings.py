"""The rulings: all there, each with options that it takes and others that it refuses."""

import pytest

from brt_cg.card import available_campaign_games, load_card
from brt_cg.card.rulings import Ruling, RulingKind

CARDS = {cg: load_card(cg) for cg in available_campaign_games()}
SHARED = CARDS["I"].shared.rulings
EVERY = SHARED.by_id
# Rulings that are a number, with their defaults.
NUMBERS = {"R-BANZAI-DRM": "0", "R-CG2-AREA": "35"}


def test_a_ruling_of_one_cg_is_offered_in_no_other() -> None:
    of_one = {cg: set(EVERY) - set(card.rulings) for cg, card in CARDS.items()}
    assert of_one == {
        "I": {"R-CG2-AREA", "R-HMG-CG2"},
        "II": {"R-CG1-WHEN"},
        "III": {"R-CG1-WHEN", "R-CG2-AREA", "R-HMG-CG2"},
    }
    misprint = SHARED.fixed[0]
    assert [cg for cg, card in CARDS.items() if misprint in card.fixed_completions] == ["II"]


@pytest.mark.parametrize(
    ("cg", "of_it"), [("I", {"R-CG1-WHEN"}), ("II", {"R-CG2-AREA", "R-HMG-CG2"}), ("III", set())]
)
def test_rulings_without_a_later_question_are_asked_before_a_campaign(
    cg: str, of_it: set[str]
) -> None:
    first = {id for id, each in load_card(cg).rulings.items() if each.needs_agreement_beforehand}
    assert first == {"R-HIDDEN-HS", "R-HIDDEN-LOSSES", "R-NIGHT-POINTS"} | of_it
    assert not any(load_card(cg).rulings[id].is_asked_when_it_matters for id in first)


@pytest.mark.parametrize("ruling", EVERY.values(), ids=lambda ruling: ruling.id)
def test_the_first_option_of_a_ruling_is_its_default(ruling: Ruling) -> None:
    assert ruling.default == NUMBERS.get(ruling.id) or ruling.default == ruling.options[0]
    assert ruling.check_value(ruling.default) == ruling.default


@pytest.mark.parametrize("ruling", EVERY.values(), ids=lambda ruling: ruling.id)
def test_a_ruling_shows_its_rule_question_and_provenance(ruling: Ruling) -> None:
    assert "?" in ruling.question
    assert ruling.rule
    assert ruling.provenance
    assert all(ruling.meaning(option) for option in ruling.options)


def test_an_invalid_value_is_refused_with_the_allowed_ones() -> None:
    expected = r"R-UNLOAD \(15.6031\): 'swim' is not accepted; enter stay, unload"
    with pytest.raises(ValueError, match=expected):
        EVERY["R-UNLOAD"].check_value("swim")


def test_a_number_may_carry_either_minus_sign() -> None:
    ruling = EVERY["R-BANZAI-DRM"]
    assert ruling.kind is RulingKind.NUMBER
    assert ruling.check_value(" -1 ") == "-1"
    assert ruling.check_value("−1") == "-1"


@pytest.mark.parametrize(("id", "low", "high"), [("R-CG2-AREA", 1, 63), ("R-BANZAI-DRM", -6, 6)])
def test_a_number_has_its_bounds(id: str, low: int, high: int) -> None:
    for number in (low, high):
        assert EVERY[id].check_value(str(number)) == str(number)
    for value in (str(low - 1), str(high + 1), "all", "3.5", ""):
        with pytest.raises(ValueError, match=f"enter a whole number from {low} to {high}"):
            EVERY[id].check_value(value)


@pytest.mark.parametrize(
    ("ruling", "outcome"),
    [
        ("R-BOG", "provisional"),
        ("R-SHOCK", "marker"),
        ("R-CREW-SURVIVAL", "eliminated"),
        ("R-SAN", "unchanged"),
        ("R-IMMOBILE-4", "remains"),
        ("R-RECALL", "none"),
        ("R-FT-DC", "none"),
        ("R-SCROUNGE", "none"),
        ("R-UNLOAD", None),
    ],
)
def test_a_ruling_has_an_outcome_without_an_entry(ruling: str, outcome: str | None) -> None:
    assert EVERY[ruling].auto == outcome


def test_the_completions_are_shown_with_their_rules() -> None:
    assert [one.rule for one in SHARED.fixed] == [
        "15.6142",
        "15.6131c",
        "G1.41",
        "15.6143",
        "15.6114",
        "15.601",
        "15.6121",
        "15.6139",
        "15.605",
        "15.615",
        "15.6032",
        "15.6143",
        "15.602",
        "15.605",
        "15.6101",
        "15.6105",
        "15.6139",
        "15.6132",
        "15.6202",
    ]
    assert all(one.text.endswith(".") for one in SHARED.fixed)
