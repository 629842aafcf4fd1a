"""What a reader counts in a roster is the same in every format: per place, side and type."""

import csv
import json
import re
from collections import Counter
from html.parser import HTMLParser
from io import BytesIO, StringIO
from pathlib import Path
from typing import Any

import pytest
from openpyxl import load_workbook
from pypdf import PdfReader

from brt_cg.exports import build_document, render_document
from brt_cg.exports.blocks import Document
from brt_cg.exports.paper import Printing
from brt_cg.exports.strength import TOTALS
from brt_cg.journal.journal import Journal
from brt_cg.model.counters import Fortification, Side
from brt_cg.service.unrestricted import unrestricted_campaign
from brt_cg.views.view import create_view
from tests.exports.journals import demo
from tests.settings import count
from tests.test_recorded import CAMPAIGNS, replay

Counts = Counter[tuple[str, str, str, str]]  # place, side, what, type
NAMES = ["demo", *(folder.name for folder in CAMPAIGNS)]
WORDS = {one: what for what, (one, _) in TOTALS.items()}


def played(name: str, tmp: Path) -> Journal:
    if name == "demo":
        return demo()
    folder = next(one for one in CAMPAIGNS if one.name == name)
    desk = replay(folder, tmp / f"{name}.brt")
    return unrestricted_campaign(desk)


def read(roster: Document, format: str) -> Counts:
    return READERS[format](render_document(roster, format))


def from_json(written: Any) -> Counts:
    places = json.loads(written)["places"]
    return counted(
        (page["place"], held["side"], held["what"], held["type"], held["number"])
        for page in places
        for held in page["counts"]
    )


def sort_of(type: str) -> str:
    return Fortification(id="f", side=Side.MARINE, type=type).type_text


def from_the_lists(written: Any) -> Counts:
    """The same from the counters themselves, one by one."""
    found: Counts = Counter()
    kinds = {"half_squad": "half_squads", "hero": "heroes", "sw": "sw"}
    for page in json.loads(written)["places"]:
        for table in ("units", "weapons", "vehicles", "fortifications"):
            for held in page[table]:
                what = kinds.get(held.get("kind", ""), f"{held.get('kind', '')}s")
                if table in ("vehicles", "fortifications"):
                    wreck = {"wreck", "burnt_out", "burning"} & set(held.get("status", []))
                    what = "wrecks" if wreck else table
                elif what.endswith("crews"):
                    what = "crews"
                if "prisoner" in held.get("status", []):
                    what = "prisoners"
                if what != "vehiculars":
                    type = sort_of(held["type"]) if table == "fortifications" else held["type"]
                    found[hex_of(page["place"]), held["side"], what, type] += 1
    return found


def from_csv(written: Any) -> Counts:
    rows = csv.DictReader(StringIO(written["strength.csv"]))
    return counted(tuple(row.values()) for row in rows)


def from_xlsx(written: Any) -> Counts:
    _, *rows = load_workbook(BytesIO(written), read_only=True)["strength"].values
    return counted(rows)


class Rows(HTMLParser):
    """The cells of each row of a page's last table."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.rows: list[list[str]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        if tag == "table":
            self.rows = []
        elif tag == "tr":
            self.rows.append([])
        elif tag in ("td", "th"):
            self.rows[-1].append("")

    def handle_data(self, data: str) -> None:
        if self.rows and self.rows[-1]:
            self.rows[-1][-1] += data


def from_html(written: Any) -> Counts:
    _, *rows = Rows(written).rows
    return counted(map(from_words, rows))


def hex_of(place: str) -> str:
    """Its hex alone: people read inside which pillbox, files have its id."""
    return re.split("[:,]", place)[0]


def from_md(written: Any) -> Counts:
    table = written.partition("## Strength by place")[2].strip().splitlines()[2:]
    cells = (
        [cell.strip().replace("\\", "") for cell in line.strip("| ").split(" | ")] for line in table
    )
    return counted(map(from_words, cells))


def from_pdf(written: Any) -> Counts:
    title, text = "Strength by place", ""
    for page in reversed(PdfReader(BytesIO(written)).pages):  # to read one takes its time
        text = f"{page.extract_text()}\n{text}"
        if title in text:
            break
    lines = text.rpartition(title)[2].splitlines()
    what = "|".join(map(re.escape, sorted(WORDS, key=len, reverse=True)))
    row = re.compile(rf"(.+?) (Marine|Japanese) ({what}) (.+) ([0-9]+)")
    found = filter(None, (row.fullmatch(line.strip()) for line in lines))
    return counted(from_words(list(match.groups())) for match in found)


def from_words(cells: list[str]) -> tuple[str, ...]:
    place, side, what, type, number = (cell.strip() for cell in cells)
    return place.replace("off map", "off_map"), side.lower(), WORDS[what], type, number


def counted(rows: Any) -> Counts:
    found: Counts = Counter()
    for place, side, what, type, number in rows:
        found[hex_of(place), side, what, type] += int(number)
    return found


READERS = {
    "json": from_json,
    "csv": from_csv,
    "xlsx": from_xlsx,
    "html": from_html,
    "md": from_md,
    "pdf": from_pdf,
}


# A side's roster is written like the umpire's: those of the demo stand for all.
MOST = count(ci=3, full=len(NAMES))


@pytest.mark.parametrize(
    ("name", "side"),
    [(name, None) for name in NAMES[:MOST]]
    + [(name, side) for name in NAMES[: MOST - 2] for side in Side],
)
def test_every_format_gives_the_same_counts(name: str, side: Side | None, tmp_path: Path) -> None:
    roster = build_document(
        create_view(played(name, tmp_path), side), "roster", Printing(full=True)
    )
    wanted = from_the_lists(render_document(roster, "json"))
    assert wanted
    for format in READERS:
        # A PDF takes a reader as long as all others together: the umpire's stands for all.
        if format != "pdf" or side is None:
            assert read(roster, format) == wanted, format


def test_a_reader_that_misses_a_counter_is_noticed() -> None:
    """The test can fail."""
    roster = build_document(create_view(demo()), "roster", printing=Printing(full=True))
    wanted = read(roster, "json")
    text = str(render_document(roster, "md"))
    assert from_md(text.replace("| SW ", "| Gun ", 1)) != wanted
