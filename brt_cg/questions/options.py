"""The options of a choice: their full names, and the option that the typed text means.

Every driver names the options of a choice by `name_options_in_full` and finds the typed one by
`find_option`, so each option can be typed as it is shown.
"""

from collections import Counter as Counts
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Generic, TypeVar

from brt_cg.immutable import immutable
from brt_cg.questions.answers import NamedCounter, Raw, RefusedError, answer_text
from brt_cg.text import normalize_spaces_and_case

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)


@immutable
class Option(Generic[T_co]):
    """One answer to a choice: as JSON, in words, and the value that the step gets. `spot` is the
    Location that the option means, `of` its counter or Setup Area, if any; `typed` is the text that
    a player types for it."""

    raw: Raw
    label: str
    value: T_co
    spot: str | None = None
    of: NamedCounter | None = None
    typed: str = ""


def name_options_in_full(options: Sequence[Option[T]]) -> tuple[Option[T], ...]:
    """Name every option in full, in words and as typed: with its counter's type and its name or
    number; also with the id, if two would look alike."""
    alike = _alike(each.label for each in options)
    typed_alike = _alike(map(_typed, options))
    return tuple(
        replace(
            each,
            label=f"{each.label} ({_about(each)})" if label_twice else each.label,
            typed=answer_text(each.raw) if typed_twice else _typed(each),
        )
        for each, label_twice, typed_twice in zip(options, alike, typed_alike, strict=True)
    )


def _alike(texts: Iterable[str]) -> list[bool]:
    """Return for each text whether another one differs from it only in capitals and spaces."""
    plain = [normalize_spaces_and_case(text) for text in texts]
    often = Counts(plain)
    return [often[text] > 1 for text in plain]


def find_option(options: Sequence[Option[T]], typed: str) -> Option[T] | None:
    """Return the option that a player means by its full name, or by its counter's id, name, number
    or type, with or without the verb; None if there is none. Raises RefusedError if several options
    fit equally well."""
    wanted = normalize_spaces_and_case(typed)
    for spelled in (_in_full, _by_name, _by_part):
        found = [
            each for each in options if wanted in map(normalize_spaces_and_case, spelled(each))
        ]
        if len(found) == 1:
            return found[0]
        if found:
            raise RefusedError(
                f"{typed} fits several answers; enter one of: {', '.join(e.typed for e in found)}"
            )
    return None


def _typed(option: Option[T]) -> str:
    if option.of is None or not option.of.display_name:
        return answer_text(option.raw)
    return " ".join(filter(None, (_verb(option), option.of.display_name)))


def _verb(option: Option[T]) -> str:
    """Return the action before the counter: "harden"; "" where the answer is the counter itself."""
    return next(iter(option.raw)) if isinstance(option.raw, dict) else ""


def _about(option: Option[T]) -> str:
    return option.of.id if option.of is not None else answer_text(option.raw)


def _in_full(option: Option[T]) -> Iterator[str]:
    yield from (answer_text(option.raw), option.typed, option.label)


def _by_name(option: Option[T]) -> Iterator[str]:
    return _with_verb(option, lambda of: (of.id, *of.names))


def _by_part(option: Option[T]) -> Iterator[str]:
    """Find an option by the type alone ("9-1", "4-4-8 squad"), or by the number without "no."."""
    return _with_verb(option, _parts)


def _parts(of: NamedCounter) -> Iterator[str]:
    if of.sort:
        yield from (of.sort, of.sort.partition(" ")[0])
    for name in of.names:
        if "no. " in name and name != normalize_spaces_and_case(of.name or ""):
            yield name.replace("no. ", "")


def _with_verb(option: Option[T], names: Callable[[NamedCounter], Iterable[str]]) -> Iterator[str]:
    if option.of is not None:
        verb = _verb(option)
        for name in names(option.of):
            yield name
            if verb:
                yield f"{verb} {name}"
