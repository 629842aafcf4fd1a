"""Dice: a dr is one die, a DR two (colored, white); tables, modifiers, odds and sources of dice.

The Original result is the result as rolled; the Final result, which includes every drm or DRM,
selects the row. Tables are data, read from `campaigns/`. Only `AppDice` is random: everything else
here is pure.
"""

import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from enum import StrEnum
from functools import cached_property, lru_cache
from itertools import count, islice, product
from random import SystemRandom
from typing import TYPE_CHECKING, Protocol

from brt_cg.immutable import immutable
from brt_cg.text import count_text, hyphens_to_minus_signs, list_text, signed_text

if TYPE_CHECKING:  # most commands show no odds
    from fractions import Fraction

Faces = tuple[int, ...]
"""The dice as rolled: (n,) for a dr, (colored, white) for a DR; each 1–6."""

_SIDES = range(1, 7)
VALUE = re.compile(r"\{n(?: ([^{}]+))?\}")  # the value of a fact in a reason
_quoted = json.encoder.encode_basestring_ascii


class Dice(StrEnum):
    """The dice of a roll: one die (dr) or two (DR)."""

    ONE = "dr"
    TWO = "DR"

    @cached_property
    def dice_count(self) -> int:
        return 1 if self is Dice.ONE else 2


@immutable
class Modifier:
    """A drm or DRM with its reason: −1, "heroic"."""

    amount: int
    reason: str


@immutable
class TableRow:
    """A row of a table: its Finals, `low` to `high` (None: no limit), and their meaning.

    `result` is the key that a step reads, `text` is the result in words for players.
    """

    low: int | None
    high: int | None
    result: str
    text: str

    @property
    def finals_text(self) -> str:
        """The Finals in words: "≤ 7", "8–9", "≥ 11"."""
        low, high = (
            None if limit is None else hyphens_to_minus_signs(limit)
            for limit in (self.low, self.high)
        )
        if low is None:
            return "any" if high is None else f"≤ {high}"
        if high is None:
            return f"≥ {low}"
        return low if low == high else f"{low}–{high}"

    def includes(self, final: int) -> bool:
        above = self.low is None or self.low <= final
        return above and (self.high is None or final <= self.high)


@immutable
class ModifierFact:
    """A modifier line of a table: the modifier for each full `per` units of the fact `name`.

    `reason` may hold the value that the step passes in: "for {n} PP" is "for 3 PP", and "for
    {n hex}" is "for 1 hex" or "for 3 hexes".
    """

    name: str
    drm: int
    reason: str
    per: int = 1


@lru_cache(maxsize=4096)
def _modifier(fact: ModifierFact, value: int) -> Modifier:
    def worded(found: re.Match[str]) -> str:
        return count_text(value, found[1]) if found[1] else hyphens_to_minus_signs(value)

    return Modifier(fact.drm * (value // fact.per), VALUE.sub(worded, fact.reason))


@immutable
class CheckWording:
    """The players' words for a roll that is a check against a number: "1TC against Morale 5".

    `against` is the fact that holds the number (negative), `called` its name; `level` are the facts
    that change the number instead of the roll, each with its word; `kind` names the check, unless a
    fact of `kinds` names it.
    """

    against: str
    called: str
    level: Mapping[str, str] = field(default_factory=dict)
    kind: str = ""
    kinds: Mapping[str, str] = field(default_factory=dict)


@immutable
class DiceTable:
    """A dice table: its rows, and the facts that modify a roll on it; `check` describes the roll in
    the players' words."""

    key: str
    rule: str
    title: str
    dice: Dice
    rows: tuple[TableRow, ...]
    facts: tuple[ModifierFact, ...]
    check: CheckWording | None = None

    def row_for_final(self, final: int) -> TableRow:
        """Return the row of a Final result. Raises LookupError if there is none."""
        for row in self.rows:
            if row.includes(final):
                return row
        raise LookupError(f"{self.rule}: table {self.key} has no row for a Final {final}")

    def modifiers_for_facts(self, facts: Mapping[str, int]) -> tuple[Modifier, ...]:
        """Return the modifiers for these facts, in the table's order, without zero modifiers.
        Raises KeyError for a fact that this table does not know."""
        found = [(fact, facts[fact.name]) for fact in self.facts if fact.name in facts]
        if len(found) < len(facts):
            known = [fact.name for fact in self.facts]
            unknown = ", ".join(name for name in facts if name not in known)
            raise KeyError(
                f"{self.rule}: table {self.key} has no fact {unknown}, only {list_text(known)}"
            )
        return tuple([_modifier(fact, value) for fact, value in found if value // fact.per])

    def resolve(self, faces: Faces, modifiers: Iterable[Modifier] = ()) -> "Outcome":
        """Resolve a roll. Raises ValueError if `faces` are not this table's dice."""
        return self.outcome_of_valid_faces(_checked(self.dice, faces, faces), tuple(modifiers))

    def outcome_of_valid_faces(self, faces: Faces, modifiers: tuple[Modifier, ...]) -> "Outcome":
        """Resolve a roll whose faces are known to be this table's dice."""
        original = sum(faces)
        final = original + sum(modifier.amount for modifier in modifiers)
        return Outcome(self.key, faces, modifiers, original, final, self.row_for_final(final))

    def check_text(self, modifiers: Iterable[Modifier]) -> str:
        """Return a check in the players' words: "Morale 8, Encircled −1, 1TC +1: passes on DR ≤ 6";
        "" for a roll that is not a check."""
        shown = tuple(modifiers)
        most = (self.rows[0].high or 0) - sum(each.amount for each in shown)
        passes = f"{self.rows[0].text} on {self.dice} ≤ {hyphens_to_minus_signs(most)}"
        return f"{', '.join(self._parts(self.check, shown))}: {passes}" if self.check else ""

    def _parts(self, check: CheckWording, modifiers: Sequence[Modifier]) -> list[str]:
        """Return the parts of a check in order: its number, the modifiers of that number, then the
        kind of check and the other modifiers of the roll."""
        called = {fact.reason: fact.name for fact in self.facts}
        named = [(called.get(each.reason, ""), each.amount, each.reason) for each in modifiers]
        number = -sum(amount for name, amount, _ in named if name == check.against)
        level, kinds = check.level, check.kinds
        made = [
            f"{kinds[name]} {signed_text(amount)}" for name, amount, _ in named if name in kinds
        ]
        own = (check.against, *level, *kinds)
        return [
            f"{check.called} {hyphens_to_minus_signs(number)}",
            *(
                f"{level[name]} {signed_text(-amount)}"
                for name, amount, _ in named
                if name in level
            ),
            *(made or filter(None, [check.kind])),
            *(
                f"{reason} {signed_text(amount)}"
                for name, amount, reason in named
                if name not in own
            ),
        ]

    def roll_text(self, outcome: "Outcome", open_ones: Sequence[Modifier] | None = None) -> str:
        """Return a roll on this table in one line. A check against a number looks like "1TC against
        Morale 5 (6, Encircled −1), DR 5,3 = 8, +1 for the 1TC, Final DR 9: fails"; any other roll
        as in `Outcome.roll_text`."""
        check = self.check
        if check is None:
            return outcome.roll_text(open_ones)
        shown = outcome.modifiers if open_ones is None else open_ones
        called = {fact.reason: fact.name for fact in self.facts}
        names = [(called.get(modifier.reason, ""), modifier.amount) for modifier in shown]
        base = -sum(amount for name, amount in names if name == check.against)
        level = [(check.level[name], -amount) for name, amount in names if name in check.level]
        kind = next((check.kinds[name] for name, _ in names if name in check.kinds), check.kind)
        number = hyphens_to_minus_signs(base + sum(amount for _, amount in level))
        parts = ", ".join(
            (
                hyphens_to_minus_signs(base),
                *(f"{word} {signed_text(amount)}" for word, amount in level),
            )
        )
        against = f"{check.called} {number}" + (f" ({parts})" if level else "")
        against = f"{kind} against {against}" if kind else against
        own = (check.against, *check.level)
        drm = [each for each in shown if called.get(each.reason, "") not in own]
        total = outcome.original + sum(each.amount for each in drm)
        rolled = outcome.dice_text(drm, total if drm else None, open_ones is not None)
        return f"{against}, {rolled}: {outcome.row.text}"

    def odds(
        self, modifiers: Iterable[Modifier] = (), rolled: Sequence[int] = ()
    ) -> "tuple[tuple[TableRow, Fraction], ...]":
        """Return the exact chance of every row, in table order, once some dice have been `rolled`;
        an impossible row has a chance of 0."""
        from fractions import Fraction

        drm = sum(modifier.amount for modifier in modifiers) + sum(rolled)
        rolls = list(product(_SIDES, repeat=self.dice.dice_count - len(rolled)))
        hits = Counter(self.row_for_final(sum(faces) + drm) for faces in rolls)
        return tuple((row, Fraction(hits[row], len(rolls))) for row in self.rows)


@immutable
class Outcome:
    """A resolved roll: dice, modifiers, Original and Final result, and its row of the table."""

    table_key: str
    faces: Faces
    modifiers: tuple[Modifier, ...]
    original: int
    final: int
    row: TableRow

    @property
    def result(self) -> str:
        """The key of the row, on which a step bases its decision."""
        return self.row.result

    def roll_text(self, open_ones: Sequence[Modifier] | None = None) -> str:
        """Return the roll in one line: "dr 4, −1 heroic, Final dr 3: still wounded". For the
        opponent, show only the modifiers that may be known: "dr 4, −1 heroic, other drm unknown:
        still wounded"."""
        shown = self.modifiers if open_ones is None else open_ones
        final = self.final if self.modifiers else None
        return f"{self.dice_text(shown, final, open_ones is not None)}: {self.row.text}"

    def dice_text(self, shown: Iterable[Modifier], final: int | None, others: bool) -> str:
        """Return the dice, the modifiers `shown`, and the Final result, if any: "DR 3,4 = 7, −1
        leader, Final DR 6". If there are `others` that may not be known, leave out the Final."""
        dice, rolled = "dr", f"dr {self.original}"
        if len(self.faces) > 1:
            dice, rolled = "DR", f"DR {','.join(map(str, self.faces))} = {self.original}"
        parts = [f"{signed_text(each.amount)} {_spoken_reason(each.reason)}" for each in shown]
        if others:
            parts.append(f"other {dice}{'M' if dice == 'DR' else 'm'} unknown")
        elif final is not None:
            parts.append(f"Final {dice} {hyphens_to_minus_signs(final)}")
        return ", ".join([rolled, *parts])


def _spoken_reason(reason: str) -> str:
    """Return the reason for a modifier as the log says it: without the way it is counted."""
    said = reason.partition(" (1 per full ")[0]
    return f"by ruling {said}" if said.startswith("R-") else said


def read_faces(dice: Dice, raw: object) -> Faces:
    """Return the dice from an answers file: 4 for a dr, [3, 4] for a DR (colored, white). Raises
    ValueError with the value found and the values allowed."""
    if dice is Dice.ONE:
        return _checked(dice, (raw,), raw)
    return _checked(dice, raw if isinstance(raw, list | tuple) else (), raw)


def faces_as_json(faces: Faces) -> int | list[int]:
    """Return the dice in the form of an answers file: 4 for a dr, [3, 4] for a DR."""
    return faces[0] if len(faces) == 1 else list(faces)


@immutable
class RollKey:
    """The identity of a roll: CG Date, rule, the roller, and the number of earlier rolls by that
    rule.

    `position` counts from 0 within one Refit Phase, for one rule and subject.
    """

    date: str
    rule: str
    subject: str
    position: int


class DiceSource(Protocol):
    """A source of dice; its `seed`, if the dice are repeatable."""

    @property
    def seed(self) -> str | None: ...

    def roll(self, dice: Dice, key: RollKey) -> Faces:
        """Return the faces of the roll that `key` names."""
        ...


class AppDice:
    """The program's own dice: the operating system's secure random numbers."""

    seed = None

    def __init__(self) -> None:
        self._randrange = SystemRandom().randrange

    def roll(self, dice: Dice, key: RollKey) -> Faces:
        return tuple(self._randrange(6) + 1 for _ in range(dice.dice_count))

    def draw_index(self, many: int, key: RollKey) -> int:
        """Return a random index below `many`: a face of a different die, or one of the remaining
        cards."""
        return self._randrange(many)


class SeededDice:
    """Repeatable dice: a roll depends only on the seed and its key, never on earlier rolls."""

    def __init__(self, seed: int | str) -> None:
        self.seed = str(seed)
        self._begins = f"[{_quoted(self.seed)}, "

    def roll(self, dice: Dice, key: RollKey) -> Faces:
        return tuple(islice(self._stream(key), dice.dice_count))

    def draw_index(self, many: int, key: RollKey) -> int:
        """Return an index below `many` that depends only on the seed and the key."""
        name = [self.seed, key.date, key.rule, key.subject, key.position, many]
        # 256 bits are far more than needed, so the bias of the remainder is negligible.
        return int.from_bytes(hashlib.sha256(json.dumps(name).encode()).digest()) % many

    def _stream(self, key: RollKey) -> Iterator[int]:
        # JSON by hand, for speed: a phase has hundreds of rolls, a forecast thousands of phases.
        named = f"{_quoted(key.date)}, {_quoted(key.rule)}, {_quoted(key.subject)}"
        name = f"{self._begins}{named}, {key.position}, "
        for block in count():
            for byte in hashlib.sha256(f"{name}{block}]".encode()).digest():
                # 252 is the largest multiple of 6 in a byte; more would favor low faces.
                if byte < 252:
                    yield byte % 6 + 1


BLOCK = 36  # runs in which evenly distributed dice show each DR once, and each dr six times


class StratifiedDice:
    """Repeatable dice for one of many runs. The dice of a single run are as random as any, but the
    results of each roll are distributed evenly within a block of runs, so that the overall result
    depends far less on luck."""

    def __init__(self, seed: int | str, run: int) -> None:
        self.seed = str(seed)
        block, self._at = divmod(run, BLOCK)
        self._block = f"{seed}/{block}"

    def roll(self, dice: Dice, key: RollKey) -> Faces:
        coloured, white = divmod(_shuffled(self._block, key)[self._at], 6)
        return (coloured + 1, white + 1)[-dice.dice_count :]


@lru_cache(maxsize=4096)
def _shuffled(block: str, key: RollKey) -> tuple[int, ...]:
    """Return the numbers below BLOCK, in the order of a roll in a block of runs."""
    drawn_for = [block, key.date, key.rule, key.subject, key.position]
    drawn = hashlib.shake_256(json.dumps(drawn_for).encode()).digest(4 * BLOCK)
    return tuple(sorted(range(BLOCK), key=lambda number: drawn[4 * number : 4 * number + 4]))


def _checked(dice: Dice, found: Sequence[object], shown: object) -> Faces:
    # type() and not isinstance(): True is an int, and nobody rolls True.
    faces = tuple(face for face in found if type(face) is int and 1 <= face <= 6)
    if len(faces) == len(found) == dice.dice_count:
        return faces
    allowed = {
        Dice.ONE: "a whole number from 1 to 6",
        Dice.TWO: "two whole numbers from 1 to 6, [colored, white]",
    }
    as_json = json.dumps(shown, ensure_ascii=False, default=str)
    raise ValueError(f"{as_json} is not a {dice}; enter {allowed[dice]}")
