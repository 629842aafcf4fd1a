"""A campaign made under other rules: the audit says so once, and still finds what is wrong."""

import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from brt_cg import resources
from brt_cg.audit import Report, audit_campaign
from brt_cg.audit.other_rules import RulesExplanation
from brt_cg.audit.replay import replay_entries
from brt_cg.card import data_digest, games, load_card
from brt_cg.commands import Command
from brt_cg.journal import rules_version
from brt_cg.journal.entries import Entry, canonical_json
from brt_cg.journal.rules_version import VERSION
from brt_cg.model.counters import Side
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.service.unrestricted import unrestricted_campaign
from brt_cg.views.journal import visible_entries
from tests.audit import test_forgeries as forgeries
from tests.audit.forger import Forger, codes, messages, pried_open
from tests.exports.journals import new

# Where the wounded leaders of 15.6112 roll.
ELIMINATED = 'low = 4, result = "eliminated", text = "eliminated"'


@pytest.fixture
def other_tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Puts other data in force than the campaigns of these tests were played with."""

    def change(name: str, found: str, written: str) -> None:
        folder = Path(shutil.copytree(resources.game_data_folder(), tmp_path / "other"))
        text = (folder / name).read_text("utf-8")
        assert found in text
        (folder / name).write_text(text.replace(found, written), "utf-8")
        for module in (games, data_digest):
            monkeypatch.setattr(module, "game_data_folder", lambda: folder)
        _forget_the_data()

    yield change
    monkeypatch.undo()
    _forget_the_data()


def _forget_the_data() -> None:
    games.load_card.cache_clear()
    rules_version.current_rules.cache_clear()
    rules_version.current_version_text.cache_clear()


Other = Callable[..., None]


@pytest.fixture
def nobody_dies(other_tables: Other) -> None:
    """A changed row: a wounded leader stays so where he would be eliminated."""
    other_tables("tables.toml", ELIMINATED, 'low = 4, result = "wounded", text = "wounded"')


def told(report: Report) -> list[str]:
    return [one.message for one in report.notices if one.code == "other-rules"]


# --- it is said, once, and is no breach -----------------------------------------------------------


@pytest.mark.usefixtures("nobody_dies")
def test_a_changed_table_row_is_reported_as_other_rules(played: Path) -> None:
    report = audit_campaign(played)
    assert report.ok
    (notice,) = told(report)
    count = len(Forger(played).payloads)
    assert notice.startswith(f"entries 1–{count} were made under different rules: version ")
    assert "with different data (tables " in notice
    plain = report.as_json()
    assert (plain["ok"], plain["findings"]) == (True, [])
    assert plain["notices"][0]["code"] == "other-rules"
    assert report.text().endswith("no errors found")


@pytest.mark.usefixtures("nobody_dies")
def test_results_that_differ_under_other_rules_are_distinguished_from_forgeries(
    pristine: Path,
) -> None:
    forger = Forger(pristine)
    rolled = {
        str(seq)
        for seq, one in enumerate(forger.payloads, 1)
        if (one.get("roll") or {}).get("row") == "eliminated"
    }
    otherwise = {one.records[0] for one in audit_campaign(pristine).notices if one.code == "roll"}
    assert rolled
    assert otherwise == rolled


def test_the_same_rules_make_no_notice(pristine: Path) -> None:
    assert audit_campaign(pristine).notices == ()


def test_entries_from_before_digests_are_audited(played: Path) -> None:
    forger = Forger(played)
    for payload in forger.payloads:
        payload["rules"] = "1"
    report = forger.audited()
    assert report.ok
    assert [one.code for one in report.notices] == ["other-rules"]
    assert f"version 1 instead of the current version {VERSION}" in told(report)[0]


def test_entries_of_a_newer_program_are_audited(played: Path) -> None:
    forger = Forger(played)
    newest = forger.payloads[-1]
    for payload in forger.payloads:
        if payload["call"] == newest["call"]:
            payload["rules"] = newest["rules"].replace(f"{VERSION} ", "77 ", 1)
    report = forger.audited()
    assert report.ok
    assert "update brt-cg to check them" in told(report)[0]


@pytest.mark.usefixtures("nobody_dies")
@pytest.mark.parametrize("side", Side)
def test_a_side_sees_differences_in_its_own_rows(side: Side, played: Path) -> None:
    report = audit_campaign(played, side=side)
    assert report.ok
    (notice,) = told(report)
    rows = len(visible_entries(unrestricted_campaign(OpenCampaign.open(played)), side))
    assert notice.startswith(f"rows 1–{rows} were made under different rules")


# --- and what is wrong is found all the same ------------------------------------------------------

# What no change of a table explains: corrections, imports, purchases, kinds, undos, invocations.
NO_TABLE_EXPLAINS = (
    forgeries.a_change_altered,
    forgeries.a_die_of_seven,
    forgeries.a_wrong_final,
    forgeries.a_purchase_out_of_time,
    forgeries.a_purchase_of_too_much,
    forgeries.an_import_with_other_changes,
    forgeries.an_import_of_another_state,
    forgeries.an_import_out_of_time,
    forgeries.an_undo_of_an_older_entry,
    forgeries.a_redo_of_nothing,
    forgeries.a_kind_unheard_of,
    forgeries.a_secret_made_public,
    forgeries.a_field_too_many,
    forgeries.another_invocation,
)


def test_a_state_impossible_under_any_rules_is_found(played: Path) -> None:
    forger = Forger(played)
    for payload in forger.payloads:
        payload["rules"] = "1"
    forger.payloads[-1]["changes"].append(["units", "m-sq-2", "fate", "in_play", "recombined"])
    assert messages(forger.audited(), "fate") == [
        "m-sq-2 is recombined, but no resulting counter is named"
    ]


@pytest.mark.usefixtures("nobody_dies")
@pytest.mark.parametrize("forge", NO_TABLE_EXPLAINS)
def test_a_forgery_not_explained_by_other_tables_is_found(
    forge: forgeries.Forgery, played: Path
) -> None:
    forger = Forger(played)
    seq = forge(forger)
    report = forger.audited()
    assert any(str(seq) in one.records for one in report.findings), report.text()


@pytest.mark.usefixtures("nobody_dies")
@pytest.mark.parametrize(
    "forge", [forge for forge in forgeries.FORGERIES if forge not in NO_TABLE_EXPLAINS]
)
def test_every_other_forgery_is_at_least_reported(forge: forgeries.Forgery, played: Path) -> None:
    forger = Forger(played)
    seq = forge(forger)
    report = forger.audited()
    assert any(str(seq) in one.records for one in (*report.findings, *report.notices))


@pytest.mark.usefixtures("nobody_dies")
def test_tampering_is_found(played: Path) -> None:
    with pried_open(played) as connection:
        connection.execute("UPDATE units SET location = 'Z1' WHERE id = 'm-sq-2'")
        connection.execute("UPDATE journal SET hash = 'x' WHERE seq = 20")
    assert codes(audit_campaign(played)) == {"projection", "hash-chain"}


def test_limits_are_those_of_the_price_list(played: Path, other_tables: Other) -> None:
    """Under other prices a purchase may have been right; but not more than all points."""
    forger = Forger(played)
    forgeries.a_purchase_of_too_much(forger)
    forger.seal()
    assert {"allotment", "beach-maximum"} <= codes(audit_campaign(played))
    other_tables("prices.toml", "max_per_beach = 4", "max_per_beach = 3")
    report = audit_campaign(played)
    assert "allotment" in codes(report)
    assert "beach-maximum" not in codes(report)
    assert "beach-maximum" in {one.code for one in report.notices}
    assert messages(report, "pool")


def test_a_purchase_id_of_other_rules_does_not_shift_the_next_id(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    journal = new(allotments={"japanese": {"island": {"fpp": 40}}})
    for item in ("trench", "wire", "wire"):
        order = {"item": item, "side": "japanese", "beach": "island", "quantity": 1}
        journal.run_command("buy", order, "japanese")
    new_id = Command.next_purchase_id

    def higher(command: Command, letter: str, side: Side) -> str:
        return "pj9" if command.asked["item"] == "trench" else new_id(command, letter, side)

    monkeypatch.setattr(Command, "next_purchase_id", higher)
    assert [one.records for one in replay_entries(journal.entries).findings] == [("2",)]


@pytest.mark.parametrize("purchase", [5, "x", {}, {"side": "nobody"}, {"side": ["japanese"]}])
def test_a_forged_purchase_without_a_side_does_not_stop_the_replay(purchase: Any) -> None:
    journal = new(allotments={"japanese": {"island": {"fpp": 40}}})
    for item in ("trench", "wire"):
        order = {"item": item, "side": "japanese", "beach": "island", "quantity": 1}
        journal.run_command("buy", order, "japanese")
    created, bought, after = journal.entries
    changes = [change for change in bought.changes if change[0] != "purchases"]
    changes.append(["purchases", "pj1", "", None, purchase])
    forged = replace(bought, payload=bought.payload | {"changes": changes}, text="forged")
    assert replay_entries([created, forged, after]).findings[0].records == ("2",)


def an_entry(kind: str, rule: str, rules: str) -> Entry:
    payload = {"kind": kind, "rule": rule, "rules": rules, "changes": [], "call": 1}
    return Entry(1, canonical_json(payload), "", payload)


def test_other_rules_explain_differences_only_within_their_paragraph() -> None:
    card, now = load_card("III"), rules_version.current_version_text("III")
    explanation = RulesExplanation({1})
    explanation.advance_to(an_entry("begin", "15.6112", "1"))
    assert explanation.explains_and_remembers_paragraph(an_entry("answer", "15.6112", "1"), card)
    assert explanation.explains_and_remembers_paragraph(an_entry("answer", "15.6112", now), card)
    explanation.advance_to(an_entry("begin", "15.6112", now))
    assert not explanation.explains_and_remembers_paragraph(
        an_entry("answer", "15.6112", now), card
    )
