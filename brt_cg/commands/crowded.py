"""What players may have entered by mistake about the positions at a scenario's end: stacks over the
limits (A5.1), and units with more weapons than they have hands for (A7.35)."""

from collections import defaultdict
from collections.abc import Iterable, Iterator

from brt_cg.board.locations import OFF_MAP, is_within
from brt_cg.card import Card
from brt_cg.model.campaign import Campaign
from brt_cg.model.counters import Counter, Fortification, Kind, Side, Unit, Weapon, WeaponKind
from brt_cg.text import counted

SQUADS, SMC = 3, 4  # the most squad-equivalents and SMC of a side in a Location (A5.1)
USED_BY_A_SQUAD, USED_BY_OTHERS = 2, 1  # the most SW that a unit can fire in a phase (A7.35)


def crowded(
    campaign: Campaign, card: Card, counters: Iterable[Counter]
) -> Iterator[tuple[str, str]]:
    """The id of a counter, and what is odd about it or its stack, of some counters in play."""
    known = [each for each in counters if each.in_play]
    units = [each for each in known if isinstance(each, Unit) and not each.prisoner]
    stacks: dict[tuple[Side, str], list[Unit]] = defaultdict(list)
    for unit in units:
        where = unit.location
        if where is not None and where != OFF_MAP and not is_within(where) and not unit.aboard:
            stacks[unit.side, where].append(unit)
    for (side, where), stack in stacks.items():
        for words in _over(campaign, card, where, stack):
            yield stack[0].id, f"{side.label} stack in {where}: {words}"
    carried: dict[str, list[Weapon]] = defaultdict(list)
    for weapon in known:
        if isinstance(weapon, Weapon) and weapon.kind is WeaponKind.SW and weapon.possessor:
            carried[weapon.possessor].append(weapon)
    for unit in units:
        most = USED_BY_A_SQUAD if unit.kind is Kind.SQUAD else USED_BY_OTHERS
        held = carried[unit.id]
        if len(held) > most:
            named = ", ".join(f"{weapon.sort} {weapon.id}" for weapon in held)
            yield unit.id, f"{unit.named} has {counted(len(held), 'weapon')}: {named}"


def _over(campaign: Campaign, card: Card, where: str, stack: list[Unit]) -> Iterator[str]:
    """How a side's stack in a Location is over the limits there."""
    fort = campaign.fortifications.get(where.partition(":")[2])
    limit = SQUADS if fort is None else _capacity(card, fort)
    size = sum(card.ladders.squad_equivalents(unit) for unit in stack)
    if size > limit:
        yield f"{size:g} squad-equivalents; the limit is {limit} (A5.1)"
    smc = sum(unit.smc for unit in stack)
    if smc > SMC:
        yield f"{smc} SMC; the limit is {SMC} (A5.1)"


def _capacity(card: Card, fort: Fortification) -> int:
    """The squad-equivalents of a side that fit into a Fortification."""
    price = card.prices.get(fort.type)
    return fort.capacity or (price.creates.capacity if price is not None else None) or SQUADS
