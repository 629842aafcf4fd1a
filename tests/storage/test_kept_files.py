"""Campaigns that earlier programs played: read, folded and audited alike, and played on with."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from brt_cg.cli import main

FILES = Path(__file__).parent / "files"
KEPT = sorted(path.name.removesuffix(".brt.gz") for path in FILES.glob("*.brt.gz"))


@pytest.fixture(params=KEPT)
def kept(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    return name


@pytest.fixture
def campaign(kept: str, tmp_path: Path) -> Path:
    """A copy of a kept campaign, to do as one likes with."""
    path = tmp_path / f"{kept}.brt"
    path.write_bytes(gzip.decompress((FILES / f"{kept}.brt.gz").read_bytes()))
    return path


def brt(*words: object) -> int:
    return main([str(word) for word in words])


def state_of(campaign: Path) -> dict[str, Any]:
    out = campaign.with_suffix(".json")
    assert brt("export", campaign, "state", "-o", out) == 0
    state: dict[str, Any] = json.loads(out.read_text("utf-8"))
    return state


def differences(kept: Any, found: Any, place: str = "state") -> list[str]:
    """Where what was kept is not found as it was; fields that were added since do not count."""
    if isinstance(kept, dict) and isinstance(found, dict):
        missing = [f"{place}.{key} is gone" for key in kept.keys() - found.keys()]
        both = sorted(kept.keys() & found.keys())
        below = [differences(kept[key], found[key], f"{place}.{key}") for key in both]
        return missing + [each for some in below for each in some]
    if isinstance(kept, list) and isinstance(found, list) and len(kept) == len(found):
        pairs = enumerate(zip(kept, found, strict=True))
        below = [differences(*pair, f"{place}[{number}]") for number, pair in pairs]
        return [each for some in below for each in some]
    return [] if kept == found else [f"{place}: {kept!r} was kept, {found!r} is found"]


def test_campaigns_of_each_kind_are_kept() -> None:
    assert len(KEPT) >= 2


def test_a_kept_campaign_folds_to_the_state_it_was_kept_with(campaign: Path, kept: str) -> None:
    state = json.loads(gzip.decompress((FILES / f"{kept}.json.gz").read_bytes()))
    if state["scenario"]["winner"] is None:  # an export told those of the last
        state["facts"]["pillbox_vp"] = 0
    assert differences(state, state_of(campaign)) == []


@pytest.mark.usefixtures("made_again_once")
def test_the_audit_finds_no_breach_in_a_kept_campaign(
    campaign: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for seat in ([], ["--side", "marine"], ["--side", "japanese"]):
        assert brt("audit", campaign, *seat) == 0, (seat, capsys.readouterr())


def test_a_kept_campaign_is_played_on_with(
    campaign: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    if _phase(campaign, capsys) == "scenario":
        state = state_of(campaign)
        state["sides"]["marine"]["cvp"] += 3
        situation = campaign.with_name("next.json")
        situation.write_text(json.dumps(state))
        assert brt("import", campaign, situation, "--yes", "--missing", "keep") == 0
    assert _phase(campaign, capsys) == "refit"
    assert brt("refit", campaign, "--auto", "--seed", 9) == 0
    assert _phase(campaign, capsys) == "scenario"
    assert brt("undo", campaign) == 0
    assert brt("redo", campaign) == 0
    assert brt("audit", campaign) == 0, capsys.readouterr()


def _phase(campaign: Path, capsys: pytest.CaptureFixture[str]) -> str:
    capsys.readouterr()
    assert brt("status", campaign, "--json") == 0
    phase: str = json.loads(capsys.readouterr().out)["phase"]
    return phase
