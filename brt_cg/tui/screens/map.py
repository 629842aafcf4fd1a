"""Map: Betio in hexes, who is where, and Perimeters painted on it."""

from typing import TYPE_CHECKING, Any

from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.timer import Timer
from textual.widgets import Input, Static

from brt_cg import board
from brt_cg.asks import Ask, Enter, Raw, Refused
from brt_cg.board import TerrainType
from brt_cg.counters import Counter, Side
from brt_cg.exports.wording import state_told
from brt_cg.tui.actions import MAP, bindings
from brt_cg.tui.map.drawing import CONTESTED, FRONT, ISOLATED, SIGNS
from brt_cg.tui.map.painting import Painting, effect
from brt_cg.tui.map.sheet import LEGEND, Sheet, sheet_of
from brt_cg.tui.room import Room
from brt_cg.tui.session import Seen
from brt_cg.tui.widgets.island_map import IslandMap

if TYPE_CHECKING:
    from brt_cg.campaign import Campaign

PAUSE = 0.15  # seconds after a stroke before what follows from it is worked out
TERRAIN = {
    TerrainType.OCEAN: "Ocean",
    TerrainType.BEACH: "Beach",
    TerrainType.LAND: "land",
    TerrainType.PIER: "pier",
}


class MapScreen(Room):
    """The map, and beside or below it the hex that the cursor is on. While a question asks for
    areas of hexes, its answer is painted here."""

    PLACE = MAP
    BINDINGS = bindings(MAP)
    CSS_PATH = "map.tcss"
    AUTO_FOCUS = "IslandMap"

    def __init__(self) -> None:
        super().__init__()
        self._painting: Painting | None = None
        self._hits: list[str] = []
        self._wait: Timer | None = None

    def room(self) -> ComposeResult:
        yield IslandMap(Sheet({}, {}), id="island")
        with Vertical(id="beside", classes="panel"):
            with Horizontal(id="find_line"):
                yield Static("/", id="slash")
                yield Input(placeholder="a hex, or words of a counter", id="find", compact=True)
            with VerticalScroll(id="page", can_focus=False):
                yield Static(id="hex")
                yield Static(id="painted")
            yield Static(_legend(), id="legend")

    # --- showing --------------------------------------------------------------------------------

    @property
    def island(self) -> IslandMap:
        return self.query_one(IslandMap)

    def show(self, seen: Seen) -> None:
        self.island.show(sheet_of(seen.view, seen.card))
        ask = _painted_question(seen)
        if ask is None or self._painting is None or self._painting.ask is not ask:
            self._painting = Painting(ask) if ask is not None else None
        self._show_painting()
        self._tell_hex()

    def _tell_hex(self) -> None:
        seen = self.seen
        if seen is not None:
            self.query_one("#hex", Static).update(_hex_told(self.island, seen.view))

    def on_island_map_moved(self, event: IslandMap.Moved) -> None:
        self._tell_hex()

    def on_island_map_pointed(self, event: IslandMap.Pointed) -> None:
        if event.again and self._painting is not None:
            self.action_paint()

    def on_island_map_dragged(self, event: IslandMap.Dragged) -> None:
        if self._painting is not None:
            self._painting.put(event.hex, True)
            self._show_painting()

    # --- finding --------------------------------------------------------------------------------

    def action_find(self) -> None:
        self.query_one("#find", Input).focus()

    def on_input_changed(self, event: Input.Changed) -> None:
        self._hits = self._found(event.value)
        if self._hits:
            self.island.go_to(self._hits[0])

    def _found(self, words: str) -> list[str]:
        """The hexes that words mean: the hex of that name, or those of the counters that have them
        in their names."""
        wanted = words.strip()
        if not wanted or self.seen is None:
            return []
        if board.is_location(wanted.upper()) and wanted.upper() != "OFF_MAP":
            return [board.hex_of(wanted.upper())]
        view = self.seen.view
        parts = wanted.lower().split()
        return [
            hex
            for hex, lying in self.island.drawing.sheet.here.items()
            if any(_has_words(view, counter, parts) for counter in lying)
        ]

    def action_next_found(self) -> None:
        if self._hits:
            at = self._hits.index(self.island.cursor) + 1 if self.island.cursor in self._hits else 0
            self.island.go_to(self._hits[at % len(self._hits)])

    def on_input_submitted(self, event: Input.Submitted) -> None:
        if self._painting is not None and not self._hits and event.value.strip():
            self._type_painting(event.value)
        self.island.focus()

    def on_key(self, event: events.Key) -> None:
        field = self.query_one("#find", Input)
        if event.key == "escape" and (field.has_focus or field.value):
            event.stop()
            field.value = ""
            self.island.focus()

    def action_closer(self) -> None:
        self.island.action_zoom(1)

    def action_farther(self) -> None:
        self.island.action_zoom(-1)

    # --- painting -------------------------------------------------------------------------------

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action in ("paint", "answer", "unpaint"):
            return self._painting is not None
        if action == "next_found":
            return len(self._hits) > 1
        return super().check_action(action, parameters)

    def action_paint(self) -> None:
        """Paints the hex under the cursor, or wipes it."""
        if self._painting is not None:
            self._painting.turn(self.island.cursor)
            self._show_painting()

    def action_unpaint(self) -> None:
        """Wipes everything."""
        if self._painting is not None:
            self._painting.hexes.clear()
            self._show_painting()

    def _type_painting(self, words: str) -> None:
        assert self._painting is not None
        try:
            self._painting.type(words)
        except (Refused, ValueError) as problem:
            self.notify(str(problem), title="Not possible", severity="warning", markup=False)
        self._show_painting()

    def _show_painting(self) -> None:
        painting = self._painting
        self.island.mark(frozenset(painting.hexes) if painting else frozenset())
        self.refresh_bindings()
        if self._wait is not None:
            self._wait.stop()
        told = self.query_one("#painted", Static)
        told.update(_painting_told(painting) if painting else "")
        if painting is not None:
            self._wait = self.set_timer(PAUSE, self._follow)

    def _follow(self) -> None:
        self.run_worker(self._work_out(), group="painting", exclusive=True)

    async def _work_out(self) -> None:
        """What the painting leads to, or why it is not allowed."""
        painting, seen = self._painting, self.seen
        if painting is None or seen is None:
            return
        ask, raw = painting.ask, painting.raw
        try:
            await self.brt.session.consult(lambda desk: _check(desk, ask, raw))
            after = await self.brt.session.consult(
                lambda _: effect(seen.view, seen.card, painting.groups())
            )
        except Refused as problem:
            words = Content.from_markup("[$warning]$problem[/]", problem=str(problem))
        else:
            words = Content(after)
        if painting is self._painting and painting.raw == raw:
            told = Content("\n").join([_painting_told(painting), words])
            self.query_one("#painted", Static).update(told)

    def action_answer(self) -> None:
        """Answers with what has been painted."""
        painting = self._painting
        if painting is None:
            return
        ask, raw = painting.ask, painting.raw
        self.brt.perform(lambda desk: _answer(desk, ask, raw), self._answered)

    def _answered(self, _: object) -> None:
        self.run_worker(self.brt.run_action("refit"))

    # --- help, clipboard ------------------------------------------------------------------------

    def row_text(self) -> str | None:
        return self.island.cursor

    def about(self) -> tuple[str, str]:
        return (
            "Map",
            "North is up: hexrow Z, the lagoon, on top, numbers from west to east. Arrows go from "
            "hex to hex, + and − zoom, / finds a hex or a counter. Where a Perimeter is asked for "
            "(15.607), Space paints the hex under the cursor, the mouse paints what it is drawn "
            "over, / takes ranges (N18-N21 M18 / T26-T28), and Enter answers.",
        )


def _painted_question(seen: Seen) -> "Enter[Any] | None":
    """The question whose answer is painted, if this seat answers one."""
    ask = seen.ask
    painted = isinstance(ask, Enter) and ask.form.painted and seen.may_know(ask.side)
    return ask if painted and isinstance(ask, Enter) else None


def _check(desk: Any, ask: Ask[Any], raw: Raw) -> None:
    """Raises Refused where the question does not allow an answer, if it still stands."""
    if desk.ask is ask:
        ask.read(raw)


def _answer(desk: Any, ask: Ask[Any], raw: Raw) -> None:
    from brt_cg.tui import going_on

    going_on.answer(desk, ask, raw)


def _has_words(view: "Campaign", counter: Counter, parts: list[str]) -> bool:
    told = f"{view.label(counter)} {counter.id} {state_told(counter)}".lower()
    return all(part in told for part in parts)


def _painting_told(painting: Painting) -> Content:
    return Content.from_markup(
        "\n[bold $accent]$prompt[/]\n$told", prompt=painting.ask.prompt, told=painting.told()
    )


def _hex_told(island: IslandMap, view: "Campaign") -> Content:
    """The hex under the cursor: what it is, whose, and who is there, down to the stack."""
    sheet = island.drawing.sheet
    hex = sheet.hexes.get(island.cursor)
    if hex is None:
        return Content("")
    facts = [TERRAIN[hex.terrain], hex.beach and hex.beach.replace("_", " ").title()]
    if hex.area and hex.holder:
        facts.append(f"{hex.area}, {hex.holder.label}")
    facts += ["Front Line"] if hex.front else []
    facts += [f"{hex.isolated.label} Isolated"] if hex.isolated else []
    head = Content.from_markup(
        "[bold $accent]$name[/]  $facts", name=hex.name, facts=" · ".join(filter(None, facts))
    )
    lines = [_counter_told(view, counter) for counter in sheet.here.get(hex.name, ())]
    return Content("\n").join([head, *lines])


def _counter_told(view: "Campaign", counter: Counter) -> Content:
    side = getattr(counter, "side", None)
    place = (counter.location or "").partition(":")[2]
    words = ", ".join(filter(None, (place and f"in {place}", state_told(counter))))
    return Content.from_markup(
        f"[{'$' + side.value if side else '$foreground'}]$sign $label[/] [dim]$words[/]",
        sign=SIGNS.get(side, "▪") if isinstance(side, Side) else "▪",
        label=view.label(counter),
        words=words,
    )


def _legend() -> Content:
    signs = {CONTESTED: "contested", ISOLATED: "Isolated", FRONT: "Front Line", **LEGEND}
    sides = " ".join(f"{sign} {side.label}" for side, sign in SIGNS.items())
    return Content(f"{sides} · " + " · ".join(f"{sign} {what}" for sign, what in signs.items()))
