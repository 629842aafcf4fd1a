"""The points that a rules lawyer found last, as a second, naive reading has them
(tests/naive/readings.py)."""

import random
from itertools import product
from typing import Any

import pytest

from brt_cg.board import locations
from brt_cg.model.counters import Fate
from brt_cg.model.records import Area
from brt_cg.questions.answers import Refused
from brt_cg.refit.s603_rally_and_victory import victory_and_cvp
from brt_cg.refit.s605_wading import wading_survival
from brt_cg.refit.s607_perimeters import isolated_units, setup_areas
from brt_cg.refit.s608_retained import hidden_fortifications
from brt_cg.refit.s609_prisoners import prisoners
from brt_cg.refit.s611_promotion import recombining
from brt_cg.refit.s613_equipment import transfers
from brt_cg.refit.s620_setup import setup_of_the_rest
from brt_cg.refit.s6131_vehicles import vehicles
from brt_cg.refit.victory import fallen_vp
from tests.exports.journals import new
from tests.naive import readings
from tests.naive.hands import SEED
from tests.purchases.shop import shop
from tests.refit.table import (
    JAPANESE,
    LADDERS,
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
    vehicle,
)
from tests.settings import count

OCEAN = [hex for hex in sorted(locations.in_play(63)) if locations.is_ocean(hex)][:4]
AREAS = {"M1": "N18-N21", "J1": "N22-N30"}
CASES = count(ci=100, full=10_000)


# --- 3: pillboxes -----------------------------------------------------------------------------


def test_what_a_pillbox_scores_from_scenario_to_scenario() -> None:
    chance = random.Random(SEED)
    for _ in range(CASES):
        capacity = chance.randint(1, 3)
        ends = [chance.choice(("marine", "japanese")) for _ in range(chance.randint(1, 6))]
        ends += chance.choice(([], ["eliminated"]))
        made = campaign(fort("F7", "N21", "pillbox_1_3_5", capacity=capacity))
        scored = [one_scenario(made, end) for end in ends]
        assert scored == readings.pillbox_scores(capacity, ends), ends
        assert fallen_vp(made) == sum(scored)


def one_scenario(made: Any, end: str) -> int:
    """A scenario ends so: what the pillbox scores in it; then Control is settled."""
    situation, box = made.situation, made.fortifications["F7"]
    situation.pillbox_vp = 0
    situation.perimeters = (("N21",),) if end == "marine" else ()
    box.fate = Fate.ELIMINATED if end == "eliminated" else Fate.IN_PLAY
    play(victory_and_cvp, made)
    for area in list(made.areas.values()):
        made.remove(area)
    side = MARINE if end == "marine" else JAPANESE
    made.add(Area(id="A1", side=side, hexes=("N21",)))
    play(hidden_fortifications, made)
    points: int = situation.pillbox_vp
    return points


# --- 5: what is a Japanese area -----------------------------------------------------------------


def test_how_the_defence_is_split() -> None:
    chance = random.Random(SEED)
    land = sorted(locations.land(63))
    for _ in range(count(ci=8, full=200)):
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
            play(setup_areas, made)
            found = [{*area.hexes} for area in made.areas.values() if area.side is JAPANESE]
            due = readings.split(perimeter, seen, {*places} - seen, ruling)
            assert sorted(found, key=sorted) == sorted(due, key=sorted), (rows, places, ruling)


# --- 6: asked once, before it costs units ---------------------------------------------------------


def test_who_is_isolated_in_the_ocean_and_which_rulings_are_asked_about() -> None:
    chance = random.Random(SEED)
    for _ in range(CASES):
        drawn = [
            (
                chance.choice(("marine", "japanese")),
                chance.random() < 0.5,
                chance.random() < 0.7,
                chance.random() < 0.4,
            )
            for _ in range(chance.randint(0, 4))
        ]
        # An empty vehicle is abandoned, and so immobile.
        drawn = [(side, stuck or not manned, manned, hid) for side, stuck, manned, hid in drawn]
        made = campaign(
            *(a_vehicle(n, *one) for n, one in enumerate(drawn)),
            areas=AREAS,
            not_agreed=["R-OCEAN-VEHICLES", "R-OCEAN-MOBILE"],
        )
        answers = {
            "R-OCEAN-VEHICLES": chance.choice(("stay", "isolated")),
            "R-OCEAN-MOBILE": chance.choice(("isolated", "nearest", "stay")),
        }
        asked = readings.agreed_over(drawn)
        given = {key: value for key, value in answers.items() if key in asked}
        result = play(isolated_units, made, choices=given)
        assert result.subjects == asked
        stuck, mobile = given.get("R-OCEAN-VEHICLES", "stay"), given.get("R-OCEAN-MOBILE")
        for n, (side, immobile, manned, _) in enumerate(drawn):
            due = readings.afloat(side, immobile, manned, stuck, mobile or "isolated")
            assert result.vehicle(f"t{n}").isolated is due, drawn


def a_vehicle(number: int, side: str, immobile: bool, manned: bool, hidden: bool) -> Any:
    states = [*(["immobilized"] if immobile and manned else []), *(["hidden"] if hidden else [])]
    states += [] if manned else ["abandoned"]
    whose = MARINE if side == "marine" else JAPANESE
    return vehicle(f"t{number}", OCEAN[number], side=whose, status=states, inherent_crew=manned)


# --- 7, 13, 16: prisoners and the unarmed -------------------------------------------------------


def a_unit(id: str, side: Any, kind: str, **values: Any) -> Any:
    if kind == "crew":
        return crew(id, None, side, **values)
    if side is MARINE:
        return (marine_squad if kind == "squad" else marine_half_squad)(id, None, **values)
    return (japanese_squad if kind == "squad" else japanese_half_squad)(id, None, **values)


@pytest.mark.parametrize(
    ("kind", "ruling"), [*product(("squad", "half_squad", "crew"), ("combat", "none"))]
)
def test_what_a_massacre_scores(kind: str, ruling: str) -> None:
    held = a_unit("m", MARINE, kind, status="prisoner", guard="j", setup_area="J1")
    guard = japanese_squad("j", None, setup_area="J1")
    made = campaign(held, guard, areas=AREAS, rulings={"R-CVP-REFIT": ruling})
    assert play(prisoners, made, choices={"m": "massacre"}).cvp(JAPANESE) == (
        readings.massacred(kind)
    )


@pytest.mark.parametrize(
    ("side", "kind", "ruling"),
    [*product((MARINE, JAPANESE), ("squad", "half_squad", "crew"), ("g1.15", "conscript"))],
)
def test_what_the_unarmed_become(side: Any, kind: str, ruling: str) -> None:
    home = "M1" if side is MARINE else "J1"
    bare = a_unit("u", side, kind, status="unarmed", setup_area=home)
    made = campaign(bare, areas=AREAS, rulings={"R-REARM": ruling})
    play(prisoners, made)
    found = [(unit.kind, unit.type) for unit in made.units.values()]
    assert found == readings.rearmed(side, kind, ruling)


@pytest.mark.parametrize(
    ("cvp", "ruling"), [*product((0, 1, 3, 4, 5, 60), ("subtract", "subtract_below", "ignore"))]
)
def test_what_a_japanese_prisoner_takes_from_the_total(cvp: int, ruling: str) -> None:
    held = japanese_squad("j", None, status="prisoner", guard="m", setup_area="M1")
    guard = marine_squad("m", None, setup_area="M1")
    ruled = {"R-PRISONER-CVP": ruling}
    made = campaign(held, guard, areas=AREAS, rulings=ruled, japanese={"cvp": cvp})
    assert play(prisoners, made).cvp(JAPANESE) == readings.after_a_prisoner(cvp, 2, ruling)


# --- 8: hidden HS ---------------------------------------------------------------------------------


def test_how_many_squads_the_half_squads_of_an_area_make() -> None:
    chance = random.Random(SEED)
    for _ in range(CASES):
        classes = ("elite", "first_line", "conscript")
        drawn = [
            (chance.choice(classes), chance.choice((None, None, "N25", "N26")))
            for _ in range(chance.randint(0, 8))
        ]
        units = [
            japanese_half_squad(
                f"j{n}",
                None,
                class_,
                status="hidden" if lair else "",
                recorded_location=lair,
                setup_area="J1",
            )
            for n, (class_, lair) in enumerate(drawn)
        ]
        for ruling in ("apart", "recombine"):
            ruled = {"R-HIDDEN-HS": ruling}
            made = campaign(*(unit.clone() for unit in units), areas=AREAS, rulings=ruled)
            play(recombining, made)
            squads = [one for one in made.units.values() if one.in_play and one.kind == "squad"]
            assert len(squads) == readings.squads_made(drawn, ruling), drawn


# --- 10, 11: setup --------------------------------------------------------------------------------


def test_when_the_japanese_may_set_up_outside_pillboxes_in_the_initial_scenario() -> None:
    chance = random.Random(SEED)
    for _ in range(CASES):
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
        assert sets_up(made, "japanese", answer) is allowed, (rooms, sizes)


def sets_up(made: Any, side: str, answer: dict[str, str]) -> bool:
    try:
        play(setup_of_the_rest, made, choices={side: answer})
    except Refused:
        return False
    return True


def test_where_a_marine_may_set_up() -> None:
    chance = random.Random(SEED)
    area = [f"N{number}" for number in range(18, 22)]
    for _ in range(CASES):
        hex = f"N{chance.randint(16, 23)}"
        isolated = {place: chance.random() < 0.5 for place in chance.sample(area, 2)}
        enemies = [
            japanese_squad(
                f"j{n}",
                place,
                isolated=True,
                recorded_location=place,
                status="hidden" if hidden else "",
            )
            for n, (place, hidden) in enumerate(isolated.items())
        ]
        squad = marine_squad("m", None, setup_area="M1")
        made = campaign(squad, *enemies, areas=AREAS, phase="setup", date="20 PM")
        allowed = readings.may_set_up(hex, area, isolated)
        assert sets_up(made, "marine", {"m": hex}) is allowed, (hex, isolated)


# --- 12: what stands on a beach, and where the enemy comes from -----------------------------------


def test_no_pillbox_or_trench_in_any_beach_hex_of_red_one() -> None:
    beach = [hex for hex in sorted(locations.in_play(63)) if locations.beach(hex) == "red_one"]
    for hex, item in product(beach, ("trench", "pillbox_1_3_5", "pillbox_fpp_1_3_5")):
        assert "Beach hex" in shop().no(item, location=hex), hex


# --- 14: who mans what ------------------------------------------------------------------------


def personnel(unarmed: bool) -> list[Any]:
    values = {"setup_area": "J1", "status": "unarmed" if unarmed else ""}
    return [
        japanese_squad("squad", None, **values),
        japanese_half_squad("half_squad", None, **values),
        crew("crew", None, JAPANESE, **values),
        leader("leader", None, "9-0", JAPANESE, **values),
        hero("hero", None, JAPANESE, **values),
    ]


@pytest.mark.parametrize("unarmed", [False, True])
def test_who_mans_an_empty_gun_or_vehicle(unarmed: bool) -> None:
    for unit in personnel(unarmed):
        due = readings.can_man(unit.kind, unarmed)
        made = campaign(gun("g", None, setup_area="J1"), unit.clone(), areas=AREAS)
        assert mans(made, transfers, "japanese", {"g": unit.id}) is due, unit.kind
        tank = vehicle(
            "t", None, side=JAPANESE, status="abandoned", inherent_crew=False, setup_area="J1"
        )
        tank.recorded_location = tank.location = "N25"
        made = campaign(tank, unit.clone(), areas=AREAS)
        assert mans(made, vehicles, "t", {"crew": unit.id}) is due, unit.kind


def mans(made: Any, paragraph: Any, subject: str, answer: Any) -> bool:
    try:
        play(paragraph, made, choices={subject: answer})
    except (Refused, AssertionError):  # refused, or not even asked
        return False
    return True


# --- 15: heroes -----------------------------------------------------------------------------------


@pytest.mark.parametrize(("status", "level"), [("", 9), ("wounded", 8)])
def test_the_morale_level_of_a_hero(status: str, level: int) -> None:
    for side in (MARINE, JAPANESE):
        assert LADDERS.morale_level(hero("h", "N19", side, status=status)) == level


# --- 17: what is lost with whoever wades ----------------------------------------------------------


def test_what_is_left_of_those_who_wade_their_prisoners_and_sw() -> None:
    for dice, squad in product(product(range(1, 7), repeat=2), (True, False)):
        make = marine_squad if squad else marine_half_squad
        made = campaign(
            make("mmc", "T29"),
            japanese_squad("prisoner", "T29", status="prisoner", guard="mmc"),
            sw("sw", "T29", pp=0, possessor="mmc"),
            perimeters=(("S29",),),
        )
        play(wading_survival, made, {"mmc": [list(dice)]})
        left = {piece.id for piece in made.pieces() if piece.in_play}
        final = {"encircled": False, "hexes": 1, "leader": 0, "pp": 0, "ipc": 3}
        _, result = readings.wading_infantry(sum(dice), **final)  # type: ignore[arg-type]
        assert left == readings.still_had(result, squad), dice


# --- 19: ids ------------------------------------------------------------------------------------


def test_each_side_numbers_its_own_purchases() -> None:
    chance = random.Random(SEED)
    for _ in range(count(ci=20, full=1000)):
        journal = new(allotments={"japanese": {"island": {"fpp": 60}}, "marine": {"fpp": 60}})
        sides = [chance.choice(("marine", "japanese")) for _ in range(8)]
        for side in sides:
            journal.command("buy", {"item": "foxhole_1s", "side": side}, side)
        for letter, side in (("m", "marine"), ("j", "japanese")):
            own = [one.id for one in journal.campaign.purchases.values() if one.side == side]
            assert own == [f"p{letter}{n}" for n in range(1, sides.count(side) + 1)]
