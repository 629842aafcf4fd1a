"""The command audit. It needs little of what other commands need."""

import argparse

from brt_cg.audit import audit
from brt_cg.audit.checks import check_rows
from brt_cg.cli.talk import DONE, FINDINGS, show, show_json, side_of
from brt_cg.journal.heads import read_head
from brt_cg.questions.answers import Refused


def audit_(options: argparse.Namespace) -> int:
    head = None if options.head is None else _head(options.head)
    report = audit(options.file, head=head, side=side_of(options))
    report = report.strict() if options.strict else report
    if options.json:
        show_json(report.plain())
    else:
        for row in check_rows(report.figures, report.findings):
            show(f"{'ok' if row.ok else '!!'}  {row.title:<9} {row.figure:>5} {row.words}")
        show(report.text())
    return DONE if report.ok else FINDINGS


def _head(text: str) -> str:
    try:
        return read_head(text)
    except ValueError as wrong:
        raise Refused(f"--head {wrong}") from None
