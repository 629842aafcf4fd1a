"""What a side can answer before it is asked: its questions in the rest of the Refit Phase, as far
as what it knows leads to them.

They are found by playing the phase on in memory, from the campaign as that side sees it, with what
it has answered ahead already, or else defaults, and with the program's own dice, several times. So
no secret of the other side's is in them, no real die is known before it is rolled, and a question
that is put otherwise in the end is asked.
"""

from collections import Counter as Tally
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from brt_cg.card import load_card
from brt_cg.forecast.start import Start, start_from
from brt_cg.journal.answers_ahead import Key, answered_ahead, key_of
from brt_cg.model.counters import Side
from brt_cg.questions.answers import Problem, Raw, Refused, in_words, refuse
from brt_cg.questions.asks import Ask, Choose, Enter, Several, default_of
from brt_cg.questions.dice import Dice, Faces, RollKey, SeededDice, read_faces
from brt_cg.refit.play import Play
from brt_cg.refit.play_out import play_out
from brt_cg.service.desk import Desk
from brt_cg.service.whole import whole
from brt_cg.views.public_point import public_book
from brt_cg.views.rows import title_of

TRIALS = 3
SEED = "ahead"


@dataclass(frozen=True, slots=True)
class AskAhead:
    """A question still to come: its key, whether all trials came to it, and the answer that was
    given to it ahead, if `given`."""

    ask: Ask[Any]
    key: Key
    is_sure: bool
    given: bool = False
    raw: Raw = None

    @property
    def usual(self) -> Raw:
        """Its default."""
        return default_of(self.ask)

    @property
    def is_a_ruling(self) -> bool:
        """Whether it is a ruling, which both sides should agree on: no default stands for that."""
        return self.ask.subject.startswith("R-")


def asks_ahead(desk: Desk, side: Side) -> list[AskAhead]:
    """The questions that a side can answer ahead, by rule, beginning with the open one if it is
    its own. Raises Refused if no Refit Phase is due or in progress."""
    journal = whole(desk)
    start = start_from(public_book(journal, side), side, SEED)
    given = answered_ahead(journal, side)
    found: dict[Key, Ask[Any]] = {}
    often: Tally[Key] = Tally()
    for number in range(TRIALS):
        trial = _Trial(start, side, given, f"{SEED} {number}")
        trial.play()
        often.update(trial.asks.keys())
        found |= {key: ask for key, ask in trial.asks.items() if key not in found}
    return [
        AskAhead(ask, key, often[key] == TRIALS, key in given, given.get(key))
        for key, ask in sorted(found.items(), key=lambda each: each[1].rule)
    ]


def answer(desk: Desk, side: Side, answers: Mapping[Key, Raw]) -> str:
    """Enters answers that a side gives ahead, instead of any given before; an open question that is
    among them is answered at once. Returns what was entered in words. Raises Refused, with all that
    would not be allowed."""
    if answers:
        start = start_from(public_book(whole(desk), side), side, SEED)
        trial = _Trial(start, side, answers, f"{SEED} 0")
        trial.play()
        refuse(trial.problems)
    rows = [
        {"rule": rule, "subject": subject, "kind": kind, "mark": mark, "answer": raw}
        for (rule, subject, kind, mark), raw in answers.items()
    ]
    journal = whole(desk)
    today = journal.campaign.situation.date
    with journal.together():
        entry = desk.command("ahead", {"side": side.value, "date": today, "answers": rows}, side)
        if journal.open_ask() is not None:
            desk.go()
    return f"{title_of(entry)} · {entry.said[0].text}"


def worded(ask: Ask[Any], raw: Raw) -> str:
    """An answer to a question in the players' words."""
    if isinstance(ask, Choose):
        return next((each.words for each in ask.candidates if each.raw == raw), in_words(raw))
    if isinstance(ask, Enter):
        return ask.form.worded(raw)
    if isinstance(ask, Several) and not raw:
        return ask.none_text
    return in_words(raw)


class _Trial:
    """One way in which the rest of the phase may go; its dice are the program's own. `asks` are the
    side's questions in it, `problems` the answers given ahead that it does not allow."""

    seed = None  # nothing that they roll is entered

    def __init__(self, start: Start, side: Side, ahead: Mapping[Key, Raw], seed: str) -> None:
        self.side, self.ahead = side, ahead
        self.campaign, self.card = start.campaign(), load_card(start.cg)
        self.asks: dict[Key, Ask[Any]] = {}
        self.problems: list[Problem] = []
        self._dice = SeededDice(seed)
        self._given: dict[tuple[str, str, str], list[Raw]] = {}
        for rule, subject, kind, raw in start.given:
            self._given.setdefault((rule, subject, kind), []).append(raw)

    def play(self) -> None:
        """Plays to the end of the phase, or to a question whose default is not allowed."""
        with suppress(Refused):
            play_out(self.campaign, self.card, self, self._choose, Play)

    def roll(self, dice: Dice, key: RollKey) -> Faces:
        """The dice of a roll: those rolled already, or the program's own."""
        standing = self._given.get((key.rule, key.subject, "roll"))
        return read_faces(dice, standing.pop(0)) if standing else self._dice.roll(dice, key)

    def _choose(self, ask: Ask[Any]) -> Raw:
        ask = ask if ask.rule else replace(ask, rule=self.campaign.situation.paragraph or "")
        standing = self._given.get((ask.rule, ask.subject, ask.kind))
        if standing and _problem(ask, standing[0]) is None:
            return standing.pop(0)
        if ask.side is not self.side:
            return default_of(ask)
        key = key_of(ask)
        if key not in self.asks:
            self.asks[key] = ask
            if key in self.ahead:
                problem = _problem(ask, self.ahead[key])
                if problem is None:
                    return self.ahead[key]
                self.problems.append(problem)
        return default_of(ask)


def _problem(ask: Ask[Any], raw: Raw) -> Problem | None:
    """Why a question does not allow an answer."""
    try:
        ask.read(raw)
    except Refused as refused:
        return Problem(f"{ask.rule} {ask.subject}", str(refused))
    return None
