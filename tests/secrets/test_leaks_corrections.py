"""What a correction tells the enemy is what he saw change; the rest is told to its own side."""

from typing import Any

import pytest

from brt_cg.journal.journal import Journal
from brt_cg.model.counters import Side
from brt_cg.questions.answers import RefusedError
from brt_cg.views.journal import updated_seat_reader
from tests.exports.journals import JAPANESE, MARINE, begun, new, play, squad, state, take_in
from tests.secrets.pairs import POINTS, assert_alike

SEEN = (squad("m-sq-1", "N19"), squad("m-sq-2", "N20"), squad("j-sq-9", "P21"))
PLACES = ("L38", "K36")


def correct(journal: Journal, id: str, **fields: Any) -> Journal:
    journal.begin_invocation()
    journal.run_command("edit", {"id": id, "set": fields, "reason": "a slip"}, "Ann")
    return journal


def told(journal: Journal, side: Side | None) -> list[str]:
    """What a side reads of the newest entry."""
    newest = len(journal.entries)
    return [
        line.text
        for line in updated_seat_reader(journal, side).lines_where(lambda at, _: at == newest)
    ]


def hiding(place: str, *units: dict[str, Any], **fields: Any) -> Journal:
    return begun(*SEEN, squad("j-sq-1", place, status=["hidden"]), *units, **fields)


def test_a_counter_made_visible_does_not_reveal_its_old_location() -> None:
    journals = [correct(hiding(place), "j-sq-1", location="M41", status=[]) for place in PLACES]
    assert_alike(*journals)
    assert told(journals[0], MARINE) == [
        "Ann corrects 4-4-7 squad no. 834: now visible to the enemy, M41"
    ]
    assert told(journals[0], JAPANESE) == [
        "Ann corrects 4-4-7 squad no. 834: now visible to the enemy, M41",
        "Ann corrects 4-4-7 squad no. 834: Location L38 → M41, status hidden → – (a slip)",
    ]


def test_a_counter_made_hidden_does_not_reveal_its_location_or_the_reason() -> None:
    journals = [begun(*SEEN) for _ in PLACES]
    for journal, place in zip(journals, PLACES, strict=True):
        correct(journal, "j-sq-9", location=place, status=["hidden"])
    assert_alike(*journals)
    assert told(journals[0], MARINE) == [
        "Ann corrects 4-4-7 squad no. 1: no longer visible to the enemy"
    ]


def test_a_correction_of_a_hidden_counter_is_shown_to_its_side_alone() -> None:
    journal = correct(hiding("L38"), "j-sq-1", location="K36")
    assert told(journal, MARINE) == []
    assert told(journal, JAPANESE) == [
        "Ann corrects 4-4-7 squad no. 834: Location L38 → K36 (a slip)"
    ]


def test_a_correction_of_a_visible_counter_is_one_sentence_for_both() -> None:
    journal = correct(hiding("L38"), "j-sq-9", status=["ti"])
    for side in (None, MARINE, JAPANESE):
        assert told(journal, side) == ["Ann corrects 4-4-7 squad no. 1: status – → TI (a slip)"]


def test_a_transferred_prisoner_does_not_reveal_a_hidden_guard() -> None:
    journals = []
    for place in PLACES:
        prisoner = squad("m-sq-3", place, status=["prisoner"], guard="j-sq-1")
        journals.append(hiding(place, prisoner))
        correct(journals[-1], "m-sq-3", location="P21", guard="j-sq-9")
    assert_alike(*journals)
    assert told(journals[0], MARINE) == [
        "Ann corrects 7-6-8 squad no. 3: Location – → P21, guarded by – → 4-4-7 squad no. 1 "
        "(a slip)"
    ]


def test_a_transferred_weapon_does_not_reveal_a_hidden_possessor() -> None:
    journals = []
    for place in PLACES:
        weapon = {"id": "j-lmg-1", "side": "japanese", "kind": "sw", "type": "LMG"}
        journals.append(
            hiding(place, weapons=[weapon | {"location": place, "possessor": "j-sq-1"}])
        )
        correct(journals[-1], "j-lmg-1", location="P21", possessor="j-sq-9")
    assert_alike(*journals)
    assert told(journals[0], MARINE) == ["Ann corrects LMG no. 567: now visible to the enemy, P21"]


@pytest.mark.parametrize("phase", ["purchase", "setup"])
def test_a_setup_location_is_shown_to_its_side_alone(phase: str) -> None:
    journals = []
    for place in ("N20", "N21"):
        journal = entered() if phase == "purchase" else play(begun(*SEEN), through="15.6201")
        journals.append(correct(journal, "m-sq-1", location=place))
    assert_alike(*journals, side=JAPANESE)
    assert told(journals[0], JAPANESE) == []
    assert told(journals[0], MARINE) == [
        "Ann corrects 7-6-8 squad no. 1: Location – → N20 (a slip)"
    ]


def entered() -> Journal:
    journal = new()
    waiting = squad("m-sq-1", "") | {"location": None}
    document = {"format": "brt-cg/state", "version": 1, "units": [waiting]}
    journal.run_command("reinforce", {"state": document, "source": "oob.json"}, "players")
    return journal


def test_a_corrected_san_does_not_reveal_purchases() -> None:
    journals = []
    for item in ("san_increase", "wire"):
        journal = new(allotments=POINTS)
        order = {"item": item, "side": "japanese", "beach": "red_one", "quantity": 1}
        journal.run_command("buy", order, "japanese")
        journals.append(correct(journal, "japanese", san=4))
    assert_alike(*journals)


def test_a_public_correction_is_one_sentence_during_setup_too() -> None:
    journal = play(take_in(new(), state(*SEEN)), through="15.6201")
    correct(journal, "m-sq-1", name="Baker")
    assert told(journal, JAPANESE) == ["Ann corrects 7-6-8 squad no. 1: name – → Baker (a slip)"]


@pytest.mark.parametrize(
    "wanted",
    [
        {"id": "m-sq-1", "set": {"aboard": "j-sq-1"}},
        {"id": "m-sq-1", "set": {"location": "N19:j-pb-1"}},
        {"id": "j-sq-1", "set": {"name": "Ito"}},
    ],
)
def test_a_seat_finds_no_hidden_counter_by_name(wanted: dict[str, Any]) -> None:
    """It is refused as an id that there is not; the umpire may do it, or is told why not."""
    pillbox = {"id": "j-pb-1", "side": "japanese", "type": "pillbox", "location": "N19"}
    journals = [hiding("L38", fortifications=[pillbox | {"hidden": True}]), begun(*SEEN)]
    told = []
    for journal in journals:
        with pytest.raises(RefusedError) as refused:
            journal.run_command("edit", wanted | {"reason": "a guess"}, "marine")
        told.append(str(refused.value))
    assert told[0] == told[1]
