"""What an import would change, before it does: for `--preview` and the question on the terminal."""

from collections.abc import Iterator
from typing import Any

from brt_cg.campaign import Campaign
from brt_cg.card import Card
from brt_cg.commands import Command
from brt_cg.commands.adopt import ELIMINATED, KEEP, Adoption, adopt, told
from brt_cg.commands.reinforce import reinforce
from brt_cg.counters import Counter, Record, Side
from brt_cg.records import SIDES
from brt_cg.secrets_kept import seen_by

NOTED = ("winner", "moved_first", "massacre", "nights_without_scenario", "pillbox_vp")
TOTALS = ("san", "elr", "cvp")


def difference(campaign: Campaign, asked: dict[str, Any], card: Card) -> list[str]:
    """The lines of the difference: totals, added, missing, changed counters with their fields.

    Carries the import out on a clone; raises Refused as it would. What is missing is listed even
    where `missing` does not say yet what became of it. Of one side's import, what that side sees.
    """
    after = campaign.clone()
    undecided = asked.get("missing") is None
    carried = asked | {"missing": KEEP} if undecided else asked
    command = Command("import", carried, after, card, 0, "preview", "")
    plan = adopt(command)
    side = Side(asked["side"]) if asked.get("side") else None
    now, was = seen_by(after, side), plan.view
    if was is after:  # the umpire's view of it is the very campaign that has just been changed
        was = campaign
    its_own = {item.counter.id for item in plan.taken} | {one.id for one in plan.missing}
    lines = [*_totals(was, now), *_added(was, now), *_missing(was, plan, carried, undecided)]
    lines += (line for id, line in _changed(was, now) if side is None or id in its_own)
    return [*lines, *_warnings(command, side)]


def reinforcement(
    campaign: Campaign, asked: dict[str, Any], card: Card, side: Side | None
) -> list[str]:
    """What a reinforcement would add, as a side may read of it. Raises Refused as it would."""
    command = Command("reinforce", asked, campaign.clone(), card, 0, "preview", "")
    reinforce(command)
    return [one.text for one in command.said if side is None or one.secret is not side.enemy]


def _warnings(command: Command, side: Side | None) -> Iterator[str]:
    for one in command.said:
        told_to_him = side is None or one.secret is not side.enemy
        if told_to_him and one.text.startswith("warning: "):
            yield one.text


def _totals(before: Campaign, after: Campaign) -> Iterator[str]:
    for side in SIDES:
        told_of = _fields(before.sides[side], after.sides[side], TOTALS)
        if told_of:
            yield f"{side.label}: {told_of}"
    told_of = _fields(before.situation, after.situation, ("date", *NOTED))
    if told_of:
        yield f"scenario: {told_of}"
    if before.situation.perimeters != after.situation.perimeters:
        sizes = ", ".join(str(len(one)) for one in after.situation.perimeters) or "none"
        yield f"Marine Perimeters, in hexes: {sizes}"


def _added(before: Campaign, after: Campaign) -> Iterator[str]:
    for one in _by_id(after):
        if before.find(one.id) is None:
            yield f"added: {told(after, one)}"


def _missing(
    before: Campaign, plan: Adoption, asked: dict[str, Any], undecided: bool
) -> Iterator[str]:
    fate = "eliminated" if asked["missing"] == ELIMINATED else "kept as it was"
    for one in plan.missing:
        seen = before.find(one.id) or one
        where = told(before, seen)
        yield (
            f"missing: {where}; say --missing keep or --missing eliminated"
            if undecided
            else f"missing from the state, {fate}: {where}"
        )


def _changed(before: Campaign, after: Campaign) -> Iterator[tuple[str, str]]:
    """The counters that differ, by id."""
    for one in _by_id(after):
        was = before.find(one.id)
        if was is not None and was != one:
            fields = _fields(was, one, type(one).names())
            yield one.id, f"changed: {told(before, was)}: {fields}"


def _by_id(campaign: Campaign) -> list[Counter]:
    return sorted(campaign.counters(), key=lambda one: (one.TABLE, one.id))


def _fields(old: Record, new: Record, names: tuple[str, ...]) -> str:
    """The fields that differ: "location N21 → N22, status – → broken"."""
    return ", ".join(
        f"{name.rstrip('_')} {worded(getattr(old, name))} → {worded(getattr(new, name))}"
        for name in names
        if getattr(old, name) != getattr(new, name)
    )


def worded(value: object) -> str:
    """A field's value in a sentence: "broken, wounded", "yes", "–" for nothing."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return ", ".join(map(str, value)) or "–"
    return "–" if value is None else str(value)
