"""A driver's source of answers, for playing on without a player at each question."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from brt_cg.questions.answers import Raw
from brt_cg.questions.asks import Ask, Roll, default_of
from brt_cg.questions.dice import DiceSource, RollKey, raw_faces
from brt_cg.questions.sources import DEFAULT, FILE, Source

if TYPE_CHECKING:
    from brt_cg.imports.answers_file import Answers


class Missing(Exception):
    """Raised for a question that the supply has no answer to; the question stays open."""

    def __init__(self, ask: Ask[Any]) -> None:
        self.ask = ask
        super().__init__(f"{ask.rule} {ask.subject}: {ask.prompt}; allowed: {ask.allowed_text}")


@dataclass(frozen=True, slots=True)
class Supply:
    """A file of answers, dice, and defaults for choices, looked through in this order."""

    answers: "Answers | None" = None
    dice: DiceSource | None = None
    defaults: bool = False

    def answer_to(self, ask: Ask[Any], date: str, position: int) -> tuple[Raw, Source]:
        """The raw answer to a question that was answered `position` times before on a CG Date, and
        its source. Raises Missing if there is none."""
        if self.answers is not None:
            found, raw = self.answers.find(ask, position)
            if found:
                return raw, FILE
        if isinstance(ask, Roll):
            if self.dice is not None:
                key = RollKey(date, ask.rule, ask.subject, position)
                faces = self.dice.roll(ask.table.dice, key)
                return raw_faces(faces), Source("app", self.dice.seed)
        elif self.defaults or (self.answers is not None and ask.optional):
            return default_of(ask), DEFAULT
        raise Missing(ask)
