"""15.6133 and 15.6135: FT/DC, and what is abandoned, scrounged or removed, as entered."""

from typing import Any

import pytest

from brt_cg.asks import Raw, Refused
from brt_cg.counters import Fate
from brt_cg.refit.play import Paragraph
from brt_cg.refit.s613_equipment import abandon_and_scrounge, flamethrowers_and_demolition_charges
from tests.refit.table import (
    JAPANESE,
    MARINE,
    Result,
    campaign,
    japanese_squad,
    marine_squad,
    play,
    sw,
    terrain,
    vehicle,
)

AREAS = {"M1": "N20-N24 M20-M24", "J1": "N25-N45"}
BOTH = [flamethrowers_and_demolition_charges, abandon_and_scrounge]


def table() -> tuple[Any, ...]:
    return (
        marine_squad("m1", None, setup_area="M1", traits="engineer"),
        sw("ft", None, "FT", setup_area="M1", status="malfunctioned"),
        sw("dc", None, "DC", fate=Fate.ELIMINATED),
        vehicle("t1", None, setup_area="M1"),
        japanese_squad("j1", None, setup_area="J1"),
        terrain("r1", "N22", "stone_rubble"),
    )


def enter(
    paragraph: Paragraph = flamethrowers_and_demolition_charges, *more: Any, **entries: Raw
) -> Result:
    return play(paragraph, campaign(*table(), *more, areas=AREAS), choices=entries)


def refusal(*entry: Raw) -> str:
    with pytest.raises(Refused) as caught:
        enter(marine=list(entry))
    return str(caught.value)


def doing(counter: Any = "ft", do: Any = "FT replenished", **values: Any) -> dict[str, Any]:
    return {"do": do, "counter": counter, "set": values}


@pytest.mark.parametrize("paragraph", BOTH)
def test_each_side_is_asked_and_nothing_is_done_unless_entered(paragraph: Paragraph) -> None:
    result = enter(paragraph)
    assert result.subjects == ["marine", "japanese"]
    assert [one.side for one in result.asks] == [MARINE, JAPANESE]
    assert result.said == []


@pytest.mark.parametrize("nothing", [None, []])
def test_nothing_is_null_or_an_empty_list(nothing: Raw) -> None:
    assert enter(marine=nothing).said == []


@pytest.mark.parametrize(("paragraph", "ruling"), [(BOTH[0], "R-FT-DC"), (BOTH[1], "R-SCROUNGE")])
def test_what_is_entered_is_done_and_told_with_its_ruling(
    paragraph: Paragraph, ruling: str
) -> None:
    result = enter(paragraph, marine=[doing(status=[], possessor="m1")])
    assert result.weapon("ft").status == ()
    assert result.weapon("ft").possessor == "m1"
    assert f"FT ft (M1): FT replenished ({ruling}: enter)" in result.said
    assert "FT ft (M1): possessor now m1" in result.said


def test_several_things_are_done_in_the_order_entered() -> None:
    entry = [doing(status=[]), doing("ft", "thrown away", fate="eliminated")]
    assert enter(marine=entry).weapon("ft").fate is Fate.ELIMINATED


def test_an_expended_dc_comes_back_where_its_possessor_is() -> None:
    found = enter(marine=[doing("dc", "DC", fate="in_play", possessor="m1")]).weapon("dc")
    assert (found.in_play, found.setup_area, found.location) == (True, "M1", None)


def test_back_in_play_it_must_be_somewhere() -> None:
    assert "dc: back in play where?" in refusal(doing("dc", "DC", fate="in_play"))


def test_a_tank_may_be_abandoned() -> None:
    entry = [doing("t1", "abandoned", status=["abandoned"], inherent_crew=False, location="N22")]
    result = enter(abandon_and_scrounge, marine=entry)
    assert not result.vehicle("t1").manned
    assert result.vehicle("t1").location == "N22"


@pytest.mark.parametrize(
    ("entry", "words"),
    [
        (["FT"], "[0]: found 'FT'; allowed: an object of do, counter and set"),
        ([{"do": "x", "counter": "ft"}], "allowed: an object of do, counter and set"),
        ([doing() | {"why": "so"}], "allowed: an object of do, counter and set"),
        ([doing(do="  ")], "do: found '  '"),
        ([doing(do=3)], "do: found 3"),
        ([doing("nobody")], "counter: found 'nobody'; allowed: the id of a Marine counter"),
        ([doing(7)], "counter: found 7"),
        ([doing("j1")], "counter: found 'j1'"),
        ([doing("r1")], "counter: found 'r1'"),
        ([doing(colour="red")], "ft: no field 'colour' to set"),
        ([doing(id="ft2")], "ft: no field 'id' to set"),
        ([doing(status=["rusty"])], "found 'rusty'; allowed: disabled"),
        ([doing(repair_number="2")], "not of type int"),
    ],
)
def test_an_entry_is_checked(entry: list[Any], words: str) -> None:
    assert words in refusal(*entry)


@pytest.mark.parametrize("entry", ["ft", {"do": "x"}, 3])
def test_an_entry_is_a_list(entry: Raw) -> None:
    with pytest.raises(Refused, match="a list of"):
        enter(marine=entry)


def test_all_that_is_wrong_is_told_with_its_place_in_the_list() -> None:
    lines = refusal(doing("nobody"), doing(), doing(colour="red", status=["rusty"])).splitlines()
    assert [line[:3] for line in lines] == ["[0]", "[2]", "[2]"]


def test_a_side_that_hides_something_answers_in_secret() -> None:
    hidden = japanese_squad("j2", None, setup_area="J1", status="hidden")
    result = enter(flamethrowers_and_demolition_charges, hidden)
    assert [one.secret for one in result.asks] == [None, JAPANESE]


@pytest.mark.parametrize(
    ("values", "digits"),
    [
        ({"class": "elite"}, "4-4-8"),
        ({"strength": "reduced"}, "3-4-7"),
        ({"kind": "half_squad"}, "2-3-7"),
        ({"class": "conscript", "strength": "reduced"}, "2-2-6"),
        ({"class": "conscript", "traits": ["korean_laborer"]}, "3-3-6"),
    ],
)
def test_the_digits_of_a_japanese_follow_from_what_is_set(
    values: dict[str, Any], digits: str
) -> None:
    result = enter(japanese=[doing("j1", "as the players agree", **values)])
    assert result.unit("j1").type == digits
    assert f"type now {digits}" in result.log


def test_digits_that_contradict_what_is_set_are_refused() -> None:
    with pytest.raises(Refused):
        enter(japanese=[doing("j1", "hardened", **{"class": "elite", "type": "4-4-7"})])


def test_a_class_without_counters_is_refused_with_what_is_allowed() -> None:
    with pytest.raises(Refused, match="allowed: elite"):
        enter(japanese=[doing("j1", "hardened", **{"class": "green"})])
