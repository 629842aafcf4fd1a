"""A campaign as a VASL save, as players would have it on their map."""

from itertools import groupby
from typing import Any

from brt_cg.board.locations import ground_hex
from brt_cg.model.campaign import Campaign
from brt_cg.model.counters import (
    Counter,
    Fortification,
    Piece,
    Side,
    Unit,
    Vehicle,
    Weapon,
    WeaponKind,
)
from brt_cg.vasl.names import Names, load_names
from tests.vasl.writer import Save, Wrote, hide, layer

FOLDERS = {Side.MARINE: "am/x", Side.JAPANESE: "ja/x"}
GUNS = {
    "Type 88 75 AA": "75 AA",
    "Type 10 76L AA": "76L AA",
    "Twin 12.7 (12 IFE)": "12.7 AA Twin",
    "Year 38 75* ART": "75* ART",
    "Year 41 75* INF": "75* INF",
    "8-in. Gun Turret": "200L ART",
    "Type 92 70* INF": "70* INF",
    ".50cal HMG": ".50-cal",
    "Year 10 120L AA": "120L AA",
    ".50cal HMG (13.2mm)": ".50-cal",
    "60mm MTR": "60* MTR M2",
    "50mm MTR": "50* MTR",
    "75* pack howitzer": "75* ART M1A1",
    "Bulldozer": "SeaBee Dozer",
    "Phone": "Field Phone",
}
FORTS = {
    "trench": "Trench BRT",
    "tetrahedron": "Tetrahedron",
    "tetrahedron_wire": "Wire & Tetrahedron",
    "bombproof": "Bombproof",
    "wire": "Wire",
    "foxhole_1s": "Foxhole BRT",
    "foxhole_2s": "Foxhole BRT",
    "foxhole_3s": "Foxhole BRT",
}
WORDS = {"foxhole_1s": "1S +", "foxhole_2s": "2S +", "foxhole_3s": "3S +"}
ON_TOP = {
    "encircled": "Encircled",
    "low_ammo": "Low Ammo",
    "prisoner": "Prisoner SQ",
    "immobilized": "Immob.",
    "bogged": "Sand Bog",
    "mired": "Mired",
    "shocked": "Shock",
    "unconfirmed_kill": "UK",
    "stunned": "stun",
    "stun_plus1": "stun +1",
    "recalled": "STUN",
    "abandoned": "Aband.",
    "hull_down": "Hull-Down",
}


def save_of(campaign: Campaign) -> Save:
    """What stands on the map of a campaign; armament and what VASL has no counter for left out."""
    save, names = Save(), load_names()
    lying = [
        one for one in campaign.sort_counters_in_play(campaign.counters()) if _is_shown(one, names)
    ]
    lying.sort(key=_where)
    for hex, counters in groupby(lying, key=_where):
        pieces = [piece for one in _stacked(list(counters)) for piece in pieces_of(one, names)]
        for run in pieces:
            if hex == "off_map":
                save.at_pixel(150, 300, *run)
            else:
                save.at(hex, *run)
    return save


def _where(counter: Counter) -> str:
    return "off_map" if counter.off_map else ground_hex(counter.location or "")


def _is_shown(counter: Counter, names: Names) -> bool:
    if isinstance(counter, Weapon) and counter.kind is WeaponKind.VEHICULAR:
        return False
    if isinstance(counter, Fortification):
        return names.has_required_piece_type("fortifications", counter.type)
    return isinstance(counter, Piece) and counter.location is not None


def _stacked(counters: list[Any]) -> list[list[Any]]:
    """Each unit with its weapons on it is a stack of its own, and so is all else."""
    holders = {one.id: [one] for one in counters if not isinstance(one, Weapon)}
    alone = []
    for one in counters:
        if isinstance(one, Weapon):
            stack = holders.get(one.possessor or "")
            if stack is not None:
                stack.append(one)
            else:
                alone.append([one])
    return [*holders.values(), *alone]


def pieces_of(stack: list[Any], names: Names) -> list[list[Wrote]]:
    pieces = []
    for one in stack:
        pieces.append(piece_of(one, names))
        status = getattr(one, "status", ())
        pieces += [Wrote(f"{one.id}-{s}", ON_TOP[s], "MS/x") for s in status if s in ON_TOP]
    return [pieces]


def piece_of(counter: Any, names: Names) -> Wrote:
    traits = [hide("them" if getattr(counter, "hidden", False) else None)]
    words = {**names.status_words, **names.trait_words}
    held = {*getattr(counter, "status", ()), *getattr(counter, "traits", ())}
    if isinstance(counter, Unit):
        given = ("broken", "Disrupted", "Berserk", "Fanatic", "Wnd", "Heroic")
    elif isinstance(counter, Weapon):
        given = ("malf",)
    else:
        given = ("CE",) if isinstance(counter, Vehicle) else ()
    traits += [layer(f"{word} +", 1 if words[word] in held else -1) for word in given]
    if isinstance(counter, Unit) and counter.crew and counter.strength == "reduced":
        traits.append(layer("striped +,1-2-7 Icr", 1))
    if isinstance(counter, Fortification) and counter.type in WORDS:
        traits += [layer("Soft Sand +", 1), layer(WORDS[counter.type], 1)]
    if isinstance(counter, Fortification) and counter.capacity:
        traits.append(layer(f"{counter.capacity}\\++", 1))
    nation = getattr(counter, "nation", counter.side)
    return Wrote(counter.id, name_of(counter, names), FOLDERS[nation], traits)


CLASSES = {"elite": "E", "first_line": "1", "second_line": "2", "conscript": "C"}
WOUNDED = {"8+1": "7+2", "8-0": "7+1", "9-0": "8+1", "9-1": "8-0", "10-0": "9+1", "10-1": "9-0"}


def unit_name(unit: Unit) -> str:
    """VASL's name of a leader or an MMC."""
    marine = unit.side is Side.MARINE
    if unit.smc:
        return unit.type if marine or "wounded" not in unit.status else WOUNDED[unit.type]
    if unit.kind == "vehicle_crew":
        return f"{unit.type} Vcr"
    if unit.kind == "crew":
        return "2-2-8 Mcr" if marine else "2-2-8 Icr"
    own = "AE" if unit.has_trait("engineer") else "KL" if unit.has_trait("korean_laborer") else ""
    code = f"M{own}" if marine else own or CLASSES[str(unit.class_)]
    size = "sq" if unit.kind == "squad" else "hs"
    return f"{'str ' if unit.strength == 'reduced' else ''}{unit.type} {code}{size}"


def name_of(counter: Any, names: Names) -> str:
    if isinstance(counter, Unit):
        if counter.smc and not counter.leader:
            hunter = counter.has_trait("tank_hunter")
            heroes = {"hero": "T-H Hero" if hunter else "Hero", "pathfinder": "Pathfinder"}
            return heroes[counter.kind]
        return unit_name(counter)
    if isinstance(counter, Fortification):
        if counter.type.startswith("pillbox"):
            sizes = counter.type.removeprefix("pillbox").strip("_").split("_")[1:]
            ca, nca = sizes or (counter.ca_tem, counter.nca_tem)
            return f"{ca}+{nca} PTObox"
        return FORTS[counter.type]
    name = GUNS.get(counter.type, counter.type)
    return f"{name} Wreck" if counter.has_status("wreck") else name
