"""What an audit finds: values, collected, never raised half-way."""

from dataclasses import dataclass
from typing import Any

from brt_cg.counters import Side


@dataclass(frozen=True, slots=True)
class Finding:
    """One breach: a stable code, the rule it goes against, its figures in words, the ids or entry
    numbers concerned, and the side whose secret it touches, if any."""

    code: str
    rule: str
    message: str
    records: tuple[str, ...] = ()
    secret: Side | None = None

    def plain(self) -> dict[str, Any]:
        return {
            "code": self.code,
            "rule": self.rule,
            "message": self.message,
            "records": list(self.records),
        }


@dataclass(frozen=True, slots=True)
class Report:
    """An audit's result: how many entries, the head hash, and every finding."""

    entries: int
    head: str | None
    findings: tuple[Finding, ...]

    @property
    def ok(self) -> bool:
        return not self.findings

    def plain(self) -> dict[str, Any]:
        """As `audit --json` prints it."""
        return {
            "ok": self.ok,
            "entries": self.entries,
            "head": self.head,
            "findings": [one.plain() for one in self.findings],
        }

    def text(self) -> str:
        """For people."""
        lines = [f"{self.entries} entries, head {self.head}"]
        for one in self.findings:
            about = f" [{', '.join(one.records)}]" if one.records else ""
            lines.append(f"{one.code} · {one.rule} · {one.message}{about}")
        lines.append("nothing found" if self.ok else f"{len(self.findings)} findings")
        return "\n".join(lines)
