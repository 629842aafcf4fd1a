"""The line below the list. It shows refusals, takes the answer for an event, or takes codes of the
printed sheet, which are explained while they are typed. A box offers the units that may have
captured or taken something."""

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

from brt_cg.imports.code_line import ParsedCode, parse_code_line, parsed_code_text
from brt_cg.imports.event_sheet import EventSheet
from brt_cg.model import Counter
from brt_cg.model.events import CAPTURED, DROPPED, CounterEvent
from brt_cg.questions import Candidate
from brt_cg.service.drafts import FormDraft
from brt_cg.tui.dialogs.pick import PickScreen
from brt_cg.tui.keys.actions import LISTS, SCENARIO_END, bindings_of_named
from brt_cg.tui.question.form import counter_candidates
from brt_cg.tui.session.campaign_app import CampaignApp

CODES = "codes"  # the purpose of the line, if not the answer to an event's question
HINT = "x1a1b4k  b2c  q35 3f  4a-d  c2d by /3f  @m2  =r34 x"
WHO_NEEDS_ONE = (
    "Enter a hex only for marked counters and for any in Melee, in a Flame or Blaze, in an Ocean "
    "Location or a pillbox, outside their Area, next to hidden Fortifications, or that decide a "
    "Perimeter. All others are in their Area."
)


class CodesLine(Input):
    """The field for codes; Tab accepts them, and goes to the next list."""

    BINDINGS: ClassVar[list[BindingType]] = bindings_of_named(
        LISTS,
        next_group="screen.next_list(1)",
        last_group="screen.next_list(-1)",
        page_up="screen.turn_page(-1)",
        page_down="screen.turn_page(1)",
    )

    def action_delete_left_all(self) -> None:
        """Delete the whole line, wherever the cursor is: a problem moves it to the wrong word."""
        self.value = ""


class TickLine(Vertical):
    """The line below the list. `told` returns the ticks; `look` shows the counter that was typed
    last. A line of codes that is left before it is accepted is set aside. It is accepted only as a
    whole; doubts must be confirmed first, and Enter again accepts it."""

    @dataclass
    class Answered(Message):
        """Posted when the answer that the line `asks` for is typed."""

        asks: str
        text: str

    app = getters.app(CampaignApp)
    question = getters.query_one("#question", Static)
    typed = getters.query_one("#typed", CodesLine)
    asks = ""  # the event whose answer is being typed, or CODES; "" for nothing
    put_by = ""  # a line set aside
    draft: FormDraft | None = None  # keeps the line when the program ends
    sure_of = ""  # a line whose doubts have been shown
    taken = ""  # the effect of the last line, until another is typed

    def __init__(self, told: Callable[[], EventSheet], look: Callable[[str], None]) -> None:
        super().__init__(id="line")
        self._event_sheet, self._look = told, look

    def compose(self) -> ComposeResult:
        yield Static(id="question")
        yield CodesLine(id="typed")

    def show_words(self, words: str | Content) -> None:
        """Show words, until the cursor moves."""
        self.question.display = True
        self.question.update(words)

    def show_refusal(self, problems: Sequence[str]) -> None:
        """Show why something is not allowed."""
        why = "; ".join([*dict.fromkeys(problems)][:3])
        self.show_words(Content.from_markup("[bold $error]✗ Not allowed:[/] $why", why=why))

    def clear_words(self) -> None:
        """Clear the words shown, unless something is being typed."""
        self.question.display = bool(self.asks)

    def close_and_set_aside(self) -> None:
        """Close the question; set aside a line of codes."""
        if self.asks == CODES:
            self.put_by = self.typed.value.strip()
        self.asks = ""
        self.question.display = self.typed.display = False
        self.screen.remove_class("-typing")

    def open_field(self, asks: str, text: str) -> None:
        """Open the field with initial text."""
        self.asks = asks
        self.screen.set_class(asks == CODES, "-typing")
        self.typed.display = True
        self.typed.value = text
        self.typed.select_on_focus = asks != CODES  # else the next key would replace a long line
        self.typed.focus()
        if asks == CODES:
            self.typed.cursor_position = len(text)
            if text:
                _ = self.validate_typed_codes()  # goes to the problem
            else:
                self.show_meaning()

    def show_set_aside(self) -> None:
        """Show that a line was set aside, and how to continue it."""
        if self.put_by:
            key = self.app.key_text(f"{SCENARIO_END}.codes")
            words = "[$warning]Kept, but not entered:[/] $text   [$accent]$key[/] continues it"
            self.show_words(Content.from_markup(words, text=self.put_by, key=key))

    # --- codes ----------------------------------------------------------------------------------

    def validate_typed_codes(self) -> list[ParsedCode]:
        """Return the words of the line, if all of them are valid and nothing has to be confirmed;
        otherwise show the problem, and return none."""
        text, said = self.typed.value, parse_code_line(self._event_sheet(), self.typed.value)
        wrong = [wrong for each in said for wrong in each.wrong]
        if wrong:
            self.typed.cursor_position = wrong[0].found.end
            self.show_meaning(said, entered=True)
        elif any(each.doubts for each in said) and self.sure_of != text:
            self.sure_of = text
            self.show_meaning(said)
        else:
            return said
        return []

    def clear_line(self, words: str, stays_open: bool) -> None:
        """Empty the field after its line has been accepted, say so, and close it unless it
        `stays_open` for another line."""
        self.typed.value = self.sure_of = ""
        self.save_unaccepted_line("")
        if stays_open:
            self.taken = words
            self.open_field(CODES, "")
        else:
            self.close_and_set_aside()
            self.show_words(Content.from_markup("[$success]✓ $words[/]", words=words))

    def show_meaning(
        self, said: Sequence[ParsedCode] | None = None, *, entered: bool = False
    ) -> None:
        """Show the meaning of each word: problems first, then doubts and the newest of the rest,
        then the older ones in turn; above them a line that is longer than its field. Until the line
        is `entered`, its last word may be incomplete."""
        told = self._event_sheet()
        found = parse_code_line(told, self.typed.value) if said is None else said
        wrong = [_wrong(each) for each in found if each.wrong and (entered or not each.is_begun)]
        asked = [
            _doubt(each, sure=self.sure_of == self.typed.value) for each in found if each.doubts
        ]
        right = [_right(told, each) for each in found if _is_reported(each, entered=entered)]
        done = f"[$success]✓ {self.taken}[/]\n" if self.taken else ""
        hint = Content.from_markup(f"{done}[$foreground-muted]{HINT}\n{WHO_NEEDS_ONE}[/]")
        scrolled = len(self.typed.value) >= self.screen.size.width - 6
        whole = [Content.styled(self.typed.value, "bold")] if scrolled else []
        older = [Content("  ").join(reversed(right[:-1]))] if right[1:] else []
        lines = [*whole, *wrong, *asked, *right[-1:], *older]
        self.show_words(Content("\n").join(lines or [hint]))

    def restore_set_aside_line(self, draft: FormDraft | None) -> None:
        """Start with the line set aside for a sheet."""
        self.draft = draft
        self.put_by = draft.text.get(CODES, "") if draft is not None else ""

    def save_unaccepted_line(self, text: str) -> None:
        """Keep a line of codes until it is accepted."""
        if self.draft is not None and self.draft.text.get(CODES, "") != text:
            self.draft.save({CODES: text} if text else {})

    def on_input_changed(self, event: Input.Changed) -> None:
        if self.asks != CODES:
            return
        self.save_unaccepted_line(event.value.strip())
        found = parse_code_line(self._event_sheet(), self.typed.value)
        meant = [each for each in found if each.counters]
        if meant:
            self._look(meant[-1].counters[-1 if meant[-1].event else 0].id)
        self.taken = self.taken if not event.value else ""
        if found or not event.value:
            self.show_meaning(found)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        if self.asks:
            self.post_message(self.Answered(self.asks, event.value.strip()))


def _is_reported(said: ParsedCode, *, entered: bool) -> bool:
    """Whether a word has its own result; a word that only leads to the next one has none."""
    if said.wrong:
        return said.is_begun and not entered
    return bool(said.counters or said.event is None)


def _wrong(said: ParsedCode) -> Content:
    """Return the problem with a word; name the word if the reason does not begin with it."""
    why = "; ".join(map(str, said.wrong[:2]))
    token = "" if why.startswith(str(said.token)) else f"{said.token}  "
    return Content.from_markup("[$error]✗ $token[/]$why", token=token, why=why)


def _doubt(said: ParsedCode, *, sure: bool) -> Content:
    token, why = str(said.token), "; ".join(said.doubts)
    again = "  [bold]Press Enter again if this is right[/]" if sure else ""
    return Content.from_markup(f"[$warning]? $token[/]  $why{again}", token=token, why=why)


def _right(told: EventSheet, said: ParsedCode) -> Content:
    sign = "…" if said.is_begun else "✓"
    words = parsed_code_text(told, said) or str(said.wrong[0])
    return Content.from_markup(
        "[$success]$sign $token[/]  $words", sign=sign, token=str(said.token), words=words
    )


async def pick_captor(
    app: CampaignApp, told: EventSheet, event: CounterEvent, counters: Sequence[Counter]
) -> str | None:
    """Return the unit that captured, or took, some counters, picked by the player from the possible
    ones; those in the same place are offered first."""
    then = told.on_campaign_after()
    if event.name == CAPTURED:
        offered = counter_candidates(then.view, then.possible_captors(counters))
    else:
        nobody = Candidate(DROPPED, "nobody: it was dropped", DROPPED)
        offered = (*counter_candidates(then.view, then.possible_possessors(counters[0])), nobody)
    what = f"{', '.join(each.label for each in counters[:2])} {event.words}"
    found: str | None = await app.push_screen_wait(PickScreen(f"{what}: {event.asks}", "", offered))
    return found
