"""Entries made under rules other than the current ones: the differences that these rules explain,
and the notice about them.

A difference that other rules explain is not an error. It is reported separately, with the version
and the parts of the rules that differ.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from contextlib import suppress
from itertools import groupby

from brt_cg.audit.finding import Finding
from brt_cg.card import DATA_RULING, PARTS, RELEASED, Card, load_card, parse_agreed_digests
from brt_cg.commands.registry import COMMANDS
from brt_cg.journal.entries import KINDS_OF_PARAGRAPH, TIME_TRAVEL, TRANSPARENT, Entry
from brt_cg.journal.rules_version import (
    CODE,
    RulesVersion,
    current_rules,
    read_rules_version,
    was_released,
)
from brt_cg.model import Campaign, RulingInForce, Situation

UNRELEASED = (
    "; this version was never released, or is older than that of earlier entries, so "
    "every difference counts as an error"
)
PLACES = frozenset({"card", "counters", "map"})
PURCHASING = PLACES | {"prices"}
# The data that decides the result of a command; a paragraph may use all of it, undo uses none.
DECIDES: Mapping[str, frozenset[str]] = {
    **dict.fromkeys(COMMANDS, PLACES),
    **dict.fromkeys(("buy", "void", "commit", "discard", "allot"), PURCHASING),
    "new": frozenset({"card", "prices", "rulings"}),
    "ruling": frozenset({"rulings"}),
    **dict.fromkeys(("aid", "note", *TRANSPARENT), frozenset()),
    **dict.fromkeys(KINDS_OF_PARAGRAPH, frozenset(PARTS)),
    **dict.fromkeys(TIME_TRAVEL, frozenset()),
}


def rules_version_of_entry(entry: Entry) -> RulesVersion | None:
    """Return the rules version in an entry; None if it is malformed."""
    try:
        return read_rules_version(str(entry.payload["rules"]))
    except ValueError:
        return None


def differing_parts(entry: Entry, card: Card) -> frozenset[str]:
    """Return the parts of the rules that may differ from those of an entry."""
    version = rules_version_of_entry(entry)
    return frozenset() if version is None else version.differs_in(current_rules(card.cg))


def is_explained_by_other_rules(entry: Entry, card: Card, *parts: str) -> bool:
    """Whether different code, or different data of these parts, may explain a difference in an
    entry with a trusted label."""
    return not differing_parts(entry, card).isdisjoint({CODE, *parts})


def entries_with_trusted_label(entries: Sequence[Entry]) -> frozenset[int]:
    """Return the entries whose label (the rules that they name) can explain a difference: rules
    that had been released or agreed on, and are no older than the rules of earlier entries."""
    found, highest, also = set(), 0, dict[str, str]()
    cg = str(entries[0].asked.get("cg")) if entries else ""
    for entry in entries:
        also = _agreed_after(entry, also)
        version = rules_version_of_entry(entry)
        if version is None:
            continue
        if version.number >= highest and was_released(version, cg, also):
            found.add(entry.seq)
        highest = max(highest, version.number)
    return frozenset(found)


def _agreed_after(entry: Entry, before: dict[str, str]) -> dict[str, str]:
    """Return the digests of data on which the players agree after an entry."""
    for table, id, name, _, new in entry.changes:
        if (table, id) != (RulingInForce.TABLE, DATA_RULING):
            continue
        value = new if name else (new or {}).get("value")
        with suppress(ValueError):
            before = parse_agreed_digests(str(value or RELEASED))
    return before


class RulesExplanation:
    """Whether other rules explain a different result, for each entry in order; only the entries in
    `labels` name such rules.

    Once other rules explain a difference in a paragraph, they also explain the rest of it.
    """

    def __init__(self, labels: Set[int]) -> None:
        self._labels = labels
        self._paragraph: str | None = None

    def advance_to(self, entry: Entry) -> None:
        """Move to an entry, which may begin another paragraph."""
        if entry.kind in ("begin", "skip"):
            self._paragraph = None

    def explains_and_remembers_paragraph(self, entry: Entry, card: Card) -> bool:
        """Whether other rules explain a difference in the current entry."""
        begun = self._paragraph is not None and entry.rule == self._paragraph
        follows = entry.kind == "answer" and begun
        covered = entry.seq in self._labels and (follows or _covered(entry, card))
        self._paragraph = entry.rule if covered and entry.kind in KINDS_OF_PARAGRAPH else None
        return covered


def _covered(entry: Entry, card: Card) -> bool:
    decides = DECIDES.get(entry.kind)
    return decides is not None and not differing_parts(entry, card).isdisjoint({CODE, *decides})


# --- the sentence ---------------------------------------------------------------------------------


def other_rules_notices(
    entries: Sequence[Entry], campaign: Campaign, journal: Sequence[Entry] = ()
) -> Iterator[Finding]:
    """Return the notices for entries of a journal, by default all, by their numbers."""
    card = card_of_campaign(campaign)
    if card is not None:
        numbered = ((entry.seq, entry) for entry in entries)
        yield from notices_by_version(numbered, card, "entries", journal or entries)


def card_of_campaign(campaign: Campaign) -> Card | None:
    """Return the campaign's card; None if the entry that names it is lost."""
    situation: Situation | None = campaign.tables[Situation.TABLE].get("campaign")
    try:
        return load_card(situation.cg) if situation is not None else None
    except ValueError:
        return None


def notices_by_version(
    numbered: Iterable[tuple[int, Entry]], card: Card, called: str, journal: Sequence[Entry]
) -> Iterator[Finding]:
    """Return one notice for each other version, in order of appearance, with the numbers of the
    entries; `called` is the noun for the numbers ("entries", "rows"). UNRELEASED is added only if
    no label in the whole `journal` can explain a difference."""
    spans: dict[str, list[tuple[int, Entry]]] = {}
    for number, entry in numbered:
        spans.setdefault(str(entry.payload["rules"]), []).append((number, entry))
    others = {text: span for text, span in spans.items() if differing_parts(span[0][1], card)}
    labels = entries_with_trusted_label(journal) if others else frozenset()
    for text, span in others.items():
        numbers = [number for number, _ in span]
        version = read_rules_version(text)
        what = f"{called} {_spans(numbers)} were made under different rules: "
        what += _difference(version, current_rules(card.cg))
        if any(entry.seq not in labels for _, entry in span):
            what += UNRELEASED
        yield Finding("other-rules", "journal", what, (text,), notice=True)


def _spans(numbers: Sequence[int]) -> str:
    """Word the numbers: "2–7, 9"."""
    runs = groupby(enumerate(numbers), key=lambda pair: pair[1] - pair[0])
    spans = [[number for _, number in run] for _, run in runs]
    return ", ".join(str(span[0]) if len(span) == 1 else f"{span[0]}–{span[-1]}" for span in spans)


def _difference(version: RulesVersion, now: RulesVersion) -> str:
    if version.number != now.number:
        newer = "; update brt-cg to check them" if version.number > now.number else ""
        return f"version {version.number} instead of the current version {now.number}{newer}"
    parts = sorted(version.differs_in(now))
    digests = (
        f"{part} {version.data.get(part, 'none')}, now {now.data.get(part, 'none')}"
        for part in parts
    )
    return f"version {version.number} with different data ({'; '.join(digests)})"
