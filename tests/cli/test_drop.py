"""`drop`: an order of battle by lines is corrected before the first scenario."""

from pathlib import Path

from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.service.unrestricted import unrestricted_campaign
from tests.cli.shell import Shell


def test_counters_and_arrivals_are_dropped_and_restored(brt: Shell, tmp_path: Path) -> None:
    lines = tmp_path / "card.txt"
    lines.write_text("3 x 6-6-8\n20 NT: 2 x 6-6-8\n", "utf-8")
    brt("new", "c.brt", "--cg", "III")
    brt("reinforce", "c.brt", str(lines), "--side", "marine")
    done = brt("drop", "c.brt", "m-sq-1", "m-sq-2", "--side", "marine")
    assert (done.code, done.err) == (0, "")
    assert "2 counters leave the order of battle: 2 × 6-6-8" in done.out
    assert brt("drop", "c.brt", "am1").code == 0
    campaign = unrestricted_campaign(OpenCampaign.open(tmp_path / "c.brt")).campaign
    assert [*campaign.units] == ["m-sq-3"]
    assert not campaign.arrivals
    brt("undo", "c.brt")
    assert [*unrestricted_campaign(OpenCampaign.open(tmp_path / "c.brt")).campaign.arrivals] == [
        "am1"
    ]
    refused = brt("drop", "c.brt", "m-sq-9")
    assert (refused.code, "m-sq-9 is not in the order of battle" in refused.err) == (2, True)


def test_squads_deploy_before_the_first_scenario(brt: Shell, tmp_path: Path) -> None:
    lines = tmp_path / "card.txt"
    lines.write_text("2 x 7-6-8\n", "utf-8")
    brt("new", "c.brt", "--cg", "III")
    brt("reinforce", "c.brt", str(lines), "--side", "marine")
    done = brt("deploy", "c.brt", "m-sq-1", "--side", "marine")
    assert (done.code, done.err) == (0, "")
    assert "Deploys into 3-4-8 HS no. 1 and 3-4-8 HS no. 3 (freely)" in done.out
    assert brt("deploy", "c.brt", "m-sq-2", "--side", "japanese").code == 2
    assert brt("audit", "c.brt", "--strict").code == 0
    brt("undo", "c.brt")
    assert [*unrestricted_campaign(OpenCampaign.open(tmp_path / "c.brt")).campaign.units] == [
        "m-sq-1",
        "m-sq-2",
    ]
