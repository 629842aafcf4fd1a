"""The dice tables of the Refit Phase and the order of play of each CG Date (15.6205)."""

from collections.abc import Mapping
from itertools import pairwise

from brt_cg.card.toml_reader import CardReading, TextForm, TomlSection
from brt_cg.immutable import immutable
from brt_cg.model import Side
from brt_cg.questions import VALUE, CheckWording, DiceTable, ModifierFact, TableRow

DATE = TextForm(r"\d+ (AM|PM|NT)", "a day and AM, PM or NT")


@immutable
class OrderOfPlay:
    """The sides that set up first and move first on a CG Date, and the scenario's length in turns
    (15.6205).

    With `first_move_table` a roll on that table decides who moves first, not `first_move`.
    """

    date: str
    first_setup: Side
    first_move: Side
    turns: str
    rule: str = "15.6205"
    first_move_table: str | None = None


@immutable
class Tables:
    """`tables.toml`: dice tables by key; the order of play by date, as in the table and as in the
    prose."""

    dice: Mapping[str, DiceTable]
    order: Mapping[str, OrderOfPlay]
    prose_order: Mapping[str, OrderOfPlay]


def read_tables(reading: CardReading) -> Tables:
    """Read `tables.toml`. Raises CardError with everything that is wrong in it."""
    orders = [_order(date) for date in reading.root.sections("dates")]
    dice: dict[str, DiceTable] = {}
    for key, found in reading.root.section("tables").remaining_sections():
        dice[key] = read_table(key, found, dice)
    dates = [tabled.date for tabled, _ in orders]
    for date in sorted({date for date in dates if dates.count(date) > 1}):
        reading.note_bad_value("dates", date, "each date once")
    reading.raise_problems()
    return Tables(
        dice=dice,
        order={tabled.date: tabled for tabled, _ in orders},
        prose_order={prose.date: prose for _, prose in orders},
    )


def _order(section: TomlSection) -> tuple[OrderOfPlay, OrderOfPlay]:
    date, rule, turns = section.text("date", DATE), section.text("rule"), section.text("turns")

    def order(prefix: str) -> OrderOfPlay:
        first_setup, first_move = (
            section.enum_member(f"{prefix}{key}", Side) for key in ("first_setup", "first_move")
        )
        return OrderOfPlay(date, first_setup, first_move, turns, rule)

    return order(""), order("prose_")


def read_table(key: str, section: TomlSection, others: Mapping[str, DiceTable] = {}) -> DiceTable:
    """Read a table; with `facts_of`, it has the facts of an earlier table."""
    like = others.get(section.optional_text("facts_of") or "")
    facts = read_modifier_facts(section) if like is None else like.facts
    check = _check(section.section("check"), facts) if section.has_key("check") else None
    return section.read_fields(
        DiceTable, key=key, rows=_read_table_rows(section), facts=facts, check=check
    )


def _check(section: TomlSection, facts: tuple[ModifierFact, ...]) -> CheckWording:
    """Read the words for a roll that is a check against a number."""
    names = [fact.name for fact in facts]
    level = _words(section, "level", names)
    kinds = _words(section, "kinds", names)
    against, called = section.text("against"), section.text("called")
    if against not in names:
        section.note_bad_value("against", against, ", ".join(names))
    return CheckWording(against, called, level, section.optional_text("kind") or "", kinds)


def _words(section: TomlSection, key: str, names: list[str]) -> dict[str, str]:
    """Return the words of a part of a check, by fact."""
    if not section.has_key(key):
        return {}
    found = section.section(key)
    words = {name: found.text(name) for name in found.key_names()}
    for name in words.keys() - set(names):
        found.note_bad_value(name, name, ", ".join(names))
    return words


def _read_table_rows(section: TomlSection) -> tuple[TableRow, ...]:
    """Read the rows and check that they are in order, without overlap or gap, and open at both
    ends."""
    before = len(section.reading.problems)
    rows = tuple(row.read_fields(TableRow) for row in section.sections("rows"))
    if not rows:
        section.note_bad_value("rows", [], "at least one row")
    elif len(section.reading.problems) == before:
        _check_rows(section, rows)
    return rows


def _check_rows(section: TomlSection, rows: tuple[TableRow, ...]) -> None:
    path = section.toml_path("rows")
    if rows[0].low is not None:
        section.reading.note_bad_value(f"{path}[0].low", rows[0].low, "no low in the first row")
    if rows[-1].high is not None:
        last = f"{path}[{len(rows) - 1}].high"
        section.reading.note_bad_value(last, rows[-1].high, "no high in the last row")
    for number, (row, following) in enumerate(pairwise(rows)):
        if row.high is None or following.low is None:
            found = f"{_span(row)} and then {_span(following)}"
            section.reading.note_bad_value(
                f"{path}[{number + 1}]", found, "no end left open between rows"
            )
        elif following.low != row.high + 1:
            fault = "an overlap" if following.low <= row.high else "a gap"
            allowed = f"{row.high + 1}, without {fault} after {_span(row)}"
            section.reading.note_bad_value(f"{path}[{number + 1}].low", following.low, allowed)
    for number, row in enumerate(rows):
        if row.low is not None and row.high is not None and row.high < row.low:
            section.reading.note_bad_value(f"{path}[{number}].high", row.high, f"{row.low} or more")


def _span(row: TableRow) -> str:
    low = "…" if row.low is None else row.low
    high = "…" if row.high is None else row.high
    return f"{low}–{high}"


def read_modifier_facts(section: TomlSection) -> tuple[ModifierFact, ...]:
    facts: list[ModifierFact] = []
    for fact in section.sections("facts"):
        name, drm, reason = fact.text("name"), fact.integer("drm"), fact.text("reason")
        if not drm:
            fact.note_bad_value("drm", drm, "an integer other than 0")
        if name in [known.name for known in facts]:
            fact.note_bad_value("name", name, "each fact once")
        if set(VALUE.sub("", reason)) & set("{}"):
            fact.note_bad_value("reason", reason, "no braces but {n} and {n squad}")
        facts.append(ModifierFact(name, drm, reason, fact.optional_integer("per", 1) or 1))
    return tuple(facts)
