"""The commands for what one side asks of the other: agreeing, declining, taking back."""

import argparse
from collections.abc import Callable

from brt_cg.cli.talk import DONE, logged, opened
from brt_cg.journal.entries import Entry
from brt_cg.service import agreements
from brt_cg.service.desk import Desk


def agree(options: argparse.Namespace) -> int:
    return _carry_out(options, agreements.agree)


def decline(options: argparse.Namespace) -> int:
    return _carry_out(
        options, lambda desk, number: agreements.decline(desk, number, options.reason)
    )


def withdraw(options: argparse.Namespace) -> int:
    return _carry_out(options, agreements.withdraw)


def _carry_out(options: argparse.Namespace, work: Callable[[Desk, int | None], Entry]) -> int:
    desk = opened(options)
    with logged(desk):
        work(desk, options.request)
    return DONE
