"""Every reader of a file that a player gives, on files that are spoiled byte by byte and part by
part: it refuses with a message that names the file, or reads it cleanly."""

import gzip
import json
import shutil
import sqlite3
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass
from functools import cache, cached_property
from hashlib import sha256
from math import inf
from pathlib import Path
from random import Random
from time import process_time
from typing import Any

from brt_cg.aids.fight_file import begin_fight, load_fight, save_fight
from brt_cg.card import load_card
from brt_cg.catalogue import load_catalogue
from brt_cg.catalogue.types import format_catalogue, read_catalogue
from brt_cg.commands.difference import import_difference
from brt_cg.exports import export_document
from brt_cg.imports.answers_file import read_answers
from brt_cg.imports.hex_lines import parse_counter_locations
from brt_cg.imports.order_line import reinforce_inputs
from brt_cg.imports.order_lines import parse_order_lines
from brt_cg.imports.scenario_end import read_scenario_end
from brt_cg.imports.state_file import errors_with_cell_names
from brt_cg.imports.text_files import read_allotments_file
from brt_cg.journal.journal import Journal
from brt_cg.model.counters import Side
from brt_cg.model.numbered_lists import numbered_lists
from brt_cg.questions.answers import RefusedError
from brt_cg.service.mail import write_mail_file
from brt_cg.service.mail_file import read_mail
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.service.unrestricted import unrestricted_campaign
from brt_cg.storage.errors import StorageError
from brt_cg.tui.keys.own_keys import read_keys
from brt_cg.vasl.savefile import SaveFile, read_save
from brt_cg.views.view import create_view
from tests.audit.played import make
from tests.commands.campaigns import DEMO
from tests.exports.journals import begun, play, squad
from tests.faults.table import Harm, Problem
from tests.imports.mutants import misfilled, repacked, retokened, spoiled
from tests.vasl.demo_save import save_of

KEYS = b'[everywhere]\nhelp = "f1"\nundo = ["u", "backspace"]\n[dashboard]\nimport = "x"\n'
ORDER = "4 x 6-6-8\n9-1 Crowe\n3 x 7-6-8 engineers: DC, DC, FT\n3 x 6-6-8 A-C in LVT2\n# a remark\n"
PLACES = "M1: N18 1; N19 2"

Spoil = Callable[[Random], bytes]


@dataclass(frozen=True, slots=True)
class Reader:
    """A kind of file: its name, how a spoiled one is made, and what reads it. Of one that `tells`
    all, a refusal names the file."""

    name: str
    spoil: Spoil
    read: Callable[[Path], object]
    tells: bool = True


@cache
def journal() -> Journal:
    units = (squad("m-sq-1", "N19"), squad("j-sq-1", "M40"), squad("m-ldr-1", "N19"))
    return play(begun(*units))


def take(path: Path) -> None:
    """Takes a state in, as `import` does, up to the differences."""
    with errors_with_cell_names(path):
        found = read_scenario_end(create_view(journal()), path, "both", "keep")
        import_difference(journal().campaign, found.asked, journal().card)


class Readers:
    """All readers, in turn: the seed "7 state.json" is the eighth file of that name. One that takes
    more than the `longest` seconds of the processor is a problem."""

    def __init__(
        self, folder: Path, quick: int = 2, full: int = 10_000, longest: float = inf
    ) -> None:
        self.folder, self.quick, self.full, self.longest = folder, quick, full, longest

    def seeds(self, full: bool) -> Iterable[str]:
        names = [*self.readers]
        count = -(-self.full // len(names)) if full else self.quick
        return (f"{number} {name}" for number in range(count) for name in names)

    def problems(self, seed: str) -> Iterator[Problem]:
        reader, random = self.readers[seed.partition(" ")[2]], Random(seed)
        path = self.folder / reader.name
        _make(path, reader.spoil(random))
        began, told, warned = process_time(), path.stem, list[warnings.WarningMessage]()
        try:
            with warnings.catch_warnings(record=True) as warned:
                reader.read(path)
        except (RefusedError, StorageError) as refused:
            told = str(refused)
        except Exception as error:
            yield Problem(Harm.UNTRUE, f"{reader.name}: {error!r}")
            return
        if reader.tells and path.stem not in told:
            yield Problem(Harm.UNTRUE, f"{reader.name} is not named: {told[:200]}")
        yield from (Problem(Harm.UNTRUE, f"{reader.name}: {one.message}") for one in warned)
        if process_time() - began > self.longest:
            yield Problem(Harm.UNTRUE, f"{reader.name}: it takes {process_time() - began:.0f} s")

    @cached_property
    def readers(self) -> dict[str, Reader]:
        return {reader.name: reader for reader in _readers(self.folder)}


def _make(path: Path, content: bytes) -> None:
    """Writes the file, or the folder of CSV files that a ZIP holds."""
    if path.suffix != ".csv":
        path.write_bytes(content)
        return
    shutil.rmtree(path, ignore_errors=True)
    path.mkdir()
    for name, text in json.loads(content).items():
        (path / name).write_bytes(text.encode("latin-1"))


def _readers(folder: Path) -> Iterator[Reader]:
    state = json.loads(str(export_document(create_view(journal()), "state")))
    yield Reader("state.json", of_json(state), take)
    tables = export_document(create_view(journal()), "state", "csv")
    assert isinstance(tables, dict)
    yield Reader("state.csv", _of_csv(tables), take)
    workbook = export_document(create_view(journal()), "template", "xlsx")
    assert isinstance(workbook, bytes)
    yield Reader("state.xlsx", of_zip(workbook), take)
    whole = save_of(journal().campaign).file()
    yield Reader("end.vsav", _of_save(whole), take)
    yield Reader("log.vlog", _of_save(whole), read_save)
    points = (DEMO / "allotments.toml").read_bytes()
    yield Reader(
        "points.toml", of_text(points), lambda path: read_allotments_file(path, load_card("III"))
    )
    yield Reader(
        "answers.json", of_json(ANSWERS), lambda path: read_answers(path, journal().campaign)
    )
    yield Reader("keys.toml", of_text(KEYS), read_keys)
    types = format_catalogue([*load_catalogue().shipped][:20]).encode()
    yield Reader("types.toml", of_text(types), read_catalogue)
    save_fight(folder / "a.fight", begin_fight(["marine:tank", "japanese:gun"], "marine"))
    fight = json.loads((folder / "a.fight").read_text("utf-8"))
    yield Reader("b.fight", of_json(fight), load_fight)
    yield Reader("order.txt", of_text(ORDER.encode()), _take_order, tells=False)
    yield Reader("places.txt", of_text(PLACES.encode()), _take_places, tells=False)
    campaign = make(folder / "whole.brt")
    yield Reader("spoiled.brt", _of_campaign(campaign), _open)
    desk = OpenCampaign.open_read_only(campaign)
    write_mail_file(desk, folder / "whole.mail", None, begins=True)
    yield Reader("spoiled.mail", _of_mail((folder / "whole.mail").read_bytes()), read_mail)


ANSWERS = {
    "format": "brt-cg/answers",
    "version": 1,
    "rolls": {"15.6112": {"m-ldr-1": [2, 3]}, "15.6041": {"m-sq-1": [[3, 4]]}},
    "choices": {"15.614": {"marine": "done"}, "15.607": {"marine": [["N18-N21"]]}},
}


# --- what reads those that have no reader of their own --------------------------------------------


def _take_order(path: Path) -> object:
    text = path.read_bytes().decode("utf-8", "replace")
    campaign = journal().campaign
    return reinforce_inputs(
        parse_order_lines(text, Side.MARINE, campaign, journal().card, load_catalogue())
    )


def _take_places(path: Path) -> object:
    text = path.read_bytes().decode("utf-8", "replace")
    return parse_counter_locations(text, numbered_lists(journal().campaign, Side.MARINE))


def _open(path: Path) -> None:
    desk = OpenCampaign.open(path, backs_up=False)
    unrestricted_campaign(desk).open_question()
    desk.close()


# --- how they are spoiled ----------------------------------------------------------------------


def of_json(document: Any) -> Spoil:
    def spoil(random: Random) -> bytes:
        if random.random() < 0.3:
            return spoiled(json.dumps(document).encode(), random)
        return json.dumps(misfilled(document, random)).encode()

    return spoil


def of_text(content: bytes) -> Spoil:
    def spoil(random: Random) -> bytes:
        if random.random() < 0.3:
            return spoiled(content, random)
        return retokened(content.decode(), random).encode("utf-8", "surrogateescape")

    return spoil


def of_zip(content: bytes) -> Spoil:
    return lambda random: (spoiled if random.random() < 0.3 else repacked)(content, random)


def _of_csv(files: dict[str, str]) -> Spoil:
    """As JSON, from which the folder is made."""

    def spoil(random: Random) -> bytes:
        name = random.choice([*files])
        found = {name: text.encode().decode("latin-1") for name, text in files.items()}
        if random.random() < 0.3:
            found[name] = spoiled(files[name].encode(), random).decode("latin-1")
        else:
            text = retokened(files[name], random, r"([,\n\"]+)")
            found[name] = text.encode().decode("latin-1")
        return json.dumps(found).encode()

    return spoil


def _of_save(whole: SaveFile) -> Spoil:
    packed = of_zip(whole.as_zip())

    def spoil(random: Random) -> bytes:
        if random.random() < 0.3:
            return packed(random)
        text = retokened(whole.text, random, r"([\x1b\t;\\/]+)")
        text = text.encode("utf-8", "replace").decode("utf-8")
        return SaveFile(text, whole.magic, whole.key, whole.others).as_zip()

    return spoil


def _of_mail(content: bytes) -> Spoil:
    first, *lines = gzip.decompress(content).splitlines()

    def spoil(random: Random) -> bytes:
        if random.random() < 0.3:
            return spoiled(content, random)
        header, rest = json.loads(first), [*lines]
        at = random.randrange(len(rest))
        digest, text, said = json.loads(rest[at])
        changed = json.dumps(misfilled(json.loads(text), random))
        rest[at] = json.dumps(misfilled([digest, changed, said], random)).encode()
        joined = b"\n".join(rest) + b"\n"
        header["sum"] = sha256(joined).hexdigest()
        if random.random() < 0.3:
            header = misfilled(header, random)
        return gzip.compress(json.dumps(header).encode() + b"\n" + joined, 1)

    return spoil


def _of_campaign(path: Path) -> Spoil:
    content = path.read_bytes()
    edited = path.with_name("edited.brt")

    def spoil(random: Random) -> bytes:
        if random.random() < 0.5:
            return spoiled(content, random)
        edited.write_bytes(content)
        with closing(sqlite3.connect(edited, isolation_level=None)) as connection:
            names = connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'")
            for (name,) in names.fetchall():
                connection.execute(f"DROP TRIGGER {name}")
            (seq, text) = random.choice(
                connection.execute("SELECT seq, payload FROM journal").fetchall()
            )
            value = random.choice((retokened(text, random), None, b"\xff", 1.5, ""))
            column = random.choice(("payload", "hash", "said", "seq"))
            sql = f"UPDATE OR IGNORE journal SET {column} = ? WHERE seq = ?"
            try:
                connection.execute(sql, (value, seq))
            except (sqlite3.Error, UnicodeError):
                return content
        return edited.read_bytes()

    return spoil
