"""Assault Engineers, by BRT9 or by name (R-ENGINEERS), and the other separate types."""

from brt_cg.card import Card
from brt_cg.model import Campaign, Side, Unit, UnitKind

ENGINEER = "engineer"


def is_engineer(campaign: Campaign, card: Card, unit: Unit) -> bool:
    """Whether a unit is an Assault Engineer: by R-ENGINEERS `all` every Marine 7-6-8, and every
    unit with the trait."""
    squad = card.ladders.figures.marine.engineer_squad
    of_type = unit.side is Side.MARINE and unit.kind is UnitKind.SQUAD and unit.type == squad
    by_type = of_type and campaign.ruling_value("R-ENGINEERS") == "all"
    return by_type or unit.has_trait(ENGINEER)


def separate_type_traits(campaign: Campaign, card: Card, unit: Unit) -> tuple[str, ...]:
    """Return the traits that make a unit a separate type: "engineer", "korean_laborer"."""
    named = (ENGINEER,) if is_engineer(campaign, card, unit) else ()
    return named + tuple(trait for trait in unit.traits_making_separate_type if trait != ENGINEER)


def keep_engineer_trait(campaign: Campaign, card: Card, before: Unit, now: Unit) -> None:
    """Give the trait to the HS that a Marine engineer squad has become, since its digits do not
    show it."""
    marine = card.ladders.figures.marine
    half = now.kind is UnitKind.HALF_SQUAD and now.type == marine.engineer_half_squad
    if now.side is Side.MARINE and half and is_engineer(campaign, card, before):
        now.traits = tuple(sorted({*now.traits, ENGINEER}))
