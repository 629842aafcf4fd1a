"""Signs: none is an emoji or two cells wide, and each has a plain one."""

import unicodedata
from collections.abc import Iterator
from pathlib import Path

import pytest
from rich.cells import cell_len
from textual._border import BORDER_CHARS

import brt_cg
from brt_cg.tui.app import BrtApp
from brt_cg.tui.keys.actions import ROOMS, SCENARIO_END
from brt_cg.tui.look.signs import PAIRS, PLAIN, SignSet, choose_sign_set, with_plain_signs
from brt_cg.tui.map.island_map import IslandMap
from brt_cg.tui.memory.recent import load_memory
from tests.tui.helpers import MIDDLE, screen_text, settled
from tests.tui.moments import opened, played, to_room

HOUSE = Path(brt_cg.__file__).parent
# In files and pipes, not on the screen.
ELSEWHERE = {HOUSE / "exports" / "writers", HOUSE / "cli", HOUSE / "signs.toml"}
EMOJI = (  # of the plane of letters and signs, as Unicode lists them
    "203C 2049 2122 2139 2194-2199 21A9-21AA 231A-231B 2328 23CF 23E9-23F3 23F8-23FA 24C2 "
    "25AA-25AB 25B6 25C0 25FB-25FE 2600-2604 260E 2611 2614-2615 2618 261D 2620 2622-2623 "
    "2626 262A 262E-262F 2638-263A 2640 2642 2648-2653 265F-2660 2663 2665-2666 2668 267B "
    "267E-267F 2692-2697 2699 269B-269C 26A0-26A1 26A7 26AA-26AB 26B0-26B1 26BD-26BE "
    "26C4-26C5 26C8 26CE-26CF 26D1 26D3-26D4 26E9-26EA 26F0-26F5 26F7-26FA 26FD 2702 2705 "
    "2708-270D 270F 2712 2714 2716 271D 2721 2728 2733-2734 2744 2747 274C 274E 2753-2755 "
    "2757 2763-2764 2795-2797 27A1 27B0 27BF 2934-2935 2B05-2B07 2B1B-2B1C 2B50 2B55 3030 "
    "303D 3297 3299 "
)


def used() -> Iterator[tuple[str, str]]:
    """Yields each sign that the screen may draw, with where it is written."""
    for path in sorted(HOUSE.rglob("*")):
        if path.suffix in (".py", ".toml", ".tcss") and ELSEWHERE.isdisjoint((path, *path.parents)):
            for sign in {*path.read_text("utf-8")}:
                if not sign.isascii():
                    yield sign, str(path.relative_to(HOUSE))
    for rows in BORDER_CHARS.values():
        for sign in {sign for row in rows for sign in row if not sign.isascii()}:
            yield sign, "the frames of Textual"


def is_emoji(sign: str) -> bool:
    for span in EMOJI.split():
        first, _, last = span.partition("-")
        if int(first, 16) <= ord(sign) <= int(last or first, 16):
            return True
    return ord(sign) >= 0x1F000


def test_each_symbol_has_an_ascii_form() -> None:
    assert sorted({(sign, path) for sign, path in used() if sign not in PLAIN} - PAIRED) == []


PAIRED = {(sign, path) for sign, path in used() if any(sign in pair for pair in PAIRS)}


def test_no_symbol_is_an_emoji_or_two_cells_wide() -> None:
    wide = {(s, path) for s, path in used() if unicodedata.east_asian_width(s) in "WF"}
    assert sorted(wide) == []
    assert sorted({(sign, path) for sign, path in used() if is_emoji(sign)}) == []
    assert {cell_len(sign) for sign in PLAIN} == {1}


def test_plain_symbols_are_ascii_and_equally_wide() -> None:
    assert all(len(sign) == 1 and sign.isascii() for sign in PLAIN.values())
    assert all(len(pair) == len(drawn) and drawn.isascii() for pair, drawn in PAIRS.items())
    assert with_plain_signs("★ 1½ squads · DR ≤ 6 → Red One…") == "* 1h squads - DR <=6 > Red One."


@pytest.mark.parametrize(
    ("wanted", "environ", "system", "found"),
    [
        (None, {}, "linux", SignSet.FULL),
        (None, {}, "win32", SignSet.PLAIN),
        (None, {"WT_SESSION": "1"}, "win32", SignSet.FULL),
        (None, {"TERM_PROGRAM": "vscode"}, "win32", SignSet.FULL),
        (None, {"LANG": "ja_JP.UTF-8"}, "linux", SignSet.PLAIN),
        (None, {"LANG": "ja_JP.UTF-8", "LC_ALL": "en_US.UTF-8"}, "linux", SignSet.FULL),
        ("plain", {}, "linux", SignSet.PLAIN),
        ("full", {}, "win32", SignSet.FULL),
        ("plain", {"BRT_CG_SIGNS": "full"}, "win32", SignSet.FULL),
        ("full", {"BRT_CG_SIGNS": "plain"}, "linux", SignSet.PLAIN),
        ("other", {"BRT_CG_SIGNS": "no"}, "linux", SignSet.FULL),
    ],
)
def test_the_symbol_set_is_chosen_by_variable_then_player_then_terminal(
    wanted: str | None, environ: dict[str, str], system: str, found: SignSet
) -> None:
    assert choose_sign_set(wanted, environ, system) is found


def not_ascii(app: BrtApp) -> list[str]:
    return sorted({sign for sign in screen_text(app) if not sign.isascii() and sign != "\n"})


async def test_with_plain_symbols_every_room_is_ascii(demo_file: Path) -> None:
    async with opened(played(demo_file, "15.6111"), size=MIDDLE) as (app, pilot):
        app.use_signs(SignSet.PLAIN)
        for room in ROOMS:
            if room != SCENARIO_END:
                await to_room(pilot, room)
                assert not_ascii(app) == [], room


async def test_textual_draws_no_emoji_either(demo_file: Path) -> None:
    async with opened(demo_file, room="home") as (app, pilot):
        for key in ("O", "ctrl+p"):
            await pilot.press(key)
            await pilot.pause(0.2)
            assert app.screen.is_modal
            assert [sign for sign in not_ascii(app) if is_emoji(sign)] == []
            await pilot.press("escape")
        app.use_signs(SignSet.PLAIN)
        await pilot.press("O")
        await pilot.pause(0.2)
        assert not_ascii(app) == []


async def test_the_players_choice_of_symbols_is_remembered(demo_file: Path) -> None:
    async with opened(demo_file) as (app, pilot):
        assert "●" in screen_text(app)
        for room in ("map", "forces", "dashboard"):
            await to_room(pilot, room)
        await app.run_action("next_signs")
        await settled(pilot)
        assert screen_text(app).isascii()
        for room in ("forces", "map"):  # which were drawn before
            await to_room(pilot, room)
            assert not_ascii(app) == [], room
        assert app.screen.query_one(IslandMap).drawing.whole
        assert load_memory().signs == "plain"
    async with opened(demo_file) as (app, _):
        assert app.signs is SignSet.PLAIN
