"""The dice tables: whose rule each is of, and how a check is told. Their rows and modifiers are the
tests' of their paragraphs (tests/naive/__init__.py)."""

import pytest

from brt_cg.card import load_card

TABLES = load_card("I").tables


@pytest.mark.parametrize("key", TABLES)
def test_the_key_of_a_table_names_its_rule(key: str) -> None:
    rule = TABLES[key].rule
    assert rule == "G1.14" if key == "wound" else key.startswith(rule)


@pytest.mark.parametrize(
    ("key", "dice", "facts", "told"),
    [
        (
            *("15.6041", (3, 4), {"marine_1tc": 1, "morale_level": -8}),
            "1TC against Morale 8, DR 3,4 = 7, +1 for the 1TC, Final DR 8: passes",
        ),
        (
            *("15.6041", (5, 3)),
            {"marine_1tc": 1, "leader": -1, "morale_level": -7, "encircled": 1},
            "1TC against Morale 6 (7, Encircled −1), DR 5,3 = 8, +1 for the 1TC, −1 leader, "
            "Final DR 8: fails",
        ),
        (
            *("15.605.crew", (5, 3), {"crew_survival": -6}),
            "crew survival number 6, DR 5,3 = 8: the crew is eliminated",
        ),
        ("15.6112", (3,), {"japanese": 1}, "dr 3, +1 Japanese, Final dr 4: eliminated"),
    ],
)
def test_a_check_is_shown_against_its_current_number(
    key: str, dice: tuple[int, ...], facts: dict[str, int], told: str
) -> None:
    table = TABLES[key]
    assert table.roll_text(table.resolve(dice, table.modifiers_for_facts(facts))) == told


def test_the_rulings_that_change_a_morale_level_are_named() -> None:
    table = TABLES["15.6041"]
    modifiers = table.modifiers_for_facts(
        {"morale_level": -8, "encircled": 1, "japanese_leader": 1}
    )
    told = table.resolve((4, 4), modifiers).roll_text()
    assert "R-ENCIRCLED-ML" in told
    assert "R-LEADER-ML" in told
