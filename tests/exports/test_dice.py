"""Every roll, and how the faces fell."""

import json

from brt_cg.exports import export
from brt_cg.exports.dice import faces, rolls
from tests.exports.books import MARINE, begun, demo, play, squad

WOUNDED = squad("m-ldr-1", "N19", status=["wounded"], traits=["heroic"])


def test_a_roll_tells_dice_modifiers_final_row_and_source() -> None:
    [roll] = rolls(play(begun(WOUNDED), through="15.6112", m_ldr_1=4), None)
    del roll["seq"]
    assert roll == {
        "date": "20 AM",
        "rule": "15.6112",
        "subject": "m-ldr-1",
        "table": "15.6112",
        "dice": [4],
        "modifiers": [[-1, "heroic"]],
        "original": 4,
        "final": 3,
        "row": "wounded",
        "source": "hand",
        "undone": False,
    }


def test_a_roll_that_was_taken_back_stays_and_counts() -> None:
    book = play(begun(WOUNDED), through="15.6112", m_ldr_1=4)
    book.undo()
    [roll] = rolls(book, None)
    assert roll["undone"]
    assert faces([roll])["dr"] == [0, 0, 0, 1, 0, 0]
    assert "still wounded (taken back)" in str(export(book, "dice", "md"))


def test_faces_are_counted_die_by_die() -> None:
    found = faces([{"dice": [3]}, {"dice": [3, 6]}, {"dice": [1, 6]}])
    assert found["dr"] == [0, 0, 1, 0, 0, 0]
    assert found["coloured"] == [1, 0, 1, 0, 0, 0]
    assert found["white"] == [0, 0, 0, 0, 0, 2]
    assert found["all"] == [1, 0, 2, 0, 0, 2]


def test_modifiers_have_their_sign_in_words() -> None:
    text = str(export(play(begun(WOUNDED), through="15.6112", m_ldr_1=4), "dice", "csv"))
    assert ",4,−1 heroic,4,3,wounded,hand,false" in text


def test_a_side_reads_no_roll_for_a_hidden_counter() -> None:
    found = json.loads(str(export(demo(), "dice", "json", MARINE)))
    everything = json.loads(str(export(demo(), "dice", "json")))
    hidden = {"j-ldr-10", "j-gun-2", "j-gun-4"}
    assert len(found["rolls"]) < len(everything["rolls"])
    assert not hidden & {roll["subject"] for roll in found["rolls"]}
