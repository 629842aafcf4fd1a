"""What a unit gains in a scenario: Battle Hardening, and leaders and heroes created beside it."""

from brt_cg.card import Card
from brt_cg.model.campaign import Campaign
from brt_cg.model.counters import Counter, Kind, Unit
from brt_cg.model.events import HERO
from brt_cg.text import listed


def harden(card: Card, unit: Unit) -> None:
    """Battle Hardens a unit: a leader becomes the next better one, an MMC rises a class, and one
    that cannot becomes Fanatic."""
    if unit.leader:
        unit.type = card.ladders.hardened_leader(unit)
        return
    better = card.ladders.hardened_class(unit)
    if better is None:
        unit.gain("fanatic")
        return
    unit.class_ = better
    unit.type = card.ladders.digits(unit)


def newcomer(campaign: Campaign, card: Card, host: Unit, typed: str) -> Unit:
    """The hero or leader that was created beside a unit: "hero", "8-0 Smith". He is where it is; if
    no hex of that is known, in the Setup Area where it waited."""
    what, _, name = typed.partition(" ")
    kind, stem = (Kind.HERO, "hero") if what.lower() == HERO else (Kind.LEADER, "ldr")
    begins = f"{host.side}-{stem}-"
    created = sum(id.startswith(begins) for id in campaign.units)
    new = Unit(
        id=campaign.free_id(f"{begins}{created + 1}"),
        side=host.side,
        kind=kind,
        type=card.ladders.figures.hero if kind is Kind.HERO else what,
        location=host.location or _in_its_area(campaign, host),
    )
    new.name = name.strip() or None
    return new


def _in_its_area(campaign: Campaign, host: Unit) -> str | None:
    area = campaign.areas.get(host.setup_area or "")
    return f"in {area.hexes[0]}" if area is not None and area.hexes else None


def newcomer_problem(host: Counter, typed: str, card: Card) -> str | None:
    """What is wrong with the hero or leader that was typed, if anything."""
    what = typed.split(" ")[0]
    side = host.side
    if what.lower() == HERO or side is None:
        return None
    ladder = card.ladders.figures.leaders[side].ladder
    return None if what in ladder else f"found {what!r}; allowed: {HERO}, {listed(ladder)}"
