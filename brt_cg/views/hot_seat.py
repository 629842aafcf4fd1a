"""Two players at one screen: the side whose secrets may be on it now.

While a question concerns both, the screen shows only public facts: the table. A decision of one
side is behind a curtain, which its player lifts when nobody else looks. The curtain comes down
again when the opponent has something to decide, alone or together with that player; until then the
player answers one question after another, and rolls the dice between them.
"""

from collections.abc import Collection
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
    """The curtain: the side for which it is `lifted`, and the newest question; and the number of
    entries when each side last looked behind it."""

    lifted: Side | None = None
    turn: ScreenTurn = field(default_factory=lambda: ScreenTurn(Side.MARINE))
    _since: QuestionName | None = None
    _entries_at_last_look: dict[Side, int] = field(default_factory=dict)

    def lift_curtain(self, side: Side, asked: QuestionName | None) -> None:
        """Lift the curtain for a side, which may look around until its opponent has to decide."""
        self.lifted, self._since = side, asked

    def lower_curtain(self) -> None:
        """Hide everything that only one side may know."""
        self.lifted = None

    def has_looked_since(self, entry: int, sides: Collection[Side]) -> bool:
        """Whether one of some sides may have looked behind its curtain since an entry: it may have
        decided something in secret. Both players know who looked, so that this reveals nothing."""
        return any(entry <= self._entries_at_last_look.get(side, 0) for side in sides)

    def update_screen_turn(
        self, book: SharedView, asked: QuestionName | None, entries: int = 0
    ) -> ScreenTurn:
        """Update the present turn; `asked` identifies the open question, `entries` is the number
        of entries in the journal. Before the two sat down, each side may have looked."""
        has_begun = bool(self._entries_at_last_look)
        looking = [side for side in Side if side is self.lifted or not has_begun]
        self._entries_at_last_look |= dict.fromkeys(looking, entries)
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
