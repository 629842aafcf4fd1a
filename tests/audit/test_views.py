"""A side's audit: what it may know of what was found, and not where the enemy's secrets are."""

import json
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from brt_cg.audit import audit_campaign
from brt_cg.audit.checks import build_check_rows
from brt_cg.audit.finding import Finding
from brt_cg.journal.changes import force_changes
from brt_cg.journal.entries import canonical_json
from brt_cg.model.campaign import Campaign
from brt_cg.model.counters import Side
from tests.audit.forger import Forger, codes, pried_open
from tests.refit.table import JAPANESE, MARINE
from tests.settings import count

pytestmark = pytest.mark.usefixtures("made_again_once")


def test_a_side_sees_only_that_tables_are_forged(played: Path) -> None:
    with pried_open(played) as connection:
        connection.execute("UPDATE purchases SET total = 9")
        connection.execute("UPDATE units SET location = 'Z1' WHERE id LIKE 'j-%'")
        connection.execute("UPDATE journal SET hash = 'x' WHERE seq > 50")
    findings = audit_campaign(played, side=MARINE).findings
    assert [(one.code, one.message, one.records) for one in findings] == [
        ("hash-chain", "an entry's hash does not match its contents and the previous entry", ()),
        ("projection", "a table does not match the journal", ()),
    ]


def test_an_enemys_broken_limit_is_shown_only_as_a_rules_finding(
    played: Path,
) -> None:
    forger = Forger(played)
    seq = forger.of_kind("buy")
    forger.change(seq, "purchases", "")[4] |= {"quantity": 9, "total": 36}
    forger.payload(seq)["asked"]["quantity"] = 9
    forger.seal()
    assert codes(audit_campaign(played, side=MARINE)) == {"rules"}
    assert plainly(played, MARINE) == [PLAIN]
    assert {"allotment", "beach-maximum"} <= codes(audit_campaign(played, side=JAPANESE))


def test_a_side_sees_the_number_of_its_own_row(played: Path) -> None:
    forger = Forger(played)
    seq = forger.where(lambda one: (one.get("ask") or {}).get("subject") == "m-ldr-1")
    forger.payload(seq)["roll"]["final"] += 1
    forger.seal()
    (one,) = [one for one in audit_campaign(played, side=MARINE).findings if one.code == "roll"]
    row = int(one.records[0])
    assert one.message.startswith(f"row {row} of the journal: Original")
    assert row < seq


# --- what a forger says is secret, and is not -----------------------------------------------------

PLAIN = ("rules", "journal", "replayed by the rules, an entry gives a different result", ())


def plainly(path: Path, side: Side) -> list[tuple[str, str, str, tuple[str, ...]]]:
    """What a side reads of findings of the rules."""
    findings = audit_campaign(path, side=side).findings
    return [(o.code, o.rule, o.message, o.records) for o in findings if o.code == "rules"]


def more_cvp(forger: Forger, kind: str = "edit", said: str = "[]", **fields: Any) -> None:
    """The Marines get 50 CVP that no counter was lost for."""
    campaign = Campaign()
    for payload in forger.payloads:
        force_changes(campaign, payload["changes"])
    had = campaign.cvp("marine")
    asked = {"id": "marine", "set": {"cvp": had + 1}, "reason": "x"}
    change = ["sides", "marine", "cvp", had, had + 50]
    forger.add(kind, [change], asked=asked, **fields)
    forger.said[-1] = said
    forger.seal()


SAYING_SO = [
    *product(("edit", "gift", "ruling"), ({}, {"secret": "marine"}, {"secret": "japanese"}))
]


@pytest.mark.parametrize(("kind", "secret"), SAYING_SO[:: count(ci=2, full=1)])
def test_a_public_forgery_cannot_claim_to_be_secret(
    kind: str, secret: dict[str, str], played: Path
) -> None:
    """Nor because it says nothing, nor because nobody knows of such an entry."""
    more_cvp(Forger(played), kind, **secret)
    assert [plainly(played, side) for side in Side] == [[PLAIN], [PLAIN]]


def test_a_public_purchase_made_secret_is_found(played: Path) -> None:
    forger = Forger(played)
    seq = forger.where(lambda one: (one.get("asked") or {}).get("item") == "san_increase")
    forger.payload(seq)["secret"] = "marine"
    forger.seal()
    assert [plainly(played, side) for side in Side] == [[PLAIN], [PLAIN]]


def test_a_secret_made_public_is_found(played: Path) -> None:
    forger = Forger(played)
    del forger.payload(forger.of_kind("buy"))["secret"]
    forger.seal()
    assert plainly(played, MARINE) == [PLAIN]


def test_a_public_lie_in_a_secret_entry_is_found(played: Path) -> None:
    forger = Forger(played)
    seq = forger.of_kind("buy")
    said = json.loads(forger.said[seq - 1])
    forger.said[seq - 1] = canonical_json([*said, ["m-tank-1: eliminated", ["m-tank-1"], None]])
    forger.seal()
    assert plainly(played, MARINE) == [PLAIN]


def test_a_lie_among_enemy_secrets_is_reported_without_details(
    played: Path,
) -> None:
    forger = Forger(played)
    seq = forger.of_kind("buy")
    forger.said[seq - 1] = canonical_json([["bought nothing", [], "japanese"]])
    forger.seal()
    assert plainly(played, MARINE) == [PLAIN]
    (own,) = plainly(played, JAPANESE)
    assert own != PLAIN


def test_a_forged_secret_that_changes_the_enemys_view_is_found(played: Path) -> None:
    """The rules refuse the purchase, so they cannot say whose secret it is."""
    forger = Forger(played)
    seq = forger.of_kind("buy")
    forger.payload(seq)["asked"]["quantity"] = 9
    forger.payload(seq)["changes"].append(["sides", "japanese", "cvp", 0, 5])
    forger.seal()
    assert PLAIN in plainly(played, MARINE)


def test_many_secret_findings_are_reported_once(played: Path) -> None:
    forger = Forger(played)
    more_cvp(forger, secret="marine")
    more_cvp(forger, secret="marine")
    assert plainly(played, JAPANESE) == [PLAIN]


def test_each_check_counts_only_what_the_seat_may_know(played: Path) -> None:
    told = {}
    for side in (None, *Side):
        report = audit_campaign(played, side=side)
        rows = build_check_rows(report.figures, report.findings)
        assert all(row.ok for row in rows)
        told[side] = {row.title: int(row.figure or 0) for row in rows}
        assert told[side]["Hashes"] == report.entries
    assert told[None]["Points"] > told[Side.MARINE]["Points"]
    assert told[None]["Counters"] > told[Side.MARINE]["Counters"]


def test_a_finding_is_listed_under_its_check_and_a_limit_under_purchases() -> None:
    found = [Finding(code, "15.6", "") for code in ("hash-chain", "stacking")]
    wrong = [row.title for row in build_check_rows({}, found) if not row.ok]
    assert wrong == ["Hashes", "Purchases"]
