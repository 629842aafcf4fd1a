"""The Why? dialog: the reasons for a number, a counter, an area, a ruling or a line of the log."""

from textual import getters, work
from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import Input, OptionList

from brt_cg.exports.explain import ExplanationPage, explanation_page, known_facts, links_page
from brt_cg.questions import RefusedError
from brt_cg.service.campaign_reader import CampaignReader
from brt_cg.tui.dialogs.dialog import Dialog
from brt_cg.tui.keys.actions import DIALOGS, binding_of, bindings_of_named
from brt_cg.tui.lists.row_lists import PickList
from brt_cg.tui.look.lines import HangingText
from brt_cg.tui.session.campaign_app import CampaignApp
from brt_cg.tui.session.session import Seat

Subjects = tuple[str, ...]  # one to explain, or several to choose from

OPENS = "» "  # before a line that opens another page


class WhyScreen(Dialog[None]):
    """A page of reasons; each line opens the page of its subject, Backspace goes back.

    `subjects` come from the room; if there are none, the first page lists all subjects.
    """

    KEYS = (
        "{lists.select} opens · {dialogs.back} back · {dialogs.ask} ask about anything · "
        "{dialogs.close} closes"
    )
    BINDINGS = [
        *bindings_of_named(DIALOGS, close="leave", back="back", lead_on="lead_on", ask="ask"),
        binding_of("everywhere.why", "leave"),
    ]
    reasons = getters.query_one(PickList)
    field = getters.query_one(Input)
    _page: ExplanationPage | None = None

    def __init__(self, subjects: Subjects) -> None:
        super().__init__("Why?")
        self._path: list[tuple[Subjects, int]] = [(subjects, 0)]  # each page with its selected line

    def compose_box(self) -> ComposeResult:
        yield HangingText(id="title")
        yield PickList(id="reasons")
        yield Input(placeholder="a name, a hex, cvp, R-SAN, 15.6112, an entry")
        yield HangingText(id="problem")

    def on_mount(self) -> None:
        self.field.display = False
        self._look_up()

    # --- showing --------------------------------------------------------------------------------

    @work(group="why", exclusive=True)
    async def _look_up(self) -> None:
        """Show the newest page of the path. After a refusal, go back one page and show the reason,
        or list all subjects if the room named an unknown one."""
        subjects, at = self._path[-1]
        session = self.app.session
        seat, problem = session.seat, ""
        try:
            page = await session.look_up(lambda desk: _page(desk, seat, subjects))
        except RefusedError as refused:
            if len(self._path) > 1:
                self._path.pop()
            elif subjects:
                self._path = [((), 0)]
                self._look_up()
                return
            problem = str(refused)
        except Exception as error:  # for example, because the file was replaced
            if len(self._path) > 1:
                self._path.pop()
            self.app.report_error(error)
            return
        else:
            self._show(page, at)
        self.query_one("#problem", HangingText).set_text(problem)

    def _show(self, page: ExplanationPage, at: int) -> None:
        self._page = page
        self.query_one("#title", HangingText).set_text(page.title)
        rows = [
            (str(number), Content.assemble((OPENS if line.leads else "  ", "dim"), line.text))
            for number, line in enumerate(page.lines)
        ]
        self.reasons.show(rows, at)
        self.reasons.focus()

    # --- leading on -----------------------------------------------------------------------------

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        self.action_lead_on()

    def action_lead_on(self) -> None:
        """Open the page of the subject that the selected line names, or a list if it names
        several."""
        number = self.reasons.id_at_cursor
        leads = self._page.lines[int(number)].leads if self._page and number else ()
        if leads:
            self._go(leads)

    def _go(self, subjects: Subjects) -> None:
        self._path[-1] = (self._path[-1][0], self.reasons.highlighted or 0)
        self._path.append((subjects, 0))
        self._look_up()

    def action_back(self) -> None:
        """Go back to the previous page; from the first one, close the dialog."""
        if len(self._path) > 1:
            self._path.pop()
            self._look_up()
        else:
            _ = self.dismiss(None)

    def action_leave(self) -> None:
        """Close the dialog, or move from the field to the lines."""
        if self.field.display:
            self.field.display = False
            self.reasons.focus()
        else:
            _ = self.dismiss(None)

    def action_ask(self) -> None:
        self.field.display = True
        self.field.focus()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        if event.value.strip():
            self._go((event.value.strip(),))
        self.field.value, self.field.display = "", False
        self.reasons.focus()


async def show_reasons(app: CampaignApp, *subjects: str) -> None:
    """Open the page of reasons of a subject (exports/explain), a list of several, or a list of all
    if none is given."""
    if app.session.seen is not None:
        await app.push_screen(WhyScreen(subjects))


def _page(desk: CampaignReader, seat: Seat, subjects: Subjects) -> ExplanationPage:
    """Return the page of a subject, or one that lists several. Raises RefusedError."""
    known = known_facts(desk.view())
    return explanation_page(known, *subjects) if len(subjects) < 2 else links_page(known, subjects)
