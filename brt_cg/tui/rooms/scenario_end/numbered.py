"""The counters at the end of a scenario, in the numbered lists of the printed sheet."""

from collections.abc import Iterable
from dataclasses import replace

from brt_cg.model.campaign import Campaign
from brt_cg.model.counters import Side
from brt_cg.model.numbered import TERRAIN, NumberedList, holder_of, numbered_lists
from brt_cg.tui.lists.groups import CounterRow, Group, row_of, tally_text


def lists_of(view: Campaign, side: Side | None) -> list[NumberedList]:
    """The lists that a side reports on (None: both sides); the terrain, which each has, once."""
    found = [each for whose in ([side] if side else Side) for each in numbered_lists(view, whose)]
    terrain = next((each for each in found if each.kind == TERRAIN), None)
    rest = [each for each in found if each.kind != TERRAIN]
    return [*rest, *([terrain] if terrain is not None else [])]


def group_of_list(view: Campaign, of: NumberedList) -> Group:
    """A list as a group of the room's list: each row begins with its number."""
    ids = {counter.id for counter in of.counters}
    rows = []
    for number, counter in of.numbered:
        row = row_of(view, counter)
        inside = "└ " if holder_of(counter) in ids else ""
        rows.append(_numbered(row, number, inside))
    whose = None if of.kind == TERRAIN else of.side
    return Group(whose, of.title, tally_text(of.counters), tuple(rows))


def with_numbers(found: Iterable[Group], view: Campaign, side: Side | None) -> list[Group]:
    """Groups with each row under its number in the lists."""
    lists = lists_of(view, side)
    numbers = {counter.id: number for each in lists for number, counter in each.numbered}
    return [
        replace(
            group,
            rows=tuple(
                _numbered(row, numbers[row.id], "") if row.id in numbers else row
                for row in group.rows
            ),
        )
        for group in found
    ]


def list_with(lists: Iterable[NumberedList], id: str | None) -> NumberedList | None:
    """The list that has a counter; without one the first."""
    found = list(lists)
    for each in found:
        if any(counter.id == id for counter in each.counters):
            return each
    return next(iter(found), None)


def _numbered(row: CounterRow, number: int, inside: str) -> CounterRow:
    return replace(row, name=f"{number:>2} {inside}{row.name}")
