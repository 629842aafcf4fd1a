"""Numbers in ids sort as numbers wherever counters are listed."""

from brt_cg.exports.setup_pages import list_roster_pages
from brt_cg.exports.tally import place_tallies
from brt_cg.model.numbered_lists import natural_sort_key
from brt_cg.tui.lists.groups import group_counters
from tests.refit.table import MARINE, campaign, marine_squad

IDS = [f"m-sq-{number}" for number in (1, 2, 9, 10, 11, 100)]
AREAS = {f"M{number}": f"N{17 + number}" for number in range(1, 12)}


def test_numbers_sort_as_numbers() -> None:
    assert sorted(IDS, key=natural_sort_key) == IDS


def test_forces_setup_and_areas_use_natural_order() -> None:
    squads = [marine_squad(id, None, setup_area="M1") for id in reversed(IDS)]
    made = campaign(*squads, areas=AREAS)
    (listed,) = [group for group in group_counters(made) if group.rows]
    assert [row.id for row in listed.rows] == IDS
    (page,) = [page for page in list_roster_pages(made) if page.units]
    assert [unit.id for unit in page.units] == IDS
    assert [tally.place for tally in place_tallies(made, MARINE)][:11] == [*AREAS]
