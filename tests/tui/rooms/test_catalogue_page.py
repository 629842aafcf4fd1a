"""The page Catalogue of the Campaign room: figures with their sources, and the player's own."""

from pathlib import Path
from typing import Any

from textual.pilot import Pilot

from brt_cg.catalogue import load_catalogue
from brt_cg.catalogue.types import own_catalogue_path, read_own_types
from brt_cg.model.counters import Side
from tests.tui.helpers import MIDDLE, settled, shown
from tests.tui.moments import opened, press


async def at_type(pilot: Pilot[Any], *words: str) -> None:
    """The page, the cursor on the type that the words find."""
    await pilot.app.run_action("catalogue")
    await settled(pilot)
    await press(pilot, "slash", *" ".join(words), "enter")


async def test_each_type_is_shown_with_its_values_and_sources(new_file: Path) -> None:
    async with opened(new_file, size=MIDDLE) as (_app, pilot):
        await at_type(pilot, "hmg", "marine")
        text = await shown(pilot, "Repair Number: 3")
        assert "read by eye" in text
        assert "•" not in text


async def test_a_value_changed_in_the_own_catalogue_is_marked(new_file: Path) -> None:
    async with opened(new_file, size=MIDDLE) as (_app, pilot):
        await at_type(pilot, "lmg")
        await press(pilot, "enter")
        await shown(pilot, "LMG: as printed on the counter")
        await press(pilot, "2", "enter")
        text = await shown(pilot, "• LMG")
        assert "read off the counter by the player" in text
    assert [each.type for each in read_own_types()] == ["LMG"]
    known = load_catalogue().printed_type("weapons", Side.MARINE, "LMG")
    assert known is not None
    assert known.figures["repair_number"] == 2


async def test_an_invalid_value_is_refused_at_its_field(new_file: Path) -> None:
    async with opened(new_file, size=MIDDLE) as (_, pilot):
        await at_type(pilot, "lmg")
        await press(pilot, "enter")
        await shown(pilot, "LMG: as printed on the counter")
        await press(pilot, *"many", "enter")
        await shown(pilot, "repair_number=many")
    assert read_own_types() == ()


async def test_a_visitor_cannot_edit_and_sees_no_folder_of_the_machine(
    new_file: Path,
) -> None:
    async with opened(new_file, Side.MARINE, size=(160, 40), served=True, notifications=True) as (
        _,
        pilot,
    ):
        await at_type(pilot, "new", "type")
        text = await shown(pilot, "Kept in your own catalog")
        assert own_catalogue_path().parent.name not in text.replace("\n", "")
        await press(pilot, "enter")
        await shown(pilot, "on the machine that serves")
    assert read_own_types() == ()


async def test_a_new_type_is_entered(new_file: Path) -> None:
    async with opened(new_file, size=MIDDLE) as (_, pilot):
        await at_type(pilot, "new", "type")
        await press(pilot, "enter")
        await press(pilot, *"Type 92", "down", "down", "right", "right", "enter")
        await shown(pilot, "2 of 2")
        await press(pilot, "1", "enter", "escape", "slash", *"92")
        await shown(pilot, "• Type 92")
    (type_,) = read_own_types()
    assert (type_.table, type_.nation, type_.type) == ("weapons", Side.JAPANESE, "Type 92")
