"""What the rules cost: no file, no screen."""

from collections.abc import Iterator
from pathlib import Path

from brt_cg.asks import Roll, default_of
from brt_cg.campaign import Campaign
from brt_cg.card import Card
from brt_cg.desk import Desk
from brt_cg.dice import DiceSource, RollKey, SeededDice, raw_faces
from brt_cg.journal.book import Book
from brt_cg.journal.recording import as_recorded
from brt_cg.records import Phase
from brt_cg.refit.run import Run, mark_begun, mark_ended
from brt_cg.refit.sequence import following
from tests.benchmarks import campaigns
from tests.benchmarks.figures import Figure, Size, best, computing


def phase_in_memory(size: Size, folder: Path) -> Iterator[Figure]:
    """A Refit Phase of 300 counters, every change recorded and every entry hashed."""
    path = campaigns.at_scenario_end(folder / "300.brt", campaigns.state_of(300))
    entries = Desk.open(path).entries

    def once() -> float:
        book = Book(lambda: campaigns.NOON)
        book.load(entries)
        desk = Desk(path, book)
        campaigns.unwritten(desk)
        return computing(lambda: made.append(campaigns.played_on(desk)))

    made: list[int] = []
    times = [once() for _ in range(size.count(2, 9))]
    label = f"Refit Phase of 300 counters in memory ({made[-1]} entries)"
    yield Figure(label, min(times) * 1000, "ms", 30)


def phases_unrecorded(size: Size, folder: Path) -> Iterator[Figure]:
    """Refit Phases of the demo on copies that nothing is recorded of, as a forecast plays them."""
    desk = Desk.open(campaigns.at_scenario_end(folder / "forecast.brt", campaigns.demo_state()))
    runs = size.count(5, 100)

    def play_all() -> None:
        for seed in range(runs):
            play_out(desk.campaign.clone(), desk.card, SeededDice(seed))

    found = best(play_all, rounds=3)
    yield Figure("Refit Phases a second, unrecorded, demo", runs / found, "/s", 300, at_least=True)


def play_out(campaign: Campaign, card: Card, dice: DiceSource) -> None:
    """Plays a Refit Phase to its end with dice and defaults."""
    situation = campaign.situation
    while situation.phase not in (Phase.SCENARIO, Phase.OVER) or situation.paragraph:
        paragraph = following(situation)
        if paragraph is None:
            return
        mark_begun(campaign, paragraph)
        run = Run(paragraph, campaign, card, 1)
        run.start()
        while run.ask is not None:
            if isinstance(run.ask, Roll):
                key = RollKey(situation.date, run.ask.rule, run.ask.subject, 0)
                raw = raw_faces(dice.roll(run.ask.table.dice, key))
            else:
                raw = as_recorded(default_of(run.ask))
            run.send(run.ask.read(raw), 1)
        mark_ended(campaign, paragraph)
