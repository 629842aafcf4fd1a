"""No seat does what the table of rights does not give it, whatever key or palette entry it takes:
all that it enters is judged by the same table as a mail from that seat."""

from collections import Counter
from itertools import zip_longest
from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import Input

from brt_cg.journal.journal import Journal
from brt_cg.model.counters import Side
from brt_cg.model.seat import Seat, seat_of_side
from brt_cg.questions.answers import RefusedError
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.service.unrestricted import unrestricted_campaign
from brt_cg.tui.app import BrtApp
from brt_cg.tui.keys.actions import ACTIONS, EVERYWHERE, HOME, ROOMS, SCENARIO_END, Action
from brt_cg.views.sender import SenderCheck
from tests.settings import count
from tests.tui.helpers import SMALL, settled
from tests.tui.moments import played, to_room

# Where Enter goes on to the totals, which are an action of their own.
GO_ON = {"totals", "import", "numbers"}
ENDS = {"quit", "command_palette", "help"}
LOOKS = {HOME, "dashboard", "map", "aids", "forecast"}  # rooms in which nothing is entered
MOST = 4  # boxes over a room
WHERE = [place for place in ROOMS if place not in LOOKS]


def entered_by(path: Path, seat: Seat, since: int) -> int:
    """How many entries a seat has made since; fails for any that it may not make."""
    entries = unrestricted_campaign(OpenCampaign.open_read_only(path)).entries
    book = Journal(lambda: "")
    book.load(entries[:since])
    check = SenderCheck(book, seat, Counter())
    for entry, following in zip_longest(entries[since:], entries[since + 1 :]):
        try:
            check.check_entry(entry, following)
        except RefusedError as refused:
            pytest.fail(f"{entry.text}: {refused}")
        book.load([entry])
    return len(entries) - since


def actions(place: str) -> list[Action]:
    """What a player can take in a room: its own actions, and in one room those of everywhere that
    lead to no room."""
    own = {place, EVERYWHERE} if place == WHERE[0] else {place}
    left = {*ENDS, *ROOMS, *(each.name for each in ACTIONS if each.moves)}
    return [each for each in ACTIONS if each.place in own and each.name not in left]


async def takes(app: BrtApp, pilot: Pilot[int], place: str, action: Action) -> None:
    """Takes an action in its room, and goes on with whatever it asks, by Enter and y."""
    if app.current_mode != place:
        await to_room(pilot, place)
    target = app if action.place == EVERYWHERE else app.screen
    if not target.check_action(action.name, ()):
        return
    await app.run_action(action.click_action)
    await settled(pilot)
    if action.place != SCENARIO_END or action.name in GO_ON:
        await pilot.press("enter", "y", "6", "enter")
    elif isinstance(app.focused, Input):
        await pilot.press("6", "enter")
    for _ in range(MOST):
        if len(app.screen_stack) == 1:
            break
        await pilot.press("escape", "y")
    await settled(pilot)


@pytest.mark.parametrize(
    ("side", "through"),
    [(Side.JAPANESE, "15.6111"), (Side.MARINE, None), (Side.MARINE, "15.601")][: count(2, 3)],
)
async def test_every_seat_enters_only_what_it_may(
    demo_file: Path, side: Side, through: str | None
) -> None:
    path = played(demo_file, through)
    since, seat = (
        len(unrestricted_campaign(OpenCampaign.open_read_only(path)).entries),
        seat_of_side(side),
    )
    app = BrtApp(path, served=True, seat=side)
    async with app.run_test(size=SMALL) as pilot:
        await settled(pilot)
        for place in WHERE:
            for action in actions(place):
                await takes(app, pilot, place, action)
                assert app.is_running, action.id
    assert entered_by(path, seat, since) > 0
