"""What is asked on one page before 15.601, and what a side leaves undone."""

from pathlib import Path

import pytest

from brt_cg.card import load_card
from brt_cg.cli import main
from brt_cg.model.counters import Fortification
from brt_cg.refit.s620_setup import set_up_the_rest
from brt_cg.refit.simulation import ruling_page_lines, rulings_likely_to_be_asked
from brt_cg.refit.unfinished import unfinished_texts, unplaced_fortifications_text
from brt_cg.service.demo import create_demo
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.service.unrestricted import unrestricted_campaign
from tests.refit.table import JAPANESE, MARINE, campaign, marine_squad, play

CARD = load_card("III")
AREAS = {"M1": "N18-N21", "J1": "N25-N40"}


def foxhole(id: str) -> Fortification:
    return Fortification(id=id, side=MARINE, type="foxhole_1s", location=None)


def test_upcoming_rulings_are_on_one_page_and_agreed_by_default(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place = str(create_demo(tmp_path))
    campaign_ = unrestricted_campaign(OpenCampaign.open(Path(place))).campaign
    before = campaign_.clone()
    ahead = rulings_likely_to_be_asked(campaign_, CARD)
    assert campaign_ == before
    assert ahead
    assert all(
        each.is_asked_when_it_matters and not campaign_.is_ruling_agreed(each.id) for each in ahead
    )
    assert main(["rulings", place, "--ahead"]) == 0
    shown = capsys.readouterr().out
    assert all(each.question in shown for each in ahead)
    assert shown.count("the default: ") == len(ahead)
    assert main(["rulings", place, "--defaults"]) == 0
    assert (
        rulings_likely_to_be_asked(
            unrestricted_campaign(OpenCampaign.open(Path(place))).campaign, CARD
        )
        == []
    )


def test_a_ruling_is_described_in_words_before_its_code() -> None:
    lines = ruling_page_lines(CARD.rulings["R-UNLOAD"])
    assert lines[0].endswith("(R-UNLOAD, 15.6031)")
    assert lines[1].startswith("    stay: the default: ")


def test_unplaced_purchases_are_reported_when_setup_ends() -> None:
    made = campaign(
        foxhole("f1"),
        foxhole("f2"),
        marine_squad("m1", None, setup_area="M1"),
        areas=AREAS,
        date="20 PM",
    )
    result = play(set_up_the_rest, made)
    words = "the Marines bought these Fortifications but have not placed them: 2 × 1S foxhole; they"
    assert words in result.log
    assert unplaced_fortifications_text(made, JAPANESE) is None
    assert unfinished_texts(made, CARD, MARINE) == ["not placed: 2 × 1S foxhole"]


def test_an_unplaced_purchase_is_placed_in_the_next_setup() -> None:
    made = campaign(foxhole("f1"), foxhole("f2"), areas=AREAS, date="21 AM")
    result = play(set_up_the_rest, made, choices={"marine": {"f1": "N19"}})
    assert result.campaign.fortifications["f1"].location == "N19"
    assert "bought these Fortifications but have not placed them: 1 × 1S foxhole" in result.log


def test_no_upcoming_rulings_are_known_before_a_scenario_ends(tmp_path: Path) -> None:
    place = str(create_demo(tmp_path))
    assert main(["refit", place, "--auto", "--seed", "1"]) == 0
    assert main(["rulings", place, "--ahead"]) == 2
