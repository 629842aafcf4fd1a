"""Dialogs with a searchable list, such as the one for an offered or typed value."""

from collections.abc import Iterable, Sequence
from typing import ClassVar, Generic, TypeVar

from textual import getters
from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import Input, OptionList
from textual.widgets.option_list import Option

from brt_cg.questions import Candidate
from brt_cg.tui.dialogs.dialog import Dialog
from brt_cg.tui.lists.row_lists import FieldAbove, RowList
from brt_cg.tui.look.lines import HangingText, hang_text
from brt_cg.tui.question.picking import candidate_typed_in_full, matching_candidates

T = TypeVar("T")


class FindDialog(Dialog[T], FieldAbove, Generic[T]):
    """A box with a field above a list; the typed text searches the list."""

    PLACEHOLDER: ClassVar[str] = "type to find"
    field = getters.query_one(Input)
    listed = getters.query_one(OptionList)
    _width = 0  # the width that the rows are written for

    @property
    def list_below(self) -> OptionList:
        return self.listed

    def compose_box(self) -> ComposeResult:
        yield Input(placeholder=self.PLACEHOLDER)
        yield RowList(markup=False)

    def matching_rows(self, words: str) -> Iterable[str | Content]:
        """Return the rows that contain the words."""
        raise NotImplementedError(self)

    def show_matches(self, at: int = 0) -> None:
        """Show the rows found, with the one with the index `at` selected."""
        self._width = self.listed.size.width
        self.listed.clear_options()
        self.listed.add_options(self._option(row) for row in self.matching_rows(self.field.value))
        self.listed.highlighted = at if self.listed.option_count else None

    def _option(self, row: str | Content) -> Option:
        """Return a row whose later lines are indented; one cell is for the pointer, one for a
        scroll bar."""
        lines = (Content(row) if isinstance(row, str) else row).split("\n")
        return Option(Content("\n").join(hang_text(line, self._width - 2) for line in lines))

    def on_resize(self) -> None:
        self.call_after_refresh(self._fit)

    def _fit(self) -> None:
        if self.listed.size.width != self._width:
            self.show_matches(self.listed.highlighted or 0)

    def on_mount(self) -> None:
        self.show_matches()
        self.field.focus()

    def on_input_changed(self, event: Input.Changed) -> None:
        self.show_matches()


class PickScreen(FindDialog[str]):
    """A dialog that returns the typed or picked value as text to type; None if the player leaves.
    `allowed` names the allowed values, unless they are obvious."""

    KEYS = (
        "{lists.cursor_up}{lists.cursor_down} {lists.select} pick, or type it · "
        "{dialogs.close} cancels"
    )
    _shown: Sequence[Candidate] = ()

    def __init__(self, title: str, allowed: str, offered: Sequence[Candidate]) -> None:
        super().__init__(title)
        self.allowed, self.offered = allowed, offered

    def compose_box(self) -> ComposeResult:
        if self.allowed:
            yield HangingText(self.allowed, id="allowed")
        field, *below = super().compose_box()
        if not self.offered and isinstance(field, Input):
            field.placeholder = "type it"
        yield from (field, *below)

    def matching_rows(self, words: str) -> Iterable[str]:
        self._shown = [place for _, place in matching_candidates(self.offered, words)]
        return (place.words for place in self._shown)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Return the text if it is a whole candidate or matches none; otherwise return the selected
        row."""
        text, at = event.value.strip(), self.listed.highlighted
        if candidate_typed_in_full(self.offered, text) or (text and at is None):
            _ = self.dismiss(text)
        elif at is not None:
            _ = self.dismiss(self._shown[at].typed)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        _ = self.dismiss(self._shown[event.option_index].typed)
