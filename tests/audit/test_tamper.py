"""Whatever is tampered with in a campaign's file, the audit finds it, and finds all of it."""

import json
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from brt_cg.audit import audit
from brt_cg.cli import main
from brt_cg.counters import Side
from brt_cg.records import TABLES
from tests.audit.forger import Forger, codes, columns, messages, pried_open, shows, tables
from tests.settings import EFFORT

NAMES = sorted({kind.TABLE for kind in TABLES} | {"journal", "die_rolls"})
Edit = tuple[str, str]  # what it is, and the SQL of the new value


def test_the_played_campaign_has_a_row_in_every_table(pristine: Path) -> None:
    assert tables(pristine) == NAMES
    with closing(sqlite3.connect(pristine)) as connection:
        for table in NAMES:
            (count,) = connection.execute(f"SELECT count(*) FROM {table}").fetchone()
            assert count > 0, table


def test_nothing_is_found_in_a_campaign_that_nobody_touched(pristine: Path) -> None:
    for side in (None, *Side):
        report = audit(pristine, side=side)
        assert report.findings == ()
    assert main(["audit", str(pristine)]) == 0


# --- cells ----------------------------------------------------------------------------------------


def edits(value: Any) -> Iterator[Edit]:
    """Other values for a cell: another one, one of each other storage class, and nothing."""
    if isinstance(value, int):
        yield from (("another", str(value + 1)), ("real", f"{value}.5"), ("text", "'words'"))
    elif value is None:
        yield from (("another", "'x'"), ("real", "0.5"))
    else:
        yield from (("another", _quoted(f"{value}x")), ("blob", f"CAST({_quoted(value)} AS BLOB)"))
        yield ("stray bytes", "CAST(x'ff41' AS TEXT)")
        yield ("control", "char(27) || '[2J'")
    if value is not None:
        yield ("nothing", "NULL")
        yield ("bytes", "x'00ff'")


def chosen(found: list[Edit], number: int) -> list[Edit]:
    """All of them; in a quick run, another value, nothing, and one of the rest in turn."""
    plain = [one for one in found if one[0] in ("another", "nothing")]
    rest = [one for one in found if one not in plain]
    return found if EFFORT == "full" else [*plain, rest[number % len(rest)]]


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


@pytest.mark.parametrize("table", NAMES)
def test_every_cell_of_every_table(table: str, pristine: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.brt"
    for number, column in enumerate(columns(pristine, table)):
        for row, value in cells(pristine, table, column):
            for what, sql in chosen(list(edits(value)), number):
                shutil.copy(pristine, copy)
                if not edited(copy, table, column, row, sql):
                    continue
                report = audit(copy)
                assert not report.ok, f"{table}.{column}: {what}"
                assert shows(report.text()), f"{table}.{column}: {what}"


def cells(path: Path, table: str, column: str) -> list[tuple[int, Any]]:
    """A cell of a column that holds something, and one that holds nothing, if there are any."""
    with closing(sqlite3.connect(path)) as connection:
        rows = connection.execute(
            f'SELECT rowid, "{column}" FROM {table} ORDER BY rowid'
        ).fetchall()
    full = [one for one in rows if one[1] is not None]
    empty = [one for one in rows if one[1] is None]
    return [*full[len(full) // 2 :][:1], *empty[:1]]


def edited(path: Path, table: str, column: str, row: int, sql: str) -> bool:
    """Whether the schema lets a cell be edited so; then it is."""
    try:
        with pried_open(path) as connection:
            done = f'UPDATE {table} SET "{column}" = {sql} WHERE rowid = {row}'
            connection.execute(done)
    except sqlite3.IntegrityError:
        return False
    return True


@pytest.mark.parametrize(
    ("table", "column", "sql"),
    [
        ("units", "location", "'Z1'"),
        ("journal", "payload", "x'ff00'"),
        ("journal", "said", "CAST(x'ff41' AS TEXT)"),
        ("purchases", "total", "0"),
    ],
)
def test_the_command_line_tells_it_and_exits_with_1(
    table: str, column: str, sql: str, played: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pried_open(played) as connection:
        connection.execute(f'UPDATE {table} SET "{column}" = {sql}')
    assert main(["audit", str(played)]) == 1
    told = capsys.readouterr()
    assert "findings" in told.out
    assert told.err == ""
    assert main(["audit", str(played), "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["ok"] is False
    for side in Side:
        assert main(["audit", str(played), "--side", side]) == 1


# --- rows -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("table", NAMES)
def test_a_deleted_row(table: str, pristine: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.brt"
    with closing(sqlite3.connect(pristine)) as connection:
        rows = [row for (row,) in connection.execute(f"SELECT rowid FROM {table} ORDER BY rowid")]
    newest = rows[-1:] if table == "journal" else []
    for row in {*rows[:1], *rows[len(rows) // 2 :][:1], *rows[-1:]} - {*newest}:
        shutil.copy(pristine, copy)
        with pried_open(copy) as connection:
            connection.execute(f"DELETE FROM {table} WHERE rowid = {row}")
        assert not audit(copy).ok, row


@pytest.mark.parametrize("table", NAMES)
def test_a_row_too_many(table: str, played: Path) -> None:
    with pried_open(played) as connection:
        key, *others = [f'"{name}"' for name in columns(played, table)]
        new = "1000" if table in ("journal", "die_rolls") else "'extra'"
        wanted = ", ".join(others)
        connection.execute(
            f"INSERT INTO {table} ({key}, {wanted}) SELECT {new}, {wanted} FROM {table} LIMIT 1"
        )
    assert not audit(played).ok


def test_every_row_of_a_table_gone(pristine: Path, tmp_path: Path) -> None:
    for table in NAMES:
        copy = Path(shutil.copy(pristine, tmp_path / f"{table}.brt"))
        with pried_open(copy) as connection:
            connection.execute(f"DELETE FROM {table}")
        assert not audit(copy).ok, table


# --- entries --------------------------------------------------------------------------------------


def test_two_entries_swapped(played: Path) -> None:
    with pried_open(played) as connection:
        for one, other in ((20, -1), (21, 20), (-1, 21)):
            connection.execute("UPDATE journal SET seq = ? WHERE seq = ?", (other, one))
    report = audit(played)
    found = messages(report, "hash-chain")
    assert any(one.startswith("entry 20: ") for one in found)
    assert any(one.startswith("entry 21: ") for one in found)


def test_two_entries_swapped_and_sealed_afresh(played: Path) -> None:
    forger = Forger(played)
    one, other = forger.of_kind("buy") - 1, forger.of_kind("ruling") - 1
    for held in (forger.payloads, forger.said):
        held[one], held[other] = held[other], held[one]  # type: ignore[index]
    report = forger.audited()
    assert "hash-chain" not in codes(report)
    assert "rules" in codes(report)


def test_an_entry_in_the_middle_cut_out_and_sealed_afresh(played: Path) -> None:
    forger = Forger(played)
    forger.cut(forger.of_kind("edit"))
    assert "rules" in codes(forger.audited())


def test_the_last_entry_cut_off(played: Path) -> None:
    head = audit(played).head
    with pried_open(played) as connection:
        connection.execute("DELETE FROM journal WHERE seq = (SELECT max(seq) FROM journal)")
    assert "projection" in codes(audit(played))
    assert "head" in codes(audit(played, head=head))


def test_the_last_entry_cut_off_and_the_tables_with_it(played: Path) -> None:
    """Only a head hash that was written down elsewhere tells."""
    head = audit(played).head
    forger = Forger(played)
    forger.cut(len(forger.payloads))
    forger.seal()
    assert audit(played).ok
    report = audit(played, head=head)
    assert codes(report) == {"head"}
    assert f"the head {head} is not in the journal" in report.findings[0].message
    assert main(["audit", str(played), "--head", str(head)]) == 1
    assert main(["audit", str(played)]) == 0


def test_a_tail_cut_off_shows_in_a_sides_view_too(played: Path) -> None:
    heads = {side: audit(played, side=side).head for side in Side}
    forger = Forger(played)
    bought = forger.where(lambda one: (one.get("asked") or {}).get("item") == "foxhole_1s")
    while len(forger.payloads) >= bought:
        forger.cut(len(forger.payloads))
    forger.seal()
    for side, head in heads.items():
        assert codes(audit(played, head=head, side=side)) == {"head"}


def test_an_older_head_is_found_in_a_journal_that_has_grown(played: Path) -> None:
    with closing(sqlite3.connect(played)) as connection:
        (older,) = connection.execute("SELECT hash FROM journal WHERE seq = 30").fetchone()
    assert audit(played, head=older).ok


def test_nonsense_as_a_head(played: Path) -> None:
    assert codes(audit(played, head="")) == {"head"}
    assert codes(audit(played, head="\x1b[2J")) == {"head"}
