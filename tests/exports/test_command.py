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
    assert f"{file} is a campaign file; choose another name" in capsys.readouterr().err
    assert file.read_bytes() == before


def test_an_export_overwrites_the_previous_one(file: Path, tmp_path: Path) -> None:
    out = tmp_path / "state.json"
    for _ in range(2):
        assert main(["export", str(file), "state", "-o", str(out)]) == 0


def test_a_hyphen_is_standard_output_and_no_file(
    file: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["export", str(file), "guide"]) == 0
    printed = capsys.readouterr().out
    assert main(["export", str(file), "guide", "-o", "-"]) == 0
    assert capsys.readouterr().out == printed
    assert not Path("-").exists()


def test_an_export_without_a_side_is_marked_as_the_umpires_view(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    capsys.readouterr()
    main(["export", str(file), "state"])
    assert "Umpire view" in capsys.readouterr().err
    main(["export", str(file), "state", "--side", "marine"])
    assert capsys.readouterr().err == ""


def test_a_missing_format_or_document_is_refused_with_the_available_ones(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["export", str(file), "sheet", "--side", "marine", "--format", "svg"]) == 2
    assert (
        "sheet has no format 'svg'; enter md, json, csv, html, xlsx, pdf" in capsys.readouterr().err
    )
    assert main(["export", str(file), "weather"]) == 2
    assert "enter roster, scenario-sheet, hip-sheet, scenario-card" in capsys.readouterr().err


def test_a_binary_format_needs_a_file(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["export", str(file), "roster", "--format", "pdf"]) == 2
    assert "pdf cannot be printed as text; name a file with -o FILE" in capsys.readouterr().err


def test_a_pdf_is_written_unchanged(file: Path, tmp_path: Path) -> None:
    out = tmp_path / "roster.pdf"
    assert main(["export", str(file), "roster", "--format", "pdf", "-o", str(out)]) == 0
    assert out.read_bytes().startswith(b"%PDF")


def test_only_the_roster_has_a_full_form(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    whole = ["export", str(file), "roster", "--full", "--paper", "a4", "--side", "marine"]
    assert main(whole) == 0
    assert "Setup rosters" in capsys.readouterr().out
    assert main(["export", str(file), "map", "--full"]) == 2
    assert "map has no full version; choose roster" in capsys.readouterr().err


def test_the_chronicle_and_the_map_have_a_public_version(
    file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "story.html"
    assert main(["export", str(file), "chronicle", "--side", "public", "-o", str(out)]) == 0
    assert "umpire" not in capsys.readouterr().err
    page = out.read_text("utf-8")
    assert "What both sides know" in page
    assert "Journal" not in page
    assert out.stat().st_mode & 0o044, "a page for friends may be read by others"
    assert main(["export", str(file), "roster", "--side", "public"]) == 2
    assert "has no public version; choose map, chronicle" in capsys.readouterr().err


def test_the_guide_has_the_same_public_version(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It was refused: "guide has no public version"."""
    assert main(["export", str(file), "guide"]) == 0
    usual = capsys.readouterr().out
    assert main(["export", str(file), "guide", "--side", "public"]) == 0
    assert capsys.readouterr().out == usual
