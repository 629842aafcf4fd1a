"""A side corrects its own secrets at once; the other side reads it once they are shown."""

import shutil
from pathlib import Path

import pytest

from brt_cg.audit import audit_campaign
from brt_cg.model.counters import Side
from brt_cg.model.seat import Seat
from brt_cg.service import demo
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.service.unrestricted import unrestricted_campaign
from brt_cg.views.journal import updated_seat_reader
from tests.secrets.pairs import assert_alike

MARINE, JAPANESE = Side.MARINE, Side.JAPANESE
CREW = "j-cr-9"  # hidden; 15.602 asks about it first
TOLD = "in secret: name – → Able (misread)"


@pytest.fixture
def desk(tmp_path: Path) -> OpenCampaign:
    return OpenCampaign.open(demo.create_demo(tmp_path))


def corrects(desk: OpenCampaign, seat: Seat, id: str = CREW, **values: object) -> None:
    desk.set_seat(seat)
    desk.run_command("edit", {"id": id, "set": values or {"name": "Able"}, "reason": "misread"})


def is_asked_about_it(desk: OpenCampaign) -> None:
    """Plays on to the question whether the crew is shown."""
    ask = desk.continue_play()
    while ask is not None and ask.subject != CREW:
        ask = desk.answer_and_play(ask, ask.default)
    assert ask is not None


def reads(desk: OpenCampaign, side: Side | None) -> str:
    """The log of a side, also of what it reads only once the other side has decided."""
    return "\n".join(
        map(str, updated_seat_reader(unrestricted_campaign(desk), side).lines_after_rows())
    )


def test_a_secret_correction_is_marked_for_its_side_and_unseen_by_the_enemy(
    desk: OpenCampaign,
) -> None:
    before = reads(desk, MARINE)
    corrects(desk, Seat.JAPANESE)
    assert unrestricted_campaign(desk).campaign.units[CREW].name == "Able"
    assert (
        "corrected in secret: the Marine player can read this once the counter is shown"
    ) in reads(desk, JAPANESE)
    assert reads(desk, MARINE) == before


def test_a_secret_correction_is_reported_when_its_counter_is_revealed(desk: OpenCampaign) -> None:
    corrects(desk, Seat.JAPANESE)
    desk.set_seat(None)
    is_asked_about_it(desk)
    assert TOLD not in reads(desk, MARINE)
    desk.answer_typed("reveal")
    assert reads(desk, MARINE).count(TOLD) == 1
    [told] = [
        line
        for line in updated_seat_reader(unrestricted_campaign(desk), MARINE).lines_after_rows()
        if TOLD in line.text
    ]
    assert CREW in told.about
    desk.undo_or_request()
    assert unrestricted_campaign(desk).open_question() is not None
    desk.answer_typed("reveal")
    lines = updated_seat_reader(unrestricted_campaign(desk), MARINE).lines_after_rows()
    told = [line for line in lines if TOLD in line.text and not line.undone]
    assert [line.about for line in told if not line.is_undo_report] == [(CREW,)]
    for side in (None, *Side):
        assert audit_campaign(desk.path, side=side).ok


def test_a_secret_correction_revealed_by_a_correction_is_reported_once(desk: OpenCampaign) -> None:
    corrects(desk, Seat.JAPANESE)
    corrects(desk, Seat.JAPANESE, status=[])
    assert reads(desk, MARINE).count(TOLD) == 1
    desk.set_seat(Seat.UMPIRE)
    desk.run_command("edit", {"id": CREW, "set": {"status": ["ti"]}, "reason": "fire"})
    assert reads(desk, MARINE).count(TOLD) == 1
    assert audit_campaign(desk.path).ok


def test_a_counter_still_hidden_is_not_named(desk: OpenCampaign) -> None:
    hidden = [
        piece
        for piece in unrestricted_campaign(desk).campaign.fortifications.values()
        if piece.hidden
    ]
    inside = next(fort for fort in hidden if "pillbox" in fort.type and fort.location)
    was = unrestricted_campaign(desk).campaign.units[CREW].location
    corrects(desk, Seat.JAPANESE, location=f"{inside.location}:{inside.id}")
    corrects(desk, Seat.JAPANESE, location=was)
    corrects(desk, Seat.JAPANESE, status=[])
    told = reads(desk, MARINE)
    assert "in secret: Location (misread)" in told
    assert inside.id not in told


@pytest.mark.parametrize("seat", [None, Seat.UMPIRE])
def test_an_umpires_correction_is_not_reported(desk: OpenCampaign, seat: Seat | None) -> None:
    desk.set_seat(seat)
    desk.run_command("edit", {"id": CREW, "set": {"name": "Able"}, "reason": "misread"})
    desk.run_command("edit", {"id": CREW, "set": {"status": []}, "reason": "seen"})
    assert "in secret" not in reads(desk, MARINE)
    assert "in secret" not in reads(desk, JAPANESE)


def test_an_undone_correction_is_not_reported(desk: OpenCampaign) -> None:
    corrects(desk, Seat.JAPANESE)
    desk.undo_or_request()
    corrects(desk, Seat.JAPANESE, status=[])
    assert "in secret" not in reads(desk, MARINE)


def test_a_secret_correction_changes_nothing_visible_until_revealed(tmp_path: Path) -> None:
    """Two campaigns that differ in a secret correction only."""
    twins, laid_out = [], demo.create_demo(tmp_path)
    for name in ("plain", "corrected"):
        path = Path(shutil.copy(laid_out, tmp_path / f"{name}.brt"))
        desk = OpenCampaign.open(path, clock=lambda: "2026-01-01T00:00:00Z")
        if name == "corrected":
            corrects(desk, Seat.JAPANESE)
        desk.set_seat(None)
        twins.append(desk)
    assert_alike(unrestricted_campaign(twins[1]), unrestricted_campaign(twins[0]))
    for desk in twins:
        is_asked_about_it(desk)
    assert_alike(unrestricted_campaign(twins[1]), unrestricted_campaign(twins[0]))
    for desk in twins:
        desk.answer_typed("reveal")
    assert TOLD in reads(twins[1], MARINE)
    assert TOLD not in reads(twins[0], MARINE)
