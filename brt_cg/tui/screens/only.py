"""The choice of lines in the Journal: one list of sides, dates, kinds, steps and counters."""

from collections.abc import Sequence

from textual import events
from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import Input, OptionList
from textual.widgets.option_list import Option

from brt_cg.tui.found import holds
from brt_cg.tui.looking_back import Choice, Offer
from brt_cg.tui.screens.dialog import Dialog


class OnlyScreen(Dialog[frozenset[Choice]]):
    """Answers the choices that are ticked when it is left. Typing finds some; Enter ticks one, or
    unticks it."""

    KEYS = "type to find · Enter takes one, or leaves it · Escape shows them"
    BINDINGS = [("escape", "leave", "Show them")]

    def __init__(self, found: Sequence[Offer], chosen: frozenset[Choice]) -> None:
        super().__init__("Show only")
        self.found, self.chosen = found, chosen
        self._shown: list[Offer] = []

    def inside(self) -> ComposeResult:
        yield Input(placeholder="Marine, 20 PM, Dice, 15.6112, a counter", compact=True)
        yield OptionList()

    def on_mount(self) -> None:
        self._list(0)
        self.query_one(Input).focus()

    def _list(self, at: int) -> None:
        words = self.query_one(Input).value
        self._shown = [
            offer for offer in self.found if holds(f"{offer.choice[0]} {offer.words}", words)
        ]
        self._shown.sort(key=lambda offer: offer.choice not in self.chosen)
        listed = self.query_one(OptionList)
        listed.clear_options()
        listed.add_options(Option(self._row(offer)) for offer in self._shown)
        listed.highlighted = min(at, len(self._shown) - 1) if self._shown else None

    def _row(self, offer: Offer) -> Content:
        by, _ = offer.choice
        return Content.from_markup(
            "[bold $accent]$tick[/][dim]$by[/]$words [dim]$lines[/]",
            tick="✓ " if offer.choice in self.chosen else "  ",
            by=f"{by:<9}",
            words=offer.words,
            lines=str(offer.lines),
        )

    def on_input_changed(self, event: Input.Changed) -> None:
        self._list(0)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        self._turn(self.query_one(OptionList).highlighted)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        self._turn(event.option_index)

    def _turn(self, at: int | None) -> None:
        if at is not None:
            self.chosen ^= {self._shown[at].choice}
            field = self.query_one(Input)
            with field.prevent(Input.Changed):
                field.value = ""
            self._list(0)

    def on_key(self, event: events.Key) -> None:
        listed = self.query_one(OptionList)
        if self.query_one(Input).has_focus and event.key in ("up", "down"):
            event.stop()
            listed.action_cursor_up() if event.key == "up" else listed.action_cursor_down()

    def action_leave(self) -> None:
        _ = self.dismiss(self.chosen)
