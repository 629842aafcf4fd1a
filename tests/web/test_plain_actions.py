"""What a seat may do on its plain page beside its question: requests, undo, notes, drafts, voids,
Covered Arcs, and a setup counter by counter."""

import re
from pathlib import Path

import pytest

from brt_cg.model.counters import Side, UnitKind
from brt_cg.model.records import Purchase
from brt_cg.model.seat import Seat
from brt_cg.purchases.totals import drafts_of, purchases_not_voided
from brt_cg.questions.answers import RefusedError
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.service.tick_sheet import load_tick_sheet
from brt_cg.service.unrestricted import unrestricted_campaign
from brt_cg.tui.session.session import CampaignSnapshot, take_snapshot
from brt_cg.web import plain_page
from tests.tui.moments import played
from tests.web.forms import Forms
from tests.web.serving import at_its_first_question, played_to

Fields = dict[str, str]


def form(file: Path, seat: str, words: str, typed: Fields | None = None) -> Fields:
    """The hidden fields of the form whose button begins with these words."""
    page = plain_page.render_page(file, seat, "", typed or {})
    return next(fields for fields, label in Forms(page).found if label.startswith(words))


def press(file: Path, seat: str, label: str, /, **entered: str) -> list[str]:
    """Press a button of a seat's page, after entering what the form asks for."""
    return plain_page.submit_form(file, seat, form(file, seat, label) | entered)


def buttons(file: Path, seat: str) -> list[str]:
    return [words for _, words in Forms(plain_page.render_page(file, seat)).found]


def standing(file: Path) -> int:
    return len(unrestricted_campaign(OpenCampaign.open_read_only(file)).standing)


def bought(file: Path, side: Side) -> list[Purchase]:
    campaign = unrestricted_campaign(OpenCampaign.open_read_only(file)).campaign
    return [each for each in purchases_not_voided(campaign) if each.side is side]


def drafted(file: Path, side: Side) -> list[Purchase]:
    return drafts_of(unrestricted_campaign(OpenCampaign.open_read_only(file)).campaign, side)


def asked_to_undo(file: Path) -> None:
    """The Japanese player asks for an undo of the Marine player's answer."""
    at_its_first_question(file)
    press(file, "marine", "Default")
    desk = OpenCampaign.open(file)
    desk.both_play = True
    desk.set_seat(Seat.JAPANESE)
    assert desk.undo_or_request().kind == "ask"
    desk.close()


def test_an_undo_request_is_accepted_on_the_opponents_page(demo_file: Path) -> None:
    """It could only be answered on the screen, so that a phone's player kept it waiting."""
    asked_to_undo(demo_file)
    assert "from the Japanese player" in plain_page.render_page(demo_file, "marine")
    assert "Withdraw" in buttons(demo_file, "japanese")
    assert "Agree" not in buttons(demo_file, "japanese")
    before, agree = standing(demo_file), form(demo_file, "marine", "Agree")
    plain_page.submit_form(demo_file, "marine", agree)
    assert standing(demo_file) < before
    assert "Agree" not in buttons(demo_file, "marine")
    with pytest.raises(RefusedError, match="That request is closed"):
        plain_page.submit_form(demo_file, "marine", agree)


def test_the_undo_button_names_the_counter_without_an_id(demo_file: Path) -> None:
    """It said "Undo: 15.602 Marker removal, j-cr-9"."""
    played_to(demo_file, "15.602")
    press(demo_file, "japanese", "place it on map")
    [undo] = [words for words in buttons(demo_file, "japanese") if words.startswith("Undo")]
    hidden = unrestricted_campaign(OpenCampaign.open_read_only(demo_file)).entries[-1]
    id = hidden.payload["ask"]["subject"]
    assert id not in undo
    named = unrestricted_campaign(OpenCampaign.open_read_only(demo_file)).campaign.find(id)
    assert named is not None
    assert named.label in undo


def test_a_request_is_declined_on_the_page(demo_file: Path) -> None:
    asked_to_undo(demo_file)
    before = standing(demo_file)
    press(demo_file, "marine", "Decline")
    assert standing(demo_file) == before
    assert "Withdraw" not in buttons(demo_file, "japanese")


def test_a_draft_is_kept_bought_and_voided_undone_and_redone(demo_file: Path) -> None:
    played_to(demo_file, "15.614")
    for _ in range(2):
        press(demo_file, "marine", "Buy it", item="foxhole_1s", draft="yes")
    assert (len(drafted(demo_file, Side.MARINE)), bought(demo_file, Side.MARINE)) == (2, [])
    assert not any(words.startswith("Discard") for words in buttons(demo_file, "japanese"))
    press(demo_file, "marine", "Discard the draft")
    press(demo_file, "marine", "Buy your drafts (1)")
    [foxhole] = bought(demo_file, Side.MARINE)
    page = plain_page.render_page(demo_file, "marine")
    [key] = {part.partition('"')[0] for part in page.split('value="') if part.startswith("pm")}
    assert key.startswith(f"{foxhole.id} ")
    press(demo_file, "marine", "Void it", purchase=key, reason="too far away")
    assert bought(demo_file, Side.MARINE) == []
    press(demo_file, "marine", "Undo: ")
    assert len(bought(demo_file, Side.MARINE)) == 1
    press(demo_file, "marine", "Redo")
    assert bought(demo_file, Side.MARINE) == []
    with pytest.raises(RefusedError, match="changed since you saw it"):
        press(demo_file, "marine", "Buy it", item="foxhole_1s", based="other")


def test_a_pillbox_is_bought_with_its_covered_arc(demo_file: Path) -> None:
    played_to(demo_file, "15.614")
    page = plain_page.render_page(demo_file, "japanese")
    assert "Covered Arc: two adjacent hexes" in page
    order = {"item": "pillbox_1_3_5", "beach": "red_three", "location": "M21", "draft": "yes"}
    press(demo_file, "japanese", "Buy it", **order, arc="N20,N21", capacity="")
    [box] = drafted(demo_file, Side.JAPANESE)
    assert (box.location, box.covered_arc) == ("M21", ("N20", "N21"))


@pytest.mark.parametrize("field", ["quantity", "capacity"])
def test_a_number_of_thousands_of_digits_is_refused(field: str, demo_file: Path) -> None:
    """The page answered with status 500."""
    played_to(demo_file, "15.614")
    order = {"item": "foxhole_1s", field: "9" * 5_000}
    with pytest.raises(RefusedError, match=field):
        press(demo_file, "marine", "Buy it", **order)
    assert bought(demo_file, Side.MARINE) == []


def test_a_note_on_the_page_is_public_or_for_its_player_alone(demo_file: Path) -> None:
    press(demo_file, "marine", "Write it", words="We meet on Friday.", reader="")
    press(demo_file, "marine", "Write it", words="He has no HMG left.", reader="marine")
    for seat, knows in (("marine", True), ("japanese", False)):
        page = plain_page.render_page(demo_file, seat)
        assert "We meet on Friday." in page
        assert ("He has no HMG left." in page) is knows


def test_a_reminder_appears_on_the_page_on_its_date(demo_file: Path) -> None:
    date = unrestricted_campaign(OpenCampaign.open_read_only(demo_file)).campaign.situation.date
    words = "The naval battery fires."
    press(demo_file, "marine", "Write it", words=words, reader="marine", date=date)
    reminder = f"<p>Marine reminder for {date}: {words}</p>"
    assert reminder in plain_page.render_page(demo_file, "marine")
    assert words not in plain_page.render_page(demo_file, "japanese")
    with pytest.raises(RefusedError, match="a reminder is the secret of one side"):
        press(demo_file, "marine", "Write it", words=words, reader="", date=date)


@pytest.fixture
def in_scenario(demo_file: Path) -> Path:
    """The demo in the scenario after its Refit Phase."""
    return played(demo_file, None)


def codes_of(file: Path, side: Side, count: int) -> dict[str, str]:
    """The codes of some of a side's units in play that are with nobody else."""
    book = OpenCampaign.open_read_only(file, Seat(side.value)).view()
    able = [
        each
        for each in book.campaign.units.values()
        if each.side is side and each.in_play and each.armed and not each.prisoner
        if each.kind is UnitKind.SQUAD and not book.campaign.prisoners_of(each)
    ]
    return {each.id: str(book.codes.code_of(each.id)) for each in able[:count]}


def snapshot(file: Path, seat: Seat) -> CampaignSnapshot:
    """The campaign as a seat's screen has it."""
    return take_snapshot(OpenCampaign.open_read_only(file, seat))


def answers_of_report(file: Path, seat: str, **typed: str) -> Fields:
    """The report as typed, with all Encircled units still so."""
    page = plain_page.render_page(file, seat)
    return dict.fromkeys(re.findall(r'name="(still\.[^"]+)"', page), "yes") | typed


def see_changes(file: Path, seat: str, **typed: str) -> None:
    press(file, seat, "See the changes", **answers_of_report(file, seat, **typed))


def enter_report(file: Path, seat: str, **typed: str) -> None:
    """See the changes, then enter the report."""
    with pytest.raises(
        RefusedError, match="These changes would be made; press “Yes” to enter them"
    ):
        see_changes(file, seat, **typed)
    answers = answers_of_report(file, seat, **typed)
    sure = form(file, seat, "Yes: enter", {"do": "report", **answers})
    plain_page.submit_form(file, seat, sure | answers)


def test_losses_entered_by_code_during_play_make_the_report(in_scenario: Path) -> None:
    (squad, code), (other, second) = codes_of(in_scenario, Side.MARINE, 2).items()
    press(in_scenario, "marine", "Keep these losses", codes=f"x{code}")
    press(in_scenario, "marine", "Keep these losses", codes=f"x{second}")
    assert "2 counters reported so far, Japanese CVP +4." in plain_page.render_page(
        in_scenario, "marine"
    )
    assert "0 counters reported so far." in plain_page.render_page(in_scenario, "japanese")
    press(in_scenario, "marine", f"Remove: {second} ")
    enter_report(in_scenario, "marine")
    after = unrestricted_campaign(OpenCampaign.open_read_only(in_scenario))
    assert after.scenario_end_reports().keys() == {Side.MARINE}
    gone = [after.campaign.find(each) for each in (squad, other)]
    assert [each is not None and each.in_play for each in gone] == [False, True]
    assert "The end of the scenario" not in plain_page.render_page(in_scenario, "marine")


def test_a_report_typed_on_the_phone_appears_on_the_screen(in_scenario: Path) -> None:
    (squad, code), (other, second) = codes_of(in_scenario, Side.MARINE, 2).items()
    press(in_scenario, "marine", "Keep these losses", codes=f"x{code}")
    seen = snapshot(in_scenario, Seat.MARINE)
    sheet = load_tick_sheet(seen)
    assert sheet.ticks == {squad: {"eliminated": ""}}
    sheet.event_sheet(seen).tick([other], "broken")
    sheet.save()
    assert f"Remove: {second} " in plain_page.render_page(in_scenario, "marine")
    with pytest.raises(RefusedError, match="These changes would be made"):
        see_changes(in_scenario, "marine", pillboxes="3")
    assert load_tick_sheet(seen).totals == {"pillboxes": "3"}
    assert load_tick_sheet(snapshot(in_scenario, Seat.JAPANESE)).ticks == {}


def test_a_wrong_or_doubtful_code_is_stored_only_after_confirmation(
    in_scenario: Path,
) -> None:
    [(squad, code)] = codes_of(in_scenario, Side.MARINE, 1).items()
    for codes, why in (("x99z", "x99z: .*write a code like 4a"), (f"c{code}", "name the unit")):
        with pytest.raises(RefusedError, match=why):
            press(in_scenario, "marine", "Keep these losses", codes=f"x{code} {codes}")
    with pytest.raises(RefusedError, match="is an Ocean hex"):
        press(in_scenario, "marine", "Keep these losses", codes=f"a1 {code}")
    sheet = load_tick_sheet(snapshot(in_scenario, Seat.MARINE))
    assert sheet.ticks == {}
    press(in_scenario, "marine", "Keep these losses", codes=f"a1 {code}", sure="yes")
    assert [*load_tick_sheet(snapshot(in_scenario, Seat.MARINE)).ticks] == [squad]


def test_a_report_is_entered_only_with_the_changes_shown(in_scenario: Path) -> None:
    [code] = codes_of(in_scenario, Side.MARINE, 1).values()
    answers = answers_of_report(in_scenario, "marine")
    sure = form(in_scenario, "marine", "Yes: enter", {"do": "report", **answers}) | answers
    with pytest.raises(RefusedError, match="These changes would be made"):
        plain_page.submit_form(in_scenario, "marine", sure | {"pillboxes": "5"})
    press(in_scenario, "marine", "Keep these losses", codes=f"x{code}")
    with pytest.raises(RefusedError, match="These changes would be made"):
        plain_page.submit_form(in_scenario, "marine", sure)
    with pytest.raises(RefusedError, match="VP for pillboxes"):
        see_changes(in_scenario, "marine", pillboxes="many")
    assert not unrestricted_campaign(
        OpenCampaign.open_read_only(in_scenario)
    ).scenario_end_reports()


def test_a_counter_reported_differently_on_phone_and_screen_is_decided_first(
    in_scenario: Path,
) -> None:
    [(squad, code)] = codes_of(in_scenario, Side.MARINE, 1).items()
    seen = snapshot(in_scenario, Seat.MARINE)
    screen = load_tick_sheet(seen)
    press(in_scenario, "marine", "Keep these losses", codes=f"x{code}")
    screen.event_sheet(seen).tick([squad], "broken")
    screen.save()
    assert "Two windows reported" in plain_page.render_page(in_scenario, "marine")
    with pytest.raises(RefusedError, match="choose which is right"):
        see_changes(in_scenario, "marine")
    press(in_scenario, "marine", "Choose: eliminated")
    assert load_tick_sheet(seen).ticks == {squad: {"eliminated": ""}}
    enter_report(in_scenario, "marine")


def test_encircled_units_are_asked_about_one_by_one(in_scenario: Path) -> None:
    answers = answers_of_report(in_scenario, "marine")
    [first, *_] = answers
    with pytest.raises(RefusedError, match="choose for each Encircled unit whether it still is"):
        press(in_scenario, "marine", "See the changes", **answers | {first: ""})
    enter_report(in_scenario, "marine", **{first: "no"})
    campaign = unrestricted_campaign(OpenCampaign.open_read_only(in_scenario)).campaign
    still = {f"still.{each.id}" for each in campaign.pieces() if each.has_status("encircled")}
    assert still & answers.keys() == answers.keys() - {first}


def test_both_players_report_on_their_pages_and_the_refit_phase_begins(in_scenario: Path) -> None:
    for side in Side:
        [code] = codes_of(in_scenario, side, 1).values()
        press(in_scenario, side.value, "Keep these losses", codes=f"x{code}")
        enter_report(in_scenario, side.value)
    assert "Continue" in buttons(in_scenario, "marine")


def test_an_umpire_reports_for_both_sides_on_one_page(in_scenario: Path) -> None:
    enter_report(in_scenario, "umpire", san_marine="3", san_japanese="4")
    sides = unrestricted_campaign(OpenCampaign.open_read_only(in_scenario)).campaign.sides
    assert [sides[side].san for side in (Side.MARINE, Side.JAPANESE)] == [3, 4]
    assert "Continue" in buttons(in_scenario, "umpire")


def test_a_setup_is_entered_by_counter_and_asks_before_leaving_some_out(
    demo_file: Path,
) -> None:
    """One counter typed ended the whole setup, with 32 others unplaced."""
    played_to(demo_file, "15.6202")
    desk = OpenCampaign.open_read_only(demo_file)
    ask = unrestricted_campaign(desk).open_question()
    assert ask is not None
    several, seat = ask.as_multi_question, ask.side.value
    assert several is not None
    item, place = several.item("m-hero-1"), "O9"
    press(demo_file, seat, "Keep this answer", counter=item.subject, answer=place)
    page = plain_page.render_page(demo_file, seat)
    assert f"<p>1 of {len(several.items)} counters answered.</p>" in page
    with pytest.raises(RefusedError, match="without a Location"):
        press(demo_file, seat, "Continue with the 1 entered")
    with pytest.raises(RefusedError):
        press(demo_file, seat, "Keep this answer", counter=item.subject, answer="ZZ99")
    sure = form(demo_file, seat, "Yes: enter it without these", {"do": "finish"})
    plain_page.submit_form(demo_file, seat, sure)
    now = unrestricted_campaign(OpenCampaign.open_read_only(demo_file))
    assert now.open_question() is not ask
    counter = now.campaign.find(item.subject)
    assert counter is not None
    assert counter.location == place
