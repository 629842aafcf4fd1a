"""The campaign whose saves the tests read and write."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from brt_cg.questions.dice import SeededDice
from brt_cg.service import demo
from brt_cg.service.desk import Desk
from brt_cg.service.supply import Supply
from brt_cg.service.whole import whole


@pytest.fixture(scope="session")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The demo at its second scenario."""
    path = demo.lay_out(tmp_path_factory.mktemp("vasl"))
    desk = Desk.open(path)
    for _ in desk.play(Supply(dice=SeededDice("3"), defaults=True)):
        pass
    table = whole(desk).campaign
    guns = {gun.possessor: gun.location for gun in table.weapons.values() if gun.location}
    edits = []
    for counter in table.pieces():
        if counter.in_play and counter.location is None:
            hexes = table.areas[counter.setup_area].hexes
            place = guns.get(counter.id) or hexes[len(hexes) // 2]
            edits.append({"id": counter.id, "set": {"location": place}, "reason": "set up"})
    desk.commands("edit", edits)
    desk.close()
    return path


@pytest.fixture
def desk(played: Path, tmp_path: Path) -> Iterator[Desk]:
    path = tmp_path / "c.brt"
    path.write_bytes(played.read_bytes())
    desk = Desk.open(path)
    yield desk
    desk.close()
