"""Counters are named as players call them: by id, name, or what is printed with the name."""

from pathlib import Path

import pytest

from brt_cg.commands.name_resolution import counters_side_may_mean, replace_names_with_ids
from brt_cg.imports.order_line import reinforce_inputs
from brt_cg.imports.order_lines import parse_order_lines
from brt_cg.model.counters import Side
from brt_cg.model.seat import Seat
from brt_cg.questions.answers import AnswerForm, NamedCounter, RefusedError, id_by_name
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.service.unrestricted import unrestricted_campaign

LINES = """
Marine:
3 x 6-6-8 A-C
7-6-8 A
9-1 Crowe
Japanese:
4-4-7 Nishi
"""


@pytest.fixture
def desk(tmp_path: Path) -> OpenCampaign:
    made = OpenCampaign.create(tmp_path / "new.brt", {"cg": "III"})
    of = (
        unrestricted_campaign(made).campaign,
        unrestricted_campaign(made).card,
        made.figures.catalogue,
    )
    made.run_commands("reinforce", reinforce_inputs(parse_order_lines(LINES, None, *of)))
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
def test_corrections_notes_and_drops_accept_any_name_of_a_counter(
    desk: OpenCampaign, called: str, id: str
) -> None:
    desk.run_command("note", {"words": "seen", "about": called})
    assert unrestricted_campaign(desk).entries[-1].asked["about"] == id, "the journal has ids"
    desk.run_command("edit", {"id": called, "set": {"name": "X"}, "reason": "new"})
    assert unrestricted_campaign(desk).campaign.units[id].name == "X"
    desk.undo_or_request()
    desk.run_command("drop", {"ids": [called]})
    assert unrestricted_campaign(desk).campaign.find(id) is None


def test_an_ambiguous_name_lists_the_candidates(desk: OpenCampaign) -> None:
    with pytest.raises(
        RefusedError, match=r"several counters are called A; enter one of .*m-sq-1.*m-sq-4"
    ):
        desk.run_command("note", {"words": "seen", "about": "A"})


def test_an_unknown_name_is_refused(desk: OpenCampaign) -> None:
    with pytest.raises(RefusedError, match="the name of a counter"):
        desk.run_command("note", {"words": "seen", "about": "Patton"})


def test_a_purchase_can_name_the_pillbox_it_goes_into(desk: OpenCampaign) -> None:
    box = {"id": "j-pb-1", "side": "japanese", "type": "pillbox", "location": "L22"}
    document = {"format": "brt-cg/state", "version": 1}
    desk.run_command(
        "reinforce", {"state": document | {"fortifications": [box | {"name": "Alamo"}]}}
    )
    order = {"side": "japanese", "item": "hmg", "location": "L22:alamo"}
    asked = replace_names_with_ids(
        "buy", order, unrestricted_campaign(desk).campaign, Side.JAPANESE
    )
    assert asked["location"] == "L22:j-pb-1"
    for other in ("L22", "L22:1", "L22:pier", "off_map"):
        assert (
            replace_names_with_ids(
                "buy", order | {"location": other}, unrestricted_campaign(desk).campaign, None
            )["location"]
            == other
        )


def test_a_side_cannot_name_hidden_enemy_counters(desk: OpenCampaign) -> None:
    desk.run_command("edit", {"id": "Nishi", "set": {"status": ["hidden"]}, "reason": "HIP"})
    assert counters_side_may_mean(unrestricted_campaign(desk).campaign, "Nishi", Side.MARINE) == []
    assert [
        one.id
        for one in counters_side_may_mean(
            unrestricted_campaign(desk).campaign, "4-4-7 Nishi", Side.JAPANESE
        )
    ] == ["j-sq-1"]
    desk.set_seat(Seat.MARINE)
    with pytest.raises(RefusedError, match="the name of a counter"):
        desk.run_command("note", {"words": "seen", "about": "Nishi", "side": "marine"})


def test_a_side_corrects_its_own_secret_by_name_without_asking_the_enemy(
    desk: OpenCampaign,
) -> None:
    desk.run_command("edit", {"id": "Nishi", "set": {"status": ["hidden"]}, "reason": "HIP"})
    desk.set_seat(Seat.JAPANESE)
    desk.run_command("edit", {"id": "nishi", "set": {"status": ["hidden", "cx"]}, "reason": "ran"})
    assert unrestricted_campaign(desk).entries[-1].kind == "edit"
    assert unrestricted_campaign(desk).campaign.units["j-sq-1"].has_status("cx")


def test_an_answer_accepts_the_printed_strength_with_the_name() -> None:
    known = [
        NamedCounter("m-sq-2", "B", None, "6-6-8"),
        NamedCounter("m-sq-3", None, None, "6-6-8"),
    ]
    assert id_by_name("6-6-8 B", known) == "m-sq-2"
    assert AnswerForm(counters=lambda: known).parse("6-6-8 b") == "m-sq-2"
    assert id_by_name("6-6-8", known) == "6-6-8"
