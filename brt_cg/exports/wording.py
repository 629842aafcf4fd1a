"""Counters and the next step in the players' words."""

from collections.abc import Iterator

from brt_cg.board import is_area_only_location
from brt_cg.card import links_of
from brt_cg.model import (
    Campaign,
    Counter,
    Fortification,
    Phase,
    Side,
    SideRecord,
    Situation,
    Unit,
    Vehicle,
    Weapon,
    fields_of,
    schema_of,
    spoken_word,
)
from brt_cg.refit.sequence import TITLES
from brt_cg.views.view import SharedView

# The totals of a side in words: SAN, ELR and CVP.
SIDE_TOTALS = {name: fields_of(SideRecord)[name].label for name in ("san", "elr", "cvp")}


def missing_totals(view: Campaign, side: Side) -> list[str]:
    """Return which of a side's SAN and ELR must still be copied from the CG card or, for the enemy,
    are not known yet."""
    totals, initial = view.sides[side], view.situation.initial
    return [name for name in ("san", "elr") if initial and not getattr(totals, name)]


def total_text(view: Campaign, side: Side, name: str) -> str:
    """Return a side's SAN, ELR or CVP in words; "–" while it is missing."""
    return "–" if name in missing_totals(view, side) else str(total_value(view, side, name))


def total_value(view: Campaign, side: Side, name: str) -> int:
    """Return a side's SAN, ELR or CVP."""
    return view.cvp(side) if name == "cvp" else int(getattr(view.sides[side], name))


def view_name(side: Side | None) -> str:
    """Return the view of a document, for files: "umpire", "marine", "japanese"."""
    return side.value if side else "umpire"


def view_words(side: Side | None) -> str:
    """Return the view of a document, for people."""
    return f"The {side.label} player's view" if side else "Umpire's view: both sides' secrets"


def next_step_text(situation: Situation, half: Side | None, upcoming: str) -> str:
    """Return the next step if no question is open. `half` is the side whose scenario-end report is
    missing; `upcoming` the paragraph that begins next, with its title."""
    if situation.phase is Phase.SCENARIO:
        return f"Play the {situation.date} scenario, then enter how it ended"
    if situation.phase is Phase.OVER:
        return "The campaign is over"
    if (
        situation.phase is Phase.PURCHASE
    ):  # by its number: nobody is Isolated yet, as the title says
        return f"Buy for the first scenario, then set up ({upcoming.partition(' ')[0]})"
    if half is not None:
        report = f"the {half.label} report of the end of the {situation.date} scenario"
        return f"Enter {report}, before the Refit Phase begins"
    verb = "Begin the Refit Phase with" if situation.done is None else "Continue with"
    return f"{verb} {upcoming}" if upcoming else "Continue"


def turn_words(side: Side | None, seat: Side | None) -> str:
    """Return whose turn it is, in words for a seat; "" if it is nobody's."""
    if side is None:
        return ""
    return "Your turn" if side is seat else f"{side.label} player to answer"


def side_and_turn_text(book: SharedView) -> tuple[Side | None, str]:
    """Return the player whose turn it is, and a line for that player that anybody may read, with
    the step only if both players may know it; (None, "") if it is nobody's turn, for example when
    the next paragraph only has to be begun."""
    ask, side = book.ask, book.side_to_answer
    if side is None:
        return None, ""
    step = f"{ask.rule} {TITLES.get(ask.rule, '')}".strip() if ask is not None else ""
    name = book.campaign.situation.name
    return side, " · ".join(filter(None, (turn_words(side, side), step, name)))


def notable_state_text(counter: Counter) -> str:
    """Return the notable state of a counter in words: its traits, strength, status, captor."""
    words: list[str] = []
    if isinstance(counter, Unit):
        mmc = counter.mmc and counter.side is Side.JAPANESE
        words += [str(counter.class_)] if mmc and counter.class_ else []
        words += ["reduced"] if counter.strength == "reduced" else []
        words += [*counter.traits]
    if isinstance(counter, Vehicle):
        words += _vehicle_words(counter)
    if isinstance(counter, Weapon | Vehicle) and counter.captured:
        words.append("captured")
    if isinstance(counter, Weapon):
        words += [f"no {ammo}" for ammo in counter.depleted]
    words += [*getattr(counter, "status", ())]
    if isinstance(counter, Fortification):
        words += _fortification_words(counter)
    return ", ".join(map(spoken_word, words))


def _vehicle_words(vehicle: Vehicle) -> Iterator[str]:
    if vehicle.armor_leader:
        yield f"armor leader {vehicle.armor_leader}"
    if vehicle.pathfinder != "none":
        wounded = vehicle.pathfinder == "wounded"
        yield "wounded Pathfinder" if wounded else "Pathfinder"
    if vehicle.bulldozer and vehicle.type.casefold() != "bulldozer":
        yield "bulldozer"


def _fortification_words(fort: Fortification) -> Iterator[str]:
    figures = (fort.capacity, fort.ca_tem, fort.nca_tem)
    # A foxhole has a capacity only, and its type says it; a pillbox's type may say all three.
    printed = "+".join("–" if figure is None else str(figure) for figure in figures)
    if any(figure is not None for figure in figures[1:]) and printed not in fort.full_type_text:
        yield printed
    if fort.hidden:
        yield "hidden"
    if fort.covered_arc:
        yield f"CA {'/'.join(fort.covered_arc)}"
    if fort.exit:
        yield f"exit {fort.exit}"
    if fort.controller is not None and fort.controller is not fort.side:
        yield f"{fort.controller.label}-Controlled"


def type_and_name_text(counter: Counter) -> str:
    """Return a counter's type, and its name if it has one."""
    kind = counter.type_text
    if isinstance(counter, Unit):
        kind = f"{kind} {counter.kind.label}"
    return f"{kind} {counter.name}" if counter.name else kind


def companions_text(view: Campaign, counter: Counter) -> str:
    """Return a counter's companions: a unit's weapons, vehicle or guard; a weapon's possessor;
    those aboard a vehicle."""
    if isinstance(counter, Unit):
        guard, vehicle = (
            view.units.get(counter.guard or ""),
            view.vehicles.get(counter.aboard or ""),
        )
        guarded = [f"guarded by {guard.label}"] if guard else []
        aboard = [f"aboard {vehicle.label}"] if vehicle else []
        weapons = (weapon.label for weapon in view.weapons_possessed_by(counter))
        return ", ".join([*guarded, *aboard, *weapons])
    if isinstance(counter, Weapon):
        possessor, mount = view.find(counter.possessor or ""), view.find(counter.vehicle or "")
        if possessor:
            return possessor.label
        return f"mounted on {mount.label}" if mount else ""
    if isinstance(counter, Vehicle):
        return ", ".join(passenger.label for passenger in view.units_aboard(counter))
    return ""


# --- a counter in full ----------------------------------------------------------------------------


LEFT_OUT = ("id", "name", "fate")
SOLE = {"strength": "full", "pathfinder": "none"}  # by field, the usual value, which is not shown


def field_texts(view: Campaign, counter: Counter) -> Iterator[tuple[str, str]]:
    """Yield the name and value of each field of a counter that is not empty."""
    if counter.id not in counter.label:
        yield "id", counter.id
    if not counter.in_play:
        yield "fate", str(counter.fate)
    side = counter.side
    schema = schema_of(type(counter))
    for name, field in schema.fields.items():
        value = getattr(counter, field.attribute)
        if name == "type" and isinstance(counter, Fortification):
            value = counter.type_text
        if name in LEFT_OUT or value in (None, False, (), 0) or SOLE.get(name) == value:
            continue
        if name == "nation" and value is side:
            continue
        linked = view.find(value) if field.attribute in schema.links else None
        if field.attribute == "location" and is_area_only_location(value):
            value = view.place_text(counter)
        yield field.label, linked.label if linked else field.value_text(value)
    yield from _ties(view, counter)


def _ties(view: Campaign, counter: Counter) -> Iterator[tuple[str, str]]:
    """Yield the links from other counters to a counter, each as a heading with the names of those
    counters."""
    ties: dict[str, list[str]] = {}
    for other in view.pieces():
        links = schema_of(type(other)).links
        for name, id in links_of(other) if other.in_play else ():
            if id == counter.id and (words := links[name].back):
                ties.setdefault(words, []).append(other.label)
    for words in sorted(ties):
        yield words, ", ".join(ties[words])
