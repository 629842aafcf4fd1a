"""The map of Betio as a drawing, and what is told of it in figures."""

import json
import re
import xml.etree.ElementTree as ET
from dataclasses import replace
from functools import partial
from itertools import combinations

import pytest
import typst

from brt_cg.board import grid, locations
from brt_cg.exports import export_document
from brt_cg.exports.betio import BEACH_NAME, beach_label_positions, draw_map
from brt_cg.exports.font_metrics import text_width
from brt_cg.exports.map import map_and_crowded_part_pictures
from brt_cg.exports.map_frame import (
    HEIGHT,
    POINT,
    PORTRAIT,
    WHOLE,
    WIDTH,
    MapFrame,
    frame_around_hexes,
    frame_with_most_hexes,
    hex_center,
    hex_sides_with_neighbors,
)
from brt_cg.exports.map_symbols import isolation_ring_size
from brt_cg.exports.paper import Paper
from brt_cg.exports.writers.as_pdf import MARGINS
from brt_cg.journal.journal import Journal
from brt_cg.model.counters import Side
from brt_cg.views.view import create_view
from tests.exports.journals import as_data, begun, new, play, squad

SVG = "{http://www.w3.org/2000/svg}"


def drawn(journal: Journal, side: Side | None = None) -> ET.Element:
    return ET.fromstring(str(export_document(create_view(journal, side), "map", "svg")))


def rings(drawing: ET.Element) -> list[str]:
    signs = (one.get("class", "") for one in drawing.iter(f"{SVG}rect"))
    return [sign for sign in signs if "ring" in sign]


figures = partial(as_data, "map")


def island() -> Journal:
    hidden = squad("j-sq-3", "M42", status=["hidden"])
    units = (squad("m-sq-1", "N19"), squad("j-sq-1", "M19"), squad("j-sq-2", "M40"), hidden)
    return play(begun(*units), through="15.6082")


def test_neighbors_are_one_hex_apart_and_north_is_up() -> None:
    for hex in ("N21", "E4", "K30"):
        x, y = hex_center(hex)
        for near in grid.neighbors(hex):
            across, down = hex_center(near)
            assert ((across - x) ** 2 + (down - y) ** 2) ** 0.5 == pytest.approx(WIDTH, rel=0.02)
    assert hex_center("Z33")[1] < hex_center("A33")[1]
    assert hex_center("N1")[0] < hex_center("N63")[0]


def test_each_hexside_faces_the_neighbor_beyond_it() -> None:
    for hex in ("N21", "E4", "A1", "Z63", "M32"):
        beyond = [near for near, _ in hex_sides_with_neighbors(hex) if near is not None]
        assert sorted(beyond) == sorted(grid.neighbors(hex))
    (x, y), [(east, _)] = hex_center("N21"), [hex_sides_with_neighbors("N21")[1]]
    assert east is not None
    assert hex_center(east) == (x + WIDTH, y)


def test_every_setup_area_has_its_name_and_side() -> None:
    texts = {text.text: text.get("class") for text in drawn(island()).iter(f"{SVG}text")}
    assert (texts["M1"], texts["J1"]) == ("marine halo", "japanese halo")


def test_an_area_has_a_border_along_its_edge() -> None:
    """The Perimeter N18-N21 M18-M21, two rows of four hexes: 13 sides lie between two."""
    [line] = [
        one
        for one in drawn(island()).iter(f"{SVG}path")
        if one.get("class") == "marine-line border"
    ]
    assert len(re.findall("M", line.get("d", ""))) == 48 - 2 * 13


def test_isolated_locations_are_ringed_and_stacks_counted() -> None:
    found = figures(island())
    assert found["isolated"] == [{"hex": "M19", "side": "japanese"}]
    ring, *legend = rings(drawn(island()))
    assert ring == "japanese-line ring"
    assert legend == ["marine-line ring", "japanese-line ring"]


def test_a_campaign_without_areas_has_a_map_too() -> None:
    assert figures(new())["areas"] == []
    assert drawn(new("I")).tag == f"{SVG}svg"


def test_in_cg_i_hexes_not_in_play_are_shaded() -> None:
    assert any(one.get("class") == "away" for one in drawn(new("I")).iter(f"{SVG}path"))
    assert not any(one.get("class") == "away" for one in drawn(new("III")).iter(f"{SVG}path"))


@pytest.mark.parametrize("hexes", [["A1"], ["Z33", "M33"], ["N18", "N19"], ["E63"]])
def test_a_part_of_the_map_shows_only_its_hexes(hexes: list[str]) -> None:
    frame = frame_around_hexes(hexes)
    for hex in hexes:
        x, y = hex_center(hex)
        assert frame.left <= x - WIDTH / 2 <= x + WIDTH / 2 <= frame.left + frame.width
        assert frame.top <= y - HEIGHT / 2 <= y + HEIGHT / 2 <= frame.top + frame.height


# --- on paper -------------------------------------------------------------------------------------


def stacked() -> Journal:
    units = (squad("m-sq-1", "N19"), squad("m-sq-2", "M23"), squad("j-sq-1", "M40"))
    return play(begun(*units), through="15.6082")


@pytest.mark.parametrize("paper", Paper)
def test_the_numbers_of_both_maps_are_seven_points_on_either_paper(paper: Paper) -> None:
    high, wide = (side - margins for side, margins in zip(paper.size, MARGINS, strict=True))
    for picture in map_and_crowded_part_pictures(stacked().campaign, "Betio", 63):
        drawing = ET.fromstring(picture.svg)
        across = min(wide, high * picture.ratio) / float(drawing.get("viewBox", "").split()[2])
        numbers = [one for one in drawing.iter(f"{SVG}text") if (one.text or "").isdecimal()]
        bold = [one for one in numbers if one.get("font-weight") == "700"]
        assert bold
        assert all(float(one.get("font-size", "")) * across / POINT >= 7 for one in bold)


@pytest.mark.parametrize("east", [23, 33, 38])
def test_hex_names_are_at_least_six_points_and_never_touch(east: int) -> None:
    frame = frame_around_hexes([f"N{number}" for number in range(20, east)])
    assert frame.is_close_up
    drawing = ET.fromstring(draw_map(stacked().campaign, "Betio", max_hex=63, frame=frame))
    texts = [one for one in drawing.iter(f"{SVG}text") if one.get("class") == "label"]
    named = [one for one in texts if re.fullmatch(r"[A-Z]\d+", one.text or "")]
    assert len(named) > 10
    for one in named:
        size = float(one.get("font-size", ""))
        assert size >= frame.points_to_units(6) - 0.01
        row = [other for other in named if (other.text or "")[0] == (one.text or "")[0]]
        apart = [abs(float(one.get("x", "")) - float(each.get("x", ""))) for each in row]
        assert all(gap > text_width(one.text or "", size) for gap in apart if gap)


def test_a_drawing_too_small_for_numbers_shows_shapes_only() -> None:
    upright = replace(WHOLE, printed=PORTRAIT)
    drawing = ET.fromstring(draw_map(stacked().campaign, "Betio", frame=upright))
    assert not any(
        one.get("font-weight") == "700" and (one.text or "").isdecimal()
        for one in drawing.iter(f"{SVG}text")
    )
    signs = [one.get("class") for one in drawing.iter(f"{SVG}rect")]
    assert signs.count("paper marine-line") == 2  # the Isolated squad, and the legend


def test_the_sides_are_distinguished_by_shape_and_hatching() -> None:
    """Without colour: the Marines' stacks have corners, the Japanese are round; the Marines' areas
    are hatched inside a solid line, the Japanese line is dotted."""
    drawing = drawn(stacked())
    marks = {one.get("class", ""): one for one in drawing.iter(f"{SVG}rect")}
    assert marks["paper marine-line"].get("rx") is None
    assert float(marks["japanese halo"].get("rx", "0")) > 2
    lines = {one.get("class", ""): one for one in drawing.iter(f"{SVG}path")}
    assert lines["japanese-line border"].get("stroke-dasharray")
    assert lines["marine-line border"].get("stroke-dasharray") is None
    assert "japanese-line" not in lines  # its hatching
    assert "marine-line" in lines


def test_stacks_of_both_sides_in_a_hex_are_drawn_one_above_the_other() -> None:
    units = (squad("m-sq-1", "N19"), squad("j-sq-1", "N19"))
    drawing = drawn(begun(*units))
    (marine, japanese) = (
        next(one for one in drawing.iter(f"{SVG}rect") if one.get("class") == name)
        for name in ("paper marine-line", "japanese halo")
    )
    below = float(marine.get("y", "")) + float(marine.get("height", ""))
    assert float(japanese.get("y", "")) >= below - 0.11


def test_the_crowded_part_holds_most_stacks() -> None:
    frame = frame_with_most_hexes(["N50", "N51", "N60", "A1"])
    assert [
        frame.left < hex_center(hex)[0] < frame.left + frame.width for hex in ("N50", "A1")
    ] == [
        True,
        False,
    ]


# --- words ----------------------------------------------------------------------------------------

FRAMES = [
    WHOLE,
    replace(WHOLE, printed=PORTRAIT),
    frame_with_most_hexes(["N19"]),
    replace(WHOLE, printed=140),
]
LEGEND = [
    *(f"{side.label} {what}" for side in Side for what in ("units and vehicles", "Setup Area")),
    *(f"Isolated {side.label} Location" for side in Side),
]


def measured(font: str, words: list[str]) -> list[float]:
    """How wide words are in a font, in thousandths of its size, as what writes PDF sets them."""
    lines = [f'#set text(font: "{font}", size: 1000pt, fallback: false)']
    lines += [f'#context [#metadata(measure("{each}").width.pt()) <width>]' for each in words]
    found = json.loads(typst.query("\n".join(lines).encode(), "<width>", field="value"))
    return [float(width) for width in found]


@pytest.mark.parametrize("frame", FRAMES)
def test_no_word_of_the_legend_is_cut_or_overlaps(frame: MapFrame) -> None:
    drawing = ET.fromstring(draw_map(stacked().campaign, "Betio", frame=frame))
    lines: dict[str, list[ET.Element]] = {}
    for one in drawing.iter(f"{SVG}text"):
        if "legend" in one.get("class", ""):
            lines.setdefault(one.get("y", ""), []).append(one)
    assert sorted(one.text or "" for line in lines.values() for one in line) == sorted(LEGEND)
    sign = isolation_ring_size(frame)[0]
    for line in lines.values():
        starts = [float(one.get("x", "")) for one in line]
        widths = [text_width(one.text or "", float(one.get("font-size", ""))) for one in line]
        nexts = [*starts[1:], frame.left + frame.width + sign]
        for start, width, beyond in zip(starts, widths, nexts, strict=True):
            assert start + width + sign <= beyond


@pytest.mark.parametrize("font", ["Libertinus Serif", "Liberation Sans"])
def test_words_are_no_wider_than_calculated_in_any_font(font: str) -> None:
    """Libertinus in a PDF; in a page Liberation Sans, or Arial and Helvetica, which are as wide.
    (Where that is not installed, its words have no width.)"""
    words = [*LEGEND, *beach_label_positions(), "Front at the end of 20 AM", "M1 J2 0123456789 −+"]
    found = measured(font, words)
    reckoned = [1.001 * text_width(each, 1000) for each in words]
    assert [each for each in zip(words, found, reckoned, strict=True) if each[1] > each[2]] == []


def test_beach_names_do_not_overlap_anything() -> None:
    at_sea = frozenset({"T26", "U11", "C30"})
    spots = beach_label_positions(at_sea)
    assert len(spots) == 6
    boxes = {}
    for name, (x, y) in spots.items():
        half = text_width(name, BEACH_NAME) / 2
        boxes[name] = (x - half, y - BEACH_NAME / 2, x + half, y + BEACH_NAME / 2)
        for hex in locations.hexes_in_play():
            if hex in at_sea or locations.terrain_of(hex) is not locations.TerrainType.OCEAN:
                across, down = hex_center(hex)
                beside = abs(across - x) > half + WIDTH / 2
                assert beside or abs(down - y) > (BEACH_NAME + HEIGHT) / 2, (name, hex)
    for one, other in combinations(boxes.values(), 2):
        assert one[2] < other[0] or other[2] < one[0] or one[3] < other[1] or other[3] < one[1]
