"""A recorded fight: a file with every order, its dice and its changes.

The fight is the fold of the changes, so a later change of the rules never rewrites an old one;
replaying the orders with their dice must lead to the same changes (`replayed`).
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from brt_cg.aids.fight import Fight, field_pieces, tables
from brt_cg.aids.fighting import Order, carry_out
from brt_cg.aids.sources import rulings
from brt_cg.files import foreign, read_bytes, write_whole
from brt_cg.model.counters import Side
from brt_cg.questions.answers import Raw, Refused
from brt_cg.questions.asks import Ask, drive
from brt_cg.text import listed

FORMAT, VERSION = "brt-cg/fight", 1
Change = list[Any]  # a path ("pieces.m-tank-1.moved"), the old value and the new one


@dataclass(slots=True)
class Recorded:
    """A fight and its history. An undone entry stays, marked."""

    start: dict[str, Any]
    entries: list[dict[str, Any]]
    fight: Fight

    @property
    def standing(self) -> list[dict[str, Any]]:
        return [entry for entry in self.entries if not entry.get("undone")]

    def do(self, line: str, answer: Callable[[Ask[Any]], Raw]) -> list[str]:
        """Carries out an order and records it. Returns lines for the players. Raises Refused, with
        nothing changed."""
        before = self.fight.plain()
        order, answers = carried_out(before, line, answer)
        changes = differences(before, order.fight.plain())
        entry = {"do": line, "answers": answers, "said": order.lines, "changes": changes}
        self.entries.append(entry)
        self.fight = order.fight
        return order.lines

    def undo(self) -> str:
        """Undoes the newest order, and returns it. Raises Refused."""
        if not self.standing:
            raise Refused("there is nothing to undo")
        entry = self.standing[-1]
        plain = self.fight.plain()
        for path, old, _ in reversed(entry["changes"]):
            _put(plain, path, old)
        entry["undone"] = True
        self.fight = Fight.of(plain)
        return str(entry["do"])

    def log(self) -> Iterator[str]:
        """The history, order by order."""
        for number, entry in enumerate(self.entries, 1):
            mark = " (undone)" if entry.get("undone") else ""
            yield f"{number}. {entry['do']}{mark}"
            yield from (f"   {line}" for line in entry["said"])


def carried_out(
    before: dict[str, Any], line: str, answer: Callable[[Ask[Any]], Raw]
) -> tuple[Order, list[Raw]]:
    """Carries out an order on a copy. Returns it with the answers that it took. Raises Refused."""
    order, answers = Order(Fight.of(_copy(before))), []

    def answered(ask: Ask[Any]) -> Raw:
        answers.append(answer(ask))
        return answers[-1]

    drive(carry_out(order, line), answered)
    return order, answers


def begin(words: Iterable[str], first: str, changed: Iterable[str] = ()) -> Recorded:
    """A new fight. Raises Refused."""
    if first not in list(Side):
        raise Refused(f"first: found {first}; allowed: {listed(Side)}")
    agreed = {id: value for id, value in rulings(changed).items() if id.startswith("R-FIGHT")}
    fight = Fight(first=first, rulings=agreed, pieces=field_pieces(words))
    return Recorded(fight.plain(), [], fight)


def try_out(line: str, changed: Iterable[str], answer: Callable[[Ask[Any]], Raw]) -> list[str]:
    """Tries a single action without a fight: "fire tank gun,flank,range=20", of a Marine tank at a
    Japanese gun; types stand for pieces. Raises Refused."""
    verb, *words = line.split() or [""]
    sides = iter((Side.MARINE, *(Side.JAPANESE,) * len(words)))
    fielded, named = [], []
    for word in words:
        type_, comma, rest = word.partition(",")
        if type_ in tables().pieces:
            side = next(sides)
            fielded.append(f"{side}:{type_}")
            number = fielded.count(f"{side}:{type_}")
            word = f"{side[0]}-{type_}-{number}{comma}{rest}"
        named.append(word)
    fight = begin(fielded, Side.MARINE, changed).fight
    fight.free = True
    order, _ = carried_out(fight.plain(), " ".join((verb, *named)), answer)
    return order.lines


def differences(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[Change]:
    """The changes between two states, in the order of the fields."""
    old, new = dict(_flat(before)), dict(_flat(after))
    return [[path, old[path], value] for path, value in new.items() if old[path] != value]


def _flat(plain: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for name, value in plain.items():
        if name != "pieces":
            yield name, value
    for id, piece in plain["pieces"].items():
        yield from ((f"pieces.{id}.{name}", value) for name, value in piece.items())


def _put(plain: dict[str, Any], path: str, value: Any) -> None:
    *way, name = path.split(".")
    for part in way:
        plain = plain[part]
    plain[name] = value


def _copy(plain: Any) -> Any:
    return json.loads(json.dumps(plain))


def replayed(recorded: Recorded) -> list[str]:
    """The differences between the recorded changes and those that the current rules give for the
    same orders and dice."""
    plain, wrong = Fight.of(_copy(recorded.start)).plain(), []
    for number, entry in enumerate(recorded.entries, 1):
        if entry.get("undone"):
            continue
        try:
            order, _ = carried_out(plain, entry["do"], _again(entry["answers"]))
            changes = differences(plain, order.fight.plain())
        except Refused as refused:
            changes = [[str(refused)]]
        if _copy(changes) != entry["changes"]:
            wrong.append(f"{number}. {entry['do']}: {changes} instead of {entry['changes']}")
        for path, _, new in entry["changes"]:
            _put(plain, path, _copy(new))
    return wrong


def _again(answers: list[Raw]) -> Callable[[Ask[Any]], Raw]:
    """Returns a function that gives the recorded answers, in order."""
    left = iter(answers)
    return lambda _: next(left, None)


# --- the file -------------------------------------------------------------------------------------


def load(path: Path) -> Recorded:
    """Reads a fight from its file. Raises Refused, naming what is wrong with it."""
    with foreign(path, f"a recorded fight ({FORMAT}, version {VERSION})"):
        found = json.loads(read_bytes(path).decode())
        if (found["format"], found["version"]) != (FORMAT, VERSION):
            raise ValueError(f"format {found['format']}, version {found['version']}")
        plain = _copy(found["start"])
        for entry in found["entries"]:
            for change, _, new in entry["changes"]:
                if not entry.get("undone"):
                    _put(plain, change, _copy(new))
        return Recorded(found["start"], found["entries"], Fight.of(plain))


def save(path: Path, recorded: Recorded, *, new: bool = False) -> None:
    """Writes a fight, whole or not at all. Raises Refused if a new one would replace a file."""
    if new and path.exists():
        raise Refused(f"{path} exists already: choose another name")
    document = {"format": FORMAT, "version": VERSION, "start": recorded.start}
    text = json.dumps(document | {"entries": recorded.entries}, ensure_ascii=False, indent=1)
    write_whole(path, text + "\n")
