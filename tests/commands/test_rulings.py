"""`rulings`: the players agree on what the source leaves open."""

from typing import Any

import pytest

from brt_cg.commands.registry import COMMANDS
from brt_cg.model.records import Phase
from brt_cg.questions.answers import RefusedError
from tests.commands.campaigns import carry, new, problems, texts


def test_a_changed_ruling_is_described_in_words() -> None:
    campaign = new()
    command = carry(campaign, "ruling", id="R-UNLOAD", value="unload")
    assert campaign.ruling_value("R-UNLOAD") == "unload"
    assert texts(command) == [
        "R-UNLOAD (15.6031): Do Passengers unload in an Ocean Location? they unload; until now: "
        "they stay aboard"
    ]


def test_a_ruling_can_be_agreed_on_unchanged() -> None:
    campaign = new()
    assert not campaign.is_ruling_agreed("R-UNLOAD")
    command = carry(campaign, "ruling", id="R-UNLOAD", value="stay")
    assert campaign.is_ruling_agreed("R-UNLOAD")
    assert texts(command) == [
        "R-UNLOAD (15.6031): Do Passengers unload in an Ocean Location? they stay aboard; as before"
    ]


@pytest.mark.parametrize("typed", ["subtract_below", "subtract below"])
def test_a_ruling_value_is_typed_as_stored_or_as_shown(typed: str) -> None:
    campaign = new()
    command = carry(campaign, "ruling", id="R-PRISONER-CVP", value=typed)
    assert campaign.ruling_value("R-PRISONER-CVP") == "subtract_below"
    assert texts(command)[0].startswith("R-PRISONER-CVP (15.609): How do Japanese")


def test_a_ruling_with_a_number_is_agreed_on() -> None:
    campaign = new("II")
    carry(campaign, "ruling", id="R-CG2-AREA", value=" 40 ")
    assert campaign.ruling_value("R-CG2-AREA") == "40"


@pytest.mark.parametrize(
    ("asked", "line"),
    [
        (
            {"id": "R-NONE", "value": "x"},
            '"R-NONE" is not a ruling of CG II; enter R-MARKERS, R-',
        ),
        (
            {"id": "R-CG1-WHEN", "value": "always"},
            '"R-CG1-WHEN" is not a ruling of CG II; did you mean R-CG-END?',
        ),
        (
            {"id": "R-UNLOAD", "value": "swim"},
            "R-UNLOAD (15.6031): 'swim' is not accepted; enter stay,",
        ),
        (
            {"id": "R-CG2-AREA", "value": "99"},
            "R-CG2-AREA (CG II): '99' is not accepted; enter a whole",
        ),
        ({"id": "R-UNLOAD", "value": 3}, "R-UNLOAD: 3 is not accepted; enter stay, unload"),
        ({"value": "stay"}, "null is not a ruling of CG II; enter R-MARKERS"),
    ],
)
def test_a_value_the_ruling_does_not_allow_is_refused(asked: dict[str, Any], line: str) -> None:
    assert problems(lambda: carry(new("II"), "ruling", **asked))[0].startswith(line)


def test_no_ruling_is_agreed_on_after_the_campaign() -> None:
    campaign = new()
    campaign.situation.phase = Phase.OVER
    with pytest.raises(RefusedError, match="ruling is not possible after the end"):
        carry(campaign, "ruling", id="R-UNLOAD", value="unload")


def test_every_command_has_its_kind() -> None:
    assert {"new", "import", "reinforce", "edit", "ruling"} <= COMMANDS.keys()
