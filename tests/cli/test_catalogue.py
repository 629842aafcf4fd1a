"""What stands on counters: the catalogue proposes it, the campaign keeps it."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brt_cg import resources
from brt_cg.card import load_card
from brt_cg.card.prices import CreatedKind
from brt_cg.card.printed_types import FIGURES
from brt_cg.catalogue import Catalogue, load_catalogue
from brt_cg.catalogue.types import (
    READ_OFF,
    CatalogueType,
    Figure,
    format_catalogue,
    own_catalogue_path,
    read_catalogue,
    read_own_types,
    write_own_types,
)
from brt_cg.cli import main
from brt_cg.model.counters import Side, Vehicle, Weapon, WeaponKind
from brt_cg.questions.answers import RefusedError
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.service.unrestricted import unrestricted_campaign

MARINE, JAPANESE = Side.MARINE, Side.JAPANESE
SHIPPED = resources.game_data_folder() / "catalogue.toml"
SQUAD = {"id": "m-sq-1", "side": "marine", "kind": "squad", "type": "7-6-8", "location": "N19"}


def weapon(id: str, type: str, **values: Any) -> dict[str, Any]:
    given = {"id": id, "side": "marine", "kind": "sw", "type": type, "location": "N19"}
    return given | values


def tank(id: str, type: str, **values: Any) -> dict[str, Any]:
    return {"id": id, "side": "marine", "type": type, "location": "N19"} | values


def state(**lists: Any) -> dict[str, Any]:
    side = {"san": 4, "elr": 5, "cvp": 0}
    return {
        "format": "brt-cg/state",
        "version": 1,
        "scenario": {"date": "20 AM", "winner": "marine", "moved_first": "marine"},
        "sides": {"marine": side, "japanese": side},
        "perimeters": [["N18-N20"]],
        "units": [SQUAD],
        **lists,
    }


@pytest.fixture
def desk(tmp_path: Path) -> OpenCampaign:
    return OpenCampaign.create(tmp_path / "c.brt", {"cg": "III", "name": None, "allotments": None})


@pytest.fixture(autouse=True)
def _nothing_of_his_own() -> None:
    own_catalogue_path().unlink(missing_ok=True)


def take(desk: OpenCampaign, **lists: Any) -> None:
    desk.run_command("import", {"state": state(**lists), "missing": None, "side": None})


# --- the shipped one ------------------------------------------------------------------------------


def test_every_figure_has_a_source() -> None:
    for each in load_catalogue().shipped:
        sources = [figure.source for figure in each.figures.values()]
        assert all(len(source) > 10 for source in sources), each.type


@pytest.mark.parametrize(
    ("nation", "type", "number", "pp"),
    [
        (MARINE, "LMG", 1, 1),
        (JAPANESE, "MMG", 2, 3),
        (MARINE, "HMG", 3, 5),
        (JAPANESE, "HMG", 3, 4),
        (JAPANESE, ".50cal HMG (13.2mm)", 2, 5),
        (MARINE, "DC", None, 1),
        (MARINE, "Phone", None, None),
    ],
)
def test_the_catalogue_lists_the_values_of_support_weapons(
    nation: Side, type: str, number: int | None, pp: int | None
) -> None:
    found = load_catalogue().printed_type("weapons", nation, type)
    assert found is not None
    assert (found.figures.get("repair_number"), found.figures.get("pp")) == (number, pp)


def test_every_purchasable_item_is_in_the_catalogue() -> None:
    for price in load_card("III").prices.values():
        if price.creates.kind is CreatedKind.WEAPON:
            assert load_catalogue().printed_type("weapons", JAPANESE, price.name), price.name


def test_an_unknown_spelling_has_a_nearest_match() -> None:
    known = load_catalogue()
    assert known.nearest_name("37LAT", JAPANESE) == "37L AT"
    assert known.find_by_name("37LAT", JAPANESE) is not None
    assert known.nearest_name("LVT-2", MARINE) == "LVT2"
    assert known.find_by_name("Flak 88", MARINE) is None


def test_a_faulty_catalogue_is_refused_with_all_problems(tmp_path: Path) -> None:
    path = tmp_path / "odd.toml"
    path.write_text('[[weapon]]\ntype = "X"\npp = 3\nrange = 2\n[[vehicle]]\ntype = 1\n')
    with pytest.raises(RefusedError) as refused:
        read_catalogue(path)
    assert [str(problem).partition(";")[0] for problem in refused.value.problems] == [
        "odd.toml: weapon X.pp: 3 is not accepted",
        "odd.toml: vehicle[0].type: 1 is not accepted",
        "odd.toml: weapon X.range: an unknown key is not accepted",
    ]


# --- what enters a campaign -----------------------------------------------------------------------


def test_a_bought_machine_gun_has_its_repair_number(desk: OpenCampaign) -> None:
    points = {"gpp": 20, "capp": 0, "exponent": 0, "fpp": 0}
    desk.run_command("allot", {"side": "japanese", "beach": "red_one"} | points, "japanese")
    asked = {"item": "hmg", "side": "japanese", "beach": "red_one", "quantity": 1}
    desk.run_command("buy", asked, "japanese")
    desk.run_command("buy", asked | {"draft": True}, "japanese")
    desk.run_command("commit", {"side": "japanese"}, "japanese")
    assert [
        each.repair_number for each in unrestricted_campaign(desk).campaign.weapons.values()
    ] == [3, 3]


def test_an_import_fills_in_missing_values_from_the_catalogue(desk: OpenCampaign) -> None:
    take(
        desk,
        weapons=[weapon("w1", "MMG"), weapon("w2", "MMG", repair_number=1, pp=None)],
        vehicles=[
            *(tank("v1", "LVT2"), tank("v2", "M4A2", best_af=9), tank("v3", "Halftrack")),
            *(tank("v4", "LCVP"), tank("v5", "LCM(3)")),
        ],
    )
    weapons, vehicles = (
        unrestricted_campaign(desk).campaign.weapons,
        unrestricted_campaign(desk).campaign.vehicles,
    )
    assert (weapons["w1"].repair_number, weapons["w1"].pp) == (2, 3)
    assert (weapons["w2"].repair_number, weapons["w2"].pp) == (1, None)
    lvt, sherman, other = vehicles["v1"], vehicles["v2"], vehicles["v3"]
    assert (lvt.armored, lvt.amphibious, lvt.cvp, lvt.crew_survival) == (False, True, 4, 6)
    assert (sherman.best_af, sherman.amphibious) == (9, False)
    assert (other.best_af, other.amphibious) == (None, None)
    assert [vehicles[id].amphibious for id in ("v4", "v5")] == [True, True]  # landing craft float


@pytest.mark.parametrize(
    ("gun", "vehicle", "allowed"),
    [
        (weapon("w1", "60mm MTR", depleted=["WP"]), None, "IR"),
        (weapon("w1", "75* pack howitzer", kind="gun", depleted=["H6"]), None, None),
        (weapon("w1", "37L AT", kind="gun", depleted=["canister"]), None, None),
        (weapon("w1", "75 MA", kind="vehicular", vehicle="v1", depleted=["s"]), "M4A2", "none"),
        (weapon("w1", "37 MA", kind="vehicular", vehicle="v1", depleted=["C"]), "LVT(A)1", None),
        (weapon("w1", "Own mortar", depleted=["WP"]), None, None),
        (weapon("w1", "37L AT", kind="gun", depleted=["AP"]), None, None),
    ],
)
def test_ammunition_that_a_type_never_had_is_imported_with_a_warning(
    desk: OpenCampaign, gun: dict[str, Any], vehicle: str | None, allowed: str | None
) -> None:
    """The campaign that recorded it may have had another catalogue."""
    vehicles = [tank("v1", vehicle)] if vehicle else []
    take(desk, weapons=[gun], vehicles=vehicles)
    assert list(unrestricted_campaign(desk).campaign.weapons["w1"].depleted) == gun["depleted"]
    warned = [
        line.text
        for line in unrestricted_campaign(desk).entries[-1].said
        if "never had" in line.text
    ]
    assert len(warned) == (allowed is not None)
    if allowed is not None:
        assert re.search(f"^warning: .* in November 1943; enter {allowed}$", warned[0])


def test_reinforcements_depleting_ammo_they_never_had_are_refused(desk: OpenCampaign) -> None:
    mortar = weapon("w1", "60mm MTR", depleted=["WP"])
    state = {"format": "brt-cg/state", "version": 1, "weapons": [mortar]}
    with pytest.raises(RefusedError, match="the 60mm MTR never had WP"):
        desk.run_command("reinforce", {"state": state, "source": "typed"})


def test_an_edit_depleting_ammo_never_had_is_refused(desk: OpenCampaign) -> None:
    take(desk, weapons=[weapon("w1", "60mm MTR")])
    asked = {"id": "w1", "set": {"depleted": ["WP"]}, "reason": "so we think"}
    with pytest.raises(RefusedError, match="the 60mm MTR never had WP"):
        desk.run_command("edit", asked)


def test_replay_audit_and_play_need_no_catalogue(
    desk: OpenCampaign, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    take(desk, weapons=[weapon("w1", "HMG", status=["malfunctioned"], possessor="m-sq-1")])
    desk.close()
    missing = Path(str(desk.path)).with_name("nothing")
    monkeypatch.setattr("brt_cg.catalogue.resources.game_data_folder", lambda: missing)
    monkeypatch.setattr("brt_cg.catalogue.own_catalogue_path", lambda: missing / "own.toml")
    assert load_catalogue() == Catalogue()
    assert main(["audit", str(desk.path)]) == 0
    assert main(["forecast", str(desk.path), "--runs", "2"]) == 0
    assert main(["refit", str(desk.path), "--auto", "--seed", "1"]) == 0
    assert main(["audit", str(desk.path)]) == 0
    assert "Repair Number" in capsys.readouterr().out
    assert (
        unrestricted_campaign(OpenCampaign.open(desk.path)).campaign.weapons["w1"].repair_number
        == 3
    )


# --- what nobody has read off yet -----------------------------------------------------------------


BROKEN: dict[str, Any] = {"status": ["malfunctioned"], "possessor": "m-sq-1"}


def test_a_number_entered_once_is_proposed_in_the_next_campaign(
    desk: OpenCampaign, tmp_path: Path
) -> None:
    take(desk, weapons=[weapon("w1", "Own MG", **BROKEN), weapon("w2", "Own MG", **BROKEN)])
    answers = tmp_path / "answers.json"
    answers.write_text(
        json.dumps(
            {
                "format": "brt-cg/answers",
                "version": 1,
                "rolls": {"15.6132": {"w1": [6], "w2": [6]}},
                "choices": {"15.6132": {"w1": 4}},
            }
        )
    )
    place = str(desk.path)
    desk.close()
    assert main(["refit", place, "--answers", str(answers), "--auto", "--seed", "1"]) == 0
    numbers = [
        each.repair_number
        for each in unrestricted_campaign(OpenCampaign.open(desk.path)).campaign.weapons.values()
    ]
    assert numbers == [4, 4]
    (mine,) = read_own_types()
    assert (mine.type, mine.figures["repair_number"]) == ("Own MG", Figure(4, READ_OFF))
    other = OpenCampaign.create(
        tmp_path / "next.brt", {"cg": "III", "name": None, "allotments": None}
    )
    take(other, weapons=[weapon("w1", "Own MG")])
    assert unrestricted_campaign(other).campaign.weapons["w1"].repair_number == 4


def test_a_number_the_catalogue_learned_later_is_a_marked_answer(
    desk: OpenCampaign,
) -> None:
    take(desk, weapons=[weapon("w1", "Own MG", **BROKEN)])
    write_own_types(
        [CatalogueType("weapons", "Own MG", MARINE, figures={"repair_number": Figure(5, READ_OFF)})]
    )
    desk.close()
    assert main(["refit", str(desk.path), "--auto", "--seed", "1"]) == 0
    entries = unrestricted_campaign(OpenCampaign.open(desk.path)).entries
    answered = [each.payload for each in entries if each.payload.get("from") == "catalogue"]
    assert [each["answer"] for each in answered] == [5]


def test_a_damaged_own_catalogue_does_not_stop_play(desk: OpenCampaign) -> None:
    own_catalogue_path().parent.mkdir(parents=True, exist_ok=True)
    own_catalogue_path().write_text("no TOML at all")
    take(desk, weapons=[weapon("w1", "HMG")])
    assert unrestricted_campaign(desk).campaign.weapons["w1"].repair_number is None
    assert any("no values from the catalog" in notice for notice in desk.notices)


# --- the command ----------------------------------------------------------------------------------


def test_a_catalogue_is_edited_shared_and_listed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shared = tmp_path / "ours.toml"
    edit = ["catalogue", "edit", "Own tank", "best_af=6", "amphibious=no", "--vehicle"]
    assert main([*edit, "--side", "marine"]) == 0
    assert main(["catalogue", "edit", "HMG", "pp=4", "kind=sw", "ammunition="]) == 0
    assert main(["catalogue", "export", str(shared)]) == 0
    own_catalogue_path().unlink()
    assert main(["catalogue", "import", str(shared)]) == 0
    capsys.readouterr()
    assert main(["catalogue", "list", "own tank"]) == 0
    assert "best AF: 6" in capsys.readouterr().out
    assert load_catalogue().printed_type("weapons", MARINE, "HMG").figures["pp"] == 4  # type: ignore[union-attr]
    for wrong in (["edit"], ["edit", "HMG", "speed=3"], ["import"], ["export", str(shared)]):
        assert main(["catalogue", *wrong]) == 2


FIGURE = {"repair_number": st.integers(0, 99), "pp": st.integers(0, 99)}
TYPES = st.builds(
    CatalogueType,
    table=st.just(Weapon.TABLE),
    type=st.text(min_size=1, max_size=8).filter(str.strip),
    nation=st.sampled_from([None, *Side]),
    kind=st.sampled_from([None, *WeaponKind]),
    called=st.lists(st.text(min_size=1, max_size=5), max_size=2, unique=True).map(tuple),
    figures=st.fixed_dictionaries(
        {}, optional={k: st.builds(Figure, v, st.text(max_size=9)) for k, v in FIGURE.items()}
    ),
)


@given(st.lists(TYPES, max_size=4))
def test_a_written_catalogue_is_read_back(types: list[CatalogueType]) -> None:
    path = own_catalogue_path().with_name("round.toml")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(format_catalogue(types), "utf-8")
    assert [*read_catalogue(path)] == types


def test_catalogue_values_are_fields_of_counters() -> None:
    assert set(FIGURES) == {Weapon.TABLE, Vehicle.TABLE}


def test_an_import_suggests_a_spelling_for_an_unknown_type(
    desk: OpenCampaign, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "20am.json"
    file.write_text(json.dumps(state(weapons=[weapon("w1", "HGM")])))
    desk.close()
    assert main(["import", str(desk.path), str(file), "--preview"]) == 0
    said = capsys.readouterr().err
    assert (
        "w1: HGM is not in the catalog; it is assumed to be a new type; did you mean HMG?"
    ) in said
