"""A private catalogue changes no figure unnoticed: the log, `explain` and the audit say so, on
another machine too."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from brt_cg.catalogue.types import own_catalogue_path
from brt_cg.cli import main
from brt_cg.service import mail
from brt_cg.service.open_campaign import OpenCampaign
from tests.cli.test_catalogue import take, tank

OWN = "crew survival 12 (shipped: 5), CVP 1 (shipped: 6)"
LOG = ("export", "journal", "--format", "json")
SAID = f"M4A2 no. 1: {OWN}"


@pytest.fixture(autouse=True)
def _a_catalogue_of_his_own() -> Iterator[None]:
    assert main(["catalogue", "edit", "M4A2", "crew_survival=12", "cvp=1"]) == 0
    yield
    own_catalogue_path().unlink(missing_ok=True)


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[OpenCampaign]:
    desk = OpenCampaign.create(tmp_path / "c.brt", {"cg": "III", "name": None, "allotments": None})
    yield desk
    desk.close()


def tanks(*ids: str, **fields: Any) -> dict[str, Any]:
    vehicles = [tank(id, "M4A2", location="off_map") | fields for id in ids]
    return {"format": "brt-cg/state", "version": 1, "vehicles": vehicles}


def said(path: Path, capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str]:
    capsys.readouterr()
    status = main([words[0], str(path), *words[1:]])
    return status, capsys.readouterr().out


def test_a_reinforcement_with_own_values_is_reported(
    desk: OpenCampaign, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    desk.run_command("reinforce", {"state": tanks("m-tk-1"), "source": "oob.json"})
    own_catalogue_path().unlink()  # the other player's machine
    path = tmp_path / "c.brt"
    for side in ("marine", "japanese"):
        assert SAID in said(path, capsys, *LOG, "--side", side)[1]
        assert (
            f"differs from brt-cg's own catalog: {OWN}"
            in (said(path, capsys, "explain", "m-tk-1", "--side", side)[1])
        )
        status, told = said(path, capsys, "audit", "--side", side)
        assert status == 0
        assert f"M4A2 differs from brt-cg's own catalog: {OWN} [m-tk-1]" in told
        assert said(path, capsys, "audit", "--side", side, "--strict")[0] == 1


def test_an_arrival_and_an_import_with_own_values_are_reported(
    desk: OpenCampaign, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    later = {"date": "20 NT", "wave": "2", "lines": "M4A2"}
    desk.run_command("reinforce", {"state": tanks("m-tk-1"), "source": "oob.json"} | later)
    assert SAID.replace("no. 1", "m-tk-1") in said(tmp_path / "c.brt", capsys, *LOG)[1]
    take(desk, vehicles=[tank("m-tk-2", "M4A2")])
    assert SAID in said(tmp_path / "c.brt", capsys, *LOG)[1]


def test_a_gun_bought_with_own_values_is_reported_to_its_side_alone(
    desk: OpenCampaign, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["catalogue", "edit", "HMG", "repair_number=6", "--side", "japanese"]) == 0
    points = {"gpp": 20, "capp": 0, "exponent": 0, "fpp": 0}
    desk.run_command("allot", {"side": "japanese", "beach": "red_one"} | points, "japanese")
    asked = {"item": "hmg", "side": "japanese", "beach": "red_one", "quantity": 1}
    desk.run_command("buy", asked, "japanese")
    own = "Repair Number 6 (shipped: 3)"
    path = tmp_path / "c.brt"
    for view in (LOG, ("audit",)):
        assert own in said(path, capsys, *view, "--side", "japanese")[1]
        assert "shipped" not in said(path, capsys, *view, "--side", "marine")[1]


def test_own_values_equal_to_the_originals_are_not_reported(
    desk: OpenCampaign, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["catalogue", "edit", "M4A2", "crew_survival=5", "cvp=6"]) == 0
    desk.run_command("reinforce", {"state": tanks("m-tk-1"), "source": "oob.json"})
    for view in (LOG, ("explain", "m-tk-1"), ("audit",)):
        assert "shipped" not in said(tmp_path / "c.brt", capsys, *view)[1]


def test_a_mail_with_own_values_says_so(desk: OpenCampaign, tmp_path: Path) -> None:
    first = tmp_path / "first.brtmail"
    mail.write_mail_file(desk, first, None, begins=True)
    theirs = tmp_path / "theirs.brt"
    mail.receive_mail(theirs, first, None)
    desk.run_command("reinforce", {"state": tanks("m-tk-1"), "source": "oob.json"})
    later = tmp_path / "later.brtmail"
    mail.write_mail_file(desk, later, None, begins=True)
    own_catalogue_path().unlink()
    got = mail.receive_mail(theirs, later, None)
    assert f"M4A2 differs from brt-cg's own catalog: {OWN}" in got.notices
