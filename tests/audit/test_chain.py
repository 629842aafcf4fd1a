"""The checks of the journal's rows: numbers, cells, payloads, hashes, tail."""

import json
from typing import Any

import pytest

from brt_cg.audit import chain
from brt_cg.audit.finding import Finding
from brt_cg.journal.entries import Entry, canonical_json
from brt_cg.storage.reader import RawEntry
from brt_cg.text import escape_unprintable
from tests.audit.entries import DRESS, journal


def rows(*entries: Entry, **cells: Any) -> list[RawEntry]:
    """The rows of entries, the last with other cells if they are given."""
    found = [RawEntry(one.seq, one.text, one.hash, "[]") for one in entries]
    last = entries[-1]
    values = {"seq": last.seq, "payload": last.text, "hash": last.hash, "said": "[]"} | cells
    return [*found[:-1], RawEntry(**values)]


TWO = journal({"kind": "ruling"}, {"kind": "edit"})


@pytest.mark.parametrize(
    ("cell", "value", "found"),
    [
        ("seq", 2.5, "real"),
        ("payload", b"{}", "blob"),
        ("hash", 5, "integer"),
        ("said", None, "null"),
    ],
)
def test_a_journal_cell_of_a_wrong_type_is_found(cell: str, value: Any, found: str) -> None:
    (one,) = chain.check_cell_types(rows(*TWO, **{cell: value}))
    assert (one.code, one.rule, one.records) == ("journal-cell", "journal", ("2",))
    due = "integer" if cell == "seq" else "text"
    assert one.message == f"row 2 of the journal: {cell} is stored as {found}, not {due}"


def test_a_wrong_entry_number_is_found() -> None:
    (one,) = chain.check_numbering(rows(*TWO, seq=5))
    assert (one.code, one.rule, one.records) == ("order", "journal", ("5",))
    assert one.message == "row 2 of the journal has the number 5, but should have 2"
    assert list(chain.check_numbering(rows(*TWO))) == []


def test_one_missing_number_is_one_finding() -> None:
    three = journal({"kind": "ruling"}, {"kind": "edit"}, {"kind": "edit"}, {"kind": "edit"})
    found = rows(*three)
    del found[1]
    assert [one.records for one in chain.check_numbering(found)] == [("3",)]


@pytest.mark.parametrize("cell", [{"hash": "0" * 64}, {"payload": "{}"}, {"seq": 3}])
def test_a_wrong_hash_is_found(cell: dict[str, Any]) -> None:
    (one,) = chain.check_hashes(rows(*TWO, **cell))
    assert (one.code, one.rule) == ("hash-chain", "journal")
    assert "its hash does not match" in one.message
    assert list(chain.check_hashes(rows(*TWO))) == []


@pytest.mark.parametrize(
    ("payload", "message"),
    [
        ("gone", "entry 2: its payload is not canonical JSON"),
        ('{"b":1, "a":2}', "entry 2: its payload is not canonical JSON"),
        ("[]", "entry 2: its payload is not an object"),
        ("{}", "(kind, by, at, rules, call, changes)"),
        (
            canonical_json(DRESS | {"kind": "edit", "changes": [[1]]}),
            "(changes)",
        ),
        (
            canonical_json(DRESS | {"kind": "answer", "changes": []}),
            "(ask)",
        ),
        (canonical_json(DRESS | {"kind": "undo", "changes": []}), "(asked.entries)"),
        (canonical_json(DRESS | {"kind": "begin", "changes": []}), "(rule)"),
    ],
)
def test_a_damaged_payload_is_found(payload: str, message: str) -> None:
    (one,) = chain.check_payloads(chain.read_entries(rows(*TWO, payload=payload)))
    assert (one.code, one.rule, one.records) == ("payload", "journal", ("2",))
    assert message in one.message


@pytest.mark.parametrize(
    "at", ["yesterday", "", "2026-01-01", "2026-01-01T12:00:00", "2026-13-01T12:00:00Z", "٢٠٢٦"]
)
def test_an_invalid_time_is_found(at: str) -> None:
    payload = canonical_json(DRESS | {"kind": "edit", "changes": [], "at": at})
    (one,) = chain.check_payloads(chain.read_entries(rows(*TWO, payload=payload)))
    assert (one.code, one.rule, one.records) == ("payload", "journal", ("2",))
    assert one.message.startswith(f"entry 2: its time {at!r} is not valid")


ASK = {"rule": "15.6112", "subject": "m-ldr-1", "kind": "roll", "side": "marine"}


@pytest.mark.parametrize("source", ["banana", "", None, 1])
def test_a_wrong_source_of_an_answer_is_found(source: Any) -> None:
    answer = {"kind": "answer", "rule": "15.6112", "ask": ASK, "answer": 3, "from": source}
    payload = canonical_json(DRESS | {"changes": []} | answer)
    (one,) = chain.check_payloads(chain.read_entries(rows(*TWO, payload=payload)))
    assert one.code == "payload"
    assert one.message == (
        f"entry 2: its answer is from {source!r}, but must be from hand, file, app, default, "
        "catalogue, ahead"
    )


def test_an_entry_with_an_odd_time_can_be_read() -> None:
    payload = canonical_json(DRESS | {"kind": "edit", "changes": [], "at": "yesterday"})
    assert chain.read_entries(rows(*TWO, payload=payload))[1].entry.kind == "edit"


@pytest.mark.parametrize("said", ["{", "[[]]", '[["a",[1],null]]', '[["a", [], null]]'])
def test_invalid_sentences_are_found(said: str) -> None:
    (one,) = chain.check_payloads(chain.read_entries(rows(*TWO, said=said)))
    assert one.code == "payload"
    assert "its sentences" in one.message


def test_a_wrong_invocation_number_is_found() -> None:
    entries = journal({"kind": "new"}, {"kind": "edit", "call": 1}, {"kind": "edit", "call": 2})
    (one,) = chain.check_invocations(entries)
    assert (one.code, one.rule, one.records) == ("call", "journal", ("3",))
    assert one.message.startswith("entry 3: it claims to belong to the same command as entry 2")


def test_a_checksum_missing_in_the_chain_is_found() -> None:
    hashes = [one.hash for one in TWO]
    assert list(chain.check_recorded_head_in_chain(hashes, None)) == []
    assert list(chain.check_recorded_head_in_chain(hashes, hashes[0])) == []
    (one,) = chain.check_recorded_head_in_chain(hashes, "f" * 64)
    assert (one.code, one.rule) == ("head", "journal")
    assert f"whose checksum is {hashes[1]} after 2 entries" in one.message


def test_a_damaged_file_cannot_control_the_terminal() -> None:
    assert escape_unprintable("a\x1b[2J\n\udcff“–") == "a\\x1b[2J\\n\\udcff“–"
    one = Finding("projection", "projection", "\x00", ("\udcff",))
    assert json.dumps(one.as_json(), ensure_ascii=False).encode()
    assert one.text() == "projection · projection · \\x00 [\\udcff]"
