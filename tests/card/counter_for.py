"""Units for the card's tests, in few words."""

from brt_cg.model.counters import Side, Unit, UnitClass, UnitKind, UnitStrength

ELITE, FIRST_LINE = UnitClass.ELITE, UnitClass.FIRST_LINE
SECOND_LINE, CONSCRIPT = UnitClass.SECOND_LINE, UnitClass.CONSCRIPT


def marine(
    type_: str, kind: UnitKind = UnitKind.SQUAD, *traits: str, wounded: bool = False
) -> Unit:
    """A Marine unit."""
    status = ("wounded",) if wounded else ()
    return Unit(id="m", side=Side.MARINE, kind=kind, type=type_, traits=traits, status=status)


def japanese(
    class_: UnitClass | None,
    kind: UnitKind = UnitKind.SQUAD,
    *traits: str,
    type_: str = "",
    reduced: bool = False,
) -> Unit:
    """A Japanese MMC; its digits, if any, as the player wrote them."""
    strength = UnitStrength.REDUCED if reduced else UnitStrength.FULL
    return Unit(
        id="j",
        side=Side.JAPANESE,
        kind=kind,
        class_=class_,
        strength=strength,
        traits=traits,
        type=type_,
    )


def leader(side: Side, type_: str, *, wounded: bool = False) -> Unit:
    """A leader by his unwounded value."""
    status = ("wounded",) if wounded else ()
    return Unit(id="ldr", side=side, kind=UnitKind.LEADER, type=type_, status=status)


def hero(side: Side) -> Unit:
    return Unit(id="hero", side=side, kind=UnitKind.HERO, type="1-4-9")
