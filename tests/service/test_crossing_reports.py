"""Two reports of a scenario's end that cross in the mail: as if both were entered at once."""

import shutil
from pathlib import Path

import pytest

from brt_cg.audit import audit_campaign
from brt_cg.imports.event_sheet import EventSheet, Ticks
from brt_cg.imports.totals import default_totals, scenario_end_from_sheet
from brt_cg.model.campaign import Campaign
from brt_cg.model.counters import Side
from brt_cg.model.seat import Seat
from brt_cg.service.mail import ForkChoice, ForkError, MailResult
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.service.unrestricted import unrestricted_campaign
from tests.imports.ways import (
    a_gun,
    a_unit,
    captures_gun,
    ledger_of,
    losses,
    report_of,
    state_of,
)
from tests.service.test_mail import Player
from tests.settings import count
from tests.tui.moments import played

Homes = tuple[Player, Player]


@pytest.fixture
def homes(demo_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Homes:
    """The Marine and the Japanese player, who have both played the scenario after the demo's."""
    path = played(demo_file, None)
    marine, japanese = (
        Player(seat, tmp_path / seat, monkeypatch) for seat in (Seat.MARINE, Seat.JAPANESE)
    )
    for player in (marine, japanese):
        player.home.mkdir()
        shutil.copy(path, player.file)
    marine.receives(japanese.sends(whole=True))
    japanese.receives(marine.sends())
    return marine, japanese


def campaign_of(player: Player) -> Campaign:
    return unrestricted_campaign(OpenCampaign.open_read_only(player.file)).campaign


def cross(marine: Player, japanese: Player) -> None:
    from_marine, from_japanese = marine.sends(), japanese.sends()
    assert marine.receives(from_japanese).done is MailResult.JOINED
    assert japanese.receives(from_marine).done is MailResult.JOINED


def at_once(file: Path, ticks: Ticks) -> Campaign:
    """The campaign into which an umpire entered both."""
    desk = OpenCampaign.open(file, backs_up=False)
    report_of(None, ticks)(desk)
    desk.close()
    return unrestricted_campaign(OpenCampaign.open_read_only(file)).campaign


@pytest.mark.parametrize("seed", range(count(1, 30)))
def test_crossed_reports_give_the_same_result_as_entering_both(
    homes: Homes, tmp_path: Path, seed: int
) -> None:
    marine, japanese = homes
    before = campaign_of(marine)
    ticks = losses(before, seed)
    shutil.copy(marine.file, tmp_path / "both.brt")
    for player in homes:
        player.does(report_of(player.seat.side, ticks))
    cross(marine, japanese)
    due = at_once(tmp_path / "both.brt", ticks)
    for player in homes:
        assert ledger_of(campaign_of(player), before) == ledger_of(due, before)
        assert state_of(campaign_of(player)) == state_of(due)
        assert audit_campaign(player.file).ok
    marine.receives(japanese.sends())
    japanese.receives(marine.sends())
    assert marine.head == japanese.head
    assert state_of(campaign_of(marine)) == state_of(due)


def test_a_capture_only_the_captor_reports_counts_in_both_campaigns(homes: Homes) -> None:
    marine, japanese = homes
    before = campaign_of(marine)
    gun, squad = a_gun(before), a_unit(before, Side.JAPANESE)
    captor = a_unit(before, Side.MARINE)
    marine.does(captures_gun(gun, captor))
    japanese.does(report_of(Side.JAPANESE, {squad: {"reduced": ""}}))
    cross(marine, japanese)
    one, other = map(campaign_of, homes)
    assert one.weapons[gun].side is other.weapons[gun].side is Side.MARINE
    assert state_of(one) == state_of(other)
    assert one.cvp(Side.MARINE) == before.cvp(Side.MARINE) + 2


def test_a_prisoner_only_the_captor_reports_is_one_in_both_campaigns(homes: Homes) -> None:
    marine, japanese = homes
    before = campaign_of(marine)
    captor, squad = a_unit(before, Side.MARINE), a_unit(before, Side.JAPANESE)
    marine.does(report_of(Side.MARINE, {squad: {"captured": captor}}))
    japanese.does(report_of(Side.JAPANESE, {a_unit(before, Side.JAPANESE, 1): {"eliminated": ""}}))
    cross(marine, japanese)
    one, other = map(campaign_of, homes)
    assert one.units[squad].guard == captor
    assert state_of(one) == state_of(other)


def test_rubble_and_first_move_of_one_report_are_kept_in_both_campaigns(homes: Homes) -> None:
    marine, japanese = homes
    japanese.does(report_of(Side.JAPANESE, {}, moved="japanese", pillboxes="3"))

    def rubbled(desk: OpenCampaign) -> None:
        book = desk.view().for_scenario_end_report(Side.MARINE)
        told = EventSheet(book.campaign, book.card, Side.MARINE, {}, book.codes)
        asked = scenario_end_from_sheet(book, told, default_totals(told)).asked
        row = asked["state"]["terrain"][0]
        row |= {"kind": "stone_rubble", "building": None, "material": None}
        desk.run_command("import", asked)

    marine.does(rubbled)
    cross(marine, japanese)
    one, other = map(campaign_of, homes)
    assert one.situation.moved_first is Side.JAPANESE
    assert one.situation.pillbox_vp == 3
    assert state_of(one) == state_of(other)


def test_contradictory_reports_about_a_gun_change_nothing_and_ask_both_players(
    homes: Homes,
) -> None:
    marine, japanese = homes
    before = campaign_of(marine)
    gun = a_gun(before)
    marine.does(captures_gun(gun, a_unit(before, Side.MARINE)))
    japanese.does(report_of(Side.JAPANESE, {gun: {"eliminated": ""}}))
    heads = marine.head, japanese.head
    mails = marine.sends(), japanese.sends()
    for player, path in zip(homes, reversed(mails), strict=True):
        with pytest.raises(ForkError, match="contradict each other about"):
            player.receives(path)
    assert (marine.head, japanese.head) == heads
    # The Japanese player takes the Marine report, and enters his own again: a question.
    japanese.receives(mails[0], ForkChoice.THEIRS)
    assert campaign_of(japanese).weapons[gun].side is Side.MARINE
    japanese.does(report_of(Side.JAPANESE, {}))
    marine.receives(japanese.sends(whole=True))
    assert state_of(campaign_of(marine)) == state_of(campaign_of(japanese))


def eliminates(side: Side, before: Campaign) -> Ticks:
    return {a_unit(before, side): {"eliminated": ""}}


@pytest.fixture
def reported(homes: Homes) -> Homes:
    """Both players know of the Marine report, and the Japanese player has entered his."""
    marine, japanese = homes
    marine.does(report_of(Side.MARINE, {}))
    japanese.receives(marine.sends())
    japanese.does(report_of(Side.JAPANESE, {}))
    return homes


def test_a_report_that_crosses_the_refit_phase_needs_one_more_mail(reported: Homes) -> None:
    marine, japanese = reported
    losses = eliminates(Side.MARINE, campaign_of(marine))
    japanese.plays("x")
    marine.does(report_of(Side.MARINE, losses))
    mails, head = (marine.sends(), japanese.sends()), japanese.head
    got = japanese.receives(mails[0])
    assert (got.done, japanese.head) == (MailResult.WAITS, head)
    assert got.result_text == "nothing was changed; wait for one more mail"
    assert any("your opponent's next mail will continue" in notice for notice in got.notices)
    got = marine.receives(mails[1])
    assert got.done is MailResult.JOINED
    assert any("it was not entered; correct your counters" in notice for notice in got.notices)
    assert got.kept is not None
    japanese.receives(marine.sends())
    assert marine.head == japanese.head
    [lost] = losses
    assert campaign_of(marine).units[lost].in_play
    assert all(audit_campaign(player.file).ok for player in reported)
    marine.receives(japanese.sends())
    assert marine.head == japanese.head


def test_a_report_crossing_a_just_begun_paragraph_is_entered_in_both_campaigns(
    reported: Homes,
) -> None:
    marine, japanese = reported
    losses = eliminates(Side.MARINE, campaign_of(marine))
    japanese.does(lambda desk: desk.play_to_question())
    marine.does(report_of(Side.MARINE, losses))
    mails = marine.sends(), japanese.sends()
    japanese.receives(mails[0])
    marine.receives(mails[1])
    marine.receives(japanese.sends())
    japanese.receives(marine.sends())
    assert marine.head == japanese.head
    [lost] = losses
    for player in reported:
        assert not campaign_of(player).units[lost].in_play
        assert {
            *unrestricted_campaign(OpenCampaign.open_read_only(player.file)).scenario_end_reports()
        } == {*Side}
        assert audit_campaign(player.file).ok
