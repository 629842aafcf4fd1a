"""What a player does is done to what was shown to him, and to nothing else."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import get_args, get_type_hints

import pytest

from brt_cg.model.counters import Side
from brt_cg.model.seat import Seat
from brt_cg.questions.dice import SeededDice
from brt_cg.service import shown_actions
from brt_cg.service.campaign_reader import CampaignReader
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.service.shown_actions import NotAsShownError, Reversal
from brt_cg.tui.session.session import Session
from brt_cg.views.requests import Request
from tests.tui.moments import played

SEATS = [None, Seat.MARINE, Seat.JAPANESE, Seat.UMPIRE]


def note(path: Path, side: str | None = None) -> None:
    other = OpenCampaign.open(path)
    other.run_command("note", {"words": "from the other room", "side": side, "about": None})
    other.close()


def at(path: Path, seat: Seat | None = None) -> OpenCampaign:
    desk = OpenCampaign.open(path)
    desk.set_seat(seat)
    return desk


@pytest.mark.parametrize("seat", SEATS)
@pytest.mark.parametrize("side", [None, "marine", "japanese"])
def test_a_note_leaves_the_question_the_same(
    demo_file: Path, seat: Seat | None, side: str | None
) -> None:
    desk = at(played(demo_file, "15.6032"), seat)
    before = desk.view().question_identity
    assert before is not None
    note(demo_file, side)
    desk.reload()
    assert desk.view().question_identity == before
    assert shown_actions.question_as_shown(desk, before) is desk.view().ask, (
        "the newly read question"
    )


@pytest.mark.parametrize("seat", SEATS)
def test_an_answer_changes_the_question_id_and_undo_restores_it(
    demo_file: Path, seat: Seat | None
) -> None:
    desk = at(played(demo_file, "15.6032"), seat)
    before = desk.view().question_identity
    shown_actions.roll_shown(desk, before, SeededDice(1))
    assert desk.view().question_identity not in (None, before)
    desk.set_seat(Seat.UMPIRE)
    desk.undo_or_request()
    desk.set_seat(seat)
    assert desk.view().question_identity == before


def test_each_question_of_the_phase_has_its_own_id(demo_file: Path) -> None:
    desk, names = at(demo_file), list[str]()
    for _ in desk.play_by_defaults_until(SeededDice(1), lambda ask: ask.buying):
        name = desk.view().question_identity
        names += [name] if name is not None else []
    assert len(names) > 100
    assert len({*names}) == len(names)


def test_a_die_for_one_question_is_not_stored_for_another(demo_file: Path) -> None:
    played(demo_file, "15.6032")
    desk, other = at(demo_file, Seat.MARINE), at(demo_file, Seat.MARINE)
    shown = desk.view().question_identity
    shown_actions.roll_shown(other, shown, SeededDice(1))
    desk.reload()
    entries = len(desk.entry_hashes_for_seat())
    with pytest.raises(NotAsShownError, match="nothing was entered"):
        shown_actions.answer_shown(desk, shown, [3, 4])
    assert len(desk.entry_hashes_for_seat()) == entries


def test_an_undo_undoes_only_the_entry_that_was_shown(demo_file: Path) -> None:
    played(demo_file, "15.6032")
    desk = at(demo_file)
    shown = Reversal(shown_actions.identity_of_entries_to_undo(desk))
    note(demo_file)
    desk.reload()
    with pytest.raises(NotAsShownError, match="nothing was undone"):
        shown_actions.undo_shown(desk, shown)
    shown_actions.undo_shown(desk, Reversal(shown_actions.identity_of_entries_to_undo(desk)))
    again = shown_actions.identity_of_entries_to_redo(desk)
    desk.undo_or_request()
    with pytest.raises(NotAsShownError, match="nothing was restored"):
        shown_actions.redo_shown(desk, again)


def test_going_back_undoes_the_entries_that_were_listed(demo_file: Path) -> None:
    played(demo_file, "15.6032")
    desk = at(demo_file)
    entry = len(desk.entry_hashes_for_seat()) - 4
    shown = shown_actions.identity_of_go_back_entries(desk, entry)
    note(demo_file)
    desk.reload()
    with pytest.raises(NotAsShownError):
        shown_actions.go_back_shown(desk, entry, shown)
    shown_actions.go_back_shown(desk, entry, shown_actions.identity_of_go_back_entries(desk, entry))


@pytest.mark.parametrize("side", [*Side])
def test_secret_enemy_entries_do_not_change_a_shown_undo(demo_file: Path, side: Side) -> None:
    seat = Seat.MARINE if side is Side.MARINE else Seat.JAPANESE
    played(demo_file, "15.6032")
    desk = at(demo_file, seat)
    before = (
        shown_actions.identity_of_entries_to_undo(desk),
        shown_actions.identity_of_entries_to_redo(desk),
    )
    note(demo_file, side.enemy.value)
    desk.reload()
    assert (
        shown_actions.identity_of_entries_to_undo(desk),
        shown_actions.identity_of_entries_to_redo(desk),
    ) == before


def test_done_ends_the_purchases_of_the_side_that_was_shown(demo_file: Path) -> None:
    desk = at(played(demo_file, "15.613"))
    first, shown = desk.view().ask, desk.view().question_identity
    assert first is not None
    assert first.buying
    other = at(demo_file)
    shown_actions.end_shown_purchases(other, shown, first.side)
    desk.reload()
    assert desk.view().ask is not None
    assert desk.view().ask.side is first.side.enemy
    with pytest.raises(NotAsShownError):
        shown_actions.end_shown_purchases(desk, shown, first.side)
    with pytest.raises(NotAsShownError):
        shown_actions.end_shown_purchases(desk, desk.view().question_identity, first.side)
    assert desk.view().ask.side is first.side.enemy


def mark_ti(desk: OpenCampaign, squad: str) -> None:
    desk.run_command("edit", {"id": squad, "set": {"status": ["ti"]}, "reason": "on the table"})


def test_a_command_is_entered_only_if_the_records_are_unchanged(
    demo_file: Path,
) -> None:
    desk = at(demo_file)
    view = desk.view().campaign
    squad, other = [*view.units][:2]
    about = {
        squad: shown_actions.basis_of(desk.campaign_id, view, [squad]),
        other: shown_actions.basis_of(desk.campaign_id, view, [other]),
    }
    only_its_name = shown_actions.basis_of(desk.campaign_id, view, [squad], ["name"])
    mark_ti(desk, squad)
    note_ = {"words": "about it", "side": None, "about": squad}
    with pytest.raises(NotAsShownError, match="nothing was entered"):
        shown_actions.run_shown_command(desk, about[squad], "note", note_)
    entries = len(desk.entry_hashes_for_seat())
    for shown in (about[other], only_its_name):
        shown_actions.run_shown_command(desk, shown, "note", note_)
    assert len(desk.entry_hashes_for_seat()) == entries + 2


def test_a_command_for_one_campaign_is_not_entered_in_another(demo_file: Path) -> None:
    desk = at(demo_file)
    shown = shown_actions.basis_of("another campaign", desk.view().campaign)
    with pytest.raises(NotAsShownError):
        shown_actions.run_shown_command(
            desk, shown, "note", {"words": "x", "side": None, "about": None}
        )


def test_a_new_draft_is_not_bought_with_those_that_were_shown(demo_file: Path) -> None:
    desk = at(played(demo_file, "15.613"))
    draft = {"side": "marine", "item": "foxhole_1s", "quantity": 1, "draft": True}
    desk.run_command("buy", draft, "marine")
    shown = shown_actions.basis_of(desk.campaign_id, desk.view().campaign, drafts=Side.MARINE)
    desk.run_command("buy", draft, "marine")
    with pytest.raises(NotAsShownError):
        shown_actions.run_shown_command(desk, shown, "commit", {"side": "marine"}, "marine")
    now = shown_actions.basis_of(desk.campaign_id, desk.view().campaign, drafts=Side.MARINE)
    shown_actions.run_shown_command(desk, now, "commit", {"side": "marine"}, "marine")


def test_a_paragraph_is_played_only_from_the_state_that_was_shown(demo_file: Path) -> None:
    desk = at(demo_file)
    before = shown_actions.CampaignPosition(desk.view().question_identity, desk.view().next)
    assert before.asked is None
    shown_actions.begin_shown_paragraph(desk, before)
    with pytest.raises(NotAsShownError):
        shown_actions.begin_shown_paragraph(desk, before)


def test_dice_are_not_rolled_from_an_outdated_state(demo_file: Path) -> None:
    desk = at(played(demo_file, "15.6032"))
    shown = shown_actions.CampaignPosition(desk.view().question_identity)
    shown_actions.roll_shown(desk, shown.asked, SeededDice(1))
    entries = len(desk.entry_hashes_for_seat())
    with pytest.raises(NotAsShownError):
        next(shown_actions.play_from_shown_position(desk, shown, SeededDice(1), lambda ask: False))
    assert len(desk.entry_hashes_for_seat()) == entries


@pytest.mark.parametrize(
    "how", [shown_actions.agree_shown, shown_actions.decline_shown, shown_actions.withdraw_shown]
)
def test_a_request_is_closed_only_as_shown(
    demo_file: Path, how: Callable[[OpenCampaign, Request], object]
) -> None:
    desk = at(demo_file, Seat.MARINE)
    ruling = next(each for each in desk.view().card.rulings.values() if len(each.values) > 1)
    desk.run_command("ruling", {"id": ruling.id, "value": ruling.values[-1]})
    desk.set_seat(Seat.MARINE if how is shown_actions.withdraw_shown else Seat.JAPANESE)
    [shown] = desk.view().requests
    entries = len(desk.entry_hashes_for_seat())
    with pytest.raises(NotAsShownError):
        how(desk, replace(shown, words="another one of this number"))
    assert len(desk.entry_hashes_for_seat()) == entries
    how(desk, shown)
    assert desk.view().requests == ()
    with pytest.raises(NotAsShownError):
        how(desk, shown)


ENTERS = {
    name
    for name in vars(OpenCampaign)
    if not name.startswith("_") and name not in ("create", "open", "close")
}


def test_every_entry_from_the_screen_says_what_was_shown() -> None:
    """mypy and import-linter hold the rest: screen and pages get a CampaignReader, and cannot
    import OpenCampaign."""
    assert {
        "answer",
        "run_command",
        "undo_or_request",
        "redo",
        "go_back_or_request",
        "play_by_defaults_until",
    } <= ENTERS
    assert not ENTERS & {*dir(CampaignReader)}
    kinds = get_type_hints(Session.perform)["work"], get_type_hints(Session.look_up)["question"]
    assert all(get_args(kind)[0] == [CampaignReader] for kind in kinds)
