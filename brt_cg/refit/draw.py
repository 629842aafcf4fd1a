"""Draws one of several at random, with equal chances, by dr."""

from collections.abc import Sequence

from brt_cg.model.counters import Counter, Side
from brt_cg.questions.asks import Roll
from brt_cg.questions.dice import Dice, DiceTable, TableRow
from brt_cg.refit.play import Play

FACES = 6
Slots = tuple[int | None, ...]


async def draw_one(
    play: Play,
    names: Sequence[str],
    *,
    counter: Counter,
    side: Side,
    subject: str,
    title: str,
    secret: Side | None,
) -> int:
    """Draws one of the names by dice. Returns its index.

    All have the same chance: a dr outside the range is rolled again, and more than six names are
    first divided into equal parts. A single name needs no dr.
    """
    everything: Slots = tuple(range(len(names)))
    left = everything
    while len(left) > 1:
        parts = equal_parts(left)
        outcome = await play.ask(
            Roll(
                subject=subject,
                side=side,
                prompt=f"{play.who(counter)}: {title}",
                secret=secret,
                counter=counter.id,
                table=_table(play.rule, title, parts, names),
            )
        )
        play.tell(counter, f"{title}: {outcome.telling()}", secret=secret)
        left = everything if outcome.result == "again" else parts[int(outcome.result)]
    assert left[0] is not None
    return left[0]


def equal_parts(slots: Slots) -> list[Slots]:
    """Up to six parts of one size; the last one is filled up with empty slots (None)."""
    size = -(-len(slots) // FACES)
    parts = [slots[start : start + size] for start in range(0, len(slots), size)]
    parts[-1] += (None,) * (size - len(parts[-1]))
    return parts


def _table(rule: str, title: str, parts: list[Slots], names: Sequence[str]) -> DiceTable:
    """A table with the same number of faces for each part; a face left over is rolled again."""
    each = FACES // len(parts)
    rows = [
        TableRow(number * each + 1, (number + 1) * each, *_row(number, part, names))
        for number, part in enumerate(parts)
    ]
    if each * len(parts) < FACES:
        rows.append(TableRow(each * len(parts) + 1, FACES, "again", "rolled again"))
    return DiceTable(f"{rule}.draw", rule, title, Dice.ONE, tuple(rows), ())


def _row(number: int, part: Slots, names: Sequence[str]) -> tuple[str, str]:
    """The result and the words for a part."""
    held = [names[roll] for roll in part if roll is not None]
    return (str(number), " or ".join(held)) if held else ("again", "rolled again")
