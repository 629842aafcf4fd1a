"""The changes that an import would make, line by line."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from enum import StrEnum
from typing import Any

from brt_cg.board.locations import OFF_MAP, is_within
from brt_cg.card import Card
from brt_cg.commands import Command, named_with_place
from brt_cg.commands.adopt import warn_of_oddities
from brt_cg.commands.captives import words_of
from brt_cg.commands.free_ids import with_free_ids
from brt_cg.commands.plan import Plan, try_import
from brt_cg.commands.reinforce import reinforce
from brt_cg.model.campaign import Campaign
from brt_cg.model.counters import Counter, Fortification, Kind, Side, Unit, Weapon, WeaponKind
from brt_cg.model.fields import Changed, changes_between, marked
from brt_cg.model.numbered import natural
from brt_cg.model.numbers import give_numbers
from brt_cg.model.records import SIDES, SideRecord, Situation
from brt_cg.model.shapes import Mark
from brt_cg.model.value import value
from brt_cg.model.visibility import seen_by
from brt_cg.refit.casualties import change_text
from brt_cg.text import counted


class What(StrEnum):
    """The kinds of lines in a difference."""

    TOTALS = "totals"
    CASUALTIES = "casualties"
    SCENARIO = "scenario"
    PERIMETERS = "perimeters"
    ADDED = "added"
    MISSING = "missing"
    MOVED = "moved"
    CHANGED = "changed"
    WARNING = "warning"


@value
class DifferenceLine:
    """One line of a difference: its kind, the id of the record, and the fields that change, for
    totals and for a counter that is moved or changed; `others` are the ids of more counters that it
    is about."""

    what: What
    about: str
    head: str
    changes: tuple[Changed, ...] = ()
    others: tuple[str, ...] = ()

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids of everything that it is about."""
        return (self.about, *self.others)

    def __str__(self) -> str:
        return f"{self.head}: {', '.join(map(str, self.changes))}" if self.changes else self.head


def difference(campaign: Campaign, asked: dict[str, Any], card: Card) -> list[DifferenceLine]:
    """The lines of the difference that an import would make; the campaign is not changed.

    Raises Refused as the import would. Missing counters are listed even if `missing` does not give
    their fate yet. For one side's import, only what that side may see.
    """
    plan = try_import(campaign, card, asked)
    give_numbers(plan.after)
    command = Command("import", {}, plan.after, card, {}, "preview", "")
    for warning in plan.warnings:
        command.say(warning)
    warn_of_oddities(plan, command)
    warnings = [*_sayings(What.WARNING, command, plan.asked.side), *_oddities(plan, card)]
    return [*_lines_of(plan), *warnings]


def _oddities(plan: Plan, card: Card) -> Iterator[DifferenceLine]:
    """Stacks and possessions that are odd, of the counters that the import changes."""
    side, after = plan.asked.side, plan.after
    for captive in plan.captives:
        words = f"warning: {words_of(after, captive)}"
        yield DifferenceLine(What.WARNING, captive.id, words, others=(captive.guard,))
    for id, words in crowded(after, card, (each for each in after.counters())):
        counter = after.find(id)
        if side is None or (counter is not None and counter.side is side):
            yield DifferenceLine(What.WARNING, id, f"warning: {words}")


def reinforcement(
    campaign: Campaign, asked: dict[str, Any], card: Card, side: Side | None
) -> list[DifferenceLine]:
    """The lines of a reinforcement, as a side may read them. Raises Refused as the command
    would."""
    after = campaign.clone()
    if side is not None:
        asked, after = with_free_ids("reinforce", asked, campaign, side), seen_by(campaign, side)
    command = Command("reinforce", asked, after, card, {}, "preview", "")
    reinforce(command)
    return list(_sayings(What.ADDED, command, side))


# --- its lines ------------------------------------------------------------------------------------


def _lines_of(plan: Plan) -> Iterator[DifferenceLine]:
    before, after = plan.view, seen_by(plan.after, plan.asked.side)
    yield from _totals(before, after)
    yield from _added(before, after)
    yield from _missing(plan)
    yield from _changed(plan, before, after)


def _totals(before: Campaign, after: Campaign) -> Iterator[DifferenceLine]:
    required = [field.attribute for field in marked(SideRecord, Mark.REQUIRED).values()]
    for side in SIDES:
        changes = changes_between(before.sides[side], after.sides[side], required)
        if changes:
            yield DifferenceLine(What.TOTALS, side, side.label, changes)
        scored = change_text(before, after, side)
        if scored is not None:
            yield DifferenceLine(What.CASUALTIES, side, scored)
    was, now = before.situation, after.situation
    stated = [*marked(Situation, Mark.SCENARIO), *marked(Situation, Mark.FACT)]
    stated.remove("winner")  # it is counted at 15.6032
    changes = changes_between(was, now, stated)
    if changes:
        yield DifferenceLine(What.SCENARIO, now.id, "scenario", changes)
    if was.perimeters != now.perimeters:
        sizes = ", ".join(str(len(hexes)) for hexes in now.perimeters) or "none"
        yield DifferenceLine(What.PERIMETERS, now.id, f"Marine Perimeters, in hexes: {sizes}")


def _added(before: Campaign, after: Campaign) -> Iterator[DifferenceLine]:
    for counter in _by_id(after):
        if before.find(counter.id) is None:
            yield DifferenceLine(
                What.ADDED, counter.id, f"added: {named_with_place(after, counter)}"
            )


def _missing(plan: Plan) -> Iterator[DifferenceLine]:
    words = "missing" if plan.undecided else f"missing from the state, {plan.fate}"
    for counter in filter(None, map(plan.view.find, plan.missing)):
        where = plan.view.place(counter)  # with its id, since a file must have it
        called = ", ".join(filter(None, (counter.named, where)))
        yield DifferenceLine(What.MISSING, counter.id, f"{words}: {called}")


def _changed(plan: Plan, before: Campaign, after: Campaign) -> Iterator[DifferenceLine]:
    """The counters that differ, by id; for one side's import only its own."""
    own = {item.counter.id for item in plan.taken} | {*plan.missing}
    own |= {captive.id for captive in plan.captives}
    for counter in _by_id(after):
        was = before.find(counter.id)
        if was is None or was == counter or (plan.asked.side and counter.id not in own):
            continue
        changes = changes_between(was, counter)
        where = marked(type(counter), Mark.WHERE).keys()
        if counter.location is not None or not counter.in_play:
            # That a counter on map, or out of play, is no longer Retained is obvious.
            retained = where - {"location"}
            changes = tuple(change for change in changes if change.field.attribute not in retained)
        if not changes:
            continue
        changes = tuple(before.spoken(change, after) for change in changes)
        moved = {change.field.attribute for change in changes} <= where
        what = What.MOVED if moved else What.CHANGED
        yield DifferenceLine(what, counter.id, f"{what}: {named_with_place(before, was)}", changes)


def _by_id(campaign: Campaign) -> list[Counter]:
    return sorted(campaign.counters(), key=lambda counter: (counter.TABLE, natural(counter.id)))


def _sayings(what: What, command: Command, side: Side | None) -> Iterator[DifferenceLine]:
    """The log lines of a command, as far as a side may know them."""
    for line in command.said:
        if side is None or line.secret is not side.enemy:
            yield DifferenceLine(what, next(iter(line.about), ""), line.text)


# --- what may have been entered by mistake: stacks, weapons without hands -------------------------

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
            named = ", ".join(weapon.label for weapon in held)
            yield unit.id, f"{unit.label} has {counted(len(held), 'weapon')}: {named}"


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
