"""`drop`: counters are taken out of the order of battle, as if they had never been in it."""

from pathlib import Path
from typing import Any

import pytest

from brt_cg.audit import audit
from brt_cg.imports.order_lines import asked_of, read_lines
from brt_cg.model.counters import Side
from brt_cg.model.seat import Seat
from brt_cg.questions.answers import Refused
from brt_cg.service.desk import Desk
from brt_cg.service.whole import whole

LINES = """
Marine:
3 x 6-6-8
2 x 7-6-8 engineers: DC, FT
2 x 6-6-8 in LVT2
20 NT, wave 2: 4 x 6-6-8
Japanese:
3 x 4-4-7
"""


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    made = Desk.create(tmp_path / "new.brt", {"cg": "III"})
    enter(made, LINES)
    return made


def enter(desk: Desk, text: str, side: Side | None = None) -> None:
    of = whole(desk).campaign, whole(desk).card, desk.figures.catalogue
    desk.commands("reinforce", asked_of(read_lines(text, side, *of)))


def drop(desk: Desk, *ids: str) -> None:
    desk.command("drop", {"ids": list(ids)})


def test_they_are_gone_and_what_they_had_is_free(desk: Desk) -> None:
    engineer = next(unit.id for unit in whole(desk).campaign.units.values() if unit.traits)
    held = [one.id for one in whole(desk).campaign.weapons.values() if one.possessor == engineer]
    drop(desk, engineer)
    assert whole(desk).campaign.find(engineer) is None
    assert [whole(desk).campaign.weapons[id].possessor for id in held] == [None] * len(held)
    desk.undo()
    assert whole(desk).campaign.weapons[held[0]].possessor == engineer


def test_a_vehicle_takes_nobody_with_it_but_its_armament(desk: Desk) -> None:
    tank = next(iter(whole(desk).campaign.vehicles))
    aboard = [unit.id for unit in whole(desk).campaign.units.values() if unit.aboard == tank]
    drop(desk, tank)
    assert {whole(desk).campaign.units[id].aboard for id in aboard} == {None}


def test_an_arrival_is_dropped_as_a_whole(desk: Desk) -> None:
    (arrival,) = whole(desk).campaign.arrivals
    drop(desk, arrival)
    assert not whole(desk).campaign.arrivals


def test_it_reads_back_and_audits_clean(desk: Desk) -> None:
    drop(desk, "m-sq-1", "m-sq-2")
    desk.close()
    again = Desk.open(desk.path)
    assert whole(again).campaign.find("m-sq-1") is None
    enter(again, "6-6-8", Side.MARINE)
    assert whole(again).campaign.find("m-sq-1") is not None
    again.close()
    assert audit(desk.path).ok


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"ids": ["m-sq-1", "j-sq-1"]}, "they are of both sides"),
        ({"ids": ["m-sq-99"]}, "m-sq-99 is not in the order of battle"),
        ({"ids": []}, "a list of ids"),
        ({"ids": "m-sq-1"}, "a list of ids"),
        ({"ids": ["m-sq-1"], "why": 1}, "why"),
    ],
)
def test_what_is_wrong_is_said_and_nothing_is_dropped(
    desk: Desk, asked: dict[str, Any], words: str
) -> None:
    before = len(whole(desk).entries)
    with pytest.raises(Refused, match=words):
        desk.command("drop", asked)
    assert len(whole(desk).entries) == before


def test_what_was_bought_is_voided_and_not_dropped(desk: Desk) -> None:
    desk.command("allot", {"side": "japanese", "beach": "red_one", "gpp": 30})
    desk.command("buy", {"side": "japanese", "item": "hmg", "beach": "red_one"})
    bought = next(one.id for one in whole(desk).campaign.weapons.values() if one.purchase)
    with pytest.raises(Refused, match="was bought: void the purchase"):
        drop(desk, bought)


def test_whoever_has_been_in_a_scenario_is_corrected_instead(desk: Desk) -> None:
    whole(desk).campaign.situation.initial = False
    with pytest.raises(Refused, match="has been in a scenario: correct it with edit"):
        drop(desk, "m-sq-1")


def test_a_side_drops_its_own_alone(desk: Desk) -> None:
    desk.sit(Seat.MARINE)
    with pytest.raises(Refused, match="that is the other side's to enter"):
        drop(desk, "j-sq-1")
    drop(desk, "m-sq-1")
    assert whole(desk).campaign.find("m-sq-1") is None
