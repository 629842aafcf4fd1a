"""A campaign being served, for the tests."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from aiohttp import web

from brt_cg.questions.dice import SeededDice
from brt_cg.service.answer_supply import AnswerSupply
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.storage.place import Place
from brt_cg.web.addresses import ServerAddress, Tokens
from brt_cg.web.seats import SeatServer
from brt_cg.web.server import Club, ServeOptions
from tests.homes import homes

HERE = ServerAddress("127.0.0.1", 80)
REPOSITORY = Path(__file__).parents[2]


@contextmanager
def served(
    file: Place, *more: str, umpire: bool = True, campaigns: int = 1, home: Path | None = None
) -> Iterator[dict[str, str]]:
    """Serves a campaign, or so many of a club, perhaps with a home of its own; the address of each
    seat, in a club by "NAME seat"."""
    more = ("--umpire", *more) if umpire else more
    command = [sys.executable, "-m", "brt_cg", "serve", str(file), *more]
    plain = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    if home is not None:
        plain |= homes(home)
    with subprocess.Popen(
        command, cwd=REPOSITORY, env=plain, stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            assert process.stdout is not None
            count = (2 + umpire + ("--friends" in more)) * campaigns
            lines = [process.stdout.readline().rsplit(None, 1) for _ in range(count)]
            yield dict(lines)
        finally:
            process.terminate()


def with_doors(file: Place, tokens: Tokens) -> tuple[SeatServer, web.Application]:
    """A server of a campaign that is not listening yet."""
    club = Club(HERE, ServeOptions(), print, print)
    club.of[""] = server = SeatServer(file, tokens, HERE, club.lines)
    return server, club.app()


def at_its_first_question(place: Place) -> None:
    """Begins the Refit Phase of the demo: its first question is about three Melees."""
    desk = OpenCampaign.open(place)
    desk.play_to_question()
    desk.close()


def played_to(path: Place, step: str) -> None:
    """Plays a campaign by defaults up to a step."""
    desk, supply = OpenCampaign.open(path), AnswerSupply(dice=SeededDice("x"), defaults=True)
    ask = desk.continue_play()
    while ask is not None and ask.rule != step:
        ask = desk.answer_and_play(ask, *desk.get_answer_from_supply(ask, supply))
    desk.close()


def screens_of(campaign: Path) -> list[int]:
    return running(f"open {campaign}")


def running(words: str) -> list[int]:
    """The processes with these words in their command line."""
    listed = subprocess.run(
        ["ps", "-A", "-ww", "-o", "pid,args"], capture_output=True, text=True, check=True
    )
    lines = (line.split(None, 1) for line in listed.stdout.splitlines()[1:])
    return [int(pid) for pid, command in lines if command.endswith(words)]
