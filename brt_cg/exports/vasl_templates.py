"""The next scenario for vasl-templates, which makes labels for VASL's map of it."""

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from brt_cg.board.locations import in_ranges
from brt_cg.card import Card
from brt_cg.commands.state_document import document
from brt_cg.exports.blocks import Document
from brt_cg.exports.heads import page_head
from brt_cg.exports.setup_pages import AREA, ISOLATED, RosterPage, pages, scenario_start
from brt_cg.exports.strength import strength
from brt_cg.model.campaign import Campaign
from brt_cg.model.counters import Side, WeaponKind
from brt_cg.model.records import Phase
from brt_cg.questions.answers import Refused
from brt_cg.vasl.names import load_names
from brt_cg.views.book import Book

PLAYERS = ((1, Side.JAPANESE, "japanese"), (2, Side.MARINE, "american"))


def build(book: Book) -> Document:
    """A scenario file: SAN, ELR, turns, a setup note for each Setup Area, Guns and vehicles by the
    ids of vasl-templates. Raises Refused once the campaign is over."""
    view = book.campaign
    if view.situation.phase is Phase.OVER:
        raise Refused("the campaign is over: there is no next scenario")
    start = scenario_start(view, book.card)
    title = view.situation.name or book.card.title
    data: dict[str, Any] = {
        "SCENARIO_NAME": f"{title}: {start.dates}",
        "SCENARIO_ID": f"BRT CG {view.situation.cg}",
        "SCENARIO_LOCATION": "Betio, Tarawa Atoll",
        "SCENARIO_THEATER": "PTO",
        "SCENARIO_DATE": f"1943-11-{start.date.split()[0]}",
        "VICTORY_CONDITIONS": "The Marines win by having more VP than the Japanese (15.615).",
        "SSR": [f"{start.first_setup.label} side sets up first.", f"{start.turns} turns."],
        "SCENARIO_NOTES": [],
    }
    if start.first_move is not None:
        data["SSR"].append(f"{start.first_move.label} side moves first.")
    everywhere = pages(view, start.first_setup)
    for number, whose, nationality in PLAYERS:
        record = view.sides[whose]
        data |= {
            f"PLAYER_{number}": nationality,
            f"PLAYER_{number}_ELR": str(record.elr),
            f"PLAYER_{number}_SAN": str(record.san),
            f"PLAYER_{number}_DESCRIPTION": record.player or "",
            f"OB_SETUPS_{number}": [
                {"caption": caption, "width": "", "id": at}
                for at, caption in enumerate(_setups(everywhere, whose, book.card), start=1)
            ],
            f"OB_NOTES_{number}": [],
            f"OB_VEHICLES_{number}": _objects(view, whose, "vehicles"),
            f"OB_ORDNANCE_{number}": _objects(view, whose, "weapons"),
        }
    nothing = partial(iter, ())
    return Document("vasl-templates", page_head(book), data, nothing, nothing)


def _setups(everywhere: list[RosterPage], whose: Side, card: Card) -> Iterator[str]:
    for page in everywhere:
        if page.side is not whose or page.kind not in (AREA, ISOLATED):
            continue
        size = strength(page.counters, card.ladders).words
        where = in_ranges(page.area.hexes) if page.area else page.name
        yield f"{page.name}: set up in {where}. {size}"


def _objects(view: Campaign, whose: Side, table: str) -> list[dict[str, Any]]:
    """Each kind of Gun or vehicle once, by its id there; unknown ones are left out."""
    ids: Mapping[str, str] = load_names().templates
    seen: dict[str, str] = {}
    for row in document(view)[table]:
        gun = table == "vehicles" or row["kind"] == WeaponKind.GUN
        known = ids.get(row["type"])
        if gun and known and row["side"] == whose and row["fate"] == "in_play":
            seen[known] = row["type"]
    return [
        {"id": id, "seq_id": number, "name": name}
        for number, (id, name) in enumerate(sorted(seen.items()), start=1)
    ]
