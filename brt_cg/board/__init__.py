"""Betio: its hexes and Locations, ranges and paths, and Perimeters as players write them."""

from brt_cg.board.locations import (
    IN,
    NUMBERS,
    OFF_MAP,
    OFF_MAP_PLACED,
    ROWS,
    TerrainType,
    beach_name,
    beach_sections,
    ground_hex,
    hex_order_key,
    hexes_as_ranges,
    is_area_only_location,
    is_location,
    is_ocean,
    location_inside_fortification,
    sort_hexes,
)

__all__ = [
    "IN",
    "NUMBERS",
    "OFF_MAP",
    "OFF_MAP_PLACED",
    "ROWS",
    "TerrainType",
    "beach_name",
    "beach_sections",
    "ground_hex",
    "hex_order_key",
    "hexes_as_ranges",
    "is_area_only_location",
    "is_location",
    "is_ocean",
    "location_inside_fortification",
    "sort_hexes",
]
