"""A side's audit: what it may know of what was found, and not where the enemy's secrets are."""

from pathlib import Path

from brt_cg.audit import audit
from tests.audit.forger import Forger, codes, pried_open
from tests.refit.table import JAPANESE, MARINE


def test_a_side_reads_of_forged_tables_only_that_they_are(played: Path) -> None:
    with pried_open(played) as connection:
        connection.execute("UPDATE purchases SET total = 9")
        connection.execute("UPDATE units SET location = 'Z1' WHERE id LIKE 'j-%'")
        connection.execute("UPDATE journal SET hash = 'x' WHERE seq > 50")
    findings = audit(played, side=MARINE).findings
    assert [(one.code, one.message, one.records) for one in findings] == [
        ("hash-chain", "an entry's hash does not follow from it and the one before", ()),
        ("projection", "a table holds what the journal does not make", ()),
    ]


def test_a_side_reads_nothing_of_the_enemys_broken_limits(played: Path) -> None:
    forger = Forger(played)
    seq = forger.of_kind("buy")
    forger.change(seq, "purchases", "")[4] |= {"quantity": 9, "total": 36}
    forger.payload(seq)["asked"]["quantity"] = 9
    forger.seal()
    assert audit(played, side=MARINE).ok
    assert {"allotment", "beach-maximum"} <= codes(audit(played, side=JAPANESE))


def test_a_side_reads_the_number_of_its_own_row(played: Path) -> None:
    forger = Forger(played)
    seq = forger.where(lambda one: (one.get("ask") or {}).get("subject") == "m-ldr-1")
    forger.payload(seq)["roll"]["final"] += 1
    forger.seal()
    (one,) = [one for one in audit(played, side=MARINE).findings if one.code == "roll"]
    row = int(one.records[0])
    assert one.message.startswith(f"row {row} of the journal: Original")
    assert row < seq
