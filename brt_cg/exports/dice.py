"""Every roll of a campaign, the frequency of each face, and each side's luck on each table."""

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import partial
from typing import Any

from brt_cg.card import Card
from brt_cg.exports.blocks import Block, Document, SectionBlock, Sheet, TableBlock, TextBlock
from brt_cg.exports.headers import json_document_start, page_header_maker
from brt_cg.exports.luck import (
    FACES,
    MEAN,
    WHAT_IT_MEANS,
    Luck,
    TableLuck,
    count_luck,
    luck_by_table,
    luckier_than_percent,
)
from brt_cg.model import SIDES, Campaign, Seat, Side
from brt_cg.questions import SEEDED, source_text
from brt_cg.text import hyphens_to_minus_signs, signed_text
from brt_cg.views.journal_rows import ShownRow, undone_mark
from brt_cg.views.view import View

COLUMNS = (
    *("date", "rule", "subject", "table", "dice", "modifiers", "original", "final", "row"),
    *("source", "undone"),
    # The luck of the roll's side on that table, up to this roll; empty for an undone roll.
    *("side", "rolls", "average", "expected", "luckier_than_percent"),
    *("seat", "seed"),  # the seat that entered it, and the seed of the program's dice
)
LUCK_WIDTHS = (10, 50, 7, 10, 10, 13)
ROLL_WIDTHS = (6, 8, 9, 15, 6, 30, 6, 20)
FIGURES = ("dice", "modifiers", "original", "table", "final", "row")


def list_rolls(book: View) -> list[dict[str, Any]]:
    """Return all rolls in order, with `seq` (for a side: `n`, the row of its view of the
    journal)."""
    number = "seq" if book.side is None else "n"
    return [
        {number: row.number, "date": row.roll["date"], "rule": row.rule, "subject": row.subject}
        | {name: row.roll[name] for name in FIGURES}
        | {"source": row.source, "undone": row.undone, "seat": row.seat, "seed": row.seed}
        for row in book.rows
        if row.roll is not None
    ]


def count_faces(found: Iterable[dict[str, Any]]) -> dict[str, list[int]]:
    """Return the number of times each face from 1 to 6 was rolled: on a dr, on the colored and the
    white die of a DR, and on all. Undone rolls count too, because they were rolled."""
    every = ("dr", "coloured", "white", "all")
    tallies: dict[str, Counter[int]] = {name: Counter() for name in every}
    for roll in found:
        names = ("dr",) if len(roll["dice"]) == 1 else ("coloured", "white")
        for name, face in zip(names, roll["dice"], strict=True):
            tallies[name][face] += 1
            tallies["all"][face] += 1
    return {name: [tally[face] for face in FACES] for name, tally in tallies.items()}


def undone_and_seeded_roll_counts(book: View) -> list[dict[str, Any]]:
    """Return, for each seat with undone or seeded rolls, the numbers of rolls that it undid, of
    rolls with a seed, and of different seeds (None if the reader may not know them)."""
    found = []
    for seat in (*Seat, None):
        rows = [row for row in book.rows if row.seat is seat]
        seeded = [row for row in rows if row.seed is not None or row.source == SEEDED]
        seeds = {row.seed for row in seeded}
        counts = {
            "taken_back": sum(row.rolls for row in rows),
            "seeded": len(seeded),
            "seeds": len(seeds) if None not in seeds else None,
        }
        if any(counts.values()):
            found.append({"seat": seat, **counts})
    return found


def luck_by_side_and_table(book: View) -> tuple[list[Luck], list[TableLuck]]:
    """Return the luck of each side as a seat (None: the umpire) may know it: for all its dice, and
    by table."""
    rows = book.rows
    return [count_luck(rows, whose) for whose in SIDES], luck_by_table(rows, book.card.tables)


# --- the document ---------------------------------------------------------------------------------


def build_dice(book: View) -> Document:
    """Return every roll, with the tally of faces and the luck by side and table."""
    found = list_rolls(book)
    rows = book.rows
    tables = luck_by_table(rows, book.card.tables)
    data = {
        **json_document_start("dice", book.side),
        "faces": count_faces(found),
        "luck": [_luck(rolled) for rolled in tables],
        "taken_back": undone_and_seeded_roll_counts(book),
        "rolls": found,
    }
    sheets = partial(_sheets, found, rows, book.side)
    blocks = partial(_dice_blocks, book, data, tables)
    return Document("Dice", page_header_maker(book), data, sheets, blocks)


def _luck(rolled: TableLuck) -> dict[str, Any]:
    return {
        "side": rolled.side.value,
        "table": rolled.table,
        "title": rolled.title,
        "dice": "dr" if rolled.dice == 1 else "DR",
        "rolls": rolled.rolls,
        "average": float(rolled.average),
        "expected_average": float(rolled.expected_average),
        "counts": dict(zip(map(str, rolled.possible_totals), rolled.counts, strict=True)),
        "expected": {
            str(total): round(count, 2)
            for total, count in zip(rolled.possible_totals, rolled.expected_counts, strict=True)
        },
        "luckier_than_percent": rolled.percent,
    }


def _sheets(found: list[dict[str, Any]], played: list[ShownRow], side: Side | None) -> list[Sheet]:
    rows = (
        roll
        | {"dice": " ".join(map(str, roll["dice"])), "modifiers": modifiers_text(roll)}
        | so_far
        for roll, so_far in zip(found, _so_far(played), strict=True)
    )
    return [Sheet("dice", ("seq" if side is None else "n", *COLUMNS), rows)]


def _so_far(played: list[ShownRow]) -> Iterator[dict[str, Any]]:
    """Add to each roll the luck of its side on that table so far."""
    sums: Counter[tuple[Side, str]] = Counter()
    rolls: Counter[tuple[Side, str]] = Counter()
    for row in played:
        if row.roll is None:
            continue
        so_far: dict[str, Any] = {"side": row.side and row.side.value}
        if row.is_standing and row.side is not None:
            key, dice = (row.side, str(row.roll["table"])), len(row.roll["dice"])
            sums[key] += sum(row.roll["dice"])
            rolls[key] += 1
            so_far |= {
                "rolls": rolls[key],
                "average": f"{sums[key] / rolls[key]:.2f}",
                "expected": f"{MEAN * dice:.2f}",
                "luckier_than_percent": luckier_than_percent(sums[key], rolls[key] * dice),
            }
        yield so_far


def modifiers_text(roll: dict[str, Any]) -> str:
    """Return the modifiers of a roll in words: "−1 heroic, +1 Isolated"."""
    return ", ".join(f"{signed_text(amount)} {reason}" for amount, reason in roll["modifiers"])


def _dice_blocks(book: View, data: dict[str, Any], tables: list[TableLuck]) -> Iterator[Block]:
    tally = [(name, *counts, sum(counts)) for name, counts in data["faces"].items()]
    yield SectionBlock("Faces", [TableBlock(("", *map(str, FACES), "rolls"), tally)])
    columns = ("side", "table", "rolls", "average", "expected", "luckier than")
    rows = [
        (
            *(rolled.side.label, rolled.heading, rolled.rolls, rolled.average),
            *(rolled.expected_average, f"{rolled.percent} in 100"),
        )
        for rolled in tables
    ]
    luck = TableBlock(columns, rows, LUCK_WIDTHS)
    yield SectionBlock("Luck", [luck, TextBlock(WHAT_IT_MEANS)])
    if data["taken_back"]:
        who = ("entered by", "rolls undone", "rolled with a seed", "different seeds")
        hands = [
            (
                *(hand["seat"].label if hand["seat"] else "not stated", hand["taken_back"]),
                *(hand["seeded"], "not known" if hand["seeds"] is None else hand["seeds"]),
            )
            for hand in data["taken_back"]
        ]
        yield SectionBlock("Undone rolls and seeded rolls", [TableBlock(who, hands)])
    sources = [source_text(roll["source"], roll["seed"]) for roll in data["rolls"]]
    usual = max(sources, key=sources.count, default="")
    header = ("", "date", "rule", "subject", "dice", "drm", "Final", "result")
    told = (source if source != usual else "" for source in sources)
    lines = [_cells(book, *each) for each in zip(data["rolls"], told, strict=True)]
    how = [TextBlock(f"Rolled {usual} unless the result says otherwise.")] * bool(usual)
    yield SectionBlock("Rolls", [*how, TableBlock(header, lines, ROLL_WIDTHS)])


def _called(view: Campaign, subject: str) -> str:
    """Return the subject of a roll in words: "MMG no. 3/AP"."""
    id, *what = subject.split("/")
    counter = view.find(id)
    return "/".join([counter.label if counter is not None else view.location_text(id), *what])


def _cells(book: View, roll: dict[str, Any], source: str) -> tuple[Any, ...]:
    number = roll.get("seq", roll.get("n"))
    result = roll_result_text(book.card, roll) + undone_mark(roll["undone"])
    dice = ",".join(map(str, roll["dice"]))
    return (
        *(number, roll["date"], roll["rule"], _called(book.campaign, roll["subject"])),
        *(dice, modifiers_text(roll)),
        *(hyphens_to_minus_signs(roll["final"]), result + (f" ({source})" if source else "")),
    )


def roll_result_text(card: Card, roll: dict[str, Any]) -> str:
    """Return the result of a roll in the table's current words."""
    table = card.tables.get(roll["table"])
    rows = table.rows if table is not None else ()
    words = (row.text for row in rows if row.result == roll["row"])
    return next(words, roll["row"].replace("_", " "))
