"""What the commands of the command line share: opening a campaign, saying, and what went wrong."""

import argparse
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from brt_cg.answers import Refused
from brt_cg.card import CardError
from brt_cg.counters import Side
from brt_cg.desk import Desk, Missing
from brt_cg.opening import open_desk
from brt_cg.storage.errors import StorageError

DONE, FINDINGS, REFUSED, MISSING = 0, 1, 2, 3

Verb = Callable[[argparse.Namespace], int]


def guarded(verb: Verb, options: argparse.Namespace) -> int:
    """Runs a verb; whatever is refused becomes one message and an exit status."""
    try:
        return verb(options)
    except Missing as missing:
        say(_missing_text(missing))
        return MISSING
    except (Refused, StorageError, CardError) as refused:
        say(str(refused))
        return REFUSED
    except BrokenPipeError:
        sys.stdout = None  # whoever read it has gone: say no more
        return DONE
    except OSError as error:
        say(f"{error.filename or ''}: {error.strerror or error}".lstrip(": "))
        return REFUSED
    except RecursionError:
        say("what was given is nested too deeply")
        return REFUSED
    except (KeyboardInterrupt, EOFError):
        say("stopped; what was answered is kept")
        return MISSING


def say(text: str) -> None:
    """Talk goes to stderr."""
    print(text, file=sys.stderr)


def show(text: str) -> None:
    """Data goes to stdout."""
    print(text)


def show_json(found: Any) -> None:
    """Data for other programs."""
    show(json.dumps(found, ensure_ascii=False, indent=2))


def show_listing(
    found: Sequence[dict[str, Any]], as_json: bool, line: Callable[[dict[str, Any]], str], none: str
) -> int:
    """Shows what a listing found, each in a line, or all as JSON; says `none` if it found none."""
    if as_json:
        show_json(found)
        return DONE
    for each in found:
        show(line(each))
    if not found:
        say(none)
    return DONE


def _missing_text(missing: Missing) -> str:
    ask = missing.ask
    return (
        f"{ask.rule} {ask.subject}: an answer is missing\n"
        f"asked of the {ask.side.label} side: {ask.prompt}\n"
        f"allowed: {shown(ask.allowed)}\n"
        "answer with brt-cg answer FILE VALUE, give --answers or --auto"
    )


def shown(allowed: Any) -> str:
    return allowed if isinstance(allowed, str) else json.dumps(allowed, ensure_ascii=False)


def on_terminal() -> bool:
    return sys.stdin.isatty() and sys.stdout.isatty()


def side_of(options: argparse.Namespace) -> Side | None:
    return Side(options.side) if options.side in list(Side) else None


def opened(options: argparse.Namespace) -> Desk:
    """The campaign of a command; a player's role on a server sees it as his side."""
    desk = open_desk(options.file, backs_up=not getattr(options, "no_backup", False))
    seated(options, desk.seat)
    return desk


def seated(options: argparse.Namespace, seat: Side | None) -> None:
    """A player's role is shown its own side, and plays for it. Raises Refused for the other one."""
    if seat is None:
        return
    asked = getattr(options, "side", None)
    if asked not in (None, seat):
        raise Refused(f"--side {asked}: your role on the server has the {seat.label} seat")
    options.side = seat.value


def say_notices(desk: Desk) -> None:
    """Says what came up at the desk beside what was asked of it."""
    while desk.notices:
        say(desk.notices.pop(0))


def log(desk: Desk, since: int) -> None:
    """Prints the lines of the log that came after an entry."""
    from brt_cg.exports.log import log_lines  # here, for who only looks logs nothing

    for line in desk.tell(log_lines, desk.seat, since=desk.news_since(since)):
        show(str(line))


@contextmanager
def logged(desk: Desk) -> Iterator[None]:
    """Prints what comes into the log meanwhile, unless it is refused."""
    before = len(desk.entries)
    yield
    log(desk, before)


def carry_out(
    options: argparse.Namespace, kind: str, asked: dict[str, Any], by: str = "players"
) -> int:
    desk = opened(options)
    with logged(desk):
        desk.command(kind, asked, by)
    return DONE
