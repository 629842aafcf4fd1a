"""Random vehicles and items to remove go through their tables, and come out as a second, naive
reading of the rules says (tests/naive/readings.py)."""

import random
from typing import Any

from brt_cg.model.campaign import Campaign
from brt_cg.model.counters import Fortification, Kind, Side, Terrain, Unit, Vehicle
from brt_cg.questions.answers import Raw
from brt_cg.questions.asks import Ask, Choose, Several
from brt_cg.refit.s605_wading import wading_survival
from brt_cg.refit.s6131_vehicles import vehicles
from brt_cg.refit.s6139_removal import removal
from tests.naive import readings
from tests.naive.hands import SEED, Hands, played
from tests.refit.table import (
    JAPANESE,
    MARINE,
    campaign,
    crew,
    fort,
    japanese_half_squad,
    japanese_squad,
    leader,
    marine_half_squad,
    marine_squad,
    terrain,
    unit,
    vehicle,
    vehicular,
)
from tests.settings import count

CASES = count(ci=1000, full=100_000)
SIDES = (MARINE, JAPANESE)
CREWS = {MARINE: "1-2-6", JAPANESE: "1-2-7"}
ARMOR_LEADERS = (None, "6+1", "8-1", "9-1", "9-2", "10-2")
OCEAN = sorted(hex for hex, what in readings.terrain().items() if what == "ocean")
BEACHES = sorted(hex for hex, what in readings.terrain().items() if what == "beach")


def maybe(chance: random.Random, odds: float = 0.5) -> bool:
    return chance.random() < odds


# --- 15.605, vehicles -----------------------------------------------------------------------------

WADING = "15.605.vehicle"


def a_wading_vehicle(chance: random.Random, id: str, where: str) -> Vehicle:
    side = chance.choice(SIDES)
    armored = maybe(chance)
    return vehicle(
        id,
        where,
        side=side,
        armored=armored,
        best_af=chance.randint(0, 16),
        armor_leader=chance.choice(ARMOR_LEADERS),
        pathfinder=chance.choice(("good_order", "wounded", "none")),
        crew_survival=chance.choice((None, 4, 7)),
        amphibious=maybe(chance, 0.15),
        status=chance.choice(((), (), ("immobilized",), ("abandoned",), ("wreck",))),
        cvp=chance.randint(2, 8),
    )


def wades(one: Vehicle, ruling: str) -> bool:
    manned = not one.has("abandoned", "wreck")
    return manned and (ruling == "all" or not one.amphibious)


def crew_survives(one: Vehicle, hands: Hands) -> bool:
    if one.crew_survival is None:
        return hands.chosen[f"crew:{one.id}"] == "survives"
    return hands.original("15.605.crew", one.id) <= one.crew_survival


def check_wading(one: Vehicle, rider: Unit, table: Campaign, hands: Hands, near: set[str]) -> int:
    """Whether the result of the naive reading befell the vehicle and its Passengers; returns the
    Casualty VP that it cost."""
    expected = readings.wading_vehicle(
        hands.original(WADING, one.id),
        hexes=readings.nearest(str(one.location), sorted(near))[0],
        armor_leader=one.armor_leader,
        af=one.best_af,
        armored=one.armored,
        pathfinder=one.pathfinder,
    )
    assert hands.reading(WADING, one.id) == expected, one
    after, passengers = table.vehicles[one.id], table.units[rider.id]
    if expected[1] == "eliminated":
        assert after.fate == "eliminated"
        if crew_survives(one, hands):
            assert passengers.location in near
            assert table.units[f"{one.id}-crew"].location == passengers.location
            return one.cvp - 2
        assert passengers.fate == "eliminated"
        return one.cvp + 1
    assert after.fate == passengers.fate == "in_play"
    if expected[1] == "survives" and not one.has("immobilized"):
        assert after.location in near
    else:
        assert after.location == one.location
    if expected[1] != "survives":
        assert after.status == tuple(sorted({*one.status, expected[1]}))
    assert passengers.location == after.location
    return 0


def test_vehicles_wade_as_the_naive_reading_has_it() -> None:
    chance, cases = random.Random(SEED), 0
    while cases < CASES:
        where = chance.choice(OCEAN)
        one = a_wading_vehicle(chance, "v1", where)
        half = marine_half_squad if one.side is MARINE else japanese_half_squad
        rider = half("r1", where, aboard="v1")
        held = tuple(chance.sample(BEACHES, 6))
        friendly = [*held] if one.side is MARINE else [hex for hex in BEACHES if hex not in held]
        _, near = readings.nearest(where, friendly)
        ruling = chance.choice(("non-amphibious", "all"))
        rulings = {"R-WADE-WHO": ruling}
        table = campaign(one.clone(), rider.clone(), rulings=rulings, perimeters=(held,))
        hands = played(wading_survival, table, chance)
        if not wades(one, ruling):
            assert hands.rolled == {}
            assert table.vehicles["v1"] == one
            continue
        assert table.sides[one.side.enemy].cvp == check_wading(one, rider, table, hands, near)
        cases += 1


# --- 15.6131 b and c ------------------------------------------------------------------------------

# Two areas that touch at N21/N22; Z40 is Ocean.
M1, J1 = ["N18", "N19", "N20", "N21"], ["N22", "N23", "N24", "N25"]
AREAS = {"M1": "N18-N21", "J1": "N22-N25"}
HOME = {MARINE: "M1", JAPANESE: "J1"}
HEXES = {MARINE: M1, JAPANESE: J1}


def a_damaged_vehicle(chance: random.Random, id: str) -> tuple[Vehicle, str]:
    """A vehicle with some damage, Retained somewhere: in its area, Isolated, off map, or left in
    the Ocean."""
    side = chance.choice(SIDES)
    one = vehicle(
        id,
        None,
        side=side,
        nation=chance.choice((side, side, side, side.enemy)),
        armor_leader=chance.choice(ARMOR_LEADERS),
        non_qualified_use_only=maybe(chance, 0.3),
        status=chance.choice(
            (
                ("immobilized",),
                ("immobilized", "stunned"),
                ("immobilized", "stun_plus1"),
                ("stunned",),
                ("stun_plus1",),
                ("abandoned", "immobilized", "stunned"),
                ("immobilized", "wreck"),
            )
        ),
    )
    place = chance.choice(("area", "area", "isolated", "off_map", "ocean"))
    if place == "off_map":
        one.location = "off_map"
    elif place == "ocean":
        one.location = one.recorded_location = "Z40"
    elif place == "isolated":
        one.location = one.recorded_location = chance.choice(HEXES[side.enemy])
        one.isolated = True
    else:
        one.setup_area, one.recorded_location = HOME[side], chance.choice(HEXES[side])
        one.location = one.recorded_location if one.immobile else None
    return one, place


def isolated_hexes(them: list[tuple[Vehicle, str]]) -> set[str]:
    """The Locations where somebody is Isolated: they are no Front Line Locations."""
    return {
        str(one.location)
        for one, place in them
        if place == "isolated" and not one.has("abandoned", "wreck")
    }


def check_immobilization(
    one: Vehicle, place: str, lone: set[str], hands: Hands, rulings: dict[str, str]
) -> str | None:
    """Compares the roll of 15.6131b with the naive reading; returns what becomes of it, None if it
    may not roll."""
    friendly = place == "area" or (place == "isolated" and rulings["R-ISOLATED-AREA"] == "yes")
    able = one.side is one.nation and not one.has("abandoned", "wreck")
    if not one.has("immobilized") or not able or not friendly:
        assert hands.roll("15.6131b", one.id) is None
        return None
    own, enemy = HEXES[one.side], HEXES[one.side.enemy]
    front = place == "area" and one.location in readings.front_line(own, enemy) - lone
    expected = readings.immobilization(
        hands.original("15.6131b", one.id),
        armor_leader=one.armor_leader,
        non_qualified=one.non_qualified_use_only,
        japanese=one.side is JAPANESE,
        front_line=front,
        isolated=one.isolated,
    )
    assert hands.reading("15.6131b", one.id) == expected, one
    if expected[1] != "ruling":
        return expected[1]
    if rulings["R-IMMOBILE-4"] == "enter":
        return str(hands.chosen[f"immobile:{one.id}"])
    return rulings["R-IMMOBILE-4"]


def check_stun(one: Vehicle, place: str, hands: Hands, rulings: dict[str, str]) -> str | None:
    """The same for 15.6131c."""
    friendly = place in ("area", "off_map")
    friendly = friendly or (place == "isolated" and rulings["R-ISOLATED-AREA"] == "yes")
    manned = not one.has("abandoned", "wreck")
    if not one.has("stunned", "stun_plus1") or not manned or not friendly:
        assert hands.roll("15.6131c", one.id) is None
        return None
    expected = readings.stun(
        hands.original("15.6131c", one.id),
        japanese=one.side is JAPANESE,
        isolated=one.isolated,
        off_map=place == "off_map",
    )
    assert hands.reading("15.6131c", one.id) == expected, one
    return expected[1]


def check_damage(
    one: Vehicle, place: str, lone: set[str], table: Campaign, hands: Hands, rulings: dict[str, str]
) -> tuple[int, int]:
    """Compares what became of a vehicle; returns how often it rolled, and what its side lost."""
    moved = check_immobilization(one, place, lone, hands, rulings)
    after = table.vehicles[one.id]
    if moved == "eliminated":
        assert after.fate == "eliminated"
        assert hands.roll("15.6131c", one.id) is None
        return 1, 0
    assert after.fate == "in_play"
    assert after.has("immobilized") == (one.has("immobilized") and moved != "mobile")
    woken = check_stun(one, place, hands, rulings)
    status = set(after.status) - {"immobilized"}
    if woken == "unstunned":
        assert status == set()
    elif woken == "crew_eliminated":
        assert status == {"abandoned"}
        assert not after.inherent_crew
        assert after.location == (one.location or one.recorded_location)
    else:
        assert status == set(one.status) - {"immobilized"}
    return (moved is not None) + (woken is not None), 2 if woken == "crew_eliminated" else 0


def never_recalled(chance: random.Random) -> Any:
    """Answers that leave every vehicle where it is: b and c alone are looked at."""

    def answer(ask: Ask[Any]) -> Raw:
        if isinstance(ask, Choose) and ask.subject.startswith("immobile:"):
            return chance.choice(ask.options).raw
        return ask.default

    return answer


def test_immobilized_and_stunned_vehicles_fare_as_the_naive_reading_has_it() -> None:
    chance, cases = random.Random(SEED), 0
    while cases < CASES:
        rulings = {
            "R-ISOLATED-AREA": chance.choice(("yes", "yes", "no")),
            "R-IMMOBILE-4": chance.choice(("enter", "eliminated", "remains")),
        }
        them = [a_damaged_vehicle(chance, f"v{number}") for number in range(6)]
        table = campaign(*(one.clone() for one, _ in them), areas=AREAS, rulings=rulings)
        hands = played(vehicles, table, chance, never_recalled(chance))
        lone = isolated_hexes(them)
        if any(place == "isolated" and is_lost(table.vehicles[one.id]) for one, place in them):
            # An Isolated vehicle that is lost changes the Front Line for those who roll after it.
            continue
        lost = {MARINE: 0, JAPANESE: 0}
        for one, place in them:
            rolls, points = check_damage(one, place, lone, table, hands, rulings)
            cases, lost[one.side] = cases + rolls, lost[one.side] + points
        assert {side: table.sides[side.enemy].cvp for side in SIDES} == lost


def is_lost(one: Vehicle) -> bool:
    return not one.in_play or not one.manned


# --- 15.6139 --------------------------------------------------------------------------------------

# A longer defence: the Marines' front is N25, the Japanese one N26.
ROWS = {MARINE: [f"N{n}" for n in range(18, 26)], JAPANESE: [f"N{n}" for n in range(26, 34)]}
ROW_AREAS = {"M1": "N18-N25", "J1": "N26-N33"}
FORTS = ("wire", "seawall_breach", "bombproof", "trench", "foxhole_2s", "pillbox", "pillbox_1_3_5")
TABLES = {
    "wreck": "15.6139.wreck",
    "immobile vehicle": "15.6139.wreck",
    "wire": "15.6139.wire",
    "seawall_breach": "15.6139.wire",
}
Item = Vehicle | Fortification | Terrain


def an_item(chance: random.Random, side: Side) -> tuple[Item, str]:
    """Something to remove in that side's area, and what it is."""
    where = chance.choice(ROWS[side])
    what = chance.choice(("wreck", "immobile vehicle", "rubble", *FORTS, *FORTS))
    if what == "wreck":
        return vehicle(
            "item", where, inherent_crew=False, status="wreck", setup_area=HOME[side]
        ), what
    if what == "immobile vehicle":
        return vehicle("item", where, side=side, status="immobilized", setup_area=HOME[side]), what
    if what == "rubble":
        return terrain("item", where, kind=f"{chance.choice(('wooden', 'stone'))}_rubble"), what
    if what == "seawall_breach":
        number = int(where[1:])
        where = f"N{number}/N{number + 1}" if number < 25 else f"N{number - 1}/N{number}"
        made = Fortification(id="item", side=side, type=what, location=where)
    else:
        made = fort("item", where, what, side=side)
    made.controller = side
    return made, what


def helpers_of(chance: random.Random, side: Side) -> list[Unit | Vehicle]:
    """Engineers, laborers and bulldozers of that side in its area, and one squad that cannot."""
    home: dict[str, Any] = {"setup_area": HOME[side]}
    found: list[Unit | Vehicle] = []
    for number in range(chance.randint(0, 2)):
        if side is MARINE:
            found.append(marine_squad(f"e{number}", None, traits="engineer", **home))
        else:
            found.append(japanese_squad(f"e{number}", None, "elite", traits="engineer", **home))
    if side is JAPANESE:
        squads = range(chance.randint(0, 2))
        laborers = (japanese_squad(f"k{n}", None, traits="korean_laborer", **home) for n in squads)
        found.extend(laborers)
    if maybe(chance, 0.3):
        found.append(vehicle("b0", None, side=side, bulldozer=True, **home))
    return found


def distance_to_front(item: Item, side: Side) -> int:
    front = readings.front_line(ROWS[side.enemy], ROWS[side])
    own = set(str(item.location).split("/")) & set(ROWS[side])
    return min(readings.hexes_between(one, other) for one in own for other in front)


def in_front_line(item: Item, side: Side) -> bool:
    own = str(item.location).split("/")
    return not readings.front_line(ROWS[side], ROWS[side.enemy]).isdisjoint(own)


def try_with(side: Side, helpers: list[Unit | Vehicle], chance: random.Random) -> Any:
    """Answers: the item is tried by its side, with these helpers."""

    def answer(ask: Ask[Any]) -> Raw:
        if isinstance(ask, Several) and ask.side is side:
            return {"item": {"helpers": [one.id for one in helpers]}}
        return chance.choice(ask.options).raw if isinstance(ask, Choose) else ask.default

    return answer


def mmc_of(units: list[Unit]) -> list[tuple[str, str, str]]:
    """Each MMC in play, by what it is."""
    return sorted((one.id, one.kind, one.type) for one in units if one.in_play and one.mmc)


def test_items_are_removed_as_the_naive_reading_has_it() -> None:
    chance = random.Random(SEED)
    for _ in range(CASES):
        side = chance.choice(SIDES)
        item, what = an_item(chance, side)
        helpers = helpers_of(chance, side)
        others = [crew("c0", None, side, setup_area=HOME[side])] if maybe(chance) else []
        others += [leader("l0", None, "8-0", side, setup_area=HOME[side])]
        ruled = {"R-REMOVED-CREW": chance.choice(("leaves", "lost"))}
        counters = (one.clone() for one in (item, *helpers, *others))
        table = campaign(*counters, areas=ROW_AREAS, rulings=ruled)
        taking_part = chance.sample(helpers, chance.randint(0, len(helpers)))
        hands = played(removal, table, chance, try_with(side, taking_part, chance))
        squads = [one for one in taking_part if isinstance(one, Unit)]
        laborers = sum(one.is_a("korean_laborer") for one in squads)
        rolled_on = TABLES.get(what, "15.6139.rubble")
        expected = readings.removal(
            hands.original(rolled_on, "item"),
            what,
            enemy_front=distance_to_front(item, side),
            engineers=len(squads) - laborers,
            laborers=laborers,
            bulldozers=len(taking_part) - len(squads),
        )
        assert hands.reading(rolled_on, "item") == expected, item
        after = table.find("item")
        assert after is not None
        assert (after.fate == "in_play") == (expected[1] == "remains")
        before = [one for one in (*helpers, *others) if isinstance(one, Unit)]
        unlucky = hands.original(rolled_on, "item") == 6 and in_front_line(item, side)
        # The crew of a vehicle that is cleared away gets out, or is lost and worth 2.
        manned = isinstance(item, Vehicle) and item.manned and after.fate != "in_play"
        lost = manned and "lost" in ruled.values()
        if manned and not lost:
            before.append(unit("item-crew", None, side, Kind.VEHICLE_CREW, CREWS[side]))
        check_casualty(before, table, side, unlucky, 2 if lost else 0)


def check_casualty(
    before: list[Unit], table: Campaign, side: Side, unlucky: bool, crew: int
) -> None:
    """An Original 6 in a Front Line Location reduces one MMC of that area; nothing else does."""
    was, now = mmc_of(before), mmc_of([*table.units.values()])
    reduced = sum(one not in now for one in was)
    assert reduced == (1 if unlucky and was else 0)
    lost = crew
    for one in was:
        if one not in now:
            lost += 1 if one[1] == "squad" else 2
    assert table.sides[side.enemy].cvp == lost


def test_a_captured_vehicle_has_no_part_in_the_tables_of_its_nation() -> None:
    tank = vehicle("v1", "N24", side=JAPANESE, nation=MARINE, status="immobilized", setup_area="J1")
    table = campaign(tank, vehicular("w1", "N24", "v1", side=JAPANESE), areas=AREAS)
    hands = played(vehicles, table, random.Random(SEED))
    assert hands.rolled == {}
