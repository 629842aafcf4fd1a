"""What is pointed at, one Location after the other, and what answer that makes."""

from brt_cg.board import grid
from brt_cg.board.locations import OFF_MAP
from brt_cg.model.counters import Fortification, Side, Unit, UnitKind
from brt_cg.questions.answers import ACROSS, ARC, Candidate, PointingForm
from brt_cg.questions.pointing import MapPick, MapPointing, known_locations_in_hex
from tests.refit.table import campaign

PILLBOX = PointingForm(
    ("the Location", *ARC), lambda at: {"location": at[0], "covered_arc": at[1:]}
)
PLAIN = PointingForm(made=lambda at: at[0])


def candidates(*places: tuple[str, ...]) -> list[Candidate]:
    return [Candidate(list(spots), " ".join(spots), "", spots=spots) for spots in places]


def point(pointing: MapPointing, spot: str) -> object:
    """Points at a spot as the map lists it there; the answer, if that was the last."""
    hex = spot.partition(":")[0]
    pick = next(pick for pick in pointing.picks_in_hex(hex, campaign()) if pick.spot == spot)
    return pointing.point_at(pick)


def test_the_hexes_of_possible_answers_are_highlighted() -> None:
    pointing = MapPointing(
        "", PointingForm(), candidates(("N21",), ("N21:1",), ("M22",), (OFF_MAP,))
    )
    assert pointing.allowed_hexes_if_listed() == {"N21", "M22"}


def test_pointing_at_a_hex_with_one_candidate_answers() -> None:
    pointing = MapPointing("", PointingForm(), candidates(("N21",), ("M22",)))
    assert point(pointing, "M22") == (["M22"],)


def test_only_candidates_are_listed_where_only_they_count() -> None:
    pointing = MapPointing("", PointingForm(), candidates(("N21",)))
    assert pointing.picks_in_hex("M22", campaign()) == []
    assert pointing.only_pick("M22", campaign()) is None


def test_the_two_hexes_of_an_arc_can_be_pointed_at_in_any_order() -> None:
    offered = candidates(*(("N21", *arc) for arc in grid.possible_covered_arcs("N21")))
    pointing = MapPointing("", PILLBOX, offered)
    assert point(pointing, "N21") is None
    assert pointing.allowed_hexes_if_listed() == set(grid.neighbors("N21"))
    a, b = grid.possible_covered_arcs("N21")[0]
    assert point(pointing, b) is None
    assert a in pointing.allowed_hexes_if_listed()
    assert pointing.marked_hexes(a) >= grid.hexes_in_arc("N21", (a, b))
    assert point(pointing, a) == (["N21", a, b],)


def test_an_arc_that_is_no_candidate_is_made_from_the_hexes_pointed_at() -> None:
    pointing = MapPointing("", PILLBOX)
    a, b = grid.possible_covered_arcs("N21")[0]
    assert [point(pointing, spot) for spot in ("N21", a)] == [None, None]
    assert point(pointing, b) == ({"location": "N21", "covered_arc": [a, b]},)


def test_an_arc_alone_is_next_to_its_location() -> None:
    pointing = MapPointing("", PointingForm(ARC, ",".join, bare=True), near="N21")
    assert pointing.allowed_hexes_if_listed() == set(grid.neighbors("N21"))
    assert pointing.picks_in_hex("M22", campaign()) == [MapPick("M22", "M22")]


def test_a_hexside_is_two_hexes() -> None:
    pointing = MapPointing("", PointingForm(ACROSS, "/".join, bare=True))
    assert point(pointing, "N18") is None
    assert pointing.allowed_hexes_if_listed() == set(grid.neighbors("N18"))
    assert point(pointing, "N19") == ("N18/N19",)


def test_the_last_hex_pointed_at_can_be_undone() -> None:
    pointing = MapPointing("", PILLBOX)
    point(pointing, "N21")
    assert pointing.remove_last()
    assert pointing.spots == []
    assert not pointing.remove_last()


def test_off_map_can_be_answered_where_allowed() -> None:
    free = MapPointing("", PLAIN)
    pick = free.off_map_pick()
    assert pick is not None
    assert free.point_at(pick) == (OFF_MAP,)
    assert MapPointing("", PointingForm(), candidates(("N21",))).off_map_pick() is None


def test_a_hex_lists_insides_held_places_the_pier_and_levels() -> None:
    table = campaign()
    box = Fortification(id="F7", side=Side.MARINE, type="pillbox_1_3_5", location="N21", capacity=1)
    on_three = Unit(id="u", side=Side.MARINE, kind=UnitKind.SQUAD, type="6-6-8", location="N21:3")
    for record in (box, on_three):
        table.add(record)
    assert known_locations_in_hex(table, "N21") == ["N21", "N21:F7", "N21:3", "N21:1", "N21:2"]
    assert "Z33:pier" in known_locations_in_hex(table, "Z33")
