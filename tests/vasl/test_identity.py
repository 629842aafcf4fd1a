"""A piece stays the counter that it is: known, made by the program, dead, deleted or dragged."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from brt_cg.imports.preview import preview_import
from brt_cg.imports.scenario_end import ScenarioEnd, read_scenario_end
from brt_cg.questions.dice import SeededDice
from brt_cg.service.answer_supply import AnswerSupply
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.service.unrestricted import unrestricted_campaign
from brt_cg.vasl.identity import LEAST, made_id
from brt_cg.vasl.save_writer import WrittenSave
from brt_cg.views.view import create_view
from tests.vasl.demo_save import save_of
from tests.vasl.test_losses import at, sent_from, squads
from tests.vasl.test_making import written
from tests.vasl.writer import Save, Wrote, layer

SQUAD = "6-6-8 Msq"
NEW = {
    **{"id": "m-new", "kind": "squad", "type": "6-6-8", "side": "marine"},
    **{"class": "elite", "strength": "full", "location": "N21"},
}
FOXHOLES = [
    {"id": f"m-fox-{n}", "type": "foxhole_1s", "side": "marine", "location": "off_map"}
    for n in (1, 2)
]


def told(
    desk: OpenCampaign, save: Save | WrittenSave, tmp_path: Path, missing: str | None = None
) -> ScenarioEnd:
    path = tmp_path / "end.vsav"
    file = save.file if isinstance(save, WrittenSave) else save.file()
    path.write_bytes(file.as_zip())
    return read_scenario_end(create_view(unrestricted_campaign(desk)), path, "both", missing)


def changes(desk: OpenCampaign, found: ScenarioEnd) -> list[str]:
    lines = preview_import(create_view(unrestricted_campaign(desk)), found)
    return [str(line) for line in lines if line.what not in ("scenario", "warning")]


@pytest.fixture(scope="module")
def second(played: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A campaign that has imported a save, with dead pieces of nobody's in it, and stands at the
    next scenario; every counter that waits is put on the map."""
    path = tmp_path_factory.mktemp("second") / "c.brt"
    path.write_bytes(played.read_bytes())
    desk = OpenCampaign.open(path)
    save = with_dead(save_of(unrestricted_campaign(desk).campaign))
    asked = told(desk, save, path.parent, "keep").asked
    asked["state"]["units"].append(NEW)
    asked["state"]["fortifications"] += FOXHOLES
    desk.run_command("import", asked)
    for _ in desk.play_with_supply(AnswerSupply(dice=SeededDice("5"), defaults=True)):
        pass
    campaign, edits = unrestricted_campaign(desk).campaign, []
    guns = {gun.possessor: gun.location for gun in campaign.weapons.values() if gun.location}
    for counter in campaign.pieces():
        if counter.in_play and counter.location is None:
            hexes = campaign.areas[counter.setup_area].hexes
            place = guns.get(counter.id) or hexes[len(hexes) // 2]
            edits.append({"id": counter.id, "set": {"location": place}, "reason": "set up"})
    desk.run_commands("edit", edits)
    desk.close()
    return path


@pytest.fixture
def desk(second: Path, tmp_path: Path) -> Iterator[OpenCampaign]:
    path = tmp_path / "c.brt"
    path.write_bytes(second.read_bytes())
    desk = OpenCampaign.open(path)
    yield desk
    desk.close()


def with_dead(save: Save) -> Save:
    """The save with dead pieces in the bin that are no counters of the campaign."""
    save.at_pixel(100, 100, Wrote("801", SQUAD, "am/x", noted=sent_from("N20")), on="Casualties")
    save.at_pixel(100, 100, Wrote("802", "M4A2", "am/x", noted=sent_from("N20")), on="Casualties")
    return save


def drop(save: Save, id: str) -> None:
    (piece,) = [one for one in save.pieces() if one.id == id]
    save.drop(piece)


def saved(desk: OpenCampaign) -> Save:
    """The position of the campaign, with the foxholes that we made in the margin."""
    save = with_dead(save_of(unrestricted_campaign(desk).campaign))
    for fort in FOXHOLES:
        drop(save, fort["id"])
        save.at_pixel(
            150,
            300,
            foxhole(
                made_id(create_view(unrestricted_campaign(desk)).campaign_identity, fort["id"])
            ),
        )
    return save


def foxhole(id: str) -> Wrote:
    return Wrote(id, "Foxhole BRT", "ML/x", [layer("1S +,2S +,3S +", 1)])


def bought(desk: OpenCampaign) -> tuple[Save, str]:
    """A save without a squad that the campaign has, and its id: nobody has laid its piece yet."""
    save = saved(desk)
    drop(save, NEW["id"])
    return save, NEW["id"]


def test_importing_a_save_that_we_wrote_changes_nothing(desk: OpenCampaign, tmp_path: Path) -> None:
    save, squad = bought(desk)
    made = written(desk, save, tmp_path)
    found = told(desk, made, tmp_path)
    assert changes(desk, found) == []
    piece = made_id(create_view(unrestricted_campaign(desk)).campaign_identity, squad)
    assert found.asked["pieces"][piece] == squad
    assert not {"801", "802"} & {*found.asked["pieces"]}


def test_every_piece_ever_seen_is_a_counter_a_marker_or_unknown(
    desk: OpenCampaign, tmp_path: Path
) -> None:
    save, _ = bought(desk)
    save.at("N20", Wrote("803", "Blaze", "MS/x"), Wrote("804", "Nobody's Notion", "MS/x"))
    asked = told(desk, save, tmp_path).asked
    assert {*asked["pieces"]} | {*asked["others"]} == {one.id for one in save.pieces()}
    kinds = {id: asked["others"][id] for id in ("801", "802", "803", "804")}
    assert kinds == {"801": "dead", "802": "dead", "803": "marker", "804": "unknown"}


def test_two_exports_make_the_same_piece_of_a_counter_and_no_two_counters_share_one(
    desk: OpenCampaign, tmp_path: Path
) -> None:
    save, _ = bought(desk)
    head = unrestricted_campaign(desk).head
    first, second = (written(desk, save, tmp_path).file.text for _ in range(2))
    assert first == second
    assert unrestricted_campaign(desk).head == head
    ids = [
        made_id(create_view(unrestricted_campaign(desk)).campaign_identity, one.id)
        for one in unrestricted_campaign(desk).campaign.counters()
    ]
    assert len({*ids}) == len(ids)
    assert all(id.isdecimal() and int(id) >= LEAST for id in ids)
    assert made_id("another campaign", "m-sq-1") != made_id("a campaign", "m-sq-1")


def test_a_created_piece_that_moved_is_recognized(desk: OpenCampaign, tmp_path: Path) -> None:
    save, squad = bought(desk)
    written(desk, save, tmp_path)
    piece = Wrote(
        made_id(create_view(unrestricted_campaign(desk)).campaign_identity, squad),
        SQUAD,
        "am/x",
        [layer("broken +", 1)],
    )
    save.at("R20", piece)
    found = told(desk, save, tmp_path)
    assert found.asked["pieces"][piece.id] == squad
    (line,) = changes(desk, found)
    assert "R20" in line
    assert "broken" in line


def test_a_deleted_counter_is_asked_about_and_never_assumed_dead(
    desk: OpenCampaign, tmp_path: Path
) -> None:
    save, campaign = saved(desk), unrestricted_campaign(desk).campaign
    squad = squads(save_of(campaign), campaign)[0]
    drop(save, squad.id)
    save.at_pixel(100, 100, Wrote("805", "3-4-8 Mhs", "am/x"), on="Casualties")
    found = told(desk, save, tmp_path)
    assert not {"801", "802", "805"} & {*found.asked["pieces"]}
    (line,) = changes(desk, found)
    assert line.startswith("missing")


@pytest.mark.parametrize("answer", ["all", "none"])
def test_players_decide_whether_a_new_piece_replaces_a_deleted_one(
    desk: OpenCampaign, tmp_path: Path, answer: str
) -> None:
    save, campaign = saved(desk), unrestricted_campaign(desk).campaign
    squad = squads(save_of(campaign), campaign)[0]
    drop(save, squad.id)
    save.at("R20", Wrote("806", SQUAD, "am/x"))
    found = told(desk, save, tmp_path)
    (question,) = [one for one in found.stacked if one.field == "became"]
    (offers,) = question.offers.values()
    assert offers == (squad.id,)
    found = found.with_stack_answers(create_view(unrestricted_campaign(desk)), {"became": answer})
    same = found.asked["pieces"]["806"] == squad.id
    assert same is (answer == "all")
    lines = changes(desk, found)
    assert any("R20" in line for line in lines)
    assert any(line.startswith("missing") for line in lines) is not same


def test_a_vehicle_lost_earlier_is_not_matched_with_a_new_wreck(
    desk: OpenCampaign, tmp_path: Path
) -> None:
    save, campaign = saved(desk), unrestricted_campaign(desk).campaign
    tank = next(
        one
        for one in save.pieces()
        if one.name == "M4A2" and not campaign.vehicles[one.id].status
        if not campaign.vehicles[one.id].off_map
    )
    hex = at(campaign, tank.id)
    dead = next(one for one in save.pieces() if one.id == "802")
    dead.noted["OldLocationName"] = hex
    save.drop(tank)
    save.at_pixel(100, 100, Wrote(tank.id, "M4A2", "am/x", [], sent_from(hex)), on="Casualties")
    save.at(hex, Wrote("807", "M4A2 Wreck", "am/x"))
    found = told(desk, save, tmp_path)
    assert found.asked["pieces"]["807"] == tank.id
    rows = {row["id"]: row for row in found.asked["state"]["vehicles"]}
    assert rows[tank.id]["status"] == ["wreck"]
    assert rows.keys() == campaign.vehicles.keys()


def test_a_foxhole_without_a_hex_is_the_one_that_was_dragged_onto_the_map(
    desk: OpenCampaign, tmp_path: Path
) -> None:
    save = saved(desk)
    piece, other = (
        made_id(create_view(unrestricted_campaign(desk)).campaign_identity, fort["id"])
        for fort in FOXHOLES
    )
    drop(save, piece)
    drop(save, other)  # its player laid one of his own instead
    for id, hex in ((piece, "N20"), ("808", "N21")):
        save.at(hex, foxhole(id))
    again = told(desk, save, tmp_path)
    assert [again.asked["pieces"][id] for id in (piece, "808")] == ["m-fox-1", "m-fox-2"]
    rows = {row["id"]: row for row in again.asked["state"]["fortifications"]}
    places = [(rows[one["id"]]["location"], rows[one["id"]]["side"]) for one in FOXHOLES]
    assert places == [("N20", "marine"), ("N21", "marine")]
    assert [line for line in changes(desk, again) if line.startswith(("missing", "added"))] == []
