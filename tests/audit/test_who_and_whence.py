"""Who entered something and where its dice came from: told by each entry, held by each chain."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from brt_cg.audit import audit_campaign
from brt_cg.cli import main
from brt_cg.exports import export_document
from brt_cg.model.counters import Side
from brt_cg.model.encoding import FORM
from brt_cg.model.seat import Seat
from brt_cg.questions.dice import AppDice, SeededDice
from brt_cg.service.answer_supply import AnswerSupply
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.service.unrestricted import unrestricted_campaign
from brt_cg.views.journal import journal_rows
from brt_cg.views.view import create_view
from brt_cg.views.view_chain import view_head
from tests.audit.forger import Forger, codes, messages
from tests.exports.journals import JAPANESE, MARINE, begun, play, squad

WOUNDED = squad("m-ldr-1", "N19", status=["wounded"])


def rolled(path: Path) -> int:
    """The first entry of the Marine's with the app's seeded dice."""
    found = Forger(path).where(lambda one: "seed" in one and one["ask"]["side"] == "marine")
    assert found
    return found


# --- told -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("seat", [None, *Seat])
def test_an_entry_records_its_seat_if_known(seat: Seat | None) -> None:
    journal = begun(WOUNDED)
    journal.seat = seat
    edited = {"id": "marine", "set": {"cvp": 3}, "reason": "miscounted"}
    entry = journal.run_command("edit", edited, "players")
    assert entry.seat is seat
    assert ("seat" in entry.payload) is (seat is not None)
    assert entry.record_form == FORM
    assert [row.seat for row in journal_rows(journal, None)][-1] is seat


def test_the_command_line_records_the_named_seat(
    played: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["edit", str(played), "marine", "elr=4", "--reason", "x", "--side", "umpire"]) == 0
    assert main(["note", str(played), "well fought", "--side", "marine"]) == 0
    assert main(["undo", str(played)]) == 0
    seats = [
        entry.seat for entry in unrestricted_campaign(OpenCampaign.open_read_only(played)).entries
    ][-3:]
    assert seats == [Seat.UMPIRE, Seat.MARINE, None]


def test_dice_record_whether_rolled_by_hand_program_or_seed(tmp_path: Path) -> None:
    journal = play(begun(WOUNDED), to="m-ldr-1")
    ask = journal.open_question()
    assert ask is not None
    for dice, seed in ((AppDice(), None), (SeededDice("Betio"), "Betio")):
        answer = AnswerSupply(dice=dice).supply_answer(ask, journal.campaign.situation.date, 0)
        entry = journal.answer(answer[0], "marine", answer[1])
        assert (entry.payload["from"], entry.payload.get("seed")) == ("app", seed)
        table = json.loads(str(export_document(create_view(journal), "dice", "json")))["rolls"][-1]
        assert (table["source"], table["seed"]) == ("app", seed)
        journal.undo()
        ask = journal.open_question()
        assert ask is not None


def test_a_side_sees_its_own_seeds_and_that_others_exist(pristine: Path) -> None:
    """Who knows a seed knows the dice that it gives for the enemy's secrets as well."""
    journal = unrestricted_campaign(OpenCampaign.open_read_only(pristine))
    rows = [row for row in journal_rows(journal, JAPANESE) if row.roll is not None]
    assert {(row.source, row.seed) for row in rows} == {("hand", None), ("seeded", None)}
    own = play(begun(WOUNDED), to="m-ldr-1")
    own.seat = Seat.MARINE
    ask = own.open_question()
    assert ask is not None
    raw, source = AnswerSupply(dice=SeededDice(7)).supply_answer(
        ask, own.campaign.situation.date, 0
    )
    own.answer(raw, "marine", source)
    told = [(row.source, row.seed) for row in journal_rows(own, MARINE) if row.roll is not None]
    assert told == [("app", "7")]
    told = [(row.source, row.seed) for row in journal_rows(own, JAPANESE) if row.roll is not None]
    assert told == [("seeded", None)]


# --- held -----------------------------------------------------------------------------------------


def by_hand(payload: dict[str, Any]) -> None:
    payload["from"] = "hand"
    del payload["seed"]


def without_seed(payload: dict[str, Any]) -> None:
    del payload["seed"]


def from_another_seat(payload: dict[str, Any]) -> None:
    payload["seat"] = "japanese"


@pytest.mark.parametrize("relabel", [by_hand, without_seed, from_another_seat])
@pytest.mark.parametrize("side", [None, *Side])
def test_a_relabeled_die_is_found_by_an_earlier_checksum(
    relabel: Callable[[dict[str, Any]], None], side: Side | None, played: Path
) -> None:
    journal = unrestricted_campaign(OpenCampaign.open_read_only(played))
    head = journal.head if side is None else view_head(journal, side)
    seq = rolled(played)
    assert audit_campaign(played, head=head, side=side).ok
    forger = Forger(played)
    relabel(forger.payload(seq))
    forger.seal()
    assert "head" in codes(audit_campaign(played, head=head, side=side))


def test_dice_that_do_not_match_their_seed_are_found_without_a_checksum(played: Path) -> None:
    forger = Forger(played)
    seq = rolled(played)
    forger.payload(seq)["seed"] = "another"
    (found,) = messages(forger.audited(), "dice")
    assert "its seed gives" in found


def test_a_seed_without_program_dice_is_found(played: Path) -> None:
    forger = Forger(played)
    forger.payload(rolled(played))["from"] = "hand"
    assert any(
        "no dice rolled by the program" in found for found in messages(forger.audited(), "payload")
    )


def test_an_unknown_seat_is_found(played: Path) -> None:
    forger = Forger(played)
    forger.payload(rolled(played))["seat"] = "admiral"
    assert any("seat" in found for found in messages(forger.audited(), "payload"))
