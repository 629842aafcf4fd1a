"""What VASL's own names mean, each piece with the layers that VASL gives it."""

from typing import Any

import pytest

from brt_cg.card import load_card
from brt_cg.vasl.names import load_names
from brt_cg.vasl.pieces import VaslSave
from brt_cg.vasl.situation import SavedCounter, VaslSituation, read_situation
from tests.vasl.writer import Save, Wrote, hide, layer, levels


def shown(*stack: Wrote) -> VaslSituation:
    saved = VaslSave(Save().at("N21", *stack).text())
    return read_situation(saved, load_names(), load_card("III").ladders)


def only(*stack: Wrote) -> SavedCounter:
    (found,) = shown(*stack).found
    return found


def piece(name: str, picture: str = "am/x", *layers: tuple[str, str]) -> Wrote:
    return Wrote("1", name, picture, list(reversed(layers)))


def on(names: str, level: int = 1) -> tuple[str, str]:
    return layer(names, level)


@pytest.mark.parametrize(
    ("name", "fields"),
    [
        ("1-2-6 Vcr", {"kind": "vehicle_crew", "type": "1-2-6"}),
        ("1-2-6 LCcr", {"kind": "vehicle_crew", "type": "1-2-6"}),
        ("2-2-8 SFCP", {"kind": "crew", "type": "2-2-8"}),
        ("5-5-8 Msq", {"kind": "squad", "type": "5-5-8"}),
        ("60* MTR M2", {"kind": "sw", "type": "60mm MTR"}),
        ("37L AT M3A1", {"kind": "gun", "type": "37L AT"}),
        ("75* ART M1A1", {"kind": "gun", "type": "75* pack howitzer"}),
        ("dm 75* ART", {"kind": "gun", "type": "75* pack howitzer"}),
        ("BAZ43", {"kind": "sw", "type": "BAZ 43"}),
        ("Field Phone", {"kind": "sw", "type": "Phone"}),
        ("SFCP Radio", {"kind": "sw", "type": "SFCP Radio"}),
        ("LMG 2", {"kind": "sw", "type": "LMG"}),
        ("SeaBee Dozer", {"type": "Bulldozer"}),
        ("Jeep", {"type": "Jeep"}),
    ],
)
def test_marine_piece_names_are_recognized(name: str, fields: dict[str, Any]) -> None:
    found = only(piece(name))
    assert {key: found.fields[key] for key in fields} == fields
    assert found.fields["side"] == "marine"


@pytest.mark.parametrize(
    ("name", "fields"),
    [
        ("1-2-7 Vcr", {"kind": "vehicle_crew", "type": "1-2-7"}),
        ("1-2-7 Icr", {"kind": "crew", "type": "1-2-8", "strength": "reduced"}),
        ("228 Icr", {"kind": "crew", "type": "2-2-8", "strength": "full"}),
        ("50* MTR", {"kind": "sw", "type": "50mm MTR"}),
        ("37* INF", {"kind": "gun", "type": "37* INF"}),
        ("37L AT", {"kind": "gun", "type": "37L AT"}),
        ("47L AT", {"kind": "gun", "type": "47L AT"}),
    ],
)
def test_japanese_piece_names_are_recognized(name: str, fields: dict[str, Any]) -> None:
    found = only(piece(name, "ja/x"))
    assert {key: found.fields[key] for key in fields} == fields


@pytest.mark.parametrize(
    ("name", "fields"),
    [
        ("4-4-8 Esq", ("squad", "elite", "full", "4-4-8")),
        ("str 3-4-8 Esq", ("squad", "elite", "reduced", "3-4-8")),
        ("2-3-8 Ehs", ("half_squad", "elite", "full", "2-3-8")),
        ("4-4-7 1sq", ("squad", "first_line", "full", "4-4-7")),
        ("3-4-7 2sq", ("squad", "second_line", "full", "3-4-7")),
        ("3-3-6 Csq", ("squad", "conscript", "full", "3-3-6")),
        ("3-3-6 KLsq", ("squad", "conscript", "full", "3-3-6")),
        ("2-2-8 Icr", ("crew", "elite", "full", "2-2-8")),
        ("1-2-8 Icr", ("crew", "elite", "reduced", "1-2-8")),
        ("1-2-7 Icr", ("crew", "elite", "reduced", "1-2-7")),
        ("7-6-8 MAEsq", ("squad", "elite", "full", "7-6-8")),
        ("3-4-8 MAEhs", ("half_squad", "elite", "full", "3-4-8")),
        ("2-4-8 Mhs", ("half_squad", "elite", "full", "2-4-8")),
        ("2-2-8 Mcr", ("crew", "elite", "full", "2-2-8")),
        ("9-0", ("leader", None, None, "9-0")),
        ("8+1", ("leader", None, None, "8+1")),
        ("T-H Hero", ("hero", None, None, "1-4-9")),
        ("Pathfinder", ("pathfinder", None, None, "0-0-9")),
    ],
)
def test_vasl_names_of_units_are_recognized(name: str, fields: tuple[str | None, ...]) -> None:
    meaning = load_names().meaning(name)
    assert meaning is not None
    found = (meaning.fields.get(one) for one in ("kind", "class", "strength", "type"))
    assert tuple(found) == fields


@pytest.mark.parametrize(
    "name",
    [
        *("37L AT", "70* INF", "75* INF", "75* ART", "75 AA", "76L AA", "120L AA", "140L ART"),
        *("200L ART", "12.7 AA Twin", "Foxhole BRT", "Trench BRT", "Tetrahedron", "Bombproof"),
        "3+5 PTObox",
    ],
)
def test_vasl_names_of_guns_and_fortifications_are_recognized(name: str) -> None:
    assert load_names().meaning(name) is not None


@pytest.mark.parametrize("name", ["ATR", "20L ATR", "ATMM"])
def test_an_anti_tank_rifle_is_a_sw_with_or_without_its_caliber(name: str) -> None:
    meaning = load_names().meaning(name)
    assert meaning is not None
    assert (meaning.table, meaning.fields["kind"], meaning.fields["type"]) == (
        "weapons",
        "sw",
        name,
    )


def test_landing_craft_belong_to_the_marines_despite_shared_images() -> None:
    assert only(piece("LCVP", "sh/LCVP")).fields["side"] == "marine"


def test_a_striped_crew_has_its_full_strength_and_is_reduced() -> None:
    crew = piece("2-2-8 Icr", "ja/ja228C", on("striped +,1-2-7 Icr"))
    assert only(crew).fields["strength"] == "reduced"
    assert only(crew).fields["type"] == "1-2-8"


def test_a_striped_squad_made_by_recombining_is_reduced() -> None:
    squad = piece("4-4-7 1sq", "ja/x", on(",striped +", 2), on("2-3-7 1hs", -1))
    assert only(squad).fields | {"location": ""} == {
        **{"type": "3-4-7", "kind": "squad", "class": "first_line", "strength": "reduced"},
        **{"location": "", "side": "japanese", "status": []},
    }


def test_a_japanese_crew_broken_in_its_own_layer_is_reduced() -> None:
    crew = piece("2-2-8 Icr", "ja/ja228C", on("striped +,1-2-7 Icr", 2), on("broken 1-2-7 Icr"))
    fields = only(crew).fields
    assert (fields["kind"], fields["strength"], fields["status"]) == ("crew", "reduced", [])


def test_a_wounded_japanese_leader_keeps_his_type() -> None:
    ladder = (on("10-2,10-1,10-0,9-1", 4), on(r"9-1,9-0,9\+1,8-0", 4), on("Wnd +"))
    found = only(piece("jaLDR", "ja/x", *ladder))
    assert found.name == "Wnd 8-0"
    assert (found.fields["type"], found.fields["status"]) == ("9-1", ["wounded"])


def test_a_wounded_marine_leader_shows_his_type() -> None:
    assert only(piece("9-1", "am/x", on("Wnd +"))).fields["type"] == "9-1"


@pytest.mark.parametrize("name", ["M4A2", "LVT(A)2", "Type 95 HA-GO", "M3A1"])
def test_a_wreck_is_the_vehicle_that_it_was(name: str) -> None:
    found = only(piece(f"{name} Wreck"))
    assert (found.fields["type"], found.fields["status"]) == (name, ["wreck"])


@pytest.mark.parametrize(
    ("level", "type"), [(1, "foxhole_1s"), (2, "foxhole_2s"), (3, "foxhole_3s")]
)
@pytest.mark.parametrize("ground", [1, 2, 3])
def test_the_size_of_a_foxhole_precedes_its_name(level: int, type: str, ground: int) -> None:
    layers = (on("Soft Sand +,Beach +,Taxiway +", ground), on("1S +,2S +,3S +", level))
    assert only(piece("Foxhole BRT", "ML/x", *layers)).fields["type"] == type


def test_the_capacity_of_a_pillbox_precedes_its_name() -> None:
    layers = (on(r"1\++,2\++,3\++", 2), on("+ ca3,+ ca4", 2))
    found = only(piece("4+6 PTObox", "ML/x", *layers))
    sizes = [found.fields[key] for key in ("type", "capacity", "ca_tem", "nca_tem")]
    assert sizes == ["pillbox", 2, 4, 6]
    assert found.name == "2+4+6 PTObox"


@pytest.mark.parametrize(
    ("name", "type"),
    [
        ("Wire & Tetrahedron", "tetrahedron_wire"),
        ("Minefield", "at_mine_factor"),
        ("2 AT Minefield", "at_mine_factor"),
        ("Fort Bldg Ground Level", "fortified_building"),
        ("Bombproof", "bombproof"),
    ],
)
def test_fortification_names_are_recognized(name: str, type: str) -> None:
    assert only(piece(name, "ML/x")).fields["type"] == type


def test_a_breach_is_on_the_hexside_its_image_faces() -> None:
    for turned, hexside in ((0, "N20/N21"), (3, "N21/N22")):
        breach = Wrote("1", "Breach Seawall", "DO/x", [("rotate;6;88,130", str(turned))])
        assert only(breach).fields["location"] == hexside


@pytest.mark.parametrize(
    ("marker", "under", "status"),
    [
        (piece("POW / Unarmed", "sh/x", on("Prisoner SQ,x")), "6-6-8 Msq", "prisoner"),
        (piece("Prisoner HS", "sh/x"), "6-6-8 Msq", "prisoner"),
        (piece("Unarmed HS", "sh/x"), "3-4-8 Mhs", "unarmed"),
        (piece("Encircled", "MS/x", on("Upper Level +")), "6-6-8 Msq", "encircled"),
        (piece("Walking Wounded", "MS/x"), "Hero", "wounded"),
        (piece("Disrupt", "MS/x"), "4-4-7 1sq", "disrupted"),
        (piece("Low Ammo", "MS/x"), "6-6-8 Msq", "low_ammo"),
        (piece("Wounded", "MS/x"), "8-1", "wounded"),
        (piece("Aband.", "MS/x"), "M4A2", "abandoned"),
        (piece("Immob.", "MS/x"), "M4A2", "immobilized"),
        (piece("Shock", "MS/x"), "M4A2", "shocked"),
        (piece("Stun", "MS/x"), "M4A2", "stunned"),
        (piece("stun +1", "MS/x", on("stun")), "M4A2", "stunned"),
        (piece("stun +1", "MS/x", on("stun", -1)), "M4A2", "stun_plus1"),
        (piece("RECALL", "MS/x", on("STUN")), "M4A2", "recalled"),
        (piece("RECALL", "MS/x"), "M4A2", "recalled"),
        (piece("CG stun", "MS/x", on(r"+ \+1,+ \+2", 2)), "M4A2", "stun_plus1"),
        (piece("CG STUN", "MS/x", on(r"+ \+1,+ \+2", 2)), "M4A2", "recalled"),
        (piece("Hull-Down", "ML/x", on("1 side +,2 side+,2 side alt +", 3)), "M4A2", "hull_down"),
        (piece("Hull-Down", "ML/x", on("1 side +,2 side+,2 side alt +", 2)), "M4A2", "hull_down"),
        (piece("Bog BRT", "MS/x", on("Sand Bog,Sand Mired,Ocean Mired", 1)), "M4A2", "bogged"),
        (piece("Bog BRT", "MS/x", on("Sand Bog,Sand Mired,Ocean Mired", 2)), "M4A2", "mired"),
        (piece("Bog BRT", "MS/x", on("Sand Bog,Sand Mired,Ocean Mired", 3)), "M4A2", "mired"),
        (piece("Burnt Out Wreck", "ML/x"), "M4A2 Wreck", "burnt_out"),
    ],
)  # fmt: skip
def test_a_status_is_a_counter_on_top(marker: Wrote, under: str, status: str) -> None:
    marker.id = "2"
    found = shown(Wrote("3", under, "am/x"), marker, Wrote("4", "8-1", "am/x")).found
    assert status in found[0].fields["status"]
    assert found[1].fields["status"] == []  # it lies on the counter


def test_a_heroic_counter_makes_the_leader_under_it_heroic() -> None:
    found = only(Wrote("3", "8-1", "am/x"), Wrote("2", "Heroic", "MS/x"))
    assert found.fields["traits"] == ["heroic"]


def test_a_gun_malf_counter_applies_to_the_gun_under_it() -> None:
    stack = (Wrote("1", "2-2-8 Icr", "ja/x"), Wrote("2", "37L AT", "ja/x"))
    found = {one.piece: one.fields["status"] for one in shown(*stack, Wrote("3", "Gun Malf")).found}
    assert found == {"1": [], "2": ["malfunctioned"]}


def test_an_armament_counter_names_the_weapon_and_its_state() -> None:
    marker = piece("MG Malf", "MS/x", on("BMG disabled,CMG disabled", 2))
    marker.id = "2"
    found = only(Wrote("3", "M4A2", "am/x"), marker)
    assert (found.armament, found.fields["status"]) == ({"CMG": "disabled"}, [])


def test_an_armor_leader_belongs_to_the_vehicle_under_him() -> None:
    found = only(Wrote("3", "M4A2", "am/x"), Wrote("2", "9-1 AL", "am/amal91"))
    assert found.fields["armor_leader"] == "9-1"


def test_an_encircled_counter_applies_to_one_side_without_prisoners() -> None:
    stack = (
        Wrote("1", "2-3-8 Ehs", "ja/x"),
        Wrote("2", "Prisoner SQ", "sh/x"),
        Wrote("3", "Hero", "am/x"),
        Wrote("4", "3-4-8 Mhs", "am/x"),
        Wrote("5", "Encircled", "MS/x"),
    )
    status = {one.piece: one.fields["status"] for one in shown(*stack).found}
    assert status == {"1": ["prisoner"], "3": ["encircled"], "4": ["encircled"]}


def test_only_allied_perimeter_and_marine_control_counters_are_marine() -> None:
    for name, level, whose in (("Perimeter", 1, ["N21"]), ("Perimeter", 2, [])):
        assert shown(piece(name, " ", on("Allied +,Axis +", level))).perimeter == whose
    for name, whose in (("AM Control", ["N21"]), ("USMC Control", ["N21"]), ("IJN Control", [])):
        assert shown(piece(name)).perimeter == whose


@pytest.mark.parametrize(
    "marker",
    [
        *(piece(name) for name in ("DM", "?", "Pin", "CX", "TI", "Motion", "First Fire", "Cloak")),
        piece("Labor", "MS/x", on("-1 +,-2 +")),
        piece("AM Sniper", "am/x", on(",+: 0,+: 2", 2)),
        piece("AM Acq", "am/x", on("-1 +,-2 +")),
        piece("AM OBA", "am/x", on("+ AR,+ SR,+ FFE:1")),
        piece("Red perimeter", "DO/x", on("3-hex +,Half-hex +", 2)),
        piece("17-hex perimeter", "DO/x", on("Red  +,Blue +", 2)),
        piece("Tower BRT", "ML/x"),
    ],
)
def test_pieces_that_concern_no_counter_are_recognized_and_ignored(marker: Wrote) -> None:
    found = shown(marker)
    assert (found.found, found.unknown, found.perimeter) == ([], [], [])


def test_a_hidden_unit_under_a_concealment_counter_is_hidden() -> None:
    squad = Wrote("1", "4-4-7 1sq", "ja/x", [hide("jp"), ("conceal;C;ja/q;ja;;", "jp;")])
    assert only(squad).fields["status"] == ["hidden"]


# --- layers whose levels have no names ------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "level", "status"),
    [
        *(("Bog", 1, []), ("Bog", 2, ["bogged"]), ("Bog", 3, ["mired"])),
        *(("Immoblized", 2, ["immobilized"]), ("Immobilized", 2, ["immobilized"])),
        ("Immoblized", 1, []),
    ],
)
def test_bog_and_immobilization_are_levels_of_a_vehicles_own_layer(
    name: str, level: int, status: list[str]
) -> None:
    found = only(piece("M4A2", "am/x", levels(name, ",a.svg,b.svg", level)))
    assert found.fields["status"] == status


@pytest.mark.parametrize(
    ("level", "said"), [(1, None), (2, "malfunctioned"), (3, "disabled"), (-2, None)]
)
@pytest.mark.parametrize("arm", ["MA", "SA", "BMG", "CMG", "AAMG"])
def test_malfunction_of_armament_is_a_level_of_its_vehicles_own_layer(
    level: int, said: str | None, arm: str
) -> None:
    found = only(piece("M4A2", "am/x", levels(f"{arm} Malf", ",a.svg,b.svg", level)))
    assert found.armament == {arm: said}


def test_an_unknown_active_layer_is_reported() -> None:
    odd = [levels("Smoke", ",a.svg", level) for level in (2, 1)]
    (told,) = shown(Wrote("1", "M4A2", "am/x", odd)).unknown
    assert told == "layer 'Smoke' at level 2 on M4A2 (N21)"
    (told,) = shown(Wrote("1", "M4A2", "am/x", [levels("Bog", ",a,b,c", 4)])).unknown
    assert "'Bog' at level 4" in told
