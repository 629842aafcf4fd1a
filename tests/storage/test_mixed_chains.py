"""Campaigns that an earlier program began and today's went on with: entries of both forms in one
chain, and nothing on either side of the seam can be changed unnoticed."""

import gzip
from pathlib import Path

import pytest

from brt_cg.audit import audit_campaign
from brt_cg.model.counters import Side
from brt_cg.model.encoding import FORM
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.service.unrestricted import unrestricted_campaign
from brt_cg.views.view_chain import view_hashes
from tests.audit.forger import Forger, codes
from tests.storage.test_kept_files import FILES, SOME, brt, play_a_phase

pytestmark = pytest.mark.usefixtures("made_again_once")

SEATS = (None, *Side)
OF_THE_FIRST_FORM = [name for name in SOME if name < "0003"]
Heads = dict[Side | None, str]


def heads_of(path: Path) -> Heads:
    """The head of each seat's chain (None: the umpire's)."""
    journal = unrestricted_campaign(OpenCampaign.open_read_only(path))
    own: Heads = {side: view_hashes(journal, side)[-1] for side in Side}
    return own | {None: str(journal.head)}


@pytest.fixture(scope="module", params=OF_THE_FIRST_FORM)
def mixed(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, Heads, Heads]:
    """A kept campaign, played on for a whole Refit Phase; the heads before and after."""
    path = tmp_path_factory.mktemp("mixed") / f"{request.param}.brt"
    path.write_bytes(gzip.decompress((FILES / f"{request.param}.brt.gz").read_bytes()))
    before = heads_of(path)
    play_a_phase(path)
    assert brt("note", path, "well fought") == 0
    return path, before, heads_of(path)


@pytest.mark.parametrize("side", SEATS)
def test_a_chain_of_both_forms_contains_each_noted_checksum(
    side: Side | None, mixed: tuple[Path, Heads, Heads]
) -> None:
    path, before, after = mixed
    forms = [
        entry.record_form
        for entry in unrestricted_campaign(OpenCampaign.open_read_only(path)).entries
    ]
    assert forms == sorted(forms)
    assert {*forms} == {1, FORM}
    for head in (before[side], after[side]):
        report = audit_campaign(path, head=head, side=side)
        assert report.ok, report.text()


@pytest.mark.parametrize("form", [1, FORM])
def test_a_changed_link_on_either_side_of_the_seam_is_found(
    form: int, mixed: tuple[Path, Heads, Heads], tmp_path: Path
) -> None:
    path, _, after = mixed
    forged = tmp_path / "forged.brt"
    forged.write_bytes(path.read_bytes())
    forger = Forger(forged)
    public = (
        payload
        for payload in forger.payloads
        if payload.get("form", 1) == form
        and ("roll" in payload or payload["kind"] in ("import", "note"))
        and "secret" not in payload
    )
    next(public)["at"] = "1943-11-20T09:00:00Z"
    forger.seal()
    for side in SEATS:
        assert "head" in codes(audit_campaign(forged, head=after[side], side=side)), side
