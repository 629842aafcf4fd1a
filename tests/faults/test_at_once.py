"""Everything that uses a campaign does so at once: what was acknowledged is there, and in order."""

from pathlib import Path

import pytest

from brt_cg.service import demo
from brt_cg.storage.place import Address, Place
from brt_cg.storage.store import copy_campaign
from tests.faults.at_once import at_once
from tests.settings import count
from tests.web.serving import at_its_first_question

SECONDS = count(ci=3, full=600)


@pytest.fixture(params=["file", pytest.param("server", marks=pytest.mark.postgres)])
def campaign(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    (folder := tmp_path / "campaign").mkdir()
    file = demo.create_demo(folder)
    at_its_first_question(file)
    if request.param == "file":
        return file
    address: Address = request.getfixturevalue("address")
    copy_campaign(file, address)
    return address


@pytest.mark.real_time
def test_acknowledged_entries_of_simultaneous_writers_are_stored(
    campaign: Place, tmp_path: Path
) -> None:
    (folder := tmp_path / "ledger").mkdir()
    outcome = at_once(campaign, SECONDS, folder)
    assert outcome.problems == []
    for done in ("screen stored", "command stored", "pages answered", "auditor audited"):
        assert outcome.counts[done], outcome.text()
