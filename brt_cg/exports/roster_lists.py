"""The compact lists of the setup rosters: several places to a page of paper."""

from collections.abc import Callable, Iterator, Mapping, Sequence

from brt_cg.board import hexes_as_ranges
from brt_cg.exports.blocks import (
    Block,
    Bullets,
    Cell,
    CounterLabel,
    Picture,
    SectionBlock,
    TableBlock,
    TextBlock,
    WriteIn,
)
from brt_cg.exports.map_frame import frame_around_hexes
from brt_cg.exports.setup_pages import AREA, ISOLATED, OFF_MAP, RosterPage, page_tables
from brt_cg.exports.strength import ForceStrength
from brt_cg.exports.wording import notable_state_text
from brt_cg.model import (
    Campaign,
    Counter,
    CounterCodes,
    Fortification,
    Piece,
    Side,
    Unit,
    holder_id,
)
from brt_cg.text import count_text

WIDTHS = (7, 57, 36)  # the widths of a list's columns
Places = Sequence[tuple[RosterPage, ForceStrength]]
Drawing = Callable[[RosterPage], Picture]  # of a Setup Area and its surroundings
Spot = Callable[[Counter], str]  # where a counter sets up; "" if its player chooses


def place_lists(
    view: Campaign, places: Places, spot: Spot, draw: Drawing, codes: CounterCodes
) -> Iterator[Block]:
    """Yield a list for each place to set up in; the Isolated Locations of a side are together.
    Counters have the codes of the scenario, once it has begun."""
    isolated: dict[Side, list[Block]] = {}
    for page, size in places:
        if page.kind != ISOLATED:
            blocks = [*_area(page, size, draw), *_tables(view, page, spot, codes)]
            yield SectionBlock(page.title, blocks)
        elif page.side not in isolated:
            isolated[page.side] = []
            title = f"Isolated {page.side.label} Locations"
            yield SectionBlock(title, isolated[page.side])
            for other, _ in places:
                if other.kind == ISOLATED and other.side is page.side:
                    isolated[page.side] += _tables(view, other, spot, codes)


def enemy_strengths(places: Places) -> Bullets:
    """Return a line for each place of the enemy, who has a separate roster for it, and one for all
    the enemy's Isolated Locations."""
    lines = [
        f"{page.name if page.kind == AREA else page.title}: {size.words or 'nothing known'}"
        for page, size in places
        if page.kind != ISOLATED
    ]
    isolated = [f"{page.words} {size.words}" for page, size in places if page.kind == ISOLATED]
    return Bullets([*([f"Isolated: {'; '.join(isolated)}"] if isolated else []), *lines])


def _area(page: RosterPage, size: ForceStrength, draw: Drawing) -> Iterator[Block]:
    if page.area is not None:
        yield TextBlock(
            f"{count_text(len(page.area.hexes), 'hex')}: {hexes_as_ranges(page.area.hexes)}"
        )
    yield TextBlock(size.words if page.counters else "Nothing sets up here.")
    if page.area is not None and frame_around_hexes(page.area.hexes).has_numbers:
        yield draw(page)


def _tables(
    view: Campaign, page: RosterPage, spot: Spot, codes: CounterCodes
) -> Iterator[TableBlock]:
    """Yield the tables of a place: each counter is followed by its companions, which set up with
    it."""
    there = {counter.id: counter for counter in page.counters}
    inside: dict[str, list[Counter]] = {}
    for counter in there.values():
        holder = holder_id(counter)
        if holder in there and holder != counter.id:
            inside.setdefault(holder, []).append(counter)
    within = {counter.id for held in inside.values() for counter in held}
    for title, _, counters in page_tables(view, page):
        rows: list[Sequence[Cell]] = []
        for counter in (held for held in counters if held.id not in within):
            rows += _roster_rows(counter, inside, spot, title, codes)
        if rows:
            place = "" if page.kind == OFF_MAP else "sets up in"
            yield TableBlock(
                ("", f"{title or page.words or page.name} ({len(rows)})", place), rows, WIDTHS
            )


def _roster_rows(
    counter: Counter,
    inside: Mapping[str, list[Counter]],
    spot: Spot,
    title: str,
    codes: CounterCodes,
) -> Iterator[Sequence[Cell]]:
    where = spot(counter).removesuffix(" (recorded)")
    place: Cell = "" if counter.off_map else where or WriteIn.LINE
    kind, code = title in ("", BOUND), codes.code_of(counter.id)
    yield (WriteIn.BOX, counter_label(counter, kind=kind, code=code), place)
    for held in inside.get(counter.id, ()):
        own = spot(held).removesuffix(" (recorded)")
        label = counter_label(held, inside=True, code=codes.code_of(held.id))
        yield (WriteIn.BOX, label, own if own != where else "")


ON_THE_TABLE = "on the table"  # set up there, in a hex that only the players know
ON_PAPER = "on paper"  # hidden, in a hex that only its player knows
BOUND = "Bound to their Locations"


def place_without_hex_text(view: Campaign, counter: Counter) -> str:
    """Return the place of a counter without a hex, in words."""
    hidden = isinstance(counter, Piece) and view.side_hiding(counter) is not None
    return ON_PAPER if hidden else ON_THE_TABLE


def counter_label(
    counter: Counter, *, kind: bool = True, inside: bool = False, code: str = ""
) -> CounterLabel:
    """Return a counter in a list; its `kind` may be in the heading."""
    is_fort = isinstance(counter, Fortification)
    typed = counter.full_type_text if is_fort else counter.type_text
    printed = " ".join(filter(None, (code, typed, counter.name)))
    sort = counter.kind.label if isinstance(counter, Unit) and kind else ""
    number = "" if counter.name else counter.name_or_number
    return CounterLabel(printed, sort, number, notable_state_text(counter), inside)
