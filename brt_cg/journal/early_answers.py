"""The answers that are given to questions before they are asked.

One store keeps them, and is filled in four ways: a side gives early answers, which are entries of
the journal (commands/early_answers.py); a player answers several questions of one kind together; a
file holds answers (imports/answers_file.py); the setup is noted on the table until it is complete
(service/setup_answers.py). The open campaign uses them in this order before it asks a player; the
setup only when the player says so.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from hashlib import sha256
from typing import Any, NamedTuple

from brt_cg.commands import EVERY_KIND, STANDING, WISHES
from brt_cg.journal.entries import Entry, canonical_json, question_key_as_json
from brt_cg.journal.journal import Journal
from brt_cg.model import A_NUMBER, Side
from brt_cg.questions import DEFAULT, GIVEN_AHEAD, HAND, Question, Raw, RefusedError, Source
from brt_cg.refit.sequence import SETUP_ORDER

Early = tuple[Raw, Source]
LETTERS = 16  # characters of a mark
ROLL, CHOICE = "roll", "choice"


class AnswerKey(NamedTuple):
    """The question that an early answer is for. `side` is "" if any side may be asked; `mark` is a
    digest of everything else that the question must have in common with the intended one."""

    rule: str
    subject: str
    kind: str
    side: str = ""
    mark: str = ""


def key_in_any_form(rule: str, subject: str, kind: str) -> AnswerKey:
    """Return the key of a question in any form: its rule, its subject, and whether it is a roll."""
    return AnswerKey(rule, subject, ROLL if kind == ROLL else CHOICE)


def key_of_question(ask: Question[Any]) -> AnswerKey:
    """Return the simple key of a question."""
    return key_in_any_form(ask.rule, ask.subject, ask.kind)


def key_within_kind(ask: Question[Any]) -> AnswerKey:
    """Return the key of a question among those of its kind, which one list shows together."""
    return AnswerKey(ask.rule, ask.subject, ask.kind, ask.side, ask.about)


def key_in_exact_form(ask: Question[Any]) -> AnswerKey:
    """Return the key of a question in exactly this form: its mark changes if dice or answers of the
    opponent change its words, or the answers that it allows or offers. The numbers of counters do
    not count, because a trial may number counters that arrive during the phase differently."""
    put = A_NUMBER.sub("", canonical_json([ask.side, ask.prompt, ask.allowed, ask.offered_texts]))
    mark = sha256(put.encode()).hexdigest()[:LETTERS]
    return AnswerKey(ask.rule, ask.subject, ask.kind, ask.side, mark)


class EarlyAnswers:
    """The answers to questions, each with its source. A question is found by its `key`; for each
    key there is a list, in the order in which the question is repeated. `used` counts those of each
    list that have been used.

    `again` names a question whose answer had become illegal by the time it came, with the reason.
    """

    def __init__(self, key: Callable[[Question[Any]], AnswerKey] = key_of_question) -> None:
        self.key = key
        self.given: dict[AnswerKey, list[Early]] = {}
        self.used: dict[AnswerKey, int] = {}
        self.again: tuple[str | None, str] | None = None

    def set_answers(self, key: AnswerKey, *raws: Raw, source: Source = HAND) -> None:
        """Note the answers for a key, in place of any earlier ones; with the source DEFAULT, they
        are the default that the question will have."""
        self.given[key] = [(raw, source) for raw in raws]
        self.used.pop(key, None)

    def drop_answers(self, key: AnswerKey) -> None:
        """Drop the answers for a key."""
        self.given.pop(key, None)

    def answer_at(self, key: AnswerKey, position: int | None = None) -> Early | None:
        """Return the answer at a position (from 0) in the list of a key; by default the next
        one."""
        answers = self.given.get(key, ())
        at = self.used.get(key, 0) if position is None else position
        return answers[at] if at < len(answers) else None

    def mark_used(self, key: AnswerKey, count: int) -> None:
        """Mark the first answers of a list as used."""
        self.used[key] = max(self.used.get(key, 0), count)

    def mark_given_answers_used(self, journal: Journal) -> None:
        """Mark as used the answers already given in this Refit Phase, to continue from there."""
        for (rule, subject, kind), count in journal.answer_counts():
            self.mark_used(key_in_any_form(rule, subject, kind), count)
        for rule, item in journal.answered_items():
            self.mark_used(AnswerKey(rule, item, CHOICE), 1)

    def find_answer(self, ask: Question[Any], position: int | None = None) -> Early | None:
        """Return the answer to a question that was answered `position` times before, by default the
        next one; None if there is none."""
        found = self.answer_at(self.key(ask), position)
        return (ask.default, DEFAULT) if found is not None and found[1] == DEFAULT else found

    def find_and_use(self, ask: Question[Any], position: int | None = None) -> Early | None:
        """Return the answer that `find_answer` finds, and mark it as used."""
        found, key = self.find_answer(ask, position), self.key(ask)
        if found is not None:
            self.mark_used(key, (self.used.get(key, 0) if position is None else position) + 1)
        return found

    def use_if_allowed(self, ask: Question[Any]) -> Early | None:
        """Return the early answer, if the question allows it; otherwise it remains unused."""
        found = self.find_answer(ask)
        with suppress(RefusedError):
            if found is not None:
                ask.read(found[0])
                return self.find_and_use(ask)
        return None

    @property
    def first_raw_answers(self) -> dict[AnswerKey, Raw]:
        """The first answer for each key."""
        return {key: answers[0][0] for key, answers in self.given.items() if answers}

    def non_default_answers_for(self, asks: Iterable[Question[Any]]) -> dict[str, Raw]:
        """Return the remaining answers to some questions, by subject, except those given by
        default."""
        found = {ask.subject: self.find_answer(ask) for ask in asks}
        return {subject: each[0] for subject, each in found.items() if each and each[1] != DEFAULT}

    def is_by_default(self, ask: Question[Any]) -> bool:
        """Whether a list of answers leaves this question to its default."""
        found = self.find_answer(ask)
        return found is not None and found[1] == DEFAULT

    def count_unused_known_to(self, seat: Side | None) -> int:
        """Return the number of answers left that a seat (None: the umpire) may know of."""
        return sum(
            len(answers) - self.used.get(key, 0)
            for key, answers in self.given.items()
            if seat in (None, key.side)
        )

    def reason_to_ask_again(self, name: str | None) -> str:
        """Return the reason why the question of that name is asked although it was answered early;
        "" if it was not."""
        return self.again[1] if self.again is not None and self.again[0] == name else ""

    def drop_answers_of_other_paragraphs(self, paragraph: str | None) -> None:
        """Drop the answers for any other paragraph, whose questions are no longer asked."""
        self.given = {key: each for key, each in self.given.items() if key.rule == paragraph}

    def copy(self) -> "EarlyAnswers":
        """Return a copy of the answers, to be used up separately."""
        copy = EarlyAnswers(self.key)
        copy.given, copy.used = self.given, {**self.used}
        return copy

    @contextmanager
    def restored_on_error(self) -> Iterator[None]:
        """Restore the answers given and used in the `with` block if anything is raised."""
        before = {**self.given}, {**self.used}
        try:
            yield
        except BaseException:
            self.given, self.used = before
            raise


def early_answers_of(journal: Journal, side: Side) -> EarlyAnswers:
    """Return a side's early answers in this Refit Phase, including those already entered."""
    found, newest = EarlyAnswers(key_in_exact_form), _newest_ahead(journal, side)
    for row in newest.asked["answers"] if newest is not None else ():
        key = AnswerKey(row["rule"], row["subject"], row["kind"], side, row["mark"])
        found.set_answers(key, row["answer"], source=GIVEN_AHEAD)
    return found


def early_setup_answer(ahead: EarlyAnswers, ask: Question[Any]) -> Early | None:
    """Return a side's early answer to its setup question, whichever counters that question names
    when it is asked, because these depend on the many dice rolled before. None if the side gave
    several."""
    asked = (ask.rule, ask.subject, ask.kind, ask.side)
    given = [early for key, early in ahead.given.items() if key[:-1] == asked]
    alike = is_setup_question(ask) and given and all(each == given[0] for each in given)
    return given[0][0] if alike else None


def find_early_answer(journal: Journal, ask: Question[Any]) -> Early | None:
    """Return the early answer that a question's side gave to it, or to all questions of its kind,
    if it is asked for the first time since the answer was entered; once the side's shopping list is
    bought, return the answer that ends its purchases."""
    newest = _newest_ahead(journal, ask.side)
    if newest is None or ask.dice:
        return None
    ahead, record = early_answers_of(journal, ask.side), question_key_as_json(ask)
    found = ahead.find_answer(ask) or early_setup_answer(ahead, ask)
    since = [
        each
        for each in journal.entries_of_this_phase()
        if each.seq > newest.seq and each.is_early_answer
    ]
    if ask.buying and WISHES in newest.asked:
        bought = any(
            each.asked == queued_purchase_command(ask.side, newest.asked[WISHES]) for each in since
        )
        found = (ask.default, GIVEN_AHEAD) if bought else None
    elif found is None and is_always_default(newest.asked.get(STANDING, ()), ask):
        found = ask.default, GIVEN_AHEAD
    entered = found and any(each.payload.get("ask") == record for each in since)
    return None if entered else found


def is_always_default(kinds: Iterable[str], ask: Question[Any]) -> bool:
    """Whether a side has answered all questions of this one's kind by default: the kinds are
    "15.605", or "15.605 destination" for only those of its questions with that topic, or
    EVERY_KIND."""
    names = {EVERY_KIND, ask.rule, f"{ask.rule} {ask.about}"}
    return is_harmless_default(ask) and not names.isdisjoint(kinds)


def is_harmless_default(ask: Question[Any]) -> bool:
    """Whether a question may safely be answered by default without being read: it does not end the
    purchases, decide on a Banzai, set up, or agree on a ruling, none of which may happen by
    default."""
    weighs = ask.buying or ask.rule == "15.616" or ask.subject.startswith("R-")
    return not (weighs or (ask.as_multi_question and ask.rule in SETUP_ORDER))


def is_setup_question(ask: Question[Any]) -> bool:
    """Whether a question asks a side to set up."""
    return ask.as_multi_question is not None and ask.rule in SETUP_ORDER and ask.subject == ask.side


def queued_purchase_command(side: Side, wishes: Any) -> dict[str, Any]:
    """Return the command `commit` that buys the orders on a side's list, while its points last."""
    return {"side": side.value, "list": wishes}


def due_queued_purchase_command(
    journal: Journal, ask: Question[Any] | None
) -> dict[str, Any] | None:
    """Return the command that buys a shopping list, if the side whose purchases are asked for has a
    list that has not been entered yet."""
    newest = _newest_ahead(journal, ask.side) if ask is not None and ask.buying else None
    if ask is None or newest is None or WISHES not in newest.asked:
        return None
    due = queued_purchase_command(ask.side, newest.asked[WISHES])
    since = journal.entries[newest.seq :]
    return None if any(each.kind == "commit" and each.asked == due for each in since) else due


def list_in_early_answers(journal: Journal, side: Side, name: str) -> list[Any]:
    """Return the WISHES of a side, or its STANDING answers, in this Refit Phase."""
    newest = _newest_ahead(journal, side)
    return list(newest.asked.get(name, ())) if newest is not None else []


def _newest_ahead(journal: Journal, side: Side) -> Entry | None:
    """Return the entry of this Refit Phase with all early answers of a side."""
    entries = (journal.entries[seq - 1] for seq in reversed(journal.ahead))
    newest = next((entry for entry in entries if entry.asked.get("side") == side), None)
    return newest if newest is not None and journal.is_of_this_phase(newest) else None
