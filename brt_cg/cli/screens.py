"""The commands that open the screen, here or in a browser, and the demo."""

import argparse
import gc
import re
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from string import Template

from brt_cg import web
from brt_cg.cli.console import (
    DONE,
    REFUSED,
    is_terminal,
    print_error,
    print_output,
)
from brt_cg.cli.streams import console_escape_codes_enabled
from brt_cg.files import is_mail_path
from brt_cg.model import Side
from brt_cg.questions import AppDice, RefusedError, SeededDice
from brt_cg.storage.place import Address, Place
from brt_cg.text import install_command, shell_quote
from brt_cg.web import served_seat

NO_CODES = (
    "this console cannot show the screen; use Windows Terminal (wt.exe), or a browser (serve)"
)


@contextmanager
def _loading() -> Iterator[None]:
    """Load with garbage collection off, because Python would search the new objects for garbage
    again and again, and find none."""
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()


def _run(
    path: Place | None, backs_up: bool = True, mail: Path | None = None, tour: bool = False
) -> int:
    """Run the screen."""
    with console_escape_codes_enabled() as understood:
        if not understood:
            print_error(NO_CODES)
            return REFUSED
        with _loading():
            from brt_cg.tui.app import run_app
        _end_as_for_sigint()
        return run_app(path, backs_up, mail, tour)


def _end_as_for_sigint() -> None:
    """Make every signal that ends the program leave the terminal as SIGINT does: without the last
    picture, which may show secrets, and without reports of the mouse. SIGINT itself may have been
    ignored from the start, as in a shell's background."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    for name in ("SIGTERM", "SIGHUP", "SIGQUIT"):
        if hasattr(signal, name):  # Windows lacks some
            signal.signal(getattr(signal, name), lambda *_: signal.raise_signal(signal.SIGINT))


def home(options: argparse.Namespace) -> int:
    """Open the screen's Home; without a terminal, print how to begin."""
    if not is_terminal():
        print_error("brt-cg needs a terminal for its screen; see brt-cg --help for the commands")
        return REFUSED
    return _run(None)


def open_(options: argparse.Namespace) -> int:
    seat = served_seat()
    if seat is not None:
        with _loading():
            from brt_cg.tui.app import run_served_app
        return run_served_app(options.file, Side.from_name(seat))
    if is_mail_path(options.file):
        return _open_mail(options.file, not options.no_backup)
    if not is_terminal():
        from brt_cg.cli.status import status  # imported here: the screen does not need it

        looked = {"json": False, "side": None, "accept": False, "no_backup": options.no_backup}
        return status(argparse.Namespace(file=options.file, **looked))
    return _run(options.file, backs_up=not options.no_backup)


def _open_mail(path: Path, backs_up: bool) -> int:
    """Open the campaign of a mail, to receive the mail there; without a terminal, name the
    campaign."""
    from brt_cg.service.mail_file import read_mail_and_find_campaign, unused_campaign_path
    from brt_cg.tui.memory.recent import load_memory, recent_files

    mail, home = read_mail_and_find_campaign(path, recent_files(load_memory().recent))
    if is_terminal():
        return _run(home, backs_up=backs_up, mail=path)
    if home is None and mail.after[0]:
        raise RefusedError(
            f"{path}: this machine does not know its campaign; run brt-cg receive FILE "
            f"{shell_quote(path)}"
        )
    file = shell_quote(home or unused_campaign_path(path))
    print_error(
        f"{path} is a mail for {file}; to add it, run brt-cg receive {file} {shell_quote(path)}"
    )
    return DONE


def serve(options: argparse.Namespace) -> int:
    if options.friends and options.no_friends:
        raise RefusedError("--friends and --no-friends contradict each other: give one of them")
    if options.unit:
        print_output(_unit(options).rstrip())
        return DONE
    try:
        from brt_cg.web.server import ServeOptions, run_server
    except ModuleNotFoundError as missing:
        raise RefusedError(
            f'serve needs the "web" extra ({missing.name} is not installed); run '
            f"{install_command('web')}"
        ) from None
    at_once = partial(print, flush=True)  # flushed for a pipe too: this command runs all evening
    asked = ServeOptions(
        options.bind,
        options.port,
        options.public_url,
        options.new_addresses,
        options.notify,
        options.notify_marine,
        options.notify_japanese,
        options.umpire,
        options.friends if options.friends or options.no_friends else None,
    )
    run_server(options.file, asked, at_once, print_error)
    return DONE


USUAL_PORT = 8000  # for a unit; a server started by hand uses any free port


def _unit(options: argparse.Namespace) -> str:
    """Build a systemd unit that serves a folder with these options. Raises RefusedError."""
    if isinstance(options.file, Address) or not options.file.is_dir():
        raise RefusedError(f"{options.file} is not a folder; --unit needs a folder of campaigns")
    folder, port = options.file.resolve(), options.port or USUAL_PORT
    words = [sys.executable, "-m", "brt_cg", "serve", folder, "--bind", options.bind]
    words += ["--port", port]
    given = {name: getattr(options, name) for name in ("umpire", "friends", "no_friends")}
    words += [f"--{name.replace('_', '-')}" for name, is_given in given.items() if is_given]
    words += ["--public-url", options.public_url] if options.public_url is not None else []
    for name in ("notify", "notify_marine", "notify_japanese"):
        if (command := getattr(options, name)) is not None:
            option = f"--{name.replace('_', '-')}"
            words += [option, _from_any_folder(command, option)]
    text = (Path(web.__file__).parent / "brt-cg.service").read_text(encoding="utf-8")
    return Template(text).substitute(
        folder=shell_quote(folder),
        python=shell_quote(sys.executable),
        port=port,
        started=" ".join(map(_for_systemd, words)),
        written=_for_systemd(folder),
    )


def _from_any_folder(command: str, option: str) -> str:
    """Return a command whose program can be found from any folder, because systemd starts it.
    Raises RefusedError."""
    from brt_cg.web.notifier import split_command

    first, *rest = split_command(command, option)
    if "/" not in first:
        return command
    return " ".join(map(shell_quote, (str(Path(first).resolve()), *rest)))


def _for_systemd(word: object) -> str:
    """Escape a word for systemd, in which % and $ are special."""
    text = re.sub(r'[\\"]', r"\\\g<0>", re.sub("[%$]", r"\g<0>\g<0>", str(word)))
    return text if re.fullmatch("[a-zA-Z0-9_./:-]+", text) else f'"{text}"'


def demo(options: argparse.Namespace) -> int:
    from brt_cg.service.demo import (  # imported here: `open` need not wait for it
        create_demo,
        play_demo,
        prepare_demo_folder,
    )

    where = options.out if isinstance(options.out, Address) else None
    folder = prepare_demo_folder(options.out if where is None else None)
    if options.headless or not is_terminal():
        dice = SeededDice(options.seed) if options.seed is not None else AppDice()
        for line in play_demo(folder, dice, where):
            print_output(line)
        return DONE
    path = create_demo(where or folder)
    print_error(f"The demo campaign has been saved as {path}")
    return _run(path, tour=True)
