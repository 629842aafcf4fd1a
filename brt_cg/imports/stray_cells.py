"""Cells around the tables of a workbook or CSV folder that do not belong to them: a title, a note
next to the table, totals, blank rows, other sheets; and the changes that spreadsheets make to
cells."""

import re
from collections.abc import Collection, Iterable, Sequence

from brt_cg.model import Fate
from brt_cg.text import nearest_name

MOST_TITLES = 10  # rows above the header of a table
_TOTALS = re.compile(
    r"(sub-?|grand )?(total|totals|sum|count|summe|gesamt|somme|totale|\u03a3|\u2211)\b.*",
    re.IGNORECASE,
)
_NUMBERS = re.compile(r"[-+]?\d+(?:[.,]\d+)?")
_WHOLE = re.compile(r"([-+]?\d{1,9})[.,]0+")
# Dates that Excel makes of "9-1" and "2-2-8", in the forms in which it writes them as CSV.
_MONTHS = r"(?:jan|feb|m[a\xe4]r|apr|ma[iy]|jun|jul|aug|sep|o[ck]t|nov|de[cz])[a-z]*"
_DATE = re.compile(
    rf"\d{{1,4}}([-/.])\d{{1,2}}\1\d{{1,4}}|\d{{1,2}}[-/. ]+{_MONTHS}\.?|{_MONTHS}[-/. ]+\d{{1,4}}"
    rf"|\d{{1,2}}\.\d{{1,2}}\.?|\d{{4}}-\d\d-\d\d 00:00:00|\d{{1,2}}/\d{{1,2}}",
    re.IGNORECASE,
)
_DIGITS = re.compile(r"\d-\d-\d")  # no date, but a unit as it should be
FLAGS = {
    **dict.fromkeys(("wahr", "vrai", "verdadero", "vero", "waar", "x", "ja", "oui"), "true"),
    **dict.fromkeys(("falsch", "faux", "falso", "onwaar", "nein", "non"), "false"),
}
LOST = ("kia", "dead", "killed", "destroyed", "elim", "lost")


def find_header_row(lines: Sequence[Sequence[str]], columns: Collection[str]) -> int:
    """Return the position of the header of a table: the first row that names its columns; else the
    first row that is not blank, or 0."""
    filled = [at for at, line in enumerate(lines[:MOST_TITLES]) if any(line)]
    for at in filled:
        cells = [*filter(None, lines[at])]
        known = sum(cell in columns for cell in cells)
        if known >= min(2, len(columns)) and 2 * known >= len(cells):
            return at
    return filled[0] if filled else 0


def with_plain_header(lines: Sequence[list[str]], columns: Collection[str]) -> list[list[str]]:
    """Return the lines of a table, its columns named as in a template: "Setup Area" is
    setup_area."""
    plain = [["_".join(cell.casefold().split()) for cell in line] for line in lines[:MOST_TITLES]]
    at = find_header_row(plain, columns)
    found = [*lines]
    if at < len(plain):
        cells = zip(plain[at], lines[at], strict=True)
        found[at] = [name if name in columns else cell for name, cell in cells]
    return found


def nearest_missing_name(name: str, known: Iterable[str], given: Collection[str]) -> str | None:
    """Return the name that an unknown name probably means, if that is not given itself."""
    meant = nearest_name(name, known)
    return None if meant in given else meant


def is_totals_row(row: Sequence[str], key: str) -> bool:
    """Whether a row does not belong to the table: totals, or numbers alone without the `key`, the
    cell that identifies a row."""
    if any(map(_TOTALS.fullmatch, row[:2])):
        return True
    return not key and all(map(_NUMBERS.fullmatch, row))


def is_date_cell(cell: str) -> bool:
    """Whether a cell is a date, or looks like one that a spreadsheet made of a type."""
    return _DATE.fullmatch(cell) is not None and _DIGITS.fullmatch(cell) is None


def normalize_whole_number(cell: str) -> str:
    """Return a whole number without the decimals that a spreadsheet added: "140.0" is 140."""
    found = _WHOLE.fullmatch(cell.strip())
    return found[1] if found else cell


def normalize_flag(cell: str) -> str:
    """Translate a flag that a spreadsheet wrote in another language: "WAHR" becomes "true"."""
    return FLAGS.get(cell.strip().casefold(), cell)


def normalize_fate(cell: str) -> str:
    """Return the fate that players write for a loss: "KIA" is eliminated."""
    return Fate.ELIMINATED if cell.strip().casefold().replace(".", "") in LOST else cell


def normalize_fortification(cell: str) -> str:
    """Return the type of a Fortification that a player wrote, such as "Pillbox 1+3+5"."""
    return re.sub(r"[^a-z0-9]+", "_", cell.strip().lower())


def import_notices(strays: Sequence[str], restored: Sequence[str]) -> list[str]:
    """Return the notices for the player: the ignored cells, and the types taken from the roster."""
    found = []
    if strays:
        found.append(f"ignored, because they are not part of the tables: {', '.join(strays)}")
    if restored:
        found.append(f"types taken from the roster: {', '.join(restored)}")
    return found
