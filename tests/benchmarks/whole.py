"""A whole campaign with the demo's counters, from its first Refit Phase to the last date."""

import random
from pathlib import Path
from typing import Any

from brt_cg.commands.state_document import document
from brt_cg.model.records import Phase
from brt_cg.questions.dice import SeededDice
from brt_cg.service.demo import NAME, lay_out
from brt_cg.service.desk import Desk
from brt_cg.service.supply import Supply
from brt_cg.service.whole import whole

DAMAGE = {
    "units": (("broken", "dm"), ("pinned",), ("wounded",), ("ti",)),
    "weapons": (("malfunctioned",),),
    "vehicles": (("stunned",), ("immobilized",), ("bogged",)),
}


def whole_campaign(folder: Path) -> Path:
    """Plays it into a file of about 1,500 entries."""
    path = folder / NAME
    lay_out(folder)
    desk = Desk.open(path)
    dice, chance = SeededDice(44), random.Random(44)
    while whole(desk).campaign.situation.phase is not Phase.OVER:
        if whole(desk).campaign.situation.phase is Phase.SCENARIO:
            state = after_a_scenario(desk, chance)
            desk.command(
                "import", {"state": state, "source": None, "missing": "keep", "side": None}
            )
            correct(desk, chance)
        for _ in desk.play(Supply(dice=dice, defaults=True)):
            pass
    desk.close()
    return path


def after_a_scenario(desk: Desk, chance: random.Random) -> dict[str, Any]:
    """What stands on the map, with some of it the worse for wear."""
    state = document(whole(desk).campaign)
    state["scenario"] |= {"winner": "marine", "moved_first": "marine"}
    for table, damages in DAMAGE.items():
        for counter in state[table]:
            if chance.random() < 0.7 and counter["fate"] == "in_play":
                damage = chance.choice(damages)
                if damage != ("wounded",) or counter.get("kind") == "leader":
                    counter["status"] = sorted({*counter["status"], *damage})
    return state


def correct(desk: Desk, chance: random.Random) -> None:
    """Counters get another name, two hundred times."""
    pieces = [piece.id for piece in whole(desk).campaign.pieces() if piece.in_play]
    date = whole(desk).campaign.situation.date
    for number, id in enumerate(chance.choices(pieces, k=200)):
        asked = {"id": id, "set": {"name": f"Able {number} {date}"}, "reason": "a name"}
        desk.command("edit", asked)
