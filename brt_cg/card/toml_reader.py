"""Strict reading of TOML data, a card's and others: every key must be known, present, and of the
right type.

A reader asks a TomlSection for each key; problems are collected and raised together at the end.
"""

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import MISSING, fields, is_dataclass
from enum import StrEnum
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, Self, TypeVar, get_args, get_origin

from brt_cg.immutable import immutable
from brt_cg.model import cache_by_class
from brt_cg.questions import Problem, RefusedError
from brt_cg.resources import read_toml_cached
from brt_cg.text import list_text, short_json

E = TypeVar("E", bound=StrEnum)
T = TypeVar("T")


@immutable
class Minimum:
    """The lowest allowed value of a number field."""

    low: int


@immutable
class TextForm:
    """The required form of a string: its pattern, and its name in messages."""

    pattern: str
    words: str

    def matches(self, text: str) -> bool:
        return re.fullmatch(self.pattern, text) is not None


class CardError(RefusedError):
    """A card file that cannot be used, with all of its problems."""


class CardReading:
    """A file being read. `file` is its name in messages, `data` its parsed TOML."""

    def __init__(self, file: str, data: Mapping[str, Any]) -> None:
        self.file = file
        self.problems: list[Problem] = []
        self.sections: list[TomlSection] = []
        self.root = TomlSection(self, data, "")

    @classmethod
    def from_file(cls, path: Path) -> Self:
        """Return the file at `path`. Raises CardError if it is missing or not TOML."""
        try:
            data = read_toml_cached(path)
        except (OSError, UnicodeDecodeError) as error:
            raise CardError(f"{path.name}: {error}; put a readable file there") from error
        except ValueError as error:  # TOMLDecodeError, without importing its module
            raise CardError(f"{path.name}: {error}; write it as TOML") from error
        return cls(path.name, data)

    def note_bad_value(self, path: str, found: object, allowed: str) -> None:
        """Note a problem; `found` is shown as TOML."""
        self.note_problem(path, f"{_shown(found)} is not accepted; enter {allowed}")

    def note_problem(self, path: str, message: str) -> None:
        """Note a problem in these words."""
        self.problems.append(Problem(path, message, f"{self.file}: {path}"))

    def raise_problems(self) -> None:
        """Raise CardError for all noted problems, and for every key that was not read."""
        for section in self.sections:
            section.note_unread_keys()
        if self.problems:
            raise CardError(*self.problems)


class TomlSection:
    """One TOML table being read. A missing or wrong value is noted and read as an empty one."""

    def __init__(self, reading: CardReading, values: Mapping[str, Any], path: str) -> None:
        self.reading = reading
        self.path = path
        self._values = values
        self._asked: list[str] = []
        reading.sections.append(self)

    def toml_path(self, key: str) -> str:
        """Return the TOML path of a key of this table."""
        bare = key.replace("-", "").replace("_", "").isalnum() and key.isascii()
        name = key if bare else json.dumps(key, ensure_ascii=False)
        return f"{self.path}.{name}" if self.path else name

    def note_bad_value(self, key: str, found: object, allowed: str) -> None:
        self.reading.note_bad_value(self.toml_path(key), found, allowed)

    def note_problem(self, key: str, message: str) -> None:
        self.reading.note_problem(self.toml_path(key), message)

    def value(self, key: str) -> Any:
        """Return the value at a key, of any type; None if there is none."""
        self._ask(key)
        return self._values.get(key)

    def has_key(self, key: str) -> bool:
        self._ask(key)
        return key in self._values

    def key_names(self) -> tuple[str, ...]:
        """Return all keys of the table, in the file's order."""
        return tuple(self._values)

    def text(self, key: str, form: TextForm | None = None) -> str:
        """Return a string; it must have the form `form`, if one is given."""
        found = self._take(key, str, "a text")
        if found is not None and not found.strip():
            self.note_bad_value(key, found, "a text that is not empty")
        elif found and form is not None and not form.matches(found):
            self.note_bad_value(key, found, form.words)
        return found or ""

    def optional_text(self, key: str) -> str | None:
        return self.text(key) if self.has_key(key) else None

    def integer(self, key: str, low: int | None = None) -> int:
        """Return an integer; with `low`, one that is not lower."""
        found = self._take(key, int, "an integer")
        if found is not None and low is not None and found < low:
            self.note_bad_value(key, found, f"an integer from {low} up")
        return found or 0

    def optional_integer(self, key: str, low: int | None = None) -> int | None:
        return self.integer(key, low) if self.has_key(key) else None

    def flag(self, key: str) -> bool:
        """Return true or false; false if omitted."""
        return bool(self.has_key(key) and self._take(key, bool, "true or false"))

    def enum_member(self, key: str, kind: type[E]) -> E:
        members = list(kind)
        found = self._take(key, str, list_text(members))
        if found in members:
            return kind(found)
        if found is not None:
            self.note_bad_value(key, found, list_text(members))
        return members[0]

    def texts(
        self, key: str, allowed: Iterable[str] | None = None, form: TextForm | None = None
    ) -> tuple[str, ...]:
        """Return a list of different strings; each must be one of `allowed`, or have the given
        form, if these are given."""
        found = self._take(key, list, "a list of texts") or []
        permitted = None if allowed is None else list(allowed)
        good: list[str] = []
        for number, text in enumerate(found):
            here = f"{self.toml_path(key)}[{number}]"
            if not isinstance(text, str) or not text:
                self.reading.note_bad_value(here, text, "a text")
            elif permitted is not None and text not in permitted:
                self.reading.note_bad_value(here, text, list_text(permitted))
            elif form is not None and not form.matches(text):
                self.reading.note_bad_value(here, text, form.words)
            elif text in good:
                self.reading.note_bad_value(here, text, "each text once")
            else:
                good.append(text)
        return tuple(good)

    def optional_texts(self, key: str, allowed: Iterable[str] | None = None) -> tuple[str, ...]:
        return self.texts(key, allowed) if self.has_key(key) else ()

    def read_fields(self, kind: type[T], /, **own: Any) -> T:
        """Read a value class whose fields are keys of this table, each by its type, except the
        fields `own`. An omitted optional field gets its default, or None."""
        rest = (key for key in _keys(kind) if key.name not in own)
        return kind(**own, **{key.name: self._value(key) for key in rest})

    def _value(self, field: "_Key") -> Any:
        key, holds = field.name.rstrip("_"), field.holds
        if field.default is not MISSING and key not in self._values:
            self._ask(key)
            return field.default
        if isinstance(holds, type) and is_dataclass(holds):
            return self.section(key).read_fields(holds)
        if get_origin(holds) is tuple:
            entry = get_args(holds)[0]
            if isinstance(entry, type) and is_dataclass(entry):
                return tuple(section.read_fields(entry) for section in self.sections(key))
            words = self.texts(key, None if entry is str else list(entry))
            return tuple(map(entry, words))
        if holds is int:
            return self.integer(key, field.limit and field.limit.low)
        if issubclass(holds, StrEnum):
            return self.enum_member(key, holds)
        return self.flag(key) if holds is bool else self.text(key, field.limit)

    def section(self, key: str) -> "TomlSection":
        return TomlSection(
            self.reading, self._take(key, dict, "a table") or {}, self.toml_path(key)
        )

    def optional_section(self, key: str) -> "TomlSection | None":
        return self.section(key) if self.has_key(key) else None

    def sections(self, key: str) -> tuple["TomlSection", ...]:
        """Return a list of tables."""
        found = self._take(key, list, "a list of tables") or []
        read = []
        for number, each in enumerate(found):
            path = f"{self.toml_path(key)}[{number}]"
            if isinstance(each, dict):
                read.append(TomlSection(self.reading, each, path))
            else:
                self.reading.note_bad_value(path, each, "a table")
        return tuple(read)

    def remaining_sections(self) -> tuple[tuple[str, "TomlSection"], ...]:
        """Return every key of this table that has not been read yet; each must be a table."""
        return tuple((key, self.section(key)) for key in self._values if key not in self._asked)

    def note_unread_keys(self) -> None:
        """Note every key that has not been read."""
        for key in self._values:
            if key not in self._asked:
                self.note_bad_value(key, _Plain("an unknown key"), list_text(self._asked))

    def _ask(self, key: str) -> None:
        if key not in self._asked:
            self._asked.append(key)

    def _take(self, key: str, kind: type[Any], allowed: str) -> Any:
        """Return the value of a key; None, with a note, if it is missing or of another type."""
        self._ask(key)
        found = self._values.get(key, _MISSING)
        if type(found) is kind:
            return found
        self.note_bad_value(key, found, allowed)
        return None


@immutable
class _Key:
    """A field of a value class: its type, its lowest value (Minimum) or TextForm, and its default
    (MISSING if it is required)."""

    name: str
    holds: Any
    limit: Any
    default: Any


@cache_by_class
def _keys(kind: type[Any]) -> list[_Key]:
    found = []
    for field in fields(kind):
        hint, *notes = (
            get_args(field.type) if get_origin(field.type) is Annotated else (field.type,)
        )
        choices = get_args(hint) if isinstance(hint, UnionType) else (hint,)
        holds = next(choice for choice in choices if choice is not NoneType)
        limit = next(iter(notes), None)
        default: Any = field.default
        if default is MISSING and (NoneType in choices or holds is bool):
            default = None if NoneType in choices else False
        found.append(_Key(field.name, holds, limit, default))
    return found


class _Plain(str):
    """Text shown in a message without quotes."""


_MISSING = _Plain("nothing")


def _shown(found: object) -> str:
    return found if isinstance(found, _Plain) else short_json(found)
