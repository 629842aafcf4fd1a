"""The forms of answers (in a file, typed in short form, in words, picked from a list), their
refusals, and their sources.

Everything particular to a question is in its AnswerForm; everything else is the same for all.
"""

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from brt_cg.immutable import immutable
from brt_cg.model import Side
from brt_cg.text import normalize_spaces_and_case, searchable_names

NOTHING = ("", "-", "no", "none", "nobody", "null")  # ways to type "nothing"
OWN_WORDS = ("do", "name", "reason")  # keys of free text, in which no names are looked up
Raw = Any  # an answer as JSON: a string, an integer, a boolean, null, or lists and objects of these


@immutable
class Problem:
    """A problem at a path of an input ("units[12].type", "quantity"); `place` is the path in other
    words, if it has any."""

    path: str
    message: str
    place: str = ""

    def __str__(self) -> str:
        return ": ".join(filter(None, (self.place or self.path, self.message)))


class RefusedError(ValueError):
    """An answer or a command that is not allowed; the message lists the problems (each a string or
    a Problem)."""

    def __init__(self, *problems: object) -> None:
        super().__init__("\n".join(map(str, problems)))
        self.problems = problems


def raise_problems(problems: Iterable[object]) -> None:
    """Raise RefusedError with all the problems, one to a line, if there are any."""
    found = list(problems)
    if found:
        raise RefusedError(*found)


def parse_typed_answer(text: str) -> Raw:
    """Return a player's typed text as a raw answer: parsed if it is JSON, else as plain text."""
    stripped = text.strip()
    if stripped.lower() in {"none", "null"}:
        return None
    if stripped.lower() in {"yes", "no"}:
        return stripped.lower() == "yes"
    try:
        return json.loads(stripped, object_pairs_hook=json_object_without_duplicates)
    except (ValueError, RecursionError):
        return stripped


def json_object_without_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return a JSON object. Raises ValueError for a repeated key."""
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = sorted({key for key in keys if keys.count(key) > 1})
        raise ValueError(f"{', '.join(twice)} given twice in one object; enter it once")
    return found


def answer_text(raw: Raw) -> str:
    """Return a raw answer in words, as it may be typed: "no", "guard j-sq-1", "recall"."""
    if raw is None or raw in ([], {}):
        return "none"
    if isinstance(raw, bool):
        return "yes" if raw else "no"
    if isinstance(raw, list) and all(isinstance(entry, str) for entry in raw):
        return ", ".join(raw)
    if isinstance(raw, dict) and len(raw) == 1:
        [(what, about)] = raw.items()
        if about is True or isinstance(about, str):
            return what if about is True else f"{what} {about}"
    return raw_answer_as_text(raw)


def raw_answer_as_text(raw: Raw) -> str:
    """Return a raw answer as text: a string as it is, anything else as JSON."""
    return raw if isinstance(raw, str) else json.dumps(raw, ensure_ascii=False)


@immutable
class Candidate:
    """An answer that can be picked from a list: as JSON, in words, and as a player would type it.
    `secret` is the side that must keep this answer from its enemy, if any. `spots` are its places
    on the map: a Location, or none; then its exit, or the two hexes of its Covered Arc in any
    order."""

    raw: Raw
    words: str
    typed: str
    secret: Side | None = None
    spots: tuple[str, ...] = ()


@immutable
class NamedCounter:
    """A counter that a typed answer may name: by its id, or by its name or number, alone or with
    its `sort`. `secret` is the side that must keep the counter from its enemy,
    if any."""

    id: str
    name: str | None
    secret: Side | None = None
    sort: str = ""

    @property
    def names(self) -> tuple[str, ...]:
        """The counter's names other than its id, in folded form: "b", "6-6-8 b", "no. 24"."""
        return searchable_names(self.name, self.sort)

    @property
    def display_name(self) -> str:
        """The counter's name: "6-6-8 squad no. 24"; if it has neither name nor number, its id."""
        return f"{self.sort} {self.name}".strip() if self.name and self.name != self.id else self.id


def id_by_name(called: str, counters: Iterable[NamedCounter]) -> str:
    """Return the id of the counter with this id or (ignoring case) this name; any other text is
    returned unchanged. Raises RefusedError if several counters share the name."""
    known = list(counters)
    bearers = [each for each in known if normalize_spaces_and_case(called) in each.names]
    if not bearers or any(counter.id == called for counter in known):
        return called
    if len(bearers) > 1:
        listed = ", ".join(f"{counter.display_name} ({counter.id})" for counter in bearers)
        raise RefusedError(
            f"{called}: several counters have that name; use one of these ids: {listed}"
        )
    return bearers[0].id


def replace_names_with_ids(raw: Raw, counters: Iterable[NamedCounter]) -> Raw:
    """Replace counters' names in an answer of an answers file by their ids. Raises RefusedError if
    several counters share a name."""
    known = [counter for counter in counters if counter.name and counter.name.strip()]
    if not known:
        return raw
    if isinstance(raw, str):
        return id_by_name(raw, known)
    if isinstance(raw, list):
        return [replace_names_with_ids(part, known) for part in raw]
    if isinstance(raw, dict):
        return {
            id_by_name(key, known): part
            if key in OWN_WORDS
            else replace_names_with_ids(part, known)
            for key, part in raw.items()
        }
    return raw


@immutable
class PointingForm:
    """The way to give an answer by pointing at the map. `parts` names each place to point at, in
    order: a Location (a hex, if they are `bare`), then hexes; `made` turns them into an answer.
    Without `made` only a candidate can be pointed at; if no candidate has a place on the map, the
    Location is inserted into the typed text."""

    parts: tuple[str, ...] = ("the Location",)
    made: Callable[[Sequence[str]], Raw] | None = None
    bare: bool = False


@immutable
class CodeForm:
    """Codes in which an answer may be typed: letters with the numbers of the counters that the
    typed text may name, in their order. `parse` gets their ids, and returns None for text that is
    not in codes; it raises RefusedError. `hint` explains the codes."""

    hint: str
    parse: Callable[[str, Sequence[str]], Raw]


ARC = ("a hex of the Covered Arc", "the other hex of the Covered Arc")
ACROSS = ("a hex of the hexside", "the hex across it")


@immutable(kw_only=True)
class AnswerForm:
    """The way to type an answer in short, put it in words, and pick it from a list.

    `hint` describes the text that may be typed, other than the form in an answers file. `typed`
    turns such text into a raw answer and raises RefusedError; `worded` puts a raw answer in words.
    `candidates` are the answers that are each allowed alone (`beside`: given the answers for other
    items of the same question), and `joined`, if several may be picked together, combines them;
    `only` says that nothing else is allowed. `pointed` says how the answer, or a part of it, is
    pointed at on the map, if it can be; `painted` says that the answer is a list of areas, each a
    list of hexes or ranges, which can be painted there. `counters` are the counters that the typed
    text may name; `typed` gets their ids instead. Names are not replaced in text that matches
    `own_words`, the player's own words. `codes` are the codes that may be typed instead, if there
    are any.
    """

    hint: str = ""
    typed: Callable[[str], Raw] = parse_typed_answer
    worded: Callable[[Raw], str] = answer_text
    candidates: Callable[[], Iterable[Candidate]] = tuple
    beside: Callable[[Mapping[str, Raw]], Iterable[Candidate]] | None = None
    joined: Callable[[Sequence[Raw]], Raw] | None = None
    only: bool = False
    pointed: PointingForm | None = None
    painted: bool = False
    counters: Callable[[], Iterable[NamedCounter]] = tuple
    own_words: str = "(?!)"
    codes: CodeForm | None = None

    def candidates_for(
        self, seat: Side | None, given: Mapping[str, Raw] | None = None
    ) -> list[Candidate]:
        """Return the candidates that a side (None: the umpire) may see, given the answers so
        far."""
        return [
            candidate
            for candidate in (self.beside(given or {}) if self.beside else self.candidates())
            if seat is None or candidate.secret in (None, seat)
        ]

    def parse(self, text: str, seat: Side | None = None) -> Raw:
        """Return the text that a player at a seat (None: the umpire) typed, in short or as JSON, as
        a raw answer. Raises RefusedError."""
        text = text.strip()
        coded = self.parse_codes(text, self.counters_seat_may_name(seat))
        if coded is not None:
            return coded
        if text[:1] not in ("{", "["):
            return self.typed(self._by_ids(text, seat))
        try:
            raw = json.loads(text, object_pairs_hook=json_object_without_duplicates)
        except (ValueError, RecursionError) as error:
            raise RefusedError(f"broken JSON: {error}") from None
        return replace_names_with_ids(raw, self.counters_seat_may_name(seat))

    def parse_codes(self, text: str, numbered: Sequence[NamedCounter]) -> Raw:
        """Return typed codes as a raw answer, where the counters have the numbers 1, 2 …; None if
        the text is not in codes. Raises RefusedError."""
        return self.codes.parse(text, [each.id for each in numbered]) if self.codes else None

    def counters_seat_may_name(self, seat: Side | None) -> list[NamedCounter]:
        """Return the counters that a seat may name."""
        return [each for each in self.counters() if seat is None or each.secret in (None, seat)]

    def _by_ids(self, text: str, seat: Side | None) -> str:
        """Replace counters' names in the typed text by their ids."""
        known = self.counters_seat_may_name(seat)
        names = sorted({name for each in known for name in each.names}, key=len, reverse=True)
        called = "|".join(r"\s+".join(map(re.escape, name.split())) for name in filter(None, names))
        return re.sub(
            rf"(?P<own>{self.own_words})|(?<![^\s,;=])(?:{called or '(?!)'})(?![^\s,;:])",
            lambda found: found[0] if found["own"] else id_by_name(found[0], known),
            text,
            flags=re.IGNORECASE,
        )


# --- where an answer comes from -------------------------------------------------------------------


SOURCES = {  # what an entry calls each, with its words
    "hand": "by hand",
    "file": "from a file",
    "app": "by the program's dice",
    "default": "by default",
    "catalogue": "from the catalog",
    "ahead": "ahead",
}
SEEDED = "seeded"  # a side's text for the program's dice with a seed


@immutable
class Source:
    """The source of an answer: its `way`, a key of SOURCES; for the program's dice the seed, if
    they had one."""

    way: str
    seed: str | None = None


HAND, FILE, APP, DEFAULT, FROM_CATALOGUE, GIVEN_AHEAD = map(Source, SOURCES)


def source_text(way: str, seed: str | None = None) -> str:
    """Return a source in words: "by hand", "by the program's dice, seed 7"."""
    if seed is not None:
        return f"{SOURCES['app']}, seed {seed}"
    return f"{SOURCES['app']}, with a seed" if way == SEEDED else SOURCES.get(way, way)
