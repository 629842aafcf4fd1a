"""The points of a CG card, copied into a TOML file."""

from pathlib import Path

from brt_cg.card import load_card
from brt_cg.imports.text_files import read_allotments_file
from tests.commands.campaigns import DEMO, new, problems


def test_the_demos_allotments_file_is_accepted_by_new() -> None:
    found = read_allotments_file(DEMO / "allotments.toml", load_card("III"))
    assert new(allotments=found).allotments["japanese/green"].exponent == 1


def test_a_problem_is_reported_with_the_file_name(tmp_path: Path) -> None:
    path = tmp_path / "points.toml"
    path.write_text('[japanese.green]\ngpp = "many"\n[marine]\ncapp = 3\n', encoding="utf-8")
    assert problems(lambda: read_allotments_file(path, load_card("I"))) == [
        'points.toml: japanese.green.gpp: "many" is not accepted; enter a whole number from 0 to '
        "9999",
        "points.toml: marine.capp: GPP and CAPP are for Japanese beaches; allowed here: fpp "
        "(15.614)",
    ]


def test_a_file_that_is_not_toml_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "points.toml"
    path.write_text("[japanese", encoding="utf-8")
    assert problems(lambda: read_allotments_file(path, load_card("III")))[0].startswith(
        f"{path}: not TOML: "
    )


def test_a_file_nested_too_deeply_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "points.toml"
    path.write_text(f"gpp = {'[' * 5000}{']' * 5000}", encoding="utf-8")
    assert problems(lambda: read_allotments_file(path, load_card("III"))) == [
        f"{path}: not TOML: nested too deeply"
    ]
