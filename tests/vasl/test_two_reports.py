"""One save that each player reports for himself, in either order, says what it says to both."""

import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from brt_cg.commands.state_document import build_state_document
from brt_cg.imports.scenario_end import read_scenario_end
from brt_cg.model import Side, Unit, UnitKind
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.service.unrestricted import unrestricted_campaign
from brt_cg.vasl.names import TABLES
from brt_cg.vasl.save_writer import make_next_setup_save
from brt_cg.vasl.savefile import read_save
from brt_cg.views.view import create_view
from tests.vasl.demo_save import ON_TOP, save_of
from tests.vasl.rereading import reread
from tests.vasl.test_life import Scenario
from tests.vasl.vasl_game import VaslGame
from tests.vasl.writer import Wrote

ORDERS = (["both"], ["marine", "japanese"], ["japanese", "marine"])


@pytest.fixture(scope="module", params=(5, 7))
def battle(
    request: pytest.FixtureRequest, played: Path, tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """A save after a battle in which each side has captured a squad and a SW. In the second one a
    squad that is like a captured one is taken for it, in a campaign that knows no piece yet."""
    desk = OpenCampaign.open_read_only(played)
    campaign = unrestricted_campaign(desk).campaign
    desk.close()
    game = VaslGame(save_of(campaign).file())
    scenario = Scenario(campaign.clone(), game, {id: id for id in game.saved.pieces})
    for side in Side:
        capture(scenario, side)
    scenario.play(random.Random(request.param))
    path = tmp_path_factory.mktemp("battle") / "end.vsav"
    path.write_bytes(game.file().as_zip())
    return path


def capture(scenario: Scenario, side: Side) -> None:
    """A squad of a side captures a squad of the enemy, and the SW that is laid on it."""
    units = [unit for unit in scenario.campaign.units.values() if scenario.can_act(unit)]
    squads = [unit for unit in units if unit.kind is UnitKind.SQUAD and not unit.status]
    captor = next(unit for unit in squads if unit.side is side and not scenario.weapons(unit.id))
    lost = next(unit for unit in squads if unit.side is not side and holds_a_sw(scenario, unit))
    (weapon, *_) = scenario.weapons(lost.id)
    game, hex = scenario.game, scenario.hex(captor.id)
    game.move([scenario.piece_of[weapon]], hex)
    game.move(game.block(scenario.piece_of[captor.id]), hex)
    game.saved.remove_from_stack(scenario.piece_of[weapon])
    game.saved.put_on_piece(scenario.piece_of[weapon], scenario.piece_of[captor.id])
    game.move(game.block(scenario.piece_of[lost.id]), hex)
    game.lay(Wrote(game.new_id(), ON_TOP["prisoner"], "MS/x"), scenario.piece_of[lost.id])
    for unit in (captor, lost):
        scenario.done.add(unit.id)


def holds_a_sw(scenario: Scenario, unit: Unit) -> bool:
    weapons = [scenario.campaign.weapons[id] for id in scenario.weapons(unit.id)]
    return len(weapons) == 1 and weapons[0].kind == "sw"


def told(played: Path, path: Path, order: Sequence[str], tmp_path: Path) -> dict[str, Any]:
    """The counters after the reports of a save, by id, and the sides' totals."""
    file = tmp_path / f"{'-'.join(order)}.brt"
    file.write_bytes(played.read_bytes())
    desk = OpenCampaign.open(file)
    for side in order:
        found = read_scenario_end(create_view(unrestricted_campaign(desk)), path, side, "keep")
        desk.run_command("import", found.asked)
    document = build_state_document(unrestricted_campaign(desk).campaign)
    desk.close()
    rows = {row["id"]: row for table in TABLES for row in document[table]}
    return rows | {"totals": {name: document[name] for name in ("sides", "perimeters")}}


def test_a_save_read_and_written_is_unchanged(played: Path, battle: Path, tmp_path: Path) -> None:
    file = tmp_path / "c.brt"
    file.write_bytes(played.read_bytes())
    desk = OpenCampaign.open(file)
    found = read_scenario_end(create_view(unrestricted_campaign(desk)), battle, "both", "keep")
    desk.run_command("import", found.asked)
    save = read_save(battle)
    made = make_next_setup_save(create_view(unrestricted_campaign(desk)), save)
    desk.close()
    assert [*reread(save.text, made.file.text)] == []
    assert made.exposed == []


def test_two_reports_in_any_order_equal_one_report_of_both_sides(
    played: Path, battle: Path, tmp_path: Path
) -> None:
    before, both, *others = [told(played, battle, order, tmp_path) for order in ([], *ORDERS)]
    for other in others:
        differ = {id for id in both.keys() | other.keys() if both.get(id) != other.get(id)}
        assert {id: (both.get(id), other.get(id)) for id in differ} == {}
    for side in Side:
        (prisoner,) = prisoners(both, side).keys() - prisoners(before, side).keys()
        guard = both[both[prisoner]["guard"]]
        assert (guard["side"], guard["location"]) == (side.enemy, both[prisoner]["location"])
        held = [row for row in both.values() if row.get("possessor") == guard["id"]]
        assert [row["side"] for row in held if row["nation"] == side] == [side.enemy]


def prisoners(rows: dict[str, Any], side: Side) -> dict[str, Any]:
    own = {id: row for id, row in rows.items() if row.get("side") == side}
    return {id: row for id, row in own.items() if "prisoner" in row.get("status", ())}
