"""Questions outside a campaign: random draws of any kind, and the loop that answers them."""

from collections import Counter
from dataclasses import field
from typing import Any, ClassVar

from brt_cg.immutable import immutable
from brt_cg.model import Side
from brt_cg.questions import (
    AppDice,
    Question,
    Raw,
    RefusedError,
    RollKey,
    SeededDice,
    faces_as_json,
)


@immutable(kw_only=True)
class RandomDraw(Question[str]):
    """A draw of one of several equally likely faces: a d10, a d6, one of the remaining cards. A
    face may occur several times."""

    faces: tuple[str, ...] = field()

    kind: ClassVar[str] = "lot"

    def read(self, raw: Raw) -> str:
        found = str(raw).strip().upper()
        if found in self.faces:
            return found
        raise RefusedError(f"{raw} is not accepted; enter {self.allowed}")

    def parse(self, text: str, seat: Side | None = None) -> Raw:
        return text.strip()

    @property
    def allowed(self) -> str:
        return ", ".join(dict.fromkeys(self.faces))


class RandomDrawAnswerer:
    """An answerer that uses the program's dice, seeded or not, for random draws, and the default
    for anything else."""

    def __init__(self, dice: AppDice | SeededDice) -> None:
        self._dice = dice
        self._rolled: Counter[tuple[str, str]] = Counter()

    def __call__(self, ask: Question[Any]) -> Raw:
        position = self._rolled[(ask.rule, ask.subject)]
        self._rolled[(ask.rule, ask.subject)] += 1
        key = RollKey("aid", ask.rule, ask.subject, position)
        if ask.faces:
            return ask.faces[self._dice.draw_index(len(ask.faces), key)]
        return faces_as_json(self._dice.roll(ask.dice, key)) if ask.dice else ask.default


def odds_text(ask: Question[Any]) -> str:
    """Return the odds of a roll in one line; "" if there are none to show."""
    return " · ".join(f"{row.text} {float(chance):.1%}" for row, chance in ask.odds)
