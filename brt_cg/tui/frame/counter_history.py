"""The history of the selected counter."""

import asyncio

from textual import getters, work
from textual.content import Content

from brt_cg.exports.explain import explain
from brt_cg.questions import RefusedError
from brt_cg.tui.keys.key_buffer import BEFORE_LOOKING_UP
from brt_cg.tui.look.lines import HangingText
from brt_cg.tui.session.campaign_app import CampaignApp


class CounterHistory(HangingText):
    """The history of a counter in lines, looked up when the cursor rests on it."""

    app = getters.app(CampaignApp)

    def __init__(self, id: str | None = None) -> None:
        super().__init__(id=id)
        self.display = False
        self._about: str | None = None

    def show(self, counter: str | None, anew: bool = False) -> None:
        """Show the history of the counter with an id, or nothing; with `anew`, show it even if it
        is shown already."""
        if counter == self._about and not anew:
            return
        self._about = counter
        self.display = False
        self.workers.cancel_group(self, "chain")  # another seat may be looking now
        if counter is not None:
            self._look_up()

    @work(group="chain", exclusive=True)
    async def _look_up(self) -> None:
        self.app.let_keys_pass()
        await asyncio.sleep(BEFORE_LOOKING_UP)
        session, id = self.app.session, str(self._about)
        try:
            lines = await session.look_up(lambda desk: explain(desk.view(), id))
        except RefusedError:
            lines = []
        if self._about == id and lines:
            head = Content.from_markup("[bold]History[/]")
            self.set_text(Content("\n").join([head, *map(Content, lines[1:])]))
            self.display = True
