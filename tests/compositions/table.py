"""Each command of the command line as a player may type it at a stop of a campaign.

A command that stores something in a campaign stands in ENTERING, once for each way to type it that
enters something else; one that stores nothing, in READS; one of another kind in OTHERS, with the
tests that hold it. Tests find a command, and a kind of entry, that is added nowhere here.
"""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from brt_cg.model.campaign import Campaign
from brt_cg.model.counters import Side, Unit
from brt_cg.model.visibility import only_side_allowed_to_read
from brt_cg.questions.question_types import Question

Words = tuple[str, ...]
Seat = str | None

SEATS: Final[tuple[Seat, ...]] = (None, "marine", "japanese")
READS: Final[dict[str, Words]] = {
    "status": ("FILE", "--json"),
    "purchases": ("FILE",),
    "explain": ("FILE", "cvp"),
    "audit": ("FILE",),
    "backups": ("FILE",),
    "forecast": ("FILE", "--runs", "1", "--seed", "1"),
    "export": ("FILE", "records", "-o", "FOLDER/records.md"),
}
OTHERS: Final = {
    "open": "tests/tui",
    "serve": "tests/web",
    "demo": "tests/cli/test_phases.py",
    "new": "tests/cli/test_phases.py",
    "copy": "tests/cli/test_keeping.py",
    "guide": "tests/cli/test_guide.py",
    "completion": "tests/cli/test_completion.py",
    "campaigns": "tests/cli/test_servers.py",
    "catalogue": "tests/cli/test_catalogue.py",
    "send": "tests/cli/test_mailing.py",
    "receive": "tests/cli/test_mailing.py",
    "restore": "tests/cli/test_keeping.py",
    "repair": "tests/cli/test_keeping.py",
    "undo": "every test here",
    "redo": "every test here",
}


@dataclass(frozen=True)
class Stop:
    """A campaign at a stop with the open question, and the folder for the files that are typed."""

    campaign: Campaign
    ask: Question[Any] | None
    folder: Path

    def units(self, side: Side, kind: str = "squad") -> Iterator[Unit]:
        """The units of a side and kind that both sides see."""
        for unit in self.campaign.free_units_in_play_of(side):
            if unit.kind == kind and only_side_allowed_to_read(self.campaign, unit) is None:
                yield unit

    def unit(self, side: str) -> str:
        """The id of a unit of a side that both sides see; "none" if there is none."""
        return next((unit.id for unit in self.units(Side(side))), "none")

    def where(self, side: str) -> str:
        """The Location of such a unit."""
        places = (unit.location for unit in self.units(Side(side)))
        return next((place for place in places if place), "none")

    @property
    def state(self) -> str:
        """A file with the end of the scenario, in which nobody lost anything."""
        sides = {
            str(side): {"san": record.san, "elr": record.elr, "cvp": record.cvp + 1}
            for side, record in self.campaign.sides.items()
        }
        scenario = {"date": self.campaign.situation.date, "winner": "marine"}
        document = {"format": "brt-cg/state", "version": 1, "sides": sides, "scenario": scenario}
        path = self.folder / "state.json"
        path.write_text(json.dumps(document), encoding="utf-8")
        return str(path)


@dataclass(frozen=True)
class Line:
    """A command that enters something: its words, the commands that come before it, so that there
    is something to do; whether undo passes over it, since it has its own way back; a stop at which
    the umpire may enter it; and the kinds of the entries that it makes there, other than those of a
    paragraph."""

    words: Callable[[Stop, str], Words]
    before: Callable[[Stop, str], tuple[Words, ...]] = lambda stop, side: ()
    is_passed_over: bool = False
    at: str = "question"
    makes: tuple[str, ...] = ()


def _answer(stop: Stop, side: str) -> Words:
    ask = stop.ask
    if ask is None:
        return ("answer", "FILE", "done")
    if ask.dice:
        return ("answer", "FILE", "3" if ask.dice == "dr" else "3,4")
    default = ask.default
    return ("answer", "FILE", default if isinstance(default, str) else json.dumps(default))


def _aid(stop: Stop, side: str) -> Words:
    line = ("aid", "japanese", stop.unit("japanese"), "fails", "MC")
    return (*line, "--campaign", "FILE", "--enter")


def _buy(stop: Stop, side: str) -> Words:
    beach = ("--beach", "island") if side == "japanese" else ()
    where = ("--location", stop.where(side))
    return ("buy", "FILE", "foxhole_1s", "--side", side, *where, *beach)


def _reinforce(stop: Stop, side: str) -> Words:
    squads = "2 x 6-6-8" if side == "marine" else "2 x 4-4-7"
    return ("reinforce", "FILE", squads, "1 x 8-0", "--side", side)


def _enemy(side: str) -> str:
    return Side(side).enemy.value


def _wish(stop: Stop, side: str) -> tuple[Words, ...]:
    """What the other side asks this one for."""
    enemy = _enemy(side)
    fields = ("name=Wished", "--reason", "a slip", "--side", enemy)
    return (("edit", "FILE", stop.unit(side), *fields),)


def _one_report(stop: Stop, side: str) -> tuple[Words, ...]:
    """The report of one player about the end of the scenario."""
    return (("import", "FILE", stop.state, "--side", side, "--missing", "keep", "--yes"),)


def _wish_of_its_own(stop: Stop, side: str) -> tuple[Words, ...]:
    return _wish(stop, _enemy(side))


ENTERING: Final[dict[str, Line]] = {
    "note": Line(lambda stop, side: ("note", "FILE", "a plan"), makes=("note",)),
    "edit": Line(
        lambda stop, side: ("edit", "FILE", stop.unit(side), "name=Q", "--reason", "a slip"),
        makes=("edit",),
    ),
    "drop": Line(
        lambda stop, side: ("drop", "FILE", "NEW"),
        lambda stop, side: (_reinforce(stop, side),),
        at="begun",
        makes=("drop",),
    ),
    "deploy": Line(
        lambda stop, side: ("deploy", "FILE", stop.unit(side)), at="purchases", makes=("deploy",)
    ),
    "reinforce": Line(_reinforce, at="begun", makes=("reinforce",)),
    "rulings": Line(
        lambda stop, side: (
            *("rulings", "FILE", "--set", "R-SPLIT=every"),
            *("--set", "R-OCEAN-VEHICLES=isolated"),
        ),
        makes=("ruling",),
    ),
    "allot": Line(
        lambda stop, side: (
            *("allot", "FILE", "--side", side, "--fpp", "77"),
            *(("--beach", "island") if side == "japanese" else ()),
        ),
        makes=("allot",),
    ),
    "import": Line(
        lambda stop, side: ("import", "FILE", stop.state, "--missing", "keep", "--yes"),
        at="scenario",
        makes=("import",),
    ),
    "end": Line(
        lambda stop, side: ("end", "FILE", "x1a", "--yes"), at="scenario", makes=("import",)
    ),
    "refit": Line(lambda stop, side: ("refit", "FILE", "--auto", "--seed", "3")),
    "refit --one-report": Line(
        lambda stop, side: (
            *("refit", "FILE", "--one-report", "--auto", "--seed", "3"),
            *("--through", "15.6031"),
        ),
        _one_report,
        at="scenario",
        makes=("waive",),
    ),
    "answer": Line(_answer),
    "aid": Line(_aid, makes=("edit", "aid")),
    "buy": Line(_buy, at="purchases", makes=("buy",)),
    "void": Line(
        lambda stop, side: ("void", "FILE", "NEW", "--reason", "a slip"),
        lambda stop, side: (_buy(stop, side),),
        at="purchases",
        makes=("void",),
    ),
    "draft commit": Line(
        lambda stop, side: ("draft", "FILE", "commit", "--side", side),
        lambda stop, side: ((*_buy(stop, side), "--draft"),),
        at="purchases",
        makes=("commit",),
    ),
    "draft discard": Line(
        lambda stop, side: ("draft", "FILE", "discard", "--side", side),
        lambda stop, side: ((*_buy(stop, side), "--draft"),),
        at="purchases",
        makes=("discard",),
    ),
    "ahead": Line(
        lambda stop, side: ("ahead", "FILE", "--side", side, "--always", "15.6137"),
        is_passed_over=True,
        makes=("ahead",),
    ),
    "agree": Line(lambda stop, side: ("agree", "FILE"), _wish, makes=("agree", "edit")),
    "decline": Line(
        lambda stop, side: ("decline", "FILE"), _wish, is_passed_over=True, makes=("decline",)
    ),
    "withdraw": Line(
        lambda stop, side: ("withdraw", "FILE"),
        _wish_of_its_own,
        is_passed_over=True,
        makes=("withdraw",),
    ),
}
# The kinds of entries that no line above makes, with what does.
OTHER_KINDS: Final = {
    "new": "new",
    "restore": "restore",
    "repair": "repair",
    "take": "receive",
    "ask": "every line that needs the opponent's consent, from the seat of a side",
}
