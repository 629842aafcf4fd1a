"""The `audit` command."""

import argparse

from brt_cg.audit import audit_campaign
from brt_cg.audit.checks import build_check_rows
from brt_cg.audit.finding import Finding
from brt_cg.cli.console import DONE, FINDINGS, print_json, print_output, side_option
from brt_cg.journal.heads import parse_head
from brt_cg.model import Seat
from brt_cg.questions import RefusedError
from brt_cg.service import last_seen
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.storage.errors import StorageError
from brt_cg.text import shell_quote


def audit_(options: argparse.Namespace) -> int:
    head = None if options.head is None else _head(options.head)
    report = audit_campaign(options.file, head=head, side=side_option(options))
    report = report.with_finding(_divergence(options))
    report = report.as_strict() if options.strict else report
    if options.json:
        print_json(report.as_json())
    else:
        for row in build_check_rows(report.figures, report.findings):
            print_output(f"{'ok' if row.ok else '!!'}  {row.title:<9} {row.figure:>5} {row.words}")
        print_output(report.text())
    return DONE if report.ok else FINDINGS


def _divergence(options: argparse.Namespace) -> Finding | None:
    """Return a finding if the campaign is not a continuation of the one that the seat last saw."""
    try:
        desk = OpenCampaign.open_read_only(options.file, Seat.from_name(options.side))
        parted = last_seen.find_divergence_or_remember(desk)
    except (StorageError, OSError):
        return None  # the audit has reported this already
    if parted is None or parted.by is not None:
        return None
    return Finding("F-SEEN", "journal", parted.text(shell_quote(options.file)))


def _head(text: str) -> str:
    try:
        return parse_head(text)
    except ValueError as wrong:
        raise RefusedError(f"--head {wrong}") from None
