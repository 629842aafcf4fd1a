"""The command audit. It needs little of what other commands need."""

import argparse

from brt_cg.audit import audit
from brt_cg.audit.checks import check_rows
from brt_cg.cli.console import DONE, FINDINGS, print_json, print_output, side_option
from brt_cg.journal.heads import read_head
from brt_cg.questions import RefusedError


def audit_(options: argparse.Namespace) -> int:
    head = None if options.head is None else _head(options.head)
    report = audit(options.file, head=head, side=side_option(options))
    report = report.as_strict() if options.strict else report
    if options.json:
        print_json(report.as_json())
    else:
        for row in check_rows(report.figures, report.findings):
            print_output(f"{'ok' if row.ok else '!!'}  {row.title:<9} {row.figure:>5} {row.words}")
        print_output(report.text())
    return DONE if report.ok else FINDINGS


def _head(text: str) -> str:
    try:
        return read_head(text)
    except ValueError as wrong:
        raise RefusedError(f"--head {wrong}") from None
