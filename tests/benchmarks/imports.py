"""What a player waits for who imports the end of a scenario."""

from collections.abc import Iterator
from pathlib import Path

from brt_cg.imports.door import brought
from brt_cg.questions.dice import SeededDice
from brt_cg.service import demo
from brt_cg.service.desk import Desk
from brt_cg.service.supply import Supply
from tests.benchmarks.figures import Figure, Size, best
from tests.vasl.demo_save import save_of
from tests.vasl.writer import Wrote, layer

PIECES = 400
GOAL = 0.3  # seconds


def vasl_save(size: Size, folder: Path) -> Iterator[Figure]:
    """A save of the demo at its second scenario, with new squads to make up the number."""
    path, end = demo.lay_out(folder), folder / "end.vsav"
    desk = Desk.open(path)
    for _ in desk.play(Supply(dice=SeededDice("3"), defaults=True)):
        pass
    save = save_of(desk.campaign)
    while len(save.pieces()) < PIECES:
        squad = Wrote(f"new-{len(save.pieces())}", "7-6-8 Msq", "am/x", [layer("broken +", -1)])
        save.at("N21", squad)
    end.write_bytes(save.file().as_zip())
    found = best(lambda: desk.tell_whole(brought, end, "both"), size.count(2, 7))
    desk.close()
    yield Figure(f"a VASL save of {PIECES} pieces, read", found, "s", GOAL)
