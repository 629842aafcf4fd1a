"""What paper a document is for, and how much of it there is."""

from pathlib import Path

import pytest

from brt_cg.service import demo
from tests.cli.shell import Shell


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return demo.create_demo(tmp_path)


@pytest.mark.parametrize(("paper", "size"), [("letter", "letter"), ("a4", "a4")])
def test_the_paper_size_of_a_page_can_be_chosen(
    brt: Shell, file: Path, paper: str, size: str
) -> None:
    page = brt("export", file, "roster", "--format", "html", "--paper", paper).out
    assert f"size: {size}" in page.lower()


def test_the_full_roster_has_more_than_the_compact_one(brt: Shell, file: Path) -> None:
    compact = brt("export", file, "roster", "--format", "md", "--side", "marine").out
    whole = brt("export", file, "roster", "--format", "md", "--side", "marine", "--full").out
    assert len(whole) > len(compact)
