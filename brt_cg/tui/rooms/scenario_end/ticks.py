"""The end of a scenario, ticked off counter by counter: the ticks, and the resulting state.

Ticks are applied to a copy of the campaign as the seat sees it; the export of that copy is
imported. Whatever a unit possesses, guards or carries moves with it.
"""

from collections import Counter as Count
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from brt_cg.board import locations
from brt_cg.board.locations import OFF_MAP, in_ranges
from brt_cg.board.perimeters import from_text, read_perimeters
from brt_cg.card import Card
from brt_cg.card.consistency import impossible_about, why_a_hex_is_needed
from brt_cg.commands import state_document
from brt_cg.imports.hex_lines import OFF, location_of
from brt_cg.model.campaign import Campaign
from brt_cg.model.counters import (
    Counter,
    Fate,
    Fortification,
    Piece,
    Side,
    Unit,
    Vehicle,
    Weapon,
    WeaponKind,
)
from brt_cg.model.events import BY_NAME, CAPTURED, DROPPED, JOINED, MOVED, PASSED, STAYS, Event
from brt_cg.model.records import Phase
from brt_cg.model.shapes import Number
from brt_cg.questions.answers import Problem, Refused, refuse
from brt_cg.refit.losses import abandon, capture, make_wreck, take_out, turn_over, worth_lost
from brt_cg.tui.rooms.scenario_end.gains import harden, newcomer, newcomer_problem
from brt_cg.views.book import Book

SOURCE = "the form for the end of the scenario"
Ticks = dict[str, dict[str, str]]  # by counter: its ticks, each with the text typed with it
NONE_BEFORE: Mapping[Side, int] = {}
Totals = Mapping[str, str]  # the rest of the form, by field, as typed


LOST_HOLD = {"eliminated", CAPTURED}  # who has nothing any more
CHANGES_SIDES = "its captor's half enters that, or the umpire"


# --- ticking --------------------------------------------------------------------------------------


def as_meant(name: str, typed: str) -> str:
    """Normalises what was typed with a tick: hexes in capitals, ids in small letters."""
    if name == MOVED:
        return OFF_MAP if typed.lower() in OFF else locations.in_capitals(typed)
    return typed if name == JOINED else typed.lower()


def unfit(view: Campaign, counters: Sequence[Counter], tick: Event, seat: Side | None) -> list[str]:
    """Returns why an event cannot have happened to some counters, or cannot be entered from a
    seat."""
    wrong = [counter.label for counter in counters if not tick.fits(counter)]
    if wrong or not counters:
        return [f"{label} cannot be {tick.words}" for label in wrong] or ["no counter is selected"]
    if theirs := [each.label for each in counters if not belongs_to(each, seat)]:
        return [f"{label} is in the other side's half" for label in theirs]
    lost = [counter.label for counter in counters if not isinstance(counter, Unit)]
    if tick.name == CAPTURED and seat is not None and lost:
        return [f"{', '.join(lost)} would change sides: {CHANGES_SIDES}"]
    return []


def tick_problem(
    view: Campaign, counter: Counter, tick: Event, typed: str, card: Card
) -> str | None:
    """Returns what is wrong with what was typed with a tick, if anything."""
    if tick.name == MOVED:
        try:
            location_of(typed)
        except ValueError as error:
            return str(error)
    if tick.name == CAPTURED and typed not in {captor.id for captor in captors(view, [counter])}:
        return f"{typed!r} is not a unit of the other side in play"
    if tick.name == PASSED and typed not in {DROPPED, *(u.id for u in possessors(view, counter))}:
        return f"{typed!r} is not a free unit of its side; {DROPPED}: dropped"
    if tick.name == JOINED:
        return newcomer_problem(counter, typed, card)
    return None


def captors(view: Campaign, taken: Sequence[Counter]) -> list[Unit]:
    """The units that may have captured some counters: the other side's free units in play, those
    in the same place first."""
    sides, places = {each.side for each in taken}, {each.location for each in taken}
    free = (unit for unit in view.units.values() if unit.in_play and not unit.prisoner)
    others = view.in_order(unit for unit in free if unit.side not in sides)
    return sorted(others, key=lambda unit: unit.location not in places)


def captured_by(ticks: Ticks, id: str) -> list[str]:
    """The ids of the counters that are ticked as captured by a unit."""
    return [each for each, wanted in ticks.items() if wanted.get(CAPTURED) == id]


def may_be_captured(view: Campaign, captor: Unit, lost: Sequence[Unit]) -> list[Piece]:
    """The enemy counters that a unit may have captured, those in its place first; `lost` are those
    that the enemy's half has eliminated."""
    theirs = (each for each in view.pieces() if each.in_play and each.side is not captor.side)
    free = view.in_order(
        each
        for each in theirs
        if not (isinstance(each, Unit) and each.prisoner)
        and not (isinstance(each, Weapon) and each.vehicle)
    )
    beside = sorted(free, key=lambda each: each.location != captor.location)
    return [*lost, *beside]


def possessors(view: Campaign, weapon: Counter) -> list[Unit]:
    """The units that may have a weapon now: the free ones of its side, those in the same place
    first."""
    free = (unit for unit in view.units.values() if unit.in_play and not unit.prisoner)
    own = view.in_order(unit for unit in free if unit.side is weapon.side)
    place = view.place(weapon)
    return sorted(own, key=lambda unit: view.place(unit) != place)


def set_tick(ticks: Ticks, id: str, name: str, typed: str) -> None:
    """Sets a tick on a counter; "as it was" excludes all others."""
    kept = {} if name == STAYS else ticks.setdefault(id, {})
    kept.pop(STAYS, None)
    ticks[id] = kept | {name: typed}


def untick(ticks: Ticks, id: str, name: str) -> None:
    """Removes a tick from a counter."""
    del ticks[id][name]
    if not ticks[id]:
        del ticks[id]


def unaccounted(view: Campaign, ticks: Ticks, side: Side | None) -> list[Counter]:
    """The counters in play of a side (None: of both) without a tick: first those without a
    Location, then by hex."""
    found = [
        counter
        for counter in view.counters()
        if counter.in_play and counter.id not in ticks and belongs_to(counter, side)
    ]
    return sorted(found, key=lambda counter: (counter.location is not None, view.order(counter)))


def belongs_to(counter: Counter, side: Side | None) -> bool:
    """Whether a side (None: both) reports on a counter; either side may on a counter of neither."""
    return side is None or counter.side in (side, None)


def ticks_text(ticks: Mapping[str, str]) -> str:
    """The ticks of a counter in words: "broken, moved → N22"."""
    parts = []
    for name, typed in ticks.items():
        event = BY_NAME[name]
        parts.append(event.words + (f" {event.link} {typed}" if typed else ""))
    return ", ".join(parts)


# --- what the ticks make of the campaign ----------------------------------------------------------


def after(view: Campaign, ticks: Ticks, card: Card) -> Campaign:
    """Returns a copy of the campaign with the ticks applied."""
    campaign = view.clone()
    ticked = [(counter, ticks[id]) for id in ticks if (counter := campaign.find(id)) is not None]
    for counter, wanted in ticked:
        for name in sorted(wanted, key=[*BY_NAME].index, reverse=True):
            _apply(campaign, counter, name, wanted[name], card)
    for piece in campaign.pieces():
        place = goes_along(campaign, ticks, piece.id) if piece.in_play else ""
        if place:
            piece.location = location_of(place)
    for counter, wanted in ticked:
        if JOINED in wanted and isinstance(counter, Unit):
            campaign.add(newcomer(campaign, card, counter, wanted[JOINED]))
    for counter, _ in ticked:
        if isinstance(counter, Unit) and counter.aboard:
            stays = campaign.vehicles[counter.aboard].location == counter.location
            counter.aboard = counter.aboard if stays else None
    for counter, _ in ticked:
        if not counter.in_play:
            take_out(campaign, counter)
    for counter, wanted in ticked:
        if isinstance(counter, Unit) and counter.in_play and CAPTURED in wanted:
            # Even one who is lost or a prisoner: `document` says so.
            counter.guard = wanted[CAPTURED]
    for piece in campaign.pieces():
        if piece.in_play and piece.on_the_table and why_a_hex_is_needed(piece) is not None:
            piece.location = None  # asked for before the end is stored
    return campaign


def _apply(campaign: Campaign, counter: Counter, name: str, typed: str, card: Card) -> None:
    if name in (STAYS, JOINED):
        return
    if name == "eliminated":
        counter.fate = Fate.ELIMINATED
    elif name == "revealed" and isinstance(counter, Fortification):
        counter.hidden = False
    elif name == MOVED:
        counter.location = location_of(typed)
    elif isinstance(counter, Piece):
        if name == "revealed":
            counter.reveal()
        elif name == CAPTURED:
            _capture(campaign, counter, campaign.units.get(typed))
        elif name == "reduced" and isinstance(counter, Unit):
            turn_over(card, counter)
        elif name == "hardened" and isinstance(counter, Unit):
            harden(card, counter)
        elif name == "heroic" and isinstance(counter, Unit):
            counter.traits = tuple(sorted({*counter.traits, "heroic"}))
        elif name == PASSED and isinstance(counter, Weapon):
            _pass_on(campaign, counter, typed)
        elif name == "abandoned" and isinstance(counter, Vehicle):
            abandon(campaign, counter)
        elif name == "wreck" and isinstance(counter, Vehicle):
            make_wreck(campaign, counter)
            _unload(campaign, counter)
        elif name == "broken" and isinstance(counter, Weapon):
            counter.gain("malfunctioned")
        else:
            counter.gain(name)


def _capture(campaign: Campaign, piece: Piece, captor: Unit | None) -> None:
    """Reveals a prisoner, or captured equipment, and moves it to its captor, if he is known."""
    if captor is None:  # an undo may have taken him away since he was ticked
        return
    piece.reveal()
    piece.fate = Fate.IN_PLAY  # the enemy's half may have it eliminated
    piece.location = captor.location or piece.location
    if isinstance(piece, Unit):
        capture(campaign, piece, captor)
    else:
        piece.side = captor.side
    if isinstance(piece, Weapon):
        piece.possessor = captor.id
    elif isinstance(piece, Vehicle):
        _unload(campaign, piece)
        for weapon in campaign.mounted_on(piece):
            weapon.side, weapon.location = captor.side, piece.location


def _pass_on(campaign: Campaign, weapon: Weapon, typed: str) -> None:
    """Gives a weapon to another unit of its side, with its place; or leaves it where it is."""
    owner = campaign.units.get(typed)
    weapon.possessor = owner.id if owner is not None else None
    if owner is not None:
        weapon.location = owner.location or weapon.location


def _unload(campaign: Campaign, vehicle: Vehicle) -> None:
    for rider in campaign.aboard(vehicle):
        rider.aboard = None


def goes_along(view: Campaign, ticks: Ticks, id: str) -> str:
    """The Location that a counter reaches with a moved counter that captured it, or else carries,
    guards or possesses it, or with the Gun that it pushes; "" if there is none, or if the counter
    moved by itself."""
    followed = [id] if MOVED not in ticks.get(id, {}) else []
    for each in followed:  # grows meanwhile
        wanted, counter = ticks.get(each, {}), view.find(each)
        if pushed := _pushed_to(view, ticks, counter):
            return pushed
        captor = wanted.get(CAPTURED) or wanted.get(PASSED)
        links = ("aboard", "guard", "possessor", "vehicle")
        for owner in [captor] if captor else [getattr(counter, link, None) for link in links]:
            happened = ticks.get(str(owner), {})
            possessed = isinstance(counter, Weapon) and owner == counter.possessor
            if possessed and not captor and LOST_HOLD & happened.keys():
                continue  # it lies where it was
            if MOVED in happened:
                return happened[MOVED]
            if owner and owner not in followed:
                followed.append(owner)
    return ""


def _pushed_to(view: Campaign, ticks: Ticks, counter: Counter | None) -> str:
    """The Location that a Gun has moved to which a unit still possesses: it pushed it there."""
    held = view.possessed_by(counter) if isinstance(counter, Unit) else ()
    guns = (ticks.get(gun.id, {}) for gun in held if gun.kind is WeaponKind.GUN)
    moved = (tick[MOVED] for tick in guns if MOVED in tick and not {CAPTURED, PASSED} & {*tick})
    return next(moved, "")


def odd_ticks(view: Campaign, ticks: Ticks, card: Card) -> Iterator[str]:
    """Ticks that change nothing, or contradict each other."""
    for id, wanted in ticks.items():
        counter = view.find(id)
        if counter is None:
            continue
        label, has = counter.label, counter.status if isinstance(counter, Piece) else ()
        same = {"wounded", "broken", "encircled", "immobilized", "abandoned", "low_ammo"} & {*has}
        for name in (name for name in wanted if name in same):
            yield f"{label} is {BY_NAME[name].words} already: that changes nothing"
        if CAPTURED in wanted and PASSED in wanted:
            yield f"{label} is captured by {wanted[CAPTURED]} and taken by {wanted[PASSED]}"
        hardened = isinstance(counter, Unit) and counter.leader and "hardened" in wanted
        if hardened and after(view, {id: {"hardened": ""}}, card).find(id) == counter:
            yield f"{label} is the best leader there is: that changes nothing"
        if "eliminated" in wanted and {*wanted} - {"eliminated", MOVED}:
            yield f"{label} is ticked {ticks_text(wanted)}: it counts as eliminated"


# --- what the form begins with, and what it makes -------------------------------------------------


def points_lost(view: Campaign, ticks: Ticks, card: Card) -> dict[Side, int]:
    """The Casualty VP that each side gains by the ticks."""
    campaign = after(view, ticks, card)
    gained = dict.fromkeys(Side, 0)
    for id in ticks:
        before, now = view.find(id), campaign.find(id)
        if isinstance(before, Piece) and now is not None:
            gained[before.side.enemy] += worth_lost(card, before, now)
    return gained


def points_before(book: Book) -> int:
    """The Casualty VP that a side, whose half of the scenario end is not yet entered, gains by the
    enemy's half: only for units that it knew before and still knows now."""
    known, now = book.before_end.pieces(), book.campaign
    theirs = (piece for piece in known if piece.in_play and piece.side is not book.side)
    left = ((piece, now.find(piece.id)) for piece in theirs)
    return sum(worth_lost(book.card, was, found) for was, found in left if found is not None)


def first_totals(
    view: Campaign, ticks: Ticks, card: Card, before: Mapping[Side, int] = NONE_BEFORE
) -> dict[str, str]:
    """The totals as far as the program can know them, for the players to correct. `before` holds
    the Casualty VP that a side gains by the half that its enemy has entered."""
    gained = Count(points_lost(view, ticks, card)) + Count(before)
    situation = view.situation
    half_entered = situation.phase is not Phase.SCENARIO  # with totals, by the other side
    keeps_vp = half_entered or view.ruling("R-VP") == "campaign"
    winner, moved = situation.winner, situation.moved_first
    return {
        "winner": str((half_entered and winner) or ""),
        "moved": str((half_entered and moved) or situation.first_move or ""),
        **{f"cvp_{side}": str(view.sides[side].cvp + gained[side]) for side in Side},
        **{f"san_{side}": str(view.sides[side].san) for side in Side},
        "pillboxes": str(situation.pillbox_vp if keeps_vp else 0),
        "perimeters": " / ".join(in_ranges(hexes) for hexes in situation.perimeters),
    }


def scenario_state(view: Campaign, ticks: Ticks, totals: Totals, card: Card) -> dict[str, Any]:
    """The state document made from the form. Raises Refused for wrongly typed totals, and for
    what the ticks make impossible; the import checks the rest."""
    campaign = after(view, ticks, card)
    ticked = filter(None, map(campaign.find, ticks))
    refuse(line for each in ticked for line in impossible_about(each, campaign, card))
    made = state_document.document(campaign)
    made["scenario"]["winner"] = totals["winner"] or None
    made["scenario"]["moved_first"] = totals["moved"] or None
    made["facts"]["pillbox_vp"] = _number(totals, "pillboxes", "VP for pillboxes")
    for side in Side:
        for name in ("cvp", "san"):
            what = f"{side.label} {name.upper()}"
            made["sides"][side.value][name] = _number(totals, f"{name}_{side}", what)
    made["perimeters"] = _perimeters(totals["perimeters"], view, card)
    return made


def _number(totals: Totals, field: str, what: str) -> int:
    number = Number().parse(totals[field])
    if not isinstance(number, int):
        problem = f'found "{totals[field]}"; allowed: a whole number'
        raise Refused(Problem(field, problem, what))
    return number


def _perimeters(text: str, view: Campaign, card: Card) -> list[list[str]]:
    stated, free = from_text(text), view.ruling("R-PERIMETER") == "free"
    _, wrong = read_perimeters([*stated], card.highest_hex(view.ruled), free=free)
    if wrong:
        raise Refused(Problem("perimeters", wrong[0].message, "Marine Perimeters"))
    return stated
