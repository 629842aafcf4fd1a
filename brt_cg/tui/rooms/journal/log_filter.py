"""The log in the Journal: the lines that are shown, and the destinations of each line."""

import re
from collections import Counter as Count
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from enum import Enum, StrEnum

from brt_cg.board import OFF_MAP, locations
from brt_cg.card import Card
from brt_cg.immutable import immutable
from brt_cg.model import A_NUMBER, Campaign, Side
from brt_cg.tui.lists.search import contains_words, group_by
from brt_cg.views.journal_rows import ShownLine

UNDONE = "Undone"
MANY = 6  # this many are combined
_ONE_OF_MANY = re.compile(r"(added|no Location, [^:]+): ")  # begins a line about one of many
_ITS_OWN = re.compile(rf"{A_NUMBER.pattern}| [mj]-[a-z0-9-]+$")  # names one of many
_HEX = re.compile(r"\b[A-Z]{1,2}[0-9]{1,2}\b")
_RULING = re.compile(r"\bR-[A-Z0-9-]*[A-Z0-9]")


class FilterBy(StrEnum):
    """The ways to choose lines, in the players' words."""

    SIDE = "Side"
    DATE = "Date"
    KIND = "What"
    STEP = "Step"
    COUNTER = "Counter"


FilterChoice = tuple[FilterBy, str]  # the way to choose, and the value


@immutable
class LineFilter:
    """A filter of lines: they contain all `words`, begin with the number `since`, and match one of
    the choices for each FilterBy."""

    words: str = ""
    choices: frozenset[FilterChoice] = frozenset()
    since: int = 0

    @property
    def is_active(self) -> bool:
        return bool(self.words.strip() or self.choices or self.since)


@immutable
class FilterOffer:
    """A choice, in words, and the number of lines that it keeps."""

    choice: FilterChoice
    words: str
    lines: int


def filter_lines(
    lines: Sequence[ShownLine], only: LineFilter, whose: Callable[[str], Side | None]
) -> Sequence[ShownLine]:
    """Return the lines that a filter keeps; `whose` returns the side of a counter by its id."""
    if only.since:
        lines = [line for line in lines if line.seq >= only.since]
    if only.words.strip():
        lines = [
            line for line in lines if contains_words(f"{line.text} {line.heading}", only.words)
        ]
    for by in FilterBy:
        wanted = {value for sort, value in only.choices if sort is by}
        if wanted:
            lines = [line for line in lines if not wanted.isdisjoint(_values(line, by, whose))]
    return lines


def _values(line: ShownLine, by: FilterBy, whose: Callable[[str], Side | None]) -> Iterable[str]:
    """Return the values of a line that the choices for `by` are compared with."""
    if by is FilterBy.SIDE:
        return {side for side in (line.side, *map(whose, line.about)) if side}
    if by is FilterBy.COUNTER:
        return line.about
    if by is FilterBy.KIND:
        return (line.kind, UNDONE) if line.undone else (line.kind,)
    return (line.date if by is FilterBy.DATE else line.heading,)


def filter_offers(
    lines: Sequence[ShownLine], view: Campaign, whose: Callable[[str], Side | None]
) -> list[FilterOffer]:
    """Return all choices that occur among the lines, with the number of lines that each keeps.
    Counters that the view does not show are omitted."""
    found: list[FilterOffer] = []
    for by in FilterBy:
        count = Count(value for line in lines for value in _values(line, by, whose))
        for choice, number in count.items():
            words = choice_text(by, choice, view)
            if words:
                found.append(FilterOffer((by, choice), words, number))
    return sorted(found, key=lambda offer: list(FilterBy).index(offer.choice[0]))


def choice_text(by: FilterBy, value: str, view: Campaign) -> str:
    """Return a choice in words; "" for a counter that the view does not show."""
    if by is FilterBy.SIDE:
        return Side(value).label
    if by is not FilterBy.COUNTER:
        return value
    counter = view.find(value)
    return counter.label if counter is not None else ""


def merge_similar_lines(lines: Sequence[ShownLine]) -> Iterator[ShownLine]:
    """Yield the lines, but combine the many lines of one entry that say that a counter was added or
    has no Location, and the many lines that it undoes or restores."""
    many = group_by(filter(_is_one_of_many, lines), _together)
    for line in lines:
        like = many.get(_together(line), []) if _is_one_of_many(line) else []
        if len(like) < MANY:
            yield line
        elif line is like[0] and line.is_undo_report:
            yield replace(line, text=f"{line.text}, and {len(like) - 1} more lines", about=())
        elif line is like[0]:
            kinds = Count(map(_kind_added, like))
            listed = (f"{count} × {kind}" if count > 1 else kind for kind, count in kinds.items())
            begins = _begins(line)
            done = f"{begins} for" if " " in begins else begins
            text = f"{done} {len(like)} counters: {', '.join(listed)}"
            yield replace(line, text=text, about=())


def _is_one_of_many(line: ShownLine) -> bool:
    return line.is_undo_report or bool(_begins(line))


def _begins(line: ShownLine) -> str:
    """Return the beginning of a line that is one of many, each about one counter; "" for other
    lines."""
    found = _ONE_OF_MANY.match(line.text)
    return found[1] if found is not None else ""


def _kind_added(line: ShownLine) -> str:
    """Return the counter that a line is about, without its place and its number."""
    what = _ONE_OF_MANY.sub("", line.text, 1)
    named = what.rpartition(", ")[0] or what
    return _ITS_OWN.sub("", named.partition(" (")[0])


def _together(line: ShownLine) -> tuple[int, Side | None, str]:
    return line.seq, line.secret, _begins(line)


# --- where a line leads ---------------------------------------------------------------------------


class Destination(Enum):
    """The kinds of destinations of lines, each with the key that leads there and a label."""

    FORCES = ("f", "Forces")
    MAP = ("m", "Map")
    LIFE = ("l", "Service record")
    EXPLAIN = ("e", "History")
    RULE = ("r", "The paragraph")
    RULING = ("u", "The ruling")


@immutable
class LineLink:
    """A destination of a line: a counter's id, a hex, the number of a paragraph, or a ruling."""

    to: Destination
    subject: str
    words: str


def line_links(line: ShownLine, view: Campaign, card: Card) -> list[LineLink]:
    """Return the destinations of a line that the view shows: its counters, their hexes, the hexes
    that it names, its paragraph, and its rulings."""
    return [
        *_to_counters(line, view),
        *_to_hexes(line, view),
        *([LineLink(Destination.RULE, line.rule, line.heading)] if line.rule else []),
        *(
            LineLink(Destination.RULING, name, card.rulings[name].question)
            for name in dict.fromkeys(_RULING.findall(line.text))
            if name in card.rulings
        ),
    ]


def _to_counters(line: ShownLine, view: Campaign) -> Iterator[LineLink]:
    for id in line.about:
        name = choice_text(FilterBy.COUNTER, id, view)
        if name:
            yield LineLink(Destination.FORCES, id, name)
            yield LineLink(Destination.EXPLAIN, id, name)
            yield LineLink(Destination.LIFE, id, name)


def _to_hexes(line: ShownLine, view: Campaign) -> Iterator[LineLink]:
    found = (view.find(id) for id in line.about)
    places = (counter.location for counter in found if counter is not None)
    named = [word for word in _HEX.findall(line.text) if word not in view.areas]
    for place in dict.fromkeys([*(place for place in places if place), *named]):
        if place != OFF_MAP and locations.is_location(place):
            hex = locations.hex_of_location(place)
            yield LineLink(Destination.MAP, hex, hex)
