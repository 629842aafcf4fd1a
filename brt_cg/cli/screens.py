"""The commands that open the screen, here or in a browser, and the demo."""

import argparse
import gc
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from brt_cg.cli.talk import (
    DONE,
    REFUSED,
    on_terminal,
    opened,
    say,
    show,
)
from brt_cg.files import is_mail
from brt_cg.model.counters import Side
from brt_cg.questions.answers import Refused
from brt_cg.questions.dice import AppDice, SeededDice
from brt_cg.storage.place import Address, Place
from brt_cg.text import in_shell, install_text
from brt_cg.web import served_seat


@contextmanager
def _loading() -> Iterator[None]:
    """Loads at once: in what is only just made Python would look for garbage time and again, and
    none of it is."""
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()


def _run(path: Place | None, backs_up: bool = True, mail: Path | None = None) -> int:
    """Runs the screen."""
    with _loading():
        from brt_cg.tui.app import run
    return run(path, backs_up, mail)


def home(options: argparse.Namespace) -> int:
    """Opens the screen's Home; without a terminal, prints how to begin."""
    if not on_terminal():
        say("brt-cg needs a terminal for its screen; see brt-cg --help for the commands")
        return REFUSED
    return _run(None)


def open_(options: argparse.Namespace) -> int:
    seat = served_seat()
    if seat is not None:
        with _loading():
            from brt_cg.tui.app import run_served
        return run_served(options.file, Side.called(seat))
    if is_mail(options.file):
        return _open_mail(options.file, not options.no_backup)
    if not on_terminal():
        from brt_cg.cli.looking import status  # which the screen has no use for

        looked = {"json": False, "side": None, "accept": False, "no_backup": options.no_backup}
        return status(argparse.Namespace(file=options.file, **looked))
    return _run(options.file, backs_up=not options.no_backup)


def _open_mail(path: Path, backs_up: bool) -> int:
    """Opens the campaign that a mail belongs to, to take the mail there; without a terminal, says
    which one that is."""
    from brt_cg.service.mail_file import home_of, new_home
    from brt_cg.tui.memory.recent import files_of, remembered

    mail, home = home_of(path, files_of(remembered().recent))
    if on_terminal():
        return _run(home, backs_up=backs_up, mail=path)
    if home is None and mail.after[0]:
        raise Refused(f"{path}: its campaign is not known here: brt-cg receive FILE {path}")
    file = in_shell(home or new_home(path))
    say(f"{path} is a mail of {file}; to take it: brt-cg receive {file} {in_shell(path)}")
    return DONE


def serve(options: argparse.Namespace) -> int:
    desk = opened(options)
    campaign = desk.begun
    desk.close()
    try:
        from brt_cg.web.server import Serving, run
    except ModuleNotFoundError as missing:
        raise Refused(
            f"serve needs the extra web ({missing.name} is not installed): {install_text('web')}"
        ) from None
    at_once = partial(print, flush=True)  # flushed for a pipe too: this command runs all evening
    asked = Serving(
        options.bind,
        options.port,
        options.public_url,
        options.new_addresses,
        options.seat,
        options.notify,
        options.umpire,
    )
    run(options.file, campaign, asked, at_once, say)
    return DONE


def demo(options: argparse.Namespace) -> int:
    from brt_cg.service.demo import folder_for, lay_out, play  # which `open` does not wait for

    where = options.out if isinstance(options.out, Address) else None
    folder = folder_for(options.out if where is None else None)
    if options.headless or not on_terminal():
        dice = SeededDice(options.seed) if options.seed is not None else AppDice()
        for line in play(folder, dice, where):
            show(line)
        return DONE
    path = lay_out(where or folder)
    say(f"the demo campaign is {path}")
    return _run(path)
