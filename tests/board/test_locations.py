"""The map of Betio, in the players' words."""

import math
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brt_cg import resources
from brt_cg.board import grid, locations
from brt_cg.board.locations import BadLocationError, TerrainType

ALL = sorted(locations.hexes_in_play(63), key=locations.hex_sort_key)
hexes = st.sampled_from(ALL)


def centre(hex: str) -> tuple[float, float]:
    """The centre of a hex on the board's picture, in pixels."""
    row, number = ord(hex[0]) - ord("A"), int(hex[1:])
    return 20 + 56.25 * row, 20 + 64.47 * (number - (0.5 if row % 2 else 1))


# The map's file


def test_the_map_has_26_hexrows_of_63_hexes() -> None:
    assert len(ALL) == 26 * 63
    assert (ALL[0], ALL[62], ALL[63], ALL[-1]) == ("A1", "A63", "B1", "Z63")


def test_the_data_folders_are_found() -> None:
    assert (resources.game_data_folder() / "betio" / "hexes.csv").is_file()
    assert resources.migrations_folder().name == "migrations"


def test_a_missing_data_folder_is_named() -> None:
    with pytest.raises(FileNotFoundError, match="the nowhere folder is missing"):
        resources.data_folder("nowhere")


# Hexes and Locations


@pytest.mark.parametrize("text", ["N21", "A1", "Z63", "N21:1", "Z33:pier", "N21:F7", "off_map"])
def test_hexes_and_levels_and_off_map_are_locations(text: str) -> None:
    assert locations.is_location(text)
    assert locations.check_location(text) == text


@pytest.mark.parametrize("text", ["N21:", "N21:F 7", "N21:-1", "N21:01", "N21:F7:1", "N21:F7\n"])
def test_a_place_that_is_no_level_pier_or_id_is_refused(text: str) -> None:
    assert not locations.is_location(text)
    with pytest.raises(BadLocationError, match="is not a Location: after the colon, enter a level"):
        locations.check_location(text)


def test_the_ground_level_has_no_second_name() -> None:
    with pytest.raises(BadLocationError, match="the ground level of N21 is written N21"):
        locations.check_location("N21:0")


@pytest.mark.parametrize("text", ["ZZ9", "A0", "A64", "N", "21", "N18/N19", "N2１", "OFF_MAP"])
def test_a_hex_off_the_map_is_refused_with_the_allowed_ones(text: str) -> None:
    assert not locations.is_location(text)
    with pytest.raises(BadLocationError) as refusal:
        locations.check_location(text)
    assert str(refusal.value) == f"{text} is not a hex of Betio (A1–Z63)"


@pytest.mark.parametrize(("text", "meant"), [("n21", "N21"), ("N07", "N7"), (" N21", "N21")])
def test_a_misspelled_hex_is_refused_with_the_right_form(text: str, meant: str) -> None:
    with pytest.raises(BadLocationError, match=rf"\(A1–Z63\); did you mean {meant}\?$"):
        locations.check_hex(text)


def test_an_empty_text_is_no_hex() -> None:
    with pytest.raises(BadLocationError, match=r"^'' is not a hex"):
        locations.check_location("")


def test_a_location_has_a_hex_and_an_optional_place() -> None:
    assert locations.split_location("N21") == ("N21", None)
    assert locations.split_location("N21:F7") == ("N21", "F7")
    assert locations.hex_of_location("Z33:pier") == "Z33"


def test_off_map_is_in_no_hex() -> None:
    with pytest.raises(BadLocationError, match="off_map is not a hex"):
        locations.hex_of_location("off_map")


def test_a_hexside_is_named_by_its_lowest_hex_first() -> None:
    assert grid.normalize_hexside("N18/N19") == "N18/N19"
    assert grid.normalize_hexside("N10/N9") == "N9/N10"
    assert grid.normalize_hexside("O21/N21") == "N21/O21"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("N18/N20", "N18 and N20 are not adjacent"),
        ("N18/N18", "N18 and N18 are not adjacent"),
        ("N18", "write two adjacent hexes"),
        ("N18/N19/N20", "write two adjacent hexes"),
        ("N63/N64", "N64 is not a hex of Betio"),
        ("N0/N1", "N0 is not a hex of Betio"),
    ],
)
def test_an_invalid_hexside_is_refused(text: str, why: str) -> None:
    with pytest.raises(BadLocationError, match=why):
        grid.normalize_hexside(text)


def test_a_range_holds_both_its_ends() -> None:
    assert locations.expand_hex_range("N18-N21") == ("N18", "N19", "N20", "N21")
    assert locations.expand_hex_range("N18") == locations.expand_hex_range("N18-N18") == ("N18",)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("N18-O21", "both ends must be in the same hexrow"),
        ("N21-N18", r"did you mean N18-N21\?"),
        ("N60-N64", "N64 is not a hex of Betio"),
        ("N18-", "is not a hex of Betio"),
    ],
)
def test_an_invalid_range_is_refused(text: str, why: str) -> None:
    with pytest.raises(BadLocationError, match=why):
        locations.expand_hex_range(text)


def test_hexes_are_in_order_of_hexrow_then_number() -> None:
    assert sorted(["N9", "B1", "N10", "A63"], key=locations.hex_sort_key) == [
        "A63",
        "B1",
        "N9",
        "N10",
    ]


# Neighbours and distances


def test_e4_touches_its_six_neighbors() -> None:
    assert grid.neighbors("E4") == ("D3", "D4", "E3", "E5", "F3", "F4")


def test_n21_touches_its_six_neighbors() -> None:
    assert grid.neighbors("N21") == ("M21", "M22", "N20", "N22", "O21", "O22")


def test_corner_hexes_touch_only_hexes_on_the_map() -> None:
    assert grid.neighbors("A1") == ("A2", "B1")
    assert grid.neighbors("Z63") == ("Y63", "Z62")


@given(hex=hexes)
def test_neighbors_are_the_hexes_whose_centers_are_one_hex_away(hex: str) -> None:
    near = [other for other in ALL if 0 < math.dist(centre(hex), centre(other)) < 70]
    assert list(grid.neighbors(hex)) == near


@given(a=hexes, b=hexes)
def test_neighbors_are_mutual(a: str, b: str) -> None:
    assert grid.are_adjacent(a, b) == grid.are_adjacent(b, a) == (grid.distance(a, b) == 1)
    assert all(a in grid.neighbors(near) for near in grid.neighbors(a))


@pytest.mark.parametrize(("a", "b", "hexes"), [("E4", "E10", 6), ("A1", "C1", 2), ("A1", "A1", 0)])
def test_distances_are_counted_in_hexes(a: str, b: str, hexes: int) -> None:
    assert grid.distance(a, b) == hexes


@given(a=hexes, b=hexes, c=hexes)
def test_distance_is_a_metric(a: str, b: str, c: str) -> None:
    assert (grid.distance(a, b) == 0) == (a == b)
    assert grid.distance(a, b) == grid.distance(b, a)
    assert grid.distance(a, c) <= grid.distance(a, b) + grid.distance(b, c)


@given(a=hexes, b=hexes)
def test_distance_is_the_shortest_path_over_the_map(a: str, b: str) -> None:
    assert grid.path_lengths(frozenset({a}), locations.hexes_in_play(63))[b] == grid.distance(a, b)


def test_unknown_hexes_have_no_distance_and_no_neighbors() -> None:
    for ask in (
        grid.neighbors,
        locations.terrain_of,
        locations.beach_of_hex,
        locations.hex_sort_key,
        locations.is_ocean,
    ):
        with pytest.raises(BadLocationError):
            ask("AA1")
    with pytest.raises(BadLocationError):
        grid.distance("A1", "A64")
    with pytest.raises(BadLocationError):
        grid.are_adjacent("A1", "A64")


def test_equally_near_hexes_are_all_found_lowest_first() -> None:
    assert grid.nearest_hexes("E4", ("E10", "F4", "D4", "E3")) == (1, ("D4", "E3", "F4"))
    assert grid.nearest_hexes("E4", ("E10",)) == (6, ("E10",))


def test_no_hex_is_nearest_of_none() -> None:
    with pytest.raises(ValueError, match="there is no hex to compare with E4"):
        grid.nearest_hexes("E4", ())


def test_a_path_goes_around_forbidden_hexes() -> None:
    wall = set(grid.neighbors("N21")) - {"N22"}
    free = locations.hexes_in_play(63) - wall
    assert grid.path_lengths(frozenset({"N21"}), free)["N19"] == 7


def test_no_path_leads_out_of_a_ring() -> None:
    free = locations.hexes_in_play(63) - set(grid.neighbors("N21"))
    assert grid.path_lengths(frozenset({"N21"}), free) == {"N21": 0}


def test_a_path_from_the_goal_is_empty() -> None:
    assert grid.path_lengths(frozenset({"N21"}), frozenset()) == {"N21": 0}


@given(a=hexes, b=hexes, goal=hexes)
def test_the_nearest_of_several_starts_counts(a: str, b: str, goal: str) -> None:
    away = grid.path_lengths(frozenset({a, b}), locations.hexes_in_play(63))[goal]
    assert away == min(grid.distance(a, goal), grid.distance(b, goal))


# Connected areas


def test_connected_pieces_are_ordered_by_their_lowest_hex() -> None:
    pieces = grid.connected_groups(["N10", "B2", "N9", "B1", "Z63"])
    assert pieces == [{"B1", "B2"}, {"N9", "N10"}, {"Z63"}]


def test_no_hexes_make_no_pieces() -> None:
    assert grid.connected_groups([]) == []


@given(chosen=st.sets(hexes))
def test_pieces_are_connected_and_do_not_touch_each_other(chosen: set[str]) -> None:
    pieces = grid.connected_groups(chosen)
    assert sum(map(len, pieces)) == len(chosen)
    assert set().union(*pieces) == chosen
    for piece in pieces:
        around = {near for hex in piece for near in grid.neighbors(hex)}
        assert around & chosen <= piece
        lowest = min(piece, key=locations.hex_sort_key)
        assert grid.path_lengths(frozenset({lowest}), piece).keys() == piece
    lowest_hexes = [min(piece, key=locations.hex_sort_key) for piece in pieces]
    assert lowest_hexes == sorted(lowest_hexes, key=locations.hex_sort_key)


def test_the_dry_land_of_the_whole_island_is_one_piece() -> None:
    assert len(grid.connected_groups(locations.non_ocean_hexes(63))) == 1


def test_finding_the_pieces_of_the_island_visits_each_hex_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    looked: Counter[str] = Counter()

    class Touching(dict[str, tuple[str, ...]]):
        def __getitem__(self, hex: str) -> tuple[str, ...]:
            looked[hex] += 1
            return super().__getitem__(hex)

    touching = Touching(grid._touching())
    monkeypatch.setattr(grid, "_touching", lambda: touching)
    island = frozenset(locations.non_ocean_hexes(63)) - {"N19", "M5"}  # asked for by nobody before
    grid.connected_groups(island)
    grid.connected_groups(island)
    assert looked == Counter(island)


# Terrain


@pytest.mark.parametrize(
    ("hex", "terrain"), [("A1", "ocean"), ("Z33", "pier"), ("T33", "pier"), ("D62", "beach")]
)
def test_each_hex_has_its_terrain(hex: str, terrain: str) -> None:
    assert locations.terrain_of(hex) is TerrainType(terrain)


def test_the_pier_runs_from_t33_to_z33() -> None:
    pier = [hex for hex in ALL if locations.terrain_of(hex) is TerrainType.PIER]
    assert pier == [f"{row}33" for row in "TUVWXYZ"]


def test_the_pier_is_land_and_not_ocean() -> None:
    assert not locations.is_ocean("Z33")
    assert not locations.is_ocean("Z33:pier")
    assert "Z33" in locations.non_ocean_hexes(63)


def test_any_place_in_an_ocean_hex_is_ocean() -> None:
    assert locations.is_ocean("A1")
    assert locations.is_ocean("A1:F7")


@pytest.mark.parametrize("place", ["N20:pier", "P19:pier"])
def test_the_pier_is_in_its_own_hexes_only(place: str) -> None:
    assert locations.is_location("T33:pier")
    assert not locations.is_location(place)


def test_off_map_and_dry_land_are_not_ocean() -> None:
    assert not locations.is_ocean("off_map")
    assert not locations.is_ocean("N21")


def test_green_beach_is_the_western_shore() -> None:
    green = locations.beach_hexes("green")
    assert green == tuple(sorted(green, key=locations.hex_sort_key))
    assert {"E4", "U10"} <= set(green)
    assert len(green) == 20
    assert all(locations.beach_of_hex(hex) == "green" and locations.is_beach(hex) for hex in green)


def test_the_beaches_of_the_eastern_tail_are_in_no_section() -> None:
    tail = [hex for hex in ALL if locations.is_beach(hex) and locations.beach_of_hex(hex) is None]
    assert len(tail) == 16
    assert "D62" in tail


def test_an_unknown_beach_is_refused_with_the_six_beaches() -> None:
    with pytest.raises(
        ValueError, match=r"red_four is not a beach .*; enter black_one, black_two, green"
    ):
        locations.beach_hexes("red_four")


def test_cg_one_is_played_on_hexes_numbered_up_to_32() -> None:
    assert locations.hexes_in_play(32) == {hex for hex in ALL if int(hex[1:]) <= 32}
    assert locations.non_ocean_hexes(32) == {
        hex for hex in locations.hexes_in_play(32) if not locations.is_ocean(hex)
    }


# --- Covered Arcs ---------------------------------------------------------------------------------


def test_an_inner_hex_has_six_covered_arcs() -> None:
    assert len(grid.possible_covered_arcs("N21")) == 6
    assert all(grid.are_adjacent(*arc) for arc in grid.possible_covered_arcs("N21"))
    assert len(grid.possible_covered_arcs("A1")) == 1


def test_a_covered_arc_widens_by_a_hex_at_each_range() -> None:
    for arc in grid.possible_covered_arcs("N31"):
        covered = grid.hexes_in_arc("N31", arc)
        counts = [sum(grid.distance("N31", hex) == away for hex in covered) for away in (1, 2, 5)]
        assert counts == [2, 3, 6]
        assert set(arc) <= covered


def test_the_covered_arcs_of_a_hex_cover_the_whole_map() -> None:
    covered = set().union(
        *(grid.hexes_in_arc("N31", arc) for arc in grid.possible_covered_arcs("N31"))
    )
    assert covered == locations.hexes_in_play(63) - {"N31"}


def test_two_hexes_not_adjacent_to_a_pillbox_are_no_covered_arc() -> None:
    with pytest.raises(locations.BadLocationError, match="two adjacent hexes next to N21"):
        grid.hexes_in_arc("N21", ("N18", "N19"))
