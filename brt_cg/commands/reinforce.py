"""The `reinforce` command, which adds counters of the order of battle, or arrivals.

`asked` holds `state` (a document whose counters are added), `source`, and perhaps `catalogue`, the
printed values of their types. With a future `date` (and the `lines` that the players wrote) they
arrive then. Their `wave`, `turn`, `formations` and `entry_area` are for the Landing Schedule
Record. They are Retained in an area or off map; before the first scenario, when there are no areas
yet, they may also have no place.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import count
from typing import Any

from brt_cg.board import OFF_MAP
from brt_cg.card import (
    CATALOGUE,
    Card,
    PrintedType,
    arrival_text,
    fill_in_printed_figures,
    read_arrival_counters,
    read_printed_types,
    serialize_counters,
)
from brt_cg.commands import Command, name_and_place_text, wrong_phase_text
from brt_cg.commands.counter_checks import odd_counter_warnings
from brt_cg.commands.problems import InputProblems
from brt_cg.commands.state_document import (
    StateDocument,
    StateItem,
    ammunition_warning,
    note_broken_links,
    read_state,
)
from brt_cg.commands.units_lost import settling_lost_units
from brt_cg.model import (
    SIDES,
    Arrival,
    Campaign,
    Counter,
    Fortification,
    Phase,
    Piece,
    Side,
    Situation,
    assign_numbers,
    field_of,
    is_place_secret,
)
from brt_cg.purchases.limits import is_buying_paragraph
from brt_cg.purchases.placement import Spot
from brt_cg.questions import RefusedError, raise_problems
from brt_cg.refit.garrisons import over_capacity_problems, unfilled_pillbox_problems
from brt_cg.text import count_text, list_text

LANDING = ("wave", "turn", "formations", "entry_area")
Landing = Mapping[str, Any]


def can_add_counters(situation: Situation) -> bool:
    """Whether counters may be added now: before the first scenario, during setup, and at 15.614."""
    return situation.phase in (Phase.PURCHASE, Phase.SETUP) or is_buying_paragraph(situation)


def add_reinforcements(command: Command) -> None:
    """Carry out `reinforce`. Raises RefusedError, with everything that is wrong."""
    campaign, asked = command.campaign, command.asked
    situation = campaign.situation
    if situation.phase is Phase.REFIT and not is_buying_paragraph(situation):
        raise RefusedError(
            f"{wrong_phase_text('reinforce', situation.phase)}; counters can be added at 15.614"
        )
    command.require_phase(Phase.PURCHASE, Phase.SETUP, Phase.REFIT)
    findings = InputProblems(asked.get("source"))
    state = read_state(asked.get("state"), command.card, campaign, findings, sides=())
    types = read_printed_types(asked.get(CATALOGUE, []))
    _note_problems(campaign, state, findings, waits=asked.get("date") is not None)
    for item in state.items.values():
        if odd := ammunition_warning(campaign, state, item, types):
            findings.add(f"{item.path}.depleted", odd)
    if not state.named and not findings.problems:
        findings.add("", "the file has no counters to add")
    later = _later(command, state, findings)
    landing = _read_landing(asked, findings)
    findings.raise_problems()
    if later is not None:
        _await(command, state, types, landing, *later)
        return
    added = list(state.counters())
    with settling_lost_units(command):
        for item in state.items.values():
            fill_in_printed_figures(item.counter, item.given, types, campaign)
            _retain(campaign, item.counter)
            campaign.add(item.counter)
    assign_numbers(campaign)
    _fill_the_pillboxes(campaign, command.card, added)
    source = asked.get("source")
    command.log(f"reinforcements from {source}" if source else "reinforcements")
    if state.sides:
        command.log(
            "warning: the sides' totals in the file are ignored; to change them, use `edit`"
        )
    for counter in added:
        _say_added(command, counter)
    command.log_figures_from_own_catalog(types, added)
    if landing:
        _note_landing(command, landing, added)
    for warning, about in odd_counter_warnings(campaign, command.card, added):
        secret = about[0].side if is_place_secret(campaign, about[0]) else None
        command.log(warning, *about, secret=secret)


def _fill_the_pillboxes(campaign: Campaign, card: Card, added: list[Counter]) -> None:
    """Raise RefusedError for units set up in a pillbox without room for them, and for Japanese
    units outside the pillboxes while one is still to be filled (15.6142), unless that pillbox
    arrives with them and its capacity is not known."""
    forts = (one for one in added if isinstance(one, Fortification) and one.capacity is None)
    not_known = {fort.id for fort in forts}
    for side in SIDES:
        own = (counter for counter in added if counter.side is side)
        spots = {one.id: Spot(one.location) for one in own if one.location is not None}
        of = campaign, card, side, spots
        raise_problems(over_capacity_problems(*of) or unfilled_pillbox_problems(*of, not_known))


def _later(
    command: Command, state: StateDocument, findings: InputProblems
) -> tuple[str, Side] | None:
    """Return the date on which the counters arrive, and their side; None if they enter now. Note
    any problem with them."""
    date = command.asked.get("date")
    if date is None:
        return None
    dates = command.card.dates
    if date not in dates:
        findings.add_bad_value("date", date, f"a date of CG {command.card.cg}: {list_text(dates)}")
        return None
    sides = {counter.side for counter in state.counters()}
    whose = next(iter(sides), None)
    if len(sides) != 1 or whose is None:
        findings.add(
            "date", "these arrivals are from both sides; enter one side's arrivals at a time"
        )
    waiting = {
        each.id
        for mine in command.campaign.arrivals.values()
        for each in read_arrival_counters(mine)
    }
    for item in state.items.values():
        if item.counter.id in waiting:
            findings.add(f"{item.path}.id", f"{item.counter.id} is already due to arrive")
    if dates.index(date) <= dates.index(command.campaign.situation.date) or whose is None:
        return None
    return date, whose


def _read_landing(asked: Mapping[str, Any], findings: InputProblems) -> dict[str, Any]:
    """Return the fields of the Landing Schedule Record that are given. Note any problem with
    them."""
    found: dict[str, Any] = {}
    for name in LANDING:
        if asked.get(name) is not None:
            try:
                found[name] = field_of(Arrival, name).read(asked[name])
            except ValueError as wrong:
                findings.add(name, str(wrong))
    if found and not found.keys() & {"wave", "turn"} and not findings.problems:
        findings.add("wave", "missing; enter the Wave, or the turn it lands")
    return found


def _await(
    command: Command,
    state: StateDocument,
    types: Iterable[PrintedType],
    landing: Landing,
    date: str,
    side: Side,
) -> None:
    """Keep counters for their arrival on a later date."""
    campaign = command.campaign
    for item in state.items.values():
        item.counter.location = OFF_MAP
        fill_in_printed_figures(item.counter, item.given, types, campaign)
    arrival = _add_arrival(command, side, date, [*state.counters()], landing)
    command.log(f"{side.label} arrivals, {arrival_text(arrival)}", arrival)
    command.log_figures_from_own_catalog(types, state.counters(), arrival)


def _add_arrival(
    command: Command,
    side: Side,
    date: str,
    counters: Sequence[Counter],
    landing: Landing,
    entered: bool = False,
) -> Arrival:
    campaign, asked = command.campaign, command.asked
    ids = (f"a{side[0]}{number}" for number in count(1))
    arrival = Arrival(
        id=next(id for id in ids if id not in campaign.arrivals),
        side=side,
        date=date,
        lines=asked.get("lines") or count_text(len(counters), "counter"),
        state=serialize_counters(counters),
        entered=entered,
        **landing,
    )
    campaign.add(arrival)
    return arrival


def _note_landing(command: Command, landing: Landing, added: Sequence[Counter]) -> None:
    """Note a Wave of the current date, whose counters are off map already, in the Landing Schedule
    Record (T15.13)."""
    date, side = command.asked.get("date"), next(iter({each.side for each in added}), None)
    if date == command.campaign.situation.date and side is not None:
        arrival = _add_arrival(command, side, date, added, landing, entered=True)
        command.log(f"{side.label} landing, {arrival_text(arrival)}", arrival)


def _say_added(command: Command, counter: Counter) -> None:
    """Log a new counter for both sides, without its setup place."""
    if counter.location is None or not is_place_secret(command.campaign, counter):
        command.log(f"added: {name_and_place_text(command.campaign, counter)}", counter)
        return
    label = counter.label
    command.log(f"added: {label}", counter)
    command.log(f"{label}: {command.campaign.place_text(counter)}", counter, secret=counter.side)


def _note_problems(
    campaign: Campaign, state: StateDocument, findings: InputProblems, waits: bool
) -> None:
    def find(id: str) -> Counter | None:
        item = state.items.get(id)
        return item.counter if item else campaign.find(id)

    for item in state.items.values():
        known = campaign.find(item.counter.id)
        if known is not None and type(known) is type(item.counter):
            what = f"{known.id} is already in the campaign"
            findings.add(f"{item.path}.id", f"{what}; to change it, use `edit`")
        if not item.counter.in_play:
            findings.add_bad_value(f"{item.path}.fate", item.counter.fate, "in_play")
        if isinstance(item.counter, Piece) and item.counter.isolated:
            findings.add_bad_value(
                f"{item.path}.isolated", True, "false, since a reinforcement is not Isolated"
            )
        note_broken_links(item, state, find, findings)
        if not waits:  # counters that arrive later are off map
            _note_place(campaign, item, findings)


def _note_place(campaign: Campaign, item: StateItem, findings: InputProblems) -> None:
    """Note a place that is neither off map nor in an area of its side; any place is allowed before
    there are areas."""
    counter, path = item.counter, item.path
    area = counter.setup_area if isinstance(counter, Piece) else None
    if not campaign.areas:
        if area is not None:
            findings.add_bad_value(
                f"{path}.setup_area", area, "null, since there are no Setup Areas yet"
            )
        return
    own = [home for home in campaign.areas.values() if counter.side in (None, home.side)]
    if area is not None and area not in [home.id for home in own]:
        findings.add_bad_value(f"{path}.setup_area", area, list_text(home.id for home in own))
        return
    where = counter.location
    if where is None and area is None:
        allowed = f"a Location in {list_text(home.id for home in own)}; or off_map; or a setup_area"
        findings.add(f"{path}.location", f"missing; enter {allowed}")
    elif where is not None and not counter.off_map:
        inside = campaign.area_at(where)
        if inside not in own or (area is not None and inside is not None and inside.id != area):
            allowed = f"a Location in {area or list_text(home.id for home in own)}, or off_map"
            findings.add_bad_value(f"{path}.location", where, allowed)


def _retain(campaign: Campaign, counter: Counter) -> None:
    """Retain an arrival in its area, to be set up with the rest (15.6202)."""
    if isinstance(counter, Fortification):
        counter.unseen = True
    if not isinstance(counter, Piece):
        return
    area = campaign.area_at(counter.location)
    if area is not None:
        counter.location, counter.setup_area = None, area.id
