"""What a campaign file costs: writing, opening, buying, auditing."""

import json
import sqlite3
import subprocess
import sys
from collections.abc import Iterable, Iterator
from importlib.util import find_spec
from pathlib import Path
from time import perf_counter, process_time

from brt_cg.audit import audit_campaign
from brt_cg.model.counters import Side
from brt_cg.questions.dice import SeededDice
from brt_cg.service.answer_supply import AnswerSupply
from brt_cg.service.open_campaign import OpenCampaign
from tests.benchmarks import campaigns
from tests.benchmarks.figures import (
    Clock,
    Figure,
    Size,
    Times,
    best,
    brt,
    environment,
    in_turn,
    middle,
    process,
    processes,
)
from tests.benchmarks.whole import whole_campaign

# --- an answer ------------------------------------------------------------------------------------


def answer_stored(size: Size, folder: Path) -> Iterator[Figure]:
    """Each answer of a Refit Phase, beside a bare insert and commit of as many bytes."""
    path = campaigns.at_scenario_end(folder / "answers.brt", campaigns.demo_state())
    bare = _bare(folder / "bare.db")
    desk, supply = OpenCampaign.open(path), AnswerSupply(dice=SeededDice(7), defaults=True)
    answers: list[float] = []
    inserts: list[float] = []
    waited: list[float] = []
    while (ask := desk.play_to_question()) is not None and len(answers) < size.count(30, 200):
        raw, source = desk.get_answer_from_supply(ask, supply)
        start, began = process_time(), perf_counter()
        entry = desk.answer(raw, ask.side, source)
        answers.append(process_time() - start)
        waited.append(perf_counter() - began)
        start = process_time()
        bare.execute("BEGIN IMMEDIATE")
        bare.execute("INSERT INTO journal VALUES (?, ?)", (entry.seq, entry.text))
        bare.execute("COMMIT")
        inserts.append(process_time() - start)
    desk.close()
    bare.close()
    whole, least = middle(answers[1:]) * 1000, middle(inserts[1:]) * 1000
    told = f"median {whole:.2f} ms, bare sqlite3 insert and commit {least:.2f} ms"
    yield Figure("an answer stored, beyond a bare commit", whole - least, "ms", 1.0, told)
    until = middle(waited[1:]) * 1000
    what = "  until it is on the disk, median"
    yield Figure(what, until, "ms", None, clock=Clock.WALL)


def _bare(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, isolation_level=None)
    for pragma in ("foreign_keys = ON", "synchronous = EXTRA", "journal_mode = DELETE"):
        connection.execute(f"PRAGMA {pragma}")
    connection.execute("CREATE TABLE journal (seq INTEGER PRIMARY KEY, payload TEXT NOT NULL)")
    return connection


# --- purchases ------------------------------------------------------------------------------------


def buying(size: Size, folder: Path) -> Iterator[Figure]:
    """Buying and voiding, each stored; what the processor does, for a slow disk would cover it. No
    campaign has points for as many. Then the audit of them, beside
    bean-check on a ledger of the same transactions."""
    for orders in (size.count(100, 1000), size.count(200, 10_000)):
        path = folder / f"bought-{orders}.brt"
        times = _bought(path, orders)
        tenth = max(1, len(times) // 10)
        first, last = middle(times[:tenth]) * 1000, middle(times[-tenth:]) * 1000
        each = sum(times) / len(times) * 1000
        told = f"first tenth {first:.2f} ms, last tenth {last:.2f} ms"
        yield Figure(
            f"buying and voiding {orders:,}, each stored", each, "ms", size.goal(3.0), told
        )
        yield from _audited(path, orders, folder, size)


BEACHES = ("green", "red_one", "red_two", "red_three", "black_one", "black_two", "island")
POINTS = {"japanese": {beach: {"fpp": 9999} for beach in BEACHES}}


def _orders(count: int) -> Iterator[tuple[str, int | None]]:
    """Of three, two are foxholes bought and one is voided again, so that the points last: the
    beach of each, and of a void the number of the order that it takes back."""
    standing: list[int] = []
    for number in range(count):
        if number % 3 == 2:
            voided = standing.pop(0)
            yield BEACHES[voided % len(BEACHES)], voided
        else:
            standing.append(number)
            yield BEACHES[number % len(BEACHES)], None


def _bought(path: Path, orders: int) -> list[float]:
    """Buys and voids, each in a moment of its own; how long each takes."""
    desk = OpenCampaign.create(path, {"cg": "III", "allotments": POINTS})
    times = []
    bought: dict[int, str] = {}
    for number, (beach, voided) in enumerate(_orders(orders)):
        order = {"item": "foxhole_1s", "side": "japanese", "beach": beach, "quantity": 1}
        start = process_time()
        if voided is not None:
            desk.run_command("void", {"purchase": bought[voided], "reason": "a slip"}, "japanese")
        else:
            entry = desk.run_command("buy", order, "japanese")
            bought[number] = next(key for table, key, *_ in entry.changes if table == "purchases")
        times.append(process_time() - start)
    desk.close()
    return times


def _audited(path: Path, orders: int, folder: Path, size: Size) -> Iterator[Figure]:
    """In turn with bean-check on a ledger that says the same, and on one that says only what moved
    from where to where."""
    assert audit_campaign(path).ok
    what = f"audit of {orders:,} purchases and voids, process"
    words, rounds = brt("audit", path), size.count(1, 3)
    if find_spec("beancount") is None:
        told = "bean-check is not installed: pip install '.[bench]'"
        yield Figure(what, processes(words, folder, rounds).median, "s", None, told)
        return
    whole = _bean_check(folder / f"{orders}.beancount", _ledger(orders))
    plain = _bean_check(folder / f"{orders}-plain.beancount", _plain_ledger(orders))
    ours, beans = in_turn(
        rounds,
        lambda: process(words, folder).computing,
        lambda: process(whole, folder).computing,
    )
    two_postings = processes(plain, folder, rounds)
    each = f"{ours.median / orders * 1e6:.0f} µs each; {ours.told(1, 's')}"
    told = f"{each}; bean-check {beans.told(1, 's')}"
    yield Figure(what, ours.median, "s", size.goal(beans.median), told)
    told = f"bean-check of two postings each {two_postings.told(1, 's')}"
    yield Figure("  beside a plain ledger", ours.median / two_postings.median, "×", None, told)


def _bean_check(ledger: Path, lines: Iterable[str]) -> list[str]:
    """The words that check a ledger, reading no cache."""
    ledger.write_text("\n".join(lines) + "\n")
    return [sys.executable, "-m", "beancount.scripts.check", "--no-cache", str(ledger)]


def _plain_ledger(orders: int) -> Iterator[str]:
    """Each purchase and void as two postings, from the pool to the stock or back."""
    for beach in BEACHES:
        yield f"1943-11-19 open Assets:{_account(beach)}:Points"
        yield f"1943-11-19 open Assets:{_account(beach)}:Bought"
    for beach, voided in _orders(orders):
        bought = 1 if voided is None else -1
        yield '1943-11-20 * "japanese" "1S Foxhole"'
        yield f"  Assets:{_account(beach)}:Bought  {bought} FPP"
        yield f"  Assets:{_account(beach)}:Points  {-bought} FPP"


def _ledger(orders: int) -> Iterator[str]:
    """The same purchases and voids as a ledger for bean-check: a pool and a stock for each beach,
    each foxhole at its cost and with the counter that it became, a void linked to its purchase; at
    the end what each pool and stock must hold.

    A foxhole is no lot of its own: that would be as true, and takes bean-check twice as long."""
    stock = dict.fromkeys(BEACHES, 0)
    for beach in BEACHES:
        yield f"1943-11-19 open Assets:{_account(beach)}:Points FPP"
        yield f"1943-11-19 open Assets:{_account(beach)}:Bought FOXHOLE"
        yield f"1943-11-19 open Equity:{_account(beach)} FPP"
        yield '1943-11-19 * "umpire" "allotted by the card"'
        yield f"  Assets:{_account(beach)}:Points  9999 FPP"
        yield f"  Equity:{_account(beach)}"
    for number, (beach, voided) in enumerate(_orders(orders), start=1):
        bought = 1 if voided is None else -1
        purchase = f"pj{number if voided is None else voided + 1}"
        done = f"{purchase}: 1 × 1S Foxhole, 1 FPP" if voided is None else f"{purchase} voided"
        yield f'1943-11-20 * "japanese" "{done}" ^{purchase}'
        yield '  at: "2026-01-01T12:00:00Z"'
        yield '  date: "20 AM"'
        yield f'  counter: "{purchase}-1"' if voided is None else '  reason: "a slip"'
        yield f"  Assets:{_account(beach)}:Bought  {bought} FOXHOLE {{1 FPP}}"
        yield f"  Assets:{_account(beach)}:Points  {-bought} FPP"
        stock[beach] += bought
    for beach, held in stock.items():
        yield f"1943-11-21 balance Assets:{_account(beach)}:Bought  {held} FOXHOLE"
        yield f"1943-11-21 balance Assets:{_account(beach)}:Points  {9999 - held} FPP"


def _account(beach: str) -> str:
    return beach.title().replace("_", "")


# --- a long campaign ------------------------------------------------------------------------------


def audit_of_a_campaign(size: Size, folder: Path) -> Iterator[Figure]:
    """The demo's counters from date to date to the end of the campaign: about 1,500 entries."""
    short = folder / "played.brt"
    path = campaigns.long_campaign(short, 300) if size.quick else whole_campaign(folder)
    found = audit_campaign(path)
    assert found.ok, found.text()
    for seat in (None, *Side):
        took = best(lambda: audit_campaign(path, side=seat), rounds=size.count(1, 3))  # noqa: B023
        what = f"audit of {found.entries:,} entries, {seat or 'umpire'}"
        yield Figure(what, took.median, "s", size.goal(0.8), took.told())


def opening(size: Size, folder: Path) -> Iterator[Figure]:
    """Opening a long campaign, in a process of its own: its processor time, and the most memory it
    used."""
    for entries, limit in ((size.count(500, 5000), 0.15), (size.count(1000, 100_000), 3.0)):
        path = campaigns.long_campaign(folder / f"long-{entries}.brt", entries)
        took, memory, length = _opened(path, folder)
        what = f"open a campaign of {length:,} entries"
        yield Figure(what, took.median, "s", size.goal(limit), took.told())
        most = size.goal(60)
        yield Figure("  the most memory it used", memory, "MB", most, clock=Clock.NONE)


OPEN = """
import json, sys
from time import process_time
from pathlib import Path
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.service.unrestricted import unrestricted_campaign
from tests.benchmarks.figures import most_memory
start = process_time()
desk = OpenCampaign.open(Path(sys.argv[1]))
took = process_time() - start
print(json.dumps([took, most_memory(), len(unrestricted_campaign(desk).entries)]))
"""


def _opened(path: Path, folder: Path) -> tuple[Times, float, int]:
    words = [sys.executable, "-c", OPEN, str(path)]
    runs = [
        json.loads(
            subprocess.run(
                words, check=True, capture_output=True, text=True, env=environment(folder)
            ).stdout
        )
        for _ in range(3)
    ]
    took, memory, length = zip(*runs, strict=True)
    return Times.of(took), min(memory), length[0]
