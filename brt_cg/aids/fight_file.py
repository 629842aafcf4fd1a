"""A recorded fight: a file with every order, its dice and its changes.

A fight is rebuilt from its changes, so a later change of the rules never rewrites an old one;
replaying the orders with their dice must lead to the same changes (`replayed`).
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from brt_cg.aids.fight import FightState, create_pieces, read_fight_tables
from brt_cg.aids.fight_orders import FightOrder, carry_out_order
from brt_cg.aids.sources import aid_ruling_values
from brt_cg.files import read_bytes, translate_errors, write_atomically
from brt_cg.model import Side
from brt_cg.questions import Question, Raw, RefusedError, run_with_answers
from brt_cg.text import list_text

FORMAT, VERSION = "brt-cg/fight", 1
Change = list[Any]  # a path ("pieces.m-tank-1.moved"), the old value and the new one


@dataclass(slots=True)
class RecordedFight:
    """A fight and its history. An undone entry is kept and marked."""

    start: dict[str, Any]
    entries: list[dict[str, Any]]
    fight: FightState

    @property
    def entries_not_undone(self) -> list[dict[str, Any]]:
        return [entry for entry in self.entries if not entry.get("undone")]

    def carry_out(self, line: str, answer: Callable[[Question[Any]], Raw]) -> list[str]:
        """Carry out an order and record it. Return lines for the players. Raises RefusedError, with
        nothing changed."""
        before = self.fight.as_json()
        order, answers = try_order(before, line, answer)
        changes = state_changes(before, order.fight.as_json())
        entry = {"do": line, "answers": answers, "said": order.lines, "changes": changes}
        self.entries.append(entry)
        self.fight = order.fight
        return order.lines

    def undo(self) -> str:
        """Undo the newest order, and return it. Raises RefusedError."""
        if not self.entries_not_undone:
            raise RefusedError("there is nothing to undo")
        entry = self.entries_not_undone[-1]
        plain = self.fight.as_json()
        for path, old, _ in reversed(entry["changes"]):
            _put(plain, path, old)
        entry["undone"] = True
        self.fight = FightState.from_json(plain)
        return str(entry["do"])

    def history_lines(self) -> Iterator[str]:
        """Yield the history, order by order."""
        for number, entry in enumerate(self.entries, 1):
            mark = " (undone)" if entry.get("undone") else ""
            yield f"{number}. {entry['do']}{mark}"
            yield from (f"   {line}" for line in entry["said"])


def try_order(
    before: dict[str, Any], line: str, answer: Callable[[Question[Any]], Raw]
) -> tuple[FightOrder, list[Raw]]:
    """Carry out an order on a copy. Return the copy, and the answers that the order used. Raises
    RefusedError."""
    order, answers = FightOrder(FightState.from_json(_copy(before))), []

    def answered(ask: Question[Any]) -> Raw:
        answers.append(answer(ask))
        return answers[-1]

    run_with_answers(carry_out_order(order, line), answered)
    return order, answers


def begin_fight(words: Iterable[str], first: str, changed: Iterable[str] = ()) -> RecordedFight:
    """Return a new fight. Raises RefusedError."""
    if first not in list(Side):
        raise RefusedError(f"first: {first} is not accepted; enter {list_text(Side)}")
    agreed = {
        id: value for id, value in aid_ruling_values(changed).items() if id.startswith("R-FIGHT")
    }
    fight = FightState(first=first, rulings=agreed, pieces=create_pieces(words))
    return RecordedFight(fight.as_json(), [], fight)


def try_single_action(
    line: str, changed: Iterable[str], answer: Callable[[Question[Any]], Raw]
) -> list[str]:
    """Try a single action without a fight, such as "fire tank gun,flank,range=20": a Marine tank
    fires at a Japanese gun. Types are named instead of pieces. Raises RefusedError."""
    verb, *words = line.split() or [""]
    sides = iter((Side.MARINE, *(Side.JAPANESE,) * len(words)))
    fielded, named = [], []
    for word in words:
        type_, comma, rest = word.partition(",")
        if type_ in read_fight_tables().pieces:
            side = next(sides)
            fielded.append(f"{side}:{type_}")
            number = fielded.count(f"{side}:{type_}")
            word = f"{side[0]}-{type_}-{number}{comma}{rest}"
        named.append(word)
    fight = begin_fight(fielded, Side.MARINE, changed).fight
    fight.free = True
    order, _ = try_order(fight.as_json(), " ".join((verb, *named)), answer)
    return order.lines


def state_changes(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[Change]:
    """Return the changes between two states, in the order of the fields."""
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


def replay_differences(recorded: RecordedFight) -> list[str]:
    """Return the differences between the recorded changes and those that the current rules give for
    the same orders and dice."""
    plain, wrong = FightState.from_json(_copy(recorded.start)).as_json(), []
    for number, entry in enumerate(recorded.entries, 1):
        if entry.get("undone"):
            continue
        try:
            order, _ = try_order(plain, entry["do"], _again(entry["answers"]))
            changes = state_changes(plain, order.fight.as_json())
        except RefusedError as refused:
            changes = [[str(refused)]]
        if _copy(changes) != entry["changes"]:
            wrong.append(f"{number}. {entry['do']}: {changes} instead of {entry['changes']}")
        for path, _, new in entry["changes"]:
            _put(plain, path, _copy(new))
    return wrong


def _again(answers: list[Raw]) -> Callable[[Question[Any]], Raw]:
    """Return a function that gives the recorded answers, in order."""
    left = iter(answers)
    return lambda _: next(left, None)


# --- the file -------------------------------------------------------------------------------------


def load_fight(path: Path) -> RecordedFight:
    """Read a fight from its file. Raises RefusedError, which names the problem with it."""
    with translate_errors(path, f"a recorded fight ({FORMAT}, version {VERSION})"):
        found = json.loads(read_bytes(path).decode())
        if (found["format"], found["version"]) != (FORMAT, VERSION):
            raise ValueError(f"format {found['format']}, version {found['version']}")
        plain = _copy(found["start"])
        for entry in found["entries"]:
            for change, _, new in entry["changes"]:
                if not entry.get("undone"):
                    _put(plain, change, _copy(new))
        return RecordedFight(found["start"], found["entries"], FightState.from_json(plain))


def save_fight(path: Path, recorded: RecordedFight, *, new: bool = False) -> None:
    """Write a fight, as a whole or not at all. Raises RefusedError if a new one would replace a
    file."""
    if new and path.exists():
        raise RefusedError(f"{path} already exists; choose another name")
    document = {"format": FORMAT, "version": VERSION, "start": recorded.start}
    text = json.dumps(document | {"entries": recorded.entries}, ensure_ascii=False, indent=1)
    write_atomically(path, text + "\n")
