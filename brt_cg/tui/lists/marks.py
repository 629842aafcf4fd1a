"""Marked rows of a list: the next key applies to all of them."""

from collections.abc import Iterable
from dataclasses import dataclass

MARK = "■"  # before a marked row


@dataclass(slots=True)
class MarkedRows:
    """The ids of the marked rows."""

    ids: frozenset[str] = frozenset()

    def mark_or_unmark_all(self, rows: Iterable[str]) -> None:
        """Mark rows, or unmark them if all are marked."""
        turned = frozenset(rows)
        self.ids = self.ids - turned if turned <= self.ids else self.ids | turned

    def clear(self) -> None:
        """Unmark all rows."""
        self.ids = frozenset()

    def sign_before(self, row: str) -> str:
        """Return the mark before a row; "" if it is not marked."""
        return MARK if row in self.ids else ""

    def marked_or_selected(self, selected: str | None) -> tuple[str, ...]:
        """Return the marked rows, else the selected one, if any."""
        return tuple(sorted(self.ids)) or ((selected,) if selected else ())

    def __len__(self) -> int:
        return len(self.ids)

    @property
    def count_text(self) -> str:
        """The number of marked rows, for the line above the list: ", 3 marked"; "" if there are
        none."""
        return f", {len(self)} marked" if self.ids else ""
