"""What a campaign on a server costs: an answer beside a bare insert on the same server, opening,
and a club of a hundred campaigns at once."""

import time
from collections.abc import Iterator
from pathlib import Path
from threading import Event
from time import perf_counter

import psycopg

from brt_cg.questions.dice import SeededDice
from brt_cg.service.answer_supply import AnswerSupply
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.service.unrestricted import unrestricted_campaign
from brt_cg.storage import store
from brt_cg.storage.place import Address
from brt_cg.storage.postgres import Listener, close_idle
from brt_cg.storage.reader import newest_entry
from tests.benchmarks import campaigns
from tests.benchmarks.figures import Clock, Figure, Size, best, middle
from tests.postgres import Server

PAUSE = 1.0  # seconds between two answers, whoever gives them


def on_a_server(size: Size, folder: Path) -> Iterator[Figure]:
    """All of it, on a server that waits for its disk."""
    server = Server(durable=True)
    try:
        yield _answer(size, server, folder)
        yield _opening(size, server, folder)
        yield from _club(size, server, folder)
    finally:
        server.remove()


def _answer(size: Size, server: Server, folder: Path) -> Figure:
    address = server.new_address()
    store.copy_campaign(
        campaigns.at_scenario_end(folder / "a.brt", campaigns.demo_state()), address
    )
    bare = server.connect("umpire")
    bare.execute("CREATE TABLE bare (seq integer PRIMARY KEY, payload text NOT NULL)")
    bare.autocommit = False
    desk, supply = OpenCampaign.open(address), AnswerSupply(dice=SeededDice(7), defaults=True)
    answers: list[float] = []
    inserts: list[float] = []
    while (ask := desk.play_to_question()) is not None and len(answers) < size.count(30, 200):
        raw, source = desk.get_answer_from_supply(ask, supply)
        start = perf_counter()
        entry = desk.answer(raw, ask.side, source)
        answers.append(perf_counter() - start)
        inserts.append(_inserted(bare, "bare", entry.seq, entry.text))
    desk.close()
    bare.close()
    whole, least = middle(answers[1:]) * 1000, middle(inserts[1:]) * 1000
    told = f"{whole:.2f} ms, bare insert and commit there {least:.2f} ms"
    what = "server: an answer beyond a bare commit, median"
    return Figure(what, whole - least, "ms", 2.0, told, clock=Clock.WALL)


def _inserted(bare: "psycopg.Connection", table: str, seq: int, text: str) -> float:
    start = perf_counter()
    bare.execute(f"INSERT INTO {table} VALUES (%s, %s)", (seq, text))
    bare.commit()
    return perf_counter() - start


def _opening(size: Size, server: Server, folder: Path) -> Figure:
    entries = size.count(1000, 5000)
    address = server.new_address()
    store.copy_campaign(campaigns.long_campaign(folder / "long.brt", entries), address)

    waited: list[float] = []

    def opened() -> None:
        start = perf_counter()
        OpenCampaign.open(address).close()
        waited.append(perf_counter() - start)

    took, goal = best(opened, 3), size.goal(0.5)
    told = f"{took.told()}; by the clock {min(waited):.2f} s, the server's own work too"
    return Figure(f"server: {entries:,} entries opened", took.median, "s", goal, told)


# --- a club -----------------------------------------------------------------------------------


class Screen:
    """What a connected screen does with the news of an entry: it looks for the newest."""

    def __init__(self, address: Address) -> None:
        self.address = address
        self.tip = 0
        self.heard = Event()
        self._listening = Listener(address, self._told)

    def _told(self, lost: str | None) -> None:
        if lost is None:
            self.tip = newest_entry(self.address)[0]
            self.heard.set()

    def close(self) -> None:
        self._listening.close()


def _club(size: Size, server: Server, folder: Path) -> Iterator[Figure]:
    count = size.count(10, 100)
    source = campaigns.at_scenario_end(folder / "club.brt", campaigns.demo_state())
    addresses = [server.new_address() for _ in range(count)]
    for address in addresses:
        store.copy_campaign(source, address)
    screens = {address: [Screen(address), Screen(address)] for address in addresses}
    desks = {address: OpenCampaign.open(address) for address in addresses}
    stored: list[float] = []
    heard: list[float] = []
    for number in range(size.count(10, 60)):
        address = addresses[number * 7 % count]
        desk, waiting = desks[address], screens[address]
        for screen in waiting:
            screen.heard.wait(10)
            screen.heard.clear()
        began = perf_counter()
        desk.run_command("note", {"words": f"{number}", "side": None, "about": None})
        stored.append(perf_counter() - began)
        assert all(screen.heard.wait(10) for screen in waiting)
        heard.append(perf_counter() - began)
        time.sleep(max(0.0, PAUSE - heard[-1]))
    lost = sum(
        len(unrestricted_campaign(desk).entries) != newest_entry(address)[0]
        for address, desk in desks.items()
    )
    assert lost == 0, "an answer is lost"
    for address in addresses:
        desks[address].close()
        for screen in screens[address]:
            screen.close()
        close_idle(address)
    bare = server.connect("umpire")
    bare.execute("CREATE TABLE beside (seq integer PRIMARY KEY, payload text NOT NULL)")
    bare.autocommit = False
    least = _late([_inserted(bare, "beside", number, "x" * 500) for number in range(len(stored))])
    bare.close()
    told = f"{count} campaigns, {2 * count} screens; bare insert and commit there {least:.0f} ms"
    for what, times, goal in (
        ("an answer in a club", stored, 100),
        ("heard on both screens", heard, 200),
    ):
        name = f"server: {what}, 95th percentile"
        yield Figure(name, _late(times), "ms", size.goal(goal), told, clock=Clock.WALL)


def _late(seconds: list[float]) -> float:
    """The 95th percentile, in milliseconds."""
    return sorted(seconds)[int(len(seconds) * 0.95)] * 1000
