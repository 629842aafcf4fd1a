"""A choice from a list: one of those that are offered, or one that is typed."""

from collections.abc import Sequence

from textual import events
from textual.app import ComposeResult
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from brt_cg.answers import Candidate
from brt_cg.tui.picking import fitting, typed_in_full
from brt_cg.tui.screens.dialog import Dialog


class PickScreen(Dialog[str]):
    """Answers what is typed or picked, as it would be typed; None if it is left. `allowed`
    says what will do, if that is not plain."""

    KEYS = "↑↓ Enter pick, or type it · Escape leaves it"
    BINDINGS = [("escape", "dismiss(None)", "Leave it")]

    def __init__(self, title: str, allowed: str, offered: Sequence[Candidate]) -> None:
        super().__init__(title)
        self.allowed, self.offered = allowed, offered
        self._shown: list[Candidate] = []

    def inside(self) -> ComposeResult:
        if self.allowed:
            yield Static(self.allowed, id="allowed", markup=False)
        yield Input(placeholder="type to find", compact=True)
        yield OptionList(markup=False)

    def on_mount(self) -> None:
        self._list()
        self.query_one(Input).focus()

    def _list(self) -> None:
        self._shown = [place for _, place in fitting(self.offered, self.query_one(Input).value)]
        listed = self.query_one(OptionList)
        listed.clear_options()
        listed.add_options(Option(place.words) for place in self._shown)
        listed.highlighted = 0 if self._shown else None

    def on_input_changed(self, event: Input.Changed) -> None:
        self._list()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """What is typed in full, or in short if nothing fits; else the selected row."""
        text, at = event.value.strip(), self.query_one(OptionList).highlighted
        if typed_in_full(self.offered, text) or (text and at is None):
            _ = self.dismiss(text)
        elif at is not None:
            _ = self.dismiss(self._shown[at].typed)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        _ = self.dismiss(self._shown[event.option_index].typed)

    def on_key(self, event: events.Key) -> None:
        listed = self.query_one(OptionList)
        if self.query_one(Input).has_focus and event.key in ("up", "down"):
            event.stop()
            listed.action_cursor_up() if event.key == "up" else listed.action_cursor_down()
