"""The command audit, by itself: it needs little of what the others need."""

import argparse

from brt_cg.audit import audit as audited
from brt_cg.cli.talk import DONE, FINDINGS, show, show_json, side_of


def audit(options: argparse.Namespace) -> int:
    report = audited(options.file, head=options.head, side=side_of(options))
    if options.json:
        show_json(report.plain())
    else:
        show(report.text())
    return DONE if report.ok else FINDINGS
