"""The choice of lines in the Journal: one list of sides, dates, kinds, steps and counters."""

from collections.abc import Iterable, Sequence

from textual.content import Content
from textual.widgets import Input, OptionList

from brt_cg.tui.found import holds
from brt_cg.tui.looking_back import Choice, Offer
from brt_cg.tui.screens.pick import FindDialog


class OnlyScreen(FindDialog[frozenset[Choice]]):
    """Answers the choices that are ticked when it is left. Typing finds some; Enter ticks one, or
    unticks it."""

    KEYS = "type to find · Enter takes one, or leaves it · Escape shows them"
    PLACEHOLDER = "Marine, 20 PM, Dice, 15.6112, a counter"
    BINDINGS = [("escape", "leave", "Show them")]
    _shown: Sequence[Offer] = ()

    def __init__(self, found: Sequence[Offer], chosen: frozenset[Choice]) -> None:
        super().__init__("Show only")
        self.found, self.chosen = found, chosen

    def rows(self, words: str) -> Iterable[Content]:
        found = (each for each in self.found if holds(f"{each.choice[0]} {each.words}", words))
        self._shown = sorted(found, key=lambda offer: offer.choice not in self.chosen)
        return map(self._row, self._shown)

    def _row(self, offer: Offer) -> Content:
        by, _ = offer.choice
        return Content.from_markup(
            "[bold $accent]$tick[/][dim]$by[/]$words [dim]$lines[/]",
            tick="✓ " if offer.choice in self.chosen else "  ",
            by=f"{by:<9}",
            words=offer.words,
            lines=str(offer.lines),
        )

    def on_input_submitted(self, event: Input.Submitted) -> None:
        self._turn(self.listed.highlighted)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        self._turn(event.option_index)

    def _turn(self, at: int | None) -> None:
        if at is not None:
            self.chosen ^= {self._shown[at].choice}
            with self.field.prevent(Input.Changed):
                self.field.value = ""
            self.find()

    def action_leave(self) -> None:
        _ = self.dismiss(self.chosen)
