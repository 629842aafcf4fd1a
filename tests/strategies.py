"""Random campaigns, and random answers to whatever is asked."""

import random
from typing import Any

from hypothesis import strategies as st

from brt_cg.questions.answers import RefusedError
from brt_cg.questions.dice import Dice
from brt_cg.questions.question_types import (
    ChoiceQuestion,
    EntryQuestion,
    MultiQuestion,
    Question,
    RollQuestion,
)

# Those that Hypothesis draws by itself; but what "utf-8" can encode takes it a second to find out.
CHARACTERS = st.characters(exclude_categories=["Cs"])
TEXT = st.text(CHARACTERS)
LAND = ("N18", "N19", "M19", "M20", "O14", "P12", "N35", "P34", "Q32", "J40", "K30", "H20")
OCEAN = ("S22", "T26", "V20", "T30")
PERIMETERS = (
    [],
    [["N18", "N19", "M19", "M20"]],
    [["N18-N19", "M19"], ["P34", "P35", "Q34"]],
)
MARINES = ("7-6-8", "6-6-8", "5-5-8")
MARINE_HALVES = ("3-4-8", "2-3-8", "2-4-8")
MARINE_LEADERS = ("6+1", "7-0", "8-0", "8-1", "9-1", "9-2", "10-2", "10-3")
JAPANESE_LEADERS = ("8+1", "8-0", "9-0", "9-1", "10-0", "10-1", "10-2")
CLASSES = ("elite", "first_line", "second_line", "conscript")
UNIT_STATUS = ("broken", "pinned", "ti", "concealed", "hidden", "encircled", "low_ammo", "unarmed")
VEHICLE_STATUS = (
    *("abandoned", "immobilized", "bogged", "mired", "stunned", "stun_plus1", "shocked"),
    *("unconfirmed_kill", "motion", "encircled", "wreck"),
)
OWN_KINDS = {"7-6-8": "engineer", "3-4-8": "engineer", "conscript": "korean_laborer"}
WEAPON_STATUS = ((), ("malfunctioned",), ("hidden",))


_few = st.integers(0, 3)


def _some(values: tuple[str, ...], most: int = 2) -> st.SearchStrategy[list[str]]:
    return st.lists(st.sampled_from(values), max_size=most, unique=True).map(sorted)


@st.composite
def units(draw: st.DrawFn, number: int) -> dict[str, Any]:
    """A unit of either side, valid by the ladders."""
    marine = draw(st.booleans())
    kinds = ("squad", "half_squad", "leader", "hero", "crew", "vehicle_crew")
    kind = draw(st.sampled_from(kinds))
    unit: dict[str, Any] = {
        "id": f"u{number}",
        "side": "marine" if marine else "japanese",
        "kind": kind,
        "location": draw(st.sampled_from((*LAND, *OCEAN, "off_map"))),
        "status": draw(_some(UNIT_STATUS)),
    }
    if kind in ("leader", "hero") and draw(st.booleans()):
        unit["status"] = sorted({*unit["status"], "wounded"})
    if kind == "leader":
        unit["type"] = draw(st.sampled_from(MARINE_LEADERS if marine else JAPANESE_LEADERS))
        unit["traits"] = draw(_some(("heroic",), 1))
    elif kind == "hero":
        unit["type"] = "1-4-9"
    elif marine:
        types = {"squad": MARINES, "half_squad": MARINE_HALVES, "crew": ("2-2-8",)}
        unit["type"] = draw(st.sampled_from(types.get(kind, ("1-2-6",))))
    else:
        unit["class"] = draw(st.sampled_from(CLASSES if "squad" in kind else ("elite",)))
    own_kind = OWN_KINDS.get(unit.get("class", unit.get("type")))
    if own_kind is not None and draw(st.booleans()):
        unit["traits"] = [own_kind]
    elif not marine and kind in ("squad", "crew"):
        unit["strength"] = draw(st.sampled_from(("full", "reduced")))
    breaks = marine or kind in ("half_squad", "vehicle_crew") or own_kind in unit.get("traits", ())
    if not breaks:  # no such side
        unit["status"] = [status for status in unit["status"] if status != "broken"]
    return unit


@st.composite
def weapons(draw: st.DrawFn, number: int) -> dict[str, Any]:
    """An unpossessed SW or Gun."""
    kind = draw(st.sampled_from(("sw", "gun")))
    return {
        "id": f"w{number}",
        "side": draw(st.sampled_from(("marine", "japanese"))),
        "nation": draw(st.sampled_from(("marine", "japanese"))),
        "kind": kind,
        "type": "HMG" if kind == "sw" else "37L AT",
        "location": draw(st.sampled_from(LAND)),
        "status": list(draw(st.sampled_from(WEAPON_STATUS))),
        "repair_number": draw(st.integers(0, 3)),
        "depleted": draw(_some(("AP", "HEAT", "WP"))),
        "pp": draw(st.integers(1, 5)),
    }


@st.composite
def vehicles(draw: st.DrawFn, number: int) -> dict[str, Any]:
    """A tank or LVT."""
    return {
        "id": f"v{number}",
        "side": draw(st.sampled_from(("marine", "japanese"))),
        "type": draw(st.sampled_from(("M4A2", "LVT2", "Type 95 HA-GO"))),
        "nation": draw(st.sampled_from(("marine", "japanese"))),
        "location": draw(st.sampled_from((*LAND, *OCEAN))),
        "status": draw(_some(VEHICLE_STATUS)),
        "amphibious": draw(st.booleans()),
        "bulldozer": draw(st.booleans()),
        "best_af": draw(st.integers(0, 11)),
        "cvp": 5,
    }


@st.composite
def fortifications(draw: st.DrawFn, number: int) -> dict[str, Any]:
    """A Japanese Fortification, hidden or not."""
    return {
        "id": f"f{number}",
        "side": "japanese",
        "type": draw(st.sampled_from(("wire", "trench", "foxhole_1s", "pillbox"))),
        "location": draw(st.sampled_from(LAND)),
        "hidden": draw(st.booleans()),
    }


@st.composite
def terrain(draw: st.DrawFn, number: int) -> dict[str, Any]:
    """Rubble, a building, or an obstacle, perhaps on fire."""
    return {
        "id": f"t{number}",
        "kind": draw(st.sampled_from(("wooden_rubble", "stone_rubble", "building", "obstacle"))),
        "location": draw(st.sampled_from(LAND)),
        "fire": draw(st.sampled_from((None, "flame", "blaze"))),
    }


def tied(state: dict[str, Any], chance: random.Random) -> dict[str, Any]:
    """The state, with some units guarded by an enemy before them, riding, or inside a pillbox, some
    SW and Guns possessed, and vehicles with a Weapon of their own."""
    boxes = [fort for fort in state["fortifications"] if fort["type"] == "pillbox"]
    afloat = [vehicle for vehicle in state["vehicles"] if "wreck" not in vehicle["status"]]
    free: list[dict[str, Any]] = []
    for unit in state["units"]:
        captors = [other for other in free if other["side"] != unit["side"]]
        rides = [vehicle for vehicle in afloat if vehicle["side"] == unit["side"]]
        tie = chance.choice(("none", "none", "guard", "aboard", "inside"))
        if tie == "guard" and captors:
            captor = chance.choice(captors)
            wounds = {"wounded"}.intersection(unit["status"])
            unit |= {"guard": captor["id"], "status": sorted({"prisoner", *wounds})}
            unit["location"] = captor["location"]
            continue
        if tie == "aboard" and rides:
            vehicle = chance.choice(rides)
            unit |= {"aboard": vehicle["id"], "location": vehicle["location"]}
        elif tie == "inside" and boxes:
            box = chance.choice(boxes)
            unit["location"] = f"{box['location']}:{box['id']}"
        free.append(unit)
    for weapon in state["weapons"]:
        owners = [unit for unit in free if unit["side"] == weapon["side"]]
        if owners and chance.random() < 0.6:
            owner = chance.choice(owners)
            weapon |= {"possessor": owner["id"], "location": owner["location"]}
    for vehicle in afloat:
        mounted = {key: vehicle[key] for key in ("side", "nation", "location")}
        mounted |= {"kind": "vehicular", "type": "MA", "vehicle": vehicle["id"]}
        status = list(chance.choice(WEAPON_STATUS[:2]))
        state["weapons"].append({"id": f"{vehicle['id']}-ma", "status": status, **mounted})
    return state


@st.composite
def states(draw: st.DrawFn, date: str = "20 PM") -> dict[str, Any]:
    """The situation at the end of a scenario."""
    count = draw(st.integers(0, 8))
    state = {
        "format": "brt-cg/state",
        "version": 1,
        "scenario": {
            "date": date,
            "winner": draw(st.sampled_from(("marine", "japanese"))),
            "moved_first": "marine",
        },
        "sides": {
            "marine": {"san": 4, "elr": 5, "cvp": draw(st.integers(0, 9))},
            "japanese": {"san": 5, "elr": 4, "cvp": draw(st.integers(0, 9))},
        },
        "perimeters": draw(st.sampled_from(PERIMETERS)),
        "units": [draw(units(number)) for number in range(count)],
        "weapons": [draw(weapons(number)) for number in range(draw(st.integers(0, 3)))],
        "vehicles": [draw(vehicles(number)) for number in range(draw(st.integers(0, 3)))],
        "fortifications": [draw(fortifications(number)) for number in range(draw(_few))],
        "terrain": [draw(terrain(number)) for number in range(draw(_few))],
    }
    return tied(state, random.Random(draw(st.integers(0, 2**16))))


def random_answer(ask: Question[Any], chance: random.Random) -> Any:
    """An allowed raw answer: any dice, any option, anything that can be picked; or what `--auto`
    would answer."""
    if isinstance(ask, RollQuestion):
        if ask.table.dice is Dice.ONE:
            return chance.randint(1, 6)
        return [chance.randint(1, 6), chance.randint(1, 6)]
    if isinstance(ask, ChoiceQuestion):
        return chance.choice(ask.options).raw
    raw: Any = {}
    if isinstance(ask, MultiQuestion):
        for item in ask.items:
            offered = item.form.candidates_for(None) if chance.random() < 0.3 else []
            if offered:
                raw[item.subject] = chance.choice(offered).raw
    elif isinstance(ask, EntryQuestion):
        offered = ask.form.candidates_for(None) if chance.random() < 0.5 else []
        raw = chance.choice(offered).raw if offered else ask.default
    try:
        ask.read(raw)  # what is allowed by itself need not be allowed beside another
    except RefusedError:
        return ask.default
    return raw


def matching(regex: str) -> st.SearchStrategy[str]:
    """Texts that are a regular expression's from end to end."""
    return st.from_regex(regex, fullmatch=True, alphabet=CHARACTERS)
