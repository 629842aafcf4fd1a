"""Whatever is tampered with in a campaign's file, the audit finds it, and finds all of it."""

import json
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from brt_cg.audit import audit
from brt_cg.campaign import TABLES
from brt_cg.cli import main
from brt_cg.counters import Side
from tests.audit.forger import Forger, codes, columns, messages, pried_open, tables
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


def shows(text: str) -> bool:
    """Whether any terminal can print a text."""
    return all(line.isprintable() for line in text.split("\n")) and bool(text.encode("utf-8"))


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


# --- what the rules would refuse, well hashed -----------------------------------------------------

Forgery = Callable[[Forger], int]


def a_change_altered(forger: Forger) -> int:
    seq = forger.of_kind("edit")
    forger.change(seq, "units", "name")[4] = "Charlie"
    return seq


def a_die_turned(forger: Forger) -> int:
    """Not only the die: Original, Final and row are made to follow."""
    seq = forger.where(lambda one: (one.get("ask") or {}).get("subject") == "j-ldr-1")
    payload = forger.payload(seq)
    payload["answer"] = 1
    payload["roll"] |= {"dice": [1], "original": 1, "final": 2, "row": "still_wounded"}
    return seq


def a_die_of_seven(forger: Forger) -> int:
    seq = forger.where(lambda one: (one.get("ask") or {}).get("subject") == "j-ldr-1")
    payload = forger.payload(seq)
    payload["answer"] = 7
    payload["roll"] |= {"dice": [7], "original": 7, "final": 8}
    return seq


def a_wrong_final(forger: Forger) -> int:
    seq = forger.where(lambda one: (one.get("ask") or {}).get("subject") == "j-ldr-1")
    forger.payload(seq)["roll"]["final"] += 1
    return seq


def a_modifier_left_out(forger: Forger) -> int:
    seq = forger.where(lambda one: (one.get("ask") or {}).get("subject") == "m-ldr-1")
    roll = forger.payload(seq)["roll"]
    roll |= {"modifiers": [], "final": roll["original"]}
    return seq


def an_answer_to_a_question_not_asked(forger: Forger) -> int:
    ask = {"rule": "15.6112", "subject": "m-ldr-1", "kind": "roll", "side": "marine"}
    return forger.add("answer", rule="15.6112", ask=ask, answer=3, **{"from": "hand"})


def a_purchase_out_of_time(forger: Forger) -> int:
    asked = {"item": "hmg", "side": "japanese", "beach": "red_one", "quantity": 1}
    seq = len(forger.payloads) + 1
    bought = purchase(forger, f"p{seq}", date="21 AM")
    change = ["purchases", f"p{seq}", "", None, bought]
    return forger.add("buy", [change], asked=asked, secret="japanese")


def a_purchase_of_too_much(forger: Forger) -> int:
    seq = forger.of_kind("buy")
    change = forger.change(seq, "purchases", "")
    change[4] |= {"quantity": 9, "total": 36}
    forger.payload(seq)["asked"]["quantity"] = 9
    return seq


def purchase(forger: Forger, id: str, **fields: Any) -> dict[str, Any]:
    """The first purchase of the journal under another id."""
    found: dict[str, Any] = forger.change(forger.of_kind("buy"), "purchases", "")[4]
    return found | {"id": id, "created": []} | fields


def an_import_with_other_changes(forger: Forger) -> int:
    seq = forger.of_kind("import")
    forger.change(seq, "sides", "cvp")[4] = 99
    return seq


def an_import_of_another_state(forger: Forger) -> int:
    seq = forger.of_kind("import")
    forger.payload(seq)["asked"]["state"]["units"][0]["status"] = []
    return seq


def an_import_out_of_time(forger: Forger) -> int:
    seq = forger.of_kind("import")
    return forger.add("import", [], asked=forger.payload(seq)["asked"])


def an_undo_of_an_older_entry(forger: Forger) -> int:
    return forger.add("undo", [], asked={"entries": [14]})


def a_redo_of_nothing(forger: Forger) -> int:
    return forger.add("redo", [], asked={"entries": [14]})


def a_kind_unheard_of(forger: Forger) -> int:
    return forger.add("gift", [["sides", "marine", "cvp", 13, 99]])


def a_paragraph_out_of_turn(forger: Forger) -> int:
    return forger.add("begin", [], rule="15.6112")


def another_skip(forger: Forger) -> int:
    seq = forger.of_kind("skip")
    forger.payload(seq)["because"] = "nobody felt like it"
    return seq


def a_secret_made_public(forger: Forger) -> int:
    seq = forger.of_kind("buy")
    del forger.payload(seq)["secret"]
    return seq


def a_field_too_many(forger: Forger) -> int:
    seq = forger.of_kind("ruling")
    forger.payload(seq)["note"] = "honest"
    return seq


def another_invocation(forger: Forger) -> int:
    seq = forger.of_kind("edit")
    forger.payload(seq)["call"] = 3
    return seq


FORGERIES: tuple[Forgery, ...] = (
    *(a_change_altered, a_die_turned, a_die_of_seven, a_wrong_final, a_modifier_left_out),
    *(an_answer_to_a_question_not_asked, a_purchase_out_of_time, a_purchase_of_too_much),
    *(an_import_with_other_changes, an_import_of_another_state, an_import_out_of_time),
    *(an_undo_of_an_older_entry, a_redo_of_nothing, a_kind_unheard_of, a_paragraph_out_of_turn),
    *(another_skip, a_secret_made_public, a_field_too_many, another_invocation),
)


@pytest.mark.parametrize("forge", FORGERIES)
def test_a_well_hashed_forgery_is_named(forge: Forgery, played: Path) -> None:
    forger = Forger(played)
    seq = forge(forger)
    report = forger.audited()
    assert not {"hash-chain", "order", "projection", "unjudged", "payload"} & codes(report)
    assert any(str(seq) in one.records for one in report.findings), report.text()


@pytest.mark.parametrize("forge", FORGERIES)
def test_a_forgery_in_a_sides_view(forge: Forgery, played: Path) -> None:
    """It may be the enemy's secret; but nothing fails."""
    forger = Forger(played)
    forge(forger)
    forger.seal()
    for side in Side:
        assert shows(audit(played, side=side).text())


NONSENSE: tuple[Any, ...] = (
    *(None, 0, True, "x", "\ud800", [], {}, [[]], {"entries": [0]}, [None] * 5, 10**30),
)


@pytest.mark.parametrize("kind", ["new", "import", "buy", "undo", "redo", "answer", "skip", "edit"])
def test_nonsense_in_a_payload_never_fails(kind: str, pristine: Path, tmp_path: Path) -> None:
    """Each part of an entry in turn, well hashed; a whole campaign stands on the first one."""
    for at, part in enumerate(sorted(Forger(pristine).payload(Forger(pristine).of_kind(kind)))):
        copy = Path(shutil.copy(pristine, tmp_path / f"{part}.brt"))
        forger = Forger(copy)
        value = NONSENSE[(at + len(kind)) % len(NONSENSE)]
        forger.payload(forger.of_kind(kind))[part] = value
        try:
            forger.seal()
        except (TypeError, ValueError, KeyError, AttributeError):
            continue  # no such campaign can even be written
        report = audit(copy)
        assert not report.ok, f"{kind}.{part} = {value!r}"
        assert shows(report.text() + audit(copy, side=[*Side][at % 2]).text())


# --- all of it ------------------------------------------------------------------------------------


def test_independent_tamperings_are_all_reported(played: Path) -> None:
    forger = Forger(played)
    forged = [a_change_altered(forger), a_wrong_final(forger), a_modifier_left_out(forger)]
    forged += [another_skip(forger), a_purchase_of_too_much(forger)]
    forger.seal()
    with pried_open(played) as connection:
        connection.execute("UPDATE units SET location = 'Z1' WHERE id = 'm-sq-2'")
        connection.execute("DELETE FROM die_rolls WHERE seq = (SELECT max(seq) FROM die_rolls)")
        connection.execute("UPDATE rulings SET value = 5.5 WHERE id = 'R-SAN'")
        connection.execute("UPDATE journal SET said = '[]' WHERE seq = 12")
        connection.execute("UPDATE journal SET hash = x'00' WHERE seq = 60")
        connection.execute("CREATE TABLE extra (id TEXT)")
    report = audit(played)
    named = {record for one in report.findings for record in one.records}
    assert {*map(str, forged)} <= named
    assert {"m-sq-2", "R-SAN", "12", "60", "extra"} <= named
    assert {"rules", "roll", "projection", "hash-chain", "journal-cell", "schema"} <= codes(report)
    assert len(messages(report, "projection")) == 3


def test_a_lost_entry_hides_nothing_that_comes_later(played: Path) -> None:
    forger = Forger(played)
    later = a_wrong_final(forger)
    forger.seal()
    with pried_open(played) as connection:
        connection.execute("DELETE FROM journal WHERE seq = 14")
        connection.execute("UPDATE journal SET payload = 'gone' WHERE seq = 31")
    report = audit(played)
    assert messages(report, "roll")[0].startswith(f"entry {later}: ")
    assert messages(report, "order") == ["row 14 of the journal has the number 15; due is 14"]
    assert messages(report, "payload")[0].startswith("entry 31: its payload is not canonical JSON")
