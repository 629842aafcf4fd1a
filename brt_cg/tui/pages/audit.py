"""The audit: everything recomputed from the journal, each finding leading to its entry."""

import asyncio
from collections.abc import Sequence
from threading import Event
from time import monotonic
from typing import TYPE_CHECKING

from textual.content import Content

from brt_cg.figures import counted
from brt_cg.tui.actions import JOURNAL
from brt_cg.tui.campaign_app import CampaignApp
from brt_cg.tui.pages.page import Lead, Page, PageRow, Told
from brt_cg.tui.session import Seat, Seen, Session
from brt_cg.values import frozen

if TYPE_CHECKING:
    from brt_cg.audit import Finding, Report

RUN = "run"
OFTEN = 0.1  # seconds between two words on how far it has come


@frozen
class Audited:
    """A report, whose seat it was made for, and how many entries there were then."""

    report: "Report"
    seat: Seat
    entries: int


class Stopped(Exception):
    """The player has stopped it."""


class AuditPage(Page):
    name = "audit"
    leads_title = "Its entry"

    def __init__(self) -> None:
        self._done: Audited | None = None
        self._stop = Event()
        self._far = ""

    @property
    def running(self) -> bool:
        return bool(self._far)

    def rows(self, seen: Seen) -> Sequence[PageRow]:
        audited = self._done
        if audited is not None and audited.seat is not seen.seat:
            audited = self._done = None
        found = [PageRow(self._head(seen), RUN)]
        if audited is None:
            return found
        for number, finding in enumerate(_all(audited.report)):
            mark = ("notice ", "$warning") if finding.notice else ("✗ ", "bold $error")
            words = Content.assemble(mark, (finding.code, "bold"), f"  {finding.message}")
            found.append(PageRow(words, f"finding {number}"))
        return found

    def _head(self, seen: Seen) -> Content:
        if self.running:
            return Content.styled(f"Auditing: {self._far}", "bold $accent")
        if self._done is None:
            return Content.styled("Run the audit", "bold")
        report = self._done.report
        many = len(report.findings)
        words = f"✗ {counted(many, 'finding')}" if many else "✓ Nothing found"
        style = "bold $error" if many else "bold $success"
        since = seen.entries - self._done.entries
        old = f"; {since} entries have come since" if since > 0 and seen.seat is None else ""
        notices = f", {counted(len(report.notices), 'notice')}" if report.notices else ""
        return Content.assemble((words, style), f" in {report.entries} entries{notices}{old}")

    def told(self, seen: Seen, id: str) -> Told:
        if id == RUN:
            head = self._done.report.head if self._done and not self.running else None
            words = f"Head: {head}" if head else "It changes nothing, and may take a while."
            enter = "" if self.running else "run it again" if self._done else "run it"
            return Told("The audit", Content(words), enter)
        finding = self._finding(id)
        kind = "Notice" if finding.notice else "Finding"
        lines = [finding.message]
        if finding.records:
            lines.append(f"Records: {', '.join(finding.records)}")
        enter = "" if _entry(finding) is None else "go to its entry"
        return Told(f"{kind}: {finding.code} · {finding.rule}", Content("\n".join(lines)), enter)

    async def leads(self, session: Session, seen: Seen, id: str) -> Sequence[Lead]:
        entry = None if id == RUN else _entry(self._finding(id))
        return () if entry is None else (Lead(f"Entry {entry}", entry),)

    async def enter(self, app: CampaignApp, seen: Seen, id: str) -> None:
        if id == RUN:
            if not self.running:
                await self._run(app, seen)
            return
        entry = _entry(self._finding(id))
        if entry is not None:
            await app.show(JOURNAL, str(entry))

    def _finding(self, id: str) -> "Finding":
        assert self._done is not None, "there are findings after an audit only"
        return _all(self._done.report)[int(id.removeprefix("finding "))]

    # --- running it -------------------------------------------------------------------------------

    def stop(self) -> None:
        self._stop.set()

    async def _run(self, app: CampaignApp, seen: Seen) -> None:
        """Audits the file in a thread of its own, so that the screen goes on answering."""
        from brt_cg.audit import audit

        loop, last = asyncio.get_running_loop(), monotonic()
        self._stop.clear()
        self._tell_how_far("reading")

        def heed(done: int, of: int) -> None:
            nonlocal last
            if self._stop.is_set():
                raise Stopped
            if monotonic() - last > OFTEN:
                last = monotonic()
                words = f"{100 * done // of}%"
                loop.call_soon_threadsafe(self._tell_how_far, words)

        try:
            report = await asyncio.to_thread(audit, seen.path, None, seen.seat, heed)
            self._done = Audited(report, seen.seat, seen.entries)
        except Stopped:
            app.say("The audit was stopped.")
        except Exception as error:
            app.tell(error)
        finally:
            self._tell_how_far("")

    def _tell_how_far(self, words: str) -> None:
        self._far = words
        self.changed()


def _all(report: "Report") -> "list[Finding]":
    """The breaches, then the notices."""
    return [*report.findings, *report.notices]


def _entry(finding: "Finding") -> int | None:
    """The row of the seat's journal that a finding is about."""
    return finding.row if finding.row is not None else finding.entry
