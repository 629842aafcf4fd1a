"""The findings of an audit: values that are collected, never raised as errors."""

from collections.abc import Iterable, Mapping
from dataclasses import field, replace
from typing import Any, Self

from brt_cg.immutable import immutable
from brt_cg.model import Side
from brt_cg.text import count_text, escape_unprintable

LONGEST = 120  # characters of a damaged cell shown in a message


@immutable
class Finding:
    """One error: a stable code, the broken rule, the facts in words, the ids or entry numbers
    involved, the side whose secret it touches, if any, the `entry` it is about, and whether that
    entry is `belied`, that is, wrong about its own secrecy. A `notice` is not an error: the rules
    under which the entry was made explain it."""

    code: str
    rule: str
    what: str
    records: tuple[str, ...] = ()
    secret: Side | None = None
    entry: int | None = None
    belied: bool = False
    notice: bool = False
    row: int | None = None  # the row of the journal as a side reads it, instead of the entry

    @property
    def message(self) -> str:
        """Word the finding, with the number of the entry."""
        text = self.what if self.entry is None else f"entry {self.entry}: {self.what}"
        return escape_unprintable(text)

    def as_json(self) -> dict[str, Any]:
        return {
            "code": self.code,
            "rule": escape_unprintable(self.rule),
            "message": self.message,
            "records": [escape_unprintable(record) for record in self.records],
        }

    def text(self) -> str:
        about = f" [{', '.join(map(escape_unprintable, self.records))}]" if self.records else ""
        return f"{self.code} · {escape_unprintable(self.rule)} · {self.message}{about}"


@immutable
class Report:
    """The result of an audit: the number of entries, the checksum, the errors, the notices, facts
    about the dice for players (never errors), and the `figures` of the things checked
    (checks.py)."""

    entries: int
    head: str | None
    findings: tuple[Finding, ...]
    notices: tuple[Finding, ...] = ()
    dice: tuple[str, ...] = ()
    figures: Mapping[str, int] = field(default_factory=dict)

    @classmethod
    def from_findings(cls, entries: int, head: str | None, found: Iterable[Finding]) -> Self:
        """Build a report from findings, with errors and notices mixed."""
        found = tuple(found)
        breaches = tuple(finding for finding in found if not finding.notice)
        return cls(entries, head, breaches, tuple(finding for finding in found if finding.notice))

    def as_strict(self) -> Self:
        """Return the report with every notice as an error."""
        return replace(self, findings=(*self.findings, *self.notices), notices=())

    def with_finding(self, found: Finding | None) -> Self:
        """Return the report with the given error added, if there is one."""
        return self if found is None else replace(self, findings=(*self.findings, found))

    @property
    def ok(self) -> bool:
        return not self.findings

    def as_json(self) -> dict[str, Any]:
        """Return the report in the form that `audit --json` prints."""
        return {
            "ok": self.ok,
            "entries": self.entries,
            "head": None if self.head is None else escape_unprintable(self.head),
            "findings": [finding.as_json() for finding in self.findings],
            "notices": [notice.as_json() for notice in self.notices],
        }

    def text(self) -> str:
        """Word the report for people."""
        head = None if self.head is None else escape_unprintable(self.head)
        lines = [f"{count_text(self.entries, 'entry')}, checksum {head}"]
        lines += (f"dice · {words}" for words in self.dice)
        lines += (f"notice · {notice.text()}" for notice in self.notices)
        lines += (finding.text() for finding in self.findings)
        lines.append("no errors found" if self.ok else count_text(len(self.findings), "finding"))
        return "\n".join(lines)


def quote_value(value: object) -> str:
    """Quote a cell's value in a message, cut if it is long."""
    text = repr(value)
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}… ({len(text)} characters)"
