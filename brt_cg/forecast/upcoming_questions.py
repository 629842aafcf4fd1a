"""The questions that a side can answer before they are asked: the questions in the rest of the
Refit Phase that its knowledge leads to.

They are found by playing the rest of the phase in memory several times, from the campaign as that
side sees it, with its early answers, or else defaults, and with the program's own dice. So they
contain no secret of the opponent's, no real die is known before it is rolled, and a question that
turns out differently in the end is asked again.
"""

import json
from collections import Counter as Tally
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, NamedTuple

from brt_cg.card import load_card
from brt_cg.commands import EVERY_KIND, STANDING, WISHES, Command
from brt_cg.commands.purchases import NOT_BOUGHT
from brt_cg.commands.registry import COMMANDS
from brt_cg.forecast.start import ForecastStart, start_from_journal
from brt_cg.immutable import immutable
from brt_cg.journal.early_answers import (
    ROLL,
    AnswerKey,
    Early,
    EarlyAnswers,
    early_answers_of,
    early_setup_answer,
    is_always_default,
    is_harmless_default,
    is_setup_question,
    key_in_exact_form,
    list_in_early_answers,
    queued_purchase_command,
)
from brt_cg.journal.mismatch import RulesChangedError
from brt_cg.model import Campaign, Side
from brt_cg.purchases.ledger import priced_purchase, purchase_text
from brt_cg.purchases.orders import read_order
from brt_cg.questions import (
    Dice,
    Faces,
    Problem,
    Question,
    Raw,
    RefusedError,
    RollKey,
    SeededDice,
    raise_problems,
    read_faces,
)
from brt_cg.refit.play import Play
from brt_cg.refit.s614_purchases import BUYING
from brt_cg.refit.sequence import NUMBERS
from brt_cg.refit.simulation import play_out
from brt_cg.service.campaign_reader import CampaignReader
from brt_cg.service.open_campaign import as_open_campaign
from brt_cg.service.unrestricted import unrestricted_campaign
from brt_cg.text import count_text
from brt_cg.views.journal_rows import title_of_entry
from brt_cg.views.public_point import visible_journal

TRIALS = 3
SEED = "ahead"


@immutable
class UpcomingQuestion:
    """A question still to come: its key, and whether all trials reached it."""

    ask: Question[Any]
    key: AnswerKey
    is_sure: bool


class EarlyAnswerSheet(EarlyAnswers):
    """A side's early answers, initially those given before. `asks` are the questions that the side
    can answer early, by rule, beginning with the open one if that is its own; `wishes` are the
    orders on its shopping list, in order; `not_bought` gives the reasons, if known, why some of
    these will not be bought; `always` are the kinds of questions that it answers by default. Raises
    RefusedError if no Refit Phase is due or in progress."""

    def __init__(self, desk: CampaignReader, side: Side) -> None:
        super().__init__(key_in_exact_form)
        journal = unrestricted_campaign(desk)
        if journal.mismatch is not None:
            raise RulesChangedError
        known = visible_journal(journal, side)
        start = start_from_journal(known, side, SEED, kind="ahead")
        before = early_answers_of(journal, side)
        found: dict[AnswerKey, Question[Any]] = {}
        often: Tally[AnswerKey] = Tally()
        self.wishes, self.always = (
            list_in_early_answers(journal, side, x) for x in (WISHES, STANDING)
        )
        for number in range(TRIALS):
            list_ = _List(self.wishes, known.numbers)
            trial = _Trial(start, side, before.first_raw_answers, f"{SEED} {number}", list_)
            trial.play()
            self.not_bought = trial.told
            often.update(trial.asks.keys())
            found = trial.asks | found
        by_rule = sorted(found.items(), key=lambda each: each[1].rule)
        self.side, self._known = side, known
        self.asks = [UpcomingQuestion(ask, key, often[key] == TRIALS) for key, ask in by_rule]
        self.given = self._given_in(before)
        self._before = self._all

    def _given_in(self, ahead: EarlyAnswers) -> dict[AnswerKey, list[Early]]:
        """Return the entered answers to the questions of the sheet."""
        found = ((each.key, _before(ahead, each.key, each.ask)) for each in self.asks)
        return {key: [early] for key, early in found if early is not None}

    @property
    def view(self) -> Campaign:
        """The campaign as the side knows it."""
        return self._known.campaign

    @property
    def is_changed(self) -> bool:
        """Whether the answers differ from those given before."""
        return bool(self._all != self._before)

    @property
    def has_answers(self) -> bool:
        """Whether the side has any early answers."""
        return any(self._all.values())

    @property
    def _all(self) -> dict[str, Any]:
        """All answers, item by item, in the form of a file."""
        answers = {json.dumps(key): [raw] for key, raw in self.first_raw_answers.items()}
        return {**answers, WISHES: [*self.wishes], STANDING: [*self.always]}

    @property
    def changes(self) -> dict[str, Any]:
        """The changed answers, item by item; None for a removed answer."""
        now, before = self._all, self._before
        names = [*before, *(name for name in now if name not in before)]
        return {name: now.get(name) for name in names if now.get(name) != before.get(name)}

    def apply_changes(self, changes: Mapping[str, Any]) -> None:
        """Apply changes, if the questions are still asked and allow them."""
        known = {json.dumps(each.key): each for each in self.asks}
        for name, raw in changes.items():
            if name in known and not raw:
                super().drop_answers(known[name].key)
            elif name in known:
                with suppress(RefusedError):
                    known[name].ask.read(raw[0])
                    self.set_answers(known[name].key, raw[0])
        self.wishes = [*changes.get(WISHES, self.wishes)]
        self.always = [*changes.get(STANDING, self.always)]

    def _join(self, desk: CampaignReader) -> None:
        """Add the answers that another window has entered since this sheet was made."""
        from brt_cg.service.saved_notes import (
            merge_changes_yielding_conflicts,  # needs SQLite, which few commands do
        )

        journal, mine = unrestricted_campaign(desk), self._all
        given = self._given_in(early_answers_of(journal, self.side))
        theirs = {json.dumps(key): [early[0][0]] for key, early in given.items()}
        for name in (WISHES, STANDING):
            theirs[name] = list_in_early_answers(journal, self.side, name)
        if theirs == self._before:
            return
        both = [
            name
            for name in merge_changes_yielding_conflicts(mine, theirs, self._before)
            if name in (WISHES, STANDING)
        ]
        for name in both:
            mine[name] += [x for x in theirs[name] if x not in (*mine[name], *self._before[name])]
        self.apply_changes({name: mine.get(name) for name in {**self._all, **mine}})

    def answer_or_default(self, each: UpcomingQuestion) -> Raw:
        """Return the answer to a question, or its default."""
        early = self.answer_at(each.key)
        return early[0] if early is not None else each.ask.default

    def answer_or_default_text(self, each: UpcomingQuestion) -> str:
        """Return the answer to a question, or its default, in the players' words."""
        return each.ask.answer_text(self.answer_or_default(each))

    def answer_harmless_rest_by_default(self) -> None:
        """Answer by default every remaining question that need not be read
        (is_harmless_default)."""
        for each in self.asks:
            if is_harmless_default(each.ask) and each.key not in self.given:
                self.set_answers(each.key, each.ask.default)

    def drop_answers(self, key: AnswerKey) -> None:
        """Drop the answers for a key; for a setup, in each form in which it may be asked."""
        for each in self.asks:
            if each.key == key or (each.key[:-1] == key[:-1] and is_setup_question(each.ask)):
                super().drop_answers(each.key)

    def drop_answers_by_name(self, what: str) -> bool:
        """Withdraw the answers to "RULE", "RULE SUBJECT" or "RULE ABOUT", and any default or
        shopping list given for them. Return whether there is anything with that name."""
        named = [each for each in self.asks if what in _names(each.ask)]
        for each in named:
            self.drop_answers(each.key)
        found = bool(named) or what in self.always or (what == BUYING and bool(self.wishes))
        self._stop_standing(what, *named)
        if what == BUYING:
            self.wishes = []
        return found

    def shopping_order_text(self, order: Any) -> str:
        """Return an order on the shopping list in words, with its price."""
        known = self._known
        order = priced_purchase(known.campaign, known.card, read_order(known.card, order))
        return purchase_text(known.card, order)

    @property
    def unanswered_questions(self) -> list[UpcomingQuestion]:
        """The questions at which the phase will stop for this side."""
        return [each for each in self.asks if not self._is_answered(each)]

    @property
    def unanswered_rules_text(self) -> str:
        """The rules at which the phase will stop for a side; "" if none are known."""
        asked = {(each.ask.rule, each.ask.subject): None for each in self.unanswered_questions}
        many = Tally(rule for rule, subject in asked if not subject.startswith("R-"))
        rules = [f"{rule} ({count})" if count > 1 else rule for rule, count in many.items()]
        rulings = [subject for _, subject in asked if subject.startswith("R-")]
        parts = [f"open, so your side will be asked: {', '.join(rules)}"] if rules else []
        parts += [f"open for both sides: {count_text(len(rulings), 'ruling')}"] if rulings else []
        return "; ".join(parts)

    def _is_answered(self, each: UpcomingQuestion) -> bool:
        return (
            each.key in self.given
            or self.is_always_default(each)
            or self.is_answered_by_shopping_list(each)
        )

    def is_always_default(self, each: UpcomingQuestion) -> bool:
        """Whether a question is of a kind that is always answered by default."""
        return is_always_default(self.always, each.ask)

    def is_answered_by_shopping_list(self, each: UpcomingQuestion) -> bool:
        """Whether a question is answered by the shopping list."""
        return each.ask.buying and bool(self.wishes)

    def toggle_always_default(self, each: UpcomingQuestion) -> None:
        """Answer all questions of a question's kind by default, or stop doing so."""
        if self.is_always_default(each):
            self._stop_standing("", each)
        else:
            self.always.append(_names(each.ask)[-1].strip())

    def _stop_standing(self, kind: str, *named: UpcomingQuestion) -> None:
        """Stop answering a kind of question, and a paragraph's questions, by default. If every
        kind was answered by default, all other paragraphs keep their defaults."""
        if EVERY_KIND in self.always and kind != EVERY_KIND:
            self.always = [*NUMBERS]
        asks = [each.ask for each in named]
        stays = (x for x in self.always if not any(is_always_default([x], ask) for ask in asks))
        self.always = [each for each in stays if each != kind]

    @property
    def setup_questions(self) -> dict[str, UpcomingQuestion]:
        """Return one future setup question for each of 15.6201 and 15.6202."""
        found: dict[str, UpcomingQuestion] = {}
        for each in filter(lambda each: is_setup_question(each.ask), self.asks):
            found.setdefault(each.ask.rule, each)
        return found

    def answer_setup_question(self, rule: str, given: Raw) -> None:
        """Answer a setup question in each form that the dice may give it and that allows the
        answer. Raises RefusedError if none does."""
        refused = RefusedError(f"{rule}: this side will not be asked to set up")
        found = [
            each for each in self.asks if is_setup_question(each.ask) and each.ask.rule == rule
        ]
        for each in found:
            try:
                each.ask.read(given)
                self.set_answers(each.key, given)
            except RefusedError as why:
                refused = why
        if not any(each.key in self.given for each in found):
            raise refused

    def enter_answers(self, desk: CampaignReader) -> str:
        """Enter these answers, and keep those that another window has entered in the meantime."""
        self._join(desk)
        given = {
            each.key: self.answer_or_default(each) for each in self.asks if each.key in self.given
        }
        return enter_early_answers(desk, self.side, given, self.wishes, self.always)


def still_unanswered_text(desk: CampaignReader, side: Side | None) -> str:
    """Return, in words, the questions at which the phase will still stop for a side with early
    answers."""
    with suppress(RefusedError):  # no Refit Phase is due
        sheet = EarlyAnswerSheet(desk, side) if side is not None else None
        return sheet.unanswered_rules_text if sheet is not None and sheet.has_answers else ""
    return ""


def could_begin_answering_early(desk: CampaignReader, side: Side) -> bool:
    """Whether the Refit Phase will stop for a side that has given no early answers."""
    with suppress(RefusedError):  # no Refit Phase is due
        sheet = EarlyAnswerSheet(desk, side)
        return not sheet.has_answers and bool(sheet.unanswered_questions)
    return False


def append_to_shopping_list(desk: CampaignReader, side: Side, order: dict[str, Any]) -> str:
    """Put an order at the end of a side's shopping list, which is bought at the side's 15.614.
    Return the entered answers in words. Raises RefusedError."""
    sheet = EarlyAnswerSheet(desk, side)
    sheet.wishes.append(order)
    return sheet.enter_answers(desk)


def shopping_list_text(desk: CampaignReader, side: Side) -> list[str]:
    """Return the orders on a side's own shopping list, in words."""
    known = visible_journal(unrestricted_campaign(desk), side)
    orders = (
        read_order(known.card, order)
        for order in list_in_early_answers(unrestricted_campaign(desk), side, WISHES)
    )
    return [
        purchase_text(known.card, priced_purchase(known.campaign, known.card, order))
        for order in orders
    ]


def _before(before: EarlyAnswers, key: AnswerKey, ask: Question[Any]) -> Early | None:
    """Return a side's previous answer to a question; for its setup, the part still allowed."""
    found = before.answer_at(key)
    with suppress(RefusedError):
        if found is None and (found := early_setup_answer(before, ask)) is not None:
            ask.read(found[0])
        return found
    return None


def _names(ask: Question[Any]) -> tuple[str, ...]:
    return ask.rule, f"{ask.rule} {ask.subject}", f"{ask.rule} {ask.about}"


def enter_early_answers(
    desk: CampaignReader,
    side: Side,
    answers: Mapping[AnswerKey, Raw],
    wishes: Sequence[Any] = (),
    always: Sequence[str] = (),
) -> str:
    """Enter a side's early answers, its shopping list, and the kinds of questions that it always
    answers by default, instead of any given before; if they answer the open question, that is
    answered immediately. Return the entered answers in words. Raises RefusedError, with everything
    that would not be allowed."""
    if answers:
        known = visible_journal(unrestricted_campaign(desk), side)
        list_ = _List(wishes, known.numbers)
        trial = _Trial(start_from_journal(known, side, SEED), side, answers, f"{SEED} 0", list_)
        trial.play()
        raise_problems(trial.problems)
    rows = [
        {"rule": rule, "subject": subject, "kind": kind, "mark": mark, "answer": raw}
        for (rule, subject, kind, _, mark), raw in answers.items()
    ]
    journal = unrestricted_campaign(desk)
    today = journal.campaign.situation.date
    asked: dict[str, Any] = {"side": side.value, "date": today, "answers": rows}
    more = {WISHES: [*wishes], STANDING: [*always]}
    asked |= {name: found for name, found in more.items() if found}
    entering = as_open_campaign(desk)
    with journal.transaction():
        entry = entering.run_command("ahead", asked, side)
        if journal.open_question() is not None:
            entering.play_to_question()
    return f"{title_of_entry(entry)} · {entry.said[0].text}"


class _List(NamedTuple):
    """A shopping list, and the highest numbers of purchases so far."""

    wishes: Sequence[Any]
    numbers: Mapping[str, int]


class _Trial:
    """One possible course of the rest of the phase, with the program's own dice. `asks` are the
    side's questions in it, `problems` the early answers that it does not allow, `told` the reasons
    why orders on the list are not bought."""

    seed = None  # no roll is entered

    def __init__(
        self,
        start: ForecastStart,
        side: Side,
        ahead: Mapping[AnswerKey, Raw],
        seed: str,
        shopping: _List,
    ) -> None:
        self.side, self.ahead, self.shopping = side, ahead, shopping
        self.campaign, self.card = start.make_campaign(), load_card(start.cg)
        self.asks: dict[AnswerKey, Question[Any]] = {}
        self.problems: list[Problem] = []
        self.told: list[str] = []
        self._dice = SeededDice(seed)
        self._standing = start.make_answers_already_given()

    def play(self) -> None:
        """Play to the end of the phase, or to a question whose default is not allowed."""
        with suppress(RefusedError):
            play_out(self.campaign, self.card, self, self._choose, Play)

    def roll(self, dice: Dice, key: RollKey) -> Faces:
        """Return the dice of a roll: those rolled already, or the program's own."""
        standing = self._standing.answer_at(AnswerKey(key.rule, key.subject, ROLL), key.position)
        return read_faces(dice, standing[0]) if standing else self._dice.roll(dice, key)

    def _choose(self, ask: Question[Any]) -> Raw:
        ask = ask if ask.rule else replace(ask, rule=self.campaign.situation.paragraph or "")
        standing = self._standing.use_if_allowed(ask)
        if standing is not None:
            return standing[0]
        key = key_in_exact_form(ask) if ask.side is self.side else None
        if key is not None and key not in self.asks:
            self.asks[key] = ask
            try:
                if key in self.ahead:
                    ask.read(self.ahead[key])
                    return self.ahead[key]
            except RefusedError as refused:
                self.problems.append(Problem(f"{ask.rule} {ask.subject}", str(refused)))
        if ask.buying and ask.side is self.side and self.shopping.wishes:
            self._buy()
        return ask.default

    def _buy(self) -> None:
        """Buy the orders on the side's list, so that the purchases can be set up."""
        wishes, numbers = self.shopping
        asked = queued_purchase_command(self.side, wishes)
        command = Command("commit", asked, self.campaign, self.card, numbers, self.side, "")
        with suppress(RefusedError):
            COMMANDS["commit"](command)
        self.told = [line.text for line in command.said if NOT_BOUGHT in line.text]
        self.shopping = _List((), numbers)
