"""Entries that the rules would refuse, well hashed and with tables that follow: each is named."""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from brt_cg.audit import audit_campaign
from brt_cg.model.counters import Side
from tests.audit.forger import Forger, codes, messages, pried_open, shows
from tests.settings import count

pytestmark = pytest.mark.usefixtures("made_again_once")

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
    forger.change(seq, "casualties", "")[4]["points"] = 99
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


def an_answer_in_no_paragraph(forger: Forger) -> int:
    """Whose changes might then be any."""
    seq = forger.where(lambda one: one["kind"] == "answer" and one["changes"])
    forger.payload(seq)["rule"] = None
    forger.payload(seq)["changes"] += [["sides", "marine", "cvp", 12, 99]]
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
    an_answer_in_no_paragraph,
    *(a_change_altered, a_die_turned, a_die_of_seven, a_wrong_final, a_modifier_left_out),
    *(an_answer_to_a_question_not_asked, a_purchase_out_of_time, a_purchase_of_too_much),
    *(an_import_with_other_changes, an_import_of_another_state, an_import_out_of_time),
    *(an_undo_of_an_older_entry, a_redo_of_nothing, a_kind_unheard_of, a_paragraph_out_of_turn),
    *(another_skip, a_secret_made_public, a_field_too_many, another_invocation),
)


@pytest.mark.parametrize("forge", FORGERIES)
def test_a_well_hashed_forgery_is_named(forge: Forgery, played: Path) -> None:
    """In a player's view it may be the enemy's secret; but nothing fails."""
    forger = Forger(played)
    seq = forge(forger)
    report = forger.audited()
    assert not {"hash-chain", "order", "projection", "unjudged", "payload"} & codes(report)
    assert any(str(seq) in one.records for one in report.findings), report.text()
    for side in [*Side][:: count(ci=2, full=1)]:
        assert shows(audit_campaign(played, side=side).text())


NONSENSE: tuple[Any, ...] = (
    *(None, 0, True, "x", "\ud800", [], {}, [[]], {"entries": [0]}, [None] * 5, 10**30),
)


@pytest.mark.parametrize("kind", ["new", "import", "buy", "undo", "redo", "answer", "skip", "edit"])
def test_nonsense_in_a_payload_never_fails(kind: str, pristine: Path, tmp_path: Path) -> None:
    """Each part of an entry in turn (in a quick run every other), well hashed; a whole campaign
    stands on the first one."""
    untouched = Forger(pristine)
    parts = [*enumerate(sorted(untouched.payload(untouched.of_kind(kind))))]
    for at, part in parts[len(kind) % 2 :: count(ci=2, full=1)]:
        copy = Path(shutil.copy(pristine, tmp_path / f"{part}.brt"))
        forger = Forger(copy)
        value = NONSENSE[(at + len(kind)) % len(NONSENSE)]
        forger.payload(forger.of_kind(kind))[part] = value
        try:
            forger.seal()
        except (TypeError, ValueError, KeyError, AttributeError):
            continue  # no such campaign can even be written
        report = audit_campaign(copy)
        assert not report.ok, f"{kind}.{part} = {value!r}"
        assert shows(report.text() + audit_campaign(copy, side=[*Side][at % 2]).text())


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
    report = audit_campaign(played)
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
    report = audit_campaign(played)
    assert messages(report, "roll")[0].startswith(f"entry {later}: ")
    assert messages(report, "order") == [
        "row 14 of the journal has the number 15, but should have 14"
    ]
    assert messages(report, "payload")[0].startswith("entry 31: its payload is not canonical JSON")
