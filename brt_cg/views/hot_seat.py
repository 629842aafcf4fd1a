"""Two players at one screen: the side whose secrets may be on it now.

While a question concerns both, the screen shows only public facts: the table. A decision of one
side is behind a curtain, which its player lifts when nobody else looks. The curtain comes down
again when the opponent has something to decide, alone or together with that player; until then the
player answers one question after another, and rolls the dice between them.
"""

from dataclasses import dataclass, field

from brt_cg.immutable import immutable
from brt_cg.model import Phase, Side
from brt_cg.views.question_name import QuestionName
from brt_cg.views.rights import is_for_both
from brt_cg.views.view import SharedView


@immutable
class ScreenTurn:
    """The turn at the screen: `seat` is the side that enters, `at_table` means that only public
    facts are shown, `curtain` is the side whose decision is behind it."""

    seat: Side
    at_table: bool = True
    curtain: Side | None = None


@dataclass(slots=True)
class HotSeat:
    """The curtain: the side for which it is `lifted`, and the newest question."""

    lifted: Side | None = None
    turn: ScreenTurn = field(default_factory=lambda: ScreenTurn(Side.MARINE))
    _since: QuestionName | None = None

    def lift_curtain(self, side: Side, asked: QuestionName | None) -> None:
        """Lift the curtain for a side, which may look around until its opponent has to decide."""
        self.lifted, self._since = side, asked

    def lower_curtain(self) -> None:
        """Hide everything that only one side may know."""
        self.lifted = None

    def update_screen_turn(self, book: SharedView, asked: QuestionName | None) -> ScreenTurn:
        """Update the turn at the screen; `asked` is the identity of the open question."""
        for_both = book.ask is not None and is_for_both(book.ask)
        whose = None if for_both else book.turn
        if whose is not self.lifted and asked != self._since and not _is_no_decision(book):
            self.lifted = None
        self._since = asked
        if self.lifted is not None:
            self.turn = ScreenTurn(self.lifted, at_table=False)
        elif whose is not None:
            self.turn = ScreenTurn(whose.enemy, curtain=whose)
        else:
            self.turn = ScreenTurn(book.turn if book.turn is not None else self.turn.seat)
        return self.turn


def _is_no_decision(book: SharedView) -> bool:
    """Whether the phase continues without a decision: dice that both may see, or the next paragraph
    to begin."""
    if book.ask is not None:
        return is_for_both(book.ask) and book.ask.dice is not None
    return book.turn is None and book.campaign.situation.phase is Phase.REFIT
