"""What a paragraph has at hand: the campaign, the card, questions to ask, and a voice.

`Play` is the only thing a step gets. It turns "roll this table for this counter" into a question
with its key, side, secrecy and modifiers, and writes the standard line of the log for it.
"""

from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from brt_cg.asks import Choose, Enter, Option, Raw, Refused, Roll, Several
from brt_cg.campaign import Campaign
from brt_cg.card import Card
from brt_cg.counters import Counter, Piece, Side
from brt_cg.dice import Outcome
from brt_cg.records import Phase
from brt_cg.secrets_kept import secret_of, telling_is_secret

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Said:
    """One plain sentence of the log: what it is about (ids), and whose secret it is, if any."""

    text: str
    about: tuple[str, ...] = ()
    secret: Side | None = None


class Play:
    """One paragraph being played.

    `serial` is the number of the journal entry that the present doings will belong to; ids of what
    is created derive from it. `because` may be set by a paragraph that finds nothing to do.
    """

    def __init__(self, rule: str, campaign: Campaign, card: Card, serial: int) -> None:
        self.rule = rule
        self.campaign = campaign
        self.card = card
        self.serial = serial
        self.because: str | None = None
        self.said: list[Said] = []

    # --- the voice ------------------------------------------------------------------------------

    def say(
        self,
        text: str,
        *about: Counter,
        ruling: str | None = None,
        secret: Side | None = None,
    ) -> None:
        """Adds a sentence to the log; `ruling` is named in it if the sentence rests on one."""
        if ruling is not None:
            text = f"{text} ({ruling}: {self.ruling(ruling)})"
        secrets = (telling_is_secret(self.campaign, one) for one in about)
        whose = secret or next((side for side in secrets if side is not None), None)
        self.said.append(Said(text, tuple(one.id for one in about), whose))

    def tell(self, counter: Counter, what: str, *others: Counter, **how: Any) -> None:
        """Says what happened to a counter: "9-1 Hawkins (M1): …"; `others` are named in it."""
        self.say(f"{self.who(counter)}: {what}", counter, *others, **how)

    def who(self, counter: Counter) -> str:
        """A counter and where it is: "9-1 Hawkins (M1)"."""
        return f"{self.campaign.label(counter)} ({self.campaign.place(counter)})"

    def ruling(self, ruling: str) -> str:
        """The value in force of a ruling."""
        return self.campaign.ruling(ruling)

    def secret_of(self, counter: Counter) -> Side | None:
        return secret_of(self.campaign, counter)

    # --- the questions ----------------------------------------------------------------------------

    async def roll(
        self,
        table: str,
        counter: Counter,
        facts: Mapping[str, int] | None = None,
        *,
        rule: str | None = None,
        subject: str | None = None,
        side: Side | None = None,
        ruling: str | None = None,
        what: str | None = None,
        helpers: Iterable[Counter] = (),
    ) -> Outcome:
        """Rolls a counter on a table of the card and tells the outcome.

        `facts` says which of the table's modifiers apply, with their value ({"isolated": 1});
        `what` names the roll where the paragraph has several; `helpers` are others to whom
        modifiers are due. When one of them is hidden, the roll would show him: it is his side's
        secret, and the enemy is told what came of it.
        """
        dice_table = self.card.tables[table]
        hidden_help = (self.secret_of(one) for one in helpers)
        helped_by = next((whose for whose in hidden_help if whose is not None), None)
        outcome = await Roll(
            rule=rule or self.rule,
            subject=subject or counter.id,
            side=side or _side_of(counter),
            prompt=f"{self.who(counter)}: {what or dice_table.title}",
            secret=self.secret_of(counter) or helped_by,
            counter=counter.id,
            table=dice_table,
            modifiers=dice_table.modifiers(facts or {}),
        )
        prefix = f"{what}: " if what else ""
        self.tell(counter, prefix + outcome.telling(), ruling=ruling, secret=helped_by)
        if helped_by is not None:
            self.tell(counter, prefix + outcome.row.text)
        return outcome

    async def roll_for_side(
        self, table: str, side: Side, facts: Mapping[str, int], *, rule: str, subject: str
    ) -> Outcome:
        """Rolls a dr that belongs to no counter, and tells the outcome."""
        dice_table = self.card.tables[table]
        outcome = await Roll(
            rule=rule,
            subject=subject,
            side=side,
            prompt=dice_table.title,
            table=dice_table,
            modifiers=dice_table.modifiers(facts),
        )
        self.say(outcome.telling())
        return outcome

    async def choose(
        self,
        prompt: str,
        options: Iterable[Option[T]],
        *,
        side: Side,
        subject: str,
        default: Raw,
        rule: str | None = None,
        counter: Counter | None = None,
        secret: Side | None = None,
    ) -> T:
        """Asks for one of the options. `default` is the raw answer that `--auto` gives."""
        if secret is None and counter is not None:
            secret = self.secret_of(counter)
        return await Choose(
            rule=rule or self.rule,
            subject=subject,
            side=side,
            prompt=prompt,
            secret=secret,
            counter=counter.id if counter else None,
            options=tuple(options),
            default=default,
        )

    async def enter(
        self,
        prompt: str,
        reader: Callable[[Raw], T],
        *,
        hint: str,
        side: Side,
        subject: str,
        default: Raw = None,
        rule: str | None = None,
        counter: Counter | None = None,
        secret: Side | None = None,
        series: bool = False,
        stop: Raw = None,
    ) -> T:
        """Asks for a free entry that `reader` reads (raising Refused)."""
        if secret is None and counter is not None:
            secret = self.secret_of(counter)
        return await Enter(
            rule=rule or self.rule,
            subject=subject,
            side=side,
            prompt=prompt,
            secret=secret,
            counter=counter.id if counter else None,
            reader=reader,
            hint=hint,
            default=default,
            series=series,
            stop=stop,
        )

    async def several(
        self,
        prompt: str,
        subjects: Iterable[str],
        reader: Callable[[Raw], T],
        *,
        hint: str,
        side: Side,
        subject: str | None = None,
        secret: Side | None = None,
        rule: str | None = None,
    ) -> T:
        """Asks a side about many items at once, of which it answers those it likes."""
        return await Several(
            rule=rule or self.rule,
            subject=subject or side,
            side=side,
            prompt=prompt,
            secret=secret,
            subjects=tuple(subjects),
            reader=reader,
            hint=hint,
        )

    async def pick(
        self,
        prompt: str,
        counters: Iterable[Any],
        *,
        side: Side,
        subject: str,
        nobody: str | None = None,
        default: Raw = None,
        rule: str | None = None,
        secret: Side | None = None,
    ) -> Any:
        """Asks for one counter by id; `nobody` words the option of taking none (null)."""
        options: list[Option[Any]] = [Option(one.id, self.who(one), one) for one in counters]
        if nobody is not None:
            options.append(Option(None, nobody, None))
        return await self.choose(
            prompt,
            options,
            side=side,
            subject=subject,
            default=default,
            rule=rule,
            secret=secret,
        )


Step = Callable[[Play], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A numbered paragraph: its rule number, title, the phase it belongs to, the function that
    plays it (whose docstring is its summary for players), and what the journal says when it finds
    nothing to act on."""

    number: str
    title: str
    nothing: str
    phase: Phase
    play: Step

    @property
    def summary(self) -> str:
        """The paragraph in our own words."""
        return " ".join((self.play.__doc__ or "").split())


def paragraph(
    number: str, title: str, *, nothing: str, phase: Phase = Phase.REFIT
) -> Callable[[Step], Paragraph]:
    """Marks a coroutine function as the numbered paragraph that it plays."""

    def wrap(step: Step) -> Paragraph:
        return Paragraph(number, title, nothing, phase, step)

    return wrap


def refuse(message: str) -> Any:
    """Raises Refused: for readers of entries."""
    raise Refused(message)


def _side_of(counter: Counter) -> Side:
    side = getattr(counter, "side", None)
    assert isinstance(side, Side), f"{counter.id} belongs to no side"
    return side


def place_key(piece: Piece) -> str:
    """The Location of a piece, for grouping; "" when it has none."""
    return piece.location or ""
