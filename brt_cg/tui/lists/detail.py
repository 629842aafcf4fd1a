"""The panel beside or below a list, with the selected row in full."""

from textual.content import Content
from textual.widget import Widget

from brt_cg.model.counters import Side
from brt_cg.tui.lists.reading import Pane


class DetailPanel(Pane):
    """What is shown of a row; the frame has its title, what may be done, and its side's colour."""

    def __init__(self, *children: Widget) -> None:
        super().__init__(*children, id="page", classes="panel")

    def entitle(
        self, title: str | Content = "", below: str = "", *, side: Side | None = None
    ) -> None:
        """Writes on the frame: the title, and words below."""
        self.border_title, self.border_subtitle = title, below
        for each in Side:
            self.set_class(each is side, each.value)
