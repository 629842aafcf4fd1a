"""A field of several lines: typed, or pasted with its lines kept."""

from dataclasses import dataclass

from textual import events, getters
from textual.message import Message
from textual.widgets import TextArea

from brt_cg.tui.keys.actions import BY_ID, FORMS
from brt_cg.tui.keys.typed_ahead import MANY_LINES
from brt_cg.tui.session.campaign_app import CampaignApp

ENTER = BY_ID[f"{FORMS}.enter"]


class LinesField(TextArea):
    """Enter begins another line; on an empty last line it is done with them."""

    app = getters.app(CampaignApp)

    @dataclass
    class Done(Message):
        """Posted by Enter on an empty last line."""

    def __init__(self, text: str, hint: str, name: str, id: str) -> None:
        super().__init__(
            text,
            soft_wrap=False,
            show_line_numbers=True,
            placeholder=hint,
            name=name,
            id=id,
            classes=MANY_LINES,
        )
        self.move_cursor(self.document.end)

    @property
    def is_at_end(self) -> bool:
        """Whether the cursor is on the last line."""
        return self.cursor_location[0] == self.document.line_count - 1

    async def _on_key(self, event: events.Key) -> None:
        ends = event.key in self.app.keys_of(ENTER) and self.is_at_end
        if ends and not self.document[-1].strip():
            event.stop()
            event.prevent_default()
            self.post_message(self.Done())
        else:
            await super()._on_key(event)
