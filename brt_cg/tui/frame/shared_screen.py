"""Two players at one screen: when the curtain comes down, and who lifts it."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from contextlib import contextmanager
from typing import Any

from textual import events

from brt_cg.model import Side
from brt_cg.tui.dialogs.choice import TWO_PLAYERS, seat_dialog
from brt_cg.tui.dialogs.curtain import (
    LEAVE,
    TABLE,
    TOO_EARLY,
    CurtainScreen,
    PinScreen,
    player_text,
)
from brt_cg.tui.dialogs.dialog import Dialog
from brt_cg.tui.keys.actions import EVERYWHERE, ON_TABLE, REFIT
from brt_cg.tui.memory.pins import SharedScreenSettings
from brt_cg.tui.session.campaign_app import FIRST_HEX, CampaignApp
from brt_cg.tui.session.session import CampaignSnapshot, Seat
from brt_cg.views.hot_seat import ScreenTurn

KEPT = "What you typed in “{}” was not stored; it is there when you open that again."
LIFTED = (
    "The curtain comes down when your opponent has a decision to make; {key} lowers it now. "
    "{early} answers your later questions now."
)


class TwoPlayers:
    """The parts of an app for two players who share its screen."""

    def __init__(self, app: CampaignApp) -> None:
        self.app = app
        self.withholds = False  # whether to withhold notices for another player
        self._drawn: ScreenTurn | None = None  # whose turn the screen shows
        self._left: dict[tuple[Side | None, bool], str] = {}  # titles of the forms that were closed

    def _work(self, work: Coroutine[Any, Any, None], group: str) -> None:
        self.app.run_worker(work, group=group, exclusive=True, description="curtain")

    @property
    def shared_screen_settings(self) -> SharedScreenSettings:
        """The settings remembered on this machine for two players of the open campaign."""
        session = self.app.session
        return SharedScreenSettings.load(
            session.identity_on_this_machine, before=f"{session.path} {session.campaign_id}"
        )

    @property
    def _players(self) -> dict[Side, str | None]:
        seen = self.app.session.seen
        return {side: seen.view.sides[side].player if seen else None for side in Side}

    # --- sitting down -----------------------------------------------------------------------------

    async def ask_and_take_seat(
        self, players: dict[str, str | None], now: Seat, again: bool
    ) -> bool:
        """Ask who is looking, one player or two, and give them their seat. Return whether anybody
        is. Must run in a worker."""
        shared = self.shared_screen_settings.shared and not again
        chosen = await self.app.push_screen_wait(
            seat_dialog(players, TWO_PLAYERS if shared else now)
        )
        if chosen is None:
            return False
        if chosen.value is None or isinstance(chosen.value, Side):
            if not await self._may_take(chosen.value):
                return False
            self.shared_screen_settings.set_shared(False)
            await self.app.take_seat_alone(chosen.value)
        else:
            self.shared_screen_settings.set_shared(True)
            self.app.news = None
            await self.app.session.start_hot_seat()
        return True

    async def _may_take(self, seat: Seat) -> bool:
        """Whether a seat may be taken: its PIN must be typed, if it has one; for the umpire's seat,
        the PINs of both sides."""
        sides = [seat] if seat is not None else [*Side]
        for side in sides:
            if not await self._knows_pin(side):
                return False
        return True

    async def _knows_pin(self, side: Side) -> bool:
        kept = self.shared_screen_settings
        if not kept.has_pin(side):
            return True
        title = f"PIN · {player_text(self._players, side)}"

        def check(pin: str) -> str:
            return "" if kept.is_pin_correct(side, pin) else "Wrong PIN."

        return await self.app.push_screen_wait(PinScreen(title, "", check)) is not None

    # --- the curtain ------------------------------------------------------------------------------

    def update_curtain(self, seen: CampaignSnapshot) -> None:
        """Lower the curtain if a side has a secret decision to make; show the table if neither has
        one."""
        before, self._drawn = self._drawn, seen.turn
        if before is None and seen.turn is None:
            return
        if before != seen.turn:
            # They may reveal something that the other player must not know.
            self.app.clear_notifications()
            self.app.call_later(self.app.clear_notifications)  # and notices on their way
        comes_to_table = seen.shows_shared_table and (before is None or not before.at_table)
        curtain_before = before.curtain if before is not None else None
        if comes_to_table or (
            seen.side_behind_curtain is not None and seen.side_behind_curtain is not curtain_before
        ):
            self._close_boxes(before)
        if comes_to_table:
            self._clear_screen()
        if (
            seen.turn is not None
            and seen.side_behind_curtain is None
            and (kept := self._left.pop(_who(seen.turn), ""))
        ):
            self.app.call_later(self.app.call_later, self.app.show_notice, KEPT.format(kept))
        for screen in self.app.screen_stack:
            if isinstance(screen, CurtainScreen) and screen.whose is not seen.side_behind_curtain:
                _ = screen.dismiss(None)
        if seen.side_behind_curtain is not None:
            self._work(self._wait_behind_curtain(), "curtain")

    def _close_boxes(self, whose: ScreenTurn | None) -> None:
        """Close all boxes, and remember for their owner that their text is kept."""
        kept = [
            box.kept_draft_name
            for box in self.app.screen_stack
            if isinstance(box, Dialog) and box.kept_draft_name
        ]
        if whose is not None and kept:
            self._left[_who(whose)] = kept[-1]
        self.app.close_boxes()

    def _clear_screen(self) -> None:
        """Remove everything that only one player may know from the screen, before it is drawn
        again: notices, boxes, and everything opened, typed or folded in the rooms that the table
        lacks."""
        self.app.clear_notifications()
        # The place where a player looked may be that player's secret.
        self.app.map_cursor = FIRST_HEX
        self.app.news = None
        if self.app.current_mode not in ON_TABLE:
            _ = self.app.switch_mode(REFIT)
        for room, make in self.app.MODES.items():
            if room not in ON_TABLE:
                _ = self.app.remove_mode(room)
                self.app.add_mode(room, make)

    @contextmanager
    def withholding_notices_from_others(self, before: CampaignSnapshot | None) -> Iterator[bool]:
        """Withhold the notices for the viewer `before`, if another player is looking now; return
        whether that viewer is still looking."""
        was, now = before.turn if before is not None else None, self.app.session.seen
        if was is None:  # one player alone, or nobody has looked yet
            self.withholds = now is not None and now.shows_shared_table and before is not None
        else:
            self.withholds = not was.at_table and (now is None or now.turn != was)
        is_told = not self.withholds
        try:
            yield is_told
        finally:
            self.withholds = False

    async def _to_table(self) -> None:
        if self.app.current_mode not in ON_TABLE:
            await self.app.switch_mode(REFIT)

    async def _wait_behind_curtain(self) -> None:
        await self._to_table()
        while (seen := self.app.session.seen) is not None and seen.side_behind_curtain is not None:
            chosen = await self.app.push_screen_wait(
                CurtainScreen(self._players, seen.side_behind_curtain)
            )
            if chosen is not None and await self._knows_pin(seen.side_behind_curtain):
                await self.app.session.lift_or_lower_curtain(seen.side_behind_curtain)
                await self.app.switch_mode(REFIT)  # to the player's question

    async def _lower_curtain(self) -> None:
        """Remove everything from the screen that only one side may know, and wait until a frame
        without it has been drawn: only then may a box ask anything. Must run in a worker."""
        self.app.clear_notifications()
        self.app.close_boxes()
        if self.app.session.hot is None:
            await self.app.session.start_hot_seat()
        else:
            await self.app.session.lift_or_lower_curtain(None)
        self.app.clear_notifications()  # and the notices that came meanwhile
        drawn = asyncio.Event()
        self.app.call_after_refresh(drawn.set)
        await drawn.wait()

    def defers_to_curtain(self, then: Callable[[], Awaitable[Any] | None]) -> bool:
        """Whether two players are at the screen and only one of them may see the next thing. In
        that case, ask who is looking, and do it for that player."""
        seen = self.app.session.seen
        if seen is None or not seen.shows_shared_table:
            return False
        if seen.side_behind_curtain is None:  # behind a curtain nobody looks
            self._work(self._ask_whose_eyes(then), "eyes")
        return True

    async def _ask_whose_eyes(self, then: Callable[[], Awaitable[Any] | None] | None) -> None:
        """Ask which of the two is looking now, then do the wanted action."""
        opened = self.app.newest_key
        chosen = await self.app.push_screen_wait(CurtainScreen(self._players, None, opened))
        if chosen is None or self.app.session.hot is None:
            return
        if chosen.value == TABLE:
            return  # both players are there already
        if chosen.value == LEAVE:
            await self._leave_table()
        elif isinstance(chosen.value, Side) and await self._knows_pin(chosen.value):
            await self.app.session.lift_or_lower_curtain(chosen.value)
            key, early = (self.app.key_text(f"{EVERYWHERE}.{name}") for name in ("seat", "ahead"))
            self.app.show_notice(LIFTED.format(key=key, early=early))
            done = then() if then is not None else None
            if done is not None:
                await done

    async def _leave_table(self) -> None:
        players = {side.value: name for side, name in self._players.items()}
        await self.ask_and_take_seat(players, None, again=True)

    def was_pressed_before_curtain(self, key: events.Key) -> bool:
        """Whether a key was pressed before the curtain in front had been drawn."""
        front = self.app.screen
        return isinstance(front, CurtainScreen) and not front.was_drawn_before(key.time)

    def reports_ignored_keys_on_curtain(self) -> bool:
        """Show on the curtain in front, if there is one, that keys were ignored; without their
        names, since they may have been typed for what is behind it. Return whether there is
        one."""
        front = self.app.screen
        if isinstance(front, CurtainScreen) and front.is_mounted:
            front.say(TOO_EARLY)
        return isinstance(front, CurtainScreen)

    # --- the viewer -------------------------------------------------------------------------------

    def change_seat(self, then: Callable[[], Awaitable[Any] | None] | None) -> None:
        """Ask who is looking now, and do the wanted action."""
        self._work(self._change_seat(then), "seat")

    async def _change_seat(self, then: Callable[[], Awaitable[Any] | None] | None) -> None:
        seen = self.app.session.seen
        if seen is None:
            return
        if self.app.session.hot is not None:
            await self._lower_curtain()
            self._work(self._ask_whose_eyes(then), "eyes")
            return
        room = self.app.current_mode
        if any(map(self.shared_screen_settings.has_pin, Side)):
            # A player who leaves the box has typed no PIN, and sees the table.
            await self._lower_curtain()
        # A notice may reveal something that the next player must not know.
        self.app.clear_notifications()
        players = {side: record.player for side, record in seen.view.sides.items()}
        if await self.ask_and_take_seat(players, seen.seat, again=True):
            self.app.clear_notifications()
            if self.app.session.hot is None:
                await self.app.switch_mode(room)
            done = then() if then is not None else None
            if done is not None:
                await done

    def set_pin(self) -> None:
        """Set, change or remove the PIN of the side that is looking."""
        if not self.defers_to_curtain(self.set_pin):
            self._work(self._set_pin(), "seat")

    async def _set_pin(self) -> None:
        side = self.app.session.seat
        if side is None:
            self.app.show_notice(
                "The umpire sees everything and has no PIN. Choose the seat of a side first."
            )
            return
        if not await self._knows_pin(side):
            return
        words = (
            "You will be asked for it before this side is shown on this machine. Leave it "
            "empty for no PIN."
        )
        new = await self.app.push_screen_wait(PinScreen("A new PIN", words, lambda pin: ""))
        if new is None:
            return

        def check(pin: str) -> str:
            return "" if pin == new else "The two PINs do not match."

        again = not new or await self.app.push_screen_wait(PinScreen("Repeat the PIN", "", check))
        if again is not None and self.app.session.seat is side:
            self.shared_screen_settings.set_pin(side, new)
            self.app.show_notice("The PIN is set." if new else "The PIN has been removed.")


def _who(turn: ScreenTurn) -> tuple[Side | None, bool]:
    """Return the viewer: a side behind its curtain, or both at the table."""
    return (None, True) if turn.at_table else (turn.seat, False)
