"""The rules of style: read once, and again only where colours change."""

import pytest
from textual.css import stylesheet

from brt_cg.tui.look import stylesheet as ours
from brt_cg.tui.look.themes import OURS
from tests.tui.moments import opened, press


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[tuple[object, ...]]:
    """Every source of rules that is read, in order: whose they are, their text, where they stand,
    their weight."""
    found: list[tuple[object, ...]] = []
    parse = stylesheet.parse

    def counted(*what: object, tie_breaker: int, **how: object) -> object:
        found.append((*what, tie_breaker))
        return parse(*what, tie_breaker=tie_breaker, **how)  # type: ignore[arg-type]

    monkeypatch.setattr(stylesheet, "parse", counted)
    monkeypatch.setattr(ours, "_READ", {})
    return found


async def test_the_first_visit_to_a_room_reads_no_rules_twice(demo_file, read) -> None:
    async with opened(demo_file) as (_, pilot):
        for key in "rfbd":
            await press(pilot, key)
    assert read
    assert len(read) == len(set(read))


async def test_another_theme_colours_the_screen_and_the_rooms_behind_it(demo_file) -> None:
    async with opened(demo_file) as (app, pilot):
        await press(pilot, "r", "d")
        before = app.screen.styles.background
        app.theme = next(theme.name for theme in OURS if theme.dark is not app.current_theme.dark)
        for room in "dr":
            await press(pilot, room)
            assert app.screen.styles.background != before, room
