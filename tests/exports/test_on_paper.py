"""What the documents look like on paper: boxes that a pencil hits, pages that hold something."""

import re
from functools import cache
from io import BytesIO
from typing import Any

import pytest
import typst
from pypdf import PageObject, PdfReader

from brt_cg.exports import DOCUMENTS, export_document
from brt_cg.exports.paper import Paper, Printing
from brt_cg.exports.writers.as_pdf import PREAMBLE
from brt_cg.model.counters import Side
from brt_cg.views.view import create_view
from tests.exports.journals import JAPANESE, MARINE, demo, play
from tests.settings import crossed

PAPERS = crossed(Side, Paper)
ROW = re.compile(r"^[1-9][a-z] ", re.MULTILINE)  # of a counter: it begins with its code


@cache
def pages(what: str, side: Side, paper: Paper, through: str = "15.6204") -> list[PageObject]:
    """The pages of a document, once the demo's Refit Phase has been played through a paragraph."""
    book = create_view(play(demo(), through=through), side)
    made: Any = export_document(book, what, "pdf", Printing(paper))
    return [*PdfReader(BytesIO(made)).pages]


def is_upright(page: PageObject) -> bool:
    return page.mediabox.width < page.mediabox.height


def test_a_box_is_large_enough_for_a_pencil() -> None:
    measured = "#context [#metadata(measure(box-to-tick).width.mm())<wide>]"
    code = f"{PREAMBLE.read_text('utf-8')}\n{measured}".encode()
    assert float(typst.query(code, "<wide>", field="value", one=True)) == pytest.approx(4)


@pytest.mark.parametrize(("side", "paper"), PAPERS)
def test_no_roster_page_is_nearly_empty(side: Side, paper: Paper) -> None:
    lists = [page for page in pages("roster", side, paper) if is_upright(page)]
    listed = [len(ROW.findall(page.extract_text())) for page in lists]
    assert min(listed) >= 16, listed


@pytest.mark.parametrize("what", ["roster", "scenario-sheet", "hip-sheet"])
def test_counters_are_printed_in_at_least_nine_points(what: str) -> None:
    sizes: list[float] = []

    def note(words: str, at: Any, matrix: Any, font: Any, size: float) -> None:
        if re.search(r"no\. \d+|elite|hidden", words):
            sizes.append(size * abs(matrix[0]) * abs(at[0]))

    for page in pages(what, JAPANESE, Paper.LETTER):
        page.extract_text(visitor_text=note)
    assert sizes
    assert min(sizes) > 8.95


@pytest.mark.parametrize(("side", "paper"), PAPERS)
def test_rolls_are_on_full_portrait_pages(side: Side, paper: Paper) -> None:
    found = pages("dice", side, paper)
    assert all(map(is_upright, found))
    assert len(found) <= 3


@pytest.mark.parametrize(("side", "paper"), PAPERS)
def test_no_page_within_a_chronicle_is_half_empty(side: Side, paper: Paper) -> None:
    *before, _ = pages("chronicle", side, paper)
    assert len(before) <= 4
    for page in before[1:]:
        lowest: list[float] = []

        def note(words: str, at: Any, *rest: Any, found: list[float] = lowest) -> None:
            if words.strip() and at[5] > 60:  # above the footer
                found.append(float(at[5]))

        page.extract_text(visitor_text=note)
        assert min(lowest) < float(page.mediabox.height) / 2


@pytest.mark.parametrize(("side", "paper"), PAPERS)
def test_the_records_of_the_demo_are_one_page(side: Side, paper: Paper) -> None:
    assert len(pages("records", side, paper)) == 1


ABOUT_A_CAMPAIGN = [
    what for what, formats in DOCUMENTS.items() if "html" in formats and what != "guide"
]


@pytest.mark.parametrize("what", ABOUT_A_CAMPAIGN)
@pytest.mark.parametrize("side", [None, MARINE, JAPANESE])
def test_printed_pages_show_the_checksum_in_13_letters(what: str, side: Side | None) -> None:
    book = create_view(demo(), side or MARINE if what == "sheet" else side)
    page = str(export_document(book, what, "html"))
    assert re.search(r"Journal [A-Z2-7]{13}\b", page)
    assert book.head not in page
