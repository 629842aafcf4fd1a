"""Single lines of a difference refused: what they are about stays as the campaign has it."""

from typing import Any

import pytest

from brt_cg.commands.difference import DifferenceKind, DifferenceLine, import_difference
from brt_cg.commands.state_document import build_state_document
from brt_cg.imports.scenario_end import REFUSABLE, without_refused_lines
from brt_cg.journal.journal import Journal
from tests.exports.journals import begun, play, squad


@pytest.fixture
def journal() -> Journal:
    units = (squad("m-sq-1", "N19"), squad("m-sq-2", "N20"), squad("j-sq-1", "M40"))
    return play(begun(*units, squad("j-sq-2", "M41"), squad("m-ldr-1", "N19")))


@pytest.fixture
def asked(journal: Journal) -> dict[str, Any]:
    """The end of the 20 PM scenario: two stand on map, one is broken, one missing, one new."""
    state = build_state_document(journal.campaign)
    rows = {row["id"]: row for row in state["units"]}
    rows["m-sq-1"] |= {"location": "N21"}
    rows["m-ldr-1"] |= {"location": "N21", "status": ["broken"]}
    del rows["j-sq-1"]
    state["units"] = [*rows.values(), squad("m-sq-9", "N18")]
    state["scenario"] |= {"winner": "japanese", "moved_first": "marine"}
    state["sides"]["marine"] |= {"san": 6}
    state["perimeters"] = [["N18", "N19"]]
    pieces = {"101": "m-sq-1", "102": "m-sq-9", "103": "m-sq-2"}
    return {"state": state, "source": "x", "missing": None, "side": None, "pieces": pieces}


def lines(journal: Journal, asked: dict[str, Any]) -> list[DifferenceLine]:
    return import_difference(journal.campaign, asked, journal.card)


def told(found: list[DifferenceLine]) -> set[tuple[DifferenceKind, str]]:
    return {(line.what, line.about) for line in found if line.what is not DifferenceKind.WARNING}


def test_refusing_nothing_imports_everything(journal: Journal, asked: dict[str, Any]) -> None:
    assert without_refused_lines(journal.campaign, asked, []) == asked


def test_each_line_can_be_refused_by_itself(journal: Journal, asked: dict[str, Any]) -> None:
    found = lines(journal, asked)
    whats = {line.what for line in found}
    assert whats >= {
        DifferenceKind.ADDED,
        DifferenceKind.MISSING,
        DifferenceKind.MOVED,
        DifferenceKind.CHANGED,
    }
    for line in found:
        if line.what in REFUSABLE:
            left = lines(journal, without_refused_lines(journal.campaign, asked, [line]))
            assert told(found) - told(left) == {(line.what, line.about)}


def test_the_difference_warns_only_of_totals_and_odd_counters(
    journal: Journal, asked: dict[str, Any]
) -> None:
    journal.run_command("ruling", {"id": "R-VP", "value": "campaign"}, "Ann")
    journal.campaign.situation.pillbox_vp = 3
    asked["state"]["facts"] = {"pillbox_vp": 1}
    asked["state"]["vehicles"] = [
        {"id": "m-tk-1", "side": "marine", "type": "M4A2", "location": "N19", "cvp": 0}
    ]
    totals, odd = (
        line.head for line in lines(journal, asked) if line.what is DifferenceKind.WARNING
    )
    assert totals.startswith("warning: VP for pillboxes are now less than 3")
    assert odd.endswith("its CVP is 0, but M4A2 is worth 6")


def test_refusing_all_lines_and_keeping_missing_counters_changes_nothing(
    journal: Journal, asked: dict[str, Any]
) -> None:
    found = lines(journal, asked)
    refused = [line for line in found if line.what in REFUSABLE]
    left = lines(
        journal, without_refused_lines(journal.campaign, asked, refused, {"j-sq-1": "keep"})
    )
    assert told(left) == set()


def test_missing_counters_are_answered_one_by_one(journal: Journal, asked: dict[str, Any]) -> None:
    asked["state"]["units"] = [row for row in asked["state"]["units"] if row["id"] != "j-sq-2"]
    fates = {"j-sq-1": "eliminated", "j-sq-2": "keep"}
    journal.begin_invocation()
    journal.run_command(
        "import", without_refused_lines(journal.campaign, asked, [], fates), "players"
    )
    units = journal.campaign.units
    assert [units[id].fate for id in fates] == ["eliminated", "in_play"]


def test_the_piece_of_a_refused_line_is_matched_again_next_time(
    journal: Journal, asked: dict[str, Any]
) -> None:
    refused = [line for line in lines(journal, asked) if line.about in ("m-sq-1", "m-sq-9")]
    assert without_refused_lines(journal.campaign, asked, refused)["pieces"] == {"103": "m-sq-2"}


def test_an_import_does_not_change_its_document(journal: Journal, asked: dict[str, Any]) -> None:
    before = str(asked)
    without_refused_lines(journal.campaign, asked, lines(journal, asked), {"j-sq-1": "keep"})
    assert str(asked) == before
