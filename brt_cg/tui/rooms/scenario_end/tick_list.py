"""The list of the form, as on paper: the counters in the lists of the printed sheet under their
codes, a column for each of the usual events, other ticks in words, and the keys."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

from rich.segment import Segment
from textual.content import Content
from textual.geometry import Size

from brt_cg.imports.event_sheet import EventSheet, ticks_text
from brt_cg.model import (
    TERRAIN,
    Campaign,
    Counter,
    CounterCodes,
    PlaceKind,
    Side,
    Vehicle,
    holder_id,
)
from brt_cg.model.events import BY_NAME, NOW, TICKED, WAS
from brt_cg.service.tick_sheet import TickSheet
from brt_cg.tui.keys.actions import SCENARIO_END, actions_of
from brt_cg.tui.lists.counter_list import SIGN, CounterList, side_sign
from brt_cg.tui.lists.groups import CounterRow, Group, counter_row, tally_text
from brt_cg.tui.look.columns import Column, Columns, columns
from brt_cg.tui.look.lines import click_style, flow_in_rows, hang_text
from brt_cg.tui.session.campaign_app import CampaignApp

PLACE = 12  # cells of a place
LEAST = 68  # cells that a list needs for these columns; it is narrower beside the map
ISOLATED, SELDOM = "Isolated", "Wrecks and terrain"
CAPTURES = "captures"  # an event entered for the captor, not for the captured counter


def groups_of_printed_lists(view: Campaign, told: EventSheet) -> list[Group]:
    """Return the lists as groups of the room's list, each row under its code. All Isolated
    Locations of a side are one group; the last group has the counters that seldom change, and is
    folded at first."""
    found: dict[tuple[Side | None, str], list[Counter]] = {}
    inside = set[str]()
    for of in map(told.codes.sort_by_code, told.own_lists):
        ids = {counter.id for counter in of.counters}
        inside |= {each.id for each in of.counters if holder_id(each) in ids}
        title = ISOLATED if of.kind == PlaceKind.ISOLATED else of.title
        for each in of.counters:
            seldom = of.kind == TERRAIN or (isinstance(each, Vehicle) and each.wreck)
            key = (None, SELDOM) if seldom else (of.side, title)
            found.setdefault(key, []).append(each)
    last = {(None, SELDOM): found.pop((None, SELDOM), [])}
    return [
        Group(
            side,
            title,
            tally_text(counters),
            tuple(
                _coded(counter_row(view, each), told.codes, each.id in inside) for each in counters
            ),
        )
        for (side, title), counters in (found | last).items()
        if counters
    ]


def with_codes(found: Iterable[Group], codes: CounterCodes) -> list[Group]:
    """Return the groups with each row under its code."""
    return [
        replace(group, rows=tuple(_coded(row, codes, False) for row in group.rows))
        for group in found
    ]


def _coded(row: CounterRow, codes: CounterCodes, inside: bool) -> CounterRow:
    """Return a row with its code instead of its id; a search finds the row by its code too."""
    code = codes.code_of(row.id)
    name = f"{code:>3} {'└ ' * inside}{row.name_without_id.strip()}"
    return replace(row, name=name, found_by=f"{code} {row.found_by}")


def ticks_of_counter_text(of_counter: Mapping[str, str]) -> str:
    """Return the ticks of a counter in words."""
    return ticks_text(of_counter) or "nothing"


def tick_text(told: EventSheet, sheet: TickSheet, id: str, *, apart: bool = False) -> str:
    """Return the ticks of a counter, beside its row; without those that have a column, if these are
    `apart`."""
    own, along = told.ticks.get(id, {}), told.location_moved_to_with_holder(id)
    left = {name: given for name, given in own.items() if not apart or BY_NAME[name] not in TICKED}
    ticked = f"✓ {_ticks_by_code(told, left)}" if left else ""
    if id in sheet.others:
        ticked = f"≠ {ticks_of_counter_text(own)} or {ticks_of_counter_text(sheet.others[id])}?"
    taken = [told.codes.code_of(each) or each for each in told.ids_captured_by(id)]
    has = f"✓ captured {', '.join(taken)}" if taken else ""
    return ", ".join(filter(None, (ticked, has, along and f"also moves to {along}")))


def _ticks_by_code(told: EventSheet, of_counter: Mapping[str, str]) -> str:
    """Return the ticks of a counter in words, with codes instead of ids."""
    found = {name: told.view.find(given) for name, given in of_counter.items()}
    codes = {name: told.counter_text(each) for name, each in found.items() if each is not None}
    return ticks_text({**of_counter, **codes})


def tick_keys_legend(
    app: CampaignApp, room: Size, may: Callable[[str], bool], *, beside: bool
) -> Content:
    """Return the keys of the ticks that may be set: in rows below the list; beside it, with
    help."""
    words = {name: event.words for name, event in BY_NAME.items()} | {CAPTURES: CAPTURES}
    wide = max(map(len, words.values())) + 2
    parts = []
    ticks = (each for each in actions_of(SCENARIO_END) if each.name in words)
    for tick in (each for each in ticks if may(each.name)):
        name = words[tick.name].ljust(wide if beside else 0)
        part = Content.assemble((app.key_text(tick.id), "bold $accent"), f" {name}")
        means = Content.styled(tick.help if beside else "", "dim")
        line = hang_text(Content.assemble(part, means), room.width, part.cell_length)
        parts.append(line.stylize(click_style(tick.click_action)))
    return Content("\n").join(parts) if beside else flow_in_rows(parts, room.width)


class TickList(CounterList):
    """The list of counters. `ticks` gives the marks in the columns of the events, `now` the other
    ticks, `needs` the reason why a hex is needed; each by id."""

    ticks: Callable[[str], str] = staticmethod(lambda id: "")
    now: Callable[[str], str] = staticmethod(lambda id: "")
    needs: Callable[[str], str] = staticmethod(lambda id: "")

    def fold_at_first(self, title: str) -> None:
        """Fold a group until a player unfolds it."""
        self._folded |= {title}

    def unfold_all(self) -> None:
        """Unfold all groups, so that the rows searched for can be seen."""
        self._folded = frozenset()

    def _columns(self, width: int) -> Columns:
        if width < LEAST:
            return super()._columns(width)
        events = 2 * len(TICKED) + 1
        name = max(24, min(self._longest[0], (width - SIGN - PLACE - events) // 2))
        left = width - SIGN - name - PLACE - events
        return columns(
            SIGN,
            Column(name, self.heading),
            Column(PLACE, WAS),
            Column(events, " ".join(event.letter for event in TICKED)),
            Column(left, NOW),
        )

    def _row_segments(self, row: CounterRow, width: int, here: bool) -> list[Segment]:
        if width < LEAST:
            return super()._row_segments(row, width, here)
        quiet, strong = self.part_style("quiet"), self.part_style("strong")
        marked = self.mark(row.id)
        sign = f"{marked[:1] or ' '}{'›' if here else ' '}{side_sign(row.side)}"
        now, needs = self.now(row.id), self.needs(row.id)
        place = row.place.removeprefix("on the table, ").removeprefix("Area ")
        rest = f"hex? {needs}" if needs and not now else row.state
        return self._columns(width).row_segments(
            [Segment(sign, self.part_style(row.side) if row.side else quiet)],
            [Segment(row.name)],
            [Segment(place, quiet)],
            [Segment(" ".join(self.ticks(row.id)), strong)],
            [Segment(f"{now}  " if now else "", strong), Segment(rest, quiet)],
        )
