"""A correction of one counter: fields and values, and the reason that the journal keeps."""

from textual.app import ComposeResult
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from brt_cg.asks import Refused
from brt_cg.commands.edit import editable_fields, parse_assignments
from brt_cg.counters import Counter
from brt_cg.fields import plain
from brt_cg.tui.session import Seen


class EditScreen(ModalScreen[None]):
    """FIELD=VALUE and why; what is refused is told at the field, and nothing is changed."""

    CSS_PATH = "edit.tcss"
    BINDINGS = [("escape", "dismiss(None)", "Leave it")]

    def __init__(self, seen: Seen, counter: Counter) -> None:
        super().__init__()
        self.seen, self.counter = seen, counter

    def compose(self) -> ComposeResult:
        with Vertical(id="edit") as box:
            box.border_title = f"Correct {self.seen.view.label(self.counter)}"
            box.border_subtitle = "Enter stores it, Esc leaves it"
            yield Static("What: FIELD=VALUE; several with ; between", classes="asks")
            yield Input(placeholder="status=broken,wounded; location=N22", id="values")
            yield Static("Why", classes="asks")
            yield Input(placeholder="the journal keeps it", id="reason")
            yield Static(id="problem")
            with VerticalScroll(can_focus=False):
                yield Static(self._fields())

    def _fields(self) -> Content:
        """The fields that can be corrected, with what they are now."""
        parts = [Content.from_markup("[bold $accent]The fields as they are[/]")]
        for name, one in editable_fields(self.counter).items():
            value = plain(getattr(self.counter, one.attribute))
            shown = ",".join(value) if isinstance(value, list) else value
            empty = shown in (None, "", False, 0)
            told = "no" if shown is False else "–" if shown in (None, "") else str(shown)
            style = "dim" if empty else "bold"
            parts.append(Content.assemble((name, "dim"), "=", (told, style)))
        return Content("\n").join(parts)

    def on_mount(self) -> None:
        self.query_one("#values").focus()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        values, reason = (self.query_one(one, Input) for one in ("#values", "#reason"))
        if event.input is values and not reason.value.strip():
            reason.focus()
            return
        texts = [one for one in values.value.split(";") if one.strip()]
        self.run_worker(self._store(texts, reason.value.strip()), exclusive=True)

    async def _store(self, texts: list[str], reason: str) -> None:
        from brt_cg.tui.app import BrtApp

        app, id = self.app, self.counter.id
        assert isinstance(app, BrtApp)
        try:
            wanted = parse_assignments(self.seen.view, id, texts)
            asked = {"id": id, "set": wanted, "reason": reason}
            await app.session.perform(lambda desk: desk.command("edit", asked))
        except Refused as refused:
            self._refuse(str(refused))
        except Exception as error:
            _ = self.dismiss(None)
            app.tell(error)
        else:
            _ = self.dismiss(None)

    def _refuse(self, why: str) -> None:
        shown = Content.from_markup("[bold $error]✗ Not allowed:[/] $why", why=why)
        self.query_one("#problem", Static).update(shown)
