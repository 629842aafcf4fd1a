"""Runs steps without asking, and tries answers before they count."""

from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any, TypeVar

from brt_cg.card.consistency import impossible_about, naming
from brt_cg.model.campaign import Campaign
from brt_cg.model.records import Situation
from brt_cg.model.table import Recorder
from brt_cg.questions.answers import Raw, refuse
from brt_cg.questions.asks import Ask, drive
from brt_cg.questions.dice import raw_faces
from brt_cg.refit.play import Play

T = TypeVar("T")
Work = Coroutine[Any, Any, None]


@contextmanager
def tentatively(campaign: Campaign) -> Iterator[Recorder]:
    """Undoes every change of a campaign made in the `with` block at its end. Yields the recorder
    that notes them."""
    kept, meanwhile = campaign.tables[Situation.TABLE].recorder, Recorder()
    campaign.record(meanwhile)
    try:
        yield meanwhile
    finally:
        meanwhile.roll_back(campaign.tables)
        campaign.record(kept)


def by_default(work: Callable[[], Work]) -> None:
    """Runs steps without asking: choices and entries take their defaults, and a die shows a one."""
    drive(work(), _answer)


def _answer(ask: Ask[Any]) -> Raw:
    return raw_faces((1,) * ask.dice.how_many) if ask.dice else ask.default


def tried(play: Play, read: Callable[[Play], T], put: Callable[[Play, T], Work]) -> T:
    """Reads an answer with `read` after trying it: `put` carries it out, and everything is then
    undone. Raises Refused as both do, and with everything that would become impossible (what no
    state file may contain)."""
    trial = Play(play.rule, play.campaign, play.card)
    with tentatively(play.campaign) as noted:
        by_default(partial(put, trial, read(trial)))
        touched = {id for _, id in noted.touched()}
        now = list(_impossible(play, touched))
    if now:
        before = set(_impossible(play, touched))
        refuse(line for line in now if line not in before)
    return read(play)


def _impossible(play: Play, touched: set[str]) -> Iterator[str]:
    """The contradictions of counters that were changed, or that are linked to one."""
    campaign = play.campaign
    about = {counter.id: counter for id in touched for counter in naming(campaign, id)}
    about |= {counter.id: counter for counter in map(campaign.find, touched) if counter is not None}
    for id in sorted(about):
        yield from impossible_about(about[id], campaign, play.card)
