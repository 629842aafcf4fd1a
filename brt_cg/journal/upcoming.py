"""The questions of one kind that are still to come in the paragraph in progress.

They are found by playing the rest of the paragraph on copies of the campaign, with defaults and
with middling, low and high dice; so nothing is decided, and no die is known before it is rolled.
"""

from collections import Counter as Tally
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from brt_cg.immutable import immutable
from brt_cg.journal.journal import Journal
from brt_cg.questions import Question, Raw, RefusedError, faces_as_json
from brt_cg.refit.run import ParagraphRun

FIRST_FACES = (3, 1, 6)  # the first face of each trial's dice


@immutable
class UpcomingQuestions:
    """The open question first, then those of its kind that come after it. `doubtful` are the
    subjects of questions to which only some dice lead."""

    asks: tuple[Question[Any], ...]
    doubtful: frozenset[str] = frozenset()


def find_upcoming_similar_questions(journal: Journal) -> UpcomingQuestions:
    """Return the open question, and the later ones of its kind in this paragraph."""
    ask = journal.open_question()
    if ask is None or ask.dice or ask.as_multi_question or ask.buying:
        return UpcomingQuestions((ask,) if ask is not None else ())
    trials: list[set[str]] = []
    found: dict[str, Question[Any]] = {}
    for face in FIRST_FACES:
        rolled = Tally[str]()
        trial = {
            later.subject: later
            for later in _later(journal.play_paragraph_on_copy(), ask, face, rolled)
        }
        new = (later for subject, later in trial.items() if subject not in found)
        found |= {later.subject: _as_asked(journal, ask, later, face) for later in new}
        trials.append({*trial})
        if not rolled:  # nothing was rolled, so other dice change nothing
            break
    certain = set.intersection(*trials)
    return UpcomingQuestions((ask, *found.values()), frozenset(found.keys() - certain))


def _as_asked(
    journal: Journal, first: Question[Any], later: Question[Any], face: int
) -> Question[Any]:
    """Return a later question as asked on a copy of the campaign that has stopped there. Only a
    free entry needs this, because reading it depends on the campaign."""
    if later.form is None:
        return later
    asked = _later(journal.play_paragraph_on_copy(), first, face, Tally())
    return next(ask for ask in asked if ask.subject == later.subject)


def _later(
    run: ParagraphRun, first: Question[Any], face: int, rolled: Tally[str]
) -> Iterator[Question[Any]]:
    """Yield the later questions of the same kind as the open one, in order; `rolled` counts the
    rolls on the way, by subject."""
    with suppress(RefusedError):  # an illegal default: the rest is unknown
        while run.ask is not None:
            alike = run.ask.group_key == first.group_key and run.ask.secret in (None, first.side)
            if alike and run.ask.subject != first.subject:
                yield run.ask
            run.send(run.ask.read(_answer(run.ask, face, rolled)))


def _answer(ask: Question[Any], face: int, rolled: Tally[str]) -> Raw:
    """Return the default, or dice; a repeated roll for the same subject gets different faces, so
    that every series of rolls ends."""
    if ask.dice is None:
        return ask.default
    turned = (face - 1 + rolled[ask.subject]) % 6 + 1
    rolled[ask.subject] += 1
    return faces_as_json((turned,) * ask.dice.dice_count)
