"""The last page of the form: the totals, and what all of it would change before it is stored."""

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from textual.app import ComposeResult
from textual.containers import Grid, Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.timer import Timer
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from brt_cg.asks import Refused
from brt_cg.counters import Side
from brt_cg.tui import scenario_end
from brt_cg.tui.scenario_end import SOURCE, Totals, first_totals
from brt_cg.tui.session import Seen
from brt_cg.tui.tick_sheet import TickSheet

if TYPE_CHECKING:
    from brt_cg.commands.difference import Line

PAUSE = 0.3  # seconds without a key before the difference is worked out
RETAINED = ("setup_area", "isolated", "recorded_location")


class TotalsScreen(ModalScreen[None]):
    """Who won, CVP, SAN, perimeters; the difference; one Enter stores it as one import."""

    CSS_PATH = "totals.tcss"
    BINDINGS = [("escape", "dismiss(None)", "Back to the counters")]

    def __init__(self, seen: Seen, sheet: TickSheet) -> None:
        super().__init__()
        self.seen, self.sheet, self.ticks = seen, sheet, sheet.ticks
        self.first: dict[str, str] = {}  # by field, what it begins with
        self._wait: Timer | None = None

    def compose(self) -> ComposeResult:
        first = first_totals(self.seen.view, self.ticks, self.seen.card)
        date = self.seen.view.situation.date
        with Vertical(id="totals") as box:
            box.border_title = f"The end of {date}"
            box.border_subtitle = "Tab to the next field, Esc back to the counters"
            with Horizontal():
                with Vertical(id="figures"):
                    with Grid():
                        yield from self._rows(first)
                    yield Static("Marine Perimeters, / between", classes="asks")
                    yield self._field("perimeters", first.perimeters)
                    yield OptionList(Option("Take it in", "take"), Option("Not yet", "back"))
                with VerticalScroll(id="difference", can_focus=False):
                    yield Static(id="changes")

    def _rows(self, first: Totals) -> ComposeResult:
        sides = [side for side in Side if self.seen.seat in (None, side)]
        rows = [("Who won?", "winner", first.winner), ("Moved first", "moved", first.moved_first)]
        rows += [(f"{one.label} CVP", f"cvp_{one}", first.cvp[one]) for one in sides]
        rows += [(f"{one.label} SAN", f"san_{one}", first.san[one]) for one in sides]
        rows.append(("VP for pillboxes", "pillboxes", first.pillbox_vp))
        for words, id, value in rows:
            yield Static(words, classes="asks")
            yield self._field(id, value)

    def _field(self, id: str, first: str) -> Input:
        """A field, with what was typed in it before."""
        self.first[id] = first
        hint = "m or j" if id in ("winner", "moved") else ""
        value = self.sheet.totals.get(id, first)
        return Input(value, id=id, compact=True, placeholder=hint)

    def on_mount(self) -> None:
        self.query_one("#winner").focus()
        self._work_out()

    # --- the difference -------------------------------------------------------------------------

    def _totals(self) -> Totals:
        first = first_totals(self.seen.view, self.ticks, self.seen.card)

        def typed(id: str, otherwise: str) -> str:
            found = self.query(f"#{id}").results(Input)
            return next((one.value for one in found), otherwise)

        return Totals(
            winner=typed("winner", ""),
            moved_first=typed("moved", ""),
            cvp={one: typed(f"cvp_{one}", first.cvp[one]) for one in Side},
            san={one: typed(f"san_{one}", first.san[one]) for one in Side},
            pillbox_vp=typed("pillboxes", first.pillbox_vp),
            perimeters=typed("perimeters", first.perimeters),
        )

    def _asked(self) -> dict[str, Any]:
        """What the import is asked. Raises ValueError."""
        view, card = self.seen.view, self.seen.card
        return {
            "state": scenario_end.document(view, self.ticks, self._totals(), card),
            "source": SOURCE,
            "missing": None,
            "side": self.seen.seat.value if self.seen.seat else None,
        }

    def on_input_changed(self, event: Input.Changed) -> None:
        id = str(event.input.id)
        self.sheet.type(id, event.value, self.first[id])
        if self._wait is not None:
            self._wait.stop()
        self._wait = self.set_timer(PAUSE, self._work_out)

    def _work_out(self) -> None:
        self.run_worker(self._preview(), group="difference", exclusive=True)

    async def _preview(self) -> None:
        from brt_cg.commands.difference import difference

        try:
            asked = self._asked()
            lines = await self._brt.session.consult(
                lambda desk: difference(desk.campaign, asked, desk.card)
            )
        except (Refused, ValueError) as problem:
            self._refuse(str(problem))
            return
        head = Content.from_markup("[bold $accent]What would change[/]")
        told = [Content(line) for line in _telling(lines)]
        self.query_one("#changes", Static).update(Content("\n").join([head, *told]))

    def _refuse(self, why: str) -> None:
        shown = Content.from_markup("[bold $error]✗ Not allowed:[/]\n$why", why=why)
        self.query_one("#changes", Static).update(shown)

    @property
    def _brt(self) -> Any:
        return self.app

    # --- storing --------------------------------------------------------------------------------

    def on_input_submitted(self, event: Input.Submitted) -> None:
        self.focus_next()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        if event.option_id == "take":
            self.run_worker(self._store(), group="store", exclusive=True)
        else:
            _ = self.dismiss(None)

    async def _store(self) -> None:
        try:
            asked = self._asked()
            await self._brt.session.perform(lambda desk: desk.command("import", asked))
        except (Refused, ValueError) as problem:
            self._refuse(str(problem))
            return
        except Exception as error:
            self._brt.tell(error)
            return
        self.sheet.clear()
        _ = self.dismiss(None)


def _telling(lines: "list[Line]") -> list[str]:
    """The difference without what any import does: that counters leave their Setup Areas."""
    kept, left = [], 0
    for line in lines:
        changes = tuple(one for one in line.changes if one.attribute not in RETAINED)
        if line.changes and not changes:
            left += 1
        else:
            kept.append(str(replace(line, changes=changes)))
    if left:
        kept.append(f"{left} more stand where they were, and are Retained no longer")
    return kept or ["nothing"]
