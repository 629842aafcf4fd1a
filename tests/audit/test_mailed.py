"""A mail whose entries are well hashed but not true: `receive` names what it found and stores
nothing."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from brt_cg.audit import audit_campaign
from brt_cg.audit.additions import audit_additions
from brt_cg.journal.changes import invert_changes
from brt_cg.journal.entries import NO_HASH, Entry, canonical_json, chain_hash, log_lines_from_json
from brt_cg.journal.journal import Journal
from brt_cg.journal.rules_version import VERSION, RulesVersion, released_digests
from brt_cg.model.counters import Side
from brt_cg.model.seat import Seat
from brt_cg.questions.answers import RefusedError
from brt_cg.service import mail
from brt_cg.service.mail import MailResult
from brt_cg.service.mail_audit import odd_time_warnings
from brt_cg.service.mail_file import Mail, pack_mail
from brt_cg.storage import store
from tests.audit import test_forgeries, test_labels
from tests.audit.forger import Forger
from tests.audit.test_labels import INVENTED
from tests.homes import set_state_home

pytestmark = pytest.mark.usefixtures("made_again_once")

GIVEN_OUT = released_digests(VERSION - 1, "III") or {}
BEFORE = str(RulesVersion(VERSION - 1, {part: last for part, (*_, last) in GIVEN_OUT.items()}))
KILL = ["units", "m-sq-2", "fate", "in_play", "eliminated"]


def as_entries(forger: Forger) -> list[Entry]:
    entries: list[Entry] = []
    before = NO_HASH
    for seq, (payload, said) in enumerate(zip(forger.payloads, forger.said, strict=True), start=1):
        text = canonical_json(payload)
        before = chain_hash(before, seq, text)
        entries.append(Entry(seq, text, before, payload, log_lines_from_json(said)))
    return entries


# --- forgeries ------------------------------------------------------------------------------------


def a_note_that_eliminates_a_squad(forger: Forger) -> None:
    forger.add("note", [KILL], asked={"words": "a fine day", "side": None})


def the_same_under_the_rules_before(forger: Forger) -> None:
    """A campaign that was begun under them."""
    for payload in forger.payloads:
        payload["rules"] = BEFORE
    a_note_that_eliminates_a_squad(forger)


def the_same_under_rules_that_never_were(forger: Forger) -> None:
    seq = forger.add("note", [KILL], asked={"words": "a fine day", "side": None})
    forger.payload(seq)["rules"] = INVENTED["tables that nobody has"]


def the_same_under_older_rules_than_before(forger: Forger) -> None:
    seq = forger.add("note", [KILL], asked={"words": "a fine day", "side": None})
    forger.payload(seq)["rules"] = "1"


def a_request_that_eliminates_a_squad(forger: Forger) -> None:
    asked = {"side": "marine", "kind": "undo", "asked": {}, "reason": "a slip"}
    forger.add("ask", [KILL], asked=asked)


def a_sentence_that_lies(forger: Forger) -> None:
    forger.said[46] = forger.said[46].replace("dr 5", "dr 4")


def a_sentence_left_out(forger: Forger) -> None:
    forger.said[34] = "[]"


def a_sentence_for_one_side_only(forger: Forger) -> None:
    forger.said[41] = forger.said[41].replace("null", '"japanese"')


def a_false_seed(forger: Forger) -> None:
    forger.payload(47)["seed"] = "another"


def a_seed_of_dice_from_the_hand(forger: Forger) -> None:
    forger.payload(44)["seed"] = "15"


def a_ruling_stored_as_another_value(forger: Forger) -> None:
    (change,) = forger.payload(13)["changes"]
    change[4] = "none"


def another_ruling_besides(forger: Forger) -> None:
    began = {one[1]: one for one in forger.payload(1)["changes"] if one[0] == "rulings"}
    value = began["R-SAN"][4]["value"]
    forger.payload(13)["changes"].append(["rulings", "R-SAN", "value", value, "roll"])


def a_time_that_is_none(forger: Forger) -> None:
    forger.payload(15)["at"] = "noon"


def a_day_that_there_is_not(forger: Forger) -> None:
    forger.payload(15)["at"] = "2026-02-30T12:00:00Z"


def a_source_that_there_is_not(forger: Forger) -> None:
    forger.payload(47)["from"] = "heaven"


def an_answer_said_to_be_given_ahead(forger: Forger) -> None:
    forger.payload(87)["from"] = "ahead"


def an_edit_of_more_than_it_says(forger: Forger) -> None:
    forger.payload(15)["changes"].append(["sides", "marine", "cvp", 12, 20])


def an_undo_that_restores_something_else(forger: Forger) -> None:
    undone = forger.payload(94)["changes"]
    changes = [*map(list, invert_changes(undone)), ["sides", "marine", "san", 5, 7]]
    forger.add("undo", changes, asked={"entries": [94]})


def the_same_undo_under_the_rules_before(forger: Forger) -> None:
    for payload in forger.payloads:
        payload["rules"] = BEFORE
    an_undo_that_restores_something_else(forger)


def an_undo_that_makes_room_for_nothing(forger: Forger) -> None:
    changes = [*map(list, invert_changes(forger.payload(94)["changes"]))]
    forger.add("undo", changes, asked={"entries": [94], "for": "buy"})


def a_purchase_for_nothing(forger: Forger) -> None:
    forger.change(4, "purchases", "")[4]["total"] = 0


def a_gun_more_than_was_bought(forger: Forger) -> None:
    change = next(one for one in forger.payload(4)["changes"] if one[0] == "weapons")
    forger.payload(4)["changes"].append(
        [*change[:1], "pj1-9", "", None, change[4] | {"id": "pj1-9"}]
    )


def a_void_that_returns_more(forger: Forger) -> None:
    forger.change(9, "purchases", "")[4]["total"] = -60


def an_allotment_of_more(forger: Forger) -> None:
    forger.payload(12)["changes"][0][4]["gpp"] = 50


def a_skip_that_changes_a_total(forger: Forger) -> None:
    forger.payload(16)["changes"].append(["sides", "japanese", "san", 5, 2])


def a_beginning_that_saves_a_prisoner(forger: Forger) -> None:
    changes = forger.payload(36)["changes"]
    changes[:] = [one for one in changes if one[2] not in ("fate", "guard")]


def a_roll_at_another_place(forger: Forger) -> None:
    forger.payload(61)["roll"]["position"] += 1


def a_roll_of_another_day(forger: Forger) -> None:
    forger.payload(61)["roll"]["date"] = "21 AM"


def a_modifier_that_nobody_knows(forger: Forger) -> None:
    roll = forger.payload(58)["roll"]
    roll["modifiers"] = [[-1, "a lucky day"]]
    roll["final"] -= 1


def an_answer_of_the_other_side(forger: Forger) -> None:
    forger.payload(87)["ask"]["side"] = "marine"


def an_answer_with_other_effects(forger: Forger) -> None:
    forger.payload(84)["changes"].append(["sides", "marine", "elr", 4, 5])


def a_secret_that_is_none(forger: Forger) -> None:
    forger.payload(81)["secret"] = "marine"


def an_entry_in_an_older_form(forger: Forger) -> None:
    del forger.payload(15)["form"]


def a_setup_of_what_is_not_there(forger: Forger) -> None:
    forger.payload(90)["changes"].append(["units", "m-hs-1", "location", None, "N19"])


def a_reinforcement_of_two(forger: Forger) -> None:
    (change,) = forger.payload(2)["changes"]
    more = change[4] | {"id": "j-crew-8"}
    forger.payload(2)["changes"].append([*change[:1], "j-crew-8", "", None, more])


NEW = (
    *(a_note_that_eliminates_a_squad, the_same_under_the_rules_before),
    *(the_same_under_rules_that_never_were, the_same_under_older_rules_than_before),
    *(a_request_that_eliminates_a_squad, a_sentence_that_lies, a_sentence_left_out),
    *(a_sentence_for_one_side_only, a_false_seed, a_seed_of_dice_from_the_hand),
    *(a_ruling_stored_as_another_value, another_ruling_besides, a_time_that_is_none),
    *(a_day_that_there_is_not, a_source_that_there_is_not, an_answer_said_to_be_given_ahead),
    *(an_edit_of_more_than_it_says, an_undo_that_restores_something_else),
    *(the_same_undo_under_the_rules_before, an_undo_that_makes_room_for_nothing),
    *(a_purchase_for_nothing, a_gun_more_than_was_bought, a_void_that_returns_more),
    *(an_allotment_of_more, a_skip_that_changes_a_total, a_beginning_that_saves_a_prisoner),
    *(a_roll_at_another_place, a_roll_of_another_day, a_modifier_that_nobody_knows),
    *(an_answer_of_the_other_side, an_answer_with_other_effects, a_secret_that_is_none),
    *(an_entry_in_an_older_form, a_setup_of_what_is_not_there, a_reinforcement_of_two),
)
ALL: tuple[Callable[[Forger], Any], ...] = (
    *NEW,
    *test_forgeries.FORGERIES,
    *test_labels.FORGERIES,
)


def laid(path: Path, entries: list[Entry]) -> Path:
    """A campaign file with some entries."""
    journal = Journal(lambda: "")
    journal.load(entries)
    kept = store.prepare_new_store(path)
    kept.write_with_notices(entries, journal.campaign)
    kept.close()
    return path


def mailed_in(folder: Path, entries: list[Entry], known: int) -> Path:
    """A mail of nobody by name, with the entries after the first `known`."""
    path = folder / "new.brtmail"
    after = (known, entries[known - 1].hash if known else NO_HASH)
    path.write_bytes(pack_mail(Mail(entries[0].hash, None, after, entries[known:])))
    return path


@pytest.fixture(autouse=True)
def _at_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    set_state_home(monkeypatch, tmp_path / "state")


# Two of them change the very first entry, without which there is no campaign to add to.
FIRST = [forge for forge in ALL if forge in (test_labels.three_gpp_more,)]


@pytest.mark.parametrize("forge", [forge for forge in ALL if forge not in FIRST])
def test_a_forged_mail_is_refused_by_name_and_not_stored(
    forge: Callable[[Forger], Any], played: Path, tmp_path: Path
) -> None:
    honest = [entry.hash for entry in as_entries(Forger(played))]
    forger = Forger(played)
    forge(forger)
    entries = as_entries(forger)
    said = Forger(played).said
    same = (
        one.hash == honest[at : at + 1][0] and forger.said[at] == said[at]
        for at, one in enumerate(entries[: len(honest)])
    )
    known = next((at for at, alike in enumerate(same) if not alike), len(honest))
    if entries[0].hash != honest[0]:  # all of it is under other rules
        known = len(honest)
    file = laid(tmp_path / "mine.brt", entries[:known])
    before = file.read_bytes()
    given = mailed_in(tmp_path, entries[: known + 1], known)
    with pytest.raises(RefusedError, match=rf"entry {known + 1}\b"):
        mail.receive_mail(file, given, None)
    assert file.read_bytes() == before
    for side in Side:  # the other seat's mail may be refused for its rights first
        with pytest.raises(
            RefusedError, match=rf"nothing was accepted|contains an entry from|entry {known + 1} "
        ):
            mail.receive_mail(file, given, Seat(side))
        assert not audit_additions(entries[:known], entries[known : known + 1], side).ok
    assert file.read_bytes() == before


def test_a_refusal_names_the_kind_of_the_entry(played: Path, tmp_path: Path) -> None:
    forger = Forger(played)
    a_note_that_eliminates_a_squad(forger)
    forger.said[-1] = '[["note: a fine day",[],null]]'
    entries = as_entries(forger)
    file, given = laid(tmp_path / "mine.brt", entries[:94]), mailed_in(tmp_path, entries, 94)
    with pytest.raises(RefusedError, match=r"\(Note, entry 95: .*m-sq-2.fate changes from"):
        mail.receive_mail(file, given, None)
    with pytest.raises(
        RefusedError, match=r"\(Note, row [0-9]+ of the journal: replayed by the rules"
    ):
        mail.receive_mail(file, given, Seat.MARINE)


SECRET = (a_purchase_for_nothing, a_gun_more_than_was_bought, a_void_that_returns_more)


@pytest.mark.parametrize("forge", SECRET)
def test_a_refusal_reveals_no_forged_enemy_secret(
    forge: Callable[[Forger], Any], played: Path, tmp_path: Path
) -> None:
    forger = Forger(played)
    forge(forger)
    file = laid(tmp_path / "mine.brt", as_entries(Forger(played))[:3])
    given = mailed_in(tmp_path, as_entries(forger)[: 9 if forge is SECRET[2] else 4], 3)
    with pytest.raises(RefusedError) as refused:
        mail.receive_mail(file, given, Seat.MARINE, from_umpire=True)
    assert str(refused.value) == (
        f"{given} does not follow from the rules (an entry that you may not see yet: replayed by "
        "the rules, an entry gives a different result), so nothing was accepted; ask your opponent "
        "to undo that entry and send again"
    )


# --- what is true is taken ------------------------------------------------------------------------


@pytest.mark.parametrize("known", [0, 13, 45, 60, 82, 93])
def test_a_correct_mail_is_accepted_from_any_starting_point(
    known: int, played: Path, tmp_path: Path
) -> None:
    entries = as_entries(Forger(played))
    file = tmp_path / "mine.brt"
    if known:
        laid(file, entries[:known])
    got = mail.receive_mail(file, mailed_in(tmp_path, entries, known), None)
    assert got.done is (MailResult.APPENDED if known else MailResult.BEGUN)
    told = [words for words in got.notices if "checked against what" not in words]
    assert all("differs from the catalog" in words for words in told), told
    assert audit_campaign(file, head=entries[-1].hash).ok


def test_a_forged_mail_starts_no_campaign(played: Path, tmp_path: Path) -> None:
    forger = Forger(played)
    test_labels.three_gpp_more(forger)
    file = tmp_path / "mine.brt"
    with pytest.raises(
        RefusedError, match=r"does not follow from the rules \(.*entry 1: .*nothing was accepted"
    ):
        mail.receive_mail(file, mailed_in(tmp_path, as_entries(forger), 0), None)
    assert not file.exists()


@pytest.mark.parametrize("known", [0, 41])
@pytest.mark.parametrize("side", [None, *Side])
def test_differences_due_to_other_rules_are_reported_and_accepted(
    side: Side | None, known: int, played: Path, tmp_path: Path
) -> None:
    """A Refit Phase under the rules before, in which the totals came out otherwise."""
    forger = Forger(played)
    for payload in forger.payloads:
        payload["rules"] = BEFORE
    forger.payload(94)["changes"].append(["sides", "marine", "elr", 5, 3])
    entries = as_entries(forger)
    report = audit_additions(entries[:known], entries[known:], side)
    assert report.ok
    assert report.notices
    seat = None if side is None else Seat(side)
    file = tmp_path / "mine.brt"
    if known:
        laid(file, entries[:known])
    got = mail.receive_mail(file, mailed_in(tmp_path, entries, known), seat, from_umpire=True)
    assert any(f"version {VERSION - 1}" in words for words in got.notices)


# --- times ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("side", [None, *Side])
def test_impossible_times_are_reported_and_accepted(
    side: Side | None, played: Path, tmp_path: Path
) -> None:
    forger = Forger(played)
    for words, at in (("early", "2001-01-01T00:00:00Z"), ("late", "2099-01-01T00:00:00Z")):
        asked = {"item": "foxhole_1s", "words": words}
        seq = forger.add("buy", asked=asked, at=at)
        forger.said[seq - 1] = json.dumps([[words, [], None]])
    journal = Journal(lambda: "")
    entries = as_entries(forger)
    journal.load(entries)
    told = [*odd_time_warnings(journal, 94, side, "2026-01-01T00:00:00Z")]
    back, ahead = told
    assert back.startswith("a time in it is earlier than that of a previous entry: ")
    assert "2001-01-01 00:00 UTC" in back
    assert ahead.startswith("a time in it is later than your clock: ")
    assert "2099-01-01 00:00 UTC" in ahead


def test_a_note_older_than_its_seats_last_entry_is_reported(played: Path, tmp_path: Path) -> None:
    """A note that was entered again after the other player's entries keeps its time, and is not."""
    forger = Forger(played)
    days = {"japanese": "2026-03-02", "marine": "2026-03-01"}
    for seat, day in [*days.items(), ("marine", "2001-01-01"), ("japanese", "2099-01-01")]:
        asked = {"words": "noted", "side": None, "about": None}
        forger.add("note", asked=asked, at=f"{day}T00:00:00Z", seat=seat)
    journal = Journal(lambda: "")
    journal.load(as_entries(forger))
    back, ahead = odd_time_warnings(journal, 94, None, "2026-04-01T00:00:00Z")
    assert "entry 97 is from 2001-01-01 00:00 UTC, but the entry before it from 2026-03-01" in back
    assert "more" not in back
    assert "entry 98 is from 2099-01-01 00:00 UTC" in ahead
