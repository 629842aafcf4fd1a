"""The state of a campaign that an older program played is imported by a new campaign as it is."""

import json
from pathlib import Path

import pytest

from brt_cg.commands.state_document import build_state_document
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.service.unrestricted import unrestricted_campaign
from tests.cli.shell import Shell
from tests.kept.stops import KEPT, stop


@pytest.mark.parametrize("format", ["json", "csv", "xlsx"])
def test_a_state_with_types_unknown_today_round_trips_unchanged(
    format: str, brt: Shell, tmp_path: Path
) -> None:
    """Its 60mm MTR has WP depleted, which the first catalogue said that it had."""
    kept, new = tmp_path / "kept.brt", tmp_path / "new.brt"
    stop(KEPT[0], "scenario", kept)
    exported = tmp_path / f"state.{format}" if format != "csv" else tmp_path / "state"
    assert brt("export", kept, "state", "--format", format, "-o", exported).code == 0
    assert brt("new", new, "--cg", "III").code == 0
    got = brt("import", new, exported, "--yes")
    assert got.code == 0, got
    assert "the 60mm MTR never had WP in November 1943; enter IR" in got.out + got.err
    one, other = (
        json.dumps(
            build_state_document(unrestricted_campaign(OpenCampaign.open_read_only(path)).campaign)
        )
        for path in (kept, new)
    )
    assert one == other
