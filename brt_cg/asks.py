"""The questions a step may ask, and how their answers are read.

A step awaits a question and gets back a value of the question's own type:
`outcome = await Roll(...)`. Every driver (screen, command line, answers file, test) sees the same
question, hands in a raw answer as it stands in an answers file, and `read` turns that into the
value or refuses it with what is allowed. How an answer is typed in short, told in words, and picked
from a list is the question's own business too: its Form.
"""

import json
import re
from collections.abc import Callable, Coroutine, Generator, Iterable, Sequence
from functools import cached_property
from typing import Any, ClassVar, Generic, NamedTuple, TypeVar, overload

from brt_cg.counters import Side
from brt_cg.dice import DiceTable, Modifier, Outcome, read_faces
from brt_cg.values import frozen

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)
NOTHING = ("", "-", "no", "none", "nobody", "null")  # what a player types for nothing at all
OWN_WORDS = ("do", "name", "reason")  # the keys of the player's own wording, which names nobody
Raw = Any  # an answer as JSON: a string, an integer, a boolean, null, or lists and objects of these


class Refused(ValueError):
    """An answer, or a command, that is not allowed; the message says what is."""


def refuse(problems: Iterable[str]) -> None:
    """Raises Refused with all of them, a line each, if there are any."""
    lines = list(problems)
    if lines:
        raise Refused("\n".join(lines))


def from_text(text: str) -> Raw:
    """What a player typed, as it would stand in an answers file: JSON, or a plain text."""
    stripped = text.strip()
    if stripped.lower() in {"none", "null"}:
        return None
    if stripped.lower() in {"yes", "no"}:
        return stripped.lower() == "yes"
    try:
        return json.loads(stripped)
    except (ValueError, RecursionError):
        return stripped


def in_words(raw: Raw) -> str:
    """A raw answer in words."""
    if raw is None or raw in ([], {}):
        return "none"
    if isinstance(raw, bool):
        return "yes" if raw else "no"
    if isinstance(raw, list) and all(isinstance(entry, str) for entry in raw):
        return ", ".join(raw)
    return _shown(raw)


@frozen
class Candidate:
    """An answer that can be picked from a list: as JSON, in words, and as a player would type it.
    `secret` is the side whose secret it is that this can be answered, if any. `spots` are what is
    pointed at on the map for it: a Location, or none; then its exit, or the two hexes of its
    Covered Arc in any order."""

    raw: Raw
    words: str
    typed: str
    secret: Side | None = None
    spots: tuple[str, ...] = ()


class Called(NamedTuple):
    """A counter that a typed answer may name: by its id, or by its name if it has one. `secret` is
    the side whose secret it is that it can be named here, if any."""

    id: str
    name: str | None
    secret: Side | None = None

    @property
    def words(self) -> str:
        return f"{self.id} ({self.name})" if self.name else self.id


def id_called(called: str, counters: Iterable[Called]) -> str:
    """The id of the counter that is called so, by id or, in any case of letters, by name; what is
    neither stays as it is. Raises Refused where several bear the name."""
    known = list(counters)
    bearers = [each for each in known if each.name and _folded(each.name) == _folded(called)]
    if not bearers or any(counter.id == called for counter in known):
        return called
    if len(bearers) > 1:
        listed = ", ".join(counter.words for counter in bearers)
        raise Refused(f"{called}: several are called so: {listed}")
    return bearers[0].id


def with_ids(raw: Raw, counters: Iterable[Called]) -> Raw:
    """An answer as it stands in an answers file, with the ids of the counters that it calls by
    name. Raises Refused where several bear one."""
    known = [counter for counter in counters if counter.name and counter.name.strip()]
    if not known:
        return raw
    if isinstance(raw, str):
        return id_called(raw, known)
    if isinstance(raw, list):
        return [with_ids(part, known) for part in raw]
    if isinstance(raw, dict):
        return {
            id_called(key, known): part if key in OWN_WORDS else with_ids(part, known)
            for key, part in raw.items()
        }
    return raw


def _folded(name: str) -> str:
    return " ".join(name.casefold().split())


@frozen
class Pointed:
    """How an answer is pointed at on the map. `parts` words what is pointed at, one after the
    other: a Location (a hex, if they are `bare`), then hexes; `made` makes an answer of them.
    Without `made` only a candidate can be pointed at; if none has a place on the map, the Location
    stands within what is typed."""

    parts: tuple[str, ...] = ("the Location",)
    made: Callable[[Sequence[str]], Raw] | None = None
    bare: bool = False


ARC = ("a hex of the Covered Arc", "the other hex of the Covered Arc")
ACROSS = ("a hex of the hexside", "the hex across it")


@frozen(kw_only=True)
class Form:
    """How an answer is typed in short, told in words, and picked from a list.

    `hint` says what may be typed; what stands in an answers file may always be. `typed` makes a raw
    answer of that, raising Refused; `told` puts one in words; `candidates` are answers that are
    allowed each by itself, and `joined`, if several may be picked at once, makes one of them.
    `pointed` says how the answer, or a part of it, is pointed at on the map, if it can be;
    `painted`, that the answer is a list of areas, each a list of hexes or ranges, which can be
    painted there. `counters` are those that may be named in what is typed, which `typed` then
    gets with their ids; what `own_words` matches is the player's own wording, in which no name is
    read.
    """

    hint: str = ""
    typed: Callable[[str], Raw] = from_text
    told: Callable[[Raw], str] = in_words
    candidates: Callable[[], Iterable[Candidate]] = tuple
    joined: Callable[[Sequence[Raw]], Raw] | None = None
    pointed: Pointed | None = None
    painted: bool = False
    counters: Callable[[], Iterable[Called]] = tuple
    own_words: str = "(?!)"

    def offered(self, seat: Side | None) -> list[Candidate]:
        """The candidates that may be shown to a side (None: the umpire)."""
        return [
            candidate
            for candidate in self.candidates()
            if seat is None or candidate.secret in (None, seat)
        ]

    def parse(self, text: str, seat: Side | None = None) -> Raw:
        """What a player at a seat (None: the umpire) typed, in short or as JSON. Raises Refused."""
        text = text.strip()
        if text[:1] not in ("{", "["):
            return self.typed(self._by_ids(text, seat))
        try:
            raw = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise Refused(f"broken JSON: {error}") from None
        return with_ids(raw, self._known(seat))

    def _known(self, seat: Side | None) -> list[Called]:
        """The counters that a seat may call by name."""
        return [each for each in self.counters() if seat is None or each.secret in (None, seat)]

    def _by_ids(self, text: str, seat: Side | None) -> str:
        """What was typed, with the ids of the counters that it calls by name."""
        known = self._known(seat)
        names = sorted({_folded(each.name) for each in known if each.name}, key=len, reverse=True)
        called = "|".join(r"\s+".join(map(re.escape, name.split())) for name in filter(None, names))
        return re.sub(
            rf"(?P<own>{self.own_words})|(?<![^\s,;=])(?:{called or '(?!)'})(?![^\s,;:])",
            lambda found: found[0] if found["own"] else id_called(found[0], known),
            text,
            flags=re.IGNORECASE,
        )


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
        return self.table.resolve(faces, self.modifiers)

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
        allowed = _listed([option.words for option in self._called()])
        raise Refused(f"{_shown(raw)} is not allowed here; allowed: {allowed}")

    def parse(self, text: str, seat: Side | None = None) -> Raw:
        called = id_called(text.strip(), self._called())
        for option in self.options:
            if called in (_shown(option.raw), option.raw):
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
            return next((each.raw for each in self.options if _shown(each.raw) == called), raw)
        named = ((option.raw, option.name) for option in self.options if option.name)
        return with_ids(raw, [Called(_about(answer), name) for answer, name in named])

    def _called(self) -> list[Called]:
        return [Called(_shown(option.raw), option.name) for option in self.options]

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

    @overload
    def __getitem__(self, at: int) -> Item: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[Item, ...]: ...
    def __getitem__(self, at: int | slice) -> Item | tuple[Item, ...]:
        return self._found[at]

    def __len__(self) -> int:
        return len(self._found)


@frozen(kw_only=True)
class Several(Ask[T]):
    """One entry about many items, only some of which are answered: {item: answer}.

    In an answers file each item stands under the rule by itself; `items` are those that may be
    named. The default is to name none. `reader` raises Refused.
    """

    items: Sequence[Item]
    reader: Callable[[Raw], T]
    hint: str
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
            raise Refused(f"{_shown(raw)} is not an object {{item: answer}}: {self.hint}")
        if raw:
            self._check_known(raw)
        return self.reader(raw)

    def _check_known(self, named: Iterable[str]) -> None:
        subjects = self.subjects
        unknown = [subject for subject in named if subject not in subjects]
        if unknown:
            allowed = _listed(list(subjects)) or "nothing"
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


def _shown(raw: Raw) -> str:
    return raw if isinstance(raw, str) else json.dumps(raw, ensure_ascii=False)


def _about(raw: Raw) -> str:
    """The id in the answer of an option about a counter: "m-ldr-1", {"harden": "m-ldr-1"}."""
    return str(next(iter(raw.values())) if isinstance(raw, dict) else raw)


def _listed(raws: list[Raw], most: int = 12) -> str:
    shown = [_shown(raw) for raw in raws[:most]]
    return ", ".join(shown) + (f", … ({len(raws)} in all)" if len(raws) > most else "")
