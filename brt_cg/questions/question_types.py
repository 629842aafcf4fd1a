"""The questions that a step may ask, and the reading of their answers.

A step awaits a question and gets back a value of the question's own type: `outcome = await
Roll(...)`. Every driver (screen, command line, answers file, test) sees the same question and
passes in a raw answer, as an answers file holds it; `read` turns that into the value, or refuses it
and names the allowed answers. The ways to type an answer in short, put it in words and pick it from
a list also belong to the question: see AnswerForm (answers.py).

A question says what answers it: `dice`, `options`, a `form` to type in, or `several` items. No
driver checks its class, so a new kind is one class.
"""

import json
from collections.abc import Callable, Coroutine, Generator, Iterable, Mapping, Sequence
from dataclasses import field, replace
from typing import TYPE_CHECKING, Any, ClassVar, Generic, NamedTuple, TypeVar

from brt_cg.immutable import immutable
from brt_cg.model import Shape, Side
from brt_cg.questions.answers import (
    NOTHING,
    AnswerForm,
    Candidate,
    NamedCounter,
    Raw,
    RefusedError,
    answer_text,
    id_by_name,
    parse_typed_answer,
    raw_answer_as_text,
    replace_names_with_ids,
)
from brt_cg.questions.dice import (
    Dice,
    DiceTable,
    Faces,
    Modifier,
    Outcome,
    TableRow,
    faces_as_json,
    read_faces,
)
from brt_cg.questions.options import Option, find_option, name_options_in_full
from brt_cg.questions.question_items import QuestionItem
from brt_cg.text import (
    capitalize,
    first_few_text,
    parse_whole_number,
    split_at_spaces_and_commas,
    unknown_name_error,
)

if TYPE_CHECKING:
    from fractions import Fraction

MOST_ANSWERS = 12  # the most answers to an entry that are listed; more are typed

T = TypeVar("T")


@immutable(kw_only=True)
class Question(Generic[T]):
    """One question of a paragraph.

    `rule` and `subject` are its key in an answers file (with `kind`: at most one such question is
    open at a time). `side` answers it; `secret` is the side whose secret it is, if any; `counter`
    is the id of the counter in question; `prompt` is one plain sentence; `about` is a word for the
    topic, if a paragraph asks about several. `public` means that both sides may see the question,
    because neither learns anything from it; `buying` means that its side may buy while it is open
    (15.614); `optional`, that an answers file that omits it gives its default; `of_equals`, that
    the default is only the first of several equally good answers, such as the lowest id, so that
    the screen does not suggest it.
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
    of_equals: bool = False

    kind: ClassVar[str] = "question"

    @property
    def group_key(self) -> tuple[str, str, str, str]:
        """The key shared by questions of one kind about many counters, which are shown as one
        list."""
        return (self.rule, self.kind, self.side, self.about)

    @property
    def is_decision(self) -> bool:
        """Whether the player has a real choice."""
        return True

    @property
    def default_forgoes_acting(self) -> bool:
        """Whether the default gives up the side's further options here: to act, buy, attack or set
        up."""
        return False

    def __await__(self) -> Generator["Question[Any]", Any, T]:
        answer: T = yield self
        return answer

    # --- the ways to answer it ------------------------------------------------------------------

    @property
    def dice(self) -> Dice | None:
        """The dice that are rolled for it; None if a player answers."""
        return None

    @property
    def modifiers(self) -> tuple[Modifier, ...]:
        """The modifiers of its roll."""
        return ()

    @property
    def check_text(self) -> str:
        """A check in the players' words: the number it is made against, and the results that pass;
        "" for any other roll."""
        return ""

    @property
    def odds(self) -> "tuple[tuple[TableRow, Fraction], ...]":
        """The exact chance of each row of its table."""
        return self.odds_after(())

    def odds_after(self, rolled: Sequence[int]) -> "tuple[tuple[TableRow, Fraction], ...]":
        """Return the odds once some dice have been rolled."""
        return ()

    @property
    def faces(self) -> tuple[str, ...]:
        """The faces to draw one from."""
        return ()

    @property
    def options(self) -> tuple["Option[Any]", ...]:
        """The options to choose one from."""
        return ()

    @property
    def named_options(self) -> tuple["Option[Any]", ...]:
        """The options named in full, as they are shown and typed."""
        return ()

    @property
    def form(self) -> AnswerForm | None:
        """The form for typing the whole answer; None if the question is rolled, chosen or answered
        item by item."""
        return None

    @property
    def as_multi_question(self) -> "MultiQuestion[Any] | None":
        """The question itself, if it is answered item by item."""
        return None

    @property
    def questions_by_subject(self) -> Mapping[str, "Question[Any]"]:
        """The questions that one answer settles, by subject: the question itself, or those of its
        list."""
        return {self.subject: self}

    @property
    def open_question(self) -> "Question[Any]":
        """The open question among them."""
        return next(iter(self.questions_by_subject.values()))

    @property
    def figure(self) -> "PrintedFigure | None":
        """The printed value to be read off a counter, if one is asked for."""
        return None

    @property
    def default(self) -> Raw:
        """The raw answer that `--auto` gives."""
        raise TypeError(f"a {self.kind} has no default")

    @property
    def series(self) -> bool:
        """Whether the question is repeated until it is answered with `stop`."""
        return False

    @property
    def stop(self) -> Raw:
        return None

    # --- how it is described and shown ----------------------------------------------------------

    @property
    def hint(self) -> str:
        """The answers that an answers file may have for the question, in words."""
        return ""

    @property
    def short_form(self) -> AnswerForm:
        """The form for typing an answer in short, wording it and picking it when the question is
        one of a list."""
        offered = self.candidates(None)
        return AnswerForm(typed=self.parse, worded=self.answer_text, candidates=lambda: offered)

    @property
    def short_form_lines(self) -> list[str]:
        """The short forms that may be typed in addition to the allowed answers, in lines."""
        return []

    @property
    def offered_texts(self) -> list[list[str]]:
        """The offers beyond the `allowed` answers, as typed and in words."""
        return []

    def answer_text(self, raw: Raw) -> str:
        """Return an answer in the players' words."""
        return answer_text(raw)

    def candidates(self, seat: Side | None, at_table: bool = False) -> list[Candidate]:
        """Return the whole answers that can be listed for a seat (None: the umpire); for two
        players at one table (`at_table`), none that is one player's secret."""
        return []

    def frozen_copy(self) -> "Question[T]":
        """Return a copy of the question that can be shown while play in the campaign continues."""
        return self

    # --- answering it ---------------------------------------------------------------------------

    def read(self, raw: Raw) -> T:
        """Return the value of a raw answer. Raises RefusedError."""
        raise NotImplementedError(self)

    def outcome_of_faces(self, faces: Faces) -> T:
        """Return the value of dice that are known to be valid for the question."""
        return self.read(faces_as_json(faces))

    def parse(self, text: str, seat: Side | None = None) -> Raw:
        """Return the text that a player at a seat (None: the umpire) typed as a raw answer, for
        `read` to check. Raises RefusedError."""
        return parse_typed_answer(text)

    def replace_names_with_ids(self, raw: Raw) -> Raw:
        """Replace counters' names in an answer of an answers file by their ids. Raises RefusedError
        if several counters share a name."""
        return raw

    @property
    def allowed(self) -> Any:
        """The allowed answers, for `status --json`."""
        raise NotImplementedError(self)

    @property
    def allowed_text(self) -> str:
        """The allowed answers for a message, as they may be typed."""
        return str(self.allowed)

    @property
    def allowed_lines(self) -> list[str]:
        """The allowed answers in lines: each as typed, with its meaning if that differs."""
        return [f"allowed: {self.allowed_text}"]


@immutable(kw_only=True)
class RollQuestion(Question[Outcome]):
    """A dr or DR on a table of the card, with the modifiers that apply."""

    table: DiceTable
    modifiers: tuple[Modifier, ...] = ()

    kind: ClassVar[str] = "roll"

    @property
    def group_key(self) -> tuple[str, str, str, str]:
        return (self.rule, self.kind, self.side, self.table.key)

    @property
    def is_decision(self) -> bool:
        return False

    @property
    def dice(self) -> Dice:
        return self.table.dice

    def odds_after(self, rolled: Sequence[int]) -> "tuple[tuple[TableRow, Fraction], ...]":
        return self.table.odds(self.modifiers, rolled)

    @property
    def check_text(self) -> str:
        return self.table.check_text(self.modifiers)

    def outcome_of_faces(self, faces: Faces) -> Outcome:
        return self.table.outcome_of_valid_faces(faces, self.modifiers)

    def read(self, raw: Raw) -> Outcome:
        try:
            faces = read_faces(self.table.dice, raw)
        except ValueError as error:
            raise RefusedError(str(error)) from None
        return self.outcome_of_faces(faces)

    def parse(self, text: str, seat: Side | None = None) -> Raw:
        parts = [
            parse_whole_number(part)
            for part in split_at_spaces_and_commas(text.strip().strip("[]"))
        ]
        if not parts or None in parts:
            return text
        return parts[0] if len(parts) == 1 else parts

    @property
    def allowed(self) -> str:
        return "a dr: 1–6" if self.table.dice == "dr" else "a DR: two dice 1–6, colored then white"


@immutable(kw_only=True)
class ChoiceQuestion(Question[T]):
    """A choice among options. `default` is the raw answer that `--auto` gives."""

    options: tuple[Option[T], ...] = field()
    default: Raw = None

    kind: ClassVar[str] = "choice"

    @property
    def named_options(self) -> tuple[Option[T], ...]:
        # Named only when they are shown or typed: a forecast asks thousands of choices unseen.
        return name_options_in_full(self.options)

    @property
    def is_decision(self) -> bool:
        """Whether there is an alternative; ending the purchases always is a decision, because
        nobody buys afterwards in this Refit Phase."""
        return len(self.options) > 1 or self.buying

    @property
    def default_forgoes_acting(self) -> bool:
        return self.buying or self.default is None

    def read(self, raw: Raw) -> T:
        number = str(raw) if type(raw) is int else raw  # some options are numbers in words
        for option in self.options:
            if _same(option.raw, raw) or _same(option.raw, number):
                return option.value
        named = (option.typed for option in self.named_options)
        typed = "no" if raw is None else answer_text(raw)
        raise RefusedError(unknown_name_error(named, typed, f"{typed} is not allowed here"))

    def parse(self, text: str, seat: Side | None = None) -> Raw:
        text = text.strip()
        if text in self.allowed:
            return text
        if (option := find_option(self.named_options, text)) is not None:
            return option.raw
        nothing = text.lower() == "no" and False not in self.allowed
        return None if nothing else self.replace_names_with_ids(parse_typed_answer(text))

    def replace_names_with_ids(self, raw: Raw) -> Raw:
        if any(_same(option.raw, raw) for option in self.options):
            return raw
        option = find_option(self.named_options, answer_text(raw))
        return raw if option is None else option.raw

    def answer_text(self, raw: Raw) -> str:
        options = self.named_options
        return next((each.label for each in options if each.raw == raw), answer_text(raw))

    def candidates(self, seat: Side | None, at_table: bool = False) -> list[Candidate]:
        return [
            Candidate(
                option.raw,
                option.label,
                option.typed,
                spots=(option.spot,) if option.spot else (),
            )
            for option in self.named_options
        ]

    @property
    def allowed(self) -> list[Raw]:
        return [option.raw for option in self.options]

    @property
    def allowed_text(self) -> str:
        return first_few_text([option.typed for option in self.named_options])

    @property
    def allowed_lines(self) -> list[str]:
        options = self.named_options
        if len(options) > MOST_ANSWERS or all(each.typed == each.label for each in options):
            return [f"allowed: {self.allowed_text}"]
        found = ["allowed:"]
        for each in options:
            meaning = "" if each.typed == each.label else f": {each.label}"
            default = " (default)" if each.raw == self.default else ""
            found.append(f"  {each.typed}{meaning}{default}")
        return found


@immutable(kw_only=True)
class EntryQuestion(Question[T]):
    """A free entry. `reader` reads it and raises RefusedError.

    `nothing` is the meaning of "none", if that is not the default (which empty text means). `hint`
    describes the entry in an answers file. With `series`, the question is repeated until it is
    answered with `stop`; an answers file then lists all answers but the last under its subject.
    """

    reader: Callable[[Raw], T]
    hint: str = field()
    form: AnswerForm = field(default_factory=AnswerForm)
    default: Raw = None
    nothing: Raw = None
    series: bool = False
    stop: Raw = None

    kind: ClassVar[str] = "entry"

    @property
    def default_forgoes_acting(self) -> bool:
        return self.default in (None, [], {})

    @property
    def short_form(self) -> AnswerForm:
        return replace(self.form, hint=self.form.hint or self.hint, typed=self.parse)

    @property
    def short_form_lines(self) -> list[str]:
        hint = self.form.hint
        return [f"in short: {hint}"] if hint not in ("", self.hint) else []

    @property
    def offered_texts(self) -> list[list[str]]:
        return [[each.typed, each.words] for each in self.form.candidates_for(self.side)]

    def answer_text(self, raw: Raw) -> str:
        return self.form.worded(raw)

    def candidates(self, seat: Side | None, at_table: bool = False) -> list[Candidate]:
        """Return the answers, if they include the default; none if there are too many, or if they
        are only parts of an answer."""
        offered = [] if self.form.joined else self.form.candidates_for(seat)
        offered = [each for each in offered if not (at_table and each.secret)]
        listed = len(offered) <= MOST_ANSWERS and self.default in [each.raw for each in offered]
        return offered if listed else []

    def read(self, raw: Raw) -> T:
        return self.reader(raw)

    def parse(self, text: str, seat: Side | None = None) -> Raw:
        typed = text.strip().lower()
        if typed not in NOTHING:
            return self.form.parse(text, seat)
        return self.default if self.nothing is None or not typed else self.nothing

    def replace_names_with_ids(self, raw: Raw) -> Raw:
        return replace_names_with_ids(raw, self.form.counters())

    @property
    def allowed(self) -> str:
        return self.hint


def reader_of_shape(shape: Shape) -> Callable[[Raw], Any]:
    """Return the reader of an entry that is a value of this shape."""

    def read(raw: Raw) -> Any:
        try:
            return shape.read(raw)
        except ValueError as error:
            raise RefusedError(str(error)) from None

    return read


class PrintedFigure(NamedTuple):
    """A value printed on counters: the field `name` of a type of counter in a `table`, made by
    `nation`."""

    table: str
    nation: Side
    type: str
    name: str


@immutable(kw_only=True)
class FigureQuestion(EntryQuestion[Any]):
    """A printed value to be read off a counter. A driver may propose the value in a catalog; the
    default is that it is not known."""

    figure: PrintedFigure = field()

    @property
    def default_forgoes_acting(self) -> bool:
        return False


@immutable(kw_only=True)
class MultiQuestion(Question[T]):
    """One entry about many items, only some of which are answered: {item: answer}.

    In an answers file each item is a separate line under the rule; `items` are those that may be
    named. The default is to name none, in words `none_text`. `wholes` are whole answers that may be
    typed as one word. `reader` raises RefusedError.
    """

    items: Sequence[QuestionItem]
    reader: Callable[[Raw], T]
    hint: str = field()
    none_text: str = "as usual"
    wholes: Mapping[str, Raw] = field(default_factory=dict)
    optional: bool = True

    kind: ClassVar[str] = "entry"

    @property
    def default_forgoes_acting(self) -> bool:
        return True

    @property
    def as_multi_question(self) -> "MultiQuestion[Any]":
        return self

    @property
    def default(self) -> Raw:
        return {}

    @property
    def ready(self) -> Mapping[str, Raw]:
        """The answers given in advance, by item."""
        return {}

    @property
    def ready_words(self) -> Mapping[str, str]:
        """The answers given in advance, in words."""
        return {}

    @property
    def short_form_lines(self) -> list[str]:
        each = self.items[0].form.hint
        return [
            f"of: {first_few_text(self.subjects)}",
            f"in short: ITEM ANSWER; ITEM ANSWER, each {each}",
        ]

    @property
    def offered_texts(self) -> list[list[str]]:
        return [[item.subject, item.words] for item in self.items]

    @property
    def is_tick_list(self) -> bool:
        """Whether each item has exactly one answer other than its default."""
        return False

    def only_other_answer(self, subject: str) -> tuple[Raw] | None:
        """Return the only answer to an item other than the default, as a tuple of one; None if
        there are more."""
        return None

    def default_text_of(self, subject: str) -> str:
        """Return the default of an item in words; "" if all items have the same default."""
        return ""

    def continue_text(self, given: int) -> str:
        """Return the meaning of continuing once some items are answered, in words."""
        return f"Continue with the {given} entered" if given else capitalize(self.none_text)

    def answer_text(self, raw: Raw) -> str:
        return answer_text(raw) if raw else self.none_text

    def frozen_copy(self) -> "MultiQuestion[T]":
        return replace(self, items=tuple(self.items))

    @property
    def subjects(self) -> tuple[str, ...]:
        """The keys of the items that may be named."""
        return tuple(item.subject for item in self.items)

    def item(self, subject: str) -> QuestionItem:
        """Return the item with a key. Raises RefusedError if there is none."""
        found = next((item for item in self.items if item.subject == subject), None)
        if found is None:
            self._check_known([subject])
        assert found is not None
        return found

    def items_text(self, subjects: Sequence[str]) -> str:
        """Return some items in words: the first one, and the number of others."""
        more = f", and {len(subjects) - 1} more" if len(subjects) > 1 else ""
        return f"{self.item(subjects[0]).words}{more}"

    def read(self, raw: Raw) -> T:
        if not isinstance(raw, dict):
            raise RefusedError(
                f"{raw_answer_as_text(raw)} is not an object {{item: answer}}: {self.hint}"
            )
        if raw:
            self._check_known(raw)
        return self.reader(raw)

    def _check_known(self, named: Iterable[str]) -> None:
        subjects = self.subjects
        unknown = [subject for subject in named if subject not in subjects]
        if unknown:
            wrong = f"{', '.join(unknown)} cannot be named here"
            called = [
                NamedCounter(item.subject, item.name, sort=item.sort).display_name
                for item in self.items
            ]
            raise RefusedError(unknown_name_error(called, unknown[0], wrong))

    def parse(self, text: str, seat: Side | None = None) -> Raw:
        """Read all answers together: an object, or "ITEM ANSWER; ITEM ANSWER"."""
        text = text.strip()
        if text.lower() in NOTHING:
            return {}
        if text.lower() in self.wholes:
            return self.wholes[text.lower()]
        if text.startswith("{"):
            return AnswerForm().parse(text)
        parts = [self._parted(part) for part in text.split(";") if part.strip()]
        named = [part[0] for part in parts]
        self._check_known(named)
        twice = [item for item in dict.fromkeys(named) if named.count(item) > 1]
        if twice:
            raise RefusedError(f"{', '.join(twice)}: named twice; enter it once")
        bare = [part[0] for part in parts if len(part) == 1]
        if bare:
            lacks = "its answer is missing; write ITEM ANSWER; ITEM ANSWER"
            raise RefusedError(f"{', '.join(bare)}: {lacks}")
        return {subject: self.item(subject).form.parse(answer, seat) for subject, answer in parts}

    def replace_names_with_ids(self, raw: Raw) -> Raw:
        if not isinstance(raw, dict):
            return raw
        return {
            key: replace_names_with_ids(raw[key], self.item(key).form.counters()) for key in raw
        }

    def _parted(self, text: str) -> list[str]:
        """Split "ITEM ANSWER" into the item (its key or name) and the answer."""
        words = text.split()
        known = [NamedCounter(item.subject, item.name, sort=item.sort) for item in self.items]
        longest = max((len(name.split()) for each in known for name in each.names), default=1)
        for length in range(longest, 0, -1):
            called, answer = " ".join(words[:length]), " ".join(words[length:])
            if (subject := id_by_name(called, known)) != called:
                return [subject, *filter(None, [answer])]
        return text.split(maxsplit=1)

    @property
    def allowed(self) -> str:
        return self.hint


def run_with_answers(
    steps: Coroutine[Question[Any], Any, T], answer: Callable[[Question[Any]], Raw]
) -> T:
    """Run steps, taking the raw answer to each question from `answer`. Raises RefusedError."""
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


def _same(raw: Raw, other: Raw) -> bool:
    if raw is None or other is None or isinstance(raw, str) or isinstance(other, str):
        return bool(raw == other)  # the common case, without the cost of JSON
    return json.dumps(raw, sort_keys=True) == json.dumps(other, sort_keys=True)
