"""Who wins, and whose a hex is, as a second, naive reading has it (tests/naive/readings.py)."""

import random

from brt_cg.board import grid, locations
from brt_cg.model.counters import Fate
from brt_cg.refit.s603_rally_and_victory import rally_and_unloading
from brt_cg.refit.s609_prisoners import prisoners
from tests.naive import readings
from tests.naive.hands import SEED
from tests.refit.table import MARINE, campaign, fort, japanese_squad, play
from tests.settings import count

CASES = count(ci=300, full=20_000)


def test_the_victor_of_the_campaign() -> None:
    chance = random.Random(SEED)
    for _ in range(CASES):
        cvp = chance.randint(0, 20), chance.randint(0, 20)
        boxes = [(chance.randint(1, 3), chance.random() < 0.5) for _ in range(chance.randint(0, 4))]
        forts = [
            fort(
                f"F{n}",
                "N21",
                "pillbox_1_3_5",
                capacity=capacity,
                controller=MARINE if fell else None,
                fate=chance.choice((Fate.IN_PLAY, Fate.ELIMINATED)) if fell else Fate.IN_PLAY,
            )
            for n, (capacity, fell) in enumerate(boxes)
        ]
        made = campaign(*forts, marine={"cvp": cvp[0]}, japanese={"cvp": cvp[1]}, date="22 PM")
        assert play(prisoners, made).campaign.situation.victor == readings.victor(*cvp, boxes)


def test_the_victory_at_once_of_cg_i() -> None:
    chance = random.Random(SEED)
    for _ in range(CASES):
        cvp = chance.randint(195, 215)
        state = chance.choice(("broken", "disrupted"))
        squads = [
            (chance.random() < 0.8, chance.random() < 0.6, chance.random() < 0.5)
            for _ in range(chance.randint(0, 4))
        ]
        counters = [
            japanese_squad(
                f"j{n}",
                f"N{n + 20}" if on_map else "off_map",
                status=[state] * broken + ["prisoner"] * prisoner,
            )
            for n, (on_map, broken, prisoner) in enumerate(squads)
        ]
        made = campaign(*counters, cg="I", japanese={"cvp": cvp})
        won = play(rally_and_unloading, made).campaign.situation.victor is MARINE
        assert won is readings.cg_one_is_won(squads, cvp)


def test_whose_a_land_hex_is() -> None:
    chance = random.Random(SEED)
    land = sorted(locations.land(63))
    for hex in chance.sample(land, count(ci=60, full=len(land))):
        assert grid.nearest_beaches(hex) == readings.beaches_of(hex)
