"""The guide to an evening on the command line."""

from pathlib import Path

import pytest

from brt_cg.exports.guide import WIDTH, demo_figures, guide_sections
from brt_cg.text import shell_words
from tests.cli.shell import Shell
from tests.exports.test_guide import COMMAND


@pytest.mark.parametrize("words", [(), ("--faq",)], ids=["guide", "faq"])
def test_the_guide_is_printed_without_a_campaign_in_lines_of_a_terminal(
    brt: Shell, tmp_path: Path, words: tuple[str, ...]
) -> None:
    got = brt("guide", *words)
    assert (got.code, got.err) == (0, "")
    wide = [line for line in got.out.splitlines() if len(line) > WIDTH]
    assert [line for line in wide if "brt-cg" not in line] == []
    assert [*tmp_path.iterdir()] == []


def test_the_guide_contains_the_numbers(brt: Shell) -> None:
    told = " ".join(brt("guide").out.split())
    figures = demo_figures()
    assert [
        name for name, value in figures.items() if " ".join(str(value).split()) not in told
    ] == []
    assert "$" not in told
    assert "{" not in told


def test_a_campaign_from_paper_begins_as_the_guide_says(brt: Shell, tmp_path: Path) -> None:
    [section] = [one for one in guide_sections() if one.title == "Continuing a campaign from paper"]
    for line in section.lines:
        for command in COMMAND.findall(line):
            if command.startswith("brt-cg") and "import" not in command:
                assert brt(*shell_words(command)[1:]).code == 0, command
    assert (tmp_path / "now.xlsx").stat().st_size > 0


def test_exporting_the_guide_changes_no_campaign(brt: Shell, demo_file: Path) -> None:
    before = demo_file.read_bytes()
    got = brt("export", demo_file, "guide")
    assert (got.code, got.err) == (0, "")
    assert "# A guide to an evening of play" in got.out
    assert demo_file.read_bytes() == before
