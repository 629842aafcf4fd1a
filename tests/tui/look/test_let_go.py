"""What is behind another room keeps no drawn lines."""

from pathlib import Path
from typing import Any

import pytest

from tests.tui.helpers import settled
from tests.tui.moments import opened, play, press


def drawn_lines(screen: Any) -> int:
    """How many lines Textual keeps of what is in a screen."""
    return sum(len(each._styles_cache._cache) for each in screen.walk_children(with_self=True))


@pytest.mark.each_frame
async def test_rooms_in_the_background_keep_no_drawn_lines(demo_file: Path) -> None:
    play(demo_file, None)
    async with opened(demo_file) as (app, pilot):
        await settled(pilot)
        rooms = [app.screen]
        for key in "fjm":
            await press(pilot, key)
            await settled(pilot)
            rooms.append(app.screen)
        assert len({*rooms}) == 4
        assert [drawn_lines(room) for room in rooms[:-1]] == [0, 0, 0]
        assert drawn_lines(rooms[-1]) > 20
        await press(pilot, "?")
        assert drawn_lines(rooms[-1]) > 20, "it is seen behind a dialog"
