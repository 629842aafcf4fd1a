"""The rules run again: what they do not make of an entry's question and answer is found."""

import json
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from brt_cg.audit import audit_campaign, entry_checks, replay
from brt_cg.journal.entries import canonical_json, chain_hash
from brt_cg.questions.answers import raise_problems
from brt_cg.questions.question_types import RollQuestion
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.storage.cells import OtherValue
from brt_cg.storage.reader import raw_journal
from tests.audit.forger import Forger, codes, messages
from tests.audit.played import NOON, document, imported, make


@pytest.mark.parametrize("cg", ["I", "II", "III"])
def test_a_clean_campaign_of_each_game_has_no_findings(cg: str, tmp_path: Path) -> None:
    report = audit_campaign(make(tmp_path / "clean.brt", cg))
    assert report.findings == ()
    assert report.as_json()["ok"] is True
    assert report.text().endswith("no errors found")


def test_a_change_that_the_rules_do_not_make_is_found(played: Path) -> None:
    forger = Forger(played)
    seq = forger.of_kind("edit")
    forger.change(seq, "units", "name")[4] = "Charlie"
    one = next(one for one in forger.audited().findings if one.code == "rules")
    assert (one.rule, one.records) == ("journal", (str(seq),))
    words = "(edit) by the rules m-sq-1.name changes from 'Able' to 'Baker'"
    recorded = "in the journal m-sq-1.name changes from 'Able'"
    assert one.message.startswith(f"entry {seq}: {words}; {recorded}")


def test_a_replaced_record_is_found_by_the_rules(played: Path) -> None:
    forger = Forger(played)
    added = forger.change(forger.of_kind("new"), "rulings", "")
    agreed, added[1], added[4]["id"] = added[1], "R-VP", "R-VP"
    one = next(one for one in forger.audited().findings if one.code == "rules")
    assert f"by the rules {agreed} is added; in the journal R-VP is added" in one.message


def test_a_broken_rule_names_its_paragraph(played: Path) -> None:
    forger = Forger(played)
    seq = forger.where(lambda one: (one.get("ask") or {}).get("subject") == "j-ldr-1")
    forger.payload(seq)["changes"] = []
    found = [one for one in forger.audited().findings if one.code == "rules"]
    assert (found[0].rule, found[0].records) == ("15.6112", (str(seq),))


def test_the_replay_continues_after_a_forged_change(played: Path) -> None:
    """One altered change in the middle of a paragraph is one finding, not one for all its rest."""
    forger = Forger(played)
    seq = forger.where(lambda one: (one.get("ask") or {}).get("subject") == "m-mg-1")
    forger.change(seq, "weapons", "status")[4] = ["disabled"]
    found = [one for one in forger.audited().findings if one.code == "rules"]
    assert [one.records for one in found][:1] == [(str(seq),)]
    assert len(found) <= 3


# --- to the last character --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cell", "other"),
    [
        *(("seq", lambda seq: seq - 1), ("seq", float), ("said", lambda said: "[ ]")),
        *(("payload", lambda text: f"{text} "), ("payload", str.encode)),
        *(("hash", lambda digest: "0" * 64), ("hash", OtherValue)),
    ],
)
def test_a_row_the_rules_make_differently_is_checked_separately(
    cell: str, other: Callable[[Any], Any], pristine: Path
) -> None:
    rows = raw_journal(pristine)
    assert replay.replay_if_exact(rows) is not None
    middle = len(rows) // 2
    changed = {cell: other(getattr(rows[middle], cell))}
    rows[middle] = rows[middle]._replace(**changed)
    assert replay.replay_if_exact(rows) is None


@pytest.mark.parametrize("block", [1, 2, 5])
def test_rows_are_checked_alike_in_any_batch_size(
    block: int, played: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(replay, "BLOCK", block)
    rows = raw_journal(played)
    assert replay.replay_if_exact(rows) is not None
    for at in (block - 1, block, block + 1):
        forged = rows[at]._replace(hash="0" * 64)
        assert replay.replay_if_exact([*rows[:at], forged, *rows[at + 1 :]]) is None


@pytest.mark.parametrize(
    ("odd", "just_so"),
    [
        *(("1", True), ("1.5", False), ("NaN", False), ("1e2", False), ("-0", False)),
        *(('{"a":1,"b":1}', True), ('{"b":1,"a":1}', False), ('{"a":1,"a":1}', False)),
        *(
            ('"é"', True),
            ('"\\u00e9"', False),
            ('"\\ud800"', False),
            ("[1]", True),
            ("[ 1]", False),
        ),
    ],
)
def test_a_question_is_written_in_the_journals_form(
    odd: str, just_so: bool, pristine: Path
) -> None:
    """With a hash that is right, and in a field that no rule looks at."""
    rows = raw_journal(pristine)
    payloads = [json.loads(str(row.payload)) for row in rows]
    ruling = next(at for at, payload in enumerate(payloads) if payload["kind"] == "ruling")
    before, row = str(rows[ruling - 1].hash), rows[ruling]
    payloads[ruling]["asked"]["odd"] = "here"
    text = canonical_json(payloads[ruling]).replace('"here"', odd)
    forged = row._replace(payload=text, hash=chain_hash(before, ruling + 1, text))
    assert (replay.replay_if_exact([*rows[:ruling], forged]) is not None) is just_so


@pytest.mark.parametrize(
    ("version", "just_so"),
    [
        *(("1", True), ("99 card=0123abcd", True)),
        *(("99", False), ("1 card=0123abcd", False), ("odd", False), ("", False), (1, False)),
    ],
)
def test_a_campaign_is_reproduced_exactly_if_its_rules_version_exists(
    version: object, just_so: bool, played: Path
) -> None:
    """If there are such rules."""
    forger = Forger(played)
    for payload in forger.payloads:
        payload["rules"] = version
    report = forger.audited()
    assert (replay.replay_if_exact(raw_journal(played)) is not None) is just_so
    assert report.ok is just_so
    assert len(report.notices) == just_so


def test_entries_without_the_public_mark_are_reproduced_exactly(played: Path) -> None:
    forger = Forger(played)
    marked = [payload for payload in forger.payloads if payload.pop("public", False)]
    assert marked
    for payload in forger.payloads:
        payload["rules"] = "1"
    for payload in marked:
        del payload["form"]
    assert forger.audited().ok
    assert replay.replay_if_exact(raw_journal(played)) is not None


def test_no_secret_answer_is_marked_as_public(played: Path) -> None:
    forger = Forger(played)
    answers = (payload for payload in forger.payloads if payload["kind"] == "answer")
    next(payload for payload in answers if "public" not in payload)["public"] = True
    assert "replayed by the rules, it has a different public" in str(
        messages(forger.audited(), "rules")
    )


@pytest.mark.parametrize(
    ("kind", "field", "told"),
    [
        ("edit", "at", "its time 'odd' is not valid"),
        ("answer", "from", "its answer is from 'odd'"),
    ],
)
def test_entries_made_by_no_rule_are_checked_too(
    kind: str, field: str, told: str, played: Path
) -> None:
    forger = Forger(played)
    seq = forger.of_kind(kind)
    forger.payload(seq)[field] = "odd"
    (found,) = forger.audited().findings
    assert (found.code, found.entry) == ("payload", seq)
    assert told in found.message


# --- sentences, and the version of the rules ------------------------------------------------------


def reworded(played: Path, *sentence: Any, version: str | None = None) -> Forger:
    """The first correction, of m-sq-1, says another sentence."""
    forger = Forger(played)
    seq = forger.of_kind("edit")
    forger.payload(seq)["rules"] = version or forger.payload(seq)["rules"]
    forger.said[seq - 1] = canonical_json([list(sentence)])
    return forger


def test_sentences_of_the_current_rules_must_match(played: Path) -> None:
    forger = reworded(played, "never mind", ["m-sq-1"], None)
    (one,) = forger.audited().findings
    assert (one.code, one.records) == ("rules", (str(forger.of_kind("edit")),))
    assert one.what.endswith("its sentences differ from those that the rules produce")


def test_old_wording_is_no_finding(played: Path) -> None:
    """Entries of older rules keep the sentences of their time."""
    forger = reworded(played, "it was said otherwise then", ["m-sq-1"], None, version="1")
    report = forger.audited()
    assert report.ok
    assert [one.code for one in report.notices] == ["other-rules"]


def test_an_undo_repeats_the_wording_of_its_time(played: Path) -> None:
    forger = Forger(played)
    seq = forger.of_kind("undo")
    (undone,) = forger.payload(seq)["asked"]["entries"]
    invocation = forger.payload(undone)["call"]
    for payload in forger.payloads:
        if payload["call"] == invocation:
            payload["rules"] = "1"
    for number, verb in ((undone, ""), (seq, "undone: "), (seq + 1, "redone: ")):
        said = json.loads(forger.said[number - 1])
        assert all(sentence[0].startswith(verb) for sentence in said)
        new = [[f"{verb}as it was said then", *rest] for _, *rest in said]
        forger.said[number - 1] = canonical_json(new)
    assert forger.audited().findings == ()


@pytest.mark.parametrize("rest", [(["j-sq-1"], None), (["m-sq-1"], "marine"), ([], None)])
def test_older_sentences_keep_their_subjects_and_secrecy(
    rest: tuple[list[str], str | None], played: Path
) -> None:
    forger = reworded(played, "whatever", *rest)
    for payload in forger.payloads:
        payload["rules"] = "1"
    report = forger.audited()
    assert (
        "they have different subjects, or different players may read them"
        in report.notices[-1].message
    )


@pytest.mark.parametrize("version", ["0", "2", "banana", "", "1 card=12345678", "2 card=x"])
def test_rules_that_never_existed_are_found(version: str, played: Path) -> None:
    forger = Forger(played)
    forger.payload(forger.of_kind("edit"))["rules"] = version
    (one,) = forger.audited().findings
    assert one.code == "rules"
    assert f"there is no version {version!r} of the rules" in one.message


def _in_the_middle(forger: Forger, seq: int) -> bool:
    """Whether an entry was made by the invocation of the one before it and of the one after."""
    return len({forger.payload(near)["call"] for near in (seq - 1, seq, seq + 1)}) == 1


def test_one_invocation_has_only_one_version_of_the_rules(played: Path) -> None:
    forger = Forger(played)
    seq = next(n for n in count(2) if _in_the_middle(forger, n))
    forger.payload(seq)["rules"] = "1"
    found = forger.audited().findings
    assert [one.code for one in found] == ["call", "call"]
    assert (
        f"entry {seq}: its rules are 1, but the previous entry, from the same invocation, has "
        in found[0].message
    )


# --- what is taken back ---------------------------------------------------------------------------


def take_back(forger: Forger, group: list[int], **asked: Any) -> int:
    """An undo of these entries, in the program's own words."""
    changes = [change for seq in group for change in forger.payload(seq)["changes"]]
    inverse = [[*where, new, old] for *where, old, new in reversed(changes)]
    said = [line for seq in group for line in json.loads(forger.said[seq - 1])]
    seq = forger.add("undo", inverse, asked={"entries": group, **asked})
    told = [[f"undone: {text}", *rest] for text, *rest in said]
    forger.said[seq - 1] = canonical_json(told)
    return seq


def last(forger: Forger, count: int) -> list[int]:
    newest = len(forger.payloads)
    return list(range(newest - count + 1, newest + 1))


@pytest.mark.parametrize("count", [1, 2, 3])
def test_an_impossible_undo_is_found(count: int, played: Path) -> None:
    """15.6203 to 15.6205 ask nothing: an undo takes back the answer before them too."""
    forger = Forger(played)
    seq = take_back(forger, last(forger, count))
    (one,) = forger.audited().findings
    assert (one.code, one.records) == ("rules", (str(seq),))
    assert "but undo must undo [" in one.message


def test_an_ordinary_undo_is_no_finding(played: Path) -> None:
    forger = Forger(played)
    alone = max(
        seq for seq, one in enumerate(forger.payloads, 1) if one["kind"] in ("answer", "edit")
    )
    take_back(forger, last(forger, len(forger.payloads) - alone + 1))
    assert forger.audited().ok


@pytest.mark.parametrize("kind", ["edit", "buy", "banana"])
def test_an_unneeded_undo_for_a_command_is_found(kind: str, played: Path) -> None:
    forger = Forger(played)
    seq = take_back(forger, last(forger, 1), **{"for": kind})
    (one,) = forger.audited().findings
    assert one.records == (str(seq),)
    assert f"making room for {kind} must undo nothing" in one.message


def made_room(path: Path) -> Forger:
    """A correction where 15.6112 was begun and nobody had answered yet."""
    desk = OpenCampaign.create(
        path, {"cg": "III", "name": None, "players": None}, clock=lambda: NOON
    )
    desk.run_command("import", imported(document()))
    while (ask := desk.play_to_question()) is not None and ask.rule != "15.6112":
        desk.answer(ask.default if not isinstance(ask, RollQuestion) else 3, ask.side)
    desk.run_command("edit", {"id": "m-sq-1", "set": {"name": "Baker"}, "reason": "misspelt"})
    desk.close()
    return Forger(path)


def test_an_undo_for_a_command_is_no_finding(tmp_path: Path) -> None:
    forger = made_room(tmp_path / "room.brt")
    assert [one["kind"] for one in forger.payloads[-4:]] == ["begin", "undo", "edit", "begin"]
    assert forger.audited().ok


def test_an_undo_for_another_command_than_follows_is_found(tmp_path: Path) -> None:
    forger = made_room(tmp_path / "room.brt")
    seq = forger.of_kind("undo")
    forger.payload(seq)["asked"]["for"] = "ruling"
    (one,) = forger.audited().findings
    assert one.message == f"entry {seq}: (undo) makes room for ruling, but edit follows"


def test_an_interruption_before_the_command_is_no_forgery(tmp_path: Path) -> None:
    forger = made_room(tmp_path / "room.brt")
    forger.cut(len(forger.payloads))
    assert forger.audited().ok


def test_several_problems_of_one_entry_are_one_line(
    monkeypatch: pytest.MonkeyPatch, played: Path
) -> None:
    def refuses(*_: object) -> None:
        raise_problems(["no such unit", "no such Location"])

    monkeypatch.setitem(replay.COMMANDS, "edit", refuses)
    assert messages(audit_campaign(played), "rules")[0].endswith("no such unit; no such Location")


def test_a_broken_rule_is_a_finding_too(monkeypatch: pytest.MonkeyPatch, played: Path) -> None:
    def breaks(*_: object) -> None:
        raise RuntimeError("out of order")

    monkeypatch.setitem(replay.COMMANDS, "edit", breaks)
    monkeypatch.setattr(entry_checks, "AFTER", (breaks,))
    report = audit_campaign(played)
    assert {"rules", "unjudged"} <= codes(report)
    assert "out of order" in messages(report, "rules")[0]
