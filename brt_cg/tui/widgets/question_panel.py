"""The question in hand: whose it is, what is rolled or chosen, and the answer as it is given.

Answers are picked from lists; what is typed filters them, or is an answer in short. The panel hands
an answer on (`Answered`); what is refused is told at the field, and the question stands.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, cast

from textual import events, work
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.message import Message
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from brt_cg.asks import Ask, Candidate, Choose, Enter, Pointed, Raw, Refused, Roll, Several
from brt_cg.board import OFF_MAP
from brt_cg.campaign import Campaign, ground
from brt_cg.counters import Side
from brt_cg.dice import Dice, read_faces
from brt_cg.exports.wording import state_told
from brt_cg.tui.campaign_app import CampaignApp
from brt_cg.tui.fit import is_low
from brt_cg.tui.map.pointing import Pointing, spots_of
from brt_cg.tui.picking import Picking, words_of
from brt_cg.tui.widgets.dice_face import DiceFaces, modifiers_content
from brt_cg.tui.widgets.odds_bars import OddsBars
from brt_cg.tui.widgets.rows import Rows

BADGES = {Side.MARINE: "★ Marine", Side.JAPANESE: "● Japanese"}
OTHER = "something else…"
PICK = "pick or type another answer…"
MOST_ANSWERS = 12  # that are listed; where there are more they are typed


class QuestionPanel(Vertical):
    """One question of any kind. `show_ask` shows it, `show_words` a page of words instead."""

    @dataclass
    class Answered(Message):
        """An answer that the question allows, as it stands in an answers file."""

        ask: Ask[Any]
        raw: Raw

    def __init__(self, id: str | None = None) -> None:
        super().__init__(id=id)
        self.ask: Ask[Any] | None = None
        self.view: Campaign | None = None
        self.faces: list[int] = []
        self._told = ("", "")  # the title of the paragraph, and its summary
        self.given: dict[str, Raw] = {}
        self._told_given: dict[str, str] = {}  # by item, its answer in words
        self._marked: set[str] = set()  # items that the next answer goes to
        self._found = ""  # the words that items are found by
        self._picking: Picking | None = None
        self._rows: dict[str, Content] = {}
        self._pointed: str | None = None
        self._plain: list[Candidate] = []
        self.seat: Side | None = None

    def compose(self) -> ComposeResult:
        with VerticalScroll(id="above", can_focus=False):
            yield Static(id="paragraph")
            yield Static(id="who")
            with Horizontal(id="dice"):
                yield DiceFaces()
                yield Static(id="modifiers")
            yield OddsBars()
        yield Rows(id="choices", markup=False)
        # What is typed, refused and come of stands at the foot, where it is always in sight.
        with Vertical(id="foot"):
            yield Static(id="about_item")
            yield Input(id="entry", compact=True)
            yield Static(id="hint")
            yield Static(id="problem")
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
        self.ask, self.view, self.faces, self.seat = ask, view, [], seat
        self.given, self._told_given, self._marked, self._found = {}, {}, set(), ""
        self._dress(ask.side, BADGES[ask.side], ask.secret)
        self.query_one("#who", Static).update(self._who(ask, view))
        self._parts(isinstance(ask, Roll), not isinstance(ask, Roll))
        if isinstance(ask, Roll):
            self._show_roll(ask)
        else:
            self._show_choices(ask)

    def show_words(self, title: str, words: Content, doing: Content, side: Side | None) -> None:
        """Shows what is to be done where no question stands."""
        self.ask = None
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
        for other in Side:
            self.set_class(other is side, other.value)
        self.border_title = badge
        self.border_subtitle = f"secret of the {secret.label} side" if secret else ""

    def _head(self, title: str, summary: str) -> None:
        self._told = (title, summary)
        self._write_head(title, summary)
        if summary:
            self.call_after_refresh(self._leave_out_the_summary)

    def _leave_out_the_summary(self) -> None:
        """What is asked goes before the words of the paragraph, where there is no room for both."""
        if self.query_one("#above").max_scroll_y:
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
        self.set_class(choices, "-choices")
        self._close_entry()
        self.refuse("")
        self.query_one("#above").scroll_home(animate=False)

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
        if message and self.faces:
            self.faces = []
            self.fit()

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
        for id in self._rows:
            self.query_one("#choices", OptionList).replace_option_prompt(id, self._written(id))

    def type_digit(self, digit: int) -> None:
        """Takes a die as it fell on the table, or begins an entry with a digit."""
        if isinstance(self.ask, Enter):
            self._pick((), str(digit))
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

    # --- the list -------------------------------------------------------------------------------

    @work(group="desk")
    async def _show_choices(self, ask: Ask[Any]) -> None:
        """The answers, or the items that may be answered for."""
        self._plain, default = [], ""
        if isinstance(ask, Enter):
            self._plain, default = await self._brt.session.consult(lambda _: self._whole(ask))
        if ask is not self.ask:
            return
        self._fill(self._options(ask, default), self._default_at(ask))
        self._show_hint()

    def _whole(self, ask: Enter[Any]) -> tuple[list[Candidate], str]:
        """The answers to an entry that can be listed, and the default in words. What the rules tell
        of a question is asked in the desk's thread."""
        return _whole_answers(ask, self.seat), ask.form.told(ask.default)

    def _fill(self, rows: list[tuple[str, Content]], at: int) -> None:
        listed = self.query_one("#choices", OptionList)
        self._rows, self._pointed = dict(rows), None
        listed.clear_options()
        listed.add_options(Option(self._written(id), id=id) for id, _ in rows)
        listed.highlighted = min(at, len(rows) - 1) if rows else None
        if self._picking is None and not self._is_finding:
            listed.focus()

    def _options(self, ask: Ask[Any], default: str = "") -> list[tuple[str, Content]]:
        """The rows of the list, each with its id."""
        if isinstance(ask, Choose):
            return [
                (str(at), _choice(option.label, option.raw == ask.default))
                for at, option in enumerate(ask.options)
            ]
        if isinstance(ask, Several):
            done = _several_told(len(self.given), len(ask.items))
            words = self._found.lower().split()
            found = [
                item for item in ask.items if all(word in item.words.lower() for word in words)
            ]
            rows = [
                (f"item:{item.subject}", self._item_row(item.subject, item.words)) for item in found
            ]
            return [("default", _choice(done, not self.given)), *rows]
        assert isinstance(ask, Enter)
        rows = [
            (f"plain:{at}", _choice(option.words, option.raw == ask.default))
            for at, option in enumerate(self._plain)
        ]
        if rows:
            return [*rows, ("other", Content(OTHER))]
        return [("default", _choice(default, True)), ("other", Content(PICK))]

    def _item_row(self, subject: str, words: str) -> Content:
        mark = ("■ ", "bold $accent") if subject in self._marked else ""
        if subject not in self.given:
            return Content.assemble(mark, words)
        told = self._told_given[subject]
        return Content.assemble(mark, ("✓ ", "bold $accent"), words, (f"  → {told}", "bold"))

    def _show_hint(self) -> None:
        """What may be typed for what is being picked; else what the keys do."""
        ask, picking, hint = self.ask, self._picking, ""
        if picking is not None and isinstance(ask, Enter | Several):
            hint = picking.form.hint or ask.hint
            hint += " · F4: point on the map" if picking.form.pointed else ""
        elif isinstance(ask, Several):
            point = " · m: point on the map" if self.can_point() else ""
            hint = f"Enter: pick its answer · Space: mark several · / find{point}"
        shown = self.query_one("#hint", Static)
        shown.display = bool(hint)
        shown.update(Content.styled(hint, "dim"))

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        """The row in hand has a pointer: it is told without colour."""
        event.stop()
        before, self._pointed = self._pointed, event.option_id
        for id in (before, self._pointed):
            if id is not None and id in self._rows:
                listed = self.query_one("#choices", OptionList)
                listed.replace_option_prompt(id, self._written(id))
        if isinstance(self.ask, Several):
            self._show_hint()

    def _written(self, id: str) -> Content:
        """A row with its pointer; its later lines hang."""
        width = self.query_one("#choices").scrollable_content_region.width
        lines = self._rows[id].wrap(width - 5) if width > 20 else [self._rows[id]]
        pointer = ("› " if id == self._pointed else "  ", "bold")
        return Content.assemble(pointer, Content("\n    ").join(lines))

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        self._select(str(event.option_id))

    def _select(self, id: str) -> None:
        ask = self.ask
        kind, _, name = id.partition(":")
        if self._picking is not None:
            self._take_row(kind, name)
        elif isinstance(ask, Choose):
            self._answer(ask.options[int(id)].raw)
        elif isinstance(ask, Several):
            if kind == "default":
                self._answer(dict(self.given))
            else:
                self._pick(tuple(sorted({name, *self._marked})), "")
        elif isinstance(ask, Enter):
            if kind == "default":
                self._answer(ask.default)
            elif kind == "plain":
                self._answer(self._plain[int(name)].raw)
            else:
                self._pick((), "")

    # --- picking --------------------------------------------------------------------------------

    @work(group="desk")
    async def _pick(self, items: tuple[str, ...], text: str) -> None:
        """Opens the field and the candidates, for items of several or for the whole answer."""
        ask = self.ask
        if isinstance(ask, Several):
            form = ask.item(items[0]).form
        elif isinstance(ask, Enter):
            form = ask.form
        else:
            return
        offered = await self._brt.session.consult(lambda _: form.offered(self.seat))
        if ask is not self.ask:
            return
        given = any(item in self.given for item in items)
        self._picking = Picking(form, offered, items, given)
        self._open_entry(self._about(ask, items), text)
        self._show_candidates()
        self._show_hint()

    def _about(self, ask: Ask[Any], items: tuple[str, ...]) -> str:
        if isinstance(ask, Several) and items:
            more = f", and {len(items) - 1} more" if len(items) > 1 else ""
            return f"{ask.item(items[0]).words}{more}"
        return ""

    def _open_entry(self, about: str, text: str) -> None:
        field = self.query_one("#entry", Input)
        with field.prevent(Input.Changed):
            field.value = text
        field.placeholder = "type to find, or an answer in short"
        field.display = True
        self.add_class("-entering")
        shown = self.query_one("#about_item", Static)
        shown.display = True
        keys = Content.styled("↑↓ Enter pick, Esc goes back", "dim")
        shown.update(Content.assemble((f"{about}  ", "bold"), keys) if about else keys)
        field.focus()
        field.cursor_position = len(text)

    def _show_candidates(self) -> None:
        picking = self._picking
        if picking is None:
            return
        rows: list[tuple[str, Content]] = []
        if picking.picked:
            rows.append(("done:", Content(f"Go on with: {words_of(picking.picked)}")))
        if picking.given:
            rows.append(("back:", Content("nothing for it: take its answer back")))
        text = self.query_one("#entry", Input).value
        first = len(rows) if text.strip() else 0  # what is typed looks for one more
        for at, candidate in picking.fitting(text):
            tick = ("✓ ", "bold $accent") if candidate in picking.picked else ""
            rows.append((f"pick:{at}", Content.assemble(tick, candidate.words)))
        self._fill(rows, first)

    def _take_row(self, kind: str, name: str) -> None:
        picking = self._picking
        assert picking is not None, "only while something is picked"
        if kind == "back":
            self._give(picking.items, None)
        elif kind == "done":
            self._take(picking, picking.joined())
        elif picking.joins:
            picking.toggle(picking.offered[int(name)])
            self.query_one("#entry", Input).value = ""
            self._show_candidates()
        else:
            self._take(picking, picking.offered[int(name)].raw)

    def _take(self, picking: Picking, raw: Raw) -> None:
        """An answer for what is being picked: for items it is noted, else it is the answer."""
        if picking.items:
            self._give(picking.items, (raw,))
        else:
            self._answer(raw)

    @property
    def _is_finding(self) -> bool:
        return self.has_class("-finding")

    def on_input_changed(self, event: Input.Changed) -> None:
        event.stop()
        if self._picking is not None:
            self._show_candidates()
        elif self._is_finding and self.ask is not None:
            self._found = event.value
            self._fill(self._options(self.ask), 1)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        if self._is_finding:
            self._leave_entry()
        else:
            self._enter_text(event.value)

    @work(group="desk")
    async def _enter_text(self, text: str) -> None:
        """The candidate that is typed in full, else the answer in short, else the row in hand."""
        picking, ask = self._picking, self.ask
        if picking is None or ask is None:
            return
        exact = picking.typed_in_full(text)
        if exact is not None and not picking.joins:
            self._take(picking, exact.raw)
            return
        pointed = self._pointed if self._pointed in self._rows else None
        if text.strip():
            try:
                raw = await self._brt.session.consult(lambda _: self._read(picking, text))
            except Refused as refused:
                if pointed is None or not picking.fitting(text):
                    self.refuse(str(refused))
                    return
            else:
                self._take(picking, raw)
                return
        if pointed is not None:
            self._select(pointed)
        elif isinstance(ask, Enter) and not text.strip():
            self._answer(ask.default)

    def _read(self, picking: Picking, text: str) -> Raw:
        """What is typed, as an answer that the question allows. Raises Refused."""
        ask = self.ask
        assert ask is not None, "a question stands while something is typed for it"
        if not picking.items:
            raw = ask.parse(text)
            ask.read(raw)
            return raw
        raw = picking.form.parse(text)
        ask.read(self.given | dict.fromkeys(picking.items, raw))
        return raw

    @work(group="desk")
    async def _give(self, items: tuple[str, ...], answer: tuple[Raw] | None) -> None:
        """Notes the answer for some items, if the question allows it beside the others; None takes
        what they had back."""
        ask = self.ask
        if not isinstance(ask, Several):
            return
        given = {key: raw for key, raw in self.given.items() if key not in items}
        if answer is not None:
            given |= dict.fromkeys(items, answer[0])
        try:
            self._told_given = await self._brt.session.consult(lambda _: _told(ask, given))
        except Refused as refused:
            self.refuse(str(refused))
            return
        self.given = {key: given[key] for key in ask.subjects if key in given}
        self._marked.clear()
        self.refuse("")
        self._leave_entry()
        ids = [*self._rows]
        at = ids.index(f"item:{items[-1]}") + 1 if f"item:{items[-1]}" in ids else 0
        self.query_one("#choices", OptionList).highlighted = min(at, len(ids) - 1)

    def _close_entry(self) -> None:
        self._picking = None
        self.remove_class("-entering", "-finding")
        self.query_one("#entry", Input).display = False
        self.query_one("#about_item").display = False

    def _leave_entry(self) -> None:
        """Back from the field to the list."""
        self._close_entry()
        if self.ask is not None and not isinstance(self.ask, Enter):
            at = self.query_one("#choices", OptionList).highlighted or 0
            self._fill(self._options(self.ask), at)
        elif self.ask is not None:
            self._show_choices(self.ask)
        self._show_hint()
        self.query_one("#choices").focus()

    def on_key(self, event: events.Key) -> None:
        """Over the field the arrows go through the list; Space marks an item, / finds some."""
        listed = self.query_one("#choices", Rows)
        typing = self.query_one("#entry").display
        if typing and event.key in ("up", "down"):
            event.stop()
            listed.action_cursor_up() if event.key == "up" else listed.action_cursor_down()
        elif typing and event.key == "escape":
            event.stop()
            self._found = ""
            self.refuse("")
            self._leave_entry()
        elif not typing and isinstance(self.ask, Several) and event.key in ("space", "slash"):
            event.stop()
            self._find() if event.key == "slash" else self._mark(listed)

    def _find(self) -> None:
        self.add_class("-finding")
        self._open_entry("Find", self._found)

    def _mark(self, listed: Rows) -> None:
        kind, _, subject = str(self._pointed).partition(":")
        if kind == "item" and isinstance(self.ask, Several):
            self._marked ^= {subject}
            at = listed.highlighted or 0
            self._fill(self._options(self.ask), at + 1)

    # --- pointing -------------------------------------------------------------------------------

    def can_point(self) -> bool:
        """Whether the row in hand, or what is being picked, is pointed at on the map."""
        ask = self.ask
        if isinstance(ask, Choose):
            return any(option.spot for option in ask.options)
        if self._picking is not None:
            return self._picking.form.pointed is not None
        kind, _, subject = str(self._pointed).partition(":")
        if kind != "item" or not isinstance(ask, Several):
            return False
        how = ask.item(subject).form.pointed
        return how is not None and how.made is not None

    @work(group="desk")
    async def point(self) -> None:
        """Points at the answer on the map."""
        ask, picking = self.ask, self._picking
        if isinstance(ask, Choose):
            self._go_and_point(Pointing(ask.prompt, Pointed(), spots_of(ask)), self._answer)
            return
        if picking is None and isinstance(ask, Several):
            subject = str(self._pointed).partition(":")[2]
            items = tuple(sorted({subject, *self._marked}))
            picking = Picking(ask.item(items[0]).form, (), items)
        if picking is None or ask is None or picking.form.pointed is None:
            return
        offered = picking.offered
        if not offered:
            form = picking.form
            offered = await self._brt.session.consult(lambda _: form.offered(self.seat))
        if ask is not self.ask:
            return
        placed = [candidate for candidate in offered if candidate.spots]
        title = self._about(ask, picking.items) or ask.prompt
        start = self._start(picking.items[0] if picking.items else ask.counter)
        pointing = Pointing(title, picking.form.pointed, placed, start=start)
        if pointing.how.made is None and not placed:
            pointing.how = Pointed(pointing.how.parts, lambda at: at[0])
            self._go_and_point(pointing, self._write_location)
        else:
            chosen = picking
            self._go_and_point(pointing, lambda raw: self._take_pointed(chosen, raw))

    def _go_and_point(self, pointing: Pointing, then: Callable[[Raw], None]) -> None:
        from brt_cg.tui.screens.pointing import PointScreen

        ask = self.ask

        def take(raw: Raw) -> None:
            if ask is self.ask:
                then(raw)

        _ = self.app.push_screen(PointScreen(pointing, take, self._judge_pointed))

    def _start(self, id: str | None) -> str | None:
        """The hex that a counter is in, or was."""
        counter = self.view.find(id) if self.view and id else None
        places = (counter and counter.location, getattr(counter, "recorded_location", None))
        known = (place for place in places if place and place != OFF_MAP)
        return next((ground(place) for place in known), None)

    async def _judge_pointed(self, raw: Raw) -> None:
        """Refuses an answer that the question does not allow, beside what was given before."""
        ask, pointed_item = self.ask, str(self._pointed).partition(":")[2]
        if isinstance(ask, Several):
            items = self._picking.items if self._picking else (pointed_item, *self._marked)
            whole = self.given | dict.fromkeys(items, raw)
            await self._brt.session.consult(lambda _: ask.read(whole))

    def _take_pointed(self, picking: Picking, raw: Raw) -> None:
        """An answer from the map: one more of those that are joined, or the whole of it."""
        if picking.joins:
            picking.toggle(next(known for known in picking.offered if known.raw == raw))
            self._show_candidates()
            self.query_one("#entry", Input).focus()
        else:
            self._take(picking, raw)

    def _write_location(self, raw: Raw) -> None:
        """A Location from the map, where the cursor stands in what is typed."""
        field = self.query_one("#entry", Input)
        field.insert_text_at_cursor(str(raw))
        field.focus()

    # --- answering ------------------------------------------------------------------------------

    @property
    def _brt(self) -> CampaignApp:
        return cast(CampaignApp, self.app)

    def _answer(self, raw: Raw) -> None:
        if self.ask is not None:
            self.refuse("")
            self.post_message(self.Answered(self.ask, raw))

    def _default_at(self, ask: Ask[Any]) -> int:
        raws = [option.raw for option in self._plain] if isinstance(ask, Enter) else []
        if isinstance(ask, Choose):
            raws = [option.raw for option in ask.options]
        default = ask.default if isinstance(ask, Choose | Enter) else None
        return raws.index(default) if default in raws else 0


def _choice(label: str, default: bool) -> Content:
    return Content.assemble(label, ("  (default)", "dim") if default else "")


def _whole_answers(ask: Enter[Any], seat: Side | None) -> list[Candidate]:
    """The answers to an entry that can be listed, the default among them; none if there are too
    many, or if they are only parts of an answer."""
    offered = [] if ask.form.joined else ask.form.offered(seat)
    listed = len(offered) <= MOST_ANSWERS and ask.default in [option.raw for option in offered]
    return offered if listed else []


def _several_told(number: int, of: int) -> str:
    rest = ", the rest as usual" if number < of else ""
    return f"Go on with the {number} of {of} entered{rest}" if number else "Go on: all as usual"


def _told(ask: Several[Any], given: dict[str, Raw]) -> dict[str, str]:
    """The answers for items in words, once the question allows them. Raises Refused."""
    ask.read(given)
    return {item: ask.item(item).form.told(raw) for item, raw in given.items()}
