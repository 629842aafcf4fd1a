"""The audit, which recomputes everything from the journal; each finding leads to its entry."""

import asyncio
from collections.abc import Iterator, Sequence
from threading import Event
from time import monotonic

from textual.content import Content

from brt_cg.audit import Finding, Report, audit_campaign
from brt_cg.audit.checks import CheckRow, build_check_rows
from brt_cg.immutable import immutable
from brt_cg.text import capitalize, count_text
from brt_cg.tui.keys.actions import JOURNAL
from brt_cg.tui.look.columns import Column, columns
from brt_cg.tui.rooms.campaign.page import CampaignPage, PageRow, PageShape, RowLink
from brt_cg.tui.session.campaign_app import CampaignApp
from brt_cg.tui.session.session import CampaignSnapshot, Session, entries_since_text

OFTEN = 0.1  # seconds between reports of progress
ABOUT = (
    "Recomputes the campaign from its first entry to its last, and checks hashes, tables, rules, "
    "points and limits. It changes nothing. It begins when this page is opened."
)
CHECKS = columns(12, Column(5, right=True))


@immutable
class AuditResult:
    """A report, and the snapshot of the campaign that it was made from."""

    report: Report
    of: CampaignSnapshot


class AuditStoppedError(Exception):
    """The error raised when the player stops the audit."""


class AuditPage(CampaignPage):
    """The audit page, the only page that does work itself."""

    def __init__(self) -> None:
        super().__init__("audit", self._report_rows, "Its entry", PageShape.TABLE)
        self._done: AuditResult | None = None
        self._stop = Event()
        self._progress = ""

    def _report_rows(self, seen: CampaignSnapshot) -> Sequence[PageRow]:
        report = self._report(seen)
        told = [f"Checksum: {report.head}", *report.dice] if report is not None else []
        run = PageRow(
            self._head(seen, report),
            "run",
            "The audit",
            Content("\n".join([ABOUT, *told])),
            enter="" if self.running else "run it again" if report is not None else "run it",
            does=lambda app: self._run(app, seen),
        )
        found = (*report.findings, *report.notices) if report is not None else ()
        rows = build_check_rows(report.figures if report is not None else {}, found)
        return [run, *(row for check in rows for row in _check(check, report is not None))]

    def _report(self, seen: CampaignSnapshot) -> Report | None:
        """Return the last report, if it is this seat's and not being made again."""
        done = self._done
        return (
            done.report
            if done and done.of.viewer_key == seen.viewer_key and not self.running
            else None
        )

    def _head(self, seen: CampaignSnapshot, report: Report | None) -> Content:
        if self.running:
            return Content.styled(f"Auditing: {self._progress}", "bold")
        if self._done is None or report is None:
            return Content.styled("Run the audit", "bold")
        many = len(report.findings)
        words = f"✗ {count_text(many, 'finding')}" if many else "✓ Nothing found"
        style = "bold $error" if many else "bold $success"
        before = entries_since_text(self._done.of, seen)
        old = f"; made {before}" if before else ""
        notices = f", {count_text(len(report.notices), 'notice')}" if report.notices else ""
        return Content.assemble(
            (words, style), f" in {count_text(report.entries, 'entry')}{notices}{old}"
        )

    # --- running it -------------------------------------------------------------------------------

    async def read_page_data(self, app: CampaignApp, seen: CampaignSnapshot, opened: bool) -> None:
        old = self._report(seen) is None or (self._done and entries_since_text(self._done.of, seen))
        if opened and old and not self.running:
            await self._run(app, seen)

    def stop(self) -> None:
        self._stop.set()

    async def _run(self, app: CampaignApp, seen: CampaignSnapshot) -> None:
        """Audit the campaign in a separate thread, so that the screen remains responsive."""
        app.let_keys_pass()
        loop, last = asyncio.get_running_loop(), monotonic()
        self._stop.clear()
        self._show_progress("reading")

        def on_progress(done: int, of: int) -> None:
            nonlocal last
            if self._stop.is_set():
                raise AuditStoppedError
            if monotonic() - last > OFTEN:
                last = monotonic()
                words = f"{100 * done // of}%"
                loop.call_soon_threadsafe(self._show_progress, words)

        try:
            report = await asyncio.to_thread(
                audit_campaign, seen.path, None, seen.seat, on_progress
            )
            self._done = AuditResult(report, seen)
        except AuditStoppedError:
            app.show_notice("The audit was stopped.")
        except Exception as error:
            app.report_error(error)
        finally:
            self._show_progress("")

    def _show_progress(self, words: str) -> None:
        self._progress, self.running = words, bool(words)
        self.changed()


def _check(check: CheckRow, done: bool) -> Iterator[PageRow]:
    """Yield the row of a check, and of each of its findings below it."""
    mark, style = ("○", "dim") if not done else ("✓", "$success") if check.ok else ("✗", "$error")
    told = (f" {check.words}", "" if done else "dim")
    words = CHECKS.row((f"{mark} {check.title}", f"bold {style}"), check.figure, told)
    yield PageRow(
        words,
        f"check {check.title}",
        check.title,
        Content(capitalize(f"{check.figure} {check.words}".strip())),
    )
    for number, finding in enumerate(check.findings):
        yield _finding_row(finding, f"{check.title} {number}")


def _finding_row(finding: Finding, id: str) -> PageRow:
    """Return the row of a finding, which leads to its row in the seat's journal."""
    mark = ("  notice ", "$warning") if finding.notice else ("  ✗ ", "bold $error")
    words = Content.assemble(mark, (finding.code, "bold"), f"  {finding.message}")
    kind = "Notice" if finding.notice else "Finding"
    records = [f"Records: {', '.join(finding.records)}"] if finding.records else []
    entry = finding.row if finding.row is not None else finding.entry

    async def its_entry(session: Session, seen: CampaignSnapshot, id: str) -> Sequence[RowLink]:
        return () if entry is None else (RowLink(f"Entry {entry}", entry),)

    return PageRow(
        words,
        f"finding {id}",
        f"{kind}: {finding.code} · {finding.rule}",
        Content("\n".join([finding.message, *records])),
        enter="" if entry is None else "go to its entry",
        does=lambda app: app.go_to_room(JOURNAL, str(entry)),
        leads=its_entry,
    )
