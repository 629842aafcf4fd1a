"""A question of the program itself, with a few answers: which seat, is it meant so?"""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from textual import events
from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from brt_cg.campaign import Campaign
from brt_cg.counters import Side
from brt_cg.tui.screens.dialog import Dialog
from brt_cg.values import frozen

if TYPE_CHECKING:
    from brt_cg.tui.campaign_app import CampaignApp
    from brt_cg.tui.session import Seat


@frozen
class Answer:
    """An answer: its name, the key that gives it at once, its words."""

    name: str
    key: str
    words: str | Content


class ChoiceScreen(Dialog[str]):
    """Answers the name of what is chosen, None if it is left by Escape or q. `at` is the answer in
    hand at first: never one that loses something."""

    KEYS = "Esc leaves it"
    BINDINGS = [("escape,q", "dismiss(None)", "Leave it")]

    def __init__(self, title: str, words: str, answers: Sequence[Answer], at: int = 0) -> None:
        super().__init__(title)
        self.words, self.answers, self.at = words, answers, at

    def inside(self) -> ComposeResult:
        if self.words:
            yield Static(self.words, markup=False)
        yield OptionList(*[Option(_row(answer), answer.name) for answer in self.answers])

    def on_mount(self) -> None:
        listed = self.query_one(OptionList)
        listed.highlighted = self.at
        listed.focus()

    def on_key(self, event: events.Key) -> None:
        pressed = (event.key, event.character)
        for answer in self.answers:
            if any(key in pressed for key in answer.key.split(",")):
                event.stop()
                _ = self.dismiss(answer.name)
                return

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        _ = self.dismiss(event.option_id)


def _row(answer: Answer) -> Content:
    key = answer.key.split(",")[0]
    return Content.assemble((f"{key:<3}", "bold $accent"), answer.words)


async def is_sure(
    app: "CampaignApp", title: str, words: str, yes: Answer, no: str = "leave it as it is"
) -> bool:
    """Whether something is meant so that takes a player something; `no` is selected at first."""
    asked = ChoiceScreen(title, words, (Answer("no", "n", no), yes))
    return await app.push_screen_wait(asked) == yes.name


# --- which seat -----------------------------------------------------------------------------------

UMPIRE = "umpire"
KNOWS = {
    Side.MARINE: "without the Japanese side's secrets",
    Side.JAPANESE: "without the Marine side's secrets",
    None: "sees everything",
}


def seat_choice(players: Mapping[str, str | None], now: "Seat") -> ChoiceScreen:
    """Who is looking? `now` is selected."""
    seats: list[Seat] = [*Side, None]
    answers = [_seat_answer(seat, players.get(seat.value) if seat else None) for seat in seats]
    return ChoiceScreen("Who is looking?", "", answers, seats.index(now))


def _seat_answer(seat: "Seat", player: str | None) -> Answer:
    name, what = seat.label if seat else "Umpire", KNOWS[seat]
    words = Content.from_markup(
        f"[bold {f'${seat.value}' if seat else '$foreground'}]{name:<9}[/] [dim]$what[/]",
        what=f"{player}, {what}" if player else what,
    )
    value = seat.value if seat else UMPIRE
    return Answer(value, value[0], words)


def seat_named(name: str) -> "Seat":
    """The seat of an answer."""
    return None if name == UMPIRE else Side(name)


# --- which counter --------------------------------------------------------------------------------


async def one_counter(app: "CampaignApp", view: Campaign, ids: Iterable[str]) -> str | None:
    """The counter whose service record is shown, asked for if there is more than one."""
    found = [counter for counter in map(view.find, ids) if counter]
    if len(found) < 2:
        return found[0].id if found else None
    keys = "123456789abcdefghijklmnoprstuvwxyz"
    answers = [
        Answer(counter.id, key, view.label(counter))
        for key, counter in zip(f"{keys}{' ' * len(found)}", found, strict=False)
    ]
    return await app.push_screen_wait(ChoiceScreen("Whose service record?", "", answers))
