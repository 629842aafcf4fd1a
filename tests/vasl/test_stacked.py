"""What a stack does not tell is asked once, with a default, and the players say otherwise."""

from pathlib import Path
from typing import Any

import pytest

from brt_cg.board.locations import ground_hex
from brt_cg.cli import main
from brt_cg.commands.difference import DifferenceKind, DifferenceLine
from brt_cg.imports.preview import CHANGES, TO_CHECK, group_difference_lines
from brt_cg.imports.scenario_end import ScenarioEnd, read_scenario_end
from brt_cg.questions.answers import RefusedError
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.service.unrestricted import unrestricted_campaign
from brt_cg.vasl.rows import Guess
from brt_cg.views.view import create_view
from tests.vasl.demo_save import save_of
from tests.vasl.test_losses import sent_from, squads
from tests.vasl.writer import Save, Wrote

LAND = "N21"


def told(desk: OpenCampaign, save: Save, tmp_path: Path, **lines: str) -> ScenarioEnd:
    path = tmp_path / "end.vsav"
    path.write_bytes(save.file().as_zip())
    return read_scenario_end(
        create_view(unrestricted_campaign(desk)), path, "both", "keep", stacked=lines
    )


def row_of(found: ScenarioEnd, id: str) -> dict[str, Any]:
    rows = [row for table in ("units", "weapons") for row in found.asked["state"][table]]
    return next(row for row in rows if row["id"] == id)


def asked(found: ScenarioEnd, field: str) -> Any:
    return next((one for one in found.stacked if one.field == field), None)


def put_together(save: Save, hex: str, *ids: str) -> None:
    """Lays these pieces in one stack, lowest first."""
    pieces = [next(one for one in save.pieces() if one.id == id) for id in ids]
    for piece in pieces:
        save.drop(piece)
    save.at(hex, *pieces)


def a_tank(desk: OpenCampaign) -> str:
    vehicles = unrestricted_campaign(desk).campaign.vehicles.values()
    carriers = [one for one in vehicles if one.type == "M4A2" and one.in_play and not one.status]
    return next(one.id for one in carriers if not one.off_map and one.location)


@pytest.mark.parametrize(("hex", "is_taken"), [("N4", True), (LAND, False)])
def test_units_stacked_with_a_tank_are_aboard_in_the_ocean_or_as_answered(
    desk: OpenCampaign, tmp_path: Path, hex: str, is_taken: bool
) -> None:
    save, carrier = save_of(unrestricted_campaign(desk).campaign), a_tank(desk)
    lying = squads(save, unrestricted_campaign(desk).campaign)[0].id
    put_together(save, hex, carrier, lying)
    found = told(desk, save, tmp_path)
    squad, tank = (found.asked["pieces"][piece] for piece in (lying, carrier))
    assert asked(found, "aboard").offers[squad] == (tank,)
    assert row_of(found, squad)["aboard"] == (tank if is_taken else None)
    for line, due in (("all", tank), ("none", None), (squad, tank), (f"{squad}={tank}", tank)):
        assert row_of(told(desk, save, tmp_path, aboard=line), squad)["aboard"] == due


@pytest.mark.parametrize("under", [True, False])
def test_units_under_a_pillbox_are_inside_it(
    desk: OpenCampaign, tmp_path: Path, under: bool
) -> None:
    save, campaign = (
        save_of(unrestricted_campaign(desk).campaign),
        unrestricted_campaign(desk).campaign,
    )
    box = next(
        one
        for one in campaign.fortifications.values()
        if one.type.startswith("pillbox") and one.in_play and one.location and not one.hidden
        if one.id in {piece.id for piece in save.pieces()}
    )
    units = campaign.units
    squad = next(
        piece.id
        for piece in save.pieces()
        if piece.id.startswith("j-sq") and not units[piece.id].status
        if ground_hex(str(units[piece.id].location)) != ground_hex(str(box.location))
    )
    put_together(
        save, ground_hex(str(box.location)), *((squad, box.id) if under else (box.id, squad))
    )
    found = told(desk, save, tmp_path)
    squad = found.asked["pieces"][squad]
    place = f"{ground_hex(str(box.location))}:{box.id}"
    assert (row_of(found, squad)["location"] == place) is under
    assert row_of(told(desk, save, tmp_path, inside=squad), squad)["location"] == place
    assert row_of(told(desk, save, tmp_path, inside="none"), squad)["location"] != place


def test_a_new_prisoners_guard_is_the_nearest_enemy_unless_the_players_say_otherwise(
    desk: OpenCampaign, tmp_path: Path
) -> None:
    save, campaign = (
        save_of(unrestricted_campaign(desk).campaign),
        unrestricted_campaign(desk).campaign,
    )
    first, second = (piece.id for piece in squads(save, campaign)[:2])
    units = campaign.units
    caught = next(
        piece.id
        for piece in save.pieces()
        if piece.id.startswith("j-sq") and not units[piece.id].status
    )
    put_together(save, LAND, first, second, caught)
    *_, stack = save.stacks[-1]
    stack.append(Wrote("900", "Prisoner SQ", "MS/x"))
    found = told(desk, save, tmp_path)
    of = found.asked["pieces"]
    first, second, caught = of[first], of[second], of[caught]
    assert row_of(found, caught)["guard"] == second
    other = told(desk, save, tmp_path, guard=f"{caught}={first}")
    assert row_of(other, caught)["guard"] == first
    assert row_of(told(desk, save, tmp_path, guard="none"), caught)["guard"] is None


def test_players_say_which_of_two_squads_in_the_bin_was_reduced(
    desk: OpenCampaign, tmp_path: Path
) -> None:
    save, campaign = (
        save_of(unrestricted_campaign(desk).campaign),
        unrestricted_campaign(desk).campaign,
    )
    dead = [squads(save, campaign)[0], squads(save, campaign, "7-6-8 Msq")[0]]
    for piece in dead:
        save.drop(piece)
        sent = Wrote(piece.id, piece.name, "am/x", [], sent_from(LAND))
        save.at_pixel(100, 100, sent, on="Casualties")
    save.at(LAND, Wrote("900", "3-4-8 Mhs", "am/x"))
    found = told(desk, save, tmp_path)
    (new,) = asked(found, "became").offers
    was = found.asked["pieces"][dead[1].id]
    assert row_of(found, was)["fate"] == "eliminated"
    lives = told(desk, save, tmp_path, became=f"{new}={was}")
    row = row_of(lives, was)
    assert (row["fate"], row["kind"], row["location"]) == ("in_play", "half_squad", LAND)
    assert new not in [row["id"] for row in lives.asked["state"]["units"]]
    assert lives.asked["pieces"]["900"] == was


def test_an_answer_without_a_question_about_a_stack_is_refused(
    desk: OpenCampaign, tmp_path: Path
) -> None:
    save, tank = save_of(unrestricted_campaign(desk).campaign), a_tank(desk)
    squad = squads(save, unrestricted_campaign(desk).campaign)[0].id
    put_together(save, LAND, tank, squad)
    of = told(desk, save, tmp_path).asked["pieces"]
    tank, squad = of[tank], of[squad]
    name = unrestricted_campaign(desk).campaign.vehicles[tank].label
    for lines, why in (
        ({"beneath": "all"}, "there is no question beneath; enter "),
        ({"aboard": "x-9"}, "aboard: x-9 is not accepted; enter all, none, "),
        ({"aboard": f"{squad}=m-tk-99"}, f"m-tk-99 is not accepted; enter all, none, {name}"),
    ):
        with pytest.raises(RefusedError, match=why):
            told(desk, save, tmp_path, **lines)


def test_counters_in_a_stack_are_named_and_an_answer_may_name_them(
    desk: OpenCampaign, tmp_path: Path
) -> None:
    save, tank = save_of(unrestricted_campaign(desk).campaign), a_tank(desk)
    squad = squads(save, unrestricted_campaign(desk).campaign)[0].id
    put_together(save, LAND, tank, squad)
    found = told(desk, save, tmp_path)
    campaign, of = unrestricted_campaign(desk).campaign, found.asked["pieces"]
    who, what = campaign.units[of[squad]].label, campaign.vehicles[of[tank]].label
    assert asked(found, "aboard").possible_pairs_text == f"{who} = {what}"
    for line in (who, who.upper(), f"{who} = {what}", f"{of[squad]}={of[tank]}"):
        assert row_of(told(desk, save, tmp_path, aboard=line), of[squad])["aboard"] == of[tank]
    assert (
        asked(told(desk, save, tmp_path, aboard=who), "aboard").text({of[squad]: of[tank]}) == "all"
    )


def test_a_terminal_asks_each_question_and_leaving_stores_nothing(
    desk: OpenCampaign,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    save, tank = save_of(unrestricted_campaign(desk).campaign), a_tank(desk)
    put_together(save, LAND, tank, squads(save, unrestricted_campaign(desk).campaign)[0].id)
    told(desk, save, tmp_path)
    path, head = str(desk.path), unrestricted_campaign(desk).head
    desk.close()
    asked_for = list[str]()

    def leaves(words: str = "") -> str:
        asked_for.append(words)
        raise EOFError

    monkeypatch.setattr("brt_cg.cli.scenario_end.is_terminal", lambda: True)
    monkeypatch.setattr("builtins.input", leaves)
    assert main(["import", path, str(tmp_path / "end.vsav"), "--side", "both"]) == 2
    assert asked_for == ["  all, none, or names separated by commas (Enter: none): "]
    assert "stopped; nothing stored" in capsys.readouterr().err
    again = OpenCampaign.open(Path(path))
    assert unrestricted_campaign(again).head == head
    again.close()


def test_a_preview_starts_with_the_open_decisions() -> None:
    kinds = (DifferenceKind.CHANGED, DifferenceKind.MISSING, DifferenceKind.ADDED)
    lines = [DifferenceLine(what, id, "") for what, id in zip(kinds, "abc", strict=True)]
    lines.append(DifferenceLine(DifferenceKind.MOVED, "d", ""))
    found = ScenarioEnd(
        {}, guesses=[Guess("d", "it is on a squad, which is assumed to possess it")]
    )
    groups = [
        (heading, [line.about for line in some])
        for heading, some in group_difference_lines(found, lines)
    ]
    assert groups == [
        ("1 new, with no match in the campaign", ["c"]),
        ("1 missing from the file", ["b"]),
        (TO_CHECK, ["d"]),
        (CHANGES, ["a"]),
    ]
