"""The digits on a counter tell its class: nobody has to give both."""

from typing import Any

import pytest

from brt_cg.card import load_card
from brt_cg.card.counter_builder import build_counter, correct_counter
from brt_cg.card.unit_names import normalize_digits
from brt_cg.model.counters import Side, Unit, UnitClass, UnitKind, UnitStrength
from tests.refit.table import japanese_squad

CARD = load_card("III")


def made(**values: Any) -> tuple[Unit | None, list[str]]:
    problems: list[str] = []
    known = {"id": "j1", "side": Side.JAPANESE, "kind": UnitKind.SQUAD, **values}
    found = build_counter(
        Unit, known, CARD, lambda name, message: problems.append(f"{name}: {message}")
    )
    assert found is None or isinstance(found, Unit)
    return found, problems


@pytest.mark.parametrize(
    ("type", "class_", "strength"),
    [
        ("4-4-8", UnitClass.ELITE, UnitStrength.FULL),
        ("448", UnitClass.ELITE, UnitStrength.FULL),
        ("447", UnitClass.FIRST_LINE, UnitStrength.FULL),
        ("3-4-7", None, None),
    ],
)
def test_strength_factors_give_the_class_of_a_japanese_squad(
    type: str, class_: UnitClass | None, strength: UnitStrength | None
) -> None:
    unit, problems = made(type=type)
    if class_ is None:
        assert unit is not None or problems
        return
    assert unit is not None
    assert (unit.class_, unit.strength) == (class_, strength)
    assert unit.type == "-".join(type.replace("-", ""))
    assert problems == []


def test_an_entered_class_is_refused_if_it_contradicts_the_strength() -> None:
    unit, problems = made(type="4-4-7", **{"class": UnitClass.ELITE})
    assert problems != []
    assert unit is None or unit.class_ is UnitClass.ELITE


def test_the_class_is_required_without_strength_factors() -> None:
    assert made()[1] == [
        "class: missing; a Japanese MMC has one of elite, first_line, second_line, conscript"
    ]


@pytest.mark.parametrize(
    ("side", "text", "printed"),
    [
        (Side.MARINE, "768", "7-6-8"),
        (Side.MARINE, "91", "9-1"),
        (Side.MARINE, "61", "6+1"),
        (Side.JAPANESE, "101", "10-1"),
        (Side.MARINE, "7-6-8", "7-6-8"),
        (Side.MARINE, "Crowe", "Crowe"),
    ],
)
def test_strength_factors_are_written_as_printed(side: Side, text: str, printed: str) -> None:
    assert normalize_digits(CARD, side, text) == printed


def test_correcting_the_strength_factors_corrects_the_class() -> None:
    squad = japanese_squad("j1", "N30", "elite")
    now = correct_counter(squad, {"type": "447"}, CARD, lambda *_: None)
    assert isinstance(now, Unit)
    assert (now.type, now.class_) == ("4-4-7", UnitClass.FIRST_LINE)
