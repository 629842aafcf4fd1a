"""What a form is: pages of fields, and a judge that says what is wrong or does the thing."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from typing import Any, Generic, TypeVar

from textual.content import Content

from brt_cg import answers
from brt_cg.answers import Candidate, Pointed
from brt_cg.campaign import Campaign
from brt_cg.counters import Counter
from brt_cg.fields import Field, in_words
from brt_cg.shapes import Arc, Flag, Link, Place, Several, Word, joined
from brt_cg.values import frozen

T = TypeVar("T")
Typed = Mapping[str, str]  # by field, what stands in it
NONE = "–"
POINTED = {Place: Pointed(made=lambda at: at[0]), Arc: Pointed(answers.ARC, ",".join, bare=True)}
HINTS = {Place: "N21, N21:1, off_map", Arc: "two adjacent hexes: O21,O22"}


@frozen
class FormField:
    """A field: typed, with what is `offered` completed, or picked from a list (several where it
    `joins` them); or one of few `choices` (value and name).

    `value` is what it begins with; Enter goes to one that is `required` before it goes on. `about`
    is told at the foot of the form while the field has the keys. Fields with one label stand in one
    row. `pointed` says how it is pointed at on the map, if it can be; `painted`, how areas of hexes
    that are painted there are written. `explains` is the subject of Why? there, if not that
    of the form.
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
    pointed: Pointed | None = None
    painted: answers.Form | None = None

    @property
    def on_map(self) -> bool:
        """Whether it can be filled in on the map."""
        return self.pointed is not None or self.painted is not None


@frozen
class Page:
    """Fields under a title. `words` stand above them, `heads` over the columns of a table; `enter`
    says what Enter does."""

    title: str
    fields: tuple[FormField, ...]
    enter: str
    words: str = ""
    heads: tuple[str, ...] = ()


@frozen
class Judged:
    """What is to be known of what is typed, and by field what is wrong with it ("": with all)."""

    told: Content = field(default_factory=Content)
    problems: Mapping[str, str] = field(default_factory=dict)


class Form(Generic[T]):
    """A form whose last page does something that comes to a T. `explains` is the subject of Why?
    there (exports/explain), "" for all that can be asked; `begins_at` is the field where its first
    page begins, "" for the first that must still be filled in."""

    explains = ""
    begins_at = ""

    def pages(self, typed: Typed) -> Sequence[Page]:
        """Its pages; the later ones may follow from what is typed in the earlier."""
        raise NotImplementedError

    async def judge(self, typed: Typed, page: int) -> Judged:
        """Judges what is typed, and does nothing. Raises ValueError (Refused is one) with a problem
        in each line; one that begins with the name of a field belongs to it."""
        return Judged()

    async def carry_out(self, typed: Typed) -> T:
        """Does the thing. Raises ValueError as `judge` does."""
        raise NotImplementedError

    async def offered(self, name: str, typed: Typed) -> Sequence[Candidate]:
        """What a field that is pointed at may hold, as far as it can be listed; `raw` as typed."""
        return ()

    def note(self, name: str, value: str) -> None:
        """Called with each thing that is typed."""


def parts_of(text: str) -> list[str]:
    """What stands in a field that joins several."""
    return [part for part in re.split(r"[\s,;]+", text) if part]


def by_field(message: str, names: Iterable[str]) -> dict[str, str]:
    """The lines of a refusal by the field that each begins with: "m-sq-1.status: …" is of
    `status`; "" has those that begin with none."""
    known = sorted(names, key=len, reverse=True)
    found: dict[str, list[str]] = {}
    for line in message.splitlines():
        head, _, rest = line.partition(" ")
        place = head.rstrip(":")
        name = next((name for name in known if place == name or place.endswith(f".{name}")), "")
        found.setdefault(name, []).append(rest if name and head.endswith(":") else line)
    return {name: "\n".join(lines) for name, lines in found.items()}


def counters_offered(view: Campaign, counters: Iterable[Counter]) -> tuple[Candidate, ...]:
    """Counters that a field may name: in the players' words, and where they are."""
    return tuple(
        Candidate(counter.id, view.with_place(counter), counter.id) for counter in counters
    )


def field_for(declared: Field, value: Any, counters: tuple[Candidate, ...] = ()) -> FormField:
    """The field of a form for a field of a record, as its shape wants it; `counters` are those that
    it may name."""
    shape = declared.shape
    several = shape.words if isinstance(shape, Several) else ()
    about = f"allowed: {', '.join(several)}" if several else ""
    hint = HINTS.get(type(shape), "a counter" if isinstance(shape, Link) else "")
    return FormField(
        name=declared.name,
        label=declared.label,
        value=as_typed(value),
        choices=_choices(declared),
        hint=hint or NONE,
        offered=tuple(Candidate(word, in_words(word), word) for word in several) or counters,
        joins=bool(several),
        about=about,
        pointed=POINTED.get(type(shape)),
    )


def as_typed(value: Any) -> str:
    """A value as it stands in a field."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return joined(map(str, value), ",")
    return "" if value is None else str(value)


def _choices(declared: Field) -> tuple[tuple[str, str], ...]:
    if isinstance(declared.shape, Flag):
        return (("yes", "yes"), ("no", "no"))
    if not isinstance(declared.shape, Word):
        return ()
    open = () if declared.required or not declared.optional else (("", NONE),)
    return (*open, *((str(word), in_words(str(word))) for word in declared.shape.words))
