"""What a campaign's schema means, however its SQL is written: the columns of each table, what they
allow, keys, references, and the objects beside the tables.

`expected` gives it for a revision, from the fields of the records; `sqlite_shapes` and
`postgres_shapes` read what is there. A dump that is restored writes constraints in other words that
mean the same.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache
from itertools import chain

from brt_cg.model.encoding import WRITTEN_OUT
from brt_cg.model.fields import Field, declared
from brt_cg.model.records import TABLES
from brt_cg.storage.projection import ROLLS
from brt_cg.storage.reader import HEAD, JOURNAL, VERSION

TEXT, INTEGER = "text", "integer"
# The columns that each revision has added, by table. What no entry of the first form wrote, and no
# revision names here, the newest one has added.
ADDED = {
    "0002": {"fortifications": ("fell",)},
    "0003": {"campaign": ("pillbox_vp_so_far",)},
}
NEW_TABLES = {"0004": ("arrivals",)}  # the tables that each revision has added
# The columns that may be empty since a revision, by table.
LOOSENED = {"0004": {"weapons": ("repair_number",), "vehicles": ("best_af", "amphibious")}}

Allowed = frozenset[str | int]
Reference = tuple[str, str, str]  # column, and the table and column that it refers to


@dataclass(frozen=True, slots=True)
class ColumnShape:
    """A column: `holds` is TEXT, INTEGER, or what else the engine calls its type; `allowed` are the
    values of its CHECK; `room` is the longest text that it can hold, or must hold if there is no
    need for longer ones."""

    holds: str
    required: bool
    allowed: Allowed | None = None
    room: int | None = None


@dataclass(frozen=True, slots=True)
class TableShape:
    """A table; `others` are what it has beyond that, in the engine's words."""

    columns: Mapping[str, ColumnShape]
    key: tuple[str, ...]
    references: frozenset[Reference] = frozenset()
    others: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SchemaShape:
    """The tables by name; the other objects by kind and name, each with its definition."""

    tables: Mapping[str, TableShape]
    objects: Mapping[tuple[str, str], str] = field(default_factory=dict)


# --- expected -------------------------------------------------------------------------------------


@cache
def expected(revision: str) -> Mapping[str, TableShape]:
    """The tables of a revision."""
    text, number = ColumnShape(TEXT, True), ColumnShape(INTEGER, True)
    rolls = dict.fromkeys(("date", "rule", "subject", "dice", "modifiers", "row"), text)
    rolls |= dict.fromkeys(("seq", "position", "original", "final"), number)
    entry = {"seq": number} | dict.fromkeys(("payload", "hash", "said"), text)
    version = ColumnShape(TEXT, True, room=len(revision))
    return {
        VERSION: TableShape({"version_num": version}, ("version_num",)),
        JOURNAL: TableShape(entry, ("seq",)),
        ROLLS: TableShape(rolls, ("seq",), frozenset({("seq", JOURNAL, "seq")})),
        **{
            kind.TABLE: TableShape(
                {
                    each.name: _column(each, each.name in _later(LOOSENED, kind.TABLE, revision))
                    for each in declared(kind)
                    if each.name not in _later(ADDED, kind.TABLE, revision)
                    and not (revision < HEAD and _is_newest(kind.TABLE, each.name))
                },
                ("id",),
            )
            for kind in TABLES
            if not any(kind.TABLE in new for at, new in NEW_TABLES.items() if at > revision)
        },
    }


def _is_newest(table: str, name: str) -> bool:
    """Whether the newest revision has added a column."""
    named = any(name in added.get(table, ()) for added in ADDED.values())
    came_with_its_table = any(table in new for new in NEW_TABLES.values())
    return not (named or came_with_its_table or name in WRITTEN_OUT[table])


def _later(
    changes: Mapping[str, Mapping[str, tuple[str, ...]]], table: str, revision: str
) -> tuple[str, ...]:
    """The columns of a table that were changed after a revision."""
    later = (changed.get(table, ()) for at, changed in changes.items() if at > revision)
    return tuple(chain.from_iterable(later))


def _column(of: Field, was_required: bool) -> ColumnShape:
    required = was_required or not of.optional
    if of.holds is bool:
        return ColumnShape(INTEGER, required, frozenset({0, 1}))
    if issubclass(of.holds, StrEnum):
        words = [word.value for word in of.holds]
        return ColumnShape(TEXT, required, frozenset(words), max(map(len, words)))
    return ColumnShape(INTEGER if of.holds is int else TEXT, required)


# --- compared -------------------------------------------------------------------------------------


def differences(found: TableShape, due: TableShape) -> Iterator[str]:
    """How a table differs from what it should be in the columns that both have, in words."""
    for name, wanted in due.columns.items():
        if name in found.columns:
            yield from (f"{name} {what}" for what in _of_column(found.columns[name], wanted))
    if found.key != due.key:
        yield f"its key is {', '.join(found.key) or 'missing'}"
    for column, table, other in sorted(found.references ^ due.references):
        wrong = "refers to" if (column, table, other) in found.references else "does not refer to"
        yield f"{column} {wrong} {table}.{other}"
    yield from found.others


def _of_column(found: ColumnShape, due: ColumnShape) -> Iterator[str]:
    if found.holds != due.holds:
        yield f"is of the type {found.holds}"
    if found.required != due.required:
        yield "may not be empty" if found.required else "may be empty"
    if found.allowed != due.allowed:
        yield "allows other values"
    if found.room is not None and (due.room is None or found.room < due.room):
        yield f"holds no more than {found.room} letters"


# --- CHECKs ---------------------------------------------------------------------------------------

_TOKENS = re.compile(
    r"'(?:[^']|'')*'"
    r"|::\s*(?:character varying|varchar|text|integer)(?:\[\])?(?![\w\[(])"  # a cast
    r'|"(?:[^"]|"")*"|\w+|\S'
)
_ONE_OF = (["IN"], ["=", "ANY", "ARRAY"])


def read_check(text: str) -> tuple[str, Allowed] | None:
    """The column and the values that a CHECK allows it: `side IN ('marine', 'japanese')`, or what a
    server makes of that. None for every other CHECK."""
    tokens = [token for token in _TOKENS.findall(text) if token not in "()[]" and token[:2] != "::"]
    if not tokens:
        return None
    column, *rest = tokens
    for words in _ONE_OF:
        if [token.upper() for token in rest[: len(words)]] == words:
            values, commas = rest[len(words) :: 2], rest[len(words) + 1 :: 2]
            literal = re.compile(r"'.*'|\d+", re.DOTALL)
            if values and {*commas} <= {","} and all(map(literal.fullmatch, values)):
                return column.strip('"'), frozenset(map(_value, values))
    return None


def _value(token: str) -> str | int:
    return token[1:-1].replace("''", "'") if token[0] == "'" else int(token)


def with_checks(
    columns: Mapping[str, ColumnShape], checks: list[str]
) -> tuple[dict[str, ColumnShape], tuple[str, ...]]:
    """Columns with the values that their CHECKs allow, and the CHECKs that allow no list of
    values, in words."""
    read, others = dict(columns), []
    for check in checks:
        column, allowed = read_check(check) or ("", frozenset())
        known = read.get(column)
        if known is None or known.allowed is not None:
            others.append(f"it has the CHECK {check}")
        else:
            read[column] = ColumnShape(known.holds, known.required, allowed, known.room)
    return read, tuple(others)
