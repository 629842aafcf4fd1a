"""The order of battle in figures: what came, what is there, what is lost, as a seat may know it."""

import csv
import json

from brt_cg.exports import build_document, export_document
from brt_cg.exports.order_matrix import KINDS, list_arrived_batches, order_of_battle_matrix
from brt_cg.views.view import create_view
from tests.exports.journals import JAPANESE, MARINE, begun, demo, squad

BOTH = (MARINE, JAPANESE)


def of(found: dict[str, list[int]], kind: str) -> list[int]:
    """What each row counts of a kind."""
    return [numbers[KINDS.index(kind)] for numbers in found.values()]


def test_arrived_counters_are_in_play_lost_or_off_map() -> None:
    gun = {"id": "j-gun-1", "side": "marine", "nation": "japanese", "kind": "gun", "type": "37L AT"}
    wreck = {"id": "m-tk-1", "side": "marine", "type": "M4A2", "status": ["wreck"]}
    journal = begun(
        squad("m-sq-1", "N19"),
        squad("m-sq-2", "off_map"),
        squad("m-sq-3", "N19", fate="eliminated"),
        squad("j-sq-1", "N19", status=["prisoner"], guard="m-sq-1"),
        weapons=[gun | {"location": "N19"}],
        vehicles=[wreck | {"location": "N19"}],
    )
    found = order_of_battle_matrix(create_view(journal), BOTH)
    assert of(found[MARINE], "squads") == [3, 1, 1, 1]
    assert of(found[MARINE], "vehicles") == [1, 0, 1, 0]
    assert of(found[MARINE], "guns") == [0, 1, 0, 0], "taken from the enemy"
    assert of(found[JAPANESE], "guns") == [1, 0, 1, 0]
    assert of(found[JAPANESE], "squads") == [1, 0, 1, 0], "a prisoner"


def test_counters_made_in_the_refit_phase_are_not_arrivals() -> None:
    found = order_of_battle_matrix(create_view(demo()), BOTH)
    assert of(found[JAPANESE], "squads")[0] < of(found[JAPANESE], "squads")[1], "recombined HS"
    batches = list_arrived_batches(create_view(demo()))
    assert {batch.heading for batch in batches} == {"Scenario end"}
    assert {batch.date for batch in batches} == {"20 PM"}


def test_a_side_counts_only_known_enemy_counters() -> None:
    whole, seen = (
        order_of_battle_matrix(create_view(demo(), side), (JAPANESE,))[JAPANESE]
        for side in (None, MARINE)
    )
    assert all(
        known <= all_of
        for row in whole
        for known, all_of in zip(seen[row], whole[row], strict=True)
    )
    assert seen["now"] != whole["now"]


def test_all_formats_show_the_same_numbers() -> None:
    book = create_view(demo(), MARINE)
    due = order_of_battle_matrix(book, (MARINE,))[MARINE]
    data = json.loads(str(export_document(book, "order-of-battle", "json")))["matrix"]["marine"]
    assert {row: [*of.values()] for row, of in data.items()} == due
    tables = export_document(book, "order-of-battle", "csv")
    assert isinstance(tables, dict)
    (told,) = [text for name, text in tables.items() if name.startswith("matrix")]
    assert [[int(line[kind]) for kind in KINDS] for line in csv.DictReader(told.splitlines())] == [
        *due.values()
    ]
    text = str(export_document(book, "order-of-battle", "txt"))
    remarks = [line.split() for line in text.splitlines() if line.startswith("# now")]
    assert remarks == [["#", "now", *map(str, due["now"])]]
    assert build_document(book, "order-of-battle").title == "Order of battle"
