"""The common part of all forms: pages of fields, a check of the typed text, and the action."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field, replace
from typing import Any, Generic, TypeVar

from textual.content import Content

from brt_cg.immutable import immutable
from brt_cg.model import (
    Arc,
    Campaign,
    Counter,
    Field,
    Flag,
    Link,
    ListOf,
    Number,
    Place,
    Raw,
    Word,
    spoken_word,
)
from brt_cg.questions import Candidate, PointingForm, Problem, RefusedError, answers
from brt_cg.text import join_quoting_if_needed, normalize_spaces_and_case

T = TypeVar("T")
Typed = Mapping[str, str]  # by field, its text
NONE = "–"
POINTED = {
    Place: PointingForm(made=lambda at: at[0]),
    Arc: PointingForm(answers.ARC, ",".join, bare=True),
}
_INDEX = re.compile(r"\[\d+\]")
HINTS = {Place: "e.g. N21, N21:1, off_map", Arc: "two adjacent hexes: O21,O22"}


@immutable
class FormField:
    """A field that is typed, completed or picked from the values `offered` (several together if it
    `joins` them), or that has a few `choices` (value and name).

    `value` is the first value; Enter moves to an empty `required` field before it continues.
    `about` is shown at the bottom of the form while the field has the focus. Fields with the same
    label share a row. `pointed` says how the field is filled by pointing at the map, if it can be;
    `painted`, the text for areas painted there. `explains` is the subject of Why? here, if not that
    of the form. A field of several `lines` is alone on its page. A `folded` field is shown only if
    the player wants to see all.
    """

    name: str
    label: str
    value: str = ""
    choices: tuple[tuple[str, str], ...] = ()
    hint: str = ""
    offered: tuple[Candidate, ...] = ()
    joins: bool = False
    about: str = ""
    required: bool = False
    explains: str = ""
    pointed: PointingForm | None = None
    painted: answers.AnswerForm | None = None
    lines: bool = False
    folded: bool = False

    @property
    def can_fill_on_map(self) -> bool:
        """Whether the field can be filled in on the map."""
        return self.pointed is not None or self.painted is not None


@immutable
class FormPage:
    """Fields under a title. `words` are shown above them, `heads` above the columns of a table;
    `enter` is the label of Enter. `left_out` are the labels of the folded fields."""

    title: str
    fields: tuple[FormField, ...]
    enter: str
    words: str = ""
    heads: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()

    def without_folded_fields(self) -> "FormPage":
        """Return the page without its folded fields."""
        shown = tuple(field for field in self.fields if not field.folded)
        left_out = tuple(field.label for field in self.fields if field.folded)
        return replace(self, fields=shown, left_out=left_out)

    @property
    def explains_each_field(self) -> bool:
        """Whether the page is a long list in which each field has its own explanation."""
        abouts = [field.about for field in self.fields]
        return all(abouts) and len({*abouts}) > 1

    @property
    def has_multiline_field(self) -> bool:
        """Whether the page is one field of several lines."""
        return any(field.lines for field in self.fields)


@immutable
class Validation:
    """A description of the typed input, and the problems by field ("" for problems that concern no
    field); for a field of several lines also the meaning of each line by number, the text with
    suggestions (`meant`), and the text with `handed` SW given to squads."""

    verdict: Content = field(default_factory=Content)
    problems: Mapping[str, str] = field(default_factory=dict)
    meant: str = ""
    lines: Mapping[int, Content] = field(default_factory=dict)
    handed: tuple[str, int] = ("", 0)


class EntryForm(Generic[T]):
    """A form whose last page carries out an action, with a result of type T. `explains` is the
    subject of Why? here (exports/explain), "" to choose from all; `begins_at` is the field where
    the cursor begins, "" for the first empty required field. A form `at_home` belongs to no open
    campaign. The action of a form that `can_stop` stores nothing until its end."""

    explains = ""
    begins_at = ""
    at_home = False
    can_stop = False

    @property
    def draft_name(self) -> str:
        """The name under which the text is kept until it is entered; "" if the form keeps it
        itself."""
        raise NotImplementedError

    def pages(self, typed: Typed) -> Sequence[FormPage]:
        """Return the pages; later ones may depend on the input in earlier ones."""
        raise NotImplementedError

    async def validate(self, typed: Typed, page: int) -> Validation:
        """Check the typed input, without changing anything. Raises ValueError; of a RefusedError,
        each Problem whose path ends in a field's name belongs to that field."""
        return Validation()

    async def submit(self, typed: Typed) -> T:
        """Carry out the action. Raises ValueError as `validate` does."""
        raise NotImplementedError

    def campaign_to_paint_over(self) -> Campaign | None:
        """Return the campaign over which areas are painted; None means the current campaign."""
        return None

    async def candidates_for_field(self, name: str, typed: Typed) -> Sequence[Candidate]:
        """Return the possible values of a field filled by pointing, if they can be listed, given
        the text typed in all fields."""
        return ()

    def field_changed(self, name: str, value: str) -> None:
        """Handle a change of a field."""


def split_parts(text: str, names: Iterable[str] = ()) -> list[str]:
    """Return the parts of a field that joins several. They are separated by commas or spaces, but
    not by the spaces within one of these `names`."""
    known = {normalize_spaces_and_case(name) for name in names}
    parts = filter(None, (part.strip() for part in re.split("[,;]", text)))
    split = ([part] if normalize_spaces_and_case(part) in known else part.split() for part in parts)
    return [part for parts in split for part in parts]


def group_by_field(problems: Iterable[object], names: Iterable[str]) -> dict[str, str]:
    """Group problems by the field that they concern: one at "m-sq-1.status" belongs to `status`,
    one at "units[0].type" to `units.type`; "" has the problems that are at no field."""
    known = sorted(names, key=len, reverse=True)
    found: dict[str, list[str]] = {}
    for problem in problems:
        at = problem if isinstance(problem, Problem) else Problem("", str(problem))
        path = f".{_INDEX.sub('', at.path)}"
        name = next((name for name in known if path.endswith(f".{name}")), "")
        found.setdefault(name, []).append(at.message if name else str(at))
    return {name: "\n".join(lines) for name, lines in found.items()}


def parse_number_or_text(text: str) -> Raw:
    """Return a typed whole number as a number; return any other text unchanged, for the command to
    refuse."""
    return Number().parse(text)


def counter_candidates(view: Campaign, counters: Iterable[Counter]) -> tuple[Candidate, ...]:
    """Return the counters that a field may name, in the players' words, with their places."""
    return tuple(
        Candidate(counter.id, view.name_with_place(counter), counter.id) for counter in counters
    )


def make_form_field(declared: Field, value: Any, counters: tuple[Candidate, ...] = ()) -> FormField:
    """Make the form's field for a field of a record, according to its shape; `counters` are the
    counters that the field may name."""
    shape = declared.shape
    several = shape.words if isinstance(shape, ListOf) else ()
    about = f"allowed: {', '.join(several)}" if several else ""
    hint = HINTS.get(type(shape), "a counter" if isinstance(shape, Link) else "")
    return FormField(
        name=declared.name,
        label=declared.label,
        value=value_as_field_text(value),
        choices=_choices(declared),
        hint=hint,
        offered=tuple(Candidate(word, spoken_word(word), word) for word in several) or counters,
        joins=bool(several),
        about=about,
        pointed=POINTED.get(type(shape)),
    )


EXPONENT = "{0}: add its exponent, which the card prints small: {0}^2. If there is none: {0}^0"


def refuse_capp_without_exponent(field: str, text: str) -> None:
    """Raise RefusedError for CAPP typed as a bare number, whose exponent may have been
    overlooked."""
    if text.isdecimal() and int(text):
        raise RefusedError(Problem(field, EXPONENT.format(text)))


def value_as_field_text(value: Any) -> str:
    """Return a value as text for a field."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return join_quoting_if_needed(map(str, value), ",")
    return "" if value is None else str(value)


def _choices(declared: Field) -> tuple[tuple[str, str], ...]:
    if isinstance(declared.shape, Flag):
        return (("yes", "yes"), ("no", "no"))
    if not isinstance(declared.shape, Word):
        return ()
    open = () if declared.required or not declared.optional else (("", NONE),)
    return (*open, *((str(word), spoken_word(str(word))) for word in declared.shape.words))
