"""The list of answers under a question."""

from textual.actions import SkipAction
from textual.widgets import OptionList


class Rows(OptionList):
    """A list that ends at both ends: what follows the last row is not the first. Where all rows are
    in view, the keys that turn pages are left to the log."""

    def action_cursor_down(self) -> None:
        if self.highlighted is None or self.highlighted < self.option_count - 1:
            super().action_cursor_down()

    def action_cursor_up(self) -> None:
        if self.highlighted != 0:
            super().action_cursor_up()

    def action_page_down(self) -> None:
        self._only_if_longer()
        super().action_page_down()  # type: ignore[no-untyped-call]

    def action_page_up(self) -> None:
        self._only_if_longer()
        super().action_page_up()  # type: ignore[no-untyped-call]

    def _only_if_longer(self) -> None:
        if not self.max_scroll_y:
            raise SkipAction
