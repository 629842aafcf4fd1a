"""The list of the form: the counters in the lists of the printed sheet under their codes, what is
ticked of each in words, and the keys of the ticks."""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from textual.content import Content
from textual.geometry import Size

from brt_cg.imports.ticks import Ticked, ticks_text
from brt_cg.model.campaign import Campaign
from brt_cg.model.codes import Codes
from brt_cg.model.events import BY_NAME
from brt_cg.model.numbered import TERRAIN, NumberedList, holder_of
from brt_cg.tui.keys.actions import SCENARIO_END, actions_of
from brt_cg.tui.lists.groups import CounterRow, Group, row_of, tally_text
from brt_cg.tui.look.lines import click, hanging, in_rows
from brt_cg.tui.rooms.scenario_end.tick_sheet import TickSheet
from brt_cg.tui.session.campaign_app import CampaignApp

CAPTURES = "captures"  # an event told by the unit that captured, not by what it has


def group_of_list(view: Campaign, of: NumberedList, codes: Codes) -> Group:
    """A list as a group of the room's list: each row begins with its code."""
    ids = {counter.id for counter in of.counters}
    rows = []
    for counter in of.counters:
        row = row_of(view, counter)
        inside = "└ " if holder_of(counter) in ids else ""
        rows.append(_coded(row, codes, inside))
    whose = None if of.kind == TERRAIN else of.side
    return Group(whose, of.title, tally_text(of.counters), tuple(rows))


def with_codes(found: Iterable[Group], codes: Codes) -> list[Group]:
    """Groups with each row under its code."""
    return [
        replace(group, rows=tuple(_coded(row, codes, "") for row in group.rows)) for group in found
    ]


def _coded(row: CounterRow, codes: Codes, inside: str) -> CounterRow:
    return replace(row, name=f"{codes.of(row.id):>3} {inside}{row.name}")


def told_text(of_counter: Mapping[str, str]) -> str:
    """The ticks of a counter in words."""
    return ticks_text(of_counter) or "nothing"


def mark_text(told: Ticked, sheet: TickSheet, id: str) -> str:
    """What is told of a counter, beside its row."""
    own, along = told.ticks.get(id, {}), told.along(id)
    ticked = f"✓ {ticks_text(own)}" if own else ""
    if id in sheet.others:
        ticked = f"≠ {told_text(own)} or {told_text(sheet.others[id])}?"
    taken = told.captured_by(id)
    has = f"✓ captured {', '.join(taken)}" if taken else ""
    return ", ".join(filter(None, (ticked, has, along and f"also moves to {along}")))


def legend(app: CampaignApp, room: Size, *, beside: bool) -> Content:
    """The keys of the ticks: in rows below the list; beside it, what each means."""
    words = {name: event.words for name, event in BY_NAME.items()} | {CAPTURES: CAPTURES}
    wide = max(map(len, words.values())) + 2
    parts = []
    for tick in (each for each in actions_of(SCENARIO_END) if each.name in words):
        name = words[tick.name].ljust(wide if beside else 0)
        part = Content.assemble((app.key(tick.id), "bold $accent"), f" {name}")
        means = Content.styled(tick.help if beside else "", "dim")
        line = hanging(Content.assemble(part, means), room.width, part.cell_length)
        parts.append(line.stylize(click(tick.clicked)))
    return Content("\n").join(parts) if beside else in_rows(parts, room.width)
