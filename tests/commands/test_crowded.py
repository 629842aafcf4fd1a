"""Stacks over the limits, and units with too many weapons, are said before they are stored."""

from brt_cg.card import load_card
from brt_cg.commands.difference import counter_and_stack_warnings
from tests.refit.table import campaign, japanese_squad, leader, marine_squad, sw

CARD = load_card("III")


def said(*counters: object) -> list[str]:
    made = campaign(*counters)  # type: ignore[arg-type]
    return [words for _, words in counter_and_stack_warnings(made, CARD, made.counters())]


def test_four_squads_in_a_hex_are_over_the_limit_but_not_three_or_those_of_two_sides() -> None:
    three = [marine_squad(f"m{n}", "N20") for n in range(3)]
    assert said(*three, japanese_squad("j1", "N20")) == []
    assert said(*three, marine_squad("m4", "N20")) == [
        "Marine stack in N20: 4 squad-equivalents; the limit is 3 (A5.1)"
    ]


def test_no_stacking_is_checked_without_a_hex() -> None:
    assert said(*(marine_squad(f"m{n}", "in N20") for n in range(6))) == []
    assert said(*(marine_squad(f"m{n}", "off_map") for n in range(6))) == []


def test_five_smc_are_over_the_limit_and_prisoners_do_not_count() -> None:
    leaders = [leader(f"l{n}", "N20") for n in range(5)]
    assert said(*leaders) == ["Marine stack in N20: 5 SMC; the limit is 4 (A5.1)"]
    held = leader("l9", "N20", status="prisoner")
    assert said(*leaders[:4], held) == []


def test_a_squad_uses_two_weapons_and_any_other_unit_one() -> None:
    weapons = [sw(f"w{n}", "N20", possessor="m1") for n in range(3)]
    assert said(marine_squad("m1", "N20"), *weapons[:2]) == []
    assert said(marine_squad("m1", "N20"), *weapons) == [
        "7-6-8 squad m1 has 3 weapons: MMG w0, MMG w1, MMG w2"
    ]
    two = [sw(f"w{n}", "N20", possessor="l1") for n in range(2)]
    assert said(leader("l1", "N20"), *two) == ["8-0 l1 has 2 weapons: MMG w0, MMG w1"]
