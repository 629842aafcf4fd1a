"""The list for a question: its rows, found, marked and answered; and the candidates for one answer,
filtered while the player types."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from textual.content import Content

from brt_cg.immutable import immutable
from brt_cg.model import Side
from brt_cg.questions import (
    AnswerForm,
    Candidate,
    MultiQuestion,
    NamedCounter,
    Question,
    Raw,
    RefusedError,
)
from brt_cg.questions.partial_answers import Changes, PartialAnswers
from brt_cg.service.setup_answers import as_setup_question
from brt_cg.tui.lists.marks import MarkedRows
from brt_cg.tui.lists.search import contains_words
from brt_cg.views.question_name import QuestionName

MOST_SHOWN = 200  # candidates; the player finds others by typing more
OTHER = "something else…"
NAME = "name"  # the ids of rows that name a counter begin so
NUMBER = "number"  # those of rows with the numbers of counters
PICK = "pick or type another answer…"


@dataclass(slots=True)
class AnswerPicking:
    """The picking of an answer for some items of a question, or (no items) for all of it.

    `offered` are the candidates; `picked` are the candidates picked so far, if several may be
    joined; `given` means that there is an answer already, which can be removed. `named` are the
    counters that the typed text may name, listed if no candidate fits it.
    """

    form: AnswerForm
    offered: Sequence[Candidate]
    items: tuple[str, ...] = ()
    given: bool = False
    picked: list[Candidate] = field(default_factory=list)
    named: Sequence[NamedCounter] = ()

    def toggle(self, candidate: Candidate) -> None:
        """Pick a candidate, or drop it again."""
        if candidate in self.picked:
            self.picked.remove(candidate)
        else:
            self.picked.append(candidate)

    @property
    def can_pick_several(self) -> bool:
        """Whether several candidates may be picked together."""
        return self.form.joined is not None

    def rows(self, text: str) -> tuple[list[tuple[str, Content]], int]:
        """Return the rows for the typed text, each with its id, and the index of the row to
        select."""
        rows: list[tuple[str, Content]] = []
        if self.picked:
            words = "; ".join(candidate.words for candidate in self.picked)
            rows.append(("done:", Content(f"Continue with: {words}")))
        if self.given:
            rows.append(("back:", Content("remove this answer")))
        first = len(rows) if text.strip() else 0  # typed text finds another one
        if self.form.codes is not None and (not text.strip() or self.is_code(text)):
            return [*rows, *self._numbers()], first
        for at, candidate in matching_candidates(self.offered, text):
            tick = ("✓ ", "bold $accent") if candidate in self.picked else ""
            rows.append((f"pick:{at}", Content.assemble(tick, candidate.words)))
        return rows or self._naming(text), first

    def is_code(self, text: str) -> bool:
        """Whether the text is written in codes, right or wrong; false if it begins the name of a
        counter (M4A2)."""
        start = text.strip().lower()
        if any(each.words.lower().startswith(start) for each in self.offered):
            return False
        try:
            return self.form.parse_codes(text, self.named) is not None
        except RefusedError:
            return True

    def code_text(self, text: str) -> str:
        """Return the meaning of codes in words, with the candidates picked before; "" if the codes
        have none yet."""
        try:
            raw = self.parse_codes(text)
        except RefusedError:
            return ""
        return self.form.worded(self.joined_answer(raw)) if raw is not None else ""

    def parse_codes(self, text: str) -> Raw:
        """Return the answer that codes give, using the numbers that are shown; None if the text
        contains no codes. Raises RefusedError."""
        return self.form.parse_codes(text, self.named) if self.is_code(text) else None

    def _numbers(self) -> Iterator[tuple[str, Content]]:
        """Yield the rows of the counters with their numbers in codes."""
        for number, each in enumerate(self.named, start=1):
            words = Content.assemble((f"{number:>2}", "bold $accent"), f"  {each.display_name}")
            yield f"{NUMBER}:{each.id}", words

    def _naming(self, text: str) -> list[tuple[str, Content]]:
        """Return the rows for the counters that may be named where the text ends: at the beginning
        of an answer, or after "="."""
        begun, word = _last_word(text)
        if begun[-1:] not in ("", ";", "="):
            return []
        found = [
            (each.id, each.display_name)
            for each in self.named
            if contains_words(f"{each.display_name} {each.id}", word)
        ]
        return [(f"{NAME}:{id}", Content(words)) for id, words in found[:MOST_SHOWN]]

    def complete_name(self, text: str, id: str) -> str:
        """Return the text with the counter's name in place of its last word; its id if others have
        that name."""
        words = {each.id: each.display_name for each in self.named}
        called = words[id] if [*words.values()].count(words[id]) == 1 else id
        return f"{text.removesuffix(_last_word(text)[1])}{called} "

    def joined_answer(self, typed: Raw = None) -> Raw:
        """Return the picked candidates, and what was typed besides, as one answer."""
        if self.form.joined is None or not self.picked:
            return typed
        raws = [candidate.raw for candidate in self.picked]
        if typed is None:
            return self.form.joined(raws)
        try:
            return self.form.joined([*raws, typed])
        except (AttributeError, KeyError, TypeError):
            return typed  # text of another form, which the question refuses by itself

    def is_name_alone(self, text: str) -> bool:
        """Whether the text is only the name of a counter, as a row for its number leaves it."""
        return any(text.strip() == each.display_name for each in self.named)


def _last_word(text: str) -> tuple[str, str]:
    """Split off the last word of the text; return the part before it, without trailing blanks, and
    the word."""
    word = re.split(r"[\s;=]", text)[-1]
    return text.removesuffix(word).rstrip(), word


def matching_candidates(offered: Sequence[Candidate], text: str) -> list[tuple[int, Candidate]]:
    """Return the first MOST_SHOWN candidates that contain every word of the text, each with its
    index: first those about the counter that the text names, then those that only mention it."""
    found = [
        (at, candidate)
        for at, candidate in enumerate(offered)
        if contains_words(f"{candidate.words} {candidate.typed}", text)
    ]
    found.sort(key=lambda each: not _is_about(each[1], text))
    return found[:MOST_SHOWN]


def _is_about(candidate: Candidate, text: str) -> bool:
    """Whether an answer is about the counter that the text names, because the counter's name is
    before the colon."""
    about, colon, _ = candidate.words.partition(": ")
    start = text.strip().lower()
    return candidate.words.lower().startswith(start) or bool(colon and contains_words(about, text))


def candidate_typed_in_full(offered: Sequence[Candidate], text: str) -> Candidate | None:
    """Return the candidate whose typed form is the whole text, if any."""
    wanted = text.strip().lower()
    return next((candidate for candidate in offered if candidate.typed.lower() == wanted), None)


# --- the rows of a question -----------------------------------------------------------------------


@immutable
class OfferedAnswers:
    """The answers that a question offers: the whole answers that can be listed (`plain`), and its
    default in words."""

    plain: Sequence[Candidate] = ()
    default: str = ""


NOTHING = OfferedAnswers()


def offered_answers(
    ask: Question[Any] | None, seat: Side | None, at_table: bool = False
) -> OfferedAnswers:
    """Return the answers that a question offers a seat; if two players look, only those that both
    may know: work for the campaign's thread."""
    if ask is None or ask.dice:
        return NOTHING
    return OfferedAnswers(ask.candidates(seat, at_table), ask.answer_text(ask.default))


class UndoStep(NamedTuple):
    """The answers and marks before a step, and the step in words."""

    given: dict[str, Raw]
    worded: dict[str, str]
    marked: frozenset[str]
    words: str


@dataclass(slots=True)
class AnswerRows:
    """The possible answers to a question other than a roll, and those given so far.

    `name` is the question's name, `noted` holds the answers for the items of a question about
    several; `marked` are the items to answer next; `found` holds the words of the search.
    """

    ask: Question[Any]
    offered: OfferedAnswers = NOTHING
    noted: PartialAnswers | None = None
    marked: MarkedRows = field(default_factory=MarkedRows)
    found: str = ""
    name: QuestionName | None = None
    left: dict[tuple[str, ...], str] = field(default_factory=dict)  # typed for items, not given
    steps: list[UndoStep] = field(default_factory=list)  # to undo, the newest last

    def __post_init__(self) -> None:
        several = self.ask.as_multi_question
        if several is not None:
            self.noted = PartialAnswers(several, dict(several.ready), dict(several.ready_words))

    @property
    def given(self) -> dict[str, Raw]:
        """The answers given so far, by item."""
        return self.noted.given if self.noted is not None else {}

    @property
    def default_answer(self) -> Raw:
        """The whole answer by default, with the answers given so far."""
        return dict(self.given) if self.ask.as_multi_question else self.ask.default

    @property
    def _usual_text(self) -> str:
        several = self.ask.as_multi_question
        return several.continue_text(len(self.given)) if several else self.offered.default

    def continue_with_reread_question(self, ask: Question[Any], offered: OfferedAnswers) -> None:
        """Continue with the same question, which has been read again, keeping the given answers
        that are still asked for."""
        self.ask, self.offered, several = ask, offered, ask.as_multi_question
        if several is not None and self.noted is not None:
            asked = {*several.subjects}
            given = {id: raw for id, raw in self.noted.given.items() if id in asked}
            worded = {id: words for id, words in self.noted.worded.items() if id in asked}
            self.noted = PartialAnswers(several, given, worded, crews=self.noted.crews)
            self.marked.ids &= asked

    def push_undo_step(self, items: Iterable[str], did: str) -> None:
        """Note the answers and marks before a step that changes some items."""
        several = self.ask.as_multi_question
        if several is None or self.noted is None:
            return
        words = f"{did} {several.items_text(named)}" if (named := [*items]) else did
        given, worded = {**self.noted.given}, {**self.noted.worded}
        self.steps.append(UndoStep(given, worded, frozenset(self.marked.ids), words))

    def undo_step(self) -> str:
        """Undo the newest answer or mark for items; return its description, "" if there is none."""
        several = self.ask.as_multi_question
        if not self.steps or several is None or self.noted is None:
            return ""
        step = self.steps.pop()
        self.noted = PartialAnswers(several, step.given, step.worded, crews=self.noted.crews)
        self.marked.ids = step.marked
        return step.words

    def rows(self) -> list[tuple[str, Content]]:
        """Return the rows of the list, each with its id. Its first row continues: with the default,
        or with the answers given so far."""
        ask, several = self.ask, self.ask.as_multi_question
        if ask.buying:
            return []
        usual = [("default", _choice_row(self._usual_text, not several))]
        if several:
            return [*usual, *self._item_rows(several)]
        preset = ask.default if self.row_to_select() is not None else None
        listed = [
            (f"plain:{at}", _choice_row(answer.words, answer.raw == preset))
            for at, answer in enumerate(self.offered.plain)
            if contains_words(answer.words, self.found)
        ]
        if ask.form is None or ask.form.only:
            return listed
        hidden = all(answer.raw != ask.default for answer in self.offered.plain)
        first = usual if hidden and not self.found else []
        return [*first, *listed, ("other", Content(OTHER if listed else PICK))]

    def row_to_select(self) -> int | None:
        """Return the index of the row to select: the default, or in a list the first item; None if
        the default is no better than the others."""
        ask = self.ask
        if ask.as_multi_question:
            return 1
        if ask.series or (ask.of_equals and self.offered.plain):
            return None  # the default would end a Melee
        raws = [answer.raw for answer in self.offered.plain]
        if ask.default in raws:
            return raws.index(ask.default)
        return None if ask.form is None or ask.form.only else 0

    @property
    def answer_leaving_rest_default(self) -> tuple[str, Raw] | None:
        """The answer that leaves the rest at its default, with the answers given so far: in words,
        and as an answer; None for a choice, whose answers are its rows."""
        ends = self.ask.default_forgoes_acting or self.ask.as_multi_question
        return (self._usual_text, self.default_answer) if ends else None

    @property
    def can_choose_first_row(self) -> bool:
        """Whether the first row may be chosen: if it would end a side's options, or give all items
        their default, only the key for that does it."""
        return self.answer_leaving_rest_default is None or (
            bool(self.given) and not self._ends_turn
        )

    @property
    def _ends_turn(self) -> bool:
        """Whether the default ends a side's purchases or its setup."""
        return self.ask.buying or as_setup_question(self.ask) is not None

    def hint(self, map_key: str, done_key: str) -> str:
        """Return a hint about the keys, of which `map_key` opens the map and `done_key` leaves the
        rest at its default."""
        ask = self.ask
        if ask.as_multi_question:
            enter = self._tick_hint if ask.as_multi_question.is_tick_list else "answer for it"
            rest = "" if self.given or self._ends_turn else f" · {done_key}: the default for all"
            return f"↑↓ Enter: {enter} · A: mark all{rest}"
        if ask.buying:
            return ""
        unset = self.row_to_select() is None
        choose = "↑↓ or its number: choose" if unset and ask.options else "↑↓ choose"
        listed = any(each.raw == ask.default for each in self.offered.plain)
        # Below a form's answers its default has its own row.
        has_default = ask.series or listed or (ask.form is not None and not ask.form.only)
        none = "none selected · " if has_default else "no default · "
        keys = f"{none if unset else ''}{choose} · Enter: answer"
        if self.answer_leaving_rest_default is not None:
            keys = f"{done_key}: the default · ↑↓ Enter: another answer"
        if ask.form is not None and ask.form.painted:
            return f"{keys} · {map_key}: paint on the map"
        return keys

    def _tick_text(self, item: str) -> str:
        """Return the answer that a tick on an item gives, in words; "" if there are several."""
        several = self.ask.as_multi_question
        only = several.only_other_answer(item) if several is not None else None
        return several.item(item).form.worded(only[0]) if several is not None and only else ""

    @property
    def _common_tick_text(self) -> str:
        """The answer that a tick gives, in words, if it is the same for all items; else ""."""
        several = self.ask.as_multi_question
        texts = (
            {self._tick_text(item) for item in several.subjects} if several is not None else {""}
        )
        return texts.pop() if len(texts) == 1 else ""

    @property
    def _tick_hint(self) -> str:
        common = self._common_tick_text
        return f"tick ({common})" if common else "tick"

    def mark_or_unmark(self, ids: Iterable[str]) -> None:
        """Mark the items of some rows, or unmark them if all are marked."""
        self.marked.mark_or_unmark_all(id.partition(":")[2] for id in ids if id.startswith("item:"))

    def marked_and_unanswered_lines(self) -> list[str]:
        """Return the marked items that have no answer in one line; no line if there are none."""
        several, left = self.ask.as_multi_question, self.marked.ids - self.given.keys()
        if several is None or not left:
            return []
        items = [each for each in several.subjects if each in left]
        return [f"marked, but not answered: {several.items_text(items)}"]

    def tick_changes(self, item: str) -> Changes | None:
        """Return the changes of a tick on the marked items, or else on this one: each gets its only
        answer other than the default, or all answers are removed if each has one. None if that is
        impossible."""
        several, items = self.ask.as_multi_question, self.marked.marked_or_selected(item)
        if several is None or not all(several.only_other_answer(each) for each in items):
            return None
        back = self.given.keys() >= {*items}
        return {each: None if back else several.only_other_answer(each) for each in items}

    def _item_rows(self, ask: MultiQuestion[Any]) -> Iterator[tuple[str, Content]]:
        worded = self.noted.worded if self.noted is not None else {}
        differ = ask.is_tick_list and not self._common_tick_text
        for item in ask.items:
            id = item.subject
            if not contains_words(f"{item.words} {id}", self.found):
                continue
            row = [("■ ", "bold $accent") if id in self.marked.ids else ""]
            if id in worded:
                row += [("✓ ", "bold $accent"), item.words, (f"  → {worded[id]}", "bold")]
            else:
                usual = ask.default_text_of(id)
                ticked = f"; ticked: {self._tick_text(id)}" if differ else ""
                row += [item.words, (f"  default: {usual}{ticked}", "dim") if usual else ""]
            yield f"item:{id}", Content.assemble(*row)


def _choice_row(label: str, default: bool) -> Content:
    return Content.assemble(label, ("  (default)", "dim") if default else "")
