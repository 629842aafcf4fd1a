"""Random counters and dice go through the tables of units, Weapons and dates, and come out as a
second, naive reading of the rules says (tests/naive/readings.py)."""

import random
from collections.abc import Sequence
from itertools import product
from typing import Any

from brt_cg.card import load_card
from brt_cg.model.campaign import Campaign
from brt_cg.model.counters import Counter, Piece, Side, Unit, Weapon, WeaponKind
from brt_cg.refit.s604_encirclement import encirclement
from brt_cg.refit.s605_wading import wading_survival
from brt_cg.refit.s611_promotion import wounded_leaders
from brt_cg.refit.s613_equipment import captured_equipment, special_ammo, weapon_repair
from brt_cg.refit.s620_setup import banzai_determination, order_and_length
from tests.naive import readings
from tests.naive.hands import SEED, Hands, played
from tests.refit.table import (
    JAPANESE,
    MARINE,
    campaign,
    crew,
    gun,
    hero,
    japanese_half_squad,
    japanese_squad,
    leader,
    marine_half_squad,
    marine_squad,
    sw,
    vehicle,
    vehicular,
)
from tests.settings import count

CASES = count(ci=1000, full=100_000)
SIDES = (MARINE, JAPANESE)
LEADERS = {
    MARINE: ("6+1", "7-0", "8-0", "8-1", "9-1", "9-2", "10-2", "10-3"),
    JAPANESE: ("8+1", "8-0", "9-0", "9-1", "10-0", "10-1", "10-2"),
}
CLASSES = ("elite", "first_line", "second_line", "conscript")
AREAS = {"M1": "N18-N21", "J1": "N22-N25"}
HOME = {MARINE: "M1", JAPANESE: "J1"}


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
    drm = readings.leader_value(unit.side, unit.type, unit.has("wounded"))[1]
    return 1 + max(0, -drm)


def fate_of(counter: Counter) -> str:
    return counter.fate.value


# --- 15.6041 --------------------------------------------------------------------------------------


def morale_level(unit: Unit) -> int:
    if unit.leader:
        return readings.leader_value(unit.side, unit.type, unit.has("wounded"))[0]
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
            unit.gain("encircled")
        if maybe(chance, 0.15):
            unit.gain("berserk" if unit.mmc and side is JAPANESE else "broken")
    return stack


def leaders_best_first(units: list[Unit]) -> list[Unit]:
    """The order of the checks: leaders before the others, the best of them first, as they are
    now."""

    def order(unit: Unit) -> tuple[int, int, str]:
        if not unit.leader:
            return (1, 0, unit.id)
        level, drm = readings.leader_value(unit.side, unit.type, unit.has("wounded"))
        return (-level, drm, unit.id)

    return sorted(units, key=order)


def who_lead(unit: Unit, there: list[Unit]) -> list[Unit]:
    """The other leaders there who are in Good Order."""
    return [one for one in there if one.leader and not one.has("broken") and one is not unit]


def helping_drm(unit: Unit, there: list[Unit], hands: Hands, must: bool) -> int:
    """The DRM of the leader who helped; fails if he could not, or another had to."""
    drms = {
        one.id: readings.leader_value(one.side, one.type, one.has("wounded"))[1]
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
    for unit in leaders_best_first([one for one in stack if one.has("encircled")]):
        marine = unit.side is MARINE
        led = who_lead(unit, alive) and not unit.has("berserk")
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
    scoring = table.sides[stack[0].side.enemy]
    assert scoring.cvp == (lost if rulings["R-CVP-REFIT"] == "combat" else 0)
    return checks


def test_encirclement_checks_are_as_the_naive_reading_has_them() -> None:
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
        hands = played(encirclement, table, chance)
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
    left = [(0 if one.has("wounded") else 1) - carried(one, weapons) for one in leaders]
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
    drms = [readings.leader_value(one.side, one.type, one.has("wounded"))[1] for one in leaders]
    drms = [drm for drm in drms if must or drm < 0]
    led = helped_mmc(mmc, mmc if drms else [], f"leader:{here}", hands)
    spare = spare_ipc(leaders, weapons)
    burdened = [one for one in mmc if carried(one, weapons) > 3]
    eased = helped_mmc(mmc, burdened if spare else [], f"ipc:{here}", hands)
    results = {}
    for unit in mmc:
        expected = readings.wading_infantry(
            hands.original(WADING, unit.id),
            encircled=unit.has("encircled"),
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


def test_infantry_wades_as_the_naive_reading_has_it() -> None:
    chance, cases = random.Random(SEED), 0
    while cases < CASES:
        side, where = chance.choice(SIDES), chance.choice(OCEAN)
        mmc = [an_mmc(chance, f"m{n}", where, side) for n in range(chance.choice((1, 1, 2, 3)))]
        for unit in mmc:
            if maybe(chance, 0.3):
                unit.gain("encircled")
        leaders = [a_leader(chance, f"l{n}", where, side) for n in range(chance.choice((0, 1, 2)))]
        weapons = [weapon for unit in mmc for weapon in a_load(chance, unit, 2)]
        weapons += [weapon for unit in leaders for weapon in a_load(chance, unit, 1)]
        held = tuple(chance.sample(BEACHES, 6))
        friendly = [*held] if side is MARINE else [hex for hex in BEACHES if hex not in held]
        rulings = {"R-LEADER-DRM": chance.choice(("skip", "apply"))}
        counters: list[Counter] = [one.clone() for one in (*mmc, *leaders, *weapons)]
        table = campaign(*counters, rulings=rulings, perimeters=(held,))
        hands = played(wading_survival, table, chance)
        hexes, near = readings.nearest(where, friendly)
        must = rulings["R-LEADER-DRM"] == "apply"
        results = check_waders(mmc, leaders, weapons, hands, hexes, must)
        lost = sum(check_a_wader(unit, results[unit.id], near, table) for unit in mmc)
        assert table.sides[side.enemy].cvp == lost
        assert all(table.units[one.id].location in near for one in leaders)
        cases += len(mmc)


# --- 15.6112 --------------------------------------------------------------------------------------


def put(piece: Piece, place: str, side: Side) -> bool:
    """Puts a piece into its own area, off map, or where it is Isolated; returns whether it is."""
    if place == "off_map":
        piece.location, piece.setup_area = "off_map", None
    elif place == "isolated":
        piece.location = piece.recorded_location = {MARINE: "N24", JAPANESE: "N19"}[side]
        piece.isolated, piece.setup_area = True, None
    else:
        piece.location, piece.setup_area = None, HOME[side]
    return piece.isolated


def test_wounded_leaders_fare_as_the_naive_reading_has_it() -> None:
    chance, cases = random.Random(SEED), 0
    while cases < CASES:
        patients = []
        for number in range(40):
            side = chance.choice(SIDES)
            traits = ["heroic"] if maybe(chance) else []
            one = a_leader(chance, f"l{number}", None, side, traits=traits)
            put(one, chance.choice(("area", "isolated", "off_map")), side)
            patients.append(one)
        table = campaign(*(one.clone() for one in patients), areas=AREAS)
        hands = played(wounded_leaders, table, chance)
        lost = {MARINE: 0, JAPANESE: 0}
        for one in patients:
            if not one.has("wounded"):
                assert hands.roll("15.6112", one.id) is None
                continue
            expected = readings.wounded_leader(
                hands.original("15.6112", one.id),
                japanese=one.side is JAPANESE,
                isolated=one.isolated,
                heroic=one.is_a("heroic"),
            )
            assert hands.reading("15.6112", one.id) == expected, one
            after = table.units[one.id]
            assert after.has("wounded") == (expected[1] != "unwounded")
            assert (fate_of(after) == "eliminated") == (expected[1] == "eliminated")
            lost[one.side] += worth(one) if expected[1] == "eliminated" else 0
            cases += 1
        assert {side: table.sides[side.enemy].cvp for side in SIDES} == lost


# --- 15.6132, 15.6134, 15.6136 --------------------------------------------------------------------


STATES = ((), ("malfunctioned",), ("malfunctioned",), ("disabled",))


def weapons_in_places(
    chance: random.Random, captured: float = 1 / 3, states: Sequence[tuple[str, ...]] = STATES
) -> tuple[list[Counter], list[Weapon]]:
    """Thirty Weapons in every state and place, some with Personnel beside them; and their
    carriers."""
    others: list[Counter] = []
    weapons: list[Weapon] = []
    manned = {side: maybe(chance, 0.7) for side in SIDES}
    for side in SIDES:
        if manned[side]:
            others.append(an_mmc(chance, f"{side}-in-area", None, side, setup_area=HOME[side]))
        if maybe(chance):
            lone = an_mmc(chance, f"{side}-isolated", None, side)
            put(lone, "isolated", side)
            others.append(lone)
    for number in range(30):
        side = chance.choice(SIDES)
        values: dict[str, Any] = {
            "side": side,
            "nation": side.enemy if maybe(chance, captured) else side,
            "status": chance.choice(states),
            "repair_number": chance.randint(0, 3),
            "non_qualified_use_only": maybe(chance, 0.3),
            "depleted": chance.sample(("AP", "HEAT", "WP"), chance.randint(0, 2)),
        }
        kind = chance.choice(("sw", "gun", "vehicular"))
        if kind == "vehicular":
            own = vehicle(f"v{number}", None, side=side, inherent_crew=maybe(chance, 0.7))
            put(own, chance.choice(("area", "isolated", "off_map")), side)
            others.append(own)
            one = vehicular(f"w{number}", None, own.id, **values)
            one.location, one.setup_area = own.location, own.setup_area
            one.isolated, one.recorded_location = own.isolated, own.recorded_location
        else:
            one = {"sw": sw, "gun": gun}[kind](f"w{number}", None, **values)
            put(one, chance.choice(("area", "isolated", "off_map")), side)
        weapons.append(one)
    return others, weapons


def has_personnel(weapon: Weapon, others: list[Counter]) -> bool:
    """Whether units of its side are in its area, or Isolated with it."""
    if weapon.location == "off_map":
        return False
    return any(
        isinstance(one, Unit)
        and one.side is weapon.side
        and (one.isolated, one.setup_area) == (weapon.isolated, weapon.setup_area)
        for one in others
    )


def a_crew_is_in(weapon: Weapon, others: list[Counter]) -> bool:
    own = next(one for one in others if one.id == weapon.vehicle)
    return weapon.location != "off_map" and bool(getattr(own, "inherent_crew", False))


def check_lost(weapon: Weapon, after: Weapon) -> None:
    """Lost is eliminated; of a vehicular Weapon, disabled."""
    if weapon.kind is WeaponKind.VEHICULAR:
        assert fate_of(after) == "in_play"
        assert after.status == ("disabled",)
    else:
        assert fate_of(after) == "eliminated"


def test_weapons_are_repaired_as_the_naive_reading_has_it() -> None:
    chance, cases = random.Random(SEED), 0
    while cases < CASES:
        others, weapons = weapons_in_places(chance)
        everything = [one.clone() for one in (*others, *weapons)]
        table = campaign(*everything, areas=AREAS)
        hands = played(weapon_repair, table, chance)
        for one in weapons:
            vehicular_one = one.kind is WeaponKind.VEHICULAR
            somebody = (a_crew_is_in if vehicular_one else has_personnel)(one, others)
            if one.status != ("malfunctioned",) or one.side is not one.nation or not somebody:
                assert hands.roll("15.6132", one.id) is None, one
                assert table.weapons[one.id] == one
                continue
            expected = readings.weapon_repair(
                hands.original("15.6132", one.id),
                repair_number=one.repair_number,
                vehicular=vehicular_one,
                us=one.nation is MARINE,
                non_qualified=one.non_qualified_use_only,
                isolated=one.isolated,
            )
            assert hands.reading("15.6132", one.id) == expected, one
            if expected[1] == "repaired":
                assert table.weapons[one.id].status == ()
            else:
                check_lost(one, table.weapons[one.id])
            cases += 1
        assert all(side.cvp == 0 for side in table.sides.values())


def test_captured_weapons_are_kept_as_the_naive_reading_has_it() -> None:
    chance, cases = random.Random(SEED), 0
    while cases < CASES:
        others, weapons = weapons_in_places(chance, captured=2 / 3, states=((), *STATES))
        table = campaign(*(one.clone() for one in (*others, *weapons)), areas=AREAS)
        hands = played(captured_equipment, table, chance)
        for one in weapons:
            after = table.weapons[one.id]
            captured = one.side is not one.nation
            if captured and one.status == ("malfunctioned",):
                assert hands.roll("15.6134", one.id) is None
                check_lost(one, after)
            elif not captured or one.status == ("disabled",) or not has_personnel(one, others):
                assert hands.roll("15.6134", one.id) is None
                assert after == one
            else:
                expected = readings.captured_equipment(hands.original("15.6134", one.id))
                assert hands.reading("15.6134", one.id) == expected
                if expected[1] == "kept":
                    assert after == one
                else:
                    check_lost(one, after)
                cases += 1


def test_special_ammo_is_restored_as_the_naive_reading_has_it() -> None:
    chance, cases = random.Random(SEED), 0
    while cases < CASES:
        others, weapons = weapons_in_places(chance)
        table = campaign(*(one.clone() for one in (*others, *weapons)), areas=AREAS)
        hands = played(special_ammo, table, chance)
        for one in weapons:
            after = table.weapons[one.id].depleted
            if one.side is not one.nation or one.setup_area != HOME[one.side]:
                assert after == one.depleted
                continue
            if one.nation is MARINE:
                assert after == ()
                continue
            for ammo in one.depleted:
                expected = readings.special_ammo(hands.original("15.6136", f"{one.id}/{ammo}"))
                assert hands.reading("15.6136", f"{one.id}/{ammo}") == expected
                assert (ammo in after) == (expected[1] == "depleted")
                cases += 1


# --- 15.6203 and 15.6205 --------------------------------------------------------------------------

NIGHTS = {"I": ("21 NT",), "II": ("20 NT", "21 NT"), "III": ("20 NT", "21 NT")}


def test_the_banzai_is_determined_as_the_naive_reading_has_it() -> None:
    chance = random.Random(SEED)
    for _ in range(CASES // 2):
        cg = chance.choice(tuple(NIGHTS))
        night, nights = chance.choice(NIGHTS[cg]), chance.randint(0, 2)
        ruling = chance.randint(-2, 2)
        facts: dict[str, Any] = {"date": night, "nights_without_scenario": nights, "banzai": True}
        table = campaign(cg=cg, rulings={"R-BANZAI-DRM": str(ruling)}, **facts)
        hands = played(banzai_determination, table, chance)
        expected = readings.banzai(
            hands.original("15.6203", "japanese"),
            nights_without_scenario=nights,
            cg=cg,
            ruling=ruling,
        )
        assert hands.reading("15.6203", "japanese") == expected
        after = table.situation
        passed = expected[1] != "night"
        assert after.date == (f"{int(night[:2]) + 1} AM" if passed else night)
        assert after.nights_without_scenario == nights + passed


def test_no_banzai_is_rolled_for_where_none_is_attempted() -> None:
    for cg, attempt in product(NIGHTS, (False, None)):
        table = campaign(cg=cg, date=NIGHTS[cg][0], banzai=attempt)
        hands = played(banzai_determination, table, random.Random(SEED))
        assert hands.rolled == {}
        assert table.situation.nights_without_scenario == 1


def test_order_and_length_are_as_the_naive_reading_has_them() -> None:
    for cg, ruling in product(("I", "II", "III"), ("table", "prose")):
        dates = load_card(cg).dates
        for date in dates:
            table = campaign(cg=cg, date=date, rulings={"R-ORDER": ruling})
            hands = played(order_and_length, table, random.Random(SEED))
            sets_up, moves, turns = readings.order_and_length(date)
            if ruling == "prose":
                sets_up, moves = readings.order_in_prose(date, dates[0])
            if (cg, date) == ("I", "21 AM"):
                sets_up = "japanese"
                moves = "marine" if hands.original("15.6205", "first_move") <= 3 else "japanese"
            else:
                assert hands.rolled == {}
            after = table.situation
            assert (after.first_setup, after.first_move, after.turns) == (sets_up, moves, turns)


def test_a_dr_gives_either_side_the_first_move_of_cg_i() -> None:
    chance = random.Random(SEED)
    for _ in range(count(ci=100, full=1000)):
        table = campaign(cg="I", date="21 AM")
        hands = played(order_and_length, table, chance)
        rolled = hands.original("15.6205", "first_move")
        assert table.situation.first_move == ("marine" if rolled in (1, 2, 3) else "japanese")
