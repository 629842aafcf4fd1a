"""Two players at one screen: a curtain between their secrets."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from textual import events
from textual._context import active_app
from textual.message import Message
from textual.pilot import Pilot
from textual.widgets import Input

from brt_cg.journal.entries import Entry
from brt_cg.model.counters import Side
from brt_cg.model.records import Phase
from brt_cg.model.seat import Seat
from brt_cg.model.visibility import secret_of
from brt_cg.questions.answers import RefusedError
from brt_cg.questions.dice import SeededDice
from brt_cg.refit.sequence import last_paragraph_beginning_with
from brt_cg.service.answer_supply import AnswerSupply
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.service.unrestricted import unrestricted_campaign
from brt_cg.tui.answering.playback import CAN_REDO, ONE_CAN_REDO, SECRET_TOO
from brt_cg.tui.app import BrtApp
from brt_cg.tui.dialogs.choice import ChoiceScreen
from brt_cg.tui.dialogs.curtain import TOO_EARLY, CurtainScreen, PinScreen
from brt_cg.tui.dialogs.likely_rulings import LikelyRulingsScreen
from tests.settings import count
from tests.tui import clock
from tests.tui.helpers import MIDDLE, PATIENCE, SMALL, screen_lines, screen_text, settled, until
from tests.tui.moments import SEED, play, played, press

MOST = 400  # steps of a phase
CURTAINS = count(ci=12, full=MOST)  # after which enough has been seen of it


@asynccontextmanager
async def for_two(path: Path) -> AsyncIterator[tuple[BrtApp, Pilot[int]]]:
    """The campaign on one screen for two players."""
    app = BrtApp(path)
    async with app.run_test(size=SMALL, notifications=True) as pilot:
        await until(pilot, lambda: "Which seat?" in screen_text(app))
        await pilot.press("t")
        await settled(pilot)
        yield app, pilot


def in_one_line(app: BrtApp) -> str:
    """What the screen shows, without frames and line ends."""
    return " ".join(screen_text(app).translate(dict.fromkeys(map(ord, "│║"), " ")).split())


def curtain(app: BrtApp) -> CurtainScreen | None:
    return app.screen if isinstance(app.screen, CurtainScreen) else None


async def until_curtain_of(whose: Side | None, pilot: Pilot[int]) -> None:
    """Wait until the curtain of a side is drawn, or the question who looks."""
    app = pilot.app
    assert isinstance(app, BrtApp)

    def is_drawn() -> bool:
        front = curtain(app)
        return front is not None and front.whose is whose and front.was_drawn_before(Message().time)

    await until(pilot, is_drawn, f"the curtain of {whose}")


def at_each_frame(
    patch: pytest.MonkeyPatch, app: BrtApp, look: Callable[[], None], before: Callable[[], None]
) -> None:
    """Looks at each frame of an app once it is drawn, and at what was there `before` it was."""
    draw = clock.draw

    def looked_at() -> None:
        here = active_app.get() is app and app.is_running and bool(app.screen_stack)
        if here:
            before()
        draw()
        if here:
            look()

    patch.setattr(clock, "draw", looked_at)


def frames_of_boxes(patch: pytest.MonkeyPatch, app: BrtApp) -> list[bool]:
    """For each frame from now on in which a box asks who looks: whether nothing else is told."""
    asked = list[bool]()

    def look() -> None:
        if isinstance(app.screen, (ChoiceScreen, PinScreen)):
            now = app.session.seen
            asked.append(now is not None and now.shows_shared_table and not app._notifications)

    at_each_frame(patch, app, look, lambda: None)
    return asked


PALETTE_SEAT = ("ctrl+p", *"seat", "enter")
LEAVES = [("escape",), ("o", "escape"), ("m", "escape"), ("t",)]
# By the palette too, which only the full search leaves in each way.
WAYS = [(keys, then) for keys in (("s",), PALETTE_SEAT) for then in LEAVES]
SOME = count(ci=len(LEAVES) + 1, full=len(WAYS))


@pytest.mark.each_frame
@pytest.mark.parametrize("room", "fjmbp"[: count(ci=1, full=5)])
@pytest.mark.parametrize(("keys", "then"), WAYS[:SOME])
async def test_handing_over_the_screen_leaves_no_secret_on_it(
    demo_file: Path,
    monkeypatch: pytest.MonkeyPatch,
    room: str,
    keys: tuple[str, ...],
    then: tuple[str, ...],
) -> None:
    """Neither in the frame that asks whose eyes, nor behind it, nor once it is left."""
    async with for_two(demo_file) as (app, pilot):
        app.two_players.shared_screen_settings.set_pin(Side.MARINE, "4711")
        await press(pilot, room, "j")
        seat = app.session.seen
        assert seat is not None
        assert seat.seat is Side.JAPANESE
        app.show_warning("j-cr-7 is hidden")
        asked = frames_of_boxes(monkeypatch, app)
        await press(pilot, *keys)
        assert curtain(app) is not None
        assert not app._notifications
        assert "· Japanese" not in app.window_title
        await press(pilot, *then)
        assert asked
        assert all(asked), "a box asks while the first player's seat is still shown"
        now = await settled(pilot)
        assert now.shows_shared_table
        assert len(app.screen_stack) == 1
        assert "Seat: the table" in screen_text(app)


@pytest.mark.each_frame
@pytest.mark.parametrize("room", "bfjmp"[: count(ci=1, full=5)])
@pytest.mark.parametrize("seat", ["j", "u"][: count(ci=1, full=2)])
@pytest.mark.parametrize(
    ("keys", "then"), [*WAYS[: count(ci=1, full=len(WAYS))], (PALETTE_SEAT, ("u", "escape"))]
)
async def test_with_a_pin_looking_alone_leaves_no_secret_to_the_next_player(
    demo_file: Path,
    monkeypatch: pytest.MonkeyPatch,
    room: str,
    seat: str,
    keys: tuple[str, ...],
    then: tuple[str, ...],
) -> None:
    """Neither behind "Which seat?", nor behind the PIN, nor for who leaves both."""
    async with BrtApp(demo_file).run_test(size=SMALL, notifications=True) as pilot:
        app = pilot.app
        assert isinstance(app, BrtApp)
        await until(pilot, lambda: "Which seat?" in screen_text(app))
        await press(pilot, seat, room)
        app.two_players.shared_screen_settings.set_pin(Side.MARINE, "4711")
        app.show_warning("j-cr-7 is hidden")
        asked = frames_of_boxes(monkeypatch, app)
        await press(pilot, *keys)
        assert app.window_title.endswith("The table")
        await press(pilot, *then)
        assert asked
        assert all(asked), "a box asks while the first player's seat is still shown"
        assert (await settled(pilot)).shows_shared_table
        assert len(app.screen_stack) == 1


@pytest.mark.each_frame
@pytest.mark.parametrize("room", "rf" if count(ci=0, full=1) else "f")
@pytest.mark.parametrize("box", [(), ("w",), ("question_mark",)])
async def test_a_curtain_lowered_by_another_window_closes_open_boxes(
    demo_file: Path, monkeypatch: pytest.MonkeyPatch, room: str, box: tuple[str, ...]
) -> None:
    """In the first frame already; and whoever looks next finds nothing that was typed."""
    path = played(demo_file, "15.601")
    async with for_two(path) as (app, pilot):
        await press(pilot, "j", room, *box)
        assert (await settled(pilot)).seat is Side.JAPANESE
        left, first = list[str](), [*app.screen_stack[1:]]
        assert bool(first) is bool(box)

        def look() -> None:
            if app.session.seen is not None and app.session.seen.shows_shared_table:
                left.extend(str(each) for each in first if each in app.screen_stack)
                left.extend([app.current_mode] if app.current_mode != "refit" else [])

        at_each_frame(monkeypatch, app, look, lambda: None)
        play(path, "15.602")
        await app._catch_up()
        assert (await settled(pilot)).shows_shared_table
        await pilot.pause()
        assert not left
        assert not [notice for notice in app._notifications if "j-" in notice.message]
        for late in first:
            _ = late.dismiss(None)
        assert len(app.screen_stack) == 1 + (curtain(app) is not None), "a late form closes nothing"


async def test_a_picture_made_before_the_curtain_fell_is_not_shown(demo_file: Path) -> None:
    async with for_two(demo_file) as (app, pilot):
        session = app.session
        await press(pilot, "f", "j")
        before, looked = await settled(pilot), session._looked
        assert session.hot is not None
        assert session._desk is not None
        turn = session.hot.turn
        await press(pilot, "s")
        session.hot.turn = turn  # as while long work goes on
        session._show(session._desk, before, looked)
        assert session.seen is not None
        assert session.seen.shows_shared_table


async def test_search_text_is_cleared_when_the_curtain_falls(demo_file: Path) -> None:
    async with for_two(demo_file) as (app, pilot):
        await press(pilot, "f", "j", "slash", *"matsuo", "enter", "s", "t", "f", "j")
        assert app.current_mode == "forces"
        assert "matsuo" not in screen_text(app)


async def test_a_falling_curtain_keeps_typed_text_for_its_owner(demo_file: Path) -> None:
    async with for_two(demo_file) as (app, pilot):
        await press(pilot, "j", "m")  # the Journal, for the Marine player
        await pilot.press("t", *"dig in")
        await app.session.lift_or_lower_curtain(None)
        await settled(pilot)
        assert "dig in" not in screen_text(app)
        assert len(app.screen_stack) == 1
        await press(pilot, "j", "j", "t")
        assert "dig in" not in screen_text(app), "the Japanese player sees nothing of it"
        for key in ("escape", "s", "m"):
            await press(pilot, key)
        await until(pilot, lambda: "was not stored" in screen_text(app))
        await press(pilot, "j", "t")
        assert app.screen.query_one("#words", Input).value == "dig in"


async def test_the_next_player_sees_no_result_or_refusal_of_earlier_work(
    demo_file: Path,
) -> None:
    async with for_two(demo_file) as (app, pilot):
        await press(pilot, "f", "j")
        session, goes_on, told = app.session, Event(), list[str]()

        def refuse(desk: OpenCampaign) -> None:
            goes_on.wait(PATIENCE)
            raise RefusedError("j-cr-7 is hidden")

        app.perform(lambda desk: str(goes_on.wait(PATIENCE)), told.append)
        app.perform(refuse, refused=told.append)
        app.perform(refuse)
        app.action_seat()
        for _ in range(20):
            await asyncio.sleep(0)
        assert session.hot is not None
        assert session.hot.lifted is None
        goes_on.set()
        assert (await settled(pilot)).shows_shared_table
        assert not told
        assert not app._notifications


async def test_entering_the_pin_returns_to_the_same_room(demo_file: Path) -> None:
    async with BrtApp(demo_file).run_test(size=SMALL, notifications=True) as pilot:
        app = pilot.app
        assert isinstance(app, BrtApp)
        await until(pilot, lambda: "Which seat?" in screen_text(app))
        await press(pilot, "j", "f")
        app.two_players.shared_screen_settings.set_pin(Side.JAPANESE, "4711")
        await press(pilot, "s", "j", *"4711", "enter")
        assert (await settled(pilot)).seat is Side.JAPANESE
        assert app.session.hot is None
        assert app.current_mode == "forces"


class Eyes:
    """Looks at each frame for what those before the screen must not read."""

    def __init__(self, app: BrtApp) -> None:
        self.app, self.found = app, list[str]()
        self.is_new = True  # what is drawn now
        self.read, self.known = 0, dict[Side, set[str]]()  # of how many entries, the secrets
        self.looked = {"the table": 0, **{side.value: 0 for side in Side}}
        self.secret_from_the_start = {side: self._hidden(side) for side in Side}

    @property
    def _desk(self) -> OpenCampaign:
        desk = self.app.session._desk
        assert desk is not None
        return desk

    def _hidden(self, side: Side) -> set[str]:
        campaign = unrestricted_campaign(self._desk).campaign
        return {each.id for each in campaign.counters() if secret_of(campaign, each) is side}

    def secrets(self, side: Side) -> set[str]:
        """Ids and names that the enemy has never known, and sentences of the log that he may not
        read."""
        entries: list[Entry] = [*unrestricted_campaign(self._desk).entries]
        said = [line for entry in entries for line in entry.said]
        known = {line.text for line in said if line.secret is not side}
        lines = {line.text for line in said if line.secret is side} - known
        hidden = self.secret_from_the_start[side] & self._hidden(side)
        return hidden | self._names(side, hidden) | lines

    def _names(self, side: Side, hidden: set[str]) -> set[str]:
        """The names that only hidden counters have."""
        bearers = [
            each for each in unrestricted_campaign(self._desk).campaign.counters() if each.name
        ]
        known = {each.name for each in bearers if each.id not in hidden}
        return {str(each.name) for each in bearers if each.id in hidden} - known

    def before(self) -> None:
        """Whether the frame to be drawn is a new one."""
        self.is_new |= bool(self.app.screen._compositor._dirty_regions)

    def look(self) -> None:
        """Looks at a frame that nobody has looked at."""
        app = self.app
        seen = app.session.seen
        if not self.is_new or seen is None or app.session.busy:
            return
        self.is_new = False
        if self.read != len(unrestricted_campaign(self._desk).entries):
            self.read = len(unrestricted_campaign(self._desk).entries)
            self.known = {side: self.secrets(side) for side in Side}
        strips = app.screen._compositor.render_strips()
        text = " ".join([app.window_title, *(strip.text for strip in strips)])
        words = {word.strip("(),.:;→│║") for word in text.replace("·", " ").split()}
        together = curtain(app) is not None or seen.shows_shared_table
        hidden_from_view = [*Side] if together else [seen.seat.enemy]  # type: ignore[union-attr]
        self.looked["the table" if together else str(seen.seat)] += 1
        for side in hidden_from_view:
            for secret in self.known[side]:
                if secret in words or (" " in secret and secret in text):
                    self.found.append(f"{secret!r} is seen:\n" + "\n".join(s.text for s in strips))


@pytest.mark.each_frame
async def test_no_frame_of_a_refit_phase_shows_the_other_sides_secrets(
    demo_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a small terminal and, from one curtain to the next, in a larger one; of the whole phase
    in the full search."""
    async with for_two(demo_file) as (app, pilot):
        eyes = Eyes(app)
        at_each_frame(monkeypatch, app, eyes.look, eyes.before)
        await press(pilot, "r")
        room = app.screen
        room.dice = clock_dice()  # type: ignore[attr-defined]
        curtains, searched = 0, False
        for _ in range(MOST):
            seen = await settled(pilot)
            if curtains == CURTAINS or seen.view.situation.phase is Phase.SCENARIO:
                break
            front = curtain(app)
            if front is not None:
                assert front.whose is not None
                curtains += 1
                await pilot.resize_terminal(*(SMALL, MIDDLE)[curtains // 2 % 2])
                await press(pilot, "enter", front.whose.enemy[0])
                assert curtain(app) is front, "only his own key lifts it"
                await press(pilot, front.whose[0])
                assert (await settled(pilot)).seat is front.whose
                # He looks round, and the curtain stays up for him.
                await press(pilot, *("f", "j", "m", "r") if curtains % 7 == 1 else ())
            elif not searched and seen.turn is not None and seen.ask is not None:
                searched = True  # by the palette, the help and Why?, at the table
                await press(pilot, "ctrl+p", *"j-", "escape", "question_mark", *"matsuo", "escape")
                await press(pilot, "w", "escape", "f9", "escape")
            elif seen.ask is None or seen.ask.buying:
                await press(pilot, *("enter",) if seen.ask is None else ("c", "y"))
                if isinstance(app.screen, LikelyRulingsScreen):
                    await press(pilot, "enter")
            else:
                await press(
                    pilot, *(["space"] if seen.ask.kind == "roll" else ["g", "down", "enter"])
                )
        else:
            raise AssertionError("the phase does not end")
        assert not eyes.found, eyes.found[0]
        assert min(eyes.looked.values()) > 5, eyes.looked
        assert curtains == CURTAINS or 20 <= curtains <= 40, curtains


def clock_dice() -> Any:
    return SeededDice(SEED)


async def test_a_room_key_pressed_twice_does_not_lift_the_curtain(demo_file: Path) -> None:
    async with for_two(demo_file) as (app, pilot):
        await press(pilot, "j")
        assert "Who can see the screen?" in screen_text(app)
        await press(pilot, "j")
        assert "Who can see the screen?" in screen_text(app)
        assert "Seat: Japanese" not in screen_text(app)
        assert "j opened this box: press 2 instead." in screen_text(app)
        await press(pilot, "2")
        assert "Seat: Japanese" in screen_text(app)
        assert app.current_mode == "journal"


async def test_a_room_with_secrets_asks_for_the_viewer_and_returns_to_the_table(
    demo_file: Path,
) -> None:
    async with for_two(demo_file) as (app, pilot):
        await press(pilot, "f")
        assert "Who can see the screen?" in screen_text(app)
        await press(pilot, "escape")
        assert app.current_mode == "dashboard"
        await press(pilot, "f", "j")
        assert app.current_mode == "forces"
        await press(pilot, "slash", *"matsuo", "enter")
        assert "8-0 Matsuo" in screen_text(app)
        assert "Seat: Japanese" in screen_text(app)
        await press(pilot, "s", "t")
        assert app.current_mode == "refit"
        assert "Seat: the table" in screen_text(app)
        await press(pilot, "f", "m")
        assert app.current_mode == "forces"
        assert "Matsuo" not in screen_text(app)


async def test_public_entries_are_undone_together_at_the_table(demo_file: Path) -> None:
    path = played(demo_file, "15.6031")
    async with for_two(path) as (app, pilot):
        await press(pilot, "r")
        before = (await settled(pilot)).mark
        await press(pilot, "enter")  # prisoners count, by default
        assert (await settled(pilot)).mark > before
        await press(pilot, "u")
        assert "Undone" in screen_text(app)
        desk = app.session._desk
        assert desk is not None
        assert unrestricted_campaign(desk).entries[-1].kind == "undo"


async def test_at_the_table_the_newest_public_entry_is_undone(demo_file: Path) -> None:
    """What one of them decided in secret follows from it; it is not named."""
    path = played(demo_file, "15.602")
    async with for_two(path) as (app, pilot):
        await press(pilot, "r", "u")
        assert SECRET_TOO in in_one_line(app)
        await press(pilot, "y")
        said = in_one_line(app)
        assert "Undone: 15.601 Conclusion of Melee" in said
        assert "15.602" not in said


@pytest.mark.parametrize("begun", [False, True])
async def test_a_decision_in_secret_is_not_undone_by_the_opponent_without_a_question(
    demo_file: Path, begun: bool
) -> None:
    """Nor with its paragraph, if that was begun separately."""
    desk = OpenCampaign.open(demo_file)
    last = last_paragraph_beginning_with("15.614")
    for _ in desk.play_with_supply(AnswerSupply(dice=SeededDice(SEED), defaults=True), last):
        pass
    if begun:
        desk.play_to_question()
    desk.close()
    async with for_two(demo_file) as (app, pilot):
        for _ in range(4):
            front = curtain(app)
            if front is not None and front.whose is Side.JAPANESE:
                break
            await press(pilot, "r", "enter")
        await press(pilot, "j", "enter")
        for _ in range(4):
            front = curtain(app)
            if front is not None and front.whose is Side.MARINE:
                break
            await press(pilot, "r", "enter")
        await press(pilot, "m")
        before = (await settled(pilot)).mark
        await press(pilot, "u")
        said = in_one_line(app)
        assert "Undo this?" in said
        assert SECRET_TOO in said
        assert (CAN_REDO if begun else ONE_CAN_REDO) in said
        await press(pilot, "n")
        assert (await settled(pilot)).mark == before


async def test_a_key_that_does_nothing_at_the_curtain_says_what_may_be_pressed(
    demo_file: Path,
) -> None:
    async with for_two(played(demo_file, "15.601")) as (app, pilot):
        for key in ("u", "f9"):
            await press(pilot, key)
            said = in_one_line(app)
            assert f"{key.capitalize() if len(key) > 1 else key} does nothing here" in said
            assert "j lifts the curtain; s: another player looks first." in said
        front = curtain(app)
        assert front is not None
        front._drawn.forget()
        await press(pilot, "j")
        assert curtain(app) is front
        assert TOO_EARLY in in_one_line(app)


async def test_who_has_just_decided_may_look_again_though_the_curtain_is_down(
    demo_file: Path,
) -> None:
    async with for_two(played(demo_file, "15.601")) as (app, pilot):
        await press(pilot, "s")
        await until_curtain_of(None, pilot)
        await press(pilot, "m")
        await until(pilot, lambda: app.session.seat is Side.MARINE and curtain(app) is None)
        await press(pilot, "s")
        await until_curtain_of(None, pilot)
        await press(pilot, "t")
        await until_curtain_of(Side.JAPANESE, pilot)


async def test_entries_made_behind_a_curtain_have_its_seat(demo_file: Path) -> None:
    async with for_two(played(demo_file, "15.601")) as (app, pilot):
        front = curtain(app)
        assert front is not None
        await press(pilot, "down", "enter", "space", "m", "f9", "ctrl+p", "tab", "enter")
        assert curtain(app) is front, "only his own key lifts it"
        await press(pilot, "j", "r", "c")
        await settled(pilot)
        desk = app.session._desk
        assert desk is not None
        answers = [entry for entry in unrestricted_campaign(desk).entries if entry.kind == "answer"]
        assert answers[-1].seat is Seat.JAPANESE


async def test_a_pin_lifts_the_curtain_and_only_its_hash_is_kept(
    demo_file: Path, tmp_path: Path
) -> None:
    path = played(demo_file, "15.601")
    async with for_two(path) as (app, pilot):
        await press(pilot, "j", "K", *"4711", "enter", *"4712", "enter")
        assert "The two PINs do not match." in screen_text(app)
        await press(pilot, *"4711", "enter", "s", "t")
        assert curtain(app) is not None, "his decision is still open"
        await press(pilot, "j")
        assert isinstance(app.screen, PinScreen)
        await press(pilot, *"0000", "enter")
        assert "Wrong PIN." in screen_text(app)
        assert "Matsuo" not in screen_text(app)
        await press(pilot, *"4711", "enter")
        assert (await settled(pilot)).seat is Side.JAPANESE
    kept = [*(tmp_path / "home").rglob("shared-screens/*.json")]
    assert kept
    assert not any("4711" in file.read_text("utf-8") for file in kept)
    # --- and whoever sits down alone is asked too ---
    async with BrtApp(path).run_test(size=SMALL) as pilot:
        await until(pilot, lambda: "Which seat?" in "\n".join(screen_lines(pilot.app)))  # type: ignore[arg-type]
        await pilot.press("u")
        await until(pilot, lambda: isinstance(pilot.app.screen, PinScreen))
        await pilot.press(*"4711", "enter")
        assert (await settled(pilot)).seat is None
        assert not isinstance(pilot.app.focused, Input)


async def test_at_the_table_each_key_to_secrets_asks_for_the_viewer(demo_file: Path) -> None:
    async with for_two(demo_file) as (app, pilot):
        await press(pilot, "r")
        for key in "fjmbpFwMEKo":
            await press(pilot, key)
            front = curtain(app)
            assert front is not None, key
            assert front.whose is None
            await press(pilot, "escape")
            assert curtain(app) is None


async def test_secret_undo_and_redo_are_not_shown_to_the_opponent(demo_file: Path) -> None:
    async with for_two(played(demo_file, "15.601")) as (app, pilot):
        await press(pilot, "j", "c")
        assert (await settled(pilot)).shows_shared_table
        await press(pilot, "s", "j", "u", "y")
        assert "Undone: 15.602" in screen_text(app)
        await press(pilot, "U")
        assert (await settled(pilot)).shows_shared_table
        assert "15.602 Marker removal, j-" not in screen_text(app)
        assert not [notice for notice in app._notifications if "15.602" in notice.message]


async def test_a_later_secret_answer_does_not_block_undoing_an_answer(
    demo_file: Path,
) -> None:
    """The Japanese player has answered in secret; then the Marine player undoes the Melees."""
    async with for_two(played(demo_file, "15.601")) as (app, pilot):
        for key in "jcsmuy":
            await press(pilot, key)
        assert "Undone: 15.601" in screen_text(app)
        assert "15.602" not in screen_text(app)
        assert (await settled(pilot)).steps[0].stand.is_now_or_next
        await press(pilot, "U")
        assert not (await settled(pilot)).steps[0].stand.is_now_or_next


@pytest.mark.parametrize("key", ["q", "ctrl+q"])
async def test_the_program_can_be_closed_without_lifting_the_curtain(
    demo_file: Path, key: str
) -> None:
    async with for_two(played(demo_file, "15.601")) as (app, pilot):
        assert "q quits" in screen_text(app)
        await pilot.press(key)
        await pilot.pause()
        assert not app.is_running


async def test_a_lookup_ends_quietly_when_the_curtain_falls(demo_file: Path) -> None:
    async with for_two(demo_file) as (app, pilot):
        await press(pilot, "full_stop", "m", "down")
        app.post_message(events.Key("down", None))
        app.post_message(events.Key("s", "s"))
        await settled(pilot)
        await pilot.pause()
        assert curtain(app) is not None
        assert app.is_running
        assert not app._notifications
