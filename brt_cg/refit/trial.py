"""Steps run without questions, and answers tried before they count."""

from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any, TypeVar

from brt_cg.card import counter_problems, counters_referring_to
from brt_cg.model import Campaign, Recorder, Situation
from brt_cg.questions import Question, Raw, faces_as_json, raise_problems, run_with_answers
from brt_cg.refit.play import Play

T = TypeVar("T")
Work = Coroutine[Any, Any, None]


@contextmanager
def changes_rolled_back(campaign: Campaign) -> Iterator[Recorder]:
    """Roll back, on exit, every change of a campaign made in the `with` block. Yield the recorder
    of the changes."""
    kept, meanwhile = campaign.tables[Situation.TABLE].recorder, Recorder()
    campaign.set_recorder(meanwhile)
    try:
        yield meanwhile
    finally:
        meanwhile.roll_back(campaign.tables)
        campaign.set_recorder(kept)


def run_with_defaults(work: Callable[[], Work]) -> None:
    """Run steps without asking: choices and entries take their defaults, and a die shows a one."""
    run_with_answers(work(), _answer)


def _answer(ask: Question[Any]) -> Raw:
    return faces_as_json((1,) * ask.dice.dice_count) if ask.dice else ask.default


def read_after_trial(play: Play, read: Callable[[Play], T], put: Callable[[Play, T], Work]) -> T:
    """Read an answer with `read`, and try it with `put`, whose changes are then rolled back. Raises
    RefusedError if either does, and for impossible results (those that a state file may not
    contain)."""
    trial = Play(play.rule, play.campaign, play.card)
    with changes_rolled_back(play.campaign) as noted:
        run_with_defaults(partial(put, trial, read(trial)))
        touched = {id for _, id in noted.touched_ids()}
        now = list(_impossible(play, touched))
    if now:
        before = set(_impossible(play, touched))
        raise_problems(line for line in now if line not in before)
    return read(play)


def _impossible(play: Play, touched: set[str]) -> Iterator[str]:
    """Yield the contradictions of counters that were changed, or that are linked to a changed
    one."""
    campaign = play.campaign
    about = {
        counter.id: counter for id in touched for counter in counters_referring_to(campaign, id)
    }
    about |= {counter.id: counter for counter in map(campaign.find, touched) if counter is not None}
    for id in sorted(about):
        yield from counter_problems(about[id], campaign, play.card)
