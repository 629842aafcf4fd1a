"""Compares what is read from saves that VASSAL made with the truth about them.

    python -m tests.tools.vasl_truth FOLDER

The folder holds `types.vsav` with `types.json`, and saves of one campaign, `base.brt`, each with
its truth (`same.vsav`, `same.json`). A subfolder `more` holds a first
import (`end1`), and saves that change nothing in their campaigns, or only crews. Prints what was
understood, and everything that was not.
"""

import csv
import json
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from brt_cg.board.locations import ground_hex
from brt_cg.card import load_card
from brt_cg.commands.difference import DifferenceKind
from brt_cg.imports.preview import preview_import
from brt_cg.imports.scenario_end import read_scenario_end
from brt_cg.model.counters import Vehicle
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.service.unrestricted import unrestricted_campaign
from brt_cg.vasl.layers import layered_name
from brt_cg.vasl.names import TABLES, load_names
from brt_cg.vasl.pieces import VaslSave
from brt_cg.vasl.rows import hex_or_off_map
from brt_cg.vasl.save_writer import make_next_setup_save
from brt_cg.vasl.savefile import read_save
from brt_cg.vasl.situation import SavedCounter, VaslSituation, read_situation
from brt_cg.views.view import create_view
from tests.vasl.rereading import reread

Row = dict[str, Any]
BECAME = {  # by one key of VASL: the campaign in play, and who was reduced or wrecked
    "casualties": ("base2.brt", [f"m-unit-{number}" for number in (85, 82, 40, 58, 23, 21)]),
    "wrecks": ("base3.brt", [f"m-vehicle-{number}" for number in (1, 5, 8, 16)]),
}
ARMS = {"main_armament": "MA", "bow_mg": "BMG", "coaxial_mg": "CMG"}


def main(folder: Path) -> int:
    wrong = [*_types(folder)]
    for truth in sorted(folder.glob("*.json")):
        save = truth.with_suffix(".vsav")
        if not save.exists() or truth.stem in ("types", "base"):
            continue
        truths = json.loads(truth.read_text("utf-8"))
        if all("layers" in row for row in truths):
            wrong += _layers(save, truths)
        elif all("table" in row for row in truths):
            wrong += _situation(folder / "base.brt", save, truths)
        else:
            wrong += _pieces(save, truths)
    for name, (base, ids) in BECAME.items():
        if (folder / base).exists():
            wrong += _one_click(folder / base, folder / f"{name}.vsav", ids)
    if (more := folder / "more").exists():
        wrong += _more(more)
    wrong += _reread(folder)
    for line in wrong:
        print(f"  {line}")
    return 1 if wrong else 0


# --- each kind of piece once ----------------------------------------------------------------------


def _types(folder: Path) -> Iterator[str]:
    truths = json.loads((folder / "types.json").read_text("utf-8"))
    saved = VaslSave(read_save(folder / "types.vsav").text)
    shown = read_situation(saved, load_names(), load_card("III").ladders)
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


# --- pieces by themselves -------------------------------------------------------------------------


def _shown(save: Path) -> dict[str, SavedCounter]:
    shown = read_situation(VaslSave(read_save(save).text), load_names(), load_card("III").ladders)
    return {one.piece: one for one in shown.found}


def _pieces(save: Path, truths: list[Row]) -> Iterator[str]:
    """A position without a campaign: each counter as it is by itself."""
    found, right, total = _shown(save), 0, 0
    names = ("type", "kind", "class", "strength", "traits", "status", "side")
    for truth in truths:
        if truth["t"] == "marker":
            continue
        total += 1
        one = found.get(truth["piece"])
        row = {} if one is None else {"t": one.table} | one.fields
        due = {name: truth[name] for name in names if name in truth}
        if " CE" in truth["vname"]:
            due["status"] = [*due.get("status", ()), "crew_exposed"]
        differ = {name: value for name, value in due.items() if not _fits(row, name, value)}
        if one is None or bool(truth.get("dead")) != one.dead:
            differ["dead"] = truth.get("dead")
        elif not one.dead and truth["hex"] != "off_map" and not _fits(row, "hex", truth["hex"]):
            differ["hex"] = truth["hex"]
        right += not differ
        if differ:
            yield f"{save.stem}: {truth['vname']} ({truth['hex']}): {differ}, found {row}"
    print(f"{save.stem}: {right} of {total} counters")


def _layers(save: Path, truths: list[Row]) -> Iterator[str]:
    """Layers of vehicles that have a name, and levels without one."""
    found, right = _shown(save), 0
    for truth in truths:
        one, due = found[truth["piece"]], dict(truth["expected"])
        status = due.pop("status", [])
        arms = {ARMS[name]: value for name, value in due.items()}
        said = {name: value for name, value in one.armament.items() if value}
        fits = (one.fields["status"], said) == (status, arms)
        right += fits
        if not fits:
            yield f"{save.stem}: {one.words}: {one.fields['status']}, {said}"
    print(f"{save.stem}: {right} of {len(truths)} vehicles")


def _one_click(base: Path, save: Path, ids: list[str]) -> Iterator[str]:
    """Counters that VASL replaced, a clone of each in the bin: they are reduced or wrecks."""
    with tempfile.TemporaryDirectory() as folder:
        desk = OpenCampaign.open(Path(shutil.copy(base, folder)))
        book = create_view(unrestricted_campaign(desk))
        found = read_scenario_end(book, save, "both", "keep")
        before = {
            counter.id: counter for counter in unrestricted_campaign(desk).campaign.counters()
        }
        desk.close()
    rows = {row["id"]: row for table in TABLES for row in found.asked["state"][table]}
    right = 0
    for id in ids:
        was, row = before[id], rows[id]
        wrecked = isinstance(was, Vehicle) and "wreck" in row["status"]
        fits = row["fate"] == "in_play" and (wrecked or row.get("kind") == "half_squad")
        right += fits
        if not fits:
            yield f"{save.stem}: {id}: {row['type']}, {row['status']}, {row['fate']}"
    added = sorted(rows.keys() - before.keys())
    print(f"{save.stem}: {right} of {len(ids)} by id; {len(added)} added")
    yield from (f"{save.stem}: added {id}" for id in added)


# --- a whole life: a first import, and what was written after it ----------------------------------

WRITTEN = (("campaign2.brt", "next1-written"), ("corpses.brt", "corpses-written"))
SEEN = ("t", "side", "type", "kind", "class", "strength", "status", "capacity", "ca_tem", "nca_tem")


def _more(folder: Path) -> Iterator[str]:
    yield from _first(folder)
    for base, name in WRITTEN:
        lines = [line for line, _ in _changes(folder / base, folder / f"{name}.vsav")]
        print(f"{name}: {len(lines)} changes")
        yield from (f"{name}: {line}" for line in lines)
    changes = [row for _, row in _changes(folder / "campaign2.brt", folder / "crews.vsav")]
    crews = [row for row in changes if row.get("kind") == "crew"]
    print(f"crews: {len(crews)} of 3 are infantry crews that have changed")
    # A crew that is in another hex than its Gun leaves it.
    yield from (f"crews: {row}" for row in changes if row.get("kind") not in ("crew", "gun"))
    shown = read_situation(
        VaslSave(read_save(folder / "forts.vsav").text), load_names(), load_card("III").ladders
    )
    print(f"forts: {len(shown.found)} counters; not understood: {', '.join(shown.unknown)}")


def _changes(base: Path, save: Path) -> list[tuple[str, Row]]:
    """The lines about counters that an import has, with the row of the first counter of each."""
    with tempfile.TemporaryDirectory() as folder:
        desk = OpenCampaign.open(Path(shutil.copy(base, folder)))
        view = create_view(unrestricted_campaign(desk))
        found = read_scenario_end(view, save, "both")
        lines = [
            line
            for line in preview_import(view, found)
            if line.what not in (DifferenceKind.SCENARIO, DifferenceKind.WARNING)
        ]
        desk.close()
    rows = {row["id"]: row for table in TABLES for row in found.asked["state"][table]}
    return [(str(line), rows.get(line.about, {})) for line in lines]


def _first(folder: Path) -> Iterator[str]:
    """The first import of a campaign, each counter as it is with the others."""
    truths = json.loads((folder / "end1.truth.json").read_text("utf-8"))
    with (folder / "end1.made.tsv").open(encoding="utf-8") as file:
        pieces = {row[0]: row[1] for row in csv.reader(file, delimiter="\t")}
    with tempfile.TemporaryDirectory() as new:
        desk = OpenCampaign.create(Path(new) / "new.brt", {"cg": "III"})
        view = create_view(unrestricted_campaign(desk))
        found = read_scenario_end(view, folder / "end1.vsav", "both")
        desk.run_command("import", found.asked)
        desk.close()
    tables = {table: found.asked["state"][table] for table in TABLES}
    rows = {row["id"]: {"t": table} | row for table, some in tables.items() for row in some}
    ids = {label: found.asked["pieces"].get(piece, "") for label, piece in pieces.items()}
    # The new piece of a loss by one key: the list has the one that went to the bin.
    for truth in truths:
        if truth.get("oneclick"):
            there = [id for id, row in rows.items() if row.get("location") == truth["where"]]
            ids[truth["label"]] = there[0] if len(there) == 1 else ""
    arms = [row for row in tables["weapons"] if row.get("vehicle")]
    wrong = {}
    for truth in truths:
        row = rows.get(ids[truth["label"]])
        if truth.get("dead"):
            differ = ["alive"] if row is not None else []
        elif row is None:
            differ = ["no counter"]
        else:
            differ = [*_differs_first(row, truth, ids, arms)]
        if differ:
            wrong[truth["label"]] = f"{', '.join(differ)}; found {row}"
    print(f"end1: {len(truths) - len(wrong)} of {len(truths)} counters of a first import")
    yield from (f"end1: {label}: {words}" for label, words in wrong.items())


def _differs_first(row: Row, truth: Row, ids: dict[str, str], arms: list[Row]) -> Iterator[str]:
    due = {name: truth[name] for name in SEEN if name in truth}
    if due.get("capacity", 0) is None:
        del due["capacity"]  # its list does not say; every pillbox of VASL has one
    types = [truth["type"], *truth.get("alts", [truth.get("alt")])]
    for name, value in due.items():
        allowed = types if name == "type" else [value]
        if not any(_fits(row, name, one) for one in allowed):
            yield f"{name} {row.get(name)}, not {value}"
    if truth["where"] != hex_or_off_map(row["location"]):
        yield f"in {row['location']}, not {truth['where']}"
    for name in ("possessor", "aboard"):
        if name in truth and row.get(name) != ids[truth[name]]:
            yield f"{name} {row.get(name)}, not {ids[truth[name]]}"
    for name, status in truth.get("armament", {}).items():
        if not any(
            (one["vehicle"], one["type"], one["status"]) == (row["id"], name, [status])
            for one in arms
        ):
            yield f"{name} not {status}"


# --- read, written and read again -----------------------------------------------------------------

OF = {"end": "base", "same": "base", "casualties": "base2", "wrecks": "base3"}
OF |= {"next1-written": "campaign2", "crews": "campaign2", "corpses-written": "corpses"}


def _reread(folder: Path) -> Iterator[str]:
    """Each save imported, written at once, and read again: a counter on the map is as it was."""
    for save in sorted(folder.rglob("*.vsav")):
        wrong = [*_differs_again(save)]
        print(f"{save.stem}: {len(wrong)} counters differ when it is read, written and read again")
        yield from (f"{save.stem}: {line}" for line in wrong)


def _differs_again(save: Path) -> Iterator[str]:
    with tempfile.TemporaryDirectory() as new:
        path = Path(new) / "new.brt"
        if save.stem in OF:
            shutil.copy(save.with_name(f"{OF[save.stem]}.brt"), path)
            desk = OpenCampaign.open(path)
        else:
            desk = OpenCampaign.create(path, {"cg": "III"})
        file = read_save(save)
        found = read_scenario_end(create_view(unrestricted_campaign(desk)), save, "both", "keep")
        desk.run_command("import", found.asked)
        made = make_next_setup_save(create_view(unrestricted_campaign(desk)), file)
        desk.close()
    yield from reread(file.text, made.file.text)


# --- a situation ----------------------------------------------------------------------------------


def _situation(base: Path, save: Path, truths: list[Row]) -> Iterator[str]:
    with tempfile.TemporaryDirectory() as folder:
        desk = OpenCampaign.open(Path(shutil.copy(base, folder)))
        try:
            yield from _compared(desk, save, [row for row in truths if row["table"] in TABLES])
        finally:
            desk.close()


def _compared(desk: OpenCampaign, save: Path, truths: list[Row]) -> Iterator[str]:
    found = read_scenario_end(create_view(unrestricted_campaign(desk)), save, "both", "keep")
    shown = preview_import(create_view(unrestricted_campaign(desk)), found)
    pieces = found.asked["pieces"]
    rows = {row["id"]: row for table in TABLES for row in found.asked["state"][table]}
    before = {counter.id for counter in unrestricted_campaign(desk).campaign.counters()}
    saved = VaslSave(read_save(save).text)
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
        held = bool(layered_name(saved.pieces[truth["piece"]]).concealed)
        differ = [*_differ(rows[id], truth, pieces, holders, held)]
        if differ:
            wrong[truth["id"]] = ", ".join(differ)
    added = sorted(rows.keys() - before)
    lines = [*map(str, shown), *found.other_guesses(shown)]
    beside = sum(len(found.guesses_about(line)) for line in shown)
    print(
        f"{save.stem}: {len(truths) - len(wrong)} of {len(truths)} counters, {exact} by id; "
        f"{len(added)} added; {len(lines) + beside} lines"
    )
    yield from (f"{save.stem}: {id}: {words}" for id, words in wrong.items())
    yield from (f"{save.stem}: added {id}" for id in added)


def _alike(row: Row) -> list[Any]:
    return [row.get(name) for name in ("side", "type", "kind", "class", "strength", "traits")]


def _differ(
    row: Row, truth: Row, pieces: Row, holders: dict[str, str], held: bool
) -> Iterator[str]:
    """What a row has otherwise; a piece that VASSAL itself holds concealed is (`held`)."""
    if truth.get("dead"):
        if row["fate"] == "in_play":
            yield "alive"
        return
    if ground_hex(row["location"]) != truth["hex"]:
        yield f"in {row['location']}, not {truth['hex']}"
    for name in ("status", "hidden"):
        concealed = held and name == "status" and {*row[name]} == {*truth[name], "concealed"}
        if name in truth and name in row and row[name] != truth[name] and not concealed:
            yield f"{name} {row[name]}, not {truth[name]}"
    holder = truth.get("possessor")
    due = pieces.get(holders.get(holder, "")) if holder else None
    if "possessor" in row and row["possessor"] != due:
        yield f"possessed by {row['possessor']}, not {due}"


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
