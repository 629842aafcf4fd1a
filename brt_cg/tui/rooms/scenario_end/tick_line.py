"""The line below the list: what is refused, the answer of an event, or the numbers of the printed
sheet, told while they are typed; and the box that offers who captured or took something."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from textual import getters
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.widgets import Input, Static

from brt_cg.imports.ticks import Said, Ticked, list_with
from brt_cg.model.counters import Counter
from brt_cg.model.events import CAPTURED, DROPPED, Event
from brt_cg.questions.answers import Candidate
from brt_cg.tui.dialogs.pick import PickScreen
from brt_cg.tui.keys.actions import LISTS, SCENARIO_END, bound_to
from brt_cg.tui.question.form import counters_offered
from brt_cg.tui.session.campaign_app import CampaignApp

NUMBERS = "numbers"  # what the line is asked for, if not the answer to an event's question
PARTS_TOLD = 3  # the newest parts of a line that are told while it is typed
HINT = "numbers, as x 1 4 7-9; P34 3 5; in Q35; c 2 by Crowe"


class NumbersLine(Input):
    """The field; Tab takes numbers, and goes on to the next list."""

    BINDINGS: ClassVar[list[BindingType]] = bound_to(
        LISTS,
        next_group="screen.next_list(1)",
        last_group="screen.next_list(-1)",
        page_up="screen.turn_page(-1)",
        page_down="screen.turn_page(1)",
    )


class TickLine(Vertical):
    """The line. `told` gives what is ticked, `near` the counter whose list the numbers are of. A
    line of numbers that is left before it is taken is set aside."""

    @dataclass
    class Answered(Message):
        """Posted when what the line `asks` for is typed."""

        asks: str
        text: str

    app = getters.app(CampaignApp)
    question = getters.query_one("#question", Static)
    typed = getters.query_one("#typed", NumbersLine)
    asks = ""  # the event whose answer is being typed, or NUMBERS; "" for nothing
    put_by: tuple[str, str | None] | None = None  # a line set aside, and a counter of its list

    def __init__(self, told: Callable[[], Ticked], near: Callable[[], str | None]) -> None:
        super().__init__(id="line")
        self._told, self._near = told, near

    def compose(self) -> ComposeResult:
        yield Static(id="question")
        yield NumbersLine(id="typed")

    def say(self, words: str | Content) -> None:
        """Shows words, until the cursor moves."""
        self.question.display = True
        self.question.update(words)

    def refuse(self, problems: Sequence[str]) -> None:
        """Says why something is not allowed."""
        why = "; ".join([*dict.fromkeys(problems)][:3])
        self.say(Content.from_markup("[bold $error]✗ Not allowed:[/] $why", why=why))

    def be_quiet(self) -> None:
        """Shows nothing more, unless something is being typed."""
        self.question.display = bool(self.asks)

    def close(self) -> None:
        """Ends the question."""
        if self.asks == NUMBERS and self.typed.value.strip():
            self.put_by = self.typed.value, self._near()
        self.asks = ""
        self.question.display = self.typed.display = False

    def ask(self, asks: str, text: str) -> None:
        """Opens the field, with a text to begin with."""
        self.asks = asks
        self.typed.display = True
        self.typed.value = text
        self.typed.focus()
        if asks == NUMBERS:
            self.tell()

    def tell_put_by(self) -> None:
        """Says that a line was set aside, and how to go on with it."""
        if self.put_by is not None:
            key = self.app.key(f"{SCENARIO_END}.numbers")
            words = "[$warning]Kept, but not taken:[/] $text   [$accent]$key[/] goes on with it"
            self.say(Content.from_markup(words, text=self.put_by[0], key=key))

    # --- numbers --------------------------------------------------------------------------------

    def said(self) -> list[Said]:
        """The parts of the line."""
        return self._told().read(self.typed.value, self._near())

    def tell(self) -> None:
        """Shows what is understood so far."""
        at = list_with(self._told().lists, self._near())
        where = f"{at.title}: " if at is not None else ""
        hint = Content.styled(f"{where}{HINT}", "$foreground-muted")
        self.say(Content("\n").join([*map(_told_part, self.said())][-PARTS_TOLD:] or [hint]))

    def keep(self, wrong: Sequence[Said]) -> None:
        """Goes on with the parts that are not understood, to be mended."""
        self.typed.value = "; ".join(said.text for said in wrong)
        self.typed.focus()
        self.tell()
        if wrong:
            self.typed.cursor_position = wrong[0].end_of_wrong

    def on_input_changed(self, event: Input.Changed) -> None:
        if self.asks == NUMBERS:
            self.tell()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        if self.asks:
            self.post_message(self.Answered(self.asks, event.value.strip()))


def _told_part(said: Said) -> Content:
    """A part of the line as it is understood."""
    text, words = said.part.text, said.part.words
    if said.is_begun:
        return Content.from_markup("[$success]…[/] $words", words=words)
    if said.wrong:
        why = "; ".join(said.wrong[:2])
        return Content.from_markup("[$error]✗[/] $text: $why", text=text, why=why)
    return Content.from_markup("[$success]✓[/] $words", words=words)


async def picked(
    app: CampaignApp, told: Ticked, event: Event, counters: Sequence[Counter]
) -> str | None:
    """The unit that captured, or took, some counters, picked by the player from those who may be
    meant; those in the same place are offered first."""
    then = told.at_the_end()
    if event.name == CAPTURED:
        offered = counters_offered(then.view, then.captors(counters))
    else:
        nobody = Candidate(DROPPED, "nobody: it was dropped", DROPPED)
        offered = (*counters_offered(then.view, then.possessors(counters[0])), nobody)
    what = f"{', '.join(each.label for each in counters[:2])} {event.words}"
    found: str | None = await app.push_screen_wait(PickScreen(f"{what}: {event.asks}", "", offered))
    return found
