"""Whatever is tampered with in a campaign's file, the audit finds it, and finds all of it."""

import json
import sqlite3
from contextlib import closing
from itertools import zip_longest
from pathlib import Path
from typing import Any

import pytest

from brt_cg.audit import audit_campaign
from brt_cg.cli import main
from brt_cg.journal.entries import canonical_json, chain_hash
from brt_cg.model.counters import Side
from brt_cg.model.records import TABLES
from brt_cg.storage.place import Place
from tests.audit.forger import (
    Forger,
    codes,
    columns,
    messages,
    pried_open,
    put_back,
    shows,
    tables,
)
from tests.audit.tampering import Edit, Tampering, edits, literal, tampered_with
from tests.settings import EFFORT

pytestmark = pytest.mark.usefixtures("made_again_once")

NAMES = sorted({kind.TABLE for kind in TABLES} | {"journal", "die_rolls"})


def test_the_played_campaign_has_a_row_in_every_table(pristine: Path) -> None:
    assert tables(pristine) == NAMES
    with closing(sqlite3.connect(pristine)) as connection:
        for table in NAMES:
            (count,) = connection.execute(f"SELECT count(*) FROM {table}").fetchone()
            assert count > 0, table


def test_an_untouched_campaign_has_no_findings(pristine: Path) -> None:
    for side in (None, *Side):
        report = audit_campaign(pristine, side=side)
        assert report.findings == ()
    assert main(["audit", str(pristine)]) == 0


# --- cells ----------------------------------------------------------------------------------------


def chosen(found: list[Edit], number: int) -> list[Edit]:
    """All of them; in a quick run, another value, nothing, and one of the rest in turn."""
    plain = [one for one in found if one[0] in ("another", "nothing")]
    rest = [one for one in found if one not in plain]
    return found if EFFORT == "full" else [*plain, rest[number % len(rest)]]


# In a quick run a server is asked of the tables whose cells are of every sort.
ON_A_SERVER = NAMES if EFFORT == "full" else ["die_rolls", "journal", "units"]
CELLS = [("file", table) for table in NAMES] + [
    pytest.param("server", table, marks=pytest.mark.postgres) for table in ON_A_SERVER
]


@pytest.mark.parametrize(("lent", "table"), CELLS, indirect=["lent"])
def test_a_change_of_any_cell_is_found(table: str, lent: Place) -> None:
    """Each one is named, however many are tampered with at once. A key, by which cells are named,
    and a link of the chain are tampered with one by one, and something is found."""
    key, *others = columns(lent, table)
    alone = [key, *others] if table == "journal" else [key]
    together = [column for column in others if column not in alone]
    one_by_one = ((one,) for cell in tamperings(lent, table, alone) for one in cell)
    for at_once in (*one_by_one, *zip_longest(*tamperings(lent, table, together))):
        with put_back(lent, table):
            done = tampered_with(lent, table, filter(None, at_once))
            report = audit_campaign(lent)
            assert report.ok == (not done), done
            assert shows(report.text()), done
            named = {told.partition(" is ")[0] for told in messages(report, "projection")}
            wanted = [one for one in done if one.column in together]
            assert [one for one in wanted if f"{table}: {one.key}.{one.column}" not in named] == []
    assert audit_campaign(lent).ok


def tamperings(place: Place, table: str, wanted: list[str]) -> list[list[Tampering]]:
    """What is tried on each of the cells looked at of some columns."""
    with pried_open(place) as connection:
        rows = connection.execute(f"SELECT * FROM {table} ORDER BY 1").fetchall()
    places = {column: at for at, column in enumerate(columns(place, table)) if column in wanted}
    return [
        [Tampering(row[0], column, what, sql) for what, sql in chosen(list(edits(row[at])), number)]
        for number, (column, at) in enumerate(places.items())
        for row in looked_at(rows, at)
    ]


def looked_at(rows: list[tuple[Any, ...]], at: int) -> list[tuple[Any, ...]]:
    """A row whose cell in a column holds something, and one where it holds nothing, if there are
    any; in a full search all of them."""
    if EFFORT == "full":
        return rows
    full = [row for row in rows if row[at] is not None]
    empty = [row for row in rows if row[at] is None]
    return [*full[len(full) // 2 :][:1], *empty[:1]]


@pytest.mark.parametrize(
    ("table", "column", "sql"),
    [
        ("units", "location", "'Z1'"),
        ("journal", "payload", "x'ff00'"),
        ("journal", "said", "CAST(x'ff41' AS TEXT)"),
        ("purchases", "total", "0"),
    ],
)
def test_the_command_line_reports_tampering_and_exits_with_1(
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

# Both engines read whole tables, as every cell of theirs shows.
in_a_file = pytest.mark.parametrize("lent", ["file"], indirect=True)


@in_a_file
@pytest.mark.parametrize("table", NAMES)
def test_a_deleted_row_is_found(table: str, lent: Place) -> None:
    key = columns(lent, table)[0]
    with pried_open(lent) as connection:
        rows = [row for (row,) in connection.execute(f'SELECT "{key}" FROM {table} ORDER BY 1')]
    newest = rows[-1:] if table == "journal" else []
    for row in {*rows[:1], *rows[len(rows) // 2 :][:1], *rows[-1:]} - {*newest}:
        with put_back(lent, table):
            with pried_open(lent) as connection:
                connection.execute(f'DELETE FROM {table} WHERE "{key}" = {literal(row)}')
            assert not audit_campaign(lent).ok, row


@in_a_file
@pytest.mark.parametrize("table", NAMES)
def test_an_extra_row_is_found(table: str, lent: Place) -> None:
    key, *others = [f'"{name}"' for name in columns(lent, table)]
    new = "1000" if table in ("journal", "die_rolls") else "'extra'"
    wanted = ", ".join(others)
    with put_back(lent, table):
        with pried_open(lent) as connection:
            connection.execute(
                f"INSERT INTO {table} ({key}, {wanted}) SELECT {new}, {wanted} FROM {table} LIMIT 1"
            )
        assert not audit_campaign(lent).ok


@in_a_file
@pytest.mark.parametrize("table", NAMES)
def test_an_emptied_table_is_found(table: str, lent: Place) -> None:
    with put_back(lent, table):
        with pried_open(lent) as connection:
            connection.execute(f"DELETE FROM {table}")
        assert not audit_campaign(lent).ok


# --- entries --------------------------------------------------------------------------------------


def test_two_swapped_entries_are_found(lent: Place) -> None:
    with put_back(lent, "journal"):
        with pried_open(lent) as connection:
            for one, other in ((20, -1), (21, 20), (-1, 21)):
                connection.execute(f"UPDATE journal SET seq = {other} WHERE seq = {one}")
        report = audit_campaign(lent)
    found = messages(report, "hash-chain")
    assert any(one.startswith("entry 20: ") for one in found)
    assert any(one.startswith("entry 21: ") for one in found)


def test_two_swapped_entries_with_new_hashes_are_found(played: Path) -> None:
    forger = Forger(played)
    one, other = forger.of_kind("buy") - 1, forger.of_kind("ruling") - 1
    for held in (forger.payloads, forger.said):
        held[one], held[other] = held[other], held[one]  # type: ignore[index]
    report = forger.audited()
    assert "hash-chain" not in codes(report)
    assert "rules" in codes(report)


def test_a_removed_middle_entry_with_new_hashes_is_found(played: Path) -> None:
    forger = Forger(played)
    forger.cut(forger.of_kind("edit"))
    assert "rules" in codes(forger.audited())


@pytest.mark.parametrize(
    ("kind", "changes", "asked"),
    [
        ("edit", [["units", "nobody", "location", "N18", "N19"]], {}),
        ("edit", [["units", "m-sq-1"]], {}),
        ("undo", [], {}),
        ("undo", [], {"entries": [[]]}),
        ("redo", [], {"entries": [2]}),
    ],
)
def test_an_invalid_journal_is_not_opened(
    kind: str,
    changes: list[list[Any]],
    asked: dict[str, Any],
    played: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    forger = Forger(played)
    seq = forger.add(kind, [], asked={})
    forger.seal()
    forger.payload(seq).update(changes=changes, asked=asked)
    with pried_open(played) as connection:
        text = canonical_json(forger.payload(seq))
        (before,) = connection.execute(
            "SELECT hash FROM journal WHERE seq = ?", (seq - 1,)
        ).fetchone()
        sealed = (text, chain_hash(before, seq, text), seq)
        connection.execute("UPDATE journal SET payload = ?, hash = ? WHERE seq = ?", sealed)
    for words in (["status", played], ["copy", played, played.with_name("other.brt")]):
        assert main([*map(str, words)]) == 2
        told = capsys.readouterr().err
        assert f"entry {seq} of the journal does not fit the entries before it" in told
        assert "`audit`" in told
    assert main(["audit", str(played)]) == 1


def test_a_removed_last_entry_is_found(played: Path) -> None:
    head = audit_campaign(played).head
    with pried_open(played) as connection:
        connection.execute("DELETE FROM journal WHERE seq = (SELECT max(seq) FROM journal)")
    assert "projection" in codes(audit_campaign(played))
    assert "head" in codes(audit_campaign(played, head=head))


def test_a_removed_last_entry_with_its_tables_needs_a_noted_checksum(played: Path) -> None:
    """Only a head hash that was written down elsewhere tells."""
    head = audit_campaign(played).head
    forger = Forger(played)
    forger.cut(len(forger.payloads))
    forger.seal()
    assert audit_campaign(played).ok
    report = audit_campaign(played, head=head)
    assert codes(report) == {"head"}
    assert f"the checksum {head} is not in the journal" in report.findings[0].message
    assert main(["audit", str(played), "--head", str(head)]) == 1
    assert main(["audit", str(played)]) == 0


def test_a_truncated_journal_is_found_from_a_sides_view_too(played: Path) -> None:
    heads = {side: audit_campaign(played, side=side).head for side in Side}
    forger = Forger(played)
    bought = forger.where(lambda one: (one.get("asked") or {}).get("item") == "foxhole_1s")
    while len(forger.payloads) >= bought:
        forger.cut(len(forger.payloads))
    forger.seal()
    for side, head in heads.items():
        assert codes(audit_campaign(played, head=head, side=side)) == {"head"}


def test_an_older_checksum_is_found_in_a_longer_journal(played: Path) -> None:
    with closing(sqlite3.connect(played)) as connection:
        (older,) = connection.execute("SELECT hash FROM journal WHERE seq = 30").fetchone()
    assert audit_campaign(played, head=older).ok


def test_a_nonsense_checksum_is_reported(played: Path) -> None:
    assert codes(audit_campaign(played, head="")) == {"head"}
    assert codes(audit_campaign(played, head="\x1b[2J")) == {"head"}
