"""Files as accidents leave them: every importer refuses one by name, or reads it cleanly."""

import json
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from random import Random
from time import perf_counter
from typing import Any

import pytest

from brt_cg.card import load_card
from brt_cg.commands.difference import difference
from brt_cg.exports import export
from brt_cg.imports.allotments_file import read_allotments
from brt_cg.imports.answers_file import read_answers
from brt_cg.imports.door import brought
from brt_cg.imports.state_file import errors_by_cell
from brt_cg.journal.journal import Journal
from brt_cg.questions.answers import Refused
from brt_cg.tui.keys.own_keys import read_keys
from brt_cg.vasl.savefile import SaveFile, read_save
from tests.commands.campaigns import DEMO
from tests.exports.journals import begun, play, squad
from tests.settings import count
from tests.vasl.demo_save import save_of

TIMES = count(12, 2000)  # files of each kind
LONGEST = 5.0  # seconds for one; a machine that does much else is slow
STRANGE: tuple[Any, ...] = (
    *(None, True, -1, 10**30, 1.5, float("inf"), "", "N21", "ZZ99", "\0", "é" * 300, "=1+1"),
    *([], {}, [[]], {"x": 1}, ["N21", "N21"], "m-sq-1", "eliminated", "N21:1", "off_map", "\ud800"),
)


@cache
def journal() -> Journal:
    units = (squad("m-sq-1", "N19"), squad("j-sq-1", "M40"), squad("m-ldr-1", "N19"))
    return play(begun(*units))


def take(path: Path) -> None:
    with errors_by_cell(path):
        found = brought(journal(), path, "both", "keep")
        difference(journal().campaign, found.asked, journal().card)


def refused_or_clean(path: Path, read: Callable[[Path], object], seed: str) -> None:
    """Nothing but a refusal that names the file, or something in it, and in time."""
    start, told = perf_counter(), path.stem
    try:
        read(path)
    except Refused as refused:
        told = str(refused)
    except Exception as error:
        raise AssertionError(f"with the seed {seed!r}") from error
    assert path.stem in told, (seed, told)
    assert perf_counter() - start < LONGEST, seed


def seeds(kind: str) -> Iterator[tuple[str, Random]]:
    for number in range(TIMES):
        seed = f"{kind} {number}"
        yield seed, Random(seed)


# --- accidents ------------------------------------------------------------------------------------


def spoiled(content: bytes, random: Random) -> bytes:
    """Bytes of which some are lost, doubled, changed, or the rest cut off."""
    for _ in range(random.randint(1, 4)):
        at, length = random.randrange(len(content) + 1), random.randint(1, 40)
        rest = content[at + length :]
        content = content[:at] + random.choice(
            (rest, b"", random.randbytes(length) + rest, content[at : at + length] * 2 + rest)
        )
    return content


def misfilled(document: Any, random: Random) -> Any:
    """JSON in which some values are strange ones, or are gone, or have strange names."""
    document = json.loads(json.dumps(document))
    for _ in range(random.randint(1, 4)):
        holder = random.choice([*_holders(document)])
        if isinstance(holder, list) and holder:
            holder[random.randrange(len(holder))] = random.choice(STRANGE)
        elif isinstance(holder, dict) and holder:
            name = random.choice([*holder])
            value = holder.pop(name)
            if random.random() < 0.7:
                holder[name] = random.choice(STRANGE)
            elif random.random() < 0.5:
                holder[str(random.choice(STRANGE))] = value
    return document


def _holders(found: Any) -> Iterator[Any]:
    if isinstance(found, dict | list):
        yield found
        for value in found.values() if isinstance(found, dict) else found:
            yield from _holders(value)


# --- importers ------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["values", "bytes"])
def test_a_state_in_json(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "state.json"
    whole = str(export(journal(), None, "state"))
    for seed, random in seeds(f"state {kind}"):
        if kind == "values":
            path.write_text(json.dumps(misfilled(json.loads(whole), random)), "utf-8")
        else:
            path.write_bytes(spoiled(whole.encode(), random))
        refused_or_clean(path, take, seed)


def test_a_state_in_a_csv_folder(tmp_path: Path) -> None:
    folder = tmp_path / "state"
    folder.mkdir()
    files = export(journal(), None, "state", "csv")
    assert isinstance(files, dict)
    for seed, random in seeds("csv"):
        for name, text in files.items():
            (folder / name).write_text(text, "utf-8")
        name = random.choice([*files])
        (folder / name).write_bytes(spoiled(files[name].encode(), random))
        refused_or_clean(folder, take, seed)


def test_a_filled_in_workbook(tmp_path: Path) -> None:
    path = tmp_path / "state.xlsx"
    whole = export(journal(), None, "template", "xlsx")
    assert isinstance(whole, bytes)
    for seed, random in seeds("xlsx"):
        path.write_bytes(spoiled(whole, random))
        refused_or_clean(path, take, seed)


def test_a_workbook_with_strange_cells(tmp_path: Path) -> None:
    from openpyxl import load_workbook

    path, first = tmp_path / "state.xlsx", tmp_path / "first.xlsx"
    first.write_bytes(bytes(export(journal(), None, "template", "xlsx")))  # type: ignore[arg-type]
    found = load_workbook(first)
    for seed, random in seeds("cells"):
        before = []
        for _ in range(3):
            sheet = random.choice(found.worksheets)
            cell = sheet.cell(random.randint(1, 8), random.randint(1, 12))
            before.append((cell, cell.value))
            cell.value = random.choice([one for one in STRANGE if _fits_a_cell(one)])
        found.save(path)
        refused_or_clean(path, take, seed)
        for cell, value in reversed(before):
            cell.value = value


def _fits_a_cell(value: Any) -> bool:
    return not isinstance(value, list | dict) and value not in ("\0", "\ud800")


def test_a_vasl_save(tmp_path: Path) -> None:
    path = tmp_path / "end.vsav"
    whole = save_of(journal().campaign).file()
    for seed, random in seeds("vsav"):
        content = whole.as_zip()
        if random.random() < 0.3:
            path.write_bytes(spoiled(content, random))
        else:
            text = spoiled(whole.text.encode(), random).decode("utf-8", "replace")
            path.write_bytes(SaveFile(text, whole.magic, whole.key, whole.others).as_zip())
        refused_or_clean(path, take, seed)


def test_what_a_save_says_is_written_again_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "end.vsav"
    path.write_bytes(save_of(journal().campaign).file().as_zip())
    assert read_save(path).as_zip() == path.read_bytes()


@pytest.mark.parametrize("cg", ["I", "III"])
def test_allotments(tmp_path: Path, cg: str) -> None:
    path = tmp_path / "points.toml"
    whole = (DEMO / "allotments.toml").read_bytes()
    for seed, random in seeds(f"allotments {cg}"):
        path.write_bytes(spoiled(whole, random))
        refused_or_clean(path, lambda file: read_allotments(file, load_card(cg)), seed)


@pytest.mark.parametrize("kind", ["values", "bytes"])
def test_answers(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "answers.json"
    rolls = {"15.6112": {"m-ldr-1": [2, 3]}, "15.6041": {"m-sq-1": [[3, 4]]}}
    choices = {"15.614": {"marine": "done"}, "15.607": {"marine": [["N18-N21"]]}}
    whole = {"format": "brt-cg/answers", "version": 1, "rolls": rolls, "choices": choices}
    for seed, random in seeds(f"answers {kind}"):
        if kind == "values":
            path.write_text(json.dumps(misfilled(whole, random)), "utf-8")
        else:
            path.write_bytes(spoiled(json.dumps(whole).encode(), random))
        refused_or_clean(path, lambda file: read_answers(file, journal().campaign), seed)


def test_keys_of_ones_own(tmp_path: Path) -> None:
    """A file of keys is never refused: what cannot be used of it is told, and the rest holds."""
    path = tmp_path / "keys.toml"
    whole = b'[everywhere]\nhelp = "f1"\nundo = ["u", "backspace"]\n[dashboard]\nimport = "x"\n'
    for seed, random in seeds("keys"):
        path.write_bytes(spoiled(whole, random))
        own = read_keys(path)
        assert all(isinstance(keys, str) for keys in own.keymap.values()), seed
        assert all(isinstance(told, str) for told in own.problems), seed
