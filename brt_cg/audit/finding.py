"""The findings of an audit: values that are collected, never raised half-way."""

from collections.abc import Iterable, Mapping
from dataclasses import field, replace
from typing import Any, Self

from brt_cg.immutable import immutable
from brt_cg.model import Side
from brt_cg.text import count_text, printable

LONGEST = 120  # characters of a damaged cell shown in a message


@immutable
class Finding:
    """One breach: a stable code, the rule broken, its figures in words, the ids or entry numbers
    concerned, the side whose secret it touches, if any, the `entry` it is about, and whether that
    entry is `belied`: wrong about what of it is secret. A `notice` is no breach: other rules, under
    which the entry was made, explain it."""

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
        """The finding in words, with the number of the entry."""
        text = self.what if self.entry is None else f"entry {self.entry}: {self.what}"
        return printable(text)

    def as_json(self) -> dict[str, Any]:
        return {
            "code": self.code,
            "rule": printable(self.rule),
            "message": self.message,
            "records": [printable(record) for record in self.records],
        }

    def text(self) -> str:
        about = f" [{', '.join(map(printable, self.records))}]" if self.records else ""
        return f"{self.code} · {printable(self.rule)} · {self.message}{about}"


@immutable
class Report:
    """The result of an audit: the number of entries, the head hash, every breach, the notices, and
    what players want to know of the dice, which is never a breach; and the `figures` of the things
    checked (checks.py)."""

    entries: int
    head: str | None
    findings: tuple[Finding, ...]
    notices: tuple[Finding, ...] = ()
    dice: tuple[str, ...] = ()
    figures: Mapping[str, int] = field(default_factory=dict)

    @classmethod
    def from_findings(cls, entries: int, head: str | None, found: Iterable[Finding]) -> Self:
        """A report of findings, breaches and notices mixed."""
        found = tuple(found)
        breaches = tuple(finding for finding in found if not finding.notice)
        return cls(entries, head, breaches, tuple(finding for finding in found if finding.notice))

    def as_strict(self) -> Self:
        """The same report with every notice as a breach."""
        return replace(self, findings=(*self.findings, *self.notices), notices=())

    def with_finding(self, found: Finding | None) -> Self:
        """The same report with one more breach, if there is one."""
        return self if found is None else replace(self, findings=(*self.findings, found))

    @property
    def ok(self) -> bool:
        return not self.findings

    def as_json(self) -> dict[str, Any]:
        """The report as `audit --json` prints it."""
        return {
            "ok": self.ok,
            "entries": self.entries,
            "head": None if self.head is None else printable(self.head),
            "findings": [finding.as_json() for finding in self.findings],
            "notices": [notice.as_json() for notice in self.notices],
        }

    def text(self) -> str:
        """The report for people."""
        head = None if self.head is None else printable(self.head)
        lines = [f"{count_text(self.entries, 'entry')}, head {head}"]
        lines += (f"dice · {words}" for words in self.dice)
        lines += (f"notice · {notice.text()}" for notice in self.notices)
        lines += (finding.text() for finding in self.findings)
        lines.append("nothing found" if self.ok else count_text(len(self.findings), "finding"))
        return "\n".join(lines)


def quote_value(value: object) -> str:
    """A cell's value in a message, cut if it is long."""
    text = repr(value)
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}… ({len(text)} characters)"
