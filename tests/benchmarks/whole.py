"""A whole campaign with the demo's counters, from its first Refit Phase to the last date."""

import random
from pathlib import Path
from typing import Any

from brt_cg.commands.state_document import build_state_document
from brt_cg.model.records import Phase
from brt_cg.questions.dice import SeededDice
from brt_cg.service.answer_supply import AnswerSupply
from brt_cg.service.demo import NAME, create_demo
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.service.unrestricted import unrestricted_campaign

DAMAGE = {
    "units": (("broken", "dm"), ("pinned",), ("wounded",), ("ti",)),
    "weapons": (("malfunctioned",),),
    "vehicles": (("stunned",), ("immobilized",), ("bogged",)),
}


def whole_campaign(folder: Path) -> Path:
    """Plays it into a file of about 1,500 entries."""
    path = folder / NAME
    create_demo(folder)
    desk = OpenCampaign.open(path)
    dice, chance = SeededDice(44), random.Random(44)
    while unrestricted_campaign(desk).campaign.situation.phase is not Phase.OVER:
        if unrestricted_campaign(desk).campaign.situation.phase is Phase.SCENARIO:
            state = after_a_scenario(desk, chance)
            desk.run_command(
                "import", {"state": state, "source": None, "missing": "keep", "side": None}
            )
            correct(desk, chance)
        for _ in desk.play_with_supply(AnswerSupply(dice=dice, defaults=True)):
            pass
    desk.close()
    return path


def after_a_scenario(desk: OpenCampaign, chance: random.Random) -> dict[str, Any]:
    """What stands on the map, with some of it the worse for wear."""
    state = build_state_document(unrestricted_campaign(desk).campaign)
    state["scenario"] |= {"winner": "marine", "moved_first": "marine"}
    for table, damages in DAMAGE.items():
        for counter in state[table]:
            if chance.random() < 0.7 and counter["fate"] == "in_play":
                damage = chance.choice(damages)
                if "broken" in damage and counter["side"] == "japanese":
                    continue  # which have no broken side
                if damage != ("wounded",) or counter.get("kind") == "leader":
                    counter["status"] = sorted({*counter["status"], *damage})
    return state


def correct(desk: OpenCampaign, chance: random.Random) -> None:
    """Counters get another name, two hundred times."""
    pieces = [piece.id for piece in unrestricted_campaign(desk).campaign.pieces() if piece.in_play]
    date = unrestricted_campaign(desk).campaign.situation.date
    for number, id in enumerate(chance.choices(pieces, k=200)):
        asked = {"id": id, "set": {"name": f"Able {number} {date}"}, "reason": "a name"}
        desk.run_command("edit", asked)
