"""`export` on the command line: where it writes, and whose view it says it is."""

from pathlib import Path

import pytest

from brt_cg.cli import main


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "betio.brt"
    assert main(["new", str(path), "--cg", "III"]) == 0
    return path


def test_a_campaign_is_never_overwritten(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = file.read_bytes()
    assert main(["export", str(file), "state", "-o", str(file)]) == 2
    assert f"{file} is a campaign file: give another name to -o" in capsys.readouterr().err
    assert file.read_bytes() == before


def test_an_export_is_written_anew_over_the_last_one(file: Path, tmp_path: Path) -> None:
    out = tmp_path / "state.json"
    for _ in range(2):
        assert main(["export", str(file), "state", "-o", str(out)]) == 0


def test_without_a_side_it_says_that_it_is_the_umpires_view(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    capsys.readouterr()
    main(["export", str(file), "state"])
    assert "umpire's view" in capsys.readouterr().err
    main(["export", str(file), "state", "--side", "marine"])
    assert capsys.readouterr().err == ""
