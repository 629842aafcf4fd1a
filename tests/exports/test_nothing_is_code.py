"""Names and notes come out as the text that they are, in every format."""

import csv
import json
from html.parser import HTMLParser
from io import BytesIO, StringIO
from pathlib import Path
from typing import Any

import pytest
from openpyxl import load_workbook
from pypdf import PdfReader

from brt_cg.exports import DOCUMENTS, export_document
from brt_cg.exports.blocks import (
    Bullets,
    Document,
    PageHeader,
    SectionBlock,
    Sheet,
    TableBlock,
    TextBlock,
)
from brt_cg.exports.writers import as_csv, as_html, as_md, as_pdf, as_xlsx
from brt_cg.exports.writers.as_csv import guard_formula
from brt_cg.imports.state_file import read_csv_folder
from brt_cg.journal.journal import Journal
from brt_cg.views.view import create_view
from tests.exports.journals import MARINE, new, squad, state, take_in

NASTY = (
    "=1+1",
    "+1-1",
    "-2+3",
    "@SUM(A1)",
    "'=1+1",
    "<script>alert(1)</script>",
    "</style><b>",
    "a|b",
    "`code`",
    "# heading",
    "1. first",
    "- dash",
    "[link](http://example.org)",
    "![picture](x)",
    "&lt;b&gt;",
    '\\u{41} "quoted" #let x = 1',
    "]#panic(1)[",
    "$x^2$",
    "_x0041_",
    "*bold* _it_ ~~no~~",
    "Straße 日本",
)
BROKEN = ("two\nlines", "tab\there", "bell\x07", "nul\x00", "turn\u202eround", "half\ud800")


def named(name: str) -> Journal:
    return take_in(new(), state(squad("m-ldr-1", "N19", name=name)))


def document(first: str, *more: str) -> Document:
    """One that holds words wherever words can be, the first of them also in its head."""
    return Document(
        first,
        lambda: PageHeader(first, "20 AM", first, "0" * 64),
        {},
        lambda: [Sheet("words", ("words",), [{"words": words} for words in (first, *more)])],
        lambda: [
            SectionBlock(
                words, [TextBlock(words), Bullets([words]), TableBlock([words], [[words]])]
            )
            for words in (first, *more)
        ],
    )


class Reader(HTMLParser):
    """The texts of a page, and the tags in it."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.texts: list[str] = []
        self.tags: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.tags.append(tag)

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


@pytest.mark.parametrize("words", NASTY)
def test_html_escapes_all_text(words: str) -> None:
    page, plain = (Reader(as_html.write_html(document(one))) for one in (words, "words"))
    assert page.texts.count(words) == plain.texts.count("words")
    assert page.tags == plain.tags


@pytest.mark.parametrize("words", NASTY)
def test_a_page_has_no_script_and_loads_nothing(words: str) -> None:
    page = as_html.write_html(document(words))
    assert "<script" not in page
    assert "src=" not in page
    assert "url(" not in page


@pytest.mark.parametrize("words", NASTY)
def test_a_worksheet_holds_words_and_no_formula(words: str) -> None:
    sheet = load_workbook(BytesIO(as_xlsx.write_xlsx(document(words))))["words"]
    assert sheet["A2"].data_type == "s"
    assert sheet["A2"].value.replace("_x005F_", "_") == words


@pytest.mark.parametrize("words", NASTY)
def test_no_cell_of_a_csv_file_begins_a_formula(words: str) -> None:
    [_, [cell]] = csv.reader(StringIO(str(as_csv.write_csv(document(words)))))
    assert cell[0] not in "=+-@\t\r"
    assert words in (cell, cell[1:])


@pytest.mark.parametrize("name", [one for one in NASTY if one == one.strip()])
def test_a_name_is_read_back_from_csv_unchanged(name: str, tmp_path: Path) -> None:
    files = export_document(create_view(named(name)), "state", "csv")
    assert isinstance(files, dict)
    for file, text in files.items():
        (tmp_path / file).write_text(text, "utf-8")
    assert read_csv_folder(tmp_path).document["units"][0]["name"] == name


def test_an_own_apostrophe_is_distinguished_from_the_formula_guard() -> None:
    assert [guard_formula(one) for one in ("=1", "'=1", "'n", "9-1", "−1")] == [
        "'=1",
        "''=1",
        "'n",
        "9-1",
        "−1",
    ]


def test_a_pdf_shows_text_unchanged() -> None:
    """As a heading, a text, a bullet, and as the heading and the cell of a table."""
    nasty = [one for one in reversed(NASTY) if "日" not in one]
    pages = PdfReader(BytesIO(as_pdf.write_pdf(document(*nasty)))).pages
    shown = "".join("".join(page.extract_text().split()) for page in pages)
    assert [one for one in nasty if shown.count("".join(one.split())) < 4] == []


@pytest.mark.parametrize("words", NASTY)
def test_markdown_escapes_all_text(words: str) -> None:
    """What a reader of Markdown would act on has a backslash before it."""
    told = as_md.md_table(["x"], [[words]])[2]
    bare = told.strip("| ").replace("\\\\", "")
    for sign in "`*<>|[]":
        assert bare.count(sign) == bare.count(f"\\{sign}"), told


def test_a_line_of_markdown_begins_no_heading_list_or_rule() -> None:
    lines = str(as_md.write_md(document("# heading"))).splitlines()
    assert lines[0] == "# # heading"
    assert r"\# heading" in lines
    assert r"- \# heading" in lines
    assert r"1\. first" in as_md.write_md(document("1. first")).splitlines()


@pytest.mark.parametrize("words", BROKEN)
def test_control_characters_are_shown_as_unreadable(words: str) -> None:
    for write in (as_html.write_html, as_md.write_md):
        text = write(document(words))
        assert not {"\x00", "\x07", "\u202e", "\ud800"} & set(text)
        assert "two\nlines" not in text
    assert load_workbook(BytesIO(as_xlsx.write_xlsx(document(words))))["words"]["A2"].value


def test_a_pdf_can_be_made_from_control_characters() -> None:
    assert as_pdf.write_pdf(document(*BROKEN)).startswith(b"%PDF")


@pytest.mark.parametrize("what", DOCUMENTS)
def test_every_document_can_show_every_name(what: str) -> None:
    """Names as nasty as a campaign can hold: what is not printable it refuses."""
    journal = named("=<b>|`]#panic(1)[")
    for format in DOCUMENTS[what]:
        assert export_document(create_view(journal, MARINE), what, format)
    assert (
        json.loads(str(export_document(create_view(journal), "state", "json")))["units"][0]["name"]
        == "=<b>|`]#panic(1)["
    )
