"""The colours of the map: a tint for each kind of ground and its holder, in three shades, so that
neighbours always differ.

A terminal of 256 colours would merge the shades, so it has a table of its own. Without colours each
shade is a pattern.
"""

from enum import StrEnum
from functools import cache

from brt_cg.board import TerrainType
from brt_cg.counters import Side

Rgb = tuple[int, int, int]
Three = tuple[int, int, int]

# In the dark and the light themes.
GROUND: dict[TerrainType, tuple[Rgb, Rgb]] = {
    TerrainType.OCEAN: ((24, 38, 52), (190, 212, 226)),
    TerrainType.BEACH: ((92, 82, 58), (236, 222, 180)),
    TerrainType.LAND: ((50, 58, 46), (214, 220, 196)),
    TerrainType.PIER: ((84, 66, 52), (206, 186, 164)),
}
HELD: dict[Side, tuple[Rgb, Rgb]] = {
    Side.MARINE: ((52, 110, 148), (98, 158, 196)),
    Side.JAPANESE: ((150, 92, 44), (226, 160, 98)),
}


class Mark(StrEnum):
    """The ways in which a hex stands out: it may be pointed at or is painted; it was pointed at, or
    is within the arc that is drawn."""

    LIT = "lit"
    DRAWN = "drawn"


MARKS: dict[Mark, tuple[Rgb, Rgb]] = {
    Mark.LIT: ((206, 190, 120), (150, 110, 20)),
    Mark.DRAWN: ((196, 110, 150), (176, 60, 110)),
}
STEP = (7, 9)  # the step from one shade to the next
PATTERNS: dict[TerrainType, str] = {
    TerrainType.OCEAN: " ~-",
    TerrainType.BEACH: ".:,",
    TerrainType.LAND: " '`",
    TerrainType.PIER: "=#≡",
}
MARK_PATTERNS: dict[Mark, str] = {Mark.LIT: "+", Mark.DRAWN: "*"}
HELD_PATTERNS: dict[Side, str] = {Side.MARINE: "/|\\", Side.JAPANESE: "░▒▓"}
# The same for 256 colours: three chosen for each tint, since the nearest ones would merge.
# By dark theme or not, by holder: ocean, beach, land, pier.
OF_256: dict[bool, dict[Side | None, tuple[Three, Three, Three, Three]]] = {
    True: {
        None: ((16, 17, 18), (58, 94, 100), (22, 236, 238), (59, 95, 101)),
        Side.MARINE: ((16, 17, 18), (66, 67, 102), (23, 24, 60), (61, 68, 103)),
        Side.JAPANESE: ((16, 17, 18), (101, 137, 138), (58, 94, 95), (52, 88, 131)),
    },
    False: {
        None: ((153, 189, 195), (187, 223, 229), (151, 193, 194), (181, 188, 224)),
        Side.MARINE: ((153, 189, 195), (109, 116, 152), (110, 146, 147), (103, 139, 182)),
        Side.JAPANESE: ((153, 189, 195), (187, 222, 223), (179, 180, 216), (173, 174, 209)),
    },
}
OF_256_MARKED: dict[Mark, dict[bool, Three]] = {
    Mark.LIT: {True: (178, 184, 220), False: (136, 172, 178)},
    Mark.DRAWN: {True: (132, 169, 168), False: (168, 205, 169)},
}


@cache
def shades(
    terrain: TerrainType, holder: Side | None, mark: Mark | None, dark: bool
) -> tuple[Rgb, ...]:
    """The three shades of a tint for a terminal with full colour."""
    which = 0 if dark else 1
    base = GROUND[terrain][which]
    if holder is not None:
        base = _mixed(base, HELD[holder][which], 0.42)
    if mark is not None:
        base = _mixed(base, MARKS[mark][which], 0.55)
    step = STEP[which]
    return tuple(_lighter(base, (shade - 1) * step) for shade in range(3))


def in_palette(terrain: TerrainType, holder: Side | None, mark: Mark | None, dark: bool) -> Three:
    """The three shades of a tint among the 256 colours."""
    if mark is not None:
        return OF_256_MARKED[mark][dark]
    return OF_256[dark][holder][[*GROUND].index(terrain)]


def pattern(terrain: TerrainType, holder: Side | None, mark: Mark | None, shade: int) -> str:
    """The fill of a hex without colours."""
    if mark is not None:
        return MARK_PATTERNS[mark]
    return (HELD_PATTERNS[holder] if holder else PATTERNS[terrain])[shade]


@cache
def palette_rgb(number: int) -> Rgb:
    """A colour of the 256, from 16 on: a cube of six levels, then greys."""
    if number >= 232:
        grey = 8 + 10 * (number - 232)
        return grey, grey, grey
    levels = (0, 95, 135, 175, 215, 255)
    red, rest = divmod(number - 16, 36)
    return levels[red], levels[rest // 6], levels[rest % 6]


def ink(ground: Rgb) -> Rgb:
    """A readable colour for letters on a ground."""
    return (236, 232, 220) if is_dark(ground) else (32, 30, 24)


def is_dark(ground: Rgb) -> bool:
    """Whether light letters are easier to read on a ground than dark ones."""
    return 0.299 * ground[0] + 0.587 * ground[1] + 0.114 * ground[2] < 112


def _mixed(first: Rgb, second: Rgb, share: float) -> Rgb:
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(first, second, strict=True))
    return red, green, blue


def _lighter(colour: Rgb, by: int) -> Rgb:
    red, green, blue = (max(0, min(255, part + by)) for part in colour)
    return red, green, blue
