"""Only what has changed is laid out, styled and painted."""

from pathlib import Path

import pytest
from textual.css.stylesheet import Stylesheet
from textual.scrollbar import ScrollBar
from textual.strip import Strip

from brt_cg.tui.look.signs import SignSet
from tests.tui.helpers import settled
from tests.tui.moments import opened, press


async def test_an_unchanged_bar_is_not_drawn_again(
    demo_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[ScrollBar] = []
    async with opened(demo_file, room="forces") as (app, pilot):
        bar = app.screen.query_one("#counters").vertical_scrollbar
        with monkeypatch.context() as patch:
            patch.setattr(ScrollBar, "refresh", lambda bar, *_, **__: drawn.append(bar))
            await press(pilot, "down", "down")
        assert bar not in drawn
        before = bar.window_size
        await pilot.resize_terminal(120, 40)
        assert bar.window_size > before


@pytest.mark.each_frame  # which it counts
async def test_an_unchanged_line_is_not_filtered_again(
    demo_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = []
    filtered = Strip.apply_filter

    def noted(self: Strip, filter: object, background: object) -> Strip:
        known = (filter, background) in self._filter_cache
        made.extend([] if known else [self])
        return filtered(self, filter, background)

    async with opened(demo_file, room="forces") as (app, pilot):
        monkeypatch.setattr(Strip, "apply_filter", noted)
        app.screen.refresh()
        await settled(pilot)
        assert len(made) <= app.size.height
        before = app.get_line_filters()
        assert app.get_line_filters() == before
        app.use_signs(SignSet.PLAIN)
        assert app.get_line_filters() != before


async def test_styles_are_parsed_once_before_the_first_screen(
    demo_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[object] = []
    reparse = Stylesheet.reparse
    monkeypatch.setattr(Stylesheet, "reparse", lambda self: (read.append(self), reparse(self)))
    async with opened(demo_file) as (app, _):
        assert app.screen.styles.background.a
        assert read == []
