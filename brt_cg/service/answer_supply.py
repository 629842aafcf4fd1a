"""A driver's source of answers, for playing without a player at each question."""

from typing import Any

from brt_cg.immutable import immutable
from brt_cg.journal.early_answers import Early, EarlyAnswers
from brt_cg.questions import DEFAULT, DiceSource, Question, RollKey, Source, faces_as_json


class MissingAnswerError(Exception):
    """The error for a question that the supply has no answer to; the question stays open."""

    def __init__(self, ask: Question[Any]) -> None:
        self.ask = ask
        super().__init__(f"{ask.rule} {ask.subject}: {ask.prompt}; enter {ask.allowed_text}")


@immutable
class AnswerSupply:
    """A supply of answers: from a file, else dice for rolls and defaults for choices."""

    answers: EarlyAnswers | None = None
    dice: DiceSource | None = None
    defaults: bool = False

    def supply_answer(self, ask: Question[Any], date: str, position: int) -> Early:
        """Return the raw answer to a question that was answered `position` times before on a CG
        Date, and its source. Raises MissingAnswerError if there is none."""
        early = self.answers.find_and_use(ask, position) if self.answers is not None else None
        if early is not None:
            return early
        if ask.dice:
            if self.dice is not None:
                key = RollKey(date, ask.rule, ask.subject, position)
                faces = self.dice.roll(ask.dice, key)
                return faces_as_json(faces), Source("app", self.dice.seed)
        elif self.defaults or (self.answers is not None and ask.optional):
            return ask.default, DEFAULT
        raise MissingAnswerError(ask)
