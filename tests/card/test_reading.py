"""Card files are read strictly: whatever is wrong is named with its place, all of it at once."""

import shutil
from dataclasses import fields
from pathlib import Path

import pytest

from brt_cg.card import CardError, load_card
from brt_cg.resources import game_data_folder


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of the card files, to be broken."""
    for path in game_data_folder().glob("*.toml"):
        shutil.copy(path, tmp_path)
    return tmp_path


def read_whole(folder: Path) -> list[object]:
    """All that a card says: some of its files are read when they are first asked for."""
    card = load_card("I", folder)
    held = [getattr(card, field.name) for field in fields(card) if field.name != "shared"]
    return [
        *held,
        card.tables,
        card.prices,
        card.rulings,
        card.fixed_completions,
        card.ladders.figures,
    ]


def broken(folder: Path, file: str, *changes: tuple[str, str]) -> list[str]:
    """What is said of a file in which the first of each text was replaced by another."""
    text = (folder / file).read_text(encoding="utf-8")
    for old, new in changes:
        assert old in text
        text = text.replace(old, new, 1)
    (folder / file).write_text(text, encoding="utf-8")
    with pytest.raises(CardError) as refused:
        read_whole(folder)
    assert str(refused.value).splitlines() == [str(one) for one in refused.value.problems]
    return [str(one) for one in refused.value.problems]


def test_a_correct_card_is_read(folder: Path) -> None:
    assert read_whole(folder) == read_whole(game_data_folder())


def test_a_missing_file_is_refused(folder: Path) -> None:
    (folder / "prices.toml").unlink()
    with pytest.raises(CardError, match=r"prices\.toml: .*put a readable file there"):
        read_whole(folder)


def test_a_file_that_is_not_toml_is_refused(folder: Path) -> None:
    assert broken(folder, "prices.toml", ("cost = 4", "cost = "))[0].endswith("write it as TOML")


def test_an_unknown_key_is_refused(folder: Path) -> None:
    (problem,) = broken(folder, "prices.toml", ("cost = 4", 'cost = 4\ncolour = "red"'))
    assert problem.startswith(
        "prices.toml: prices.hmg.colour: an unknown key is not accepted; enter "
    )
    assert "max_per_beach" in problem


@pytest.mark.parametrize(
    ("file", "found", "written", "told"),
    [
        ("prices", "cost = 4\n", "", "prices.hmg.cost: nothing is not accepted; enter an integer"),
        (
            *("prices", "cost = 4\n", 'cost = "four"\n'),
            'prices.hmg.cost: "four" is not accepted; enter an integer',
        ),
        (
            *("prices", "cost = 4\n", "cost = true\n"),
            "prices.hmg.cost: true is not accepted; enter an integer",
        ),
        (
            *("prices", "initial_only = true", "initial_only = 1"),
            "initial_only: 1 is not accepted; enter true or false",
        ),
        ("prices", "cost = 4\n", "cost = 0\n", "0 is not accepted; enter an integer from 1 up"),
        (
            *("prices", "R-HMG-CG2", "R-NOPE"),
            'prices.hmg.campaign_rulings.II: "R-NOPE" is not accepted; enter the id of a ruling',
        ),
        (
            *("tables", "{ low = 2, high = 3, result", "{ low = 3, high = 3, result"),
            'tables."15.6112".rows[1].low: 3 is not accepted; enter 2, without a gap after …–1',
        ),
        (
            *("tables", "{ low = 2, high = 3, result", "{ low = 1, high = 3, result"),
            "rows[1].low: 1 is not accepted; enter 2, without an overlap after …–1",
        ),
        (
            *("tables", "{ low = 2, high = 3, result", "{ low = 2, result"),
            'rows[2]: "2–… and then 4–…" is not accepted; enter no end left open between rows',
        ),
        ("tables", 'dice = "DR"', 'dice = "d20"', 'dice: "d20" is not accepted; enter dr, DR'),
        (
            *("counters", 'rule = "G1.41"\n', ""),
            "leaders.japanese.rule: nothing is not accepted; enter a text",
        ),
    ],
)
def test_a_problem_is_reported_with_its_place_and_the_allowed_values(
    file: str, found: str, written: str, told: str, folder: Path
) -> None:
    (problem,) = broken(folder, f"{file}.toml", (found, written))
    assert problem.startswith(f"{file}.toml: ")
    assert problem.endswith(told)


def test_several_problems_are_reported_together(folder: Path) -> None:
    problems = broken(
        folder,
        "prices.toml",
        ('points = "gpp"', 'points = "gold"'),
        ("cost = 4\n", "cost = 4.5\n"),
        ("max_campaign = { I = 8, II = 12, III = 16 }", "max_campaign = { I = 8, III = 16 }"),
        ('not_beaches = ["green"]', 'not_beaches = ["omaha"]'),
        ('placement = ["ocean"]', 'placement = "ocean"'),
    )
    assert len(problems) == 5
    assert (
        "prices.toml: prices.hmg.max_campaign.II: nothing is not accepted; enter an integer"
        in problems
    )
    assert any('"gold" is not accepted; enter gpp, capp, fpp' in one for one in problems)
    assert any(
        'not_beaches[0]: "omaha" is not accepted; enter green, red_one' in one for one in problems
    )
    assert any('"ocean" is not accepted; enter a list of texts' in one for one in problems)


def test_a_table_whose_rows_leave_a_gap_or_overlap_is_refused(folder: Path) -> None:
    problems = broken(
        folder,
        "tables.toml",
        ('{ high = 0, result = "passes"', '{ low = -9, high = 0, result = "passes"'),
        ('{ low = 1, result = "fails"', '{ low = 1, high = 12, result = "fails"'),
    )
    assert [one.partition("; ")[2] for one in problems] == [
        "enter no low in the first row",
        "enter no high in the last row",
    ]


def test_a_row_with_reversed_bounds_is_refused(folder: Path) -> None:
    problems = broken(
        folder, "tables.toml", ("{ low = 2, high = 3, result", "{ low = 2, high = 1, result")
    )
    assert any(one.endswith("rows[1].high: 1 is not accepted; enter 2 or more") for one in problems)


def test_a_table_without_rows_is_refused(folder: Path) -> None:
    text = (folder / "tables.toml").read_text(encoding="utf-8")
    rows = text[text.index("rows = [") : text.index("facts = [")]
    assert broken(folder, "tables.toml", (rows, "rows = []\n"))[0].endswith(
        "rows: [] is not accepted; enter at least one row"
    )


def test_a_zero_or_repeated_modifier_is_refused(folder: Path) -> None:
    problems = broken(
        folder,
        "tables.toml",
        ('name = "land", drm = -1', 'name = "land", drm = 0'),
        ('name = "ocean_pathfinder"', 'name = "land"'),
        ('reason = "on land"', 'reason = "on {land}"'),
    )
    assert [one.partition("enter ")[2] for one in problems] == [
        "an integer other than 0",
        "no braces but {n} and {n squad}",
        "each fact once",
    ]


def test_a_repeated_or_invalid_date_is_refused(folder: Path) -> None:
    problems = broken(
        folder, "tables.toml", ('date = "20 NT"', 'date = "noon"'), ('"20 PM"', '"20 AM"')
    )
    assert any('"noon" is not accepted; enter a day and AM, PM or NT' in one for one in problems)
    assert any('dates: "20 AM" is not accepted; enter each date once' in one for one in problems)


def test_a_default_that_is_no_option_is_refused(folder: Path) -> None:
    problems = broken(
        folder,
        "rulings.toml",
        ('default = "stay"', 'default = "swim"'),
        ('default = "35"', 'default = "99"'),
    )
    assert problems == [
        'rulings.toml: R-UNLOAD.default: "swim" is not accepted; enter stay, unload',
        'rulings.toml: R-CG2-AREA.default: "99" is not accepted; enter a whole number from 1 to 63',
    ]


def test_a_ruling_without_options_or_with_a_wrong_name_is_refused(folder: Path) -> None:
    problems = broken(
        folder,
        "rulings.toml",
        ('yes = "yes"\nno = "no"\n', ""),
        ("[R-VP]", "[VP]"),
        ("[R-VP.options]", "[VP.options]"),
    )
    assert any(
        "R-ISOLATED-AREA.options: {} is not accepted; enter at least one" in one for one in problems
    )
    assert any(
        'VP: "VP" is not accepted; enter an id that begins with R-' in one for one in problems
    )


def test_malformed_strength_factors_and_leaders_are_refused(folder: Path) -> None:
    problems = broken(
        folder,
        "counters.toml",
        ('full = "4-4-8"', 'full = "448"'),
        ('"8+1" = "7+2"', '"8+1" = "7"'),
        ('3-4-8 = "6-6-8"', '3-4-8 = "5-5-8"'),
        ('ladder = ["6+1", "8-1"', 'ladder = ["61", "8-1"'),
        ('created = "7-0"', 'created = "7-1"'),
    )
    ends = [one.partition("enter ")[2] for one in problems]
    assert ends.count("digits like 7-6-8") == 1
    assert ends.count("a leader like 8-1 or 8+1") == 2
    assert "a squad whose HS is 3-4-8" in ends
    assert "6+1, 7-0, 8-0, 8-1, 9-1, 9-2, 10-2, 10-3" in ends


def test_a_card_with_unknown_dates_area_or_table_is_refused(folder: Path) -> None:
    problems = broken(
        folder,
        "cg1.toml",
        ('"22 PM"]', '"23 AM"]'),
        ('first_date = "21 AM"', 'first_date = "21 PM"'),
        ("max_hex = 32", 'max_hex = 32\nmax_hex_ruling = "R-SAN"'),
        ('first_move_table = "15.6205"', 'first_move_table = "15.9"'),
    )
    assert 'cg1.toml: dates[4]: "23 AM" is not accepted; enter 20 AM, 20 PM' in "\n".join(problems)
    assert any(
        'first_date: "21 PM" is not accepted; enter the first of its dates' in p for p in problems
    )
    assert any('"R-SAN" is not accepted; enter R-BANZAI-DRM, R-CG2-AREA' in one for one in problems)
    assert any(
        "max_hex: 32 is not accepted; enter no max_hex together with max_hex_ruling" in p
        for p in problems
    )
    assert any(
        'initial.first_move_table: "15.9" is not accepted; enter ' in one for one in problems
    )


def test_tables_and_values_in_each_others_place_are_refused(folder: Path) -> None:
    problems = broken(
        folder,
        "cg1.toml",
        ('title = "Campaign Game I"', 'title = ""'),
        ("dates = [", "dates = [21, "),
        ("[victory]", "[[victory]]"),
    )
    assert "cg1.toml: dates[0]: 21 is not accepted; enter a text" in problems
    assert 'cg1.toml: title: "" is not accepted; enter a text that is not empty' in problems
    assert any(one.startswith("cg1.toml: victory: [{") for one in problems)


def test_a_list_of_tables_holds_only_tables(folder: Path) -> None:
    text = (folder / "rulings.toml").read_text(encoding="utf-8")
    start = text.index("[[fixed]]")
    (folder / "rulings.toml").write_text('fixed = ["later"]\n' + text[:start], encoding="utf-8")
    with pytest.raises(CardError, match=r'fixed\[0\]: "later" is not accepted; enter a table'):
        read_whole(folder)
