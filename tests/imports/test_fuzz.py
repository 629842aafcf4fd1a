"""Files as accidents leave them: every importer refuses one by name, or reads it cleanly."""

import io
import sys
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

import pytest

from brt_cg.catalogue import load_catalogue
from brt_cg.exports import export_document
from brt_cg.imports.hex_lines import parse_counter_locations
from brt_cg.imports.order_line import reinforce_inputs
from brt_cg.imports.order_lines import parse_order_lines
from brt_cg.imports.text_files import read_stdin
from brt_cg.model.counters import Side
from brt_cg.model.numbered_lists import numbered_lists
from brt_cg.questions.answers import RefusedError
from brt_cg.vasl.savefile import read_save
from brt_cg.views.view import create_view
from tests.faults.readers import Readers, journal, take
from tests.imports.mutants import STRANGE
from tests.settings import count
from tests.vasl.demo_save import save_of

TIMES = count(12, 2000)  # files of each kind


@pytest.mark.parametrize(
    "kind", ["state.json", "state.csv", "state.xlsx", "end.vsav", "answers.json"]
)
def test_a_damaged_file_is_refused_by_name_or_read_cleanly(kind: str, tmp_path: Path) -> None:
    readers = Readers(tmp_path)
    for number in range(TIMES):
        assert [*readers.problems(f"{number} {kind}")] == []


def test_a_workbook_with_strange_cells_is_read_or_refused(tmp_path: Path) -> None:
    from openpyxl import load_workbook

    path, first = tmp_path / "state.xlsx", tmp_path / "first.xlsx"
    first.write_bytes(bytes(export_document(create_view(journal()), "template", "xlsx")))  # type: ignore[arg-type]
    found = load_workbook(first)
    for number in range(TIMES):
        random = Random(f"cells {number}")
        before = []
        for _ in range(3):
            sheet = random.choice(found.worksheets)
            cell = sheet.cell(random.randint(1, 8), random.randint(1, 12))
            before.append((cell, cell.value))
            cell.value = random.choice([one for one in STRANGE if _fits_a_cell(one)])
        found.save(path)
        with suppress(RefusedError):
            take(path)
        for cell, value in reversed(before):
            cell.value = value


def _fits_a_cell(value: Any) -> bool:
    return not isinstance(value, list | dict) and value not in ("\0", "\ud800")


def test_a_save_is_written_back_unchanged(tmp_path: Path) -> None:
    path = tmp_path / "end.vsav"
    path.write_bytes(save_of(journal().campaign).file().as_zip())
    assert read_save(path).as_zip() == path.read_bytes()


class Endless(io.TextIOBase):
    """A stream that gives as much as is asked for."""

    def read(self, most: int | None = -1) -> str:
        assert most is not None
        assert 0 < most < 10**9, "it is asked for all that there is"
        return "x" * most


def test_an_input_stream_that_never_ends_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", Endless())
    with pytest.raises(RefusedError, match="standard input is larger than 64 MB"):
        read_stdin()


def test_standard_input_that_is_not_text_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"\xff\xfe\x80"), "utf-8"))
    with pytest.raises(RefusedError, match="standard input: not text in UTF-8"):
        read_stdin()


@pytest.mark.posix
def test_a_save_that_never_ends_is_refused() -> None:
    with pytest.raises(RefusedError, match="larger than 64 MB"):
        read_save(Path("/dev/zero"))


HUGE = ("9" * 5000, "1-" + "9" * 12, "9" * 12)


@pytest.mark.parametrize("number", HUGE)
@pytest.mark.parametrize("text", ["M1: N18 {}", "N18 {}", "M{}: N18 1", "N18 M1:{}"])
def test_a_huge_number_names_no_counter_of_a_list(text: str, number: str) -> None:
    lists = numbered_lists(journal().campaign, Side.MARINE)
    with pytest.raises(RefusedError):
        parse_counter_locations(text.format(number), lists)


@pytest.mark.parametrize("number", HUGE)
@pytest.mark.parametrize("text", ["{} x 6-6-8", "2 x 6-6-8 {}", "6-6-8 in {} x LVT2"])
def test_a_huge_number_counts_no_counters(text: str, number: str) -> None:
    campaign, card = journal().campaign, journal().card
    lines = parse_order_lines(text.format(number), Side.MARINE, campaign, card, load_catalogue())
    with pytest.raises(RefusedError):
        reinforce_inputs(lines)
