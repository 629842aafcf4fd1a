"""What is asked of a vehicle that both sides see is shown to both; of a hidden one to neither."""

import pytest

from brt_cg.model.counters import Side
from brt_cg.views.public_point import known_question
from tests.exports.journals import begun, play, squad

TANK = {"side": "marine", "type": "M4A2", "location": "N19"}
SEEN = (squad("m-sq-1", "N19"), squad("j-sq-9", "P21"))


@pytest.mark.parametrize(
    ("status", "rule"), [(["bogged"], "15.6042 m-tk-1"), (["shocked"], "15.6043 m-tk-1")]
)
def test_the_fate_of_a_visible_vehicle_is_shown_to_both(status: list[str], rule: str) -> None:
    journal = play(begun(*SEEN, vehicles=[{"id": "m-tk-1", **TANK, "status": status}]), to=rule)
    for side in Side:
        assert known_question(journal, side) is journal.open_question()


def test_nothing_is_shown_of_a_hidden_vehicle() -> None:
    hidden = {"id": "j-tk-1", "side": "japanese", "type": "Type 95 HA-GO", "location": "P21"}
    vehicles = [{**hidden, "status": ["hidden", "bogged"]}]
    journal = play(begun(*SEEN, vehicles=vehicles), to="15.6042 j-tk-1")
    assert known_question(journal, Side.JAPANESE) is not None
    assert known_question(journal, Side.MARINE) is None
