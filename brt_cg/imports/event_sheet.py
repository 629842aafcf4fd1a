"""The end of a scenario, entered event by event as ticks or lines of codes: the possible events for
each counter, and their effects.

The events are applied to a copy of the campaign as the seat sees it. Whatever a unit possesses,
guards or carries moves with it.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace

from brt_cg.board import OFF_MAP, locations
from brt_cg.card import Card, no_broken_side_text, reason_hex_is_required
from brt_cg.immutable import immutable
from brt_cg.imports.hex_lines import OFF, parse_location
from brt_cg.model import (
    NO_CODES,
    SIDES,
    TERRAIN,
    Campaign,
    Counter,
    CounterCodes,
    Fate,
    Fortification,
    NumberedList,
    Piece,
    Side,
    Unit,
    UnitKind,
    Vehicle,
    Weapon,
    WeaponKind,
)
from brt_cg.model.events import (
    BY_NAME,
    CAPTURED,
    DROPPED,
    HERO,
    JOINED,
    MOVED,
    PASSED,
    STAYS,
    CounterEvent,
)
from brt_cg.model.numbered_lists import numbered_lists
from brt_cg.refit.casualties import enter_cvp_changes_between
from brt_cg.refit.losses import (
    abandon_vehicle,
    apply_step_reduction,
    make_prisoner,
    make_wreck,
    remove_from_play,
)
from brt_cg.text import count_text, list_text
from brt_cg.views.view import View

Ticks = dict[str, dict[str, str]]  # by counter: its events, each with the details given
LOST_HOLD = {"eliminated", CAPTURED}  # a unit that no longer has anything
STATES = {"wounded", "broken", "encircled", "immobilized", "abandoned", "low_ammo"}


@immutable
class EventSheet:
    """The events of a scenario that a seat (None: the umpire, for both sides) reports for the
    counters of its `view`, as `ticks`. `codes` are the codes of the counters."""

    view: Campaign
    card: Card
    seat: Side | None
    ticks: Ticks = field(default_factory=dict)
    codes: CounterCodes = NO_CODES

    # --- the possible events --------------------------------------------------------------------

    def reasons_event_is_impossible(
        self, counters: Sequence[Counter], event: CounterEvent
    ) -> list[str]:
        """Return the reasons why an event cannot have happened to some counters, or cannot be
        entered from the seat."""
        if not counters:
            return ["select a counter first"]
        if wrong := [each for each in counters if not event.fits(each)]:
            return [self._unfit_text(each, event) for each in wrong]
        if theirs := [each for each in counters if not self.is_reported_by_seat(each)]:
            return [f"{self.counter_text(each)} is in your opponent's report" for each in theirs]
        return []

    def _unfit_text(self, counter: Counter, event: CounterEvent) -> str:
        if event.name == "broken" and isinstance(counter, Unit):
            return f"{self.counter_text(counter)}: {no_broken_side_text(counter)}"
        return f"{self.counter_text(counter)} cannot be {event.words}"

    def detail_problems(
        self, counters: Iterable[Counter], event: CounterEvent, given: str
    ) -> list[str]:
        """Return the problems with the details given for an event."""
        tried = (self._problem(each, event, given) for each in counters)
        return [problem for problem in tried if problem is not None]

    def _problem(self, counter: Counter, event: CounterEvent, given: str) -> str | None:
        if event.name == MOVED:
            try:
                parse_location(given)
            except ValueError as error:
                return str(error)
        if event.name == CAPTURED and given not in _ids(self.possible_captors([counter])):
            return f"{given!r} is not an enemy unit in play"
        if event.name == PASSED and given not in {
            DROPPED,
            *_ids(self.possible_possessors(counter)),
        }:
            return (
                f"{given!r} is not a free unit of its side; "
                f"enter one, or {DROPPED} if it was dropped"
            )
        if event.name == JOINED:
            return _newcomer_problem(counter, given, self.card)
        return None

    def is_reported_by_seat(self, counter: Counter) -> bool:
        """Whether the seat reports on a counter; either side may report on a counter that belongs
        to neither."""
        return self.seat is None or counter.side in (self.seat, None)

    def possible_captors(self, taken: Sequence[Counter]) -> list[Unit]:
        """Return the units that may have captured some counters: the opponent's free units in play,
        those in the same place first."""
        sides, places = {each.side for each in taken}, {each.location for each in taken}
        others = self.view.sort_counters_in_play(
            unit for unit in self._free() if unit.side not in sides
        )
        return sorted(others, key=lambda unit: unit.location not in places)

    def possible_possessors(self, weapon: Counter) -> list[Unit]:
        """Return the units that may have a weapon now: the free units of its side, those in the
        same place first."""
        own = self.view.sort_counters_in_play(
            unit for unit in self._free() if unit.side is weapon.side
        )
        place = self.view.place_text(weapon)
        return sorted(own, key=lambda unit: self.view.place_text(unit) != place)

    def _free(self) -> Iterator[Unit]:
        return (unit for unit in self.view.units.values() if unit.in_play and not unit.prisoner)

    def can_capture(self, unit: Unit) -> bool:
        """Whether a unit is free to capture anything."""
        return unit.in_play and not unit.prisoner

    def possible_captives(self, captor: str, lost: Iterable[Unit] = ()) -> list[Piece]:
        """Return the counters that a unit may have captured: those ticked as captured by it, then
        the `lost` ones, eliminated by the enemy's report, then the enemy counters in play, those in
        the unit's place first."""
        unit = self.view.units[captor]
        has = [self.view.find(id) for id in self.ids_captured_by(captor)]
        mine = [each for each in has if isinstance(each, Piece)]
        left = [each for each in lost if CAPTURED not in self.ticks.get(each.id, {})]
        free = self.view.sort_counters_in_play(
            each
            for each in self.view.pieces()
            if each.in_play and each.side is not unit.side
            if not (isinstance(each, Unit) and each.prisoner)
            if not (isinstance(each, Weapon) and each.vehicle)
        )
        return [*mine, *left, *sorted(free, key=lambda each: each.location != unit.location)]

    def ids_captured_by(self, id: str) -> list[str]:
        """Return the ids of the counters that are ticked as captured by a unit."""
        return [each for each, told in self.ticks.items() if told.get(CAPTURED) == id]

    # --- reporting ------------------------------------------------------------------------------

    def tick(self, ids: Iterable[str], event: str, given: str = "") -> None:
        """Tick an event on some counters; "as it was" excludes all other events."""
        for id in ids:
            kept = {} if event == STAYS else self.ticks.get(id, {})
            self.ticks[id] = {name: text for name, text in kept.items() if name != STAYS}
            self.ticks[id][event] = given

    def untick(self, ids: Iterable[str], event: str) -> None:
        """Remove the tick of an event from some counters."""
        for id in ids:
            self.ticks[id].pop(event, None)
            if not self.ticks[id]:
                del self.ticks[id]

    def are_ticked(self, ids: Sequence[str], event: str) -> bool:
        """Whether an event is ticked on all these counters."""
        return bool(ids) and all(event in self.ticks.get(id, {}) for id in ids)

    @property
    def own_lists(self) -> list[NumberedList]:
        """The numbered lists that the seat reports on; the terrain, which is in both sides' lists,
        is included once."""
        sides = SIDES if self.seat is None else (self.seat,)
        found = [each for side in sides for each in numbered_lists(self.view, side)]
        terrain = [each for each in found if each.kind == TERRAIN]
        return [*(each for each in found if each.kind != TERRAIN), *terrain[:1]]

    @property
    def all_lists(self) -> list[NumberedList]:
        """The seat's own lists, and the opponent's as the seat knows them."""
        captors = numbered_lists(self.view, self.seat.enemy) if self.seat is not None else []
        return [*self.own_lists, *captors]

    def counter_with_code(self, code: str) -> Counter | None:
        """Return the counter with a code, if it is still in play."""
        counter = self.view.find(self.codes.id_of_code(code) or "")
        return counter if counter is not None and counter.in_play else None

    def counter_text(self, counter: Counter) -> str:
        """Return a counter by its code, its type and its name: "1a 9-1 Hawkins"."""
        name = getattr(counter, "name", None)
        return " ".join(filter(None, (self.codes.code_of(counter.id), counter.type_text, name)))

    def _label(self, id: str) -> str:
        counter = self.view.find(id)
        return counter.label if counter is not None else id

    def reasons_hex_is_required(self, now: Campaign) -> dict[str, str]:
        """Return, by id, the reasons why a hex is needed, for counters without a known hex that
        need more than an Area; `now` is the campaign after the ticks."""
        guards = {each.guard for each in now.units.values() if each.in_play and each.prisoner}
        found: dict[str, str] = {}
        for piece in now.pieces():
            known = piece.location is not None and not piece.is_on_map_without_hex
            if not piece.in_play or piece.hidden or known:
                continue
            why = "Isolated" if piece.isolated else reason_hex_is_required(piece)
            why = why or ("with its prisoners" if piece.id in guards else None)
            if why is not None:
                found[piece.id] = why
        return found

    def hex_reminders(self, waiting: Sequence[Counter]) -> Iterator[str]:
        """Yield the number of counters without a hex that need none; then the counters that should
        have one, by reason."""
        needs, why = self.reasons_hex_is_required(self.campaign_after()), dict[str, list[str]]()
        for each in waiting:
            if each.id in needs:
                why.setdefault(needs[each.id], []).append(self.counter_text(each))
        lacking = sum(map(len, why.values()))
        if waiting:
            rest = count_text(len(waiting) - lacking, "counter")
            yield f"{rest} without a hex (none needed)"
        if lacking:
            named = "; ".join(f"{reason}: {', '.join(who)}" for reason, who in why.items())
            yield f"{lacking} should have one: {named}"

    def unticked_counters(self) -> list[Counter]:
        """Return the counters in play without a tick: first those without a Location, then by
        hex."""
        found = [
            counter
            for counter in self.view.counters()
            if counter.in_play
            and counter.id not in self.ticks
            and self.is_reported_by_seat(counter)
        ]
        order = self.view.asking_order_key
        return sorted(found, key=lambda counter: (counter.location is not None, order(counter)))

    def oddities(self) -> Iterator[str]:
        """Yield the ticks that change nothing or contradict each other."""
        for id in self.ticks:
            yield from self.oddities_of(id)

    def oddities_of(self, id: str) -> Iterator[str]:
        """Yield the oddities of one counter."""
        counter, told = self.view.find(id), self.ticks[id]
        if counter is None:
            return
        label, has = counter.label, counter.status if isinstance(counter, Piece) else ()
        for name in (name for name in told if name in STATES & {*has}):
            yield f"{label} is {BY_NAME[name].words} already, so this changes nothing"
        if CAPTURED in told and PASSED in told:
            by, to = (self._label(told[name]) for name in (CAPTURED, PASSED))
            yield f"{label} is ticked as captured by {by} and also as taken by {to}"
        hardened = isinstance(counter, Unit) and counter.leader and "hardened" in told
        if (
            hardened
            and self.with_ticks({id: {"hardened": ""}}).campaign_after().find(id) == counter
        ):
            yield f"{label} is the best possible leader, so this changes nothing"
        if "eliminated" in told and {*told} - {"eliminated", MOVED}:
            yield f"{label} is ticked {ticks_text(told)}: it counts as eliminated"

    # --- its effects on the campaign ------------------------------------------------------------

    def on_campaign_after(self) -> "EventSheet":
        """Return this sheet for the campaign to which its ticks have been applied, which decides
        the possible captors and possessors."""
        return replace(self, view=self.campaign_after())

    def with_ticks(self, ticks: Ticks) -> "EventSheet":
        """Return this sheet with different ticks."""
        return replace(self, ticks=ticks)

    def with_moves(self, places: Mapping[str, str]) -> "EventSheet":
        """Return this sheet with the counters moved to these Locations, by id."""
        moved = self.with_ticks({id: dict(told) for id, told in self.ticks.items()})
        for id, place in places.items():
            moved.tick([id], MOVED, place)
        return moved

    def campaign_after(self) -> Campaign:
        """Return a copy of the campaign with the ticks applied."""
        campaign = self.view.clone()
        found = [(campaign.find(id), told) for id, told in self.ticks.items()]
        ticked = [(counter, told) for counter, told in found if counter is not None]
        for counter, told in ticked:
            for name in sorted(told, key=[*BY_NAME].index, reverse=True):
                _apply(campaign, counter, name, told[name], self.card)
        for piece in campaign.pieces():
            place = _place_along(campaign, self.ticks, piece.id) if piece.in_play else ""
            if place:
                piece.location = parse_location(place)
        units = [(unit, told) for unit, told in ticked if isinstance(unit, Unit)]
        for unit, told in units:
            if JOINED in told:
                campaign.add(_newcomer(campaign, self.card, unit, told[JOINED]))
            if unit.aboard and campaign.vehicles[unit.aboard].location != unit.location:
                unit.aboard = None
        for counter, _ in ticked:
            if not counter.in_play:
                remove_from_play(campaign, counter)
        for unit, told in units:
            if unit.in_play and CAPTURED in told:
                # Set even for a captor who is lost or a prisoner; `document` contains that.
                unit.guard = told[CAPTURED]
        for piece in campaign.pieces():
            if (
                piece.in_play
                and piece.is_on_map_without_hex
                and reason_hex_is_required(piece) is not None
            ):
                piece.location = None  # asked for before the end is stored
        return campaign

    def location_moved_to_with_holder(self, id: str) -> str:
        """Return the Location that a counter reaches with a moved counter that captured it, or else
        carries, guards or possesses it, or with the Gun that it pushes; "" if there is none, or if
        the counter moved by itself."""
        return _place_along(self.view, self.ticks, id)

    def casualty_points_gained(self, now: Campaign | None = None) -> dict[Side, int]:
        """Return the Casualty VP that each side gains by the ticks; `now` is the campaign after
        them."""
        campaign = self.campaign_after() if now is None else now.clone()
        enter_cvp_changes_between(self.view, campaign, self.card, "import")
        return {side: campaign.cvp(side) - self.view.cvp(side) for side in Side}


def normalize_event_details(event: str, typed: str) -> str:
    """Return the details typed for an event, with hexes in capitals and ids in small letters."""
    if event == MOVED:
        return OFF_MAP if typed.lower() in OFF else locations.capitalize_hexes(typed)
    return typed if event == JOINED else typed.lower()


def ticks_text(told: Mapping[str, str]) -> str:
    """Return the ticks of a counter in words: "broken, moved → N22"."""
    parts = []
    for name, given in told.items():
        event = BY_NAME[name]
        parts.append(event.words + (f" {event.link} {given}" if given else ""))
    return ", ".join(parts)


def _ids(counters: Iterable[Counter]) -> set[str]:
    return {each.id for each in counters}


def units_lost_in_opponents_report(book: View, side: Side) -> list[Unit]:
    """Return the enemy's units that a side knew to be in play before the end of the scenario, and
    that the enemy's report eliminates."""
    if not book.campaign.situation.is_refit_due:
        return []
    known = book.before_scenario_end.units
    return [
        unit
        for unit in book.campaign.units.values()
        if unit.side is side.enemy and not unit.in_play
        if (was := known.get(unit.id)) is not None and was.in_play
    ]


# --- the effect of each event ---------------------------------------------------------------------


def _apply(campaign: Campaign, counter: Counter, name: str, typed: str, card: Card) -> None:
    if name in (STAYS, JOINED):
        return
    if name == "eliminated":
        counter.fate = Fate.ELIMINATED
    elif name == "revealed" and isinstance(counter, Fortification):
        counter.hidden = False
    elif name == MOVED:
        counter.location = parse_location(typed)
    elif isinstance(counter, Piece):
        if name == "revealed":
            counter.reveal()
        elif name == CAPTURED:
            _capture(campaign, counter, campaign.units.get(typed))
        elif name == "reduced" and isinstance(counter, Unit):
            apply_step_reduction(card, counter)
        elif name == "hardened" and isinstance(counter, Unit):
            _harden(card, counter)
        elif name == "heroic" and isinstance(counter, Unit):
            counter.traits = tuple(sorted({*counter.traits, "heroic"}))
        elif name == PASSED and isinstance(counter, Weapon):
            _pass_on(campaign, counter, typed)
        elif name == "abandoned" and isinstance(counter, Vehicle):
            abandon_vehicle(campaign, counter)
        elif name == "wreck" and isinstance(counter, Vehicle):
            make_wreck(campaign, counter)
            _unload(campaign, counter)
        elif name == "broken" and isinstance(counter, Weapon):
            counter.add_status("malfunctioned")
        else:
            counter.add_status(name)


def _capture(campaign: Campaign, piece: Piece, captor: Unit | None) -> None:
    """Reveal a prisoner, or captured equipment, and move it to its captor, if that is known."""
    if captor is None:  # an undo may have removed the counter since it was ticked
        return
    piece.reveal()
    piece.fate = Fate.IN_PLAY  # the enemy's report may have it eliminated
    piece.location = captor.location or piece.location
    if isinstance(piece, Unit):
        make_prisoner(campaign, piece, captor)
    else:
        piece.side = captor.side
    if isinstance(piece, Weapon):
        piece.possessor = captor.id
    elif isinstance(piece, Vehicle):
        _unload(campaign, piece)
        for weapon in campaign.weapons_mounted_on(piece):
            weapon.side, weapon.location = captor.side, piece.location


def _pass_on(campaign: Campaign, weapon: Weapon, typed: str) -> None:
    """Give a weapon to another unit of its side, with its place; or leave it where it is."""
    owner = campaign.units.get(typed)
    weapon.possessor = owner.id if owner is not None else None
    if owner is not None:
        weapon.location = owner.location or weapon.location


def _unload(campaign: Campaign, vehicle: Vehicle) -> None:
    for rider in campaign.units_aboard(vehicle):
        rider.aboard = None


def _place_along(view: Campaign, ticks: Ticks, id: str) -> str:
    followed = [id] if MOVED not in ticks.get(id, {}) else []
    for each in followed:  # the list grows in the loop
        wanted, counter = ticks.get(each, {}), view.find(each)
        if pushed := _pushed_to(view, ticks, counter):
            return pushed
        captor = wanted.get(CAPTURED) or wanted.get(PASSED)
        links = ("aboard", "guard", "possessor", "vehicle")
        for owner in [captor] if captor else [getattr(counter, link, None) for link in links]:
            happened = ticks.get(str(owner), {})
            possessed = isinstance(counter, Weapon) and owner == counter.possessor
            if possessed and not captor and LOST_HOLD & happened.keys():
                continue  # it stays where it was
            if MOVED in happened:
                return happened[MOVED]
            if owner and owner not in followed:
                followed.append(owner)
    return ""


def _pushed_to(view: Campaign, ticks: Ticks, counter: Counter | None) -> str:
    """Return the Location that a Gun has moved to with the unit that possesses it: the unit has
    pushed it there."""
    held = view.weapons_possessed_by(counter) if isinstance(counter, Unit) else ()
    guns = (ticks.get(gun.id, {}) for gun in held if gun.kind is WeaponKind.GUN)
    moved = (tick[MOVED] for tick in guns if MOVED in tick and not {CAPTURED, PASSED} & {*tick})
    return next(moved, "")


def _harden(card: Card, unit: Unit) -> None:
    """Battle Harden a unit: a leader becomes the next better one, an MMC goes up one class, and
    a unit that cannot improve becomes Fanatic."""
    if unit.leader:
        unit.type = card.ladders.hardened_leader(unit)
        return
    better = card.ladders.hardened_class(unit)
    if better is None:
        unit.add_status("fanatic")
        return
    unit.class_ = better
    unit.type = card.ladders.digits_of_unit(unit)


def _newcomer(campaign: Campaign, card: Card, host: Unit, typed: str) -> Unit:
    """Return the hero or leader that was created beside a unit: "hero", "8-0 Smith", in the same
    place; if the unit's hex is not known, in its Setup Area."""
    what, _, name = typed.partition(" ")
    kind, stem = (UnitKind.HERO, "hero") if what.lower() == HERO else (UnitKind.LEADER, "ldr")
    begins = f"{host.side}-{stem}-"
    created = sum(id.startswith(begins) for id in campaign.units)
    new = Unit(
        id=campaign.free_counter_id(f"{begins}{created + 1}"),
        side=host.side,
        kind=kind,
        type=card.ladders.figures.hero if kind is UnitKind.HERO else what,
        location=host.location or _in_its_area(campaign, host),
    )
    new.name = name.strip() or None
    return new


def _in_its_area(campaign: Campaign, host: Unit) -> str | None:
    area = campaign.areas.get(host.setup_area or "")
    return f"in {area.hexes[0]}" if area is not None and area.hexes else None


def _newcomer_problem(host: Counter, typed: str, card: Card) -> str | None:
    """Return the problem with the hero or leader that was typed, if any."""
    what = typed.split(" ")[0]
    side = host.side
    if what.lower() == HERO or side is None:
        return None
    ladder = card.ladders.figures.leaders[side].ladder
    return (
        None if what in ladder else f"{what!r} is not accepted; enter {HERO}, {list_text(ladder)}"
    )
