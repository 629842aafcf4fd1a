"""Changes are noted as they happen, and what is refused is put back."""

from collections.abc import Callable

import pytest

from brt_cg.journal.changes import Change, compare_campaigns, recorded_changes
from brt_cg.model.campaign import Campaign
from brt_cg.model.counter_numbers import assign_numbers
from brt_cg.model.counters import Fate, Side, Unit
from brt_cg.model.records import Area
from brt_cg.model.table import Recorder
from brt_cg.refit.selection import friendly_units_retained_with
from brt_cg.refit.trial import changes_rolled_back
from tests.refit.table import campaign, marine_squad

Doing = Callable[[Campaign], object]


def table() -> Campaign:
    return campaign(marine_squad("m1", "N18"), marine_squad("m2", "N19"), areas={"M1": "N18-N20"})


def recorded(doing: Doing, on: Campaign) -> list[Change]:
    recorder = Recorder()
    on.set_recorder(recorder)
    doing(on)
    return recorded_changes(recorder, on)


def move(unit: str, to: str | None) -> Doing:
    return lambda on: setattr(on.units[unit], "location", to)


def replace(on: Campaign) -> None:
    other = on.units["m1"].clone()
    other.name = "Hawkins"
    on.units["m1"] = other


def make_and_move(on: Campaign) -> None:
    on.add(marine_squad("m3", "N18"))
    on.units["m3"].location = "N20"


def make_and_remove(on: Campaign) -> None:
    on.add(marine_squad("m3", "N18"))
    on.remove(on.units["m3"])


def remove_and_change(on: Campaign) -> None:
    gone = on.units["m2"]
    on.remove(gone)
    gone.location = "N20"


def redraw(on: Campaign) -> None:
    on.areas.clear()
    on.areas.update({"M2": Area(id="M2", side=Side.MARINE, hexes=("N18",))})


def there_and_back(on: Campaign) -> None:
    move("m1", "N20")(on)
    move("m1", "N18")(on)


def twice(on: Campaign) -> None:
    move("m1", "N20")(on)
    move("m1", "N19")(on)


def take_off_and_put_back(on: Campaign) -> None:
    unit = on.units["m1"]
    on.remove(unit)
    unit.location = None
    on.add(unit)


def pop(on: Campaign) -> None:
    on.units.pop("m1")
    on.units.pop("nobody", None)


DOINGS = (
    *(move("m1", "N20"), replace, make_and_move, make_and_remove, remove_and_change, redraw),
    *(there_and_back, twice, take_off_and_put_back, pop),
)


@pytest.mark.parametrize("doing", DOINGS)
def test_recorded_changes_match_a_comparison(doing: Doing) -> None:
    before, after = table(), table()
    doing(after)
    assert recorded(doing, table()) == compare_campaigns(before, after)


@pytest.mark.parametrize("doing", DOINGS)
def test_a_rollback_leaves_no_recorded_change(doing: Doing) -> None:
    recorder, on = Recorder(), table()
    on.set_recorder(recorder)
    units = dict(on.units)
    doing(on)
    recorder.roll_back(on.tables)
    assert on == table()
    assert recorded_changes(recorder, on) == []
    assert all(on.units[id] is unit for id, unit in units.items())


def test_changes_come_by_table_then_id_then_field() -> None:
    def doing(on: Campaign) -> None:
        on.units["m2"].status = ("broken",)
        on.units["m2"].fate = Fate.ELIMINATED
        on.units["m2"].location = "N20"
        on.units["m1"].location = "N20"
        on.situation.turns = "7"

    places = [(table, key, name) for table, key, name, _, _ in recorded(doing, table())]
    assert places == [
        ("campaign", "campaign", "turns"),
        ("units", "m1", "location"),
        ("units", "m2", "location"),
        ("units", "m2", "fate"),
        ("units", "m2", "status"),
    ]


def test_a_clone_is_not_recorded() -> None:
    assert recorded(lambda on: move("m1", "N20")(on.clone()), table()) == []
    assert recorded(lambda on: on.units["m1"].clone().add_status("broken"), table()) == []


def test_nothing_is_recorded_without_a_recorder() -> None:
    recorder, on = Recorder(), table()
    on.set_recorder(recorder)
    on.set_recorder(None)
    make_and_move(on)
    assert recorder.touched_ids() == set()


def test_a_recorded_campaign_refuses_a_record_of_another_campaign() -> None:
    other, on = table(), Campaign()
    on.set_recorder(Recorder())
    with pytest.raises(ValueError, match="m1 belongs to another campaign"):
        on.add(other.units["m1"])
    on.add(other.units["m1"].clone())


def test_viewing_a_part_leaves_the_records_in_place() -> None:
    def look(on: Campaign) -> None:
        part = Campaign()
        part.units.update(on.units)
        part.units["m1"].location = "N20"

    assert recorded(look, table()) == [["units", "m1", "location", "N18", "N20"]]


@pytest.mark.parametrize("way", ["setdefault", "popitem", "__ior__"])
def test_every_way_to_change_a_table_is_recorded(way: str) -> None:
    with pytest.raises(TypeError):
        getattr(table().units, way)({"m3": Unit})


# --- what a table is looked through by ------------------------------------------------------------


def by_location(on: Campaign) -> dict[str | None, list[str]]:
    groups = on.units.index_by("location")
    return {place: sorted(found) for place, found in groups.items() if found}


@pytest.mark.parametrize("doing", DOINGS)
def test_units_are_indexed_by_location(doing: Doing) -> None:
    on = table()
    by_location(on)
    doing(on)
    assert by_location(on) == by_location(on.clone())


@pytest.mark.parametrize("doing", DOINGS)
def test_a_rollback_restores_the_location_index(doing: Doing) -> None:
    on = table()
    by_location(on)
    with changes_rolled_back(on):
        doing(on)
    assert on == table()
    assert by_location(on) == by_location(table())


def test_records_are_found_in_the_order_of_their_ids() -> None:
    on = campaign(marine_squad("m2", "N18"), marine_squad("m1", "N18"))
    assert [unit.id for unit in on.units.records_with("location", "N18")] == ["m1", "m2"]
    assert on.units.records_with("location", "N19") == []


def test_an_area_is_found_by_its_hexes_after_any_change() -> None:
    on = table()
    assert on.area_at("N20:1") is on.areas["M1"]
    on.areas["M1"].hexes = ("N18",)
    assert on.area_at("N20") is None
    on.remove(on.areas["M1"])
    assert on.area_at("N18") is None


def test_a_trial_change_leaves_no_trace_in_another_recorder() -> None:
    recorder, on = Recorder(), table()
    on.set_recorder(recorder)
    move("m1", "N20")(on)
    with changes_rolled_back(on) as meanwhile:
        move("m1", "N19")(on)
        move("m2", "N20")(on)
        assert meanwhile.touched_ids() == {("units", "m1"), ("units", "m2")}
    move("m2", None)(on)
    places = [(key, old, new) for _, key, _, old, new in recorded_changes(recorder, on)]
    assert places == [("m1", "N18", "N20"), ("m2", "N19", None)]


def test_the_question_order_is_updated_with_the_records() -> None:
    on = campaign(marine_squad("m1", "N20"), marine_squad("m2", "N19"))

    def order() -> list[str]:
        return [unit.id for unit in on.sort_counters_in_play(on.units.values())]

    assert order() == ["m2", "m1"]
    on.units["m1"].location = "N18"
    assert order() == ["m1", "m2"]
    with changes_rolled_back(on):
        on.units["m1"].location = "N21"
        assert order() == ["m2", "m1"]
    assert order() == ["m1", "m2"]
    assert [unit.id for unit in on.clone().sort_counters_in_play(on.units.values())] == ["m1", "m2"]


def test_groups_retained_together_are_updated_with_every_change() -> None:
    m1 = marine_squad("m1", None, setup_area="M1")
    on = campaign(m1, marine_squad("m2", "N18"), areas={"M1": "N18-N20", "M2": "N30-N31"})

    def together() -> list[str]:
        return [unit.id for unit in friendly_units_retained_with(on, m1)]

    assert together() == ["m2", "m1"]
    on.units["m2"].location = "N30"
    assert together() == ["m1"]
    on.areas["M1"].hexes = ("N30",)
    assert together() == ["m2", "m1"]
    with changes_rolled_back(on):
        on.remove(on.units["m2"])
        assert together() == ["m1"]
    assert together() == ["m2", "m1"]
    together().clear()
    assert together() == ["m2", "m1"]


# --- snapshots ------------------------------------------------------------------------------------


def listed(on: Campaign) -> list[tuple[str, list[tuple[str, object, bool]]]]:
    """All records in the order of each table, with whether each has a number."""
    return [
        (name, [(key, record.values(), record.has_no_number) for key, record in table.items()])
        for name, table in on.tables.items()
    ]


def readd(on: Campaign) -> None:
    gone = on.units["m1"].clone()
    on.remove(on.units["m1"])
    on.add(gone)


@pytest.mark.parametrize("doing", [*DOINGS, readd, assign_numbers])
def test_a_snapshot_is_the_campaign_of_its_moment(doing: Doing) -> None:
    on = table()
    first, at_first = on.snapshot(), listed(on.clone())
    doing(on)
    second, at_second = on.snapshot(), listed(on.clone())
    with changes_rolled_back(on):
        on.situation.date = 1
        on.add(marine_squad("m4", "N21"))
        assert on.snapshot() == on.clone()
    assert on.snapshot() == on.clone()
    assert (listed(first), listed(second)) == (at_first, at_second)
    assert second.numbers == on.numbers


def test_snapshots_share_what_has_not_changed() -> None:
    on = table()
    first = on.snapshot()
    move("m1", "N20")(on)
    second = on.snapshot()
    assert second.units["m2"] is first.units["m2"]
    assert second.units["m1"] is not first.units["m1"]
    assert second.units["m2"] is not on.units["m2"]
