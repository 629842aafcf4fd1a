"""The questions a step may ask, and how their answers are read.

A step awaits a question and gets back a value of the question's own type:
`outcome = await Roll(...)`. Every driver (screen, command line, answers file, test) sees the same
question, hands in a raw answer as it stands in an answers file, and `read` turns that into the
value or refuses it with what is allowed.
"""

import json
import re
from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, TypeVar

from brt_cg.counters import Side
from brt_cg.dice import DiceTable, Modifier, Outcome, raw_faces, read_faces

T = TypeVar("T")
NOTHING = ("", "no", "none", "null")  # what a player types for nothing at all
Raw = Any  # an answer as JSON: a string, an integer, a boolean, null, or lists and objects of these


class Refused(ValueError):
    """An answer, or a command, that is not allowed; the message says what is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask(Generic[T]):
    """One question of a paragraph.

    `rule` and `subject` are its key in an answers file (with `kind`: at most one such question is
    open at a time); `side` answers it; `secret` is the side whose secret it is, if any; `counter`
    is the id of the counter in question; `prompt` is one plain sentence.
    """

    rule: str
    subject: str
    side: Side
    prompt: str
    secret: Side | None = None
    counter: str | None = None

    kind: ClassVar[str] = "question"

    def __await__(self) -> Generator["Ask[Any]", Any, T]:
        answer: T = yield self
        return answer

    def read(self, raw: Raw) -> T:
        """The value of a raw answer. Raises Refused."""
        raise NotImplementedError(self)

    def parse(self, text: str) -> Raw:
        """What a player typed, as a raw answer (`read` then checks it)."""
        return _from_text(text)

    @property
    def allowed(self) -> Any:
        """What may be answered, for messages and `status --json`."""
        raise NotImplementedError(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class Roll(Ask[Outcome]):
    """A dr or DR on a table of the card, with the modifiers that apply."""

    table: DiceTable
    modifiers: tuple[Modifier, ...] = ()

    kind: ClassVar[str] = "roll"

    def read(self, raw: Raw) -> Outcome:
        try:
            faces = read_faces(self.table.dice, raw)
        except ValueError as error:
            raise Refused(str(error)) from None
        return self.table.resolve(faces, self.modifiers)

    def parse(self, text: str) -> Raw:
        parts = re.sub(r"[\[\],]", " ", text).split()
        if parts and all(re.fullmatch("[0-9]{1,4}", part) for part in parts):
            return int(parts[0]) if len(parts) == 1 else [int(part) for part in parts]
        return text

    @property
    def allowed(self) -> str:
        return "a dr: 1–6" if self.table.dice == "dr" else "a DR: two dice 1–6, coloured then white"


@dataclass(frozen=True, slots=True)
class Option(Generic[T]):
    """One answer to a choice: as JSON, in words, and the value the step gets."""

    raw: Raw
    label: str
    value: T


@dataclass(frozen=True, slots=True, kw_only=True)
class Choose(Ask[T]):
    """A choice among options. `default` is the raw answer that `--auto` gives."""

    options: tuple[Option[T], ...]
    default: Raw = None

    kind: ClassVar[str] = "choice"

    def read(self, raw: Raw) -> T:
        for option in self.options:
            if _same(option.raw, raw):
                return option.value
        raise Refused(f"{_shown(raw)} is not allowed here; allowed: {_listed(self.allowed)}")

    def parse(self, text: str) -> Raw:
        for option in self.options:
            if text in (_shown(option.raw), option.raw):
                return option.raw
        words = {"yes": (True,), "no": (False, None), "none": (None,)}.get(text.lower(), ())
        for word in words:
            if any(_same(option.raw, word) for option in self.options):
                return word
        return _from_text(text)

    @property
    def allowed(self) -> list[Raw]:
        return [option.raw for option in self.options]


@dataclass(frozen=True, slots=True, kw_only=True)
class Enter(Ask[T]):
    """A free entry, read by `reader`, which raises Refused.

    `hint` says what is allowed. With `series`, the question comes again until it is answered with
    `stop`; in an answers file its subject then holds the list of all answers but the last.
    """

    reader: Callable[[Raw], T]
    hint: str
    default: Raw = None
    series: bool = False
    stop: Raw = None

    kind: ClassVar[str] = "entry"

    def read(self, raw: Raw) -> T:
        return self.reader(raw)

    def parse(self, text: str) -> Raw:
        return self.default if text.strip().lower() in NOTHING else _from_text(text)

    @property
    def allowed(self) -> str:
        return self.hint


@dataclass(frozen=True, slots=True, kw_only=True)
class Several(Ask[T]):
    """One entry about many items, only some of which are answered: {item: answer}.

    In an answers file each item stands under the rule by itself; `subjects` are the items that may
    be named. The default is to name none. `reader` raises Refused.
    """

    subjects: tuple[str, ...]
    reader: Callable[[Raw], T]
    hint: str

    kind: ClassVar[str] = "entry"

    def read(self, raw: Raw) -> T:
        if not isinstance(raw, dict):
            raise Refused(f"{_shown(raw)} is not an object {{item: answer}}: {self.hint}")
        unknown = [item for item in raw if item not in self.subjects]
        if unknown:
            allowed = _listed(list(self.subjects)) or "nothing"
            raise Refused(f"{', '.join(unknown)}: not among what may be named here: {allowed}")
        return self.reader(raw)

    def parse(self, text: str) -> Raw:
        return {} if text.strip().lower() in NOTHING else _from_text(text)

    @property
    def allowed(self) -> str:
        return self.hint


def default_of(ask: Ask[Any]) -> Raw:
    """The raw answer that `--auto` gives to a choice or an entry."""
    if isinstance(ask, Choose | Enter):
        return ask.default
    if isinstance(ask, Several):
        return {}
    raise TypeError(f"a {ask.kind} has no default")


def roll_raw(outcome: Outcome) -> Raw:
    """The dice of an outcome as they stand in an answers file."""
    return raw_faces(outcome.faces)


def _from_text(text: str) -> Raw:
    stripped = text.strip()
    if stripped.lower() in {"none", "null"}:
        return None
    if stripped.lower() in {"yes", "no"}:
        return stripped.lower() == "yes"
    try:
        return json.loads(stripped)
    except (ValueError, RecursionError):
        return stripped


def _same(one: Raw, other: Raw) -> bool:
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


def _shown(raw: Raw) -> str:
    return raw if isinstance(raw, str) else json.dumps(raw, ensure_ascii=False)


def _listed(raws: list[Raw], most: int = 12) -> str:
    shown = [_shown(raw) for raw in raws[:most]]
    return ", ".join(shown) + (f", … ({len(raws)} in all)" if len(raws) > most else "")
