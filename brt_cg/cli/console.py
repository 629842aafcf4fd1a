"""The shared parts of the commands: opening a campaign, printing, and reporting errors."""

import argparse
import errno
import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from shutil import get_terminal_size
from textwrap import fill
from typing import Any

from brt_cg.cli.streams import is_ascii_only
from brt_cg.files import file_error
from brt_cg.model import Seat, Side
from brt_cg.questions import Problem, RefusedError
from brt_cg.service import last_seen
from brt_cg.service.answer_supply import MissingAnswerError
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.storage.errors import StorageError
from brt_cg.text import (
    escape_unprintable,
    replace_invisible,
    shell_quote,
    truncate_long_words_and_lines,
)
from brt_cg.views.journal_rows import shorten_undone_runs
from brt_cg.views.rights import NotYourTurnError
from brt_cg.views.view import ReadMark

DONE, FINDINGS, REFUSED, MISSING = 0, 1, 2, 3

# A file's errors name it, and the campaign's are StorageErrors: this one comes from printing.
OUTPUT = {errno.ENOSPC, errno.EFBIG, errno.EIO, errno.EINVAL}

CONTINUE = "Continue with this file?"
YES_NO = ("yes", NO := "no")

Verb = Callable[[argparse.Namespace], int]


def run_and_report_errors(verb: Verb, options: argparse.Namespace) -> int:
    """Run a command; turn any refusal into one message and an exit status."""
    try:
        status = verb(options)
        if sys.stdout is not None:
            sys.stdout.flush()
        return status
    except MissingAnswerError as missing:
        print_error(_missing_text(missing, options))
        return MISSING
    except NotYourTurnError as refused:
        print_error(str(refused))
        return MISSING
    except RefusedError as refused:
        print_error("\n".join(_as_typed(each, options.typed) for each in refused.problems))
        return REFUSED
    except StorageError as refused:
        print_error(str(refused))
        return REFUSED
    except BrokenPipeError:
        sys.stdout = None  # the reader is gone: stop writing
        return DONE
    except OSError as error:
        if error.filename is None and error.errno in OUTPUT:
            return _output_lost(error)
        print_error(file_error(error))
        return REFUSED
    except RecursionError:
        print_error("the input is nested too deeply")
        return REFUSED
    except (KeyboardInterrupt, EOFError):
        print_error("stopped; everything entered so far is saved")
        return MISSING
    finally:
        _close_campaigns()


def _as_typed(problem: object, typed: Mapping[str, str]) -> str:
    """Describe a problem; name the option of a wrong value as on the command line."""
    if isinstance(problem, Problem) and problem.place in ("", problem.path):
        return str(replace(problem, place=typed.get(problem.path, "")))
    return str(problem)


def _output_lost(error: OSError) -> int:
    """Report that standard output accepts no more text; the entries made are kept. On Windows,
    EINVAL means that the reader is closed."""
    sys.stdout = None  # else Python would try again at the end
    if error.errno == errno.EINVAL:
        return DONE
    print_error(
        f"the output is incomplete: {error.strerror}; everything the command entered is stored"
    )
    return FINDINGS


def print_error(text: str) -> None:
    """Print a message for the player on stderr, folded as by `print_output`; it may quote a
    file."""
    if sys.stderr is not None:  # if it is closed, print would use stdout instead
        lines = map(escape_unprintable, truncate_long_words_and_lines(text).split("\n"))
        folded = map(_folded, lines) if sys.stderr.isatty() else lines
        print("\n".join(folded), file=sys.stderr)


def print_output(text: str) -> None:
    """Print text on stdout, with invisible characters escaped. On a terminal, long lines are folded
    and indented."""
    text = replace_invisible(text, allowed="\t\n")
    if is_terminal():
        text = "\n".join(map(_folded, text.split("\n")))
    print(text)


def _folded(line: str) -> str:
    indent = " " * (len(line) - len(line.lstrip()) + 4)
    return fill(
        line,
        get_terminal_size().columns,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )


def print_json(found: Any) -> None:
    """Print data for other programs."""
    print(json.dumps(found, ensure_ascii=is_ascii_only(sys.stdout), indent=2))


def print_list(
    found: Sequence[dict[str, Any]], as_json: bool, line: Callable[[dict[str, Any]], str], none: str
) -> int:
    """Print a list, one item a line, or all as JSON; print `none` if it is empty."""
    if as_json:
        print_json(found)
        return DONE
    for each in found:
        print_output(line(each))
    if not found:
        print_error(none)
    return DONE


def _missing_text(missing: MissingAnswerError, options: argparse.Namespace) -> str:
    ask = missing.ask
    allowed = "\n".join([*ask.allowed_lines, *ask.short_form_lines])
    return (
        f"{ask.rule} {ask.subject}: an answer is missing\n"
        f"question for the {ask.side.label} player: {ask.prompt}\n"
        f"{allowed}\n"
        f"answer it with brt-cg answer {shell_quote(options.file)} VALUE{_seat_option(options)}, "
        "or give refit --answers or --auto"
    )


def _seat_option(options: argparse.Namespace) -> str:
    """Return the option with which the command named its seat; "" if it named none."""
    side = getattr(options, "side", None)
    return f" --side {side}" if side else ""


def is_terminal() -> bool:
    return all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stdout))


def ask_choice(words: str, allowed: Sequence[str]) -> str:
    """Ask for one of the allowed words; its beginning is enough. Enter alone means no answer."""
    while True:
        typed = input(f"{words} ({' / '.join(allowed)}): ").strip().casefold()
        near = [word for word in allowed if typed and word.startswith(typed)]
        if len(near) == 1:
            return near[0]
        print(f"  enter {', '.join(allowed)}")


def side_option(options: argparse.Namespace) -> Side | None:
    return Side.from_name(options.side)


def open_for_command(options: argparse.Namespace) -> OpenCampaign:
    """Open the campaign of a command, to make its entries from the seat that --side names. Warn if
    it is not a continuation of the campaign that the seat last saw, and on a terminal ask whether
    to continue."""
    desk = open_without_seen_check(options)
    parted = last_seen.find_divergence_or_remember(desk)
    if parted is not None:
        print_error(parted.text(shell_quote(options.file)))
        if parted.by is None and is_terminal() and ask_choice(CONTINUE, YES_NO) == NO:
            raise RefusedError("nothing was done")
    return desk


def open_without_seen_check(options: argparse.Namespace) -> OpenCampaign:
    """Open the campaign of a command that itself compares it with the campaign that its seat last
    saw."""
    desk = OpenCampaign.open(options.file, backs_up=not getattr(options, "no_backup", False))
    desk.set_seat(Seat.from_name(getattr(options, "side", None)))
    _opened.append(desk)
    return desk


_opened: list[OpenCampaign] = []  # opened by this command


def _close_campaigns() -> None:
    """Close the command's campaigns, and remember its additions as seen by its seat."""
    for desk in _opened:
        print_notices(desk)
        if desk.has_stored:
            _print_reminders(desk)
            with suppress(StorageError, OSError):  # the next check will show it
                last_seen.remember_seen_if_continued(desk)
        desk.close()
    _opened.clear()


def _print_reminders(desk: OpenCampaign) -> None:
    """Print the reminders of the CG Date, if the command began it."""
    if desk.has_new_date:
        book = desk.view()
        for words in book.reminders_for(book.campaign.situation.date):
            print_output(words)


def print_notices(desk: OpenCampaign) -> None:
    """Print the open campaign's notices."""
    while desk.notices:
        print_error(desk.notices.pop(0))


def print_log_since(desk: OpenCampaign, since: ReadMark) -> ReadMark:
    """Print the log lines after a mark that the seat may see. Return the mark after the
    last printed line."""
    book = desk.view()
    for line in shorten_undone_runs(book.lines_since(since)):
        print_output(str(line))
    return max(since, book.mark)


@contextmanager
def print_new_log(desk: OpenCampaign) -> Iterator[None]:
    """Print the new lines of the log at the end of the `with` block, unless the work is refused."""
    before = desk.view().mark
    yield
    print_log_since(desk, before)


def run_command(
    options: argparse.Namespace, kind: str, asked: dict[str, Any], by: str = "players"
) -> int:
    desk = open_for_command(options)
    with print_new_log(desk):
        desk.run_command(kind, asked, by)
    return DONE
