"""The events of a scenario, by letter on the screen and by column on paper."""

from brt_cg.exports.scenario_sheet import COLUMNS
from brt_cg.model.events import BY_LETTER, EVENTS
from brt_cg.tui.keys.actions import BY_ID, SCENARIO_END
from brt_cg.tui.rooms.scenario_end.tick_list import TickList


def test_the_letter_of_an_event_is_its_key_on_the_screen() -> None:
    assert {event.letter for event in EVENTS} == {*BY_LETTER}
    keys = {event.name: BY_ID[f"{SCENARIO_END}.{event.name}"].keys for event in EVENTS}
    assert keys == {event.name: event.letter for event in EVENTS}


def test_the_printed_sheet_has_the_columns_of_the_screen() -> None:
    assert COLUMNS == ("was", "x", "b", "d", "w", "c", "now")
    drawn = [column.heading for column in TickList()._columns(120).columns]
    assert " ".join(drawn).split()[-len(COLUMNS) :] == [*COLUMNS]
