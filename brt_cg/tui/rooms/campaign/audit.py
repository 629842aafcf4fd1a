"""The audit, which recomputes everything from the journal; each finding leads to its entry."""

import asyncio
from collections.abc import Sequence
from threading import Event
from time import monotonic

from textual.content import Content

from brt_cg.audit import Finding, Report, audit
from brt_cg.model.value import value
from brt_cg.text import counted
from brt_cg.tui.keys.actions import JOURNAL
from brt_cg.tui.rooms.campaign.page import CampaignPage, PageRow, RowLink
from brt_cg.tui.session.campaign_app import CampaignApp
from brt_cg.tui.session.session import Seat, Seen, Session

OFTEN = 0.1  # seconds between reports of progress
ABOUT = (
    "Recomputes the campaign from its first entry to its last, and checks hashes, tables, rules, "
    "points and limits. It changes nothing, and may take a while."
)
NOT_RUN = "It has not been run since the campaign was opened."


@value
class Audited:
    """A report, the seat that it was made for, and the number of rows then."""

    report: Report
    seat: Seat
    rows: int


class Stopped(Exception):
    """Raised when the player stops the audit."""


class AuditPage(CampaignPage):
    """The only page that does work of its own."""

    def __init__(self) -> None:
        super().__init__("audit", self._rows, "Its entry")
        self._done: Audited | None = None
        self._stop = Event()
        self._progress = ""

    def _rows(self, seen: Seen) -> Sequence[PageRow]:
        if self._done is not None and self._done.seat is not seen.seat:
            self._done = None
        report = self._done.report if self._done is not None else None
        head = report.head if report is not None and not self.running else None
        last = f"Head: {head}" if head else "" if self.running else NOT_RUN
        run = PageRow(
            self._head(seen),
            "run",
            "The audit",
            Content("\n".join(filter(None, (ABOUT, last)))),
            enter="" if self.running else "run it again" if report is not None else "run it",
            does=lambda app: self._run(app, seen),
        )
        # First the breaches, then the notices.
        findings = [*report.findings, *report.notices] if report is not None else []
        return [run, *(_row(finding, number) for number, finding in enumerate(findings))]

    def _head(self, seen: Seen) -> Content:
        if self.running:
            return Content.styled(f"Auditing: {self._progress}", "bold")
        if self._done is None:
            return Content.styled("Run the audit", "bold")
        report = self._done.report
        many = len(report.findings)
        words = f"✗ {counted(many, 'finding')}" if many else "✓ Nothing found"
        style = "bold $error" if many else "bold $success"
        since = seen.mark.rows - self._done.rows
        old = f"; {counted(since, 'entry')} added since" if since > 0 and seen.seat is None else ""
        notices = f", {counted(len(report.notices), 'notice')}" if report.notices else ""
        return Content.assemble(
            (words, style), f" in {counted(report.entries, 'entry')}{notices}{old}"
        )

    # --- running it -------------------------------------------------------------------------------

    def stop(self) -> None:
        self._stop.set()

    async def _run(self, app: CampaignApp, seen: Seen) -> None:
        """Audits the campaign in a thread of its own, so that the screen stays responsive."""
        app.let_keys_pass()
        loop, last = asyncio.get_running_loop(), monotonic()
        self._stop.clear()
        self._show_progress("reading")

        def on_progress(done: int, of: int) -> None:
            nonlocal last
            if self._stop.is_set():
                raise Stopped
            if monotonic() - last > OFTEN:
                last = monotonic()
                words = f"{100 * done // of}%"
                loop.call_soon_threadsafe(self._show_progress, words)

        try:
            report = await asyncio.to_thread(audit, seen.path, None, seen.seat, on_progress)
            self._done = Audited(report, seen.seat, seen.mark.rows)
        except Stopped:
            app.say("The audit was stopped.")
        except Exception as error:
            app.tell(error)
        finally:
            self._show_progress("")

    def _show_progress(self, words: str) -> None:
        self._progress, self.running = words, bool(words)
        self.changed()


def _row(finding: Finding, number: int) -> PageRow:
    """The row of a finding, which leads to its row in the seat's journal."""
    mark = ("notice ", "$warning") if finding.notice else ("✗ ", "bold $error")
    words = Content.assemble(mark, (finding.code, "bold"), f"  {finding.message}")
    kind = "Notice" if finding.notice else "Finding"
    records = [f"Records: {', '.join(finding.records)}"] if finding.records else []
    entry = finding.row if finding.row is not None else finding.entry

    async def its_entry(session: Session, seen: Seen, id: str) -> Sequence[RowLink]:
        return () if entry is None else (RowLink(f"Entry {entry}", entry),)

    return PageRow(
        words,
        f"finding {number}",
        f"{kind}: {finding.code} · {finding.rule}",
        Content("\n".join([finding.message, *records])),
        enter="" if entry is None else "go to its entry",
        does=lambda app: app.show(JOURNAL, str(entry)),
        leads=its_entry,
    )
