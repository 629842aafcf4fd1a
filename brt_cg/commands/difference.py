"""The changes that an import makes, line by line."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from enum import StrEnum
from typing import Any

from brt_cg.board import OFF_MAP, is_area_only_location
from brt_cg.card import Card
from brt_cg.commands import Command, name_and_place_text
from brt_cg.commands.captives import captive_agreement_text
from brt_cg.commands.free_ids import replace_ids_taken_by_hidden_counters
from brt_cg.commands.import_end import warn_of_oddities
from brt_cg.commands.import_plan import ImportPlan, try_import
from brt_cg.commands.reinforce import add_reinforcements
from brt_cg.immutable import immutable
from brt_cg.model import (
    SIDES,
    Campaign,
    Counter,
    FieldChange,
    FieldMark,
    Fortification,
    Side,
    SideRecord,
    Situation,
    Unit,
    UnitKind,
    Weapon,
    WeaponKind,
    assign_numbers,
    changes_between,
    fields_marked,
    natural_sort_key,
    visible_campaign,
)
from brt_cg.refit.casualties import cvp_change_with_reasons_text
from brt_cg.text import count_text


class DifferenceKind(StrEnum):
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


@immutable
class DifferenceLine:
    """One line of a difference: its kind, the id of the record, and (for totals, and for a counter
    that is moved or changed) the fields that change; `others` are the ids of further counters that
    the line is about."""

    what: DifferenceKind
    about: str
    head: str
    changes: tuple[FieldChange, ...] = ()
    others: tuple[str, ...] = ()

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids of all records that the line is about."""
        return (self.about, *self.others)

    def __str__(self) -> str:
        return f"{self.head}: {', '.join(map(str, self.changes))}" if self.changes else self.head


def import_difference(
    campaign: Campaign, asked: dict[str, Any], card: Card
) -> list[DifferenceLine]:
    """Return lines for the changes that an import would make, without changing the campaign. Raises
    RefusedError if the import would be refused. Missing counters are listed even if `missing` does
    not give their fate yet. For one side's import, only lines that the side may see."""
    plan = try_import(campaign, card, asked)
    assign_numbers(plan.after)
    command = Command("import", {}, plan.after, card, {}, "preview", "")
    for warning in plan.warnings:
        command.log(warning)
    warn_of_oddities(plan, command)
    warnings = [*_sayings(DifferenceKind.WARNING, command, plan.asked.side), *_oddities(plan, card)]
    return [*_lines_of(plan), *warnings]


def difference_between_reports(
    first: Campaign, campaign: Campaign, asked: dict[str, Any], card: Card
) -> list[DifferenceLine]:
    """Return the lines in which a side's report differs from the `first` one, which it replaces.
    `first` is the campaign with that report, `campaign` the one without it, both as the side sees
    them. Raises RefusedError if the import would be refused."""
    plan = try_import(campaign, card, asked)
    assign_numbers(plan.after)
    after = visible_campaign(plan.after, plan.asked.side)
    gone = (each for each in _by_id(first) if after.find(each.id) is None)
    removed = [
        DifferenceLine(
            DifferenceKind.CHANGED, each.id, f"not added: {name_and_place_text(first, each)}"
        )
        for each in gone
    ]
    return [*_totals(first, after), *_added(first, after), *removed, *_changed(plan, first, after)]


def _oddities(plan: ImportPlan, card: Card) -> Iterator[DifferenceLine]:
    """List odd stacks and possessions among the counters that the import changes."""
    side, after = plan.asked.side, plan.after
    for captive in plan.captives:
        words = f"warning: {captive_agreement_text(after, captive)}"
        yield DifferenceLine(DifferenceKind.WARNING, captive.id, words, others=(captive.guard,))
    for id, words in counter_and_stack_warnings(after, card, (each for each in after.counters())):
        counter = after.find(id)
        if side is None or (counter is not None and counter.side is side):
            yield DifferenceLine(DifferenceKind.WARNING, id, f"warning: {words}")


def reinforcement_difference(
    campaign: Campaign, asked: dict[str, Any], card: Card, side: Side | None
) -> list[DifferenceLine]:
    """Return the lines of a reinforcement, as a side may read them. Raises RefusedError if the
    command would be refused."""
    after = campaign.clone()
    if side is not None:
        asked, after = (
            replace_ids_taken_by_hidden_counters("reinforce", asked, campaign, side),
            visible_campaign(campaign, side),
        )
    command = Command("reinforce", asked, after, card, {}, "preview", "")
    add_reinforcements(command)
    return list(_sayings(DifferenceKind.ADDED, command, side))


# --- lines of the difference ----------------------------------------------------------------------


def _lines_of(plan: ImportPlan) -> Iterator[DifferenceLine]:
    before, after = plan.view, visible_campaign(plan.after, plan.asked.side)
    yield from _totals(before, after)
    yield from _added(before, after)
    yield from _missing(plan)
    yield from _changed(plan, before, after)


def _totals(before: Campaign, after: Campaign) -> Iterator[DifferenceLine]:
    required = [field.attribute for field in fields_marked(SideRecord, FieldMark.REQUIRED).values()]
    for side in SIDES:
        changes = changes_between(before.sides[side], after.sides[side], required)
        if changes:
            yield DifferenceLine(DifferenceKind.TOTALS, side, side.label, changes)
        scored = cvp_change_with_reasons_text(before, after, side)
        if scored is not None:
            yield DifferenceLine(DifferenceKind.CASUALTIES, side, scored)
    was, now = before.situation, after.situation
    stated = [
        *fields_marked(Situation, FieldMark.SCENARIO),
        *fields_marked(Situation, FieldMark.FACT),
    ]
    stated.remove("winner")  # it is counted at 15.6032
    changes = changes_between(was, now, stated)
    if changes:
        yield DifferenceLine(DifferenceKind.SCENARIO, now.id, "scenario", changes)
    if was.perimeters != now.perimeters:
        sizes = ", ".join(str(len(hexes)) for hexes in now.perimeters) or "none"
        yield DifferenceLine(
            DifferenceKind.PERIMETERS, now.id, f"Marine Perimeters, in hexes: {sizes}"
        )


def _added(before: Campaign, after: Campaign) -> Iterator[DifferenceLine]:
    for counter in _by_id(after):
        if before.find(counter.id) is None:
            yield DifferenceLine(
                DifferenceKind.ADDED, counter.id, f"added: {name_and_place_text(after, counter)}"
            )


def _missing(plan: ImportPlan) -> Iterator[DifferenceLine]:
    words = "missing" if plan.undecided else f"missing from the file, {plan.missing_fate_text}"
    for counter in filter(None, map(plan.view.find, plan.missing)):
        where = plan.view.place_text(counter)  # the id is included, because a file must have it
        called = ", ".join(filter(None, (counter.name_with_id, where)))
        yield DifferenceLine(DifferenceKind.MISSING, counter.id, f"{words}: {called}")


def _changed(plan: ImportPlan, before: Campaign, after: Campaign) -> Iterator[DifferenceLine]:
    """List the counters that differ, by id; for one side's import, only that side's counters."""
    own = {item.counter.id for item in plan.taken} | {*plan.missing}
    own |= {captive.id for captive in plan.captives}
    for counter in _by_id(after):
        was = before.find(counter.id)
        if was is None or was == counter or (plan.asked.side and counter.id not in own):
            continue
        changes = changes_between(was, counter)
        where = fields_marked(type(counter), FieldMark.WHERE).keys()
        if counter.location is not None or not counter.in_play:
            # A counter on map or out of play is obviously no longer Retained.
            retained = where - {"location"}
            changes = tuple(change for change in changes if change.field.attribute not in retained)
        if not changes:
            continue
        changes = tuple(with_names(change, before, after) for change in changes)
        moved = {change.field.attribute for change in changes} <= where
        what = DifferenceKind.MOVED if moved else DifferenceKind.CHANGED
        yield DifferenceLine(
            what, counter.id, f"{what}: {name_and_place_text(before, was)}", changes
        )


def with_names(change: FieldChange, before: Campaign, after: Campaign) -> FieldChange:
    """Return a change of a counter in the players' words. The hex in place of an Area is not
    shown: nobody named it."""
    old, new = change.before, change.after
    spoken = before.change_with_spoken_values(change, after)
    if isinstance(old, str) and is_area_only_location(old):
        spoken = spoken._replace(before=before.area_only_text(old))
    if isinstance(new, str) and is_area_only_location(new):
        spoken = spoken._replace(after=after.area_only_text(new))
    return spoken


def _by_id(campaign: Campaign) -> list[Counter]:
    return sorted(
        campaign.counters(), key=lambda counter: (counter.TABLE, natural_sort_key(counter.id))
    )


def _sayings(what: DifferenceKind, command: Command, side: Side | None) -> Iterator[DifferenceLine]:
    """Return the log lines of a command that a side may know."""
    for line in command.said:
        if side is None or line.secret is not side.enemy:
            yield DifferenceLine(what, next(iter(line.about), ""), line.text)


# --- possible mistakes: stacks, weapons without possessors ----------------------------------------

SQUADS, SMC = 3, 4  # the most squad-equivalents and SMC of a side in a Location (A5.1)
USED_BY_A_SQUAD, USED_BY_OTHERS = 2, 1  # the most SW that a unit can fire in a phase (A7.35)


def counter_and_stack_warnings(
    campaign: Campaign, card: Card, counters: Iterable[Counter]
) -> Iterator[tuple[str, str]]:
    """Return warnings about some counters in play: the id, and the oddity of the counter or its
    stack."""
    known = [each for each in counters if each.in_play]
    units = [each for each in known if isinstance(each, Unit) and not each.prisoner]
    stacks: dict[tuple[Side, str], list[Unit]] = defaultdict(list)
    for unit in units:
        where = unit.location
        if (
            where is not None
            and where != OFF_MAP
            and not is_area_only_location(where)
            and not unit.aboard
        ):
            stacks[unit.side, where].append(unit)
    for (side, where), stack in stacks.items():
        for words in _over(campaign, card, where, stack):
            yield stack[0].id, f"{side.label} stack in {where}: {words}"
    carried: dict[str, list[Weapon]] = defaultdict(list)
    for weapon in known:
        if isinstance(weapon, Weapon) and weapon.kind is WeaponKind.SW and weapon.possessor:
            carried[weapon.possessor].append(weapon)
    for unit in units:
        most = USED_BY_A_SQUAD if unit.kind is UnitKind.SQUAD else USED_BY_OTHERS
        held = carried[unit.id]
        if len(held) > most:
            named = ", ".join(weapon.label for weapon in held)
            yield unit.id, f"{unit.label} has {count_text(len(held), 'weapon')}: {named}"


def _over(campaign: Campaign, card: Card, where: str, stack: list[Unit]) -> Iterator[str]:
    """Describe the limits that a side's stack in a Location exceeds."""
    fort = campaign.fortifications.get(where.partition(":")[2])
    limit = SQUADS if fort is None else _capacity(card, fort)
    size = sum(card.ladders.size_in_squad_equivalents(unit) for unit in stack)
    if size > limit:
        yield f"{size:g} squad-equivalents; the limit is {limit} (A5.1)"
    smc = sum(unit.smc for unit in stack)
    if smc > SMC:
        yield f"{smc} SMC; the limit is {SMC} (A5.1)"


def _capacity(card: Card, fort: Fortification) -> int:
    """Return the squad-equivalents of a side that fit into a Fortification."""
    price = card.prices.get(fort.type)
    return fort.capacity or (price.creates.capacity if price is not None else None) or SQUADS
