"""A campaign that is set up, played and saved in VASL over three dates loses and adds nothing."""

import random
from collections.abc import Callable, Iterable
from contextlib import suppress
from itertools import cycle, islice
from pathlib import Path
from typing import Any

import pytest

from brt_cg.board import grid, is_ocean
from brt_cg.card import load_card
from brt_cg.imports.preview import preview_import
from brt_cg.imports.scenario_end import ScenarioEnd, read_scenario_end
from brt_cg.imports.text_files import read_allotments_file
from brt_cg.model import Campaign, Counter, Side, Unit, UnitKind
from brt_cg.questions.dice import SeededDice
from brt_cg.resources import game_data_folder
from brt_cg.service.answer_supply import AnswerSupply, MissingAnswerError
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.service.unrestricted import unrestricted_campaign
from brt_cg.vasl.module import read_module
from brt_cg.vasl.names import TABLES, load_names
from brt_cg.vasl.rows import hex_or_off_map
from brt_cg.vasl.save_writer import make_next_setup_save
from brt_cg.views.view import View, create_view
from tests.vasl.demo_save import FOLDERS, ON_TOP, name_of, save_of, unit_name
from tests.vasl.small_module import module_for
from tests.vasl.test_making import UntilBuying, bought
from tests.vasl.vasl_game import VaslGame
from tests.vasl.writer import Wrote

LADDERS = load_card("III").ladders
DATES, ACTS, PURCHASES = 3, 30, 15
Row = dict[str, Any]


def view_of(desk: OpenCampaign) -> View:
    return create_view(unrestricted_campaign(desk))


class Scenario:
    """A scenario in VASL: its acts, and the fields that they give to counters, by id."""

    def __init__(self, campaign: Campaign, game: VaslGame, pieces: dict[str, str]) -> None:
        self.campaign, self.game, self.piece_of = campaign, game, pieces
        self.due: dict[str, Row] = {}
        self.done: set[str] = set()  # units that act no more

    def set_up(self) -> None:
        """Lays what waits beside the map on hexes of its Setup Area."""
        for counter in self.campaign.counters():
            waits = counter.in_play and counter.location is None and counter.id in self.piece_of
            if waits and not getattr(counter, "possessor", None):
                hexes = sorted(filter(self._is_free, self._where(counter)))
                self.move(counter.id, hexes[len(self.due) % len(hexes)])
        for id in self.due:
            is_hidden = self.game.is_hidden(self.piece_of[id])  # as what was bought is made
            if is_hidden and hasattr(self.campaign.find(id), "status"):
                self.due[id]["status"] = sorted(self.status(id) | {"hidden"})

    def _where(self, counter: Counter) -> Iterable[str]:
        """The hexes of its Setup Area; for a crew that of its Gun, and for a Fortification those
        with a unit of its side."""
        if guns := [self.hex(id) for id in self.weapons(counter.id) if self._is_on_map(id)]:
            return guns
        area = self.campaign.areas.get(getattr(counter, "setup_area", None) or "")
        if area is not None:
            return area.hexes
        own = [one for one in self.campaign.units.values() if one.side is counter.side]
        return {self.hex(one.id) for one in own if self._is_on_map(one.id)}

    def _is_free(self, hex: str) -> bool:
        return "/" not in hex and ":" not in hex and not is_ocean(hex)

    def move(self, id: str, hex: str) -> None:
        block = self.game.block(self.piece_of[id])
        self.game.move(block, hex)
        ids = {piece: id for id, piece in self.piece_of.items()}
        for piece in block:
            if piece in ids:
                self.due.setdefault(ids[piece], {})["location"] = hex

    # --- acts -------------------------------------------------------------------------------------

    def move_on(self, unit: Unit) -> None:
        hexes = [*filter(self._is_free, grid.neighbors(self.hex(unit.id)))]
        self.move(unit.id, sorted(hexes)[0])

    def break_or_rally(self, unit: Unit) -> None:
        self.turn(unit.id, "broken", "broken")

    def malfunction(self, unit: Unit) -> None:
        for weapon in self.weapons(unit.id):
            self.turn(weapon, "malf", "malfunctioned")

    def turn(self, id: str, word: str, status: str) -> None:
        held = self.status(id)
        self.game.turn(self.piece_of[id], word, status not in held)
        self.due.setdefault(id, {})["status"] = sorted(held ^ {status})

    def hide(self, unit: Unit) -> None:
        held = self.status(unit.id)
        by = None if "hidden" in held else "them"
        for id in (unit.id, *self.weapons(unit.id)):
            self.game.hide(self.piece_of[id], by)
            own = self.status(id) - {"hidden", "concealed"}
            self.due.setdefault(id, {})["status"] = sorted(own | ({"hidden"} if by else set()))

    def reduce(self, unit: Unit) -> None:
        half = LADDERS.half_squad_of(unit)
        name = unit_name(Unit(**{**_fields(unit), "kind": UnitKind.HALF_SQUAD, "type": half}))
        picture = FOLDERS[unit.side]
        self.piece_of[unit.id] = self.game.replace(self.piece_of[unit.id], name, picture)
        self.due.setdefault(unit.id, {}).update(kind="half_squad", type=half, status=[])
        self.done.add(unit.id)

    def lose(self, unit: Unit) -> None:
        self.game.lose(self.piece_of[unit.id])
        self.due[unit.id] = {"fate": "eliminated"}
        self.done.add(unit.id)

    def immobilize(self, id: str) -> None:
        held = self.status(id)
        if not held & {"immobilized", "wreck"}:
            wrote = Wrote(self.game.new_id(), ON_TOP["immobilized"], "MS/x")
            self.game.lay(wrote, self.piece_of[id])
            self.due.setdefault(id, {})["status"] = sorted(held | {"immobilized"})

    def wreck(self, id: str) -> None:
        vehicle = self.campaign.vehicles[id]
        name, picture = f"{name_of(vehicle, load_names())} Wreck", FOLDERS[vehicle.nation]
        self.piece_of[id] = self.game.replace(self.piece_of[id], name, picture)
        self.due.setdefault(id, {})["status"] = sorted({*self.status(id), "wreck"} - {"hidden"})

    # --- who can ----------------------------------------------------------------------------------

    def play(self, dice: random.Random) -> int:
        """Plays acts, each by a counter that is not yet lost, and returns their number."""
        acts: list[tuple[Callable[[Unit], None], Callable[[Unit], bool]]] = [
            (self.move_on, self._can_move),
            (self.break_or_rally, lambda unit: self._can_show(unit.id, "broken")),
            (self.malfunction, lambda unit: self._can_malfunction(unit.id)),
            (self.hide, lambda unit: self._can_hide(unit)),
            (self.reduce, lambda unit: self._can_be_reduced(unit)),
            (self.lose, lambda unit: not self.weapons(unit.id)),
        ]
        done = 0
        for act, can in islice(cycle(acts), ACTS * len(acts)):
            if done < ACTS - 2 and (able := [*filter(can, self._able())]):
                act(dice.choice(able))
                done += 1
        tanks = [id for id in self.campaign.vehicles if self._is_on_map(id)]
        tanks = [
            id for id in tanks if "wreck" not in self.status(id) and self._is_free(self.hex(id))
        ]
        self.immobilize(tanks[0])
        self.wreck(tanks[1])
        return done + 2

    def _able(self) -> list[Unit]:
        return [unit for unit in self.campaign.units.values() if self.can_act(unit)]

    def can_act(self, unit: Unit) -> bool:
        stays = unit.id in self.done or unit.aboard or unit.prisoner
        if stays or not self._is_on_map(unit.id):
            return False
        return self._is_free(self.hex(unit.id)) and ":" not in str(unit.location)

    def _is_on_map(self, id: str) -> bool:
        counter = self.campaign.find(id)
        laid = counter is not None and counter.in_play and id in self.piece_of
        return laid and bool(self.hex(id))

    def _can_move(self, unit: Unit) -> bool:
        near = grid.neighbors(self.hex(unit.id))
        has_gun = any(self.campaign.weapons[id].kind == "gun" for id in self.weapons(unit.id))
        return any(map(self._is_free, near)) and not has_gun

    def _can_show(self, id: str, word: str) -> bool:
        return self.game.can_show(self.piece_of[id], word) and "berserk" not in self.status(id)

    def _can_malfunction(self, id: str) -> bool:
        weapons = self.weapons(id)
        return bool(weapons) and all(self._can_show(weapon, "malf") for weapon in weapons)

    def _can_hide(self, unit: Unit) -> bool:
        is_free = not self.status(unit.id) - {"hidden", "concealed"}
        return unit.side is Side.JAPANESE and is_free

    def _can_be_reduced(self, unit: Unit) -> bool:
        return unit.kind is UnitKind.SQUAD and unit.side is Side.MARINE and not self.status(unit.id)

    def hex(self, id: str) -> str:
        return self.game.hex_of(self.piece_of[id])

    def status(self, id: str) -> set[str]:
        counter: Any = self.campaign.find(id)
        return {*self.due.get(id, {}).get("status", counter.status)}

    def weapons(self, id: str) -> list[str]:
        return [
            one.id
            for one in self.campaign.weapons.values()
            if one.possessor == id and one.in_play and one.id in self.piece_of
        ]


def _fields(unit: Unit) -> Row:
    return {name: getattr(unit, name) for name in ("id", "side", "class_", "traits", "strength")}


def rows_of(found: ScenarioEnd) -> dict[str, Row]:
    return {row["id"]: row for table in TABLES for row in found.asked["state"][table]}


def read(desk: OpenCampaign, path: Path, game: VaslGame) -> ScenarioEnd:
    path.write_bytes(game.file().as_zip())
    return read_scenario_end(view_of(desk), path, "both")


def changes(desk: OpenCampaign, found: ScenarioEnd) -> list[str]:
    lines = preview_import(view_of(desk), found)
    return [str(line) for line in lines if line.what not in ("scenario", "warning")]


def buy_and_refit(desk: OpenCampaign, seed: str) -> list[str]:
    """Plays the Refit Phase, and returns the ids of what was bought."""
    with suppress(MissingAnswerError):
        for _ in desk.play_with_supply(UntilBuying(dice=SeededDice(seed), defaults=True)):
            pass
    new = bought(desk)
    for _ in desk.play_with_supply(AnswerSupply(dice=SeededDice(seed), defaults=True)):
        pass
    return new


@pytest.fixture
def adopted(played: Path, tmp_path: Path) -> tuple[OpenCampaign, VaslGame]:
    """A new campaign that has read its first save, and the save."""
    demo = OpenCampaign.open_read_only(played)
    game = VaslGame(save_of(unrestricted_campaign(demo).campaign).file())
    demo.close()
    allotments = read_allotments_file(
        game_data_folder() / "demo" / "allotments.toml", load_card("III")
    )
    asked = {"cg": "III", "allotments": allotments}
    desk = OpenCampaign.create(tmp_path / "adopted.brt", asked)
    desk.run_command("import", read(desk, tmp_path / "first.vsav", game).asked)
    return desk, game


def test_three_dates_in_vasl_lose_and_add_nothing(
    adopted: tuple[OpenCampaign, VaslGame], tmp_path: Path
) -> None:
    desk, game = adopted
    for date in range(DATES):
        new = buy_and_refit(desk, str(date))
        assert len(new) >= (PURCHASES if date == 0 else 1)  # later their points are fewer
        campaign = unrestricted_campaign(desk).campaign
        module = read_module(module_for(campaign).write(tmp_path / "VASL.vmod"))
        made = make_next_setup_save(view_of(desk), game.file(), module)
        game = VaslGame(made.file, game.next_id)
        same = read(desk, tmp_path / f"setup{date}.vsav", game)
        assert changes(desk, same) == []
        scenario = Scenario(
            campaign.clone(), game, {id: piece for piece, id in same.asked["pieces"].items()}
        )
        scenario.set_up()
        assert scenario.play(random.Random(date)) == ACTS
        found = read(desk, tmp_path / f"end{date}.vsav", game)
        assert_is_as_played(campaign, scenario, found)
        desk.run_command("import", found.asked)
    desk.close()


def read_of(counter: Counter, due: Row) -> Row:
    """The fields that are read where VASL shows these: a Japanese unit that has no broken side is
    broken there all the same; a crew is then reduced."""
    has_side = not isinstance(counter, Unit) or counter.has_broken_side
    if has_side or "broken" not in due.get("status", ()):
        return due
    read = due | {"status": [each for each in due["status"] if each != "broken"]}
    if counter.kind is UnitKind.CREW:
        read |= {"strength": "reduced", "type": f"1{counter.type[1:]}"}
    return read


def assert_is_as_played(campaign: Campaign, scenario: Scenario, found: ScenarioEnd) -> None:
    rows = rows_of(found)
    assert rows.keys() <= {counter.id for counter in campaign.counters()}
    for counter in campaign.counters():
        due = read_of(counter, scenario.due.get(counter.id, {}))
        row = rows.get(counter.id, {"fate": "missing"})
        if not counter.in_play:
            continue
        for name, value in due.items():
            now = row.get(name)
            assert value == (hex_or_off_map(now) if name == "location" else now), (
                counter.id,
                name,
                row,
            )
        if "fate" not in due:
            assert row["fate"] == "in_play", counter.id
            for name in {"type", "side", "possessor", "status"} & row.keys() - due.keys():
                was = getattr(counter, name)
                now = tuple(row[name]) if name == "status" else row[name]
                assert now == was, (counter.id, name, row)
