"""What an import would change, before it does: for `--preview` and the question on the terminal."""

from collections.abc import Iterator
from typing import Any

from brt_cg.campaign import SIDES, Campaign
from brt_cg.card import Card
from brt_cg.commands import Command
from brt_cg.commands.adopt import KEEP, take_in, told
from brt_cg.counters import Counter, Record

NOTED = ("winner", "moved_first", "massacre", "nights_without_scenario", "pillbox_vp")
TOTALS = ("san", "elr", "cvp")


def difference(campaign: Campaign, asked: dict[str, Any], card: Card) -> list[str]:
    """The lines of the difference: totals, added, missing, changed counters with their fields.

    Carries the import out on a clone; raises Refused as it would. What is missing is listed even
    where `missing` does not say yet what became of it.
    """
    after = campaign.clone()
    undecided = asked.get("missing") is None
    carried = asked | {"missing": KEEP} if undecided else asked
    command = Command("import", carried, after, card, 0, "preview", "")
    take_in(command)
    lines = [*_totals(campaign, after), *_added(campaign, after)]
    lines += _missing([one.text for one in command.said], undecided)
    lines += _changed(campaign, after)
    return lines + [one.text for one in command.said if one.text.startswith("warning: ")]


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


def _missing(said: list[str], undecided: bool) -> Iterator[str]:
    for line in said:
        if line.startswith("missing from the state"):
            where = line.partition(": ")[2]
            yield (
                f"missing: {where}; say --missing keep or --missing eliminated"
                if undecided
                else line
            )


def _changed(before: Campaign, after: Campaign) -> Iterator[str]:
    for one in _by_id(after):
        was = before.find(one.id)
        if was is not None and was != one:
            yield f"changed: {told(before, was)}: {_fields(was, one, type(one).names())}"


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
