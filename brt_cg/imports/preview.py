"""The purpose of a file, and the changes that it would make, in the player's words.

A VASL save moves nearly everything, so counters waiting for their setup, and equal counters, are
combined in one line.
"""

from collections import Counter as Count
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from brt_cg.board import OFF_MAP, is_area_only_location
from brt_cg.commands.difference import (
    DifferenceKind,
    DifferenceLine,
    difference_between_reports,
    import_difference,
    reinforcement_difference,
)
from brt_cg.commands.import_plan import try_import
from brt_cg.commands.stated_totals import OtherTotal
from brt_cg.immutable import immutable
from brt_cg.imports.open_places import NOTHING_OPEN, OpenPlaces, find_open_places
from brt_cg.imports.scenario_end import ScenarioEnd, read_scenario_end
from brt_cg.imports.state_file import errors_with_cell_names
from brt_cg.model import (
    Campaign,
    Counter,
    Fortification,
    Phase,
    Side,
    Unit,
    Vehicle,
    Weapon,
    WeaponKind,
    spoken_word,
)
from brt_cg.text import count_text
from brt_cg.vasl.names import TABLES
from brt_cg.views.view import View

NOWHERE = "no Area"
HEAD = (
    DifferenceKind.TOTALS,
    DifferenceKind.CASUALTIES,
    DifferenceKind.SCENARIO,
    DifferenceKind.PERIMETERS,
)
CHANGES = "Changes"
TO_CHECK = "Changes that rest on an assumption: check them"
MOST_ADDED = 20  # lines of new counters; more are a first import, and summed up


def preview_import(book: View, found: ScenarioEnd) -> list[DifferenceLine]:
    """Return lines for the changes that an import would make. Raises RefusedError if the import
    would."""
    book = book.for_scenario_end_report(Side.from_name(found.asked.get("side")))
    lines = import_difference(book.campaign, found.asked, book.card)
    if not found.asked.get("pieces"):
        return lines
    doubtful = {guess.about for guess in found.guesses}
    added = [line for line in lines if line.what is DifferenceKind.ADDED]
    if len(added) > MOST_ADDED:
        rest = [line for line in lines if line.what is not DifferenceKind.ADDED]
        lines = [*rest, *_summed(added, found.asked["state"], book.campaign)]
    return _gathered(lines, book.campaign, doubtful)


def differing_cvp(book: View, asked: dict[str, Any]) -> dict[Side, OtherTotal]:
    """Return each side's CVP in a file if they do not match its losses, once the fate of the
    counters missing from the file is known. Raises RefusedError if the import would."""
    book = book.for_scenario_end_report(Side.from_name(asked.get("side")))
    plan = try_import(book.campaign, book.card, asked)
    return {} if plan.undecided and plan.missing else plan.doubts


def changes_from_replaced_report(book: View, asked: dict[str, Any]) -> list[str]:
    """Return the lines in which a side's report differs from the one that it replaces; none if it
    replaces no report. Raises RefusedError if the import would."""
    side = Side.from_name(asked.get("side"))
    if side is None or side not in book.sides_with_report:
        return []
    own, first = book.for_scenario_end_report(side), book.for_seat(side).campaign
    lines = difference_between_reports(first, own.campaign, asked, own.card)
    head = f"This replaces the {side.label} report entered before"
    return [f"{head}; there are no differences."] if not lines else [f"{head}:", *map(str, lines)]


def group_difference_lines(
    found: ScenarioEnd, lines: list[DifferenceLine]
) -> Iterator[tuple[str, list[DifferenceLine]]]:
    """Yield the lines in groups with headings, ordered by what the player must decide: new and
    missing counters first, then assumptions, and last everything that is certain."""
    added = [line for line in lines if line.what is DifferenceKind.ADDED]
    missing = [line for line in lines if line.what is DifferenceKind.MISSING]
    rest = [line for line in lines if line not in added and line not in missing]
    certain = [line for line in rest if not found.guesses_about(line)]
    groups = (
        (f"{len(added)} new, with no match in the campaign", added),
        (f"{len(missing)} missing from the file", missing),
        (TO_CHECK, [line for line in rest if line not in certain]),
        (CHANGES, certain),
    )
    yield from ((heading, group) for heading, group in groups if group)


@immutable
class ImportPreview:
    """The command that a file is for, the contents of the file, and the changes that it would make,
    line by line; the points that it leaves `open`, and its changes to a report that it replaces."""

    kind: str
    found: ScenarioEnd
    lines: list[DifferenceLine]
    open: OpenPlaces = NOTHING_OPEN
    replaced: Sequence[str] = ()


def preview_import_file(book: View, path: Path, side: str | None) -> ImportPreview:
    """Read a file and preview its changes. A file without a scenario adds reinforcements if no
    scenario is to be ended. The path may be any table in a folder of CSV files. Raises
    RefusedError."""
    place = path.parent if path.suffix.lower() == ".csv" else path
    found = read_scenario_end(book, place, side)
    state = found.asked["state"]
    ends = book.campaign.situation.phase is Phase.SCENARIO
    with errors_with_cell_names(place):
        if ends or not isinstance(state, dict) or "scenario" in state:
            lines = preview_import(book, found)
            open_, replaced = (
                find_open_places(book, found.asked),
                changes_from_replaced_report(book, found.asked),
            )
            return ImportPreview("import", found, lines, open_, replaced)
        asked = {"state": state, "source": found.asked["source"]}
        lines = reinforcement_difference(book.campaign, asked, book.card, Side.from_name(side))
        return ImportPreview("reinforce", ScenarioEnd(asked, notices=found.notices), lines)


def _gathered(
    lines: list[DifferenceLine], campaign: Campaign, doubtful: set[str]
) -> list[DifferenceLine]:
    lines = _with_armament(lines, campaign)
    waiting: dict[str, list[DifferenceLine]] = defaultdict(list)
    alike: dict[tuple[object, ...], list[DifferenceLine]] = defaultdict(list)
    others = []
    for line in lines:
        counter = campaign.find(line.about)
        if line.what is not DifferenceKind.MOVED or counter is None or doubtful & {*line.ids}:
            others.append(line)
        elif counter.location is None or is_area_only_location(counter.location):
            held = campaign.area_at(counter.location)
            waiting[held.id if held else counter.setup_area or NOWHERE].append(line)
        else:
            alike[_sort(counter)].append(line)
    gathered = [_set_up(area, group, campaign) for area, group in sorted(waiting.items())]
    for sort, group in alike.items():
        gathered += group if len(group) == 1 else [_moved(sort, group, campaign)]
    # The totals come first, what is missing or has changed last.
    head = [line for line in others if line.what in HEAD]
    return [*head, *gathered, *(line for line in others if line not in head)]


def _summed(
    lines: list[DifferenceLine], state: dict[str, Any], campaign: Campaign
) -> Iterator[DifferenceLine]:
    """Yield one line for the new counters of each side, kind and Area."""
    rows = {row["id"]: (table, row) for table in TABLES for row in state.get(table, ())}
    groups: dict[tuple[str, str, str], list[DifferenceLine]] = defaultdict(list)
    others = []
    for line in lines:
        if line.about not in rows:
            others.append(line)
            continue
        table, row = rows[line.about]
        location = row.get("location")
        held = campaign.area_at(location) if location not in (None, OFF_MAP) else None
        where = f"Area {held.id}" if held else "off map" if location == OFF_MAP else NOWHERE
        kind = spoken_word(row["kind"]) if "kind" in row else spoken_word(table).rstrip("s")
        groups[str(row.get("side", "")), where, kind].append(line)
    for (side, where, kind), group in groups.items():
        whose = f"{Side(side).label} " if side else ""
        what = f"{len(group)} × {kind}" if len(group) > 1 else kind
        head = f"added: {whose}{what}, {where}: {', '.join(line.about for line in group)}"
        first, *rest = group
        ids = (*first.others, *(id for line in rest for id in line.ids))
        yield DifferenceLine(DifferenceKind.ADDED, first.about, head, others=ids)
    yield from others


def _with_armament(lines: list[DifferenceLine], campaign: Campaign) -> list[DifferenceLine]:
    """Return the lines, with those of a vehicle's armament joined to the vehicle's own."""
    about = {line.about for line in lines}
    mounted: dict[str, list[str]] = defaultdict(list)
    for line in lines:
        weapon = campaign.find(line.about)
        if (
            isinstance(weapon, Weapon)
            and line.what is DifferenceKind.MOVED
            and weapon.vehicle in about
        ):
            mounted[str(weapon.vehicle)].append(weapon.id)
    along = {id for ids in mounted.values() for id in ids}
    return [
        replace(line, others=(*line.others, *mounted[line.about]))
        for line in lines
        if line.about not in along
    ]


def _set_up(area: str, lines: list[DifferenceLine], campaign: Campaign) -> DifferenceLine:
    """Return the line of the counters that were in an Area and are on the map now."""
    kinds = Count(map(_kind, filter(None, (campaign.find(line.about) for line in lines))))
    what = ", ".join(_counted(number, kind) for kind, number in kinds.items())
    whose = area if area == NOWHERE else f"Area {area}"
    return _group(lines, f"now on the map, from {whose}: {what}")


def _moved(
    sort: tuple[object, ...], lines: list[DifferenceLine], campaign: Campaign
) -> DifferenceLine:
    """Return the line of some equal counters that have moved."""
    alike = [one for one in campaign.counters() if one.in_play and _sort(one) == sort]
    first, total = alike[0], len(alike)
    what = f"{first.type_text} {_kind(first)}" if isinstance(first, Unit) else first.type_text
    names = {one.id: one.name_or_number for one in alike}
    moves = ", ".join(
        f"{names.get(line.about, line.about)} "
        f"{', '.join(map(str, line.changes)).removeprefix('Location ')}"
        for line in lines
    )
    return _group(lines, f"moved: {len(lines)} of {total} identical counters ({what}): {moves}")


def _group(lines: Iterable[DifferenceLine], head: str) -> DifferenceLine:
    first, *rest = lines
    others = (*first.others, *(id for line in rest for id in line.ids))
    return DifferenceLine(DifferenceKind.MOVED, first.about, head, others=others)


def _counted(number: int, kind: str) -> str:
    return f"{number} {kind}" if kind.isupper() else count_text(number, kind)


def _kind(counter: Counter) -> str:
    """Return the kind of a counter, in one word or two."""
    if isinstance(counter, Unit):
        return counter.kind.label
    if isinstance(counter, Weapon):
        return "Gun" if counter.kind is WeaponKind.GUN else "SW"
    return {Vehicle: "vehicle", Fortification: "fortification"}.get(
        type(counter), counter.type_text
    )


def _sort(counter: Counter) -> tuple[object, ...]:
    """Return the key that equal counters share, with status and possessions."""
    names = ("side", "type", "kind", "class_", "strength", "traits", "status", "name")
    return (counter.TABLE, *(getattr(counter, name, None) for name in names))
