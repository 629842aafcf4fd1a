"""All answers of a box can be seen, however much there is to read above them."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from brt_cg.model import Side
from brt_cg.storage.backups import Backup, BackupReason
from brt_cg.tui.dialogs.campaign_file import KEYS, WHICH, _row_text
from brt_cg.tui.dialogs.choice import ChoiceScreen, ConfirmScreen, Reply, seat_dialog
from brt_cg.tui.dialogs.dialog import Dialog
from brt_cg.tui.forms.mail import ABOUT, WAYS
from brt_cg.tui.keys.actions import REFIT
from brt_cg.tui.lists.row_lists import RowList
from brt_cg.tui.rooms.refit.wording import how_far_dialog
from tests.tui.helpers import SMALL, screen_text
from tests.tui.moments import opened, played

LONG = "\n".join(f"line {number} of what there is to read" for number in range(60))
ANSWER = "an answer with so many words that it does not fit into one row of a box on a small screen"


def replies(many: int, words: str) -> list[Reply[int]]:
    return [Reply(at, key, f"{at}: {words}") for at, key in zip(range(many), KEYS, strict=False)]


def backups() -> list[Reply[Backup]]:
    """Ten backups, in the longest words."""
    made = "2026-11-29 10:30"
    each = Backup(Path("b"), 9, BackupReason.BEFORE_RESTORE, made, "Nov20AM", "purchase", 12345)
    return [Reply(each, key, _row_text(each, None)) for key in KEYS]


BOXES: dict[str, Callable[[], Dialog[Any]]] = {
    "two": lambda: ConfirmScreen("Sure?", LONG, replies(2, "an answer")),
    "two, long": lambda: ConfirmScreen("Sure?", LONG, replies(2, ANSWER)),
    "four, long": lambda: ChoiceScreen("Which?", LONG, replies(4, ANSWER)),
    "ten": lambda: ChoiceScreen("Which?", LONG, replies(10, "an answer")),
    "ten, no words": lambda: ChoiceScreen("Which?", "", replies(10, "an answer")),
    "backups": lambda: ChoiceScreen("Backups", WHICH, backups()),
    "mail": lambda: ChoiceScreen("Mail", ABOUT, WAYS),
    "seats": lambda: seat_dialog({"marine": "A player", "japanese": "Another"}, Side.MARINE),
}


@pytest.mark.parametrize("name", BOXES)
async def test_every_answer_of_a_box_is_visible(demo_file: Path, name: str) -> None:
    async with opened(demo_file, size=SMALL) as (app, pilot):
        await app.push_screen(BOXES[name]())
        await pilot.pause()
        _all_in_view(app.screen, screen_text(app))


async def test_every_answer_of_the_box_of_key_g_is_visible(demo_file: Path) -> None:
    async with opened(played(demo_file, "15.601"), None, REFIT, size=SMALL) as (app, pilot):
        await pilot.press("g")
        await pilot.pause()
        box = how_far_dialog(app.session.current_snapshot, "Bombardment", None)
        await app.push_screen(box)
        await pilot.pause()
        _all_in_view(box, screen_text(app))


async def test_digits_select_the_row_with_that_number(demo_file: Path) -> None:
    async with opened(demo_file, size=SMALL, notifications=True) as (app, pilot):
        box = ChoiceScreen("Which?", "", [Reply(at, "", f"row {at}") for at in range(1, 13)])
        await app.push_screen(box)
        await pilot.pause()
        listed = box.query_one(RowList)
        for digit, row in (("3", 3), ("1", 1), ("2", 12), ("9", 9)):
            await pilot.press(digit)
            assert listed.highlighted == row - 1
        await pilot.press("0")
        assert listed.highlighted == 8
        assert "0: there are only 12 rows." in screen_text(app)


def _all_in_view(box: Dialog[Any], text: str) -> None:
    listed = box.query_one(RowList)
    assert listed.region in box.region
    assert listed.virtual_size.height <= listed.scrollable_content_region.height, "some scroll away"
    assert listed.scrollable_content_region in box.query_one("#box").region
    for number in range(listed.option_count):
        words = str(listed.get_option_at_index(number).prompt).split()[-2:]
        assert all(word in text for word in words)
