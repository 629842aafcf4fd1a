"""The tools of a paragraph: the campaign, the card, questions, and the log.

`Play` is the only thing a step gets. It turns "roll this table for this counter" into a question
with its key, side, secrecy and modifiers, and writes the standard line of the log for it.
"""

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from typing import Any, ClassVar, TypeVar

from brt_cg.card import Card
from brt_cg.immutable import immutable
from brt_cg.model import (
    Campaign,
    Counter,
    Fortification,
    Piece,
    RulingInForce,
    Side,
    Unit,
    only_side_allowed_to_read,
    secret_of,
)
from brt_cg.questions import (
    AnswerForm,
    Candidate,
    ChoiceQuestion,
    DiceTable,
    MultiQuestion,
    NamedCounter,
    Option,
    Outcome,
    Question,
    QuestionItem,
    QuestionItems,
    Raw,
    RollQuestion,
)
from brt_cg.refit.log_line import LogLine
from brt_cg.text import split_at_spaces_and_commas

T = TypeVar("T")
C = TypeVar("C", bound=Counter)


class TableResults(StrEnum):
    """The results that a step expects from a table, declared where the step rolls: `class
    Wounds(Results, tables=("15.6112",))`. They must be exactly those of the table's rows."""

    TABLES: ClassVar[tuple[str, ...]]
    CHECKED: ClassVar[dict[str, DiceTable]]

    def __init_subclass__(cls, *, tables: tuple[str, ...]) -> None:
        cls.TABLES, cls.CHECKED = tables, {}

    @classmethod
    def check_table(cls, table: DiceTable) -> None:
        """Raise LookupError if a table has other results."""
        if cls.CHECKED.get(table.key) is table:
            return
        declared, found = set(cls), {row.result for row in table.rows}
        if declared != found:
            raise LookupError(
                f"{table.rule}: table {table.key} has the results {', '.join(sorted(found))}; "
                f"{cls.__name__} reads {', '.join(sorted(declared))}"
            )
        cls.CHECKED[table.key] = table


class Play:
    """One paragraph being played.

    `because` may be set to the reason why there is nothing to do in the paragraph.
    """

    heard: ClassVar[bool] = True  # whether its log lines are used
    seen: ClassVar[bool] = True  # whether its questions may be read after they are answered

    def __init__(self, rule: str, campaign: Campaign, card: Card) -> None:
        self.rule = rule
        self.campaign = campaign
        self.card = card
        self.because: str | None = None
        self.said: list[LogLine] = []

    # --- the voice ------------------------------------------------------------------------------

    def log(
        self,
        text: str,
        *about: Counter,
        ruling: str | None = None,
        readings: Sequence[str] = (),
        secret: Side | None = None,
    ) -> None:
        """Add a sentence to the log, with the `ruling` and the fixed `readings` (by their keys)
        that it depends on, if any."""
        rests_on = [f"ruling {ruling}"] if ruling is not None else []
        rests_on += map(self.card.fixed_reading_log_text, readings)
        if rests_on:
            text = f"{text} ({', '.join(rests_on)})"
        for counter in about:
            secret = secret or only_side_allowed_to_read(self.campaign, counter)
        self.said.append(LogLine(text, tuple([counter.id for counter in about]), secret))

    def log_event(self, counter: Counter, what: str, *others: Counter, **how: Any) -> None:
        """Log what happened to a counter, in a sentence that begins with it: "9-1 Hawkins (M1)
        rallies"; `others` are also subjects."""
        self.log(f"{self.name_with_place(counter)} {what}", counter, *others, **how)

    def name_with_place(self, counter: Counter) -> str:
        """Return a counter with its place: "9-1 Hawkins (M1)"."""
        return self.campaign.name_with_place(counter)

    def ruling_value(self, ruling: str) -> str:
        """Return the current value of a ruling."""
        return self.campaign.ruling_value(ruling)

    def secret_of(self, counter: Counter) -> Side | None:
        return secret_of(self.campaign, counter)

    def has_secrets(self, side: Side) -> bool:
        """Whether a side has a counter in play that the enemy does not know of."""
        own = (counter for counter in self.campaign.counters() if counter.side is side)
        return any(counter.in_play and self.secret_of(counter) is side for counter in own)

    # --- the questions ----------------------------------------------------------------------------

    async def ask(self, question: Question[T]) -> T:
        """Ask a question unchanged. By default it belongs to the paragraph's rule, and is the
        secret of the side that hides its counter; a secret question is not public."""
        whose, rule = question.secret, question.rule or self.rule
        if whose is None and question.counter:
            counter = self.campaign.find(question.counter)
            whose = self.secret_of(counter) if counter is not None else None
        if self.seen:
            question = question.frozen_copy()
        public = question.public and whose is None
        if (question.rule, question.secret, question.public) != (rule, whose, public):
            question = replace(question, rule=rule, secret=whose, public=public)
        return await question

    async def ask_ruling_if_not_agreed(
        self, ruling: str, *over: Counter, about: str | None = None, each_time: bool = False
    ) -> str:
        """Return the value of a ruling that now matters for some counters, or for the subject
        `about`.

        The first time a ruling of low confidence matters, the players are asked to confirm it for
        the campaign. The question shows that there is such a counter; so if the enemy may know of
        none of them, the current value is used without asking. A ruling that may differ `each_time`
        is asked again, with the last answer as its default.
        """
        point, before = self.card.rulings[ruling], self.ruling_value(ruling)
        if not point.is_asked_when_it_matters or (
            self.campaign.is_ruling_agreed(ruling) and not each_time
        ):
            return before
        known = [
            counter for counter in over if only_side_allowed_to_read(self.campaign, counter) is None
        ]
        if not known and about is None:
            return before
        holds = (
            "It may differ each time" if each_time else "Your choice holds for the whole campaign"
        )
        value = await self.ask(
            ChoiceQuestion(
                subject=ruling,
                side=Side.MARINE,
                prompt=(
                    f"{about or self.name_with_place(known[0])}: {point.question} "
                    f"{holds} ({ruling})."
                ),
                public=True,
                optional=not point.must_answer,
                about=ruling,
                options=tuple(Option(value, point.meaning(value), value) for value in point.values),
                default=before,
            )
        )
        if (record := self.campaign.rulings.get(ruling)) is not None:
            record.value = value
        else:
            self.campaign.add(RulingInForce(id=ruling, value=value))
        chosen = ", by default" if value == point.default else ""
        when = "now" if each_time else "for this campaign"
        settled = f"{point.question} Settled {when}{chosen}"
        meaning = point.meaning(value)
        if meaning.startswith(("no: ", "yes: ")):
            meaning = meaning.replace(": ", ", ", 1)
        self.log(f"{settled}: {meaning}", ruling=ruling)
        return value

    async def roll(
        self,
        results: type[TableResults],
        counter: Counter,
        facts: Mapping[str, int] | None = None,
        *,
        table: str | None = None,
        subject: str | None = None,
        side: Side | None = None,
        ruling: str | None = None,
        readings: Sequence[str] = (),
        what: str | None = None,
        helpers: Mapping[str, Iterable[Counter]] | None = None,
    ) -> Outcome:
        """Roll for a counter on the table with these results (`table` chooses if there are several)
        and log the outcome.

        `facts` are the modifiers that apply, with their values ({"isolated": 1}); `what` names the
        roll if the paragraph has several; `helpers` are other counters that provide a fact. If one
        of them is hidden, its modifier would reveal it: the roll is then its side's secret, and the
        enemy is shown the dice without that modifier and without the Final result.
        """
        hidden = {fact: self.whose_secret(due) for fact, due in helpers.items()} if helpers else {}
        helped_by = next(filter(None, hidden.values()), None)
        dice_table, who, side = (
            self._table(results, table),
            self.name_with_place(counter),
            side or counter.side,
        )
        assert side is not None, f"{counter.id} belongs to no side"
        outcome = await RollQuestion(
            rule=self.rule,
            subject=subject or counter.id,
            side=side,
            prompt=f"{who}: {what or dice_table.title}",
            secret=(self.secret_of(counter) if self.heard else None) or helped_by,
            counter=counter.id,
            table=dice_table,
            modifiers=dice_table.modifiers_for_facts(facts or {}),
        )
        if not self.heard:
            return outcome
        prefix = f"{who}: {what} " if what and dice_table.check is None else f"{who}: "
        rests_on: dict[str, Any] = {"ruling": ruling, "readings": readings}
        self.log(prefix + dice_table.roll_text(outcome), counter, secret=helped_by, **rests_on)
        if helped_by is not None:
            open_facts = {name: n for name, n in (facts or {}).items() if not hidden.get(name)}
            known = dice_table.modifiers_for_facts(open_facts)
            self.log(prefix + dice_table.roll_text(outcome, known), counter)
        return outcome

    async def roll_for_side(
        self, results: type[TableResults], side: Side, subject: str, facts: Mapping[str, int]
    ) -> Outcome:
        """Roll a dr for a side rather than a counter, and log the outcome."""
        table = self._table(results, None)
        outcome = await RollQuestion(
            rule=self.rule,
            subject=subject,
            side=side,
            prompt=table.title,
            table=table,
            modifiers=table.modifiers_for_facts(facts),
        )
        self.log(f"{table.title} {table.roll_text(outcome)}")
        return outcome

    def _table(self, results: type[TableResults], key: str | None) -> DiceTable:
        if key is None:
            (key,) = results.TABLES
        table = self.card.tables[key]
        results.check_table(table)
        return table

    async def ask_about_counters_together(
        self,
        side: Side,
        prompt: str,
        counters: Mapping[str, C],
        item: Callable[[C], QuestionItem],
        read: Callable[[Raw], T],
        hint: str,
        none_text: str,
        secret: Side | None = None,
        wholes: Mapping[str, Raw] | None = None,
        **how: Any,
    ) -> T:
        """Ask a side about counters, by id; it may answer for any number of them. `none_text` is
        the text of the answer for none of them, `wholes` are whole answers, each by its word, `how`
        are further arguments of the question. Ask nothing if there are no counters."""
        if not counters:
            return read({})
        return await self.ask(
            MultiQuestion(
                rule=self.rule,
                side=side,
                prompt=f"{side.label} {prompt}",
                secret=secret or self.whose_secret(counters.values()),
                items=QuestionItems(lambda: [item(counter) for counter in counters.values()]),
                reader=read,
                hint=hint,
                none_text=none_text,
                wholes=wholes or {},
                **{"subject": side, **how},
            )
        )

    def question_item(self, counter: Counter, words: str, form: AnswerForm) -> QuestionItem:
        """Return a counter as an item of a question about several; `words` adds the facts about it
        that the player should know."""
        who = f"{self.name_with_place(counter)}{words}"
        return QuestionItem(
            counter.id, who, form, counter.id, counter.name_or_number, counter.full_type_text
        )

    async def ask_choice(
        self, piece: Piece | Fortification, prompt: str, *options: Option[T], **how: Any
    ) -> T:
        """Let a counter's side choose its fate; the prompt begins with its name and place. `how`
        are further arguments of the question."""
        question: dict[str, Any] = {"rule": self.rule, "subject": piece.id, **how}
        return await self.ask(
            ChoiceQuestion(
                side=piece.side,
                prompt=f"{self.name_with_place(piece)}{prompt}",
                counter=piece.id,
                options=options,
                **question,
            )
        )

    async def ask_unit(
        self,
        units: Sequence[Unit],
        subject: str,
        prompt: str,
        nobody: str | None = None,
        **how: Any,
    ) -> Any:
        """Let a side choose one of several of its units, by default the lowest id; the choice is
        secret if any of them is hidden. A single unit is chosen without asking, unless the side may
        also choose none (the option `nobody`). `how` are further arguments of the question."""
        if len(units) == 1 and nobody is None:
            return units[0]
        options: list[Option[Any]] = [
            Option(u.id, self.name_with_place(u), u, of=self.named_counter(u)) for u in units
        ]
        if nobody is not None:
            options.append(Option(None, nobody, None))
        secret = self.whose_secret(units)
        question: dict[str, Any] = {"default": min(unit.id for unit in units), "of_equals": True}
        question |= {"secret": secret, **how}
        return await self.ask(
            ChoiceQuestion(
                rule=self.rule,
                subject=subject,
                side=units[0].side,
                prompt=prompt,
                options=tuple(options),
                **question,
            )
        )

    def named_counters(self, counters: Iterable[Counter]) -> list[NamedCounter]:
        """Return the names and ids by which typed answers may name these counters."""
        return [self.named_counter(each) for each in counters]

    def named_counter(self, counter: Counter) -> NamedCounter:
        """Return the id, name or number, and type by which a typed answer may name a counter."""
        return NamedCounter(
            counter.id, counter.name_or_number, self.secret_of(counter), counter.full_type_text
        )

    def names_or_ids_text(self, counters: Iterable[Counter]) -> str:
        """Return the counters that may be named, for messages: by id if their name is secret."""
        called = self.named_counters(counters)
        return ", ".join(each.display_name if each.secret is None else each.id for each in called)

    def whose_secret(self, counters: Iterable[Counter]) -> Side | None:
        """Return the side whose enemy must not read the names of these counters: that of the first
        hidden one."""
        return next((side for side in map(self.secret_of, counters) if side is not None), None)


class PlayWithUnshownQuestions(Play):
    """The play of a paragraph whose questions are answered immediately and never shown."""

    seen = False


def ids_form(counters: Iterable[tuple[Counter, str]]) -> AnswerForm:
    """Return the form for naming one or more of these counters by id; each has its words."""
    listed = list(counters)
    named = [(counter.id, words) for counter, words in listed]
    words_of = dict(named)
    return AnswerForm(
        hint="one or several, separated by spaces",
        typed=split_at_spaces_and_commas,
        worded=lambda raw: ", ".join(words_of.get(id, id) for id in raw or []) or "none",
        candidates=lambda: [Candidate([id], words, id) for id, words in named],
        joined=lambda raws: [id for raw in raws for id in raw],
        counters=lambda: [
            NamedCounter(counter.id, counter.name_or_number, sort=counter.full_type_text)
            for counter, _ in listed
        ],
    )


Step = Callable[[Play], Awaitable[None]]


@immutable
class Paragraph:
    """A numbered paragraph: its rule number, its words for the journal when it finds nothing to do,
    and the function that plays it (whose docstring is its summary for players). `rolls` are the
    results of its tables, `subjects` those of its questions other than counters, sides, areas and
    Locations; `series` means that its choices, except about such subjects, are repeated until they
    are ended."""

    number: str
    nothing: str
    play: Step
    rolls: tuple[type[TableResults], ...] = ()
    subjects: tuple[str, ...] = ()
    series: bool = False

    @property
    def tables(self) -> tuple[str, ...]:
        """The tables of the card that it may roll on."""
        return tuple(key for results in self.rolls for key in results.TABLES)

    @property
    def summary(self) -> str:
        """The paragraph in our own words."""
        return " ".join((self.play.__doc__ or "").split())


def paragraph(
    number: str,
    *,
    nothing: str,
    rolls: Iterable[type[TableResults]] = (),
    subjects: Iterable[str] = (),
    series: bool = False,
) -> Callable[[Step], Paragraph]:
    """Mark a coroutine function as the numbered paragraph that it plays."""

    return lambda step: Paragraph(number, nothing, step, tuple(rolls), tuple(subjects), series)
