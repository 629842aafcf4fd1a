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
from dataclasses import replace
from typing import Any

from brt_cg.card import load_card
from brt_cg.forecast.start import Start, start_from
from brt_cg.journal.early_answers import ROLL, EarlyAnswers, Key, exactly, given_ahead
from brt_cg.model.counters import Side
from brt_cg.model.value import value
from brt_cg.questions.answers import Problem, Raw, Refused, refuse
from brt_cg.questions.asks import Ask
from brt_cg.questions.dice import Dice, Faces, RollKey, SeededDice, read_faces
from brt_cg.refit.play import Play
from brt_cg.refit.play_out import play_out
from brt_cg.service.desk import Desk
from brt_cg.service.whole import whole
from brt_cg.views.journal_rows import title_of
from brt_cg.views.public_point import public_book

TRIALS = 3
SEED = "ahead"


@value
class AskAhead:
    """A question still to come: its key, and whether all trials came to it."""

    ask: Ask[Any]
    key: Key
    is_sure: bool


class AheadSheet(EarlyAnswers):
    """What a side answers ahead: at first what it did before. `asks` are the questions that it can
    answer so, by rule, beginning with the open one if it is its own. Raises Refused if no Refit
    Phase is due or in progress."""

    def __init__(self, desk: Desk, side: Side) -> None:
        super().__init__(exactly)
        journal = whole(desk)
        start = start_from(public_book(journal, side), side, SEED)
        before = given_ahead(journal, side)
        found: dict[Key, Ask[Any]] = {}
        often: Tally[Key] = Tally()
        for number in range(TRIALS):
            trial = _Trial(start, side, before.raws, f"{SEED} {number}")
            trial.play()
            often.update(trial.asks.keys())
            found = trial.asks | found
        by_rule = sorted(found.items(), key=lambda each: each[1].rule)
        self.side = side
        self.asks = [AskAhead(ask, key, often[key] == TRIALS) for key, ask in by_rule]
        self.given = {key: before.given[key] for key, _ in by_rule if key in before.given}
        self._before = self.raws

    @property
    def is_changed(self) -> bool:
        """Whether it answers otherwise than before."""
        return self.raws != self._before

    def raw(self, each: AskAhead) -> Raw:
        """The answer to a question, or its default."""
        early = self.at(each.key)
        return early[0] if early is not None else each.ask.default

    def words(self, each: AskAhead) -> str:
        """The same in the players' words."""
        return each.ask.worded(self.raw(each))

    def fill(self, purchases: bool = True) -> None:
        """Answers whatever is left by default, with or without the end of its `purchases`; but
        agrees on no ruling, for which no default stands."""
        for each in self.asks:
            stays = each.ask.subject.startswith("R-") or (each.ask.buying and not purchases)
            if not stays and each.key not in self.given:
                self.give(each.key, each.ask.default)

    def enter(self, desk: Desk) -> str:
        """Enters the answers given."""
        given = {each.key: self.raw(each) for each in self.asks if each.key in self.given}
        return answer(desk, self.side, given)


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
        for (rule, subject, kind, _, mark), raw in answers.items()
    ]
    journal = whole(desk)
    today = journal.campaign.situation.date
    with journal.together():
        entry = desk.command("ahead", {"side": side.value, "date": today, "answers": rows}, side)
        if journal.open_ask() is not None:
            desk.go()
    return f"{title_of(entry)} · {entry.said[0].text}"


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
        self._standing = start.answers()

    def play(self) -> None:
        """Plays to the end of the phase, or to a question whose default is not allowed."""
        with suppress(Refused):
            play_out(self.campaign, self.card, self, self._choose, Play)

    def roll(self, dice: Dice, key: RollKey) -> Faces:
        """The dice of a roll: those rolled already, or the program's own."""
        standing = self._standing.at(Key(key.rule, key.subject, ROLL), key.position)
        return read_faces(dice, standing[0]) if standing else self._dice.roll(dice, key)

    def _choose(self, ask: Ask[Any]) -> Raw:
        ask = ask if ask.rule else replace(ask, rule=self.campaign.situation.paragraph or "")
        standing = self._standing.take_allowed(ask)
        if standing is not None:
            return standing[0]
        key = exactly(ask) if ask.side is self.side else None
        if key is not None and key not in self.asks:
            self.asks[key] = ask
            try:
                if key in self.ahead:
                    ask.read(self.ahead[key])
                    return self.ahead[key]
            except Refused as refused:
                self.problems.append(Problem(f"{ask.rule} {ask.subject}", str(refused)))
        return ask.default
