"""The questions a step may ask, and how their answers are read.

A step awaits a question and gets back a value of the question's own type:
`outcome = await Roll(...)`. Every driver (screen, command line, answers file, test) sees the same
question, hands in a raw answer as it stands in an answers file, and `read` turns that into the
value or refuses it with what is allowed. How an answer is typed in short, told in words, and picked
from a list is the question's own business too: its Form (answers.py).
"""

import json
import re
from collections.abc import Callable, Coroutine, Generator, Iterable, Sequence
from functools import cached_property
from typing import Any, ClassVar, Generic, NamedTuple, TypeVar

from brt_cg.answers import (
    NOTHING,
    Called,
    Form,
    Raw,
    Refused,
    from_text,
    id_called,
    with_ids,
    written,
)
from brt_cg.counters import Side
from brt_cg.dice import DiceTable, Modifier, Outcome, read_faces
from brt_cg.values import frozen

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)


@frozen(kw_only=True)
class Ask(Generic[T]):
    """One question of a paragraph.

    `rule` and `subject` are its key in an answers file (with `kind`: at most one such question is
    open at a time); `side` answers it; `secret` is the side whose secret it is, if any; `counter`
    is the id of the counter in question; `prompt` is one plain sentence. `about` says in a word
    what is asked, where a paragraph asks several things. `public` says that whether it is asked,
    and what it says, tells neither side anything new, so that either may see it; `buying`, that
    its side may buy while it stands (15.614); `optional`, that an answers file which leaves it out
    gives its default.
    """

    rule: str = ""
    subject: str
    side: Side
    prompt: str
    secret: Side | None = None
    counter: str | None = None
    about: str = ""
    public: bool = False
    buying: bool = False
    optional: bool = False

    kind: ClassVar[str] = "question"

    @property
    def group(self) -> tuple[str, str, str, str]:
        """What questions of one kind about many counters have in common, to be shown as one
        list."""
        return (self.rule, self.kind, self.side, self.about)

    @property
    def is_decision(self) -> bool:
        """Whether a player really has something to decide."""
        return True

    def __await__(self) -> Generator["Ask[Any]", Any, T]:
        answer: T = yield self
        return answer

    def read(self, raw: Raw) -> T:
        """The value of a raw answer. Raises Refused."""
        raise NotImplementedError(self)

    def parse(self, text: str, seat: Side | None = None) -> Raw:
        """What a player at a seat (None: the umpire) typed, as a raw answer (`read` then checks
        it). Raises Refused."""
        return from_text(text)

    def with_ids(self, raw: Raw) -> Raw:
        """An answer of an answers file, with the ids of the counters that it calls by name. Raises
        Refused where several bear one."""
        return raw

    @property
    def allowed(self) -> Any:
        """What may be answered, for messages and `status --json`."""
        raise NotImplementedError(self)


@frozen(kw_only=True)
class Roll(Ask[Outcome]):
    """A dr or DR on a table of the card, with the modifiers that apply."""

    table: DiceTable
    modifiers: tuple[Modifier, ...] = ()

    kind: ClassVar[str] = "roll"

    @property
    def group(self) -> tuple[str, str, str, str]:
        return (self.rule, self.kind, self.side, self.table.key)

    @property
    def is_decision(self) -> bool:
        return False

    def read(self, raw: Raw) -> Outcome:
        try:
            faces = read_faces(self.table.dice, raw)
        except ValueError as error:
            raise Refused(str(error)) from None
        return self.table.outcome(faces, self.modifiers)

    def parse(self, text: str, seat: Side | None = None) -> Raw:
        parts = re.sub(r"[\[\],]", " ", text).split()
        if parts and all(re.fullmatch("[0-9]{1,4}", part) for part in parts):
            return int(parts[0]) if len(parts) == 1 else [int(part) for part in parts]
        return text

    @property
    def allowed(self) -> str:
        return "a dr: 1–6" if self.table.dice == "dr" else "a DR: two dice 1–6, coloured then white"


class Option(NamedTuple, Generic[T_co]):
    """One answer to a choice: as JSON, in words, and the value the step gets; `spot` is the
    Location that it is, if it is one, `name` that of the counter that it is, if it has one."""

    raw: Raw
    label: str
    value: T_co
    spot: str | None = None
    name: str | None = None


@frozen(kw_only=True)
class Choose(Ask[T]):
    """A choice among options. `default` is the raw answer that `--auto` gives."""

    options: tuple[Option[T], ...]
    default: Raw = None

    kind: ClassVar[str] = "choice"

    @property
    def is_decision(self) -> bool:
        """With an alternative; and the end of purchases, after which nobody buys any more in this
        Refit Phase."""
        return len(self.options) > 1 or self.buying

    def read(self, raw: Raw) -> T:
        for option in self.options:
            if _same(option.raw, raw):
                return option.value
        allowed = some_of([option.words for option in self._called()])
        raise Refused(f"{written(raw)} is not allowed here; allowed: {allowed}")

    def parse(self, text: str, seat: Side | None = None) -> Raw:
        called = id_called(text.strip(), self._called())
        for option in self.options:
            if called in (written(option.raw), option.raw):
                return option.raw
        words = {"yes": (True,), "no": (False, None), "none": (None,)}.get(text.lower(), ())
        for word in words:
            if any(_same(option.raw, word) for option in self.options):
                return word
        return from_text(text)

    def with_ids(self, raw: Raw) -> Raw:
        if any(_same(option.raw, raw) for option in self.options):
            return raw
        if isinstance(raw, str):
            called = id_called(raw, self._called())
            return next((each.raw for each in self.options if written(each.raw) == called), raw)
        named = ((option.raw, option.name) for option in self.options if option.name)
        return with_ids(raw, [Called(_about(answer), name) for answer, name in named])

    def _called(self) -> list[Called]:
        return [Called(written(option.raw), option.name) for option in self.options]

    @property
    def allowed(self) -> list[Raw]:
        return [option.raw for option in self.options]


@frozen(kw_only=True)
class Enter(Ask[T]):
    """A free entry, read by `reader`, which raises Refused.

    `hint` says what an answers file may hold. With `series`, the question comes again until it is
    answered with `stop`; in an answers file its subject then holds the list of all answers but the
    last.
    """

    reader: Callable[[Raw], T]
    hint: str
    form: Form = Form()
    default: Raw = None
    series: bool = False
    stop: Raw = None

    kind: ClassVar[str] = "entry"

    def read(self, raw: Raw) -> T:
        return self.reader(raw)

    def parse(self, text: str, seat: Side | None = None) -> Raw:
        return self.default if text.strip().lower() in NOTHING else self.form.parse(text, seat)

    def with_ids(self, raw: Raw) -> Raw:
        return with_ids(raw, self.form.counters())

    @property
    def allowed(self) -> str:
        return self.hint


@frozen
class Item:
    """One thing that an entry about several may name: the key of its answer, in words with what is
    to be known for this question, and how its answer is given; the id of its counter, and that
    one's name."""

    subject: str
    words: str
    form: Form = Form()
    counter: str | None = None
    name: str | None = None


class Items(Sequence[Item]):
    """The items of an entry, found when somebody looks at them first."""

    def __init__(self, find: Callable[[], Iterable[Item]]) -> None:
        self._find = find

    @cached_property
    def _found(self) -> tuple[Item, ...]:
        return tuple(self._find())

    def __getitem__(self, at: Any) -> Any:
        return self._found[at]

    def __len__(self) -> int:
        return len(self._found)


@frozen(kw_only=True)
class Several(Ask[T]):
    """One entry about many items, only some of which are answered: {item: answer}.

    In an answers file each item stands under the rule by itself; `items` are those that may be
    named. The default is to name none, in words `none_told`. `reader` raises Refused.
    """

    items: Sequence[Item]
    reader: Callable[[Raw], T]
    hint: str
    none_told: str = "as usual"
    optional: bool = True

    kind: ClassVar[str] = "entry"

    @property
    def subjects(self) -> tuple[str, ...]:
        """The keys of the items that may be named."""
        return tuple(item.subject for item in self.items)

    def item(self, subject: str) -> Item:
        """The item of that key. Raises Refused if there is none."""
        found = next((item for item in self.items if item.subject == subject), None)
        if found is None:
            self._check_known([subject])
        assert found is not None
        return found

    def read(self, raw: Raw) -> T:
        if not isinstance(raw, dict):
            raise Refused(f"{written(raw)} is not an object {{item: answer}}: {self.hint}")
        if raw:
            self._check_known(raw)
        return self.reader(raw)

    def _check_known(self, named: Iterable[str]) -> None:
        subjects = self.subjects
        unknown = [subject for subject in named if subject not in subjects]
        if unknown:
            allowed = some_of(subjects) or "nothing"
            raise Refused(f"{', '.join(unknown)}: not among what may be named here: {allowed}")

    def parse(self, text: str, seat: Side | None = None) -> Raw:
        """All answers at once: an object, or "ITEM ANSWER; ITEM ANSWER"."""
        text = text.strip()
        if text.lower() in NOTHING:
            return {}
        if text.startswith("{"):
            return Form().parse(text)
        parts = [self._parted(part) for part in text.split(";") if part.strip()]
        bare = [part[0] for part in parts if len(part) == 1]
        if bare:
            raise Refused(f"{', '.join(bare)}: and what of it? Write ITEM ANSWER; ITEM ANSWER")
        return {subject: self.item(subject).form.parse(answer, seat) for subject, answer in parts}

    def with_ids(self, raw: Raw) -> Raw:
        if not isinstance(raw, dict):
            return raw
        return {key: with_ids(raw[key], self.item(key).form.counters()) for key in raw}

    def _parted(self, text: str) -> list[str]:
        """An item, by its key or its counter's name, and its answer."""
        words = text.split()
        longest = max((len((item.name or "").split()) for item in self.items), default=1)
        for length in range(longest, 0, -1):
            called = " ".join(words[:length])
            subject = id_called(called, (Called(item.subject, item.name) for item in self.items))
            if subject != called:
                return [subject, *([" ".join(words[length:])] if words[length:] else [])]
        return text.split(maxsplit=1)

    @property
    def allowed(self) -> str:
        return self.hint


def drive(steps: Coroutine[Ask[Any], Any, T], answer: Callable[[Ask[Any]], Raw]) -> T:
    """Carries out steps; `answer` has a raw answer to every question. Raises Refused."""
    value = None
    try:
        while True:
            ask = steps.send(value)
            value = ask.read(answer(ask))
    except StopIteration as ended:
        done: T = ended.value
        return done
    finally:
        steps.close()


def default_of(ask: Ask[Any]) -> Raw:
    """The raw answer that `--auto` gives to a choice or an entry."""
    if isinstance(ask, Choose | Enter):
        return ask.default
    if isinstance(ask, Several):
        return {}
    raise TypeError(f"a {ask.kind} has no default")


def _same(raw: Raw, other: Raw) -> bool:
    if raw is None or other is None or isinstance(raw, str) or isinstance(other, str):
        return bool(raw == other)  # so are most: not worth writing down
    return json.dumps(raw, sort_keys=True) == json.dumps(other, sort_keys=True)


def _about(raw: Raw) -> str:
    """The id in the answer of an option about a counter: "m-ldr-1", {"harden": "m-ldr-1"}."""
    return str(next(iter(raw.values())) if isinstance(raw, dict) else raw)


def some_of(allowed: Sequence[str]) -> str:
    """What may be answered, in one line: of many the first twelve."""
    also = f", … ({len(allowed)} in all)" if len(allowed) > 12 else ""
    return ", ".join(allowed[:12]) + also
