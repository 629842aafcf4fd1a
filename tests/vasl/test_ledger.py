"""A VASL save of a scenario's end gives the casualty ledger of the same losses that are ticked."""

from pathlib import Path
from random import Random

import pytest

from brt_cg.board.locations import ground_hex
from brt_cg.imports.event_sheet import Ticks
from brt_cg.imports.scenario_end import read_scenario_end
from brt_cg.model.campaign import Campaign
from brt_cg.model.counters import Unit, Vehicle
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.service.unrestricted import unrestricted_campaign
from brt_cg.views.view import create_view
from tests.imports.ways import Ledger, ledger_of, report_of
from tests.settings import count
from tests.vasl.demo_save import save_of


def save_with_losses(campaign: Campaign, seed: int, path: Path) -> None:
    """A save in which some units and vehicles lie in the Casualties window."""
    save = save_of(campaign)
    units: dict[str, Unit | Vehicle] = {**campaign.units, **campaign.vehicles}
    tied = {getattr(one, tie, None) for one in campaign.pieces() for tie in ("guard", "aboard")}
    able = [
        piece
        for piece in save.pieces()
        if (counter := units.get(piece.id)) is not None
        if not (counter.off_map or counter.status or counter.id in tied)
    ]
    for piece in Random(seed).sample(able, 6):
        where = ground_hex(str(units[piece.id].location))
        save.drop(piece)
        piece.noted = {"OldLocationName": where, "OldMap": "Main Map"}
        save.at_pixel(100, 100, piece, on="Casualties")
    path.write_bytes(save.file().as_zip())


def what_happened(before: Campaign, after: Campaign) -> Ticks:
    """The losses that a save told, as they are ticked."""
    found: Ticks = {}
    for was in before.pieces():
        now = after.tables[was.TABLE][was.id]
        if was.in_play and not now.in_play:
            found[was.id] = {"eliminated": ""}
        elif isinstance(was, Unit) and (was.kind, was.strength) != (now.kind, now.strength):
            found[was.id] = {"reduced": ""}
    return found


def copied(desk: OpenCampaign, path: Path) -> OpenCampaign:
    path.write_bytes(Path(str(desk.path)).read_bytes())
    return OpenCampaign.open(path, backs_up=False)


@pytest.mark.parametrize("seed", range(count(2, 30)))
def test_losses_in_a_save_score_the_same_as_ticked_losses(
    desk: OpenCampaign, tmp_path: Path, seed: int
) -> None:
    before = unrestricted_campaign(desk).campaign.clone()
    save_with_losses(before, seed, save := tmp_path / "end.vsav")
    told = read_scenario_end(create_view(unrestricted_campaign(desk)), save, "both", "keep")
    ticked = copied(desk, tmp_path / "ticked.brt")
    desk.run_command("import", told.asked)
    after = unrestricted_campaign(desk).campaign
    lost = what_happened(before, after)
    assert len(lost) >= 3
    report_of(None, lost)(ticked)
    due: Ledger = ledger_of(unrestricted_campaign(ticked).campaign, before)
    ticked.close()
    assert ledger_of(after, before) == due
