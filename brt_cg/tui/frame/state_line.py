"""The line above the keys: whether everything is stored, and the newest result."""

from textual import getters
from textual.app import RenderResult
from textual.content import Content
from textual.geometry import Size
from textual.widget import Widget

from brt_cg.tui.session.campaign_app import CampaignApp

STORED, DRAFT_KEPT, TYPING, WORKING = "✓ stored", "○ draft kept", "○ typing", "⋯ working"
STYLES = {STORED: "$success", DRAFT_KEPT: "$warning", TYPING: "$warning", WORKING: "$accent"}
GAP = "  "


class StateLine(Widget):
    """One line: whether the player's input is stored, and the newest result, or for a few seconds a
    notice."""

    app = getters.app(CampaignApp)
    _state, _fitted = "", Size()
    _shown = Content()

    def show(self, state: str) -> None:
        """Show a state, "" if no campaign is open, with the newest result."""
        self._state = state
        before, self._shown = self._shown, self._write()
        if not self._shown.is_same(before):
            self.refresh()

    def render(self) -> RenderResult:
        if self._fitted != self.size:
            self._shown = self._write()
        return self._shown

    def cells_left_beside(self, state: str) -> int:
        """Return the number of cells left for words beside a state."""
        return self.size.width - (len(state) + len(GAP) if state else 0)

    def fits(self, words: str) -> bool:
        """Whether words fit into the line."""
        room = self.cells_left_beside(self._state) if self.display else 0
        return "\n" not in words and Content(words).cell_length <= room

    def _write(self) -> Content:
        self._fitted = self.size
        state = Content.styled(self._state, f"bold {STYLES[self._state]}") if self._state else ""
        result = self.app.newest_result
        effect = f", {result.cvp}" if result.words and result.cvp else result.cvp
        room = self.cells_left_beside(self._state) - len(effect)
        words = Content(" ".join(result.words.split())).truncate(max(room, 0), ellipsis=True)
        shown = Content.assemble(words, (effect, "bold"))
        return Content.assemble(state, GAP, shown) if state else shown
