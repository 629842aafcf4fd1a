"""What this machine remembers a campaign by: not the way its path is spelled."""

import os
import shutil
from pathlib import Path

import pytest

from brt_cg.model.counters import Side
from brt_cg.service import open_campaign
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.service.stored_journal import random_key
from brt_cg.tui.memory.pins import SharedScreenSettings


def identity(path: Path) -> str:
    return OpenCampaign.open_read_only(path).name_in_local_memory


@pytest.fixture
def keyed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A campaign as a player makes it, with a random key."""
    monkeypatch.setattr(open_campaign, "random_key", random_key)
    path = tmp_path / "w" / "hs.brt"
    path.parent.mkdir()
    OpenCampaign.create(path, {"cg": "III"}, clock=lambda: "2026-01-01T12:00:00Z").close()
    return path


def test_two_campaigns_begun_in_one_second_are_distinguished(keyed: Path) -> None:
    other = keyed.with_name("other.brt")
    OpenCampaign.create(other, {"cg": "III"}, clock=lambda: "2026-01-01T12:00:00Z").close()
    assert identity(keyed) != identity(other)


def test_a_moved_folder_keeps_its_pins(keyed: Path) -> None:
    SharedScreenSettings.load(identity(keyed)).set_pin(Side.MARINE, "4711")
    moved = keyed.parent.rename(keyed.parent.with_name("elsewhere")) / keyed.name
    assert SharedScreenSettings.load(identity(moved)).is_pin_correct(Side.MARINE, "4711")


@pytest.mark.posix
def test_a_pin_applies_however_the_path_is_spelled(
    keyed: Path, demo_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for path in (keyed, demo_file):  # an older campaign has no key
        monkeypatch.chdir(path.parent)
        link = path.with_name(f"link {path.name}")
        link.symlink_to(path)
        SharedScreenSettings.load(identity(path)).set_pin(Side.MARINE, "4711")
        here = Path("..") / path.parent.name / path.name
        for spelled in (Path(path.name), here, link, Path(os.path.relpath(link))):
            assert SharedScreenSettings.load(identity(spelled)).is_pin_correct(Side.MARINE, "4711")


def test_copies_of_an_older_campaign_are_distinguished_by_path(demo_file: Path) -> None:
    copy = Path(shutil.copy(demo_file, demo_file.with_name("what-if.brt")))
    assert identity(copy) != identity(demo_file)


def test_a_pin_set_by_version_1_0_still_works_and_can_be_removed(demo_file: Path) -> None:
    before, now = f"{demo_file} 0123", identity(demo_file)
    SharedScreenSettings.load(before).set_pin(Side.MARINE, "4711")
    found = SharedScreenSettings.load(now, before)
    assert found.is_pin_correct(Side.MARINE, "4711")
    found.set_pin(Side.MARINE, "")
    assert not SharedScreenSettings.load(now, before).has_pin(Side.MARINE)
