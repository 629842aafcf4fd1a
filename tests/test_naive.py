"""Stacks, perimeters and pillboxes drawn at random come out as a second, naive reading of the rules
says (tests/naive/)."""

import random
from typing import Any

from brt_cg.board import grid, locations
from brt_cg.model.campaign import Campaign
from brt_cg.model.counters import Counter, Side, Unit, Weapon, WeaponKind
from brt_cg.questions.answers import RefusedError
from brt_cg.refit.s604_encirclement import check_encircled_units
from brt_cg.refit.s605_wading import roll_for_wading_survival
from brt_cg.refit.s607_perimeters import divide_into_setup_areas
from brt_cg.refit.s620_setup import set_up_the_rest
from tests.naive import readings
from tests.naive.hands import SEED, Hands, played
from tests.refit.table import (
    JAPANESE,
    MARINE,
    campaign,
    crew,
    fort,
    gun,
    hero,
    japanese_half_squad,
    japanese_squad,
    leader,
    marine_half_squad,
    marine_squad,
    play,
    sw,
)
from tests.settings import count

CASES = count(ci=500, full=100_000)
SIDES = (MARINE, JAPANESE)
LEADERS = {
    MARINE: ("6+1", "7-0", "8-0", "8-1", "9-1", "9-2", "10-2", "10-3"),
    JAPANESE: ("8+1", "8-0", "9-0", "9-1", "10-0", "10-1", "10-2"),
}
CLASSES = ("elite", "first_line", "second_line", "conscript")


def maybe(chance: random.Random, odds: float = 0.5) -> bool:
    return chance.random() < odds


def an_mmc(chance: random.Random, id: str, location: str | None, side: Side, **more: Any) -> Unit:
    """A squad, HS or crew of that side."""
    kind = chance.choice(("squad", "half_squad", "crew"))
    if kind == "crew":
        return crew(id, location, side, **more)
    if side is MARINE and kind == "squad":
        return marine_squad(id, location, chance.choice(("7-6-8", "6-6-8", "5-5-8")), **more)
    if side is MARINE:
        return marine_half_squad(id, location, chance.choice(("3-4-8", "2-3-8", "2-4-8")), **more)
    if kind == "squad":
        strength = chance.choice(("full", "reduced"))
        return japanese_squad(id, location, chance.choice(CLASSES), strength, **more)
    return japanese_half_squad(id, location, chance.choice(CLASSES), **more)


def a_leader(chance: random.Random, id: str, location: str | None, side: Side, **more: Any) -> Unit:
    status = [*more.pop("status", ()), *(["wounded"] if maybe(chance) else [])]
    return leader(id, location, chance.choice(LEADERS[side]), side, status=status, **more)


def worth(unit: Unit) -> int:
    """The Casualty VP of a unit, read from the rules for counters."""
    if unit.kind in ("squad", "crew", "vehicle_crew"):
        return 2
    if unit.kind == "half_squad":
        return 1
    if unit.kind == "hero":
        return 1 if unit.side is MARINE else 0
    drm = readings.leader_value(unit.side, unit.type, unit.has_status("wounded"))[1]
    return 1 + max(0, -drm)


def fate_of(counter: Counter) -> str:
    return counter.fate.value


# --- 15.6041 --------------------------------------------------------------------------------------


def morale_level(unit: Unit) -> int:
    if unit.leader:
        return readings.leader_value(unit.side, unit.type, unit.has_status("wounded"))[0]
    return {"squad": None, "half_squad": None, "crew": 8, "hero": 9}.get(unit.kind) or int(
        unit.type[-1]
    )


def an_encircled_stack(chance: random.Random, side: Side) -> list[Unit]:
    stack = [a_leader(chance, f"l{n}", "N21", side) for n in range(chance.randint(0, 3))]
    stack += [an_mmc(chance, f"m{n}", "N21", side) for n in range(chance.randint(1, 3))]
    if maybe(chance, 0.2):
        stack.append(hero("h0", "N21", side))
    for unit in stack:
        if maybe(chance, 0.7):
            unit.add_status("encircled")
        if maybe(chance, 0.15):
            unit.add_status("berserk" if unit.mmc and side is JAPANESE else "broken")
    return stack


def leaders_best_first(units: list[Unit]) -> list[Unit]:
    """The order of the checks: leaders before the others, the best of them first, as they are
    now."""

    def order(unit: Unit) -> tuple[int, int, str]:
        if not unit.leader:
            return (1, 0, unit.id)
        level, drm = readings.leader_value(unit.side, unit.type, unit.has_status("wounded"))
        return (-level, drm, unit.id)

    return sorted(units, key=order)


def who_lead(unit: Unit, there: list[Unit]) -> list[Unit]:
    """The other leaders there who are in Good Order."""
    return [one for one in there if one.leader and not one.has_status("broken") and one is not unit]


def helping_drm(unit: Unit, there: list[Unit], hands: Hands, must: bool) -> int:
    """The DRM of the leader who helped; fails if he could not, or another had to."""
    drms = {
        one.id: readings.leader_value(one.side, one.type, one.has_status("wounded"))[1]
        for one in who_lead(unit, there)
    }
    able = {id: drm for id, drm in drms.items() if must or drm < 0}
    if unit.id not in hands.chosen:
        assert len(set(able.values())) <= (1 if must else 0), f"{unit.id}: nobody was asked"
        return next(iter(able.values()), 0)
    chosen = hands.chosen[unit.id]
    if chosen is None:
        assert not must
        return 0
    return able[chosen]


def check_a_stack(stack: list[Unit], hands: Hands, table: Campaign, rulings: dict[str, str]) -> int:
    """Compares each check with the naive reading, in the order of the checks; returns how many."""
    alive, lost, checks = list(stack), 0, 0
    must = rulings["R-LEADER-DRM"] == "apply"
    for unit in leaders_best_first([one for one in stack if one.has_status("encircled")]):
        marine = unit.side is MARINE
        led = who_lead(unit, alive) and not unit.has_status("berserk")
        expected = readings.encirclement(
            hands.original("15.6041", unit.id),
            marine=marine,
            morale_level=morale_level(unit),
            leader=helping_drm(unit, alive, hands, must),
            lowered=marine and rulings["R-ENCIRCLED-ML"] == "marine",
            raised=bool(led) and not marine and not unit.leader and rulings["R-LEADER-ML"] == "yes",
        )
        assert hands.reading("15.6041", unit.id) == expected, unit
        checks += 1
        if expected[1] == "fails":
            alive.remove(unit)
            lost += worth(unit)
    for unit in stack:
        assert (fate_of(table.units[unit.id]) == "in_play") == (unit in alive)
    scored = table.cvp(stack[0].side.enemy)
    assert scored == (lost if rulings["R-CVP-REFIT"] == "combat" else 0)
    return checks


def test_encirclement_checks_match_the_naive_reading() -> None:
    chance, checks = random.Random(SEED), 0
    while checks < CASES:
        rulings = {
            "R-LEADER-DRM": chance.choice(("skip", "apply")),
            "R-ENCIRCLED-ML": chance.choice(("marine", "none")),
            "R-LEADER-ML": chance.choice(("yes", "no")),
            "R-CVP-REFIT": chance.choice(("combat", "none")),
        }
        stack = an_encircled_stack(chance, chance.choice(SIDES))
        table = campaign(*(one.clone() for one in stack), rulings=rulings)
        hands = played(check_encircled_units, table, chance)
        checks += check_a_stack(stack, hands, table, rulings)


# --- 15.605, Infantry -----------------------------------------------------------------------------


OCEAN = sorted(hex for hex, what in readings.terrain().items() if what == "ocean")
BEACHES = sorted(hex for hex, what in readings.terrain().items() if what == "beach")
WADING = "15.605.infantry"


def a_load(chance: random.Random, owner: Unit, number: int) -> list[Weapon]:
    """What a unit carries: SW of some PP, now and then a Gun."""
    load = []
    for n in range(chance.randint(0, number)):
        values: dict[str, Any] = {"side": owner.side, "possessor": owner.id}
        id = f"{owner.id}-w{n}"
        if maybe(chance, 0.2):
            load.append(gun(id, owner.location, "37mm", **values))
        else:
            load.append(sw(id, owner.location, "MMG", pp=chance.randint(0, 5), **values))
    return load


def carried(unit: Unit, weapons: list[Weapon]) -> int:
    mine = [one for one in weapons if one.possessor == unit.id]
    return sum(5 if one.kind is WeaponKind.GUN else one.pp or 0 for one in mine)


def spare_ipc(leaders: list[Unit], weapons: list[Weapon]) -> int:
    """What the best carrier among the leaders may add to one MMC's IPC."""
    left = [(0 if one.has_status("wounded") else 1) - carried(one, weapons) for one in leaders]
    return max([0, *left])


def helped_mmc(mmc: list[Unit], able: list[Unit], subject: str, hands: Hands) -> Unit | None:
    """The MMC that a leader helps: the only one, or the one that was chosen."""
    if not able:
        return None
    if len(able) == 1:
        return able[0]
    return next((one for one in mmc if one.id == hands.chosen[subject]), None)


def check_waders(
    mmc: list[Unit],
    leaders: list[Unit],
    weapons: list[Weapon],
    hands: Hands,
    hexes: int,
    must: bool,
) -> dict[str, str]:
    """Compares each DR of a Location with the naive reading; returns the results by id."""
    here = mmc[0].location
    drms = [
        readings.leader_value(one.side, one.type, one.has_status("wounded"))[1] for one in leaders
    ]
    drms = [drm for drm in drms if must or drm < 0]
    led = helped_mmc(mmc, mmc if drms else [], f"leader:{here}", hands)
    spare = spare_ipc(leaders, weapons)
    burdened = [one for one in mmc if carried(one, weapons) > 3]
    eased = helped_mmc(mmc, burdened if spare else [], f"ipc:{here}", hands)
    results = {}
    for unit in mmc:
        expected = readings.wading_infantry(
            hands.original(WADING, unit.id),
            encircled=unit.has_status("encircled"),
            hexes=hexes,
            leader=min(drms) if unit is led else 0,
            pp=carried(unit, weapons),
            ipc=3 + (spare if unit is eased else 0),
        )
        assert hands.reading(WADING, unit.id) == expected, unit
        results[unit.id] = expected[1]
    return results


def check_a_wader(unit: Unit, result: str, near: set[str], table: Campaign) -> int:
    """Whether the result befell the unit; returns the Casualty VP that it cost."""
    after = table.units[unit.id]
    weapons = [one for one in table.weapons.values() if one.id.startswith(f"{unit.id}-")]
    guns = sum(2 for one in weapons if one.kind is WeaponKind.GUN)
    reduced = result.startswith("casualty_reduction")
    if result == "eliminated" or (reduced and unit.kind != "squad"):
        assert fate_of(after) == "eliminated"
        assert all(fate_of(one) == "eliminated" for one in weapons)
        return worth(unit) + guns
    assert after.location in near
    assert after.kind == ("half_squad" if reduced else unit.kind)
    if result == "casualty_reduction_equipment":
        assert all(fate_of(one) == "eliminated" for one in weapons)
        return 1 + guns
    assert all(fate_of(one) == "in_play" and one.location == after.location for one in weapons)
    return 1 if reduced else 0


def test_infantry_wading_matches_the_naive_reading() -> None:
    chance, cases = random.Random(SEED), 0
    while cases < CASES:
        side, where = chance.choice(SIDES), chance.choice(OCEAN)
        mmc = [an_mmc(chance, f"m{n}", where, side) for n in range(chance.choice((1, 1, 2, 3)))]
        for unit in mmc:
            if maybe(chance, 0.3):
                unit.add_status("encircled")
        leaders = [a_leader(chance, f"l{n}", where, side) for n in range(chance.choice((0, 1, 2)))]
        weapons = [weapon for unit in mmc for weapon in a_load(chance, unit, 2)]
        weapons += [weapon for unit in leaders for weapon in a_load(chance, unit, 1)]
        held = tuple(chance.sample(BEACHES, 6))
        friendly = [*held] if side is MARINE else [hex for hex in BEACHES if hex not in held]
        rulings = {"R-LEADER-DRM": chance.choice(("skip", "apply"))}
        counters: list[Counter] = [one.clone() for one in (*mmc, *leaders, *weapons)]
        table = campaign(*counters, rulings=rulings, perimeters=(held,))
        hands = played(roll_for_wading_survival, table, chance)
        hexes, near = readings.nearest(where, friendly)
        must = rulings["R-LEADER-DRM"] == "apply"
        results = check_waders(mmc, leaders, weapons, hands, hexes, must)
        lost = sum(check_a_wader(unit, results[unit.id], near, table) for unit in mmc)
        assert table.cvp(side.enemy) == lost
        assert all(table.units[one.id].location in near for one in leaders)
        cases += len(mmc)


# --- 15.6071 and the beaches ----------------------------------------------------------------------


def test_the_split_of_the_defense_matches_the_naive_reading() -> None:
    chance = random.Random(SEED)
    land = sorted(locations.non_ocean_hexes(63))
    for _ in range(count(ci=4, full=200)):
        rows = chance.sample("EGIKMOQSU", chance.randint(1, 3))
        perimeter = {hex for hex in land if hex[0] in rows}
        places = chance.sample([hex for hex in land if hex not in perimeter], 4)
        hidden = [chance.random() < 0.5 for _ in places]
        units = [
            japanese_squad(f"j{n}", place, status="hidden" if lies else "")
            for n, (place, lies) in enumerate(zip(places, hidden, strict=True))
        ]
        seen = {place for place, lies in zip(places, hidden, strict=True) if not lies}
        for ruling in ("manned", "every", "nobody"):
            made = campaign(
                *(unit.clone() for unit in units),
                perimeters=(tuple(sorted(perimeter)),),
                rulings={"R-SPLIT": ruling},
            )
            play(divide_into_setup_areas, made)
            found = [{*area.hexes} for area in made.areas.values() if area.side is JAPANESE]
            due = readings.split(perimeter, seen, {*places} - seen, ruling)
            assert sorted(found, key=sorted) == sorted(due, key=sorted), (rows, places, ruling)


def test_the_beach_of_a_land_hex_matches_the_naive_reading() -> None:
    chance = random.Random(SEED)
    land = sorted(locations.non_ocean_hexes(63))
    for hex in chance.sample(land, count(ci=60, full=len(land))):
        assert grid.nearest_beaches(hex) == readings.beaches_of(hex)


# --- 15.6142 at setup -----------------------------------------------------------------------------


def test_initial_japanese_setup_outside_pillboxes_matches_the_naive_reading() -> None:
    chance = random.Random(SEED)
    for _ in range(count(ci=100, full=10_000)):
        rooms = {f"pb{n}": float(chance.randint(1, 2)) for n in range(chance.randint(1, 2))}
        boxes = [
            fort(id, f"J4{n}", "pillbox_1_3_5", capacity=int(room))
            for n, (id, room) in enumerate(rooms.items())
        ]
        hexes = {box.id: box.location for box in boxes}
        units, sizes = [], {}
        for n in range(chance.randint(1, 4)):
            squad = chance.random() < 0.5
            make = japanese_squad if squad else japanese_half_squad
            units.append(make(f"j{n}", None))
            sizes[f"j{n}"] = (1.0 if squad else 0.5, chance.choice((None, *rooms)))
        made = campaign(*boxes, *units, phase="setup", initial=True)
        answer = {
            id: f"{hexes[inside]}:{inside}" if inside else "J44"
            for id, (_, inside) in sizes.items()
        }
        allowed = readings.filled_first(rooms, sizes)
        assert sets_up(made, answer) is allowed, (rooms, sizes)


def sets_up(made: Campaign, answer: dict[str, str]) -> bool:
    """Whether the Japanese may set up so."""
    try:
        play(set_up_the_rest, made, choices={"japanese": answer})
    except RefusedError:
        return False
    return True
