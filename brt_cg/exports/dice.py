"""Every roll of a campaign, and how often each face came up."""

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import partial
from typing import Any

from brt_cg.card import Card
from brt_cg.counters import Side
from brt_cg.exports.blocks import Block, Document, Section, Sheet, Table
from brt_cg.exports.entries_told import Row
from brt_cg.exports.heads import page_head
from brt_cg.exports.seat_journal import journal_rows
from brt_cg.exports.wording import signed, view_name
from brt_cg.journal.book import Book

FORMAT = "brt-cg/dice"
COLUMNS = (
    *("date", "rule", "subject", "table", "dice", "modifiers", "original", "final", "row"),
    *("source", "undone"),
)
FACES = range(1, 7)


def rolls(book: Book, side: Side | None) -> list[dict[str, Any]]:
    """All rolls in order, with `seq` (for a side: `n`, the row of its view of the journal)."""
    number = "seq" if side is None else "n"
    found = (row for row in journal_rows(book, side) if row.roll is not None)
    return [{number: row.number} | _roll(row) for row in found]


def _roll(row: Row) -> dict[str, Any]:
    roll = row.roll or {}
    return {
        "date": roll["date"],
        "rule": row.rule,
        "subject": row.subject,
        "dice": roll["dice"],
        "modifiers": roll["modifiers"],
        "original": roll["original"],
        "table": roll["table"],
        "final": roll["final"],
        "row": roll["row"],
        "source": row.source,
        "undone": row.undone,
    }


def faces(found: Iterable[dict[str, Any]]) -> dict[str, list[int]]:
    """How often each face from 1 to 6 came up: of a dr, of the coloured and the white die of a DR,
    and of all. Rolls that were taken back count: they fell."""
    tallies: dict[str, Counter[int]] = {
        name: Counter() for name in ("dr", "coloured", "white", "all")
    }
    for roll in found:
        names = ("dr",) if len(roll["dice"]) == 1 else ("coloured", "white")
        for name, face in zip(names, roll["dice"], strict=True):
            tallies[name][face] += 1
            tallies["all"][face] += 1
    return {name: [tally[face] for face in FACES] for name, tally in tallies.items()}


# --- the document ---------------------------------------------------------------------------------


def build(book: Book, side: Side | None) -> Document:
    """Every roll, with the tally of faces."""
    found = rolls(book, side)
    data = {
        "format": FORMAT,
        "version": 1,
        "view": view_name(side),
        "faces": faces(found),
        "rolls": found,
    }
    return Document(
        "Dice",
        page_head(book, side),
        data,
        partial(_sheets, found, side),
        partial(_blocks, book.card, data),
    )


def _sheets(found: list[dict[str, Any]], side: Side | None) -> list[Sheet]:
    rows = (
        roll | {"dice": " ".join(map(str, roll["dice"])), "modifiers": modifiers_told(roll)}
        for roll in found
    )
    return [Sheet("dice", ("seq" if side is None else "n", *COLUMNS), rows)]


def modifiers_told(roll: dict[str, Any]) -> str:
    """The modifiers of a roll in words: "−1 heroic, +1 Isolated"."""
    return ", ".join(f"{signed(f'{amount:+}')} {reason}" for amount, reason in roll["modifiers"])


def _blocks(card: Card, data: dict[str, Any]) -> Iterator[Block]:
    tally = [(name, *counts, sum(counts)) for name, counts in data["faces"].items()]
    yield Section("Faces", [Table(("", *map(str, FACES), "rolls"), tally)])
    header = ("", "date", "rule", "subject", "dice", "drm", "Final", "result", "from")
    yield Section("Rolls", [Table(header, (_told(card, roll) for roll in data["rolls"]))])


def _told(card: Card, roll: dict[str, Any]) -> tuple[Any, ...]:
    number = roll.get("seq", roll.get("n"))
    result = row_told(card, roll) + (" (taken back)" if roll["undone"] else "")
    dice = ",".join(map(str, roll["dice"]))
    return (
        *(number, roll["date"], roll["rule"], roll["subject"], dice, modifiers_told(roll)),
        *(signed(roll["final"]), result, roll["source"]),
    )


def row_told(card: Card, roll: dict[str, Any]) -> str:
    """The row of its table that a roll hit, as the table words it now."""
    table = card.tables.get(roll["table"])
    rows = table.rows if table is not None else ()
    words = (row.text for row in rows if row.result == roll["row"])
    return next(words, roll["row"].replace("_", " "))
