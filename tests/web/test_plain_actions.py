"""What a seat may do on its plain page beside its question: requests, undo, notes, drafts, voids,
Covered Arcs, and a setup counter by counter."""

from pathlib import Path

import pytest

from brt_cg.model.counters import Side
from brt_cg.model.records import Purchase
from brt_cg.model.seat import Seat
from brt_cg.purchases.totals import drafts_of, standing_purchases
from brt_cg.questions.answers import RefusedError
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.service.unrestricted import unrestricted_campaign
from brt_cg.web import plain_page
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
    return [each for each in standing_purchases(campaign) if each.side is side]


def drafted(file: Path, side: Side) -> list[Purchase]:
    return drafts_of(unrestricted_campaign(OpenCampaign.open_read_only(file)).campaign, side)


def asked_to_undo(file: Path) -> None:
    """The Japanese player asks for an undo of the Marine player's answer."""
    at_its_first_question(file)
    press(file, "marine", "Default")
    desk = OpenCampaign.open(file)
    desk.both_play = True
    desk.take_seat(Seat.JAPANESE)
    assert desk.undo().kind == "ask"
    desk.close()


def test_a_request_to_undo_is_agreed_to_on_the_page_of_the_opponent(demo_file: Path) -> None:
    """It could only be answered on the screen, so that a phone's player kept it waiting."""
    asked_to_undo(demo_file)
    assert "the Japanese player asks" in plain_page.render_page(demo_file, "marine")
    assert "Withdraw it" in buttons(demo_file, "japanese")
    assert "Agree to it" not in buttons(demo_file, "japanese")
    before, agree = standing(demo_file), form(demo_file, "marine", "Agree to it")
    plain_page.submit_form(demo_file, "marine", agree)
    assert standing(demo_file) < before
    assert "Agree to it" not in buttons(demo_file, "marine")
    with pytest.raises(RefusedError, match="That request is closed"):
        plain_page.submit_form(demo_file, "marine", agree)


def test_a_request_is_declined_on_the_page(demo_file: Path) -> None:
    asked_to_undo(demo_file)
    before = standing(demo_file)
    press(demo_file, "marine", "Decline it")
    assert standing(demo_file) == before
    assert "Withdraw it" not in buttons(demo_file, "japanese")


def test_a_draft_is_kept_bought_and_voided_undone_and_redone(demo_file: Path) -> None:
    played_to(demo_file, "15.614")
    for _ in range(2):
        press(demo_file, "marine", "Buy it", item="foxhole_1s", draft="yes")
    assert (len(drafted(demo_file, Side.MARINE)), bought(demo_file, Side.MARINE)) == (2, [])
    assert not any(words.startswith("Drop") for words in buttons(demo_file, "japanese"))
    press(demo_file, "marine", "Drop the draft")
    press(demo_file, "marine", "Buy the 1 drafted")
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


def test_a_note_of_the_page_is_for_both_or_for_its_player_alone(demo_file: Path) -> None:
    press(demo_file, "marine", "Write it", words="We meet on Friday.", reader="")
    press(demo_file, "marine", "Write it", words="He has no HMG left.", reader="marine")
    for seat, knows in (("marine", True), ("japanese", False)):
        page = plain_page.render_page(demo_file, seat)
        assert "We meet on Friday." in page
        assert ("He has no HMG left." in page) is knows


def test_a_setup_is_entered_counter_by_counter_and_asks_before_it_leaves_some(
    demo_file: Path,
) -> None:
    """One counter typed ended the whole setup, with 32 others unplaced."""
    played_to(demo_file, "15.6202")
    desk = OpenCampaign.open_read_only(demo_file)
    ask = unrestricted_campaign(desk).open_ask()
    assert ask is not None
    several, seat = ask.as_several, ask.side.value
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
    assert now.open_ask() is not ask
    counter = now.campaign.find(item.subject)
    assert counter is not None
    assert counter.location == place
