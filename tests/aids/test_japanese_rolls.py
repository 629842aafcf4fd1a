"""The Japanese rules that roll, count or cost something."""

import pytest

from brt_cg.aids.japanese import (
    allowed_number,
    dyo_cost,
    find_table,
    parse_sentence,
    read_japanese_rolls,
    roll_morale_check,
    roll_on_table,
)
from brt_cg.aids.sources import aid_ruling_values
from brt_cg.questions.answers import RefusedError
from brt_cg.questions.dice import Outcome
from brt_cg.questions.question_types import run_with_answers


def outcome(key: str, dice: object, **facts: int) -> Outcome:
    table, modifying = find_table(key, facts)
    return run_with_answers(roll_on_table(table, modifying), lambda _: dice)


# --- T-H Heroes (G1.42) ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("dr", "facts", "created"),
    [
        (3, {}, True),
        (4, {}, False),
        (2, {"half_squad": 1}, True),
        (3, {"half_squad": 1}, False),
        (1, {"conscript": 1}, True),
        (2, {"conscript": 1}, False),
        (5, {"dc": 1}, True),
        (6, {"dc": 1}, False),
        (2, {"half_squad": 1, "conscript": 1, "dc": 1}, True),
        (3, {"half_squad": 1, "conscript": 1, "dc": 1}, False),
    ],
)
def test_a_hero_is_created_on_a_final_three(dr: int, facts: dict[str, int], created: bool) -> None:
    assert (outcome("th_hero", dr, **facts).result == "created") is created


def test_an_original_six_pins_the_mmc_but_not_the_hero() -> None:
    originals = read_japanese_rolls().originals
    assert "pinned" in originals["th_hero", 6].text
    assert "not pin" in originals["atmm", 6].text


def test_an_atmm_is_harder_to_get_before_1944() -> None:
    assert [outcome("atmm", dr).result for dr in (3, 4)] == ["atmm", "none"]
    assert [outcome("atmm", dr, pre_1944=1).result for dr in (2, 3)] == ["atmm", "none"]


def test_japanese_oba_is_accurate_on_a_one() -> None:
    assert [outcome("oba_accuracy", dr).result for dr in (1, 2)] == ["accurate", "inaccurate"]


@pytest.mark.parametrize(
    ("year", "russian", "heroes"),
    [
        (1942, False, 3),
        (1942, True, 5),
        (1943, False, 5),
        (1943, True, 5),
        (1944, False, 8),
        (1945, False, 12),
    ],
)
def test_tank_hunter_heroes_are_limited_by_year_and_enemy(
    year: int, russian: bool, heroes: int
) -> None:
    assert allowed_number("th_heroes", 23, year, russian)[0] == heroes


def test_in_brt_a_fifth_of_the_squads_is_allowed_in_any_year() -> None:
    assert allowed_number("th_heroes_brt", 23, None) == (
        5,
        "20% of 23 Japanese squads at start, rounded up (SSR BRT5)",
    )


def test_the_year_is_asked_for_where_it_matters() -> None:
    with pytest.raises(RefusedError, match="year=1944"):
        allowed_number("th_heroes", 23, None)


# --- HIP, A-T Set DC, Dare-Death Squads -----------------------------------------------------------


def test_the_hip_example_of_ten_squads_and_two_crews_is_right() -> None:
    assert allowed_number("hip_day", 11, None)[0] == 2
    assert allowed_number("hip_night", 11, None)[0] == 3
    assert allowed_number("night_dummies", 11, None)[0] == 11


def test_squad_equivalents_come_in_halves_for_hip_but_squads_do_not() -> None:
    assert allowed_number("hip_day", 10, None)[0] == 1
    assert allowed_number("hip_day", 10.5, None) == (
        2,
        "10% of 10½ MMC squad-equivalents set up onboard, rounded up (G1.631)",
    )
    with pytest.raises(RefusedError, match="enter a whole number of Japanese squads"):
        allowed_number("th_heroes_brt", 10.5, None)


def test_at_set_dc_are_a_quarter_of_the_dc_in_1945_but_not_against_russians() -> None:
    assert allowed_number("at_set_dc", 5, 1945)[0] == 2
    assert allowed_number("at_set_dc", 5, 1944)[0] == 0
    assert allowed_number("at_set_dc", 5, 1945, russian=True)[0] == 0


def test_dare_death_squads_are_a_tenth_rounded_up() -> None:
    assert allowed_number("dare_death", 11, None)[0] == 2


def test_every_limit_can_be_asked_for() -> None:
    shares = [(one.item, one.percent, one.first, one.last) for one in read_japanese_rolls().limits]
    assert shares == [
        ("th_heroes", 20, None, 1942),
        ("th_heroes", 10, None, 1942),
        ("th_heroes", 20, 1943, 1943),
        ("th_heroes", 33, 1944, 1944),
        ("th_heroes", 50, 1945, None),
        ("night_dummies", 100, None, None),
        ("at_set_dc", 25, 1945, None),
        ("dare_death", 10, None, None),
    ]


# --- DYO costs (G1.66) ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("item", "year", "expected"),
    [
        ("afv", 1944, 18),
        ("afv", 1943, 35),
        ("?", None, 18),
        ("trench", None, 18),
        ("at_ditch", None, 35),
        ("pillbox", None, 18),
        ("tunnel", None, 18),
        ("wire", None, 53),
        ("mines", None, 53),
        ("daisy_chain", None, 35),
        ("bombardment", None, 53),
        ("creeping_barrage", None, 53),
        ("san", None, 18),
    ],
)
def test_some_actions_cost_35(item: str, year: int | None, expected: int) -> None:
    assert dyo_cost(item, 35, year)[0] == expected


def test_the_list_of_costs_is_complete() -> None:
    listed = set(test_some_actions_cost_35.pytestmark[0].args[1])  # type: ignore[attr-defined]
    assert {row[0] for row in listed} == {share.item for share in read_japanese_rolls().costs}


# --- Hara-Kiri, morale checks ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("facts", "final"),
    [({}, 7), ({"smc_gone": 1}, 5), ({"inexperienced": 1}, 6), ({"unarmed": 1}, 8)],
)
def test_hara_kiri_has_its_modifiers(facts: dict[str, int], final: int) -> None:
    assert outcome("hara_kiri", [3, 4], ml=7, **facts).final == final


@pytest.mark.parametrize(
    ("dice", "rule"),
    [([3, 3], None), ([3, 4], "G1.121"), ([5, 5], "G1.123"), ([6, 6], "G1.14")],
)
def test_a_morale_check_is_rolled_and_followed_up(dice: list[int], rule: str | None) -> None:
    check = parse_sentence("4-4-7 1MC").morale_check_to_roll(elr=3, drm=0)
    _, result = run_with_answers(roll_morale_check(*check, aid_ruling_values()), lambda _: dice)
    assert (result and result.row.rule) == rule


def test_the_odds_of_a_check_add_up() -> None:
    _, (table, facts) = parse_sentence("4-4-7 1MC").morale_check_to_roll(elr=3, drm=0)
    assert sum(chance for _, chance in table.odds(table.modifiers_for_facts(facts))) == 1


@pytest.mark.parametrize(
    ("key", "facts", "told"),
    [
        ("x", {}, "unknown roll x; enter th_hero, atmm"),
        ("mc", {}, "ml=8"),
        ("atmm", {"dc": 1}, "dc does not modify atmm; enter pre_1944"),
    ],
)
def test_an_impossible_roll_is_refused_with_the_reason(
    key: str, facts: dict[str, int], told: str
) -> None:
    with pytest.raises(RefusedError, match=told):
        find_table(key, facts)
