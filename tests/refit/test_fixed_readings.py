"""Each line of the log that rests on a fixed reading of a gap in the rules names that reading."""

from collections.abc import Callable
from typing import Any

import pytest

from brt_cg.card import load_card
from brt_cg.refit.s602_markers import place_hidden_and_remove_markers
from brt_cg.refit.s605_wading import roll_for_wading_survival
from brt_cg.refit.s610_fires import burn_out_burning_wrecks, rubble_burning_buildings
from brt_cg.refit.s611_promotion import promote_leaders
from brt_cg.refit.s612_new_date import begin_new_cg_date
from tests.refit.table import (
    JAPANESE,
    MARINE,
    Result,
    campaign,
    fort,
    japanese_half_squad,
    japanese_squad,
    leader,
    marine_squad,
    play,
    sw,
    terrain,
    vehicle,
)
from tests.refit.test_end_of_campaign import the_end
from tests.refit.test_s601 import melee, pair
from tests.refit.test_s6139 import laborers, one_try

WADES = {"perimeters": (("S29",),)}
AREAS = {"M1": "N20-N24", "J1": "N25-N45"}
SHORT = {each.key: each.short for each in load_card("II").fixed_completions if each.key}


def wades(dr: list[int]) -> Result:
    gear = sw("w", "T29", pp=0, possessor="m")
    table = campaign(marine_squad("m", "T29"), gear, **WADES)
    return play(roll_for_wading_survival, table, {"m": [dr]}, default=True)


def burns() -> Result:
    parts = [
        terrain("a", "N20", material="wood", building="b1", fire="flame"),
        terrain("b", "N20:1", material="wood", building="b1"),
    ]
    return play(rubble_burning_buildings, campaign(*parts, fort("f", "N20", "fortified_building")))


def hardens(side: Any, type_: str) -> Result:
    area = "M1" if side is MARINE else "J1"
    heroic = leader("l", None, type_, side, traits="heroic", setup_area=area)
    return play(promote_leaders, campaign(heroic, areas=AREAS))


def removes(item: Any, *helpers: Any) -> Result:
    side = "japanese" if helpers else "marine"
    return one_try(item, 1, *helpers, helpers=[each.id for each in helpers], side=side)


def held_at_the_end() -> Result:
    held = japanese_half_squad("j", "N19", status="prisoner", guard="m")
    return the_end(held, marine_squad("m", "N19"), marine={"cvp": 9}, japanese={"cvp": 10})


CASES: list[tuple[str, str, Callable[[], Result]]] = [
    ("melee", "j1 (N35) is revealed", lambda: melee(*pair(status="hidden"), rounds={"N35": [{}]})),
    (
        "stays_hidden",
        "stays hidden and must set up in this Location",
        lambda: play(
            place_hidden_and_remove_markers, campaign(japanese_squad("j", "N21", status="hidden"))
        ),
    ),
    ("lost_with_unit", "lost in the Ocean", lambda: wades([6, 6])),
    ("final_10", "lost in the Ocean", lambda: wades([4, 6])),
    (
        "blaze",
        "its Blaze moves to",
        lambda: play(
            burn_out_burning_wrecks,
            campaign(
                vehicle("v", "N19", status="burning wreck"), terrain("t", "N19", "stone_rubble")
            ),
        ),
    ),
    ("burnt_building", "burns down to wooden rubble", burns),
    ("burnt_building", "its upper level is removed", burns),
    ("burnt_building", "no longer Fortified", burns),
    ("us_ladder", "Battle Hardens to 8-1", lambda: hardens(MARINE, "8-0")),
    ("no_8_1", "Battle Hardens to 9-0", lambda: hardens(JAPANESE, "8-0")),
    (
        "attacker",
        "the Marines attack",
        lambda: play(begin_new_cg_date, campaign(cg="III", date="20 AM")),
    ),
    (
        "laborers",
        "for 1 Korean laborer squad",
        lambda: removes(fort("x", "N30", "wire", controller=JAPANESE), laborers()),
    ),
    (
        "immobile",
        "removed",
        lambda: removes(vehicle("x", "N22", setup_area="M1", status="immobilized")),
    ),
    ("held", "still held", held_at_the_end),
    (
        "wounded_leader",
        "for 9-1",
        lambda: melee(
            leader("l", "N35", "9-1", status="wounded"),
            japanese_squad("j1", "N35"),
            rounds={"N35": [{"eliminated": ["l"]}]},
        ),
    ),
]


@pytest.mark.parametrize(("key", "line", "played"), CASES, ids=[f"{k}-{w}" for k, w, _ in CASES])
def test_a_log_line_names_the_fixed_reading_it_relies_on(
    key: str, line: str, played: Callable[[], Result]
) -> None:
    there = [said for said in played().said if line in said]
    assert there
    assert [said for said in there if f"program's reading: {SHORT[key]})" not in said] == []


def test_each_short_reading_is_named_by_a_log_line() -> None:
    assert {key for key, *_ in CASES} == SHORT.keys()


@pytest.mark.parametrize(
    "played",
    [
        lambda: hardens(JAPANESE, "9-0"),
        lambda: play(begin_new_cg_date, campaign(cg="III", date="20 PM")),
        lambda: removes(vehicle("x", "N22", setup_area="M1", status="wreck", inherent_crew=False)),
        lambda: removes(fort("x", "N22", "wire", controller=MARINE)),
        lambda: melee(*pair(), rounds={"N35": [{"eliminated": ["m1"]}]}),
    ],
)
def test_a_log_line_without_a_fixed_reading_names_none(played: Callable[[], Result]) -> None:
    assert "fixed reading" not in played().log


def test_a_hidden_laborer_leaves_no_reading_in_the_enemys_log_line() -> None:
    item = fort("x", "N30", "wire", controller=JAPANESE)
    result = removes(item, laborers(status="hidden"))
    lines = [*zip(result.said, result.secrets, strict=True)]
    assert any(SHORT["laborers"] in text for text, secret in lines if secret is JAPANESE)
    assert not any("fixed reading" in text for text, secret in lines if secret is None)
