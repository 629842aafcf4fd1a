"""The campaign whose saves the tests read and write."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from brt_cg.model.campaign import Campaign
from brt_cg.model.counters import Unit, Vehicle
from brt_cg.questions.dice import SeededDice
from brt_cg.service import demo
from brt_cg.service.answer_supply import AnswerSupply
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.service.unrestricted import unrestricted_campaign
from tests.settings import count

ALIKE = count(ci=2, full=1000)  # so many of one type are enough to be taken for one another


@pytest.fixture(scope="session")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The demo at its second scenario."""
    path = demo.create_demo(tmp_path_factory.mktemp("vasl"))
    desk = OpenCampaign.open(path)
    for _ in desk.play_with_supply(AnswerSupply(dice=SeededDice("3"), defaults=True)):
        pass
    table = unrestricted_campaign(desk).campaign
    guns = {gun.possessor: gun.location for gun in table.weapons.values() if gun.location}
    edits = []
    for counter in table.pieces():
        if counter.in_play and counter.location is None:
            hexes = table.areas[counter.setup_area].hexes
            place = guns.get(counter.id) or hexes[len(hexes) // 2]
            edits.append({"id": counter.id, "set": {"location": place}, "reason": "set up"})
    desk.run_commands("edit", edits)
    desk.run_commands(
        "edit", [{"id": id, "set": GONE, "reason": "enough"} for id in too_many(table)]
    )
    desk.close()
    return path


GONE: dict[str, Any] = {"fate": "eliminated"}


def too_many(table: Campaign) -> list[str]:
    """Who is left out, of those of one type: units and vehicles that nothing is tied to."""
    tied = {getattr(one, tie, None) for one in table.pieces() for tie in ("guard", "possessor")}
    tied |= {getattr(one, tie, None) for one in table.pieces() for tie in ("aboard", "vehicle")}
    seen = Counter[tuple[Any, ...]]()
    found = []
    for one in table.pieces():
        if isinstance(one, Unit | Vehicle) and one.in_play and not one.status:
            seen[sort := (one.side, one.type, getattr(one, "traits", None))] += 1
            if seen[sort] > ALIKE and one.id not in tied and not getattr(one, "aboard", None):
                found.append(one.id)
    return found


@pytest.fixture
def desk(played: Path, tmp_path: Path) -> Iterator[OpenCampaign]:
    path = tmp_path / "c.brt"
    path.write_bytes(played.read_bytes())
    desk = OpenCampaign.open(path)
    yield desk
    desk.close()
