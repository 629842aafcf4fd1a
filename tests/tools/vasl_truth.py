"""Compares what is read from saves that VASSAL made with the truth about them.

    python -m tests.tools.vasl_truth FOLDER

The folder holds `types.vsav` with `types.json`, and saves of one campaign, `base.brt`, each with
its truth (`same.vsav`, `same.json`). Prints what was understood, and everything that was not.
"""

import json
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from brt_cg.board.locations import ground
from brt_cg.card import load_card
from brt_cg.imports.preview import preview
from brt_cg.imports.scenario_end import brought
from brt_cg.service.desk import Desk
from brt_cg.service.whole import whole
from brt_cg.vasl.names import TABLES, load_names
from brt_cg.vasl.pieces import VaslSave
from brt_cg.vasl.savefile import read_save
from brt_cg.vasl.situation import VaslSituation, situation
from brt_cg.views.book import book_of

Row = dict[str, Any]
SAYS = {"perimeter": "perimeter", "ja": "japanese_control", "blaze": "blaze"}


def main(folder: Path) -> int:
    wrong = [*_types(folder)]
    for truth in sorted(folder.glob("*.json")):
        save = truth.with_suffix(".vsav")
        if save.exists() and truth.stem not in ("types", "base"):
            wrong += _situation(folder / "base.brt", save, json.loads(truth.read_text("utf-8")))
    for line in wrong:
        print(f"  {line}")
    return 1 if wrong else 0


# --- each kind of piece once ----------------------------------------------------------------------


def _types(folder: Path) -> Iterator[str]:
    truths = json.loads((folder / "types.json").read_text("utf-8"))
    saved = VaslSave(read_save(folder / "types.vsav").text)
    shown = situation(saved, load_names(), load_card("III").ladders)
    found = {one.piece: {"t": one.table} | one.fields for one in shown.found}
    wrong = []
    for truth in truths:
        expected = dict(truth["expected"])
        row = _marker(shown, expected) if expected["t"] == "marker" else found.get(truth["piece"])
        differ = {name: value for name, value in expected.items() if not _fits(row, name, value)}
        if differ:
            wrong.append(f"{truth['label']} ({truth['vasl_name']}): {differ}, found {row}")
    print(f"types: {len(truths) - len(wrong)} of {len(truths)}")
    yield from wrong


def _marker(shown: VaslSituation, expected: Row) -> Row:
    hex, says = expected["hex"], expected["says"]
    known = not any(f"({hex})" in one for one in shown.unknown)
    means = {"perimeter": hex in shown.perimeter, "blaze": hex in shown.fires}
    return expected if known and means.get(says, hex not in shown.perimeter) else {}


def _fits(row: Row | None, name: str, value: Any) -> bool:
    if row is None or name not in (*row, "hex"):
        return False
    if name == "hex":
        return value in str(row.get("location", row.get("hex"))).split("/")
    if isinstance(value, list):
        return set(value) == {*row[name]}
    return bool(row[name] == value)


# --- a situation ----------------------------------------------------------------------------------


def _situation(base: Path, save: Path, truths: list[Row]) -> Iterator[str]:
    with tempfile.TemporaryDirectory() as folder:
        desk = Desk.open(Path(shutil.copy(base, folder)))
        try:
            yield from _compared(desk, save, [row for row in truths if row["table"] in TABLES])
        finally:
            desk.close()


def _compared(desk: Desk, save: Path, truths: list[Row]) -> Iterator[str]:
    found = brought(book_of(whole(desk)), save, "both", "keep")
    shown = preview(book_of(whole(desk)), found)
    pieces = found.asked["pieces"]
    rows = {row["id"]: row for table in TABLES for row in found.asked["state"][table]}
    before = {counter.id for counter in whole(desk).campaign.counters()}
    holders = {truth["id"]: truth["piece"] for truth in truths}
    wrong: dict[str, str] = {}
    exact = 0
    for truth in truths:
        id = pieces.get(truth["piece"])
        if id is None:
            wrong[truth["id"]] = "no counter"
            continue
        exact += id == truth["id"]
        if _alike(rows[id]) != _alike(truth):
            wrong[truth["id"]] = f"taken for {id}"
        differ = [*_differ(rows[id], truth, pieces, holders)]
        if differ:
            wrong[truth["id"]] = ", ".join(differ)
    added = sorted(rows.keys() - before)
    lines = [*map(str, shown), *found.elsewhere(shown)]
    beside = sum(len(found.beside(line)) for line in shown)
    print(
        f"{save.stem}: {len(truths) - len(wrong)} of {len(truths)} counters, {exact} by id; "
        f"{len(added)} added; {len(lines) + beside} lines"
    )
    yield from (f"{save.stem}: {id}: {words}" for id, words in wrong.items())
    yield from (f"{save.stem}: added {id}" for id in added)


def _alike(row: Row) -> list[Any]:
    return [row.get(name) for name in ("side", "type", "kind", "class", "strength", "traits")]


def _differ(row: Row, truth: Row, pieces: Row, holders: dict[str, str]) -> Iterator[str]:
    if truth.get("dead"):
        if row["fate"] == "in_play":
            yield "alive"
        return
    if ground(row["location"]) != truth["hex"]:
        yield f"in {row['location']}, not {truth['hex']}"
    for name in ("status", "hidden"):
        if name in truth and name in row and row[name] != truth[name]:
            yield f"{name} {row[name]}, not {truth[name]}"
    holder = truth.get("possessor")
    due = pieces.get(holders.get(holder, "")) if holder else None
    if "possessor" in row and row["possessor"] != due:
        yield f"possessed by {row['possessor']}, not {due}"


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
