"""The curtain between two players at one screen, and the PIN that lifts it."""

from collections.abc import Callable, Mapping

from textual import events
from textual.app import ComposeResult
from textual.widgets import Input

from brt_cg.model import Side
from brt_cg.text import key_text
from brt_cg.tui.dialogs.choice import ChoiceScreen, Reply
from brt_cg.tui.dialogs.dialog import Dialog
from brt_cg.tui.keys.actions import EVERYWHERE, binding_of
from brt_cg.tui.look.first_drawn import FirstDrawn
from brt_cg.tui.look.lines import HangingText, Static
from brt_cg.tui.look.signs import SIGNS

Players = Mapping[Side, str | None]
QUIT, SEAT = f"{EVERYWHERE}.quit", f"{EVERYWHERE}.seat"
TABLE, LEAVE = "table", "leave"  # instead of a side: public facts only; no more curtain
ALONE = "Press {key} when nobody else can see the screen."
DECIDES = "{who} decides next."
WHO_LOOKS = "{}: first choose who is looking; then press it again."
BEHIND = "{key} does nothing here. {lifts} lifts the curtain; {seat}: another player looks first."
TOO_EARLY = "A key pressed before this curtain came down was ignored."
OPENED = "{} opened this box: press {} instead."


class CurtainScreen(ChoiceScreen[Side | str]):
    """A curtain that hides the screen until a player lifts it with the key of the player's side:
    Enter never does, nor a key pressed before it was drawn. `whose` is the side whose decision is
    behind it; None: any player may look, and the key that `opened` the box lifts nothing. A key
    that does nothing is answered in the box itself: the curtain removes all notices."""

    FOLLOWS = True
    BINDINGS = [binding_of(QUIT, "quit"), binding_of(SEAT, "seat")]

    def __init__(self, players: Players, whose: Side | None, opened: str = "") -> None:
        self.whose, self._opened, self._drawn = whose, opened, FirstDrawn()
        sides = [whose] if whose is not None else [*Side]
        replies: list[Reply[Side | str]] = [
            Reply(side, side[0] if side[0] != opened else str(number), _behind(players, side))
            for number, side in enumerate(sides, start=1)
        ]
        if whose is None:
            replies.append(Reply(TABLE, "t", "The table: what both players may see"))
            replies.append(Reply(LEAVE, "o", "One seat: remove the curtain"))
            alone = ALONE.format(key="the key of a side")
            super().__init__("Who can see the screen?", alone, replies, None)
        else:
            words = DECIDES.format(who=player_text(players, whose))
            super().__init__("", f"{words}\n{ALONE.format(key=whose[0])}", replies, None)

    def frame_titles(self) -> tuple[str, str]:
        if self.whose is None:
            return super().frame_titles()
        keys = f"{{{SEAT}}}: another player looks · {{{QUIT}}} quits"
        return f"{SIGNS[self.whose]} {self.whose.label}", self.app.fill_in_keys(keys)

    async def action_quit(self) -> None:
        """Close the program if the player cannot lift the curtain; else close only the box."""
        if self.whose is None:
            _ = self.dismiss(None)
        else:
            await self.app.action_quit()

    def action_seat(self) -> None:
        """Ask who looks: the player who has just decided may want to see that again."""
        if self.whose is None:
            self._say_about(self.app.key_text(SEAT))
        else:
            self.app.change_seat(None)

    def on_mount(self) -> None:
        if self.whose is not None:
            self.query_one("#box").add_class(self.whose.value)
        self._drawn.expect_redraw(self)

    def on_key(self, event: events.Key) -> None:
        """Report that a key for the room behind the curtain was pressed too early."""
        known = {key for answer in self.answers for key in answer.key.split(",")}
        if not known & {event.key, event.character} and event.key not in self.active_bindings:
            self._say_about(key_text(event.key))

    def _say_about(self, key: str) -> None:
        """Say which keys may be pressed instead of one that does nothing."""
        moved = [each for each in self.answers if each.key.isdigit()]
        if self.whose is None and moved and key == key_text(self._opened):
            self.say(OPENED.format(key, moved[0].key))
        elif self.whose is None:
            self.say(WHO_LOOKS.format(key))
        else:
            lifts, seat = self.whose[0], self.app.key_text(SEAT)
            self.say(BEHIND.format(key=key, lifts=lifts, seat=seat))

    def say(self, words: str) -> None:
        """Show words below those of the box."""
        self.query_one(HangingText).set_text(f"{self.words}\n\n{words}")

    def was_drawn_before(self, time: float) -> bool:
        """Whether the curtain had been drawn when something happened, such as a key press."""
        return self._drawn.was_drawn_before(time)


class PinScreen(Dialog[str]):
    """A dialog that returns the typed PIN; `check` returns the problem with it, or ""."""

    FOLLOWS = True
    KEYS = "Enter: continue · {dialogs.close} cancels"

    def __init__(self, title: str, words: str, check: Callable[[str], str]) -> None:
        super().__init__(title)
        self.words, self._check = words, check

    def compose_box(self) -> ComposeResult:
        yield Static(self.words, id="words", markup=False)
        yield Input(password=True)
        yield Static(id="wrong", markup=False)

    def on_mount(self) -> None:
        self.query_one(Input).focus()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        wrong = self._check(event.value)
        if wrong:
            self.query_one("#wrong", Static).update(wrong)
            event.input.value = ""
        else:
            _ = self.dismiss(event.value)


def player_text(players: Players, side: Side) -> str:
    """Return a player by name and side."""
    player = players.get(side)
    return f"{player} ({side.label})" if player else f"The {side.label} player"


def _behind(players: Players, side: Side) -> str:
    return f"{player_text(players, side)}: lift the curtain"
