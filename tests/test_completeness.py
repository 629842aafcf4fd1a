"""Nothing of the rules is forgotten: every paragraph, table, row, ruling and option, price and
command stands in the program and in a test. What there is comes from the data, not from here."""

import re
from functools import cache
from pathlib import Path

import pytest

from brt_cg.card import load_card
from brt_cg.card.rulings import RulingKind
from brt_cg.cli import command_function
from brt_cg.cli.completion import subcommands_of
from brt_cg.cli.parser import command_line_parser
from brt_cg.model.records import Phase
from brt_cg.refit import sequence

CHECKOUT = Path(__file__).parents[1]
CARDS = [load_card(cg) for cg in ("I", "II", "III")]
CARD = CARDS[-1]
RULINGS = CARD.shared.rulings.by_id
# The numbered paragraphs of 15.601 to 15.6205, in the order in which they are played.
NUMBERS = (
    *("15.601", "15.602", "15.6031", "15.6032", "15.6041", "15.6042", "15.6043", "15.605"),
    *("15.606", "15.607", "15.6071", "15.6072", "15.6081", "15.6082", "15.609", "15.6101"),
    *("15.6102", "15.6103", "15.6104", "15.6105", "15.6111", "15.6112", "15.6113", "15.6114"),
    *("15.6121", "15.6122", "15.6131", "15.6132", "15.6133", "15.6134", "15.6135", "15.6136"),
    *("15.6137", "15.6138", "15.6139", "15.6141", "15.6142", "15.6143", "15.616", "15.6201"),
    *("15.6202", "15.6203", "15.6204", "15.6205"),
)
PARAGRAPHS = {name: sequence.paragraph_of(one) for one, (_, _, name) in sequence.STEPS.items()}


@cache
def texts(top: str, pattern: str = "*.py") -> dict[Path, str]:
    """The files of a folder of the checkout, but this one."""
    here = Path(__file__)
    paths = (path for path in sorted((CHECKOUT / top).rglob(pattern)) if path != here)
    return {path: path.read_text("utf-8") for path in paths}


def stands_in(top: str, pattern: str) -> bool:
    """Whether a regular expression is found in a Python file of that folder."""
    return any(re.search(pattern, text) for text in texts(top).values())


def is_named_in(top: str, word: str, after: str = "") -> bool:
    """Whether a word stands in a Python file of that folder, after a regular expression. Most files
    do not hold it at all, which is quick to see."""
    pattern = re.compile(rf"{after}\b{re.escape(word)}\b")
    return any(word in text and pattern.search(text) for text in texts(top).values())


# --- paragraphs -----------------------------------------------------------------------------------


def test_the_sequence_is_the_rules_table_of_contents() -> None:
    assert tuple(sequence.paragraph_of(number).number for number in NUMBERS) == NUMBERS
    assert sequence.NUMBERS == NUMBERS
    phases = [sequence.phase_of(number) for number in NUMBERS]
    assert NUMBERS[phases.index(Phase.SETUP)] == "15.6201"


@pytest.mark.parametrize("name", list(PARAGRAPHS))
def test_every_paragraph_is_played_by_a_test_and_has_a_summary(name: str) -> None:
    assert is_named_in("tests/refit", name, after="import [^#]*?"), f"{name} is played by no test"
    assert len(PARAGRAPHS[name].summary) > 20
    assert PARAGRAPHS[name].nothing


def test_victory_points_are_counted_where_the_scenario_is_decided() -> None:
    assert "15.615" in PARAGRAPHS["settle_control_cvp_and_winner"].summary


# --- tables ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("key", list(CARD.tables))
def test_every_table_is_rolled_on_and_tested(key: str) -> None:
    assert stands_in("brt_cg", rf'"{re.escape(key)}"'), f"no step rolls on {key}"
    assert is_named_in("tests", re.sub("[a-z]$", "", CARD.tables[key].rule))


@pytest.mark.parametrize("key", list(CARD.tables))
def test_every_row_and_fact_of_a_table_is_distinguished_by_the_program(key: str) -> None:
    table = CARD.tables[key]
    for fact in table.facts:
        assert stands_in("brt_cg/refit", rf'"{fact.name}"'), f"{key}: no step hands {fact.name}"
    decided = {row.result for row in table.rows if stands_in("brt_cg", rf'"{row.result}"')}
    # One row may be what is left when no other is hit.
    assert len(table.rows) - len(decided) <= 1, f"{key}: {decided}"
    assert table.rows[0].low is None
    assert table.rows[-1].high is None


# --- rulings --------------------------------------------------------------------------------------


@pytest.mark.parametrize("key", list(RULINGS))
def test_every_ruling_is_in_the_program_or_its_data_and_in_a_test(key: str) -> None:
    data = any(f'"{key}"' in text for text in texts("campaigns", "*.toml").values())
    only_one = len(RULINGS[key].options) == 1
    assert data or only_one or is_named_in("brt_cg", key), f"nothing rests on {key}"
    assert is_named_in("tests", key), f"{key} is in no test"


@cache
def naming_rulings() -> list[str]:
    """Each test, with its decorators, and each helper that names a ruling."""
    blocks = (block for text in texts("tests").values() for block in text.split("\n\n\n"))
    return [block for block in blocks if re.search(r"\bR[-_][A-Z]", block)]


def choices() -> list[tuple[str, str]]:
    """Every option of every ruling that has several."""
    return [
        (key, option)
        for key, one in RULINGS.items()
        if one.kind is RulingKind.CHOICE and len(one.options) > 1
        for option in one.options
    ]


@pytest.mark.parametrize(("key", "option"), choices(), ids="=".join)
def test_every_option_of_a_ruling_is_named_by_a_test(key: str, option: str) -> None:
    default = RULINGS[key].default == option
    word = re.compile(rf"(?<![\w-]){re.escape(option)}(?![\w-])")
    named = any(key in test.replace("_", "-") and word.search(test) for test in naming_rulings())
    assert named or (default and stands_in("tests/refit", key)), f"{key}: {option} has no test"


def test_every_entered_ruling_says_which_value_auto_uses() -> None:
    entered = {key for key, one in RULINGS.items() if one.default == "enter"}
    assert entered <= {key for key, one in RULINGS.items() if one.auto}


# --- cards ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("key", list(CARD.prices))
def test_every_price_is_tested(key: str) -> None:
    assert is_named_in("tests", key), f"{key} is in no test"


def test_every_date_has_its_order_of_play() -> None:
    for card in CARDS:
        for order in ("table", "prose"):
            assert all(card.order_of_play_on(date, {"R-ORDER": order}) for date in card.dates)


# --- commands -------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", subcommands_of(command_line_parser()))
def test_every_command_runs_and_is_typed_by_a_test(name: str) -> None:
    assert callable(command_function(name))
    assert stands_in("tests/cli", rf'"{name}"'), f"no test types {name}"


def test_every_option_of_a_command_is_typed_by_a_test() -> None:
    flags = {
        flag
        for _, parser in subcommands_of(command_line_parser()).values()
        for action in parser._actions
        for flag in action.option_strings
        if flag.startswith("--") and flag != "--help"
    }
    untyped = sorted(flag for flag in flags if not stands_in("tests", rf'"{flag}"'))
    # On a terminal `import` asks, and `--out` is the long form of `-o`.
    assert set(untyped) <= {"--out"}
