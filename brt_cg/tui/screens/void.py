"""The voiding of a purchase: the reason that its record keeps."""

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from brt_cg.asks import Refused
from brt_cg.purchases.listing import Listed
from brt_cg.tui import shop


class VoidScreen(ModalScreen[None]):
    """Why; what is refused is told at the field, and nothing is changed."""

    CSS_PATH = "buy.tcss"
    BINDINGS = [("escape", "dismiss(None)", "Leave it")]

    def __init__(self, row: Listed) -> None:
        super().__init__()
        self.row = row

    def compose(self) -> ComposeResult:
        row = self.row
        with Vertical(id="order") as box:
            box.border_title = f"Void {row.id}: {shop.record_name(row)}"
            box.border_subtitle = "Enter voids it, Esc leaves it"
            yield Static(
                f"{row.total} {row.points.upper()} return; what it created goes, but for what was "
                "lost in play. The record stays, with the reason.",
                classes="asks",
            )
            yield Input(placeholder="the reason", id="reason")
            yield Static(id="problem")

    def on_mount(self) -> None:
        self.query_one(Input).focus()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        self.run_worker(self._store(event.value.strip()), group="desk", exclusive=True)

    async def _store(self, reason: str) -> None:
        from brt_cg.tui.app import BrtApp

        app, side = self.app, self.row.side.value
        assert isinstance(app, BrtApp)
        asked = {"purchase": self.row.id, "reason": reason, "side": side}
        try:
            await app.session.perform(lambda desk: desk.command("void", asked, side))
        except Refused as refused:
            self.query_one("#problem", Static).update(shop.refusal(str(refused)))
        except Exception as error:
            _ = self.dismiss(None)
            app.tell(error)
        else:
            _ = self.dismiss(None)
