"""Counters are named as players call them: by id, name, or what is printed with the name."""

from pathlib import Path

import pytest

from brt_cg.commands.by_ids import bearers, by_ids
from brt_cg.imports.order_lines import asked_of, read_lines
from brt_cg.model.counters import Side
from brt_cg.model.seat import Seat
from brt_cg.questions.answers import Called, Form, Refused, id_called
from brt_cg.service.desk import Desk
from brt_cg.service.whole import whole

LINES = """
Marine:
3 x 6-6-8 A-C
7-6-8 A
9-1 Crowe
Japanese:
4-4-7 Nishi
"""


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    made = Desk.create(tmp_path / "new.brt", {"cg": "III"})
    of = whole(made).campaign, whole(made).card, made.figures.catalogue
    made.commands("reinforce", asked_of(read_lines(LINES, None, *of)))
    return made


@pytest.mark.parametrize(
    ("called", "id"),
    [
        ("6-6-8 B", "m-sq-2"),
        ("6-6-8 squad b", "m-sq-2"),
        ("b", "m-sq-2"),
        ("m-sq-2", "m-sq-2"),
        ("crowe", "m-ldr-1"),
        ("9-1  Crowe", "m-ldr-1"),
        ("7-6-8 A", "m-sq-4"),
    ],
)
def test_a_correction_a_note_and_a_drop_take_any_of_them(desk: Desk, called: str, id: str) -> None:
    desk.command("note", {"words": "seen", "about": called})
    assert whole(desk).entries[-1].asked["about"] == id, "the journal has ids"
    desk.command("edit", {"id": called, "set": {"name": "X"}, "reason": "new"})
    assert whole(desk).campaign.units[id].name == "X"
    desk.undo()
    desk.command("drop", {"ids": [called]})
    assert whole(desk).campaign.find(id) is None


def test_several_are_asked_back(desk: Desk) -> None:
    with pytest.raises(Refused, match=r"A: several have that name: .*m-sq-1.*m-sq-4"):
        desk.command("note", {"words": "seen", "about": "A"})


def test_what_nobody_is_called_is_refused_as_before(desk: Desk) -> None:
    with pytest.raises(Refused, match="the id of a counter"):
        desk.command("note", {"words": "seen", "about": "Patton"})


def test_a_purchase_goes_inside_a_pillbox_by_its_name(desk: Desk) -> None:
    box = {"id": "j-pb-1", "side": "japanese", "type": "pillbox", "location": "L22"}
    document = {"format": "brt-cg/state", "version": 1}
    desk.command("reinforce", {"state": document | {"fortifications": [box | {"name": "Alamo"}]}})
    order = {"side": "japanese", "item": "hmg", "location": "L22:alamo"}
    asked = by_ids("buy", order, whole(desk).campaign, Side.JAPANESE)
    assert asked["location"] == "L22:j-pb-1"
    for other in ("L22", "L22:1", "L22:pier", "off_map"):
        assert (
            by_ids("buy", order | {"location": other}, whole(desk).campaign, None)["location"]
            == other
        )


def test_a_side_names_nothing_that_its_enemy_hides(desk: Desk) -> None:
    desk.command("edit", {"id": "Nishi", "set": {"status": ["hidden"]}, "reason": "HIP"})
    assert bearers(whole(desk).campaign, "Nishi", Side.MARINE) == []
    assert [one.id for one in bearers(whole(desk).campaign, "4-4-7 Nishi", Side.JAPANESE)] == [
        "j-sq-1"
    ]
    desk.sit(Seat.MARINE)
    with pytest.raises(Refused, match="the id of a counter"):
        desk.command("note", {"words": "seen", "about": "Nishi", "side": "marine"})


def test_a_side_corrects_its_own_secret_by_name_without_asking_the_enemy(desk: Desk) -> None:
    desk.command("edit", {"id": "Nishi", "set": {"status": ["hidden"]}, "reason": "HIP"})
    desk.sit(Seat.JAPANESE)
    desk.command("edit", {"id": "nishi", "set": {"status": ["hidden", "cx"]}, "reason": "ran"})
    assert whole(desk).entries[-1].kind == "edit"
    assert whole(desk).campaign.units["j-sq-1"].has("cx")


def test_an_answer_takes_what_is_printed_with_the_name() -> None:
    known = [Called("m-sq-2", "B", None, "6-6-8"), Called("m-sq-3", None, None, "6-6-8")]
    assert id_called("6-6-8 B", known) == "m-sq-2"
    assert Form(counters=lambda: known).parse("6-6-8 b") == "m-sq-2"
    assert id_called("6-6-8", known) == "6-6-8"
