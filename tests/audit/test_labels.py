"""What an entry says of the rules it was made under excuses nothing, unless those rules were ever
given out or agreed on."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from brt_cg.audit import audit_campaign
from brt_cg.audit.other_rules import UNRELEASED, entries_with_trusted_label
from brt_cg.cli import main
from brt_cg.journal.rules_version import VERSION, current_rules, current_version_text
from brt_cg.model.counters import Side
from tests.audit.entries import journal
from tests.audit.forger import Forger, codes
from tests.settings import count

pytestmark = pytest.mark.usefixtures("made_again_once")

NOW = current_version_text("III")
TABLES = current_rules("III").data["tables"]
OTHER_TABLES = NOW.replace(f"tables={TABLES}", "tables=0badf00d")
INVENTED = {
    "tables that nobody has": OTHER_TABLES,
    "rules to come": NOW.replace(f"{VERSION} ", "77 ", 1),
    "an old number with today's tables": NOW.replace(f"{VERSION} ", "3 ", 1),
    "data of no part": f"{VERSION} ships=0badf00d",
}
WEAPON = {"id": "m-mg-9", "side": "marine", "kind": "gun", "type": "75mm", "nation": "marine"}


def three_gpp_more(forger: Forger) -> None:
    allotted = [one for one in forger.payload(1)["changes"] if one[1] == "japanese/red_one"]
    allotted[0][4]["gpp"] += 3


def a_die_turned(forger: Forger) -> None:
    seq = forger.where(lambda one: "roll" in one and one.get("from") == "hand")
    payload = forger.payload(seq)
    roll = payload["roll"]
    turned = 1 if roll["dice"][0] != 1 else 6
    payload["answer"] = turned
    total = turned + sum(amount for amount, _ in roll["modifiers"])
    roll |= {"dice": [turned], "original": turned, "final": total}


def a_fate_removed(forger: Forger) -> None:
    def kills(payload: dict[str, Any]) -> bool:
        return payload["kind"] == "answer" and any(one[2] == "fate" for one in payload["changes"])

    payload = forger.payload(forger.where(kills))
    payload["changes"] = [one for one in payload["changes"] if one[2] != "fate"]


def a_free_gun(forger: Forger) -> None:
    seq = forger.of_kind("import")
    forger.payload(seq)["changes"].append(["weapons", "m-mg-9", "", None, WEAPON])


def san_of_nine(forger: Forger) -> None:
    seq = forger.of_kind("import")
    forger.payload(seq)["changes"].append(["sides", "marine", "san", 4, 9])


FORGERIES = (three_gpp_more, a_die_turned, a_fate_removed, a_free_gun, san_of_nine)


def labelled(played: Path, label: str) -> Forger:
    forger = Forger(played)
    for payload in forger.payloads:
        payload["rules"] = label
    return forger


EACH_WITH_EACH = [(forge, label) for forge in FORGERIES for label in INVENTED.values()]


# In a quick run every forgery and every label, though not each with each.
@pytest.mark.parametrize(("forge", "label"), EACH_WITH_EACH[:: count(ci=3, full=1)])
def test_an_invented_version_label_hides_no_forgery(
    forge: Callable[[Forger], None], label: str, played: Path
) -> None:
    forger = labelled(played, label)
    forge(forger)
    forger.seal()
    assert main(["audit", str(played)]) == 1
    assert codes(audit_campaign(played)) & {"rules", "roll", "dice", "pool", "allotment"}


@pytest.mark.parametrize("side", [None, *Side])
def test_an_unknown_version_label_is_reported_as_unreleased(
    side: Side | None, played: Path
) -> None:
    labelled(played, OTHER_TABLES).seal()
    report = audit_campaign(played, side=side)
    assert report.ok
    (notice,) = report.notices
    assert UNRELEASED in notice.message


@pytest.mark.parametrize("forge", FORGERIES)
def test_an_older_version_label_in_the_middle_excuses_nothing(
    forge: Callable[[Forger], None], played: Path
) -> None:
    """Nobody goes back to an older program for one invocation."""
    forger = Forger(played)
    before = [dict(payload) for payload in forger.payloads]
    forge(forger)
    forged = {
        one["call"]
        for one, was in zip(forger.payloads, before, strict=True)
        if one["changes"] != was["changes"] or one.get("roll") != was.get("roll")
    }
    for payload in forger.payloads[1:]:
        if payload["call"] in forged:
            payload["rules"] = "1"
    forger.seal()
    assert not audit_campaign(played).ok


def test_players_can_agree_to_their_changed_tables(
    played: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """R-DATA names the digest of what they changed."""
    assert main(["rulings", str(played), "--set", "R-DATA=tables=0badf00d"]) == 0
    assert main(["rulings", str(played), "--set", "R-DATA=tables=0bad"]) == 2
    assert "tables=1f0e9a77" in capsys.readouterr().err
    assert audit_campaign(played).ok


def test_an_agreement_excuses_changes_until_undone() -> None:
    value = ["rulings", "R-DATA", "value", "released", "tables=0badf00d"]
    back = [*value[:3], value[4], value[3]]
    entries = journal(
        {"kind": "new", "asked": {"cg": "III"}},
        {"kind": "answer", "rules": OTHER_TABLES},
        {"kind": "ruling", "changes": [value], "rules": OTHER_TABLES},
        {"kind": "answer", "rules": OTHER_TABLES},
        {"kind": "undo", "changes": [back], "asked": {"entries": [3]}, "rules": OTHER_TABLES},
        {"kind": "answer", "rules": NOW},
        {"kind": "answer", "rules": "3"},
    )
    assert entries_with_trusted_label(entries) == {1, 3, 4, 6}


def test_strict_makes_every_notice_a_finding(played: Path) -> None:
    labelled(played, "1").seal()
    assert main(["audit", str(played)]) == 0
    assert main(["audit", str(played), "--strict"]) == 1
    report = audit_campaign(played).as_strict()
    assert (report.ok, report.notices) == (False, ())
