"""A command and its undo, and any two commands in either order, by each seat, at stops of a kept
campaign. Each is typed as players type it, and the file is opened again for the next.

A run tries each command at one stop, and some of all others: first those that the umpire may enter
where they are tried. BRT_CG_EFFORT=full tries all.
"""

import shutil
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import combinations, permutations, product
from pathlib import Path
from typing import Any
from zlib import crc32

import pytest

from brt_cg.cli.parser import COMMANDS, command_line_parser
from brt_cg.commands.registry import COMMANDS as KINDS
from brt_cg.exports.status import status_document
from brt_cg.journal.entries import Entry
from brt_cg.model.encoding import encode_record
from brt_cg.model.seat import Seat as SeatName
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.service.unrestricted import unrestricted_campaign
from tests.cli.shell import Got, Shell
from tests.compositions.table import (
    ENTERING,
    OTHER_KINDS,
    OTHERS,
    READS,
    SEATS,
    Seat,
    Stop,
    Words,
)
from tests.kept.stops import KEPT, stop, stop_after
from tests.settings import count

NEWEST = KEPT[-1]  # by today's rules
BEGUN = "begun"  # before anything else is entered
WHERE = (BEGUN, "scenario", "question", "answers", "purchases", "end")
DONE, REFUSED = 0, 2
Case = tuple[Any, ...]


def sample(cases: Iterable[Case], ci: int) -> list[Case]:
    """Some cases, the same in each run: so many, or at full effort all."""
    listed = sorted(cases, key=lambda case: (not fits(case), crc32(repr(case).encode())))
    return listed[: count(ci, len(listed))]


def fits(case: Case) -> bool:
    """Whether the umpire may enter all commands of a case at its stop."""
    return all(ENTERING[name].at in case for name in case if name in ENTERING)


class Table:
    """A player of a seat at a campaign's file."""

    def __init__(self, brt: Shell, file: Path, seat: Seat) -> None:
        self.brt, self.file, self.seat = brt, file, seat
        self.side = seat or "marine"
        self.new = "none"  # what `prepare` added first
        self._desk = OpenCampaign.open_read_only(file, SeatName.from_name(seat))

    def desk(self) -> OpenCampaign:
        """The campaign, with all that was entered since it was opened."""
        if self._desk.has_new_entries():
            self._desk.reload()
        return self._desk

    def stop(self) -> Stop:
        journal = unrestricted_campaign(self.desk())
        return Stop(journal.campaign, journal.open_question(), self.file.parent)

    def enter(self, name: str) -> bool:
        """Types a command; whether it was accepted. What it needs was typed before (`prepare`)."""
        return self.typed(ENTERING[name].words(self.stop(), self.side)).code != REFUSED

    def prepare(self, *names: str) -> None:
        """Types what must come before commands, and notes what that adds."""
        stop = self.stop()
        lines = [words for name in names for words in ENTERING[name].before(stop, self.side)]
        known = {*self.ids()} if lines else set()
        for words in lines:
            self.typed(words)
        self.new = next((id for id in self.ids() if id not in known), "none") if lines else "none"

    def typed(self, words: Words, seat: Seat = None) -> Got:
        """Types words for the seat; what they name by a word in capitals is filled in."""
        filled = [str(self.file) if word == "FILE" else word for word in words]
        filled = [self.new if word == "NEW" else word for word in filled]
        filled = [word.replace("FOLDER", str(self.file.parent)) for word in filled]
        seat = seat or self.seat
        if seat is not None and "--side" not in words and takes_side(words[0]):
            filled += ["--side", seat]
        return self.brt(*filled)

    def ids(self) -> list[str]:
        campaign = unrestricted_campaign(self.desk()).campaign
        return [*campaign.purchases, *campaign.units]

    def entries(self) -> Sequence[Entry]:
        return [*unrestricted_campaign(self.desk()).entries]

    def is_sound(self) -> bool:
        """Whether the audit finds nothing, after all was written and read back."""
        return self.brt("audit", self.file).code == DONE

    def undo(self) -> None:
        """Undoes the last command as its seat does, which asks the other one if it must agree."""
        assert self.typed(("undo", "FILE", "--command")).code == DONE
        if self.entries()[-1].kind == "ask":
            number = str(sum(entry.kind == "ask" for entry in self.entries()))
            assert self.typed(("agree", "FILE", number), "umpire").code == DONE

    def look(self) -> list[Any]:
        """The whole campaign, and its status as the seat sees it, without the checksum."""
        return self._look(self.desk())

    def look_again(self) -> list[Any]:
        """The same, of the campaign as it is read from the file."""
        return self._look(OpenCampaign.open_read_only(self.file, SeatName.from_name(self.seat)))

    def _look(self, desk: OpenCampaign) -> list[Any]:
        status = status_document(desk.view())
        del status["head"]
        tables = unrestricted_campaign(desk).campaign.tables.items()
        return [status, {name: {k: encode_record(v) for k, v in t.items()} for name, t in tables}]


def takes_side(command: str) -> bool:
    parser = command_line_parser().commands[command]
    return any("--side" in action.option_strings for action in parser._actions)


@cache
def kept_at(where: str, folder: Path) -> Path:
    path = folder / f"{where}.brt"
    if where == BEGUN:
        stop_after(NEWEST, 1, path)
    else:
        stop(NEWEST, where, path)
    return path


@pytest.fixture(scope="session")
def stops(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("stops")


def table(brt: Shell, stops: Path, folder: Path, where: str, seat: Seat) -> Table:
    return Table(brt, Path(shutil.copy(kept_at(where, stops), folder / "c.brt")), seat)


# --- which commands there are ---------------------------------------------------------------------


def test_every_command_is_in_the_table_of_pairs() -> None:
    entering = {name.split()[0] for name in ENTERING}
    assert sorted([*entering, *READS, *OTHERS]) == sorted(COMMANDS)


def test_every_kind_of_entry_is_made_by_a_command_of_the_table() -> None:
    made = {kind for line in ENTERING.values() for kind in line.makes}
    assert sorted([*made, *OTHER_KINDS]) == sorted(KINDS)


# --- one command ----------------------------------------------------------------------------------

ONE = [(name, line.at, None) for name, line in ENTERING.items()]
MORE = sample({*product(ENTERING, WHERE, SEATS)} - {*ONE}, 2)


@pytest.mark.parametrize(("name", "where", "seat"), [*ONE, *MORE])
def test_one_command_is_one_undo_and_one_redo(
    brt: Shell, stops: Path, tmp_path: Path, name: str, where: str, seat: Seat
) -> None:
    at = table(brt, stops, tmp_path, where, seat)
    at.prepare(name)
    before, entries = at.look(), at.entries()
    accepted = at.enter(name)
    after = at.look()
    if (name, where, seat) in ONE:
        new = at.entries()[len(entries) :]
        assert accepted
        assert {entry.kind for entry in new if entry.kind in KINDS} == {*ENTERING[name].makes}
    if len(at.entries()) == len(entries):  # refused, or it had nothing to enter
        assert after == before
        return
    if at.entries()[-1].kind == "ask" or ENTERING[name].is_passed_over:
        assert after[-1] == before[-1]
        return
    at.undo()
    assert at.look() == before
    assert at.typed(("redo", "FILE"), "umpire").code == DONE
    assert at.look() == at.look_again() == after


@pytest.mark.parametrize(("name", "seat"), sample(product(READS, SEATS), 2))
def test_a_read_only_command_stores_nothing(
    brt: Shell, stops: Path, tmp_path: Path, name: str, seat: Seat
) -> None:
    at = table(brt, stops, tmp_path, "end", seat)
    entries = at.entries()
    at.typed((name, *READS[name]))
    assert at.entries() == entries


# --- two commands ---------------------------------------------------------------------------------

NAMES = [name for name, line in ENTERING.items() if not line.is_passed_over]


@pytest.mark.parametrize(
    ("first", "second", "where", "seat"),
    sample(((*two, *at) for two in permutations(NAMES, 2) for at in product(WHERE, SEATS)), 2),
)
def test_two_commands_are_two_undos_and_two_redos(
    brt: Shell, stops: Path, tmp_path: Path, first: str, second: str, where: str, seat: Seat
) -> None:
    at = table(brt, stops, tmp_path, where, seat)
    at.prepare(first, second)
    seen = [at.look()]
    for name in (first, second):
        length = len(at.entries())
        at.enter(name)
        new = at.entries()[length:]
        if new and new[-1].kind != "ask":
            seen.append(at.look())
    for before in seen[-2::-1]:
        at.undo()
        assert at.look() == before
    for after in seen[1:]:
        assert at.typed(("redo", "FILE"), "umpire").code == DONE
        assert at.look() == after
    assert at.look_again() == seen[-1]
    assert at.is_sound()


@pytest.mark.parametrize(
    ("first", "second", "where"),
    sample(((*two, where) for two in combinations(NAMES, 2) for where in WHERE), 2),
)
def test_commands_about_different_things_may_come_in_either_order(
    brt: Shell, stops: Path, tmp_path: Path, first: str, second: str, where: str
) -> None:
    ends, touched = [], []
    for number, names in enumerate(((first, second), (second, first))):
        (tmp_path / str(number)).mkdir()
        at = table(brt, stops, tmp_path / str(number), where, None)
        at.prepare(first, second)
        length = len(at.entries())
        if not all(at.enter(name) for name in names):
            return
        ends.append(timeless(at.look()[1]))
        touched = [fields(entry) for entry in at.entries()[length:] if entry.kind in KINDS]
    if len(touched) == 2 and touched[0].isdisjoint(touched[1]):
        assert ends[0] == ends[1]


def timeless(tables: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """The records of a campaign, without the seconds in which players entered them."""
    return {
        name: {id: {k: v for k, v in held.items() if k != "entered_at"} for id, held in of.items()}
        for name, of in tables.items()
    }


def fields(entry: Entry) -> set[Case]:
    """The records that an entry changed."""
    return {(table, id) for table, id, *_ in entry.changes}
