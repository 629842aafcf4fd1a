"""The question in hand: whose it is, what is rolled or chosen, and the answer as it is given.

The panel checks an answer before it hands it on (`Answered`); what is refused is told at the field
and the question stands.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.message import Message
from textual.suggester import SuggestFromList
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from brt_cg.asks import Ask, Candidate, Choose, Enter, Item, Raw, Refused, Roll, Several
from brt_cg.campaign import Campaign
from brt_cg.counters import Side
from brt_cg.dice import Dice, read_faces
from brt_cg.exports.wording import state_told
from brt_cg.tui.fit import is_low
from brt_cg.tui.widgets.dice_face import DiceFaces, modifiers_content
from brt_cg.tui.widgets.odds_bars import OddsBars
from brt_cg.tui.widgets.rows import Rows

BADGES = {Side.MARINE: "★ Marine", Side.JAPANESE: "● Japanese"}
OTHER = "something else…"
MOST_ANSWERS = 12  # that are listed; where there are more they are typed


class QuestionPanel(VerticalScroll):
    """One question of any kind. `show_ask` shows it, `show_words` a page of words instead."""

    @dataclass
    class Answered(Message):
        """An answer that the question allows, as it stands in an answers file."""

        ask: Ask[Any]
        raw: Raw

    def __init__(self, id: str | None = None) -> None:
        super().__init__(id=id, can_focus=False)
        self.ask: Ask[Any] | None = None
        self.view: Campaign | None = None
        self.faces: list[int] = []
        self._told = ("", "")  # the title of the paragraph, and its summary
        self.given: dict[str, Raw] = {}
        self._item: str | None = None
        self._rows: dict[str, Content] = {}
        self._pointed: str | None = None
        self._plain: list[Candidate] = []
        self.seat: Side | None = None

    def compose(self) -> ComposeResult:
        yield Static(id="paragraph")
        yield Static(id="who")
        with Horizontal(id="dice"):
            yield DiceFaces()
            yield Static(id="modifiers")
        yield OddsBars()
        yield Rows(id="choices", markup=False)
        yield Static(id="about_item")
        yield Input(id="entry", compact=True)
        yield Static(id="hint")
        yield Static(id="problem")
        with Vertical(id="foot"):
            yield Static(id="doing")
            yield Static(id="outcome")

    # --- showing --------------------------------------------------------------------------------

    def show_ask(
        self,
        ask: Ask[Any],
        view: Campaign,
        title: str,
        summary: str,
        doing: Content,
        seat: Side | None,
    ) -> None:
        """Shows a question under its paragraph's title; the same one again stays as it is."""
        self.query_one("#doing", Static).update(doing)
        if ask is not self.ask or (title, summary) != self._told:
            self._head(title, summary)
        if ask is self.ask:
            self.view = view
            return
        self.ask, self.view, self.faces, self.given, self._item = ask, view, [], {}, None
        self.seat = seat
        self._dress(ask.side, BADGES[ask.side], ask.secret)
        self.query_one("#who", Static).update(self._who(ask, view))
        self._parts(isinstance(ask, Roll), not isinstance(ask, Roll))
        if isinstance(ask, Roll):
            self._show_roll(ask)
        else:
            self._show_choices(ask)

    def show_words(self, title: str, words: Content, doing: Content, side: Side | None) -> None:
        """Shows what is to be done where no question stands."""
        self.ask, self._item = None, None
        self._dress(side, BADGES[side] if side else "", None)
        self._head(title, "")
        self.query_one("#who", Static).update(words)
        self.query_one("#doing", Static).update(doing)
        self._parts(False, False)

    def show_outcome(self, outcome: str) -> None:
        """Keeps in view what the last dice came to; "" takes that away."""
        shown = self.query_one("#outcome", Static)
        shown.display = bool(outcome)
        shown.update(Content.from_markup("[bold]↳[/] $outcome", outcome=outcome))

    def _dress(self, side: Side | None, badge: str, secret: Side | None) -> None:
        for one in Side:
            self.set_class(side is one, one.value)
        self.border_title = badge
        self.border_subtitle = f"secret of the {secret.label} side" if secret else ""

    def _head(self, title: str, summary: str) -> None:
        self._told = (title, summary)
        self._write_head(title, summary)
        if summary and is_low(self):
            self.call_after_refresh(self._leave_out_the_summary)

    def _leave_out_the_summary(self) -> None:
        """What is asked goes before the words of the paragraph, where there is no room for both."""
        if self.max_scroll_y:
            self._write_head(self._told[0], "")

    def _write_head(self, title: str, summary: str) -> None:
        markup = "[bold $accent]$title[/]" + ("\n[dim]$summary[/]" if summary else "")
        shown = Content.from_markup(markup, title=title, summary=summary)
        self.query_one("#paragraph", Static).update(shown)

    def _parts(self, dice: bool, choices: bool) -> None:
        self.query_one("#dice").display = dice
        self.query_one(OddsBars).display = dice
        self.query_one("#choices").display = choices
        self.query_one("#hint").display = choices
        self._close_entry()
        self.refuse("")
        self.scroll_home(animate=False)

    def _who(self, ask: Ask[Any], view: Campaign) -> Content:
        """The question with its counter in bold, and what is to be known of that counter."""
        who, colon, what = ask.prompt.partition(": ")
        words = [Content.from_markup(f"[bold ${ask.side}]$who[/]", who=who), Content(colon + what)]
        counter = view.find(ask.counter) if ask.counter else None
        state = state_told(counter) if counter is not None else ""
        if state:
            words.append(Content.styled(f"\n{state}", "dim"))
        return Content("").join(words)

    def refuse(self, message: str) -> None:
        """Tells at the field why an answer is refused; "" takes that away."""
        problem = self.query_one("#problem", Static)
        problem.display = bool(message)
        problem.update(Content.from_markup("[bold $error]✗ Not allowed:[/] $why", why=message))
        if message:
            problem.scroll_visible(animate=False)

    # --- dice -----------------------------------------------------------------------------------

    def _show_roll(self, ask: Roll) -> None:
        self.screen.set_focus(None)
        self.fit()

    def fit(self) -> None:
        """Draws dice and modifiers for the room that there is."""
        ask = self.ask
        self._head(*self._told)
        if isinstance(ask, Roll):
            dice = ask.table.dice
            self.query_one(DiceFaces).show(dice, self.faces)
            told = modifiers_content(dice, ask.modifiers, is_low(self))
            self.query_one("#modifiers", Static).update(told)
            self.query_one(OddsBars).show(ask.table, ask.modifiers)

    def type_digit(self, digit: int) -> None:
        """Takes a die as it fell on the table, or begins an entry with a digit."""
        if isinstance(self.ask, Enter):
            self._open_entry(None, str(digit))
        if not isinstance(self.ask, Roll):
            return
        dice = self.ask.table.dice
        try:
            read_faces(Dice.ONE, digit)
        except ValueError:
            self.refuse(f"{digit}: a die shows 1–6")
            return
        self.refuse("")
        self.faces.append(digit)
        self.query_one(DiceFaces).show(dice, self.faces)
        if len(self.faces) == dice.how_many:
            self._answer(self.faces[0] if dice is Dice.ONE else [*self.faces])

    def untype(self) -> None:
        """Takes the last typed die back."""
        if isinstance(self.ask, Roll) and self.faces:
            self.faces.pop()
            self.query_one(DiceFaces).show(self.ask.table.dice, self.faces)

    # --- choices and entries --------------------------------------------------------------------

    def _show_choices(self, ask: Ask[Any]) -> None:
        listed = self.query_one("#choices", OptionList)
        listed.clear_options()
        self._rows, self._pointed = dict(self._options(ask)), None
        listed.add_options(Option(_row(row, False), id=id) for id, row in self._rows.items())
        listed.highlighted = self._default_at(ask)
        listed.focus()
        self._show_hint(None)

    def _show_hint(self, item: str | None) -> None:
        """What may be typed: about any item of several, or about the one in hand."""
        ask = self.ask
        hint = ""
        if isinstance(ask, Enter):
            hint = ask.form.hint or ask.hint
        elif isinstance(ask, Several) and ask.items:
            form = (ask.item(item) if item else ask.items[0]).form
            hint = f"{'' if item else 'Each: '}{form.hint or ask.hint}"
        shown = self.query_one("#hint", Static)
        shown.display = bool(hint)
        shown.update(Content.styled(hint, "dim"))

    def _options(self, ask: Ask[Any]) -> list[tuple[str, Content]]:
        """The rows of the list, each with its id."""
        if isinstance(ask, Choose):
            return [
                (str(at), _choice(one.label, one.raw == ask.default))
                for at, one in enumerate(ask.options)
            ]
        if isinstance(ask, Several):
            done = _several_told(len(self.given))
            rows = [(f"item:{item.subject}", self._item_row(item)) for item in ask.items]
            return [("default", _choice(done, not self.given)), *rows]
        assert isinstance(ask, Enter)
        self._plain = _whole_answers(ask, self.seat)
        rows = [
            (f"plain:{at}", _choice(one.words, one.raw == ask.default))
            for at, one in enumerate(self._plain)
        ]
        rows = rows or [("default", _choice(ask.form.told(ask.default), True))]
        return [*rows, ("other", Content(OTHER))]

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        """The row in hand has a pointer: it is told without colour."""
        event.stop()
        before, self._pointed = self._pointed, event.option_id
        for id in (before, self._pointed):
            if id is not None and id in self._rows:
                self._write_row(id, self._rows[id])

    def _write_row(self, id: str, row: Content) -> None:
        self._rows[id] = row
        shown = _row(row, id == self._pointed)
        self.query_one("#choices", OptionList).replace_option_prompt(id, shown)

    def _item_row(self, item: Item) -> Content:
        if item.subject not in self.given:
            return Content(item.words)
        told = item.form.told(self.given[item.subject])
        return Content.assemble(("✓ ", "bold $accent"), item.words, (f"  → {told}", "bold"))

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        self._select(str(event.option_id))

    def _select(self, id: str) -> None:
        ask = self.ask
        if isinstance(ask, Choose):
            self._answer(ask.options[int(id)].raw)
        elif isinstance(ask, Several):
            if id == "default":
                self._answer(dict(self.given))
            else:
                self._open_entry(id.removeprefix("item:"), "")
        elif isinstance(ask, Enter):
            if id == "default":
                self._answer(ask.default)
            elif id.startswith("plain:"):
                self._answer(self._plain[int(id.removeprefix("plain:"))].raw)
            else:
                self._open_entry(None, "")

    def _open_entry(self, item: str | None, text: str) -> None:
        """Opens the field, for one item of several or for the whole answer."""
        ask, view = self.ask, self.view
        if ask is None or view is None:
            return
        self._item = item
        likely = self._likely(ask, item)
        field = self.query_one("#entry", Input)
        field.suggester = SuggestFromList(likely, case_sensitive=False) if likely else None
        field.value = text
        field.display = True
        self.add_class("-entering")
        about = self.query_one("#about_item", Static)
        about.display = True
        about.update(_about_entry(item, likely))
        self._show_hint(item)
        field.focus()
        field.cursor_position = len(text)
        field.scroll_visible(animate=False)

    def _likely(self, ask: Ask[Any], item: str | None) -> list[str]:
        """What is likely to be typed, for completion."""
        if isinstance(ask, Several) and item is not None:
            form = ask.item(item).form
        elif isinstance(ask, Enter):
            form = ask.form
        else:
            return []
        return [one.typed for one in form.offered(self.seat)]

    def _close_entry(self) -> None:
        self.remove_class("-entering")
        self.query_one("#entry", Input).display = False
        self.query_one("#about_item").display = False

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        ask, view = self.ask, self.view
        if ask is None or view is None:
            return
        try:
            if isinstance(ask, Several) and self._item is not None:
                self._give_item(ask, self._item, event.value)
            else:
                self._answer(ask.parse(event.value))
        except Refused as refused:
            self.refuse(str(refused))

    def _give_item(self, ask: Several[Any], item: str, text: str) -> None:
        """Notes the answer about an item, if the question allows it beside the others."""
        given = {key: raw for key, raw in self.given.items() if key != item}
        if text.strip():
            given[item] = ask.item(item).form.parse(text)
        ask.read(given)
        self.given = {key: given[key] for key in ask.subjects if key in given}
        self.refuse("")
        self._write_row("default", _choice(_several_told(len(given)), not given))
        self._write_row(f"item:{item}", self._item_row(ask.item(item)))
        self._leave_entry()
        listed = self.query_one("#choices", OptionList)
        listed.highlighted = min(listed.get_option_index(f"item:{item}") + 1, len(self._rows) - 1)

    def _leave_entry(self) -> None:
        """Back from the field to the list."""
        self._close_entry()
        self._show_hint(None)
        self.query_one("#choices").focus()

    def on_key(self, event: events.Key) -> None:
        if event.key == "escape" and self.query_one("#entry").display:
            event.stop()
            self._leave_entry()
            self.refuse("")

    # --- answering ------------------------------------------------------------------------------

    def _answer(self, raw: Raw) -> None:
        ask = self.ask
        if ask is None:
            return
        try:
            ask.read(raw)
        except Refused as refused:
            self.faces = []
            self.refuse(str(refused))
            return
        self.refuse("")
        self.post_message(self.Answered(ask, raw))

    def _default_at(self, ask: Ask[Any]) -> int:
        raws = [one.raw for one in self._plain] if isinstance(ask, Enter) else []
        if isinstance(ask, Choose):
            raws = [one.raw for one in ask.options]
        default = ask.default if isinstance(ask, Choose | Enter) else None
        return raws.index(default) if default in raws else 0


def _row(row: Content, pointed: bool) -> Content:
    return Content.assemble(("› " if pointed else "  ", "bold"), row)


def _choice(label: str, default: bool) -> Content:
    return Content.assemble(label, ("  (default)", "dim") if default else "")


def _whole_answers(ask: Enter[Any], seat: Side | None) -> list[Candidate]:
    """The answers to an entry that can be listed, the default among them; none if there are too
    many, or if they are only parts of an answer."""
    offered = [] if ask.form.joined else ask.form.offered(seat)
    listed = len(offered) <= MOST_ANSWERS and ask.default in [one.raw for one in offered]
    return offered if listed else []


def _several_told(number: int) -> str:
    return f"Go on with the {number} entered" if number else "Go on: nothing to enter"


def _about_entry(item: str | None, likely: Sequence[str]) -> Content:
    """The line over the field: what is entered, what is likely, and the keys."""
    able = f"({', '.join(likely[:8])}{' …' if len(likely) > 8 else ''}) " if likely else ""
    told = Content.styled(f"{able}Enter takes it, Esc goes back", "dim")
    return Content.assemble((f"{item} ", "bold"), told) if item else told
