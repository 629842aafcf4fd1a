"""What VASL's keys of one click make of a counter that is lost: it lives on as what it became."""

from pathlib import Path
from typing import Any

import pytest

from brt_cg.board.locations import ground_hex
from brt_cg.imports.scenario_end import read_scenario_end
from brt_cg.model.campaign import Campaign
from brt_cg.model.counters import Side
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.service.unrestricted import unrestricted_campaign
from brt_cg.vasl.matching import MatchedSave
from brt_cg.views.view import create_view
from tests.vasl.demo_save import save_of
from tests.vasl.test_import import read, taken_in
from tests.vasl.writer import Save, Wrote

HS = "3-4-8 Mhs"


def sent_from(hex: str, **more: str) -> dict[str, str]:
    """What VASSAL notes of a piece that was sent to the Casualties window."""
    return more | {"OldLocationName": hex, "OldMap": "Main Map"}


def at(campaign: Campaign, id: str) -> str:
    counter = campaign.find(id)
    assert counter is not None
    return ground_hex(str(counter.location))


def squads(save: Save, campaign: Campaign, name: str = "6-6-8 Msq") -> list[Wrote]:
    """Squads of that name that are on the map without a weapon."""
    units = campaign.units
    held = {one.possessor for one in campaign.weapons.values()}
    some = [piece for piece in save.pieces() if piece.name == name and piece.id not in held]
    return [one for one in some if not units[one.id].off_map and not units[one.id].status]


def row_of(matched: MatchedSave, id: str) -> dict[str, Any]:
    rows = [row for table in ("units", "vehicles") for row in matched.document[table]]
    (row,) = [row for row in rows if row["id"] == id]
    return row


def new_rows(desk: OpenCampaign, matched: MatchedSave) -> list[str]:
    known = {counter.id for counter in unrestricted_campaign(desk).campaign.counters()}
    rows = [row for table in ("units", "vehicles") for row in matched.document[table]]
    return [row["id"] for row in rows if row["id"] not in known]


@pytest.mark.parametrize("known", [True, False])
def test_a_squad_in_the_bin_and_a_new_hs_are_one_reduced_squad(
    desk: OpenCampaign, tmp_path: Path, known: bool
) -> None:
    """Whether the campaign knows its piece, and VASSAL says of what the HS was made, or neither."""
    save, campaign = (
        save_of(unrestricted_campaign(desk).campaign),
        unrestricted_campaign(desk).campaign,
    )
    squad = squads(save, campaign)[0]
    hex = at(campaign, squad.id)
    if known:
        taken_in(desk, read(desk, save, tmp_path))
    save.drop(squad)
    noted = {"UniqueID": squad.id} if known else {}
    save.at(hex, Wrote("900", HS, "am/x", noted=noted))
    save.at_pixel(
        100,
        100,
        Wrote("901" if not known else squad.id, squad.name, "am/x", [], sent_from(hex)),
        on="Casualties",
    )
    matched = read(desk, save, tmp_path)
    id = matched.pieces["900"]
    assert campaign.units[id].type == "6-6-8"
    assert (id == squad.id) or not known
    assert (row_of(matched, id)["kind"], row_of(matched, id)["fate"]) == ("half_squad", "in_play")
    assert new_rows(desk, matched) == []
    lost = {row["id"] for row in matched.document["units"] if row["fate"] != "in_play"}
    assert lost == {one.id for one in campaign.units.values() if not one.in_play}
    words = f"{HS} ({hex}): assumed to be what is left of {campaign.units[id].label}"
    assert words in [guess.words for guess in matched.guesses if guess.about == id]


def test_a_vehicle_in_the_bin_and_a_new_wreck_in_its_hex_are_one_vehicle(
    desk: OpenCampaign, tmp_path: Path
) -> None:
    save, campaign = (
        save_of(unrestricted_campaign(desk).campaign),
        unrestricted_campaign(desk).campaign,
    )
    tank = next(
        piece
        for piece in save.pieces()
        if piece.name == "M4A2" and not campaign.vehicles[piece.id].status
    )
    hex = at(campaign, tank.id)
    taken_in(desk, read(desk, save, tmp_path))
    save.drop(tank)
    save.at(hex, Wrote("900", "M4A2 Wreck", "am/x"))
    clone = Wrote("901", "M4A2", "am/x", [], sent_from(hex, UniqueID=tank.id))
    save.at_pixel(100, 100, clone, on="Casualties")
    matched = read(desk, save, tmp_path)
    assert matched.pieces["900"] == tank.id
    assert "wreck" in row_of(matched, tank.id)["status"]
    assert new_rows(desk, matched) == []
    desk.undo_or_request()
    taken_in(desk, matched)
    again = read(desk, save, tmp_path)
    assert row_of(again, tank.id)["fate"] == "in_play"
    assert "wreck" in row_of(again, tank.id)["status"]


@pytest.mark.parametrize("turned", [False, True])
def test_the_piece_order_does_not_decide_which_squad_became_a_hs(
    desk: OpenCampaign, tmp_path: Path, turned: bool
) -> None:
    save, campaign = (
        save_of(unrestricted_campaign(desk).campaign),
        unrestricted_campaign(desk).campaign,
    )
    taken_in(desk, read(desk, save, tmp_path))
    dead = [squads(save, campaign)[0], squads(save, campaign, "7-6-8 Msq")[0]]
    for piece in dead[::-1] if turned else dead:
        save.drop(piece)
        sent = Wrote(piece.id, piece.name, "am/x", [], sent_from("N21"))
        save.at_pixel(100, 100, sent, on="Casualties")
    save.at("N21", Wrote("900", HS, "am/x"))
    matched = read(desk, save, tmp_path)
    assert {row_of(matched, piece.id)["fate"] for piece in dead} == {"eliminated"}
    assert new_rows(desk, matched) == [matched.pieces["900"]]
    (words,) = [one.words for one in matched.guesses if one.about == matched.pieces["900"]]
    assert words.startswith(f"{HS} (N21): may be what is left of the ")
    assert {"6-6-8 Msq", "7-6-8 Msq"} <= {
        name for name in ("6-6-8 Msq", "7-6-8 Msq") if name in words
    }


def test_two_hs_made_from_one_squad_are_not_both_that_squad(
    desk: OpenCampaign, tmp_path: Path
) -> None:
    save, campaign = (
        save_of(unrestricted_campaign(desk).campaign),
        unrestricted_campaign(desk).campaign,
    )
    squad = squads(save, campaign)[0]
    hex = at(campaign, squad.id)
    taken_in(desk, read(desk, save, tmp_path))
    save.drop(squad)
    for piece in ("900", "901"):
        save.at(hex, Wrote(piece, HS, "am/x", noted={"UniqueID": squad.id}))
    matched = read(desk, save, tmp_path)
    assert len({matched.pieces["900"], matched.pieces["901"]}) == 2
    assert not [one for one in matched.guesses if "assumed to be what is left" in one.words]


def test_a_side_learns_nothing_of_the_fate_of_enemy_counters(
    desk: OpenCampaign, tmp_path: Path
) -> None:
    save, campaign = (
        save_of(unrestricted_campaign(desk).campaign),
        unrestricted_campaign(desk).campaign,
    )
    squad = squads(save, campaign)[0]
    hex = at(campaign, squad.id)
    taken_in(desk, read(desk, save, tmp_path))
    save.drop(squad)
    save.at(hex, Wrote("900", HS, "am/x"))
    save.at_pixel(
        100, 100, Wrote(squad.id, squad.name, "am/x", [], sent_from(hex)), on="Casualties"
    )
    marine, japanese = (read(desk, save, tmp_path, side) for side in ("marine", "japanese"))
    assert [one.about for one in marine.guesses if "what is left of" in one.words] == [squad.id]
    assert not [one for one in japanese.guesses if "what is left of" in one.words]
    assert "900" not in japanese.pieces


# --- what they are worth --------------------------------------------------------------------------


def worth_by_vasl(points: int) -> tuple[str, str]:
    return "PROP;iCVP;true,0,100,false;Reset CVP", str(points)


def told_of(desk: OpenCampaign, save: Save, tmp_path: Path, side: str = "both") -> list[str]:
    """What is said of Casualty VP as a save is brought in."""
    path = tmp_path / "end.vsav"
    path.write_bytes(save.file().as_zip())
    found = read_scenario_end(create_view(unrestricted_campaign(desk)), path, side, "keep")
    return [str(guess) for guess in found.guesses if "CVP" in guess.words]


def with_losses(desk: OpenCampaign, by_vasl: int) -> Save:
    """A save with a dead squad, and one that VASL reduced, and counted as worth so much."""
    save, campaign = (
        save_of(unrestricted_campaign(desk).campaign),
        unrestricted_campaign(desk).campaign,
    )
    reduced, dead = squads(save, campaign)[:2]
    hex = at(campaign, reduced.id)
    for piece in (dead, reduced):
        save.drop(piece)
    dead.traits.append(worth_by_vasl(2))
    save.at(hex, Wrote("900", HS, "am/x"))
    traits = [worth_by_vasl(by_vasl)]
    clone = Wrote("901", reduced.name, "am/x", traits, sent_from(hex))
    save.at_pixel(100, 100, dead, clone, on="Casualties")
    save.others = [f"GlobalProperty\t;AlliedCVP;{2 + by_vasl};Casualties"]
    return save


def test_vasls_count_of_losses_is_shown_next_to_the_enemys_cvp(
    desk: OpenCampaign, tmp_path: Path
) -> None:
    """VASL's Allied count is of the dead Marines, which the Japanese have amassed."""
    save = with_losses(desk, 1)
    cvp = unrestricted_campaign(desk).campaign.cvp(Side.JAPANESE)
    assert told_of(desk, save, tmp_path) == [
        f"Japanese CVP: {cvp} + 3 for losses in the save = {cvp + 3}; "
        "the Casualties window of VASL shows 3"
    ]


def test_each_counter_that_vasl_scores_differently_is_reported_with_both_values(
    desk: OpenCampaign, tmp_path: Path
) -> None:
    total, counter = told_of(desk, with_losses(desk, 2), tmp_path, "marine")
    assert total.endswith("the Casualties window of VASL shows 4")
    assert f": {HS} (" in counter
    assert counter.endswith("its loss is worth 1 CVP, 2 in VASL")


def test_a_side_sees_no_points_for_the_enemys_dead(desk: OpenCampaign, tmp_path: Path) -> None:
    assert told_of(desk, with_losses(desk, 2), tmp_path, "japanese") == []
