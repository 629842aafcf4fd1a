"""Rulings: points for the players to agree on, because our copy of the rules is incomplete or
contradicts itself."""

import re
import textwrap
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import field
from enum import StrEnum

from brt_cg.card.data_digest import RELEASED, parse_agreed_digests
from brt_cg.card.toml_reader import CardReading, TomlSection
from brt_cg.immutable import immutable
from brt_cg.text import hyphens_to_minus_signs

BRIEF = 44  # letters of a meaning that is shown beside its question


class RulingKind(StrEnum):
    """The kind of a ruling's value: one of its options, a whole number, or an option or digests of
    data that the players have changed."""

    CHOICE = "choice"
    NUMBER = "number"
    DATA = "data"


class Confidence(StrEnum):
    """The likelihood that a default agrees with the rulebook."""

    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"


@immutable
class Ruling:
    """A ruling. Its values are strings, even a number from `low` to `high` ("35", "-1").

    `meanings` has each option in words; `auto` is the outcome of a ruling of "enter" when nobody
    can enter one; `unasked` says why the players need not be asked about a ruling of low
    confidence; `must_answer` says that an answers file must then give it, because the default may
    cost units; `cg` is the only CG in which it matters; `beforehand` says that it must be decided
    before the campaign, because a question would reveal something.
    """

    id: str
    rule: str
    question: str
    options: tuple[str, ...]
    default: str
    kind: RulingKind
    provenance: str
    sure: Confidence
    meanings: Mapping[str, str] = field(default_factory=dict)
    low: int | None = None
    high: int | None = None
    auto: str | None = None
    unasked: str | None = None
    must_answer: bool = False
    cg: str | None = None
    beforehand: bool = False

    @property
    def values(self) -> tuple[str, ...]:
        """All allowed values."""
        if self.low is None or self.high is None:
            return self.options
        return tuple(str(number) for number in range(self.low, self.high + 1))

    @property
    def is_asked_when_it_matters(self) -> bool:
        """Whether the players are asked to confirm the ruling when it first matters."""
        return self.sure is Confidence.LOW and self.has_choice and self.unasked is None

    @property
    def needs_agreement_beforehand(self) -> bool:
        """Whether the ruling should be agreed on before a campaign: it applies to only one CG, or
        is never asked about."""
        return self.beforehand or self.cg is not None

    @property
    def has_choice(self) -> bool:
        """Whether there is anything to agree on; a ruling with a single value merely explains the
        program's reading of the text."""
        return len(self.values) > 1

    @property
    def fixed_reading_text(self) -> str:
        """The only reading of a ruling without a choice, in one sentence: its question and its
        meaning."""
        return f"{self.question} {self.meaning(self.default)}"

    @property
    def allowed_text(self) -> str:
        """The allowed values in words: "stay, unload", "a whole number from 1 to 63"."""
        if self.kind is RulingKind.NUMBER:
            return f"a whole number from {self.low} to {self.high}"
        options = ", ".join(map(self.value_text, self.options))
        return f"{options}, or digests such as tables=1f0e9a77" if self._of_data else options

    @property
    def _of_data(self) -> bool:
        return self.kind is RulingKind.DATA

    def check_value(self, value: str) -> str:
        """Return `value` in its stored form. Raises ValueError with the value found and the values
        allowed."""
        checked = self._number(value) if self.kind is RulingKind.NUMBER else self._option(value)
        if self._of_data:
            with suppress(ValueError):
                found = parse_agreed_digests(value.strip())
                return " ".join(f"{part}={found[part]}" for part in sorted(found)) or RELEASED
        elif checked is not None and (checked in self.options or self.kind is RulingKind.NUMBER):
            return checked
        raise ValueError(
            f"{self.id} ({self.rule}): {value!r} is not accepted; enter {self.allowed_text}"
        )

    def meaning(self, value: str) -> str:
        """Return the meaning of a value, in a sentence."""
        return self.meanings.get(value) or self.value_text(value)

    def value_text(self, value: str) -> str:
        """Return a value as players read and may type it: "subtract below"."""
        words = value.replace("_", " ")
        return hyphens_to_minus_signs(words) if self.kind is RulingKind.NUMBER else words

    def short_value_text(self, value: str) -> str:
        """Return a value in a player's words, shortened if it is long: "they count once"."""
        brief = [_brief_text(self.meaning(each)) for each in self.values]
        text, meaning = _brief_text(self.meaning(value)), self.meaning(value)
        if brief.count(text) == 1:
            return text
        return f"… {meaning[2 - BRIEF :].partition(' ')[2]}"  # shortened meanings differ at the end

    def value_with_meaning(self, value: str) -> str:
        """Return a value with its meaning: "stay (they stay aboard)", "no: the hero is
        Retained"."""
        worded, meaning = self.value_text(value), self.meaning(value)
        if re.match(rf"{re.escape(worded)}\b", meaning):
            return meaning
        return f"{worded} ({meaning})"

    def _option(self, typed: str) -> str:
        """Return a typed option in its stored form, and any other text unchanged."""
        typed = typed.strip()
        return next((value for value in self.options if self.value_text(value) == typed), typed)

    def _number(self, value: str) -> str | None:
        try:
            number = int(value.strip().replace("−", "-"))
        except ValueError:
            return None
        above = self.low is None or self.low <= number
        return str(number) if above and (self.high is None or number <= self.high) else None


def _brief_text(meaning: str) -> str:
    """Return the first part of a meaning, or as many of its words as fit."""
    first = re.split("(?<=^no): |(?<=^yes): |; ", meaning)[0]
    return first if len(first) <= BRIEF else textwrap.shorten(meaning, BRIEF, placeholder=" …")


@immutable
class Completion:
    """A cut-off or contradictory passage with a fixed completion, which is shown but cannot be
    changed; `cg` is the only CG in which it matters. Steps find it by its `key`, and the log shows
    its `short` words in the lines that depend on it."""

    rule: str
    text: str
    cg: str | None = None
    key: str | None = None
    short: str | None = None


@immutable
class Rulings:
    """`rulings.toml`: rulings by id, and the fixed completions."""

    by_id: Mapping[str, Ruling]
    fixed: tuple[Completion, ...]


def read_rulings(reading: CardReading) -> Rulings:
    """Read `rulings.toml`. Raises CardError with everything that is wrong in it."""
    fixed = tuple(section.read_fields(Completion) for section in reading.root.sections("fixed"))
    by_id = {id_: _ruling(id_, section) for id_, section in reading.root.remaining_sections()}
    reading.raise_problems()
    return Rulings(by_id, fixed)


def _ruling(id_: str, section: TomlSection) -> Ruling:
    if not id_.startswith("R-"):
        section.reading.note_bad_value(section.path, id_, "an id that begins with R-")
    kind = section.enum_member("kind", RulingKind)
    number = kind is RulingKind.NUMBER
    meanings = {} if number else _meanings(section.section("options"))
    ruling = section.read_fields(
        Ruling,
        id=id_,
        options=tuple(meanings),
        kind=kind,
        meanings=meanings,
        low=section.integer("low") if number else None,
        high=section.integer("high") if number else None,
    )
    try:
        ruling.check_value(ruling.default)
    except ValueError:
        section.note_bad_value("default", ruling.default, ruling.allowed_text)
    return ruling


def _meanings(options: TomlSection) -> dict[str, str]:
    if not options.key_names():
        options.reading.note_bad_value(options.path, {}, "at least one option")
    return {option: options.text(option) for option in options.key_names()}
