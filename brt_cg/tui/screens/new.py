"""A new campaign in three steps: the game, its points, its rulings."""

from pathlib import Path

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Grid, Vertical, VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import ContentSwitcher, Input, Label, OptionList, Static
from textual.widgets.option_list import Option

from brt_cg.asks import Refused
from brt_cg.card import Card, available, load_card
from brt_cg.card.rulings import Ruling, RulingKind
from brt_cg.counters import Side
from brt_cg.tui.new_campaign import (
    BEACH_KINDS,
    NewCampaign,
    allotments_from,
    kinds_of,
    turned,
)

STEPS = ("game", "points", "rulings")
TITLES = {
    "game": "New campaign · 1 of 3 · the game",
    "points": "New campaign · 2 of 3 · the points of the CG card",
    "rulings": "New campaign · 3 of 3 · rulings that the players agree",
}
NEXT = "Ctrl+N: on · Escape: back"


class NewScreen(ModalScreen[NewCampaign | None]):
    """Asks for what a new campaign needs; everything but the CG may stay as it is."""

    CSS_PATH = "new.tcss"
    BINDINGS = [
        Binding("ctrl+n", "on", "On", priority=True),
        Binding("escape", "back", "Back"),
        Binding("left", "turn(-1)", "Before", show=False),
        Binding("right,space", "turn(1)", "After", show=False),
    ]

    def __init__(self) -> None:
        super().__init__()
        self.card: Card = load_card(available()[-1])
        self.ruled: dict[str, str] = {}

    @property
    def step(self) -> str:
        return self.query_one(ContentSwitcher).current or STEPS[0]

    def compose(self) -> ComposeResult:
        with Vertical(id="new") as box:
            box.border_title, box.border_subtitle = TITLES["game"], NEXT
            with ContentSwitcher(initial="game"):
                with VerticalScroll(id="game", can_focus=False):
                    yield from self._game()
                with VerticalScroll(id="points", can_focus=False):
                    yield from self._points()
                with Vertical(id="rulings"):
                    yield OptionList(id="list")
                    yield Static(id="ruling")

    def _game(self) -> ComposeResult:
        yield OptionList(*(Option(self._cg(cg), cg) for cg in available()), id="cgs")
        with Grid(classes="fields"):
            for id, label, value in (
                ("file", "File", str(_free_file())),
                ("name", "Campaign", ""),
                ("marine", "Marine player", ""),
                ("japanese", "Japanese player", ""),
            ):
                yield Label(label)
                yield Input(value, id=id, compact=True, select_on_focus=False)

    def _cg(self, cg: str) -> str:
        card = load_card(cg)
        mark = "●" if cg == self.card.cg else "○"
        return f"{mark} {card.title}: {card.dates[0]} to {card.dates[-1]}"

    def _points(self) -> ComposeResult:
        yield Static(
            "Copy them from your CG card; leave empty what you do not have at hand. CAPP as the "
            "card prints them, 26^2.",
            classes="hint",
        )
        with Grid(classes="table"):
            yield Label("")
            for kind in BEACH_KINDS:
                yield Label(kind.upper(), classes="head")
            for beach in self.card.beaches:
                yield Label(beach.replace("_", " ").title())
                yield from self._cells(beach, kinds_of(beach))
            yield Label("Marines", classes="of-marine")
            yield from self._cells(Side.MARINE, ("fpp",))

    def _cells(self, where: str, kinds: tuple[str, ...]) -> ComposeResult:
        for kind in BEACH_KINDS:
            if kind in kinds:
                yield Input(id=f"points-{where}-{kind}", compact=True)
            else:
                yield Label("")

    # --- from step to step ------------------------------------------------------------------------

    def on_mount(self) -> None:
        games = self.query_one("#cgs", OptionList)
        games.highlighted = available().index(self.card.cg)
        games.focus()

    @on(Input.Submitted)
    def _entered(self) -> None:
        self.screen.focus_next()

    @on(OptionList.OptionHighlighted, "#cgs")
    def _chosen(self, event: OptionList.OptionHighlighted) -> None:
        self.card = load_card(str(event.option_id))
        for cg in available():
            event.option_list.replace_option_prompt(cg, self._cg(cg))

    @on(OptionList.OptionSelected, "#cgs")
    def _settled(self) -> None:
        self.screen.focus_next()

    def action_on(self) -> None:
        try:
            self._check()
        except Refused as refused:
            self.notify(str(refused), severity="warning", markup=False)
            return
        if self.step == STEPS[-1]:
            _ = self.dismiss(self._wanted())
            return
        self._go(1)

    def action_back(self) -> None:
        if self.step == STEPS[0]:
            _ = self.dismiss(None)
        else:
            self._go(-1)

    def _go(self, by: int) -> None:
        step = STEPS[STEPS.index(self.step) + by]
        self.query_one(ContentSwitcher).current = step
        box = self.query_one("#new")
        last = step == STEPS[-1]
        box.border_title = TITLES[step]
        box.border_subtitle = (
            "← →: change · Ctrl+N: make the campaign · Escape: back" if last else NEXT
        )
        if last:
            self._list_rulings()
        first = {"game": "#cgs", "points": "#points Input", "rulings": "#list"}[step]
        self.query(first).first().focus()

    def _check(self) -> None:
        if self.step == "game" and self._path().exists():
            raise Refused(f"{self._path()} exists already: choose another name")
        if self.step == "game" and not self._path().absolute().parent.is_dir():
            raise Refused(f"There is no folder {self._path().absolute().parent}")
        if self.step == "points":
            allotments_from(self._typed(), self.card)

    # --- rulings ----------------------------------------------------------------------------------

    def _list_rulings(self) -> None:
        listed = self.query_one("#list", OptionList)
        at = listed.highlighted or 0
        listed.clear_options()
        listed.add_options([Option(self._line(one), one.id) for one in self._rulings()])
        listed.highlighted = at

    def _rulings(self) -> list[Ruling]:
        return list(self.card.rulings.values())

    def _line(self, ruling: Ruling) -> Content:
        value = self.ruled.get(ruling.id, ruling.default)
        changed = "" if value == ruling.default else f"  (default {ruling.default})"
        return Content.from_markup(
            "[bold]$id[/][dim]$rule[/]$value[dim]$changed[/]",
            id=f"{ruling.id:<22}",
            rule=f"{ruling.rule:<18}",
            value=value,
            changed=changed,
        )

    @on(OptionList.OptionHighlighted, "#list")
    def _looked_at(self, event: OptionList.OptionHighlighted) -> None:
        ruling = self.card.rulings[str(event.option_id)]
        value = self.ruled.get(ruling.id, ruling.default)
        self.query_one("#ruling", Static).update(
            Content.from_markup(
                "[bold]$question[/]\n$value: $meaning\n[dim]allowed: $allowed\n"
                "default $default, from $provenance; how sure: $sure[/]",
                question=ruling.question,
                value=value,
                meaning=ruling.meaning(value),
                allowed=ruling.allowed,
                default=ruling.default,
                provenance=ruling.provenance,
                sure=ruling.sure,
            )
        )

    def action_turn(self, by: int) -> None:
        listed = self.query_one("#list", OptionList)
        option = listed.highlighted_option
        if self.step != "rulings" or option is None:
            return
        ruling = self.card.rulings[str(option.id)]
        value = turned(_values(ruling), self.ruled.get(ruling.id, ruling.default), by)
        self.ruled[ruling.id] = value
        self._list_rulings()

    @on(OptionList.OptionSelected, "#list")
    def _pressed(self) -> None:
        self.action_turn(1)

    # --- what comes of it -------------------------------------------------------------------------

    def _path(self) -> Path:
        return Path(self._text("file")).expanduser()

    def _text(self, id: str) -> str:
        return self.query_one(f"#{id}", Input).value.strip()

    def _typed(self) -> dict[tuple[str, str], str]:
        typed = {}
        for one in self.query("#points Input").results(Input):
            _, where, kind = str(one.id).split("-")
            typed[where, kind] = one.value
        return typed

    def _wanted(self) -> NewCampaign:
        players = {side.value: self._text(side.value) for side in Side}
        defaults = {one.id: one.default for one in self._rulings()}
        return NewCampaign(
            path=self._path(),
            cg=self.card.cg,
            name=self._text("name") or None,
            players={side: name for side, name in players.items() if name},
            allotments=allotments_from(self._typed(), self.card),
            rulings={id: one for id, one in self.ruled.items() if one != defaults[id]},
        )


def _values(ruling: Ruling) -> tuple[str, ...]:
    if ruling.kind is RulingKind.NUMBER and ruling.low is not None and ruling.high is not None:
        return tuple(str(number) for number in range(ruling.low, ruling.high + 1))
    return ruling.options


def _free_file() -> Path:
    names = (Path(f"tarawa{number}.brt") for number in ("", *range(2, 100)))
    return next((one for one in names if not one.exists()), Path("tarawa.brt"))
