"""Two players at one screen: when the curtain falls, and who lifts it."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import Any

from textual import events, work

from brt_cg.model.counters import Side
from brt_cg.tui.dialogs.choice import TWO_PLAYERS, seat_choice
from brt_cg.tui.dialogs.curtain import LEAVE, TABLE, CurtainScreen, PinScreen, named
from brt_cg.tui.frame.ways import Ways
from brt_cg.tui.keys.actions import EVERYWHERE, ON_TABLE, REFIT
from brt_cg.tui.memory.hot_seat import SharedScreen
from brt_cg.tui.session.campaign_app import FIRST_HEX
from brt_cg.tui.session.session import Seat, Seen
from brt_cg.views.hot_seat import Turn

LIFTED = "Your curtain falls again with the next question for the other side; {key} lowers it now."


class SharedByTwo(Ways):
    """The app, shared by two players where they want that."""

    _drawn: Turn | None = None  # whose turn the screen shows
    _withholds = False  # notices, that are for another player than who looks now

    async def take_seat(self, seat: Seat) -> None:
        """Takes a seat alone."""
        raise NotImplementedError(self)

    @property
    def _kept(self) -> SharedScreen:
        """What this machine remembers of two players and the open campaign."""
        return SharedScreen.of(f"{self.session.path} {self.session.begun}")

    @property
    def _players(self) -> dict[Side, str | None]:
        seen = self.session.seen
        return {side: seen.view.sides[side].player if seen else None for side in Side}

    # --- sitting down -----------------------------------------------------------------------------

    async def ask_for_seat(self, players: dict[str, str | None], now: Seat, again: bool) -> bool:
        """Asks who looks, one player or two, and lets them. Returns whether anybody does. Must run
        in a worker."""
        shared = self._kept.shared and not again
        chosen = await self.push_screen_wait(seat_choice(players, TWO_PLAYERS if shared else now))
        if chosen is None:
            return False
        if chosen.value is None or isinstance(chosen.value, Side):
            if not await self._may_take(chosen.value):
                return False
            self._kept.share(False)
            await self.take_seat(chosen.value)
        else:
            self._kept.share(True)
            self.news = None
            await self.session.share()
        return True

    async def _may_take(self, seat: Seat) -> bool:
        """Whether a seat's PIN is typed, if it has one; the umpire needs those of both sides."""
        sides = [seat] if seat is not None else [*Side]
        for side in sides:
            if not await self._knows_pin(side):
                return False
        return True

    async def _knows_pin(self, side: Side) -> bool:
        kept = self._kept
        if not kept.has_pin(side):
            return True
        title = f"PIN · {named(self._players, side)}"

        def check(pin: str) -> str:
            return "" if kept.fits(side, pin) else "That is not the PIN."

        return await self.push_screen_wait(PinScreen(title, "", check)) is not None

    # --- the curtain ------------------------------------------------------------------------------

    def mind_the_curtain(self, seen: Seen) -> None:
        """Lets the curtain fall where a side decides in private, and shows the table where nobody
        does."""
        before, self._drawn = self._drawn, seen.turn
        if before is None and seen.turn is None:
            return
        if before != seen.turn:
            self.clear_notifications()  # they may tell what the other player must not know
            self.call_later(self.clear_notifications)  # and those that are on their way
        if seen.at_table and (before is None or not before.at_table):
            self._clear_screen()
        for screen in self.screen_stack:
            if isinstance(screen, CurtainScreen) and screen.whose is not seen.curtain:
                _ = screen.dismiss(None)
        if seen.curtain is not None:
            self._wait_behind_curtain()

    def _clear_screen(self) -> None:
        """Takes everything that only one player may know from the screen, before it is drawn again:
        notices, boxes, and what he opened, typed or folded in the rooms that the table lacks."""
        self.clear_notifications()
        self.close_boxes()
        self.map_cursor = FIRST_HEX  # where one looked may be his secret
        self.news = None
        if self.current_mode not in ON_TABLE:
            _ = self.switch_mode(REFIT)
        for room, make in self.MODES.items():
            if room not in ON_TABLE:
                _ = self.remove_mode(room)
                self.add_mode(room, make)

    @contextmanager
    def telling(self, before: Seen | None) -> Iterator[bool]:
        was, now = before.turn if before is not None else None, self.session.seen
        if was is None:  # alone; or nobody has looked
            self._withholds = now is not None and now.at_table and before is not None
        else:
            self._withholds = not was.at_table and (now is None or now.turn != was)
        is_told = not self._withholds
        try:
            yield is_told
        finally:
            self._withholds = False

    def notify(self, message: str, **how: Any) -> None:
        if not self._withholds:
            super().notify(message, **how)

    async def _to_table(self) -> None:
        if self.current_mode not in ON_TABLE:
            await self.switch_mode(REFIT)

    @work(group="curtain", exclusive=True, description="curtain")
    async def _wait_behind_curtain(self) -> None:
        await self._to_table()
        while (seen := self.session.seen) is not None and seen.curtain is not None:
            chosen = await self.push_screen_wait(CurtainScreen(self._players, seen.curtain))
            if chosen is not None and await self._knows_pin(seen.curtain):
                await self.session.lift(seen.curtain)
                await self.switch_mode(REFIT)  # to what he is asked

    async def _lower_curtain(self) -> None:
        """Takes everything from the screen that only one side may know, and waits until a frame
        without it has been drawn: only then may a box ask anything. Must run in a worker."""
        self.clear_notifications()
        self.close_boxes()
        if self.session.hot is None:
            await self.session.share()
        else:
            await self.session.lift(None)
        self.clear_notifications()  # and those that came meanwhile
        drawn = asyncio.Event()
        self.call_after_refresh(drawn.set)
        await drawn.wait()

    def hides(self, then: Callable[[], Awaitable[Any] | None]) -> bool:
        seen = self.session.seen
        if seen is None or not seen.at_table:
            return False
        if seen.curtain is None:  # otherwise nobody looks
            self._ask_whose_eyes(then)
        return True

    @work(group="eyes", exclusive=True, description="curtain")
    async def _ask_whose_eyes(self, then: Callable[[], Awaitable[Any] | None] | None) -> None:
        """Asks which of the two looks now, then does what he wanted."""
        chosen = await self.push_screen_wait(CurtainScreen(self._players, None))
        if chosen is None or self.session.hot is None:
            return
        if chosen.value == TABLE:
            return  # where both are already
        if chosen.value == LEAVE:
            await self._leave_table()
        elif isinstance(chosen.value, Side) and await self._knows_pin(chosen.value):
            await self.session.lift(chosen.value)
            self.say(LIFTED.format(key=self.key(f"{EVERYWHERE}.seat")))
            done = then() if then is not None else None
            if done is not None:
                await done

    async def _leave_table(self) -> None:
        players = {side.value: name for side, name in self._players.items()}
        await self.ask_for_seat(players, None, again=True)

    def comes_too_early(self, key: events.Key) -> bool:
        front = self.screen
        if isinstance(front, CurtainScreen):
            return not front.was_drawn_before(key.time)
        return super().comes_too_early(key)

    # --- actions ----------------------------------------------------------------------------------

    def action_seat(self) -> None:
        self.change_seat(None)

    @work(group="seat", exclusive=True, description="seat")
    async def change_seat(self, then: Callable[[], Awaitable[Any] | None] | None) -> None:
        seen = self.session.seen
        if seen is None:
            return
        if self.session.hot is not None:
            await self._lower_curtain()
            self._ask_whose_eyes(then)
            return
        room = self.current_mode
        if any(map(self._kept.has_pin, Side)):
            # Who leaves the box has typed no PIN: he sees the table.
            await self._lower_curtain()
        # A notice may tell what the next player must not know.
        self.clear_notifications()
        players = {side: record.player for side, record in seen.view.sides.items()}
        if await self.ask_for_seat(players, seen.seat, again=True):
            self.clear_notifications()
            if self.session.hot is None:
                await self.switch_mode(room)
            done = then() if then is not None else None
            if done is not None:
                await done

    def action_pin(self) -> None:
        if not self.hides(self.action_pin):
            self._set_pin()

    @work(group="seat", exclusive=True)
    async def _set_pin(self) -> None:
        """Sets, changes or removes the PIN of the side that looks."""
        side = self.session.seat
        if side is None:
            self.say("The umpire sees everything and has no PIN: take the seat of a side.")
            return
        if not await self._knows_pin(side):
            return
        words = "It is asked for before this side is shown on this machine. Empty: no PIN."
        new = await self.push_screen_wait(PinScreen("A new PIN", words, lambda pin: ""))
        if new is None:
            return

        def check(pin: str) -> str:
            return "" if pin == new else "It differs from the first."

        again = not new or await self.push_screen_wait(PinScreen("The same again", "", check))
        if again is not None and self.session.seat is side:
            self._kept.set_pin(side, new)
            self.say("The PIN is set." if new else "There is no PIN now.")
