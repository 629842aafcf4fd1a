"""Two players at one screen: whose secrets may be on it now.

While a question concerns both, the screen shows only what both may know: the table. A decision of
one side comes behind a curtain, which its player lifts when nobody else looks; it falls again as
soon as something else is asked.
"""

from dataclasses import dataclass, field

from brt_cg.immutable import immutable
from brt_cg.model import Side
from brt_cg.views.question_name import QuestionName
from brt_cg.views.rights import is_for_both
from brt_cg.views.view import SharedView


@immutable
class Turn:
    """Whose turn at the screen it is: `seat` is the side that enters, `at_table` means that only
    what both may know is shown, `curtain` is the side whose decision waits behind it."""

    seat: Side
    at_table: bool = True
    curtain: Side | None = None


@dataclass(slots=True)
class HotSeat:
    """The curtain: for whom it is `lifted`, and the question that was open then."""

    lifted: Side | None = None
    turn: Turn = field(default_factory=lambda: Turn(Side.MARINE))
    _since: QuestionName | None = None

    def lift_curtain(self, side: Side, asked: QuestionName | None) -> None:
        """Lifts the curtain for a side, which may look round until something else is asked."""
        self.lifted, self._since = side, asked

    def lower_curtain(self) -> None:
        """Hides everything that only one side may know."""
        self.lifted = None

    def whose_turn(self, book: SharedView, asked: QuestionName | None) -> Turn:
        """Finds whose turn it is now; `asked` is the name of the open question."""
        for_both = book.ask is not None and is_for_both(book.ask)
        whose = None if for_both else book.turn
        if whose is not self.lifted and asked != self._since:
            self.lifted = None
        self._since = asked
        if self.lifted is not None:
            self.turn = Turn(self.lifted, at_table=False)
        elif whose is not None:
            self.turn = Turn(whose.enemy, curtain=whose)
        else:
            self.turn = Turn(book.turn if book.turn is not None else self.turn.seat)
        return self.turn
