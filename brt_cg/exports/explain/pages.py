"""The pages of explanations: a title, and lines that link to the subjects that they name."""

import re
from collections.abc import Collection, Iterable, Iterator, Set

from brt_cg.card import Card
from brt_cg.immutable import immutable
from brt_cg.journal.changes import RECORDS, Change
from brt_cg.journal.entries import TIME_TRAVEL
from brt_cg.model import BY_TABLE, Allotment, Area, Campaign, FieldChange, Purchase, Side, field_of
from brt_cg.refit.sequence import NUMBERS
from brt_cg.views.journal_rows import ShownRow, undone_mark

# The records that can be explained by id.
EXPLAINED = (*BY_TABLE, Area.TABLE, Purchase.TABLE, Allotment.TABLE)
ENTRY = "entry "  # prefix of a row's number, which may also be an id
_NAMED = re.compile(r"R-[A-Z0-9-]*[A-Z0-9]|15\.[0-9]+|[\w-]+(?:\.[0-9]+)?")


def entered_text(by: str, at: str, seat: str = "") -> str:
    """Return the line that says who made an entry, from which seat, and when."""
    who = {side.value: f"the {side.label} player" for side in Side} | {"players": "the players"}
    time = at.replace("T", " ").replace("Z", " UTC")
    return f"entered by {who.get(by, by)}{seat} at {time}"


@immutable
class PageLine:
    """A line, and the subjects that it links to."""

    text: str
    leads: tuple[str, ...] = ()


@immutable
class ExplanationPage:
    """The explanation of a subject. The title gives the value, the lines the reasons."""

    title: str
    lines: tuple[PageLine, ...] = ()

    @property
    def text(self) -> list[str]:
        """The page as lines of text."""
        return [self.title, *(line.text for line in self.lines)]


@immutable
class KnownFacts:
    """Everything that the asking side may know: the campaign as it sees it, its rows of the
    journal, and the table and id of each record that they change."""

    view: Campaign
    card: Card
    rows: list[ShownRow]
    changed: Set[tuple[str, str]]
    side: Side | None

    def subjects_named_in(self, text: str) -> tuple[str, ...]:
        """Return the subjects named in some text: ids, Setup Areas, rulings, paragraphs."""
        found = dict.fromkeys(_NAMED.findall(text))
        return tuple(word for word in found if self.has_subject(word))

    def has_subject(self, subject: str) -> bool:
        """Whether there is a record, a ruling or a paragraph with that name."""
        records = any(subject in self.view.tables[table] for table in EXPLAINED)
        return records or subject in self.card.rulings or subject in NUMBERS

    def ever_had_record(self, id: str, tables: Collection[str]) -> bool:
        """Whether there has ever been a record with that id."""
        return any((table, id) in self.changed for table in tables)

    def linked_line(self, text: str, *leads: str) -> PageLine:
        """Return a line with links to the subjects that it names, after the given subjects."""
        return PageLine(text, tuple(dict.fromkeys([*leads, *self.subjects_named_in(text)])))


def record_history_lines(
    rows: Iterable[ShownRow], id: str, tables: Collection[str]
) -> Iterator[PageLine]:
    """Yield the rows that changed a record or mention it."""
    for row in rows:
        if row.kind in TIME_TRAVEL:
            continue
        changes = [change for change in row.changes if change[0] in tables and change[1] == id]
        lines = [line.text for line in row.lines if id in line.about]
        if changes or lines:
            yield journal_row_line(row, _row_text(row, lines, changes))


def _row_text(row: ShownRow, lines: Iterable[str], changes: Iterable[Change]) -> str:
    text = "; ".join(lines)
    if row.kind == "edit" and text:  # its line names the changes
        return text
    what = ", ".join(change_text(row, change) for change in changes)
    return f"{text} [{what}]" if text and what else text or what


def journal_row_line(row: ShownRow, words: str, *leads: str) -> PageLine:
    """Return a line about a row of the journal; its first link leads to the row."""
    text = f"{row.number} · {row.heading} · {words}{undone_mark(row.undone)}"
    return PageLine(text, (f"{ENTRY}{row.number}", *leads))


def change_text(row: ShownRow, change: Change) -> str:
    """Return a change of a record in words: "status wounded → –", "in play → eliminated",
    "created"."""
    table, _, name, old, new = change
    if name:
        return str(FieldChange(field_of(RECORDS[table], name), old, new))
    if new is None:
        return "gone" if row.hash is not None else "no longer known"
    return "created" if row.hash is not None else "first known"
