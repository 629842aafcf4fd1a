"""What a side takes back while the other one enters secrets."""

from pathlib import Path
from random import Random
from typing import Any

import pytest

from brt_cg.audit import audit_campaign
from brt_cg.exports.dice import undone_and_seeded_roll_counts
from brt_cg.journal.changes import apply_changes
from brt_cg.model.campaign import Campaign
from brt_cg.model.counters import Side
from brt_cg.model.seat import Seat, seat_of_side
from brt_cg.questions.answers import APP, HAND, RefusedError, Source
from brt_cg.questions.dice import SeededDice
from brt_cg.service import demo
from brt_cg.service.agreements import agree_and_carry_out_request
from brt_cg.service.answer_supply import AnswerSupply
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.service.undo_redo import undo_extent_text, undo_text
from brt_cg.service.unrestricted import unrestricted_campaign
from brt_cg.views.journal import SeatJournalReader, updated_seat_reader
from brt_cg.views.view import create_view
from brt_cg.views.view_chain import view_hashes
from tests.secrets.pairs import POINTS
from tests.settings import count

MARINE, JAPANESE = Seat.MARINE, Seat.JAPANESE


def at_the_beginning(folder: Path) -> OpenCampaign:
    """In the `purchase` phase, before the first scenario."""
    return OpenCampaign.create(folder / "c.brt", {"cg": "III", "name": None, "allotments": POINTS})


def in_the_refit(folder: Path, to: str) -> OpenCampaign:
    """In the demo's Refit Phase, where a paragraph asks its first question."""
    desk = OpenCampaign.open(demo.create_demo(folder))
    supply = AnswerSupply(dice=SeededDice("back"), defaults=True)
    desk.begin_invocation()
    ask = desk.play_to_question()
    while ask is not None and not ask.rule.startswith(to):
        raw, source = desk.get_answer_from_supply(ask, supply)
        ask = desk.answer_and_play(ask, raw, source)
    assert ask is not None
    return desk


PLACES = {
    "before the first scenario": at_the_beginning,
    "15.614": lambda folder: in_the_refit(folder, "15.614"),
    "setup": lambda folder: in_the_refit(folder, "15.620"),
}


def order(side: Side, draft: bool, item: str) -> dict[str, Any]:
    beach = {"beach": "red_one"} if side is Side.JAPANESE else {}
    return {"item": item, "side": side.value, "quantity": 1, "draft": draft, **beach}


def does_something(desk: OpenCampaign, side: Side, chance: Random) -> bool:
    """A side buys, drafts or notes something. Whether it may."""
    desk.set_seat(seat_of_side(side))
    item = chance.choice(("foxhole_1s", "san_increase", "wire", "hmg"))
    try:
        if chance.random() < 0.4:
            whose = chance.choice((None, side.value))
            desk.run_command("note", {"words": "well", "side": whose, "about": None}, side.value)
        else:
            desk.run_command("buy", order(side, chance.random() < 0.5, item), side.value)
    except RefusedError:
        return False
    return True


def of_side(desk: OpenCampaign, side: Side) -> dict[str, Any]:
    """The purchases of a side, and its SAN."""
    bought = {
        one.id: one
        for one in unrestricted_campaign(desk).campaign.purchases.values()
        if one.side is side
    }
    return {"bought": {id: one.values() for id, one in bought.items()}} | {
        "san": unrestricted_campaign(desk).campaign.sides[side.value].san
    }


def assert_sound(desk: OpenCampaign) -> None:
    """Folded, stored, played on and audited it is the same; what is read on is what is read."""
    folded = Campaign()
    for entry in unrestricted_campaign(desk).entries:
        apply_changes(folded, entry.changes)
    assert folded == unrestricted_campaign(desk).campaign
    again = OpenCampaign.open_read_only(desk.path)
    assert unrestricted_campaign(again).campaign == unrestricted_campaign(desk).campaign
    assert unrestricted_campaign(again).standing == unrestricted_campaign(desk).standing
    if unrestricted_campaign(desk).campaign.situation.paragraph:
        assert unrestricted_campaign(again).open_question() is not None
        assert unrestricted_campaign(desk).open_question() is not None
        assert (
            unrestricted_campaign(again).open_question().prompt
            == unrestricted_campaign(desk).open_question().prompt
        )
    for side in Side:
        afresh = SeatJournalReader(side)
        afresh.read_new_entries(unrestricted_campaign(desk))
        assert (
            updated_seat_reader(unrestricted_campaign(desk), side).lines_after_rows()
            == afresh.lines_after_rows()
        )
        assert view_hashes(unrestricted_campaign(desk), side) == view_hashes(
            unrestricted_campaign(again), side
        )
    report = audit_campaign(desk.path)
    assert report.findings == report.notices == ()


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("number", range(count(ci=3, full=100)))
def test_a_side_undoes_its_own_entries_despite_secret_enemy_entries(
    tmp_path: Path, place: str, number: int
) -> None:
    """undo after do is nothing for its own records; redo gives them again; all stays sound."""
    desk, chance = PLACES[place](tmp_path), Random(f"{place} {number}")
    for _ in range(8):
        side = chance.choice([*Side])
        before = of_side(desk, side)
        if not does_something(desk, side, chance):
            continue
        done, newest = of_side(desk, side), unrestricted_campaign(desk).entries[-1].seq
        enemys = []
        for _ in range(chance.randrange(3)):
            asked = order(side.enemy, True, "san_increase")
            desk.set_seat(seat_of_side(side.enemy))
            try:
                enemys.append(desk.run_command("buy", asked, side.enemy.value).seq)
            except RefusedError:
                continue
        other = of_side(desk, side.enemy)
        desk.set_seat(seat_of_side(side))
        undone = desk.undo_or_request()
        assert undone.asked["entries"] == [newest]
        assert (of_side(desk, side), of_side(desk, side.enemy)) == (before, other)
        assert unrestricted_campaign(desk).standing.issuperset(enemys)
        if chance.random() < 0.7:
            desk.redo()
            assert (of_side(desk, side), of_side(desk, side.enemy)) == (done, other)
    assert_sound(desk)


def test_a_run_of_commands_is_undone_whole_below_enemy_drafts(tmp_path: Path) -> None:
    desk = at_the_beginning(tmp_path)
    desk.set_seat(MARINE)
    desk.run_commands("buy", [order(Side.MARINE, False, "foxhole_1s")] * 3, "marine")
    run = [entry.seq for entry in unrestricted_campaign(desk).entries[-3:]]
    desk.set_seat(JAPANESE)
    desk.run_command("buy", order(Side.JAPANESE, True, "hmg"), "japanese")
    desk.set_seat(MARINE)
    assert desk.undo_or_request(whole_call=True).asked["entries"] == run
    assert desk.redo().asked["entries"] == run
    assert_sound(desk)


def test_a_die_is_undone_with_the_secret_answers_that_followed(tmp_path: Path) -> None:
    """They are given again; what was entered beside them stays."""
    desk = in_the_refit(tmp_path, "15.6112")
    ask = unrestricted_campaign(desk).open_question()
    assert ask is not None
    desk.set_seat(seat_of_side(ask.side))
    desk.begin_invocation()
    desk.answer_and_play(ask, 3)
    rolled = unrestricted_campaign(desk).entries[-1].invocation
    desk.set_seat(JAPANESE)
    note = desk.run_command("note", {"words": "s", "side": "japanese", "about": None}, "japanese")
    desk.set_seat(MARINE)
    undone = desk.undo_or_request()
    assert unrestricted_campaign(desk).entries[undone.asked["entries"][0] - 1].invocation == rolled
    assert note.seq in unrestricted_campaign(desk).standing
    assert unrestricted_campaign(desk).open_question() is not None
    assert (
        unrestricted_campaign(desk).open_question().rule,
        unrestricted_campaign(desk).open_question().subject,
    ) == (ask.rule, ask.subject)
    desk.redo()
    assert_sound(desk)


# --- what concerns both ---------------------------------------------------------------------------


def rolled(folder: Path, source: Source) -> OpenCampaign:
    """The demo after its first die, which the Marine seat entered."""
    desk = in_the_refit(folder, "15.6112")
    ask = unrestricted_campaign(desk).open_question()
    assert ask is not None
    desk.set_seat(MARINE)
    desk.begin_invocation()
    desk.answer_and_play(ask, 3, source)
    return desk


@pytest.mark.parametrize("whole_call", [False, True])
def test_a_side_undoes_its_own_newest_entry_below_its_opponents(
    tmp_path: Path, whole_call: bool
) -> None:
    """The opponent is not asked for an entry that may stay."""
    desk = at_the_beginning(tmp_path)
    bought = {}
    for side in (Side.MARINE, Side.JAPANESE, Side.MARINE):
        desk.set_seat(seat_of_side(side))
        desk.run_command("note", {"words": "I buy", "side": None, "about": None}, side.value)
        bought[side] = unrestricted_campaign(desk).entries[-1].seq
    desk.set_seat(JAPANESE)
    assert undo_extent_text(desk, whole_call, always=True) == "note: I buy"
    assert desk.undo_or_request(whole_call).asked["entries"] == [bought[Side.JAPANESE]]
    assert desk.redo().asked["entries"] == [bought[Side.JAPANESE]]
    assert desk.undo_or_request(whole_call).asked["entries"] == [bought[Side.JAPANESE]]
    assert desk.undo_or_request(whole_call).kind == "ask"  # nothing of their own is left
    assert bought[Side.MARINE] in unrestricted_campaign(desk).standing
    assert_sound(desk)


def test_undoing_entries_the_opponent_built_on_needs_a_request(tmp_path: Path) -> None:
    """A side's own answer cannot go alone if its opponent has answered since."""
    desk = in_the_refit(tmp_path, "15.6112")
    supply = AnswerSupply(dice=SeededDice("back"), defaults=True)
    for seat in (JAPANESE, MARINE):
        desk.set_seat(seat)
        desk.begin_invocation()
        ask = unrestricted_campaign(desk).open_question()
        assert ask is not None
        desk.answer_and_play(ask, *desk.get_answer_from_supply(ask, supply))
    desk.set_seat(JAPANESE)
    assert desk.undo_or_request().kind == "ask"


def test_an_undo_names_no_answer_hidden_from_the_seat(tmp_path: Path) -> None:
    """Of the opponent's answer to a public question a seat reads only what followed from it."""
    desk = in_the_refit(tmp_path, "15.6131")
    supply = AnswerSupply(dice=SeededDice("back"), defaults=True)
    while (ask := unrestricted_campaign(desk).open_question()) is not None:
        if ask.public and ask.side is Side.JAPANESE:
            break
        desk.answer_and_play(ask, *desk.get_answer_from_supply(ask, supply))
    assert ask is not None
    desk.set_seat(JAPANESE)
    desk.begin_invocation()
    desk.answer_and_play(ask, *desk.get_answer_from_supply(ask, supply))
    desk.set_seat(MARINE)
    words = undo_text(desk, desk.undo_or_request())
    assert ask.rule in words
    assert ask.subject not in words


@pytest.mark.parametrize("source", [HAND, APP])
def test_a_solitaire_player_may_reroll_freely(tmp_path: Path, source: Source) -> None:
    assert rolled(tmp_path, source).undo_or_request().kind == "undo"


@pytest.mark.parametrize(("source", "kind"), [(HAND, "undo"), (APP, "ask")])
def test_two_players_reroll_the_programs_die_only_with_consent(
    tmp_path: Path, source: Source, kind: str
) -> None:
    """A die that was typed is corrected at once."""
    desk = rolled(tmp_path, source)
    desk.both_play = True
    assert desk.undo_or_request().kind == kind
    if kind == "ask":
        desk.set_seat(JAPANESE)
        assert agree_and_carry_out_request(desk).kind == "undo"
        assert_sound(desk)


@pytest.mark.parametrize("whole_call", [False, True])
def test_one_of_two_players_cannot_undo_a_scenario_end_alone(
    tmp_path: Path, whole_call: bool
) -> None:
    desk = OpenCampaign.open(demo.create_demo(tmp_path))
    desk.set_seat(MARINE)
    before = unrestricted_campaign(desk).campaign.clone()
    desk.both_play = True
    assert desk.undo_or_request(whole_call).kind == "ask"
    assert unrestricted_campaign(desk).campaign == before
    desk.both_play = False
    assert desk.undo_or_request(whole_call).kind == "undo"


def test_a_seen_entry_of_the_opponent_makes_a_campaign_shared(tmp_path: Path) -> None:
    """His secret does not: else the answer would tell of it."""
    kinds = {}
    for whose in ("japanese", None):
        (tmp_path / str(whose)).mkdir()
        desk = OpenCampaign.open(demo.create_demo(tmp_path / str(whose)))
        desk.set_seat(JAPANESE)
        desk.run_command("note", {"words": "one", "side": whose, "about": None}, "japanese")
        if whose is None:
            desk.undo_or_request()
        desk.set_seat(MARINE)
        kinds[whose] = desk.undo_or_request().kind
    assert kinds == {"japanese": "undo", None: "ask"}


def test_the_dice_document_counts_undone_rolls_and_seeds_per_seat(
    tmp_path: Path,
) -> None:
    desk = rolled(tmp_path, HAND)
    desk.undo_or_request()
    for side in (None, *Side):
        marine = [
            hand
            for hand in undone_and_seeded_roll_counts(
                create_view(unrestricted_campaign(desk), side)
            )
            if hand["seat"] is MARINE
        ]
        assert marine == [{"seat": MARINE, "taken_back": 1, "seeded": 0, "seeds": 0}]


def test_the_audit_counts_undone_rolls_without_a_finding(
    tmp_path: Path,
) -> None:
    desk = rolled(tmp_path, HAND)
    desk.undo_or_request()
    for side in (None, *Side):
        report = audit_campaign(desk.path, side=side)
        assert (report.ok, report.notices) == (True, ())
        assert "Marine undid 1 roll" in report.dice
        assert "dice · Marine undid 1 roll" in report.text()
