"""A screen is styled once, and again only where colours change."""

from brt_cg.tui.look.themes import OURS
from tests.tui.moments import opened, press


async def test_a_new_theme_colors_the_screen_and_the_rooms_behind_it(demo_file) -> None:
    async with opened(demo_file) as (app, pilot):
        await press(pilot, "r", "d")
        before = app.screen.styles.background
        app.theme = next(theme.name for theme in OURS if theme.dark is not app.current_theme.dark)
        for room in "dr":
            await press(pilot, room)
            assert app.screen.styles.background != before, room
