"""The dice tables, row by row and modifier by modifier."""

import pytest

from brt_cg.card import load_card
from brt_cg.questions.dice import Dice, DiceTable

TABLES = load_card("I").tables


def ends(table: DiceTable) -> list[tuple[int | None, str]]:
    """Each row as its highest Final and its result."""
    return [(row.high, row.result) for row in table.rows]


def drm(key: str) -> dict[str, int]:
    return {fact.name: fact.drm for fact in TABLES[key].facts}


REMOVAL = {
    "adjacent_front_line": 2,
    "one_hex_front_line": 1,
    "engineers": -1,
    "laborers": -1,
    "bulldozers": -2,
}
AS_PRINTED: dict[str, tuple[str, list[tuple[int | None, str]], dict[str, int]]] = {
    "15.6041": (
        "DR",
        [(0, "passes"), (None, "fails")],
        {
            "marine_1tc": 1,
            "leader": 1,
            "morale_level": 1,
            "encircled": 1,
            "japanese_leader": -1,
        },
    ),
    "15.6042.provisional": (
        "dr",
        [(4, "freed"), (5, "again"), (None, "immobilized")],
        {"land": -1, "ocean_pathfinder": -2, "mired": 1, "sand_bog": -1, "ocean_mired": 2},
    ),
    "15.6043.shock_marker": ("dr", [(2, "recovers"), (None, "unconfirmed_kill")], {}),
    "15.6043.unconfirmed_kill": ("dr", [(3, "recovers"), (None, "eliminated")], {}),
    "15.605.infantry": (
        "DR",
        [
            (7, "survives"),
            (9, "casualty_reduction"),
            (10, "casualty_reduction_equipment"),
            (None, "eliminated"),
        ],
        {"encircled": 2, "hexes": 1, "leader": 1, "excess_pp": 1},
    ),
    "15.605.vehicle": (
        "DR",
        [(7, "survives"), (9, "mired"), (10, "immobilized"), (None, "eliminated")],
        {
            "hexes": 1,
            "armor_leader": 1,
            "armor_af": 1,
            "unarmored": 1,
            "pathfinder_wounded": 1,
            "no_pathfinder": 2,
        },
    ),
    "15.605.crew": ("DR", [(0, "survives"), (None, "eliminated")], {"crew_survival": 1}),
    "wound": ("dr", [(4, "wounded"), (None, "dies")], {"already_wounded": 1}),
    "15.6112": (
        "dr",
        [(1, "unwounded"), (3, "wounded"), (None, "eliminated")],
        {"japanese": 1, "isolated": 1, "heroic": -1},
    ),
    "15.6131b": (
        "dr",
        [(1, "mobile"), (3, "remains"), (None, "ruling")],
        {"armor_leader": 1, "non_qualified": 1, "japanese": 1, "front_line": 1, "isolated": 1},
    ),
    "15.6131c": (
        "dr",
        [(2, "unstunned"), (6, "stunned"), (None, "crew_eliminated")],
        {"japanese": 1, "isolated": 1, "off_map": -1},
    ),
    "15.6132": (
        "dr",
        [(1, "repaired"), (None, "eliminated")],
        {"repair_number": -1, "vehicular": -2, "us": -1, "non_qualified": 1, "isolated": 1},
    ),
    "15.6134": ("dr", [(3, "kept"), (None, "eliminated")], {}),
    "15.6136": ("dr", [(4, "restored"), (None, "depleted")], {}),
    "15.6139.wreck": ("dr", [(3, "removed"), (None, "remains")], REMOVAL),
    "15.6139.wire": ("dr", [(2, "removed"), (None, "remains")], REMOVAL),
    "15.6139.rubble": ("dr", [(1, "removed"), (None, "remains")], REMOVAL),
    "15.6203": (
        "dr",
        [(1, "night"), (None, "no_attack")],
        {"earlier_nights": -1, "cg_i": -1, "ruling_banzai": 1},
    ),
    "15.6205": ("dr", [(3, "marine"), (None, "japanese")], {}),
}


def test_the_tables_are_these() -> None:
    assert set(TABLES) == set(AS_PRINTED)


@pytest.mark.parametrize("key", AS_PRINTED)
def test_rows_and_modifiers_are_as_printed(key: str) -> None:
    dice, rows, facts = AS_PRINTED[key]
    assert TABLES[key].dice is Dice(dice)
    assert ends(TABLES[key]) == rows
    assert drm(key) == facts


@pytest.mark.parametrize("key", [key for key in AS_PRINTED if key != "wound"])
def test_a_table_is_of_the_rule_in_its_key(key: str) -> None:
    assert key.startswith(TABLES[key].rule)


def test_wound_severity_is_of_casualty_reduction() -> None:
    assert TABLES["wound"].rule == "G1.14"


@pytest.mark.parametrize("key", AS_PRINTED)
def test_every_final_has_one_row(key: str) -> None:
    for final in range(-20, 40):
        assert sum(row.holds(final) for row in TABLES[key].rows) == 1


def test_wounded_japanese_leader_on_a_three_is_eliminated() -> None:
    table = TABLES["15.6112"]
    outcome = table.resolve((3,), table.modifiers({"japanese": 1, "heroic": 0}))
    assert outcome.telling() == "dr 3, +1 Japanese → 4: eliminated"


def test_wounded_heroic_marine_leader_on_a_four_is_still_wounded() -> None:
    table = TABLES["15.6112"]
    outcome = table.resolve((4,), table.modifiers({"heroic": 1}))
    assert outcome.telling() == "dr 4, −1 heroic → 3: still wounded"


def test_encirclement_check_reads_against_the_morale_level() -> None:
    table = TABLES["15.6041"]
    outcome = table.resolve((3, 4), table.modifiers({"marine_1tc": 1, "morale_level": -8}))
    assert table.telling(outcome) == "1TC against Morale 8: DR 3,4 = 7 + 1 = 8, passes"


def test_a_check_is_told_against_the_number_as_it_stands() -> None:
    table = TABLES["15.6041"]
    facts = {"marine_1tc": 1, "leader": -1, "morale_level": -7, "encircled": 1}
    outcome = table.resolve((5, 3), table.modifiers(facts))
    assert outcome.final == 8 + 1 - 1 - 7 + 1  # the data keep the rule's own form
    told = "1TC against Morale 6 (7, Encircled −1): DR 5,3 = 8 + 1 − 1 leader = 8, fails"
    assert table.telling(outcome) == told


def test_crew_survival_is_told_with_its_number() -> None:
    table = TABLES["15.605.crew"]
    outcome = table.resolve((5, 3), table.modifiers({"crew_survival": -6}))
    assert table.telling(outcome) == "crew survival 6: DR 5,3 = 8, the crew is eliminated"


def test_encirclement_check_names_the_rulings_that_change_the_morale_level() -> None:
    table = TABLES["15.6041"]
    facts = {"marine_1tc": 1, "leader": -1, "morale_level": -8, "encircled": 1}
    outcome = table.resolve((4, 4), table.modifiers(facts))
    assert outcome.result == "fails"
    assert "R-ENCIRCLED-ML" in outcome.telling()
    japanese = table.modifiers({"morale_level": -8, "japanese_leader": 1})
    assert table.resolve((4, 5), japanese).result == "passes"


def test_wading_infantry_counts_hexes_leader_and_load() -> None:
    table = TABLES["15.605.infantry"]
    facts = {"encircled": 1, "hexes": 5, "leader": -1, "excess_pp": 2}
    outcome = table.resolve((2, 3), table.modifiers(facts))
    assert outcome.final == 10
    assert outcome.result == "casualty_reduction_equipment"
    assert "+2 for 5 hexes to the beach (1 per full 2)" in outcome.telling()


def test_crew_survives_a_dr_of_its_number() -> None:
    table = TABLES["15.605.crew"]
    assert table.resolve((3, 3), table.modifiers({"crew_survival": -6})).result == "survives"
    assert table.resolve((3, 4), table.modifiers({"crew_survival": -6})).result == "eliminated"


def test_repair_number_helps_a_us_weapon() -> None:
    table = TABLES["15.6132"]
    facts = {"repair_number": 1, "vehicular": 1, "us": 1}
    assert table.resolve((5,), table.modifiers(facts)).result == "repaired"
    assert table.resolve((6,), table.modifiers(facts)).result == "eliminated"


def test_a_bulldozer_and_two_engineer_squads_clear_a_wreck_beside_the_front_line() -> None:
    table = TABLES["15.6139.wreck"]
    facts = {"adjacent_front_line": 1, "engineers": 2, "bulldozers": 1}
    assert table.resolve((5,), table.modifiers(facts)).result == "removed"
    assert table.resolve((6,), table.modifiers(facts)).result == "remains"


def test_night_banzai_counts_nights_without_a_scenario() -> None:
    table = TABLES["15.6203"]
    facts = {"earlier_nights": 1, "cg_i": 1, "ruling_banzai": 0}
    assert table.resolve((3,), table.modifiers(facts)).result == "night"
    assert table.resolve((3,), table.modifiers({"ruling_banzai": -2})).result == "night"
    assert table.resolve((2,)).result == "no_attack"
