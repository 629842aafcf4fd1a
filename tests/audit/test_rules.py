"""The rules run again: what they do not make of an entry's question and answer is found."""

from pathlib import Path

import pytest

from brt_cg.audit import audit, meaning, rules
from brt_cg.journal.entries import canonical
from tests.audit.forger import Forger, codes, messages
from tests.audit.played import make


@pytest.mark.parametrize("cg", ["I", "II", "III"])
def test_a_clean_campaign_of_each_game(cg: str, tmp_path: Path) -> None:
    report = audit(make(tmp_path / "clean.brt", cg))
    assert report.findings == ()
    assert report.plain()["ok"] is True
    assert report.text().endswith("nothing found")


def test_rules(played: Path) -> None:
    forger = Forger(played)
    seq = forger.of_kind("edit")
    forger.change(seq, "units", "name")[4] = "Charlie"
    one = next(one for one in forger.audited().findings if one.code == "rules")
    assert (one.rule, one.records) == ("journal", (str(seq),))
    words = "(edit) the rules change m-sq-1.name from 'Able' to 'Baker'"
    assert one.message.startswith(f"entry {seq}: {words}; recorded is m-sq-1.name from 'Able'")


def test_rules_name_the_paragraph(played: Path) -> None:
    forger = Forger(played)
    seq = forger.where(lambda one: (one.get("ask") or {}).get("subject") == "j-ldr-1")
    forger.payload(seq)["changes"] = []
    found = [one for one in forger.audited().findings if one.code == "rules"]
    assert (found[0].rule, found[0].records) == ("15.6112", (str(seq),))


def test_after_a_forged_change_the_paragraph_goes_on(played: Path) -> None:
    """One altered change in the middle of a paragraph is one finding, not one for all its rest."""
    forger = Forger(played)
    seq = forger.where(lambda one: (one.get("ask") or {}).get("subject") == "m-mg-1")
    forger.change(seq, "weapons", "status")[4] = ["disabled"]
    found = [one for one in forger.audited().findings if one.code == "rules"]
    assert [one.records for one in found][:1] == [(str(seq),)]
    assert len(found) <= 3


def test_sentences_of_these_rules_must_be_theirs(played: Path) -> None:
    forger = Forger(played)
    seq = forger.of_kind("edit")
    forger.said[seq - 1] = canonical([["never mind", [], None]])
    (one,) = forger.audited().findings
    assert (one.code, one.records) == ("rules", (str(seq),))
    assert "its sentences are not those that the rules say" in one.message


def test_old_wording_is_no_finding(played: Path) -> None:
    """Entries of older rules keep the sentences of their time."""
    forger = Forger(played)
    seq = forger.of_kind("edit")
    forger.payload(seq)["rules"] = "0"
    forger.said[seq - 1] = canonical([["it was said otherwise then", ["m-sq-1"], None]])
    assert forger.audited().findings == ()


def test_other_changes_of_older_rules_are_a_finding_that_says_so(played: Path) -> None:
    forger = Forger(played)
    seq = forger.of_kind("edit")
    forger.payload(seq)["rules"] = "0"
    forger.change(seq, "units", "name")[4] = "Charlie"
    assert "made under rules 0" in forger.audited().findings[0].message


def test_a_broken_rule_is_a_finding_too(monkeypatch: pytest.MonkeyPatch, played: Path) -> None:
    def breaks(*_: object) -> None:
        raise RuntimeError("out of order")

    monkeypatch.setitem(rules.COMMANDS, "edit", breaks)
    monkeypatch.setattr(meaning, "CHECKS", (breaks,))
    report = audit(played)
    assert {"rules", "unjudged"} <= codes(report)
    assert "out of order" in messages(report, "rules")[0]
