"""The dialog to tick the choices that filter the Journal."""

from collections.abc import Iterable, Sequence

from textual.content import Content
from textual.widgets import Input, OptionList

from brt_cg.tui.dialogs.pick import FindDialog
from brt_cg.tui.keys.actions import bound
from brt_cg.tui.lists.found import holds
from brt_cg.tui.look.columns import columns
from brt_cg.tui.rooms.journal.looking_back import FilterChoice, FilterOffer


class OnlyScreen(FindDialog[frozenset[FilterChoice]]):
    """Returns the ticked choices when the player leaves. Typing searches; Enter ticks or unticks a
    choice."""

    KEYS = "type to find · {lists.select} ticks or unticks · {dialogs.close} shows the lines"
    PLACEHOLDER = "Marine, 20 PM, Dice, 15.6112, a counter"
    BINDINGS = [bound("dialogs.close", "leave")]
    _shown: Sequence[FilterOffer] = ()

    def __init__(self, found: Sequence[FilterOffer], chosen: frozenset[FilterChoice]) -> None:
        super().__init__("Show only")
        self.found, self.chosen = found, chosen

    def rows(self, words: str) -> Iterable[Content]:
        found = (each for each in self.found if holds(f"{each.choice[0]} {each.words}", words))
        self._shown = sorted(found, key=lambda offer: offer.choice not in self.chosen)
        return map(self._row, self._shown)

    def _row(self, offer: FilterOffer) -> Content:
        tick = ("✓" if offer.choice in self.chosen else "", "bold $accent")
        by = (offer.choice[0], "dim")
        return columns(2, 9).row(tick, by, offer.words, (f" {offer.lines}", "dim"))

    def on_input_submitted(self, event: Input.Submitted) -> None:
        self._toggle(self.listed.highlighted)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        self._toggle(event.option_index)

    def _toggle(self, at: int | None) -> None:
        if at is not None:
            self.chosen ^= {self._shown[at].choice}
            with self.field.prevent(Input.Changed):
                self.field.value = ""
            self.find()

    def action_leave(self) -> None:
        _ = self.dismiss(self.chosen)
