"""Where a counter may go at setup, beside what was given to the others before it."""

from brt_cg.card import load_card
from brt_cg.model.counters import Side
from brt_cg.questions.answers import Candidate
from brt_cg.questions.partial_answers import PartialAnswers
from brt_cg.refit.s620_setup import set_up_isolated_units
from brt_cg.refit.setup_progress import (
    allowed_places_text,
    common_possible_locations,
    place_on_table,
    setup_prompt,
)
from tests.refit.table import campaign, fort, gun, japanese_squad, leader, marine_squad, play
from tests.refit.test_s620 import initial


def test_a_filled_pillbox_is_not_listed_to_fill_first() -> None:
    played = initial(japanese_squad("j", None), japanese_squad("k", None))
    view, card = played.campaign, load_card("III")
    ask = played.asks[0]
    assert "to be filled first (15.6142): pillbox" in setup_prompt(PartialAnswers(ask), view, card)
    filled = PartialAnswers(ask).with_changes({"j": ("J42:pb",)})
    assert "to be filled" not in setup_prompt(filled, view, card)


def test_a_location_offered_accounts_for_earlier_answers() -> None:
    """Inside a pillbox that was placed a moment ago, and as long as it is not filled."""
    ask = initial(japanese_squad("j", None), japanese_squad("k", None), place=None).asks[0]
    given = {"pb": {"location": "J42", "covered_arc": ["I42", "J41"]}}
    inside = {"J42:pb", "off_map"}
    fills = given | {"j": "J42:pb"}  # what j itself was given does not count
    for noted, only_inside in ((given, True), (fills, True), (given | {"k": "J42:pb"}, False)):
        offered = {
            place.typed
            for place in common_possible_locations(
                PartialAnswers(ask, noted), ("j",), Side.JAPANESE
            )
        }
        assert (offered == inside) is only_inside
        assert {
            place.typed
            for place in common_possible_locations(PartialAnswers(ask, noted), ("j", "k"), None)
        } == inside


def test_a_guns_possessor_is_placed_with_it_unless_placed_before() -> None:
    crewed = (leader("j", None, side=Side.JAPANESE), gun("g", None, possessor="j"))
    ask = initial(*crewed).asks[0]
    noted = PartialAnswers(ask, crews={"g": "j"})
    assert noted.with_changes({"g": ("J43",)}).given == {"g": "J43", "j": "J43"}
    assert noted.with_changes({"g": ("off_map",)}).given == {"g": "off_map"}
    before = noted.with_changes({"j": ("J44",)})
    assert before.with_changes({"g": ("J43",)}).given == {"g": "J43", "j": "J44"}
    assert before.with_changes({"j": None}).given == {}


def test_locations_with_a_covered_arc_are_listed_by_their_hexes() -> None:
    typed = ("E5 D4,E4", "E5 E4,F4", "E6 D5,E5", "E8", "E9")
    offered = [Candidate(text, text, text) for text in typed]
    assert allowed_places_text(offered) == "E5-E6, as listed; E8-E9"


def test_the_table_key_names_what_it_cannot_do_beside_isolated_units() -> None:
    lone = marine_squad("m", "N22", isolated=True, recorded_location="N22")
    foxhole = fort("w", "N21", "foxhole_1s", side=lone.side)
    foxhole.location = None
    view = campaign(lone, foxhole, areas={"M1": "N18-N21"}, phase="setup", date="20 PM")
    ask = play(set_up_isolated_units, view).asks[0]
    placing = PartialAnswers(ask)
    for _ in range(2):
        placing, words = place_on_table(placing, placing.asked, view)
        assert "Isolated units set up in their recorded Locations" in words
        assert "A Fortification needs a Location: 1S foxhole" in words
