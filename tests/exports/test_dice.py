"""Every roll, and how the faces fell."""

from brt_cg.exports import export_document
from brt_cg.exports.dice import count_faces, list_rolls
from brt_cg.exports.luck import EXACT, luckier_than_percent, total_chances
from brt_cg.model.counters import Side
from brt_cg.views.view import create_view
from tests.exports.journals import MARINE, as_data, begun, demo, play, squad

WOUNDED = squad("m-ldr-1", "N19", status=["wounded"], traits=["heroic"])


def test_a_roll_shows_dice_modifiers_final_row_and_source() -> None:
    [roll] = list_rolls(create_view(play(begun(WOUNDED), through="15.6112", m_ldr_1=4)))
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
        "seat": None,
        "seed": None,
        "undone": False,
    }


def test_an_undone_roll_is_listed_and_counted() -> None:
    journal = play(begun(WOUNDED), through="15.6112", m_ldr_1=4)
    journal.undo()
    [roll] = list_rolls(create_view(journal))
    assert roll["undone"]
    assert count_faces([roll])["dr"] == [0, 0, 0, 1, 0, 0]
    assert "still wounded (undone)" in str(export_document(create_view(journal), "dice", "md"))


def test_faces_are_counted_die_by_die() -> None:
    found = count_faces([{"dice": [3]}, {"dice": [3, 6]}, {"dice": [1, 6]}])
    assert found["dr"] == [0, 0, 1, 0, 0, 0]
    assert found["coloured"] == [1, 0, 1, 0, 0, 0]
    assert found["white"] == [0, 0, 0, 0, 0, 2]
    assert found["all"] == [1, 0, 2, 0, 0, 2]


def test_modifiers_have_their_sign_in_words() -> None:
    text = str(
        export_document(
            create_view(play(begun(WOUNDED), through="15.6112", m_ldr_1=4)), "dice", "csv"
        )
    )
    assert ",4,−1 heroic,4,3,wounded,hand,false" in text


# --- luck -----------------------------------------------------------------------------------------


def test_the_chances_of_two_dice_are_exact() -> None:
    assert [round(36 * chance) for chance in total_chances(2)] == [1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1]


def test_luck_is_exact_for_a_few_dice_and_follows_the_curve_for_many() -> None:
    assert [luckier_than_percent(total, 1) for total in (1, 3, 4, 6)] == [92, 58, 42, 8]
    assert luckier_than_percent(2, 2) == 99
    assert luckier_than_percent(350, 100) == 50
    assert abs(luckier_than_percent(190, EXACT) - luckier_than_percent(190 + 4, EXACT + 1)) <= 3


def test_luck_is_shown_by_side_and_table_against_the_expectation() -> None:
    journal = play(begun(WOUNDED), through="15.6112", m_ldr_1=4)
    [found] = as_data("dice", journal)["luck"]
    assert (found["side"], found["table"], found["dice"]) == ("marine", "15.6112", "dr")
    assert (found["rolls"], found["average"], found["expected_average"]) == (1, 4.0, 3.5)
    assert found["counts"] == {"1": 0, "2": 0, "3": 0, "4": 1, "5": 0, "6": 0}
    assert found["expected"]["4"] == 0.17
    assert found["luckier_than_percent"] == 42
    text = str(export_document(create_view(journal), "dice", "csv"))
    assert text.splitlines()[0].endswith(
        "side,rolls,average,expected,luckier_than_percent,seat,seed"
    )
    assert text.splitlines()[1].endswith(",marine,1,4.00,3.50,42,,")


def test_an_undone_roll_does_not_count_as_luck() -> None:
    journal = play(begun(WOUNDED), through="15.6112", m_ldr_1=4)
    journal.undo()
    assert as_data("dice", journal)["luck"] == []
    assert (
        str(export_document(create_view(journal), "dice", "csv"))
        .splitlines()[1]
        .endswith("true,marine,,,,,,")
    )


def test_a_sides_luck_counts_no_secret_enemy_roll() -> None:
    def rolls(side: Side | None) -> int:
        found = as_data("dice", demo(), side)
        return sum(table["rolls"] for table in found["luck"])

    told = as_data("dice", demo(), MARINE)
    assert rolls(MARINE) == sum(not roll["undone"] for roll in told["rolls"]) < rolls(None)


def test_luck_on_a_table_is_listed_by_rule_number() -> None:
    told = str(export_document(create_view(demo()), "dice", "md"))
    assert "15.6043 Shock recovery" in told
    assert "15.6043.shock" not in told
