"""A whole quick fight by seed, until one side has nothing left or the turns run out.

`python -m tests.aids.fought` writes the recorded one anew.
"""

from collections.abc import Callable
from pathlib import Path
from random import Random

from brt_cg.aids.draws import RandomDrawAnswerer
from brt_cg.aids.fight import FightPiece, FightState
from brt_cg.aids.fight_file import RecordedFight, begin_fight, save_fight
from brt_cg.questions.answers import Raw, RefusedError
from brt_cg.questions.dice import SeededDice
from brt_cg.questions.question_types import ChoiceQuestion, EntryQuestion, Question

RECORDED = Path(__file__).parent / "whole.fight"
FORCES = (
    *("marine:tank*2", "marine:rifle*4", "marine:machinegun", "marine:officer", "marine:automatic"),
    *("marine:light_mortar", "japanese:gun,concealed", "japanese:tank", "japanese:rifle*5"),
    *("japanese:officer", "japanese:machinegun,concealed", "japanese:heavy_mortar"),
)
TURNS = 8


def fought(seed: int, after: Callable[[RecordedFight], None] = lambda _: None) -> RecordedFight:
    """The fight of this seed; `after` sees it after every order."""
    random, recorded = Random(seed), begin_fight(FORCES, "marine")
    picker = RandomDrawAnswerer(SeededDice(seed))

    def answer(ask: Question[object]) -> Raw:
        return ask.default if isinstance(ask, ChoiceQuestion | EntryQuestion) else picker(ask)

    def order(line: str) -> None:
        try:
            recorded.carry_out(line, answer)
        except RefusedError:
            return
        after(recorded)

    while recorded.fight.turn <= TURNS and len(sides(recorded.fight)) == 2:
        for piece in list(recorded.fight.pieces.values()):
            for line in tries(recorded.fight, piece, random):
                order(line)
        order("next")
    return recorded


def sides(fight: FightState) -> set[str]:
    return {piece.side for piece in fight.pieces.values() if piece.in_play}


def tries(fight: FightState, piece: FightPiece, random: Random) -> list[str]:
    """What a piece may try in this phase."""
    enemies = [one.id for one in fight.pieces.values() if one.in_play and one.side != piece.side]
    if not piece.in_play or not enemies or piece.side not in fight.acting_sides:
        return []
    target = random.choice(enemies)
    if fight.current_phase.does == "move":
        ground = random.choice(["open", "rough", "woods", "road"])
        lines = [f"move {piece.id} {random.randint(1, 4)} {ground}"]
        return lines + [f"call {piece.id} {target}"] * (piece.type == "officer")
    if fight.current_phase.does == "melee":
        return [f"melee {piece.id} {target}"] if random.random() < 0.2 else []
    options = random.choice(["", "cover", "side", "rear", "front cover"])
    if "tank" in target and not options.startswith(("side", "rear", "front")):
        options = "side"
    weapon = random.choice(["", "weapon=grenade"] if "tank" in target else [""])
    calls = [f"barrage {piece.id} {one}" for one in fight.calls if one in enemies]
    return [*calls, f"fire {piece.id} {target} range={random.randint(1, 20)} {options} {weapon}"]


if __name__ == "__main__":
    RECORDED.unlink(missing_ok=True)
    save_fight(RECORDED, fought(2), new=True)
