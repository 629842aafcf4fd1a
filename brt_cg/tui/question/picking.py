"""The list for a question: its rows, which of them are found, marked and answered, and the
candidates for one answer, filtered while the player types."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from textual.content import Content

from brt_cg.journal.coming import Coming
from brt_cg.model.counters import Side
from brt_cg.questions.answers import Called, Candidate, Form, Raw
from brt_cg.questions.asks import Ask, Choose, Enter, Item, Several
from brt_cg.tui.lists.found import holds
from brt_cg.tui.lists.marking import Marked
from brt_cg.tui.question.placing import Changes, Noted

MOST_SHOWN = 200  # candidates; the player finds others by typing more
MOST_ANSWERS = 12  # answers that are listed; if there are more, they are typed
MANY_OPTIONS = 8  # options from which the hint mentions the search
OTHER = "something else…"
NAME = "name"  # the ids of rows that name a counter begin so
PICK = "pick or type another answer…"


@dataclass(slots=True)
class Picking:
    """The picking of an answer for some items of a question, or (no items) for all of it.

    `offered` are the candidates; `picked` those picked so far, where several may be joined; `given`
    means that there is an answer already, which can be removed. `named` are the counters that the
    typed text may name, listed where no candidate fits it.
    """

    form: Form
    offered: Sequence[Candidate]
    items: tuple[str, ...] = ()
    given: bool = False
    picked: list[Candidate] = field(default_factory=list)
    named: Sequence[Called] = ()

    def toggle(self, candidate: Candidate) -> None:
        """Picks a candidate, or drops it again."""
        if candidate in self.picked:
            self.picked.remove(candidate)
        else:
            self.picked.append(candidate)

    @property
    def joins(self) -> bool:
        """Whether several candidates may be picked at once."""
        return self.form.joined is not None

    def rows(self, text: str) -> tuple[list[tuple[str, Content]], int]:
        """The rows for the typed text, each with its id, and the index of the row to select."""
        rows: list[tuple[str, Content]] = []
        if self.picked:
            words = "; ".join(candidate.words for candidate in self.picked)
            rows.append(("done:", Content(f"Go on with: {words}")))
        if self.given:
            rows.append(("back:", Content("remove this answer")))
        first = len(rows) if text.strip() else 0  # typed text finds another one
        for at, candidate in fitting(self.offered, text):
            tick = ("✓ ", "bold $accent") if candidate in self.picked else ""
            rows.append((f"pick:{at}", Content.assemble(tick, candidate.words)))
        return rows or self._naming(text), first

    def _naming(self, text: str) -> list[tuple[str, Content]]:
        """The rows for the counters that may be named where the text ends: at the beginning of an
        answer, or after "="."""
        begun, word = _last_word(text)
        if begun[-1:] not in ("", ";", "="):
            return []
        about = ((each, f"{each.sort} {each.words}".strip()) for each in self.named)
        found = [(each.id, words) for each, words in about if holds(words, word)]
        return [(f"{NAME}:{id}", Content(words)) for id, words in found[:MOST_SHOWN]]

    def naming(self, text: str, id: str) -> str:
        """The text with the counter's id in place of its last word."""
        return f"{text.removesuffix(_last_word(text)[1])}{id} "

    def joined(self) -> Raw:
        """The picked candidates as one answer."""
        assert self.form.joined is not None, "only where several may be picked"
        return self.form.joined([candidate.raw for candidate in self.picked])


def _last_word(text: str) -> tuple[str, str]:
    """What stands before the last word of a text, without blanks at its end, and that word."""
    word = re.split(r"[\s;=]", text)[-1]
    return text.removesuffix(word).rstrip(), word


def fitting(offered: Sequence[Candidate], text: str) -> list[tuple[int, Candidate]]:
    """The first MOST_SHOWN candidates that contain every word of a text, each with its index: first
    those about what the text names, then those that only name it beside something else."""
    found = [
        (at, candidate)
        for at, candidate in enumerate(offered)
        if holds(f"{candidate.words} {candidate.typed}", text)
    ]
    found.sort(key=lambda each: not _is_about(each[1], text))
    return found[:MOST_SHOWN]


def _is_about(candidate: Candidate, text: str) -> bool:
    """Whether an answer is about what a text names, which stands before its colon."""
    about, colon, _ = candidate.words.partition(": ")
    start = text.strip().lower()
    return candidate.words.lower().startswith(start) or bool(colon and holds(about, text))


def typed_in_full(offered: Sequence[Candidate], text: str) -> Candidate | None:
    """The candidate whose typed form is the whole text, if any."""
    wanted = text.strip().lower()
    return next((candidate for candidate in offered if candidate.typed.lower() == wanted), None)


# --- questions of one kind ------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class AskGroup(Several[dict[str, Any]]):
    """Questions of one kind about many counters, shown as one list although the rules ask them one
    by one. `asks` are the questions by subject, in the order of asking; `usual` their defaults in
    words; `ready` the answers given in advance in an earlier list, and `worded` these in words."""

    asks: dict[str, Choose[Any] | Enter[Any]]
    usual: dict[str, str]
    ready: dict[str, Raw]
    worded: dict[str, str]

    def ticked(self, subject: str) -> tuple[Raw] | None:
        """The only answer besides the default, as a tuple of one; None if there are more."""
        ask = self.asks[subject]
        options = ask.options if isinstance(ask, Choose) else ()
        others = [option.raw for option in options if option.raw != ask.default]
        return (others[0],) if len(others) == 1 else None

    @property
    def gives_up(self) -> bool:
        return all(ask.gives_up for ask in self.asks.values())

    @property
    def common(self) -> str:
        """The default in words, if all the questions share it; otherwise ""."""
        usual = {*self.usual.values()}
        return usual.pop() if len(usual) == 1 else ""

    @property
    def is_ticked(self) -> bool:
        """Whether each question has exactly one answer besides its default."""
        return all(self.ticked(subject) for subject in self.asks)


def together(coming: Coming, ready: dict[str, Raw]) -> AskGroup | None:
    """Makes one list of several questions of one kind (or None): work for the desk's thread."""
    asks = {ask.subject: ask for ask in coming.asks if isinstance(ask, Choose | Enter)}
    if len(asks) < 2:
        return None
    first, (_, colon, what) = coming.asks[0], coming.asks[0].prompt.partition(": ")
    alike = all(ask.prompt.endswith(colon + what) for ask in asks.values())
    forms = {subject: _form(ask) for subject, ask in asks.items()}

    def words(ask: Ask[Any]) -> str:
        doubt = " (if it comes to it)" if ask.subject in coming.doubtful else ""
        return (ask.prompt.partition(": ")[0] if alike else ask.prompt) + doubt

    def read(raw: dict[str, Raw]) -> dict[str, Any]:
        return {subject: asks[subject].read(answer) for subject, answer in raw.items()}

    return AskGroup(
        rule=first.rule,
        subject=first.subject,
        side=first.side,
        prompt=f"{len(asks)} similar questions{colon + what if alike else ''}",
        secret=first.secret,
        items=tuple(Item(key, words(ask), forms[key]) for key, ask in asks.items()),
        reader=read,
        hint="an answer for each",
        of_equals=any(ask.of_equals for ask in asks.values()),
        asks=asks,
        usual={key: forms[key].worded(ask.default) for key, ask in asks.items()},
        ready=ready,
        worded={key: forms[key].worded(raw) for key, raw in ready.items()},
    )


def _form(ask: Choose[Any] | Enter[Any]) -> Form:
    """The form of one question within the list."""
    if isinstance(ask, Enter):
        return replace(ask.form, hint=ask.form.hint or ask.hint, typed=ask.parse)
    offered = ask.candidates
    return Form(
        typed=ask.parse,
        worded=lambda raw: next((each.words for each in offered if each.raw == raw), str(raw)),
        candidates=lambda: offered,
    )


# --- the rows of a question -----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Offered:
    """What a question offers: `plain` are the answers to a choice, or to an entry if they can be
    listed; `default` is the default of an entry in words."""

    plain: Sequence[Candidate] = ()
    default: str = ""


NOTHING = Offered()


def offered_by(ask: Ask[Any] | None, seat: Side | None, at_table: bool = False) -> Offered:
    """What a question offers a seat, where two players look only what both may know: work for the
    desk's thread."""
    if isinstance(ask, Choose):
        return Offered(ask.candidates)
    if isinstance(ask, Enter):
        return Offered(_whole_answers(ask, seat, at_table), ask.form.worded(ask.default))
    return NOTHING


@dataclass(slots=True)
class AnswerRows:
    """The possible answers to a question other than a roll, and those given so far.

    `noted` holds the answers for the items of a question about several; `marked` are the items to
    answer next; `found` holds the words of the search.
    """

    ask: Ask[Any]
    offered: Offered = NOTHING
    noted: Noted | None = None
    marked: Marked = field(default_factory=Marked)
    found: str = ""

    def __post_init__(self) -> None:
        if isinstance(self.ask, AskGroup):
            self.noted = Noted(self.ask, dict(self.ask.ready), dict(self.ask.worded))
        elif isinstance(self.ask, Several):
            self.noted = Noted(self.ask)

    @property
    def given(self) -> dict[str, Raw]:
        """The answers given so far, by item."""
        return self.noted.given if self.noted is not None else {}

    def stands_for(self, ask: Ask[Any]) -> bool:
        """Whether this is the same question, by itself or as the first of its list."""
        return _first_ask(self.ask) is _first_ask(ask)

    def rows(self) -> list[tuple[str, Content]]:
        """The rows of the list, each with its id. What gives something up is no row, but has a key
        of its own."""
        ask = self.ask
        if isinstance(ask, Several):
            found = (item for item in ask.items if holds(item.words, self.found))
            rows = [(f"item:{item.subject}", self._item_row(item)) for item in found]
            return rows if ask.gives_up else [("default", Content(self._go_on_row(ask))), *rows]
        assert isinstance(ask, Choose | Enter)
        if ask.buying:
            return []
        listed = [
            (f"plain:{at}", _choice_row(answer.words, answer.raw == ask.default))
            for at, answer in enumerate(self.offered.plain)
            if holds(answer.words, self.found)
        ]
        if isinstance(ask, Choose) or ask.form.only:
            return listed
        if listed:
            return [*listed, ("other", Content(OTHER))]
        usual = [] if ask.gives_up else [("default", _choice_row(self.offered.default, True))]
        return [*usual, ("other", Content(PICK))]

    def default_at(self) -> int | None:
        """The index of the row to select: of the default; None where it is as good as any other, or
        gives something up."""
        ask = self.ask
        if isinstance(ask, Several):
            return 1 if ask.of_equals and not ask.gives_up else 0
        if (ask.of_equals or ask.gives_up) and self.offered.plain:
            return None
        raws = [answer.raw for answer in self.offered.plain]
        default = ask.default if isinstance(ask, Choose | Enter) else None
        return raws.index(default) if default in raws else 0

    @property
    def let_go(self) -> tuple[str, Raw] | None:
        """What gives up what the side may still do here, with what was given so far: in words, and
        as an answer; None if nothing does."""
        ask = self.ask
        if not ask.gives_up:
            return None
        if isinstance(ask, Several):
            return self._go_on_row(ask), dict(self.given)
        if isinstance(ask, Choose):
            usual = next((each for each in ask.options if each.raw == ask.default), None)
            return (usual.label, ask.default) if usual is not None else None
        return (self.offered.default, ask.default) if isinstance(ask, Enter) else None

    def hint(self, map_key: str) -> str:
        """A hint about the keys, of which `map_key` opens the map."""
        if isinstance(self.ask, Several):
            ticks = isinstance(self.ask, AskGroup) and self.ask.is_ticked
            enter = "tick" if ticks else "give its answer"
            return f"Enter: {enter} · Space: mark · A: mark all · / find"
        if self.ask.buying:
            return ""
        digits = isinstance(self.ask, Choose) and self.default_at() is None
        keys = f"{'↑↓ or its number: choose' if digits else '↑↓ choose'} · Enter: answer"
        if isinstance(self.ask, Enter) and self.ask.form.painted:
            return f"{keys} · {map_key}: paint on the map"
        many = isinstance(self.ask, Choose) and len(self.ask.options) >= MANY_OPTIONS
        return f"{keys} · / find" if many else keys

    def mark(self, ids: Iterable[str]) -> None:
        """Marks the items of some rows, or unmarks them if all are marked."""
        self.marked.turn(id.partition(":")[2] for id in ids if id.startswith("item:"))

    def ticks(self, item: str) -> Changes | None:
        """The changes of a tick on the marked items, or else on this one: gives each its only
        answer besides the default, or removes all answers if each has one. None if it cannot."""
        ask, items = self.ask, self.marked.chosen(item)
        if not isinstance(ask, AskGroup) or not all(ask.ticked(each) for each in items):
            return None
        back = self.given.keys() >= {*items}
        return {each: None if back else ask.ticked(each) for each in items}

    def _item_row(self, item: Item) -> Content:
        mark = ("■ ", "bold $accent") if item.subject in self.marked.ids else ""
        worded = self.noted.worded.get(item.subject) if self.noted is not None else None
        if worded is None:
            ask, each = self.ask, ""
            if isinstance(ask, AskGroup) and not ask.common:
                each = f"  default: {ask.usual[item.subject]}"
            return Content.assemble(mark, item.words, (each, "dim"))
        return Content.assemble(mark, ("✓ ", "bold $accent"), item.words, (f"  → {worded}", "bold"))

    def _go_on_row(self, ask: Several[Any]) -> str:
        number, of = len(self.given), len(ask.items)
        if not isinstance(ask, AskGroup):
            return f"Go on with the {number} entered" if number else _capital(ask.none_text)
        common = f": {ask.common}" if ask.common else ""
        if not number:
            return f"Accept {'both' if of == 2 else f'all {of}'} defaults{common}"
        rest = f", the rest by default{common}" if number < of else ""
        return f"Go on with the {number} of {of} entered{rest}"


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]


def _first_ask(ask: Ask[Any]) -> Ask[Any]:
    return next(iter(ask.asks.values())) if isinstance(ask, AskGroup) else ask


def _choice_row(label: str, default: bool) -> Content:
    return Content.assemble(label, ("  (default)", "dim") if default else "")


def _whole_answers(ask: Enter[Any], seat: Side | None, at_table: bool) -> list[Candidate]:
    """The answers to an entry, if they can be listed and include the default; none if there are too
    many, or if they are only parts of an answer."""
    offered = [] if ask.form.joined else ask.form.offered(seat)
    offered = [each for each in offered if not (at_table and each.secret)]
    listed = len(offered) <= MOST_ANSWERS and ask.default in [answer.raw for answer in offered]
    return offered if listed else []
