"""The choice of a seat: whose eyes the campaign is seen with."""

from collections.abc import Mapping

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from brt_cg.counters import Side
from brt_cg.tui.session import Seat

SEATS: tuple[tuple[str, Seat, str], ...] = (
    ("m", Side.MARINE, "without the Japanese side's secrets"),
    ("j", Side.JAPANESE, "without the Marine side's secrets"),
    ("u", None, "sees everything"),
)


class SeatScreen(ModalScreen[Seat]):
    """Marine, Japanese or umpire; a single key is enough. `seated`: there is a seat, `now`, that
    Escape keeps."""

    CSS_PATH = "seat.tcss"
    BINDINGS = [
        *[(key, f"sit('{key}')", seat.label if seat else "Umpire") for key, seat, _ in SEATS],
        ("escape", "keep", "As before"),
    ]

    def __init__(
        self, players: Mapping[str, str | None], now: Seat = None, seated: bool = False
    ) -> None:
        super().__init__()
        self.players, self.now, self.seated = players, now, seated

    def compose(self) -> ComposeResult:
        with Vertical(id="seat"):
            yield Static("Who is looking?", id="question")
            yield OptionList(*[Option(self._words(*seat), seat[0]) for seat in SEATS])
            kept = (
                "Escape keeps the seat." if self.seated else "It can be changed at any time with s."
            )
            yield Static(kept, id="hint")

    def on_mount(self) -> None:
        seats = [seat for _, seat, _ in SEATS]
        self.query_one(OptionList).highlighted = seats.index(self.now)

    def _words(self, key: str, seat: Seat, what: str) -> Content:
        name = seat.label if seat else "Umpire"
        player = self.players.get(seat.value) if seat else None
        colour = f"${seat.value}" if seat else "$foreground"
        return Content.from_markup(
            f"[$accent]{key}[/]  [bold {colour}]{name:<9}[/] [dim]$what[/]",
            what=f"{player}, {what}" if player else what,
        )

    def action_sit(self, key: str) -> None:
        _ = self.dismiss(next(seat for one, seat, _ in SEATS if one == key))

    def action_keep(self) -> None:
        if self.seated:
            _ = self.dismiss(self.now)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        self.action_sit(str(event.option_id))
