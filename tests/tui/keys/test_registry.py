"""Every key stands in the one registry: nothing in the source of the screen names another."""

import ast
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path

import pytest
from textual.binding import Binding

from brt_cg import tui
from brt_cg.tui.dialogs.choice import NO, YES
from brt_cg.tui.keys.actions import (
    ACTIONS,
    DIALOGS,
    EVERYWHERE,
    FORMS,
    LISTS,
    PARTS,
    WRITTEN,
    Action,
    actions_of,
    binding_of,
    bindings,
)
from brt_cg.tui.keys.own_keys import is_key, is_letter_or_digit, read_keys
from tests.tui.helpers import screen_text, shown, until
from tests.tui.keys.test_actions import own_keys
from tests.tui.moments import in_forces, in_refit

TUI = Path(tui.__file__).parent
# Letters and digits that are typed: a die, the letter in front of an answer, that of a choice.
TYPES = {
    "app.py",  # says why a key does nothing
    "rooms/refit/screen.py",
    "rooms/scenario_end/screen.py",
    "dialogs/choice.py",
    "dialogs/curtain.py",  # says that a key comes too early
    "dialogs/working.py",
    "forms/fields.py",
}
OF_THE_TOOLKIT = {"OptionList", "VerticalScroll", "Tree", "DataTable"}  # they bring keys of theirs
WRAPPED = {"lists/row_lists.py", "lists/panes.py"}
HOW = (
    "a line in keys.toml names the key, and BINDINGS = bound_to(PLACE, name=what_it_runs) takes it"
)
# Some terminals keep these for themselves.
OFTEN_KEPT = {"pageup", "pagedown", "home", "end"}


@cache
def sources() -> dict[str, ast.Module]:
    return {
        path.relative_to(TUI).as_posix(): ast.parse(path.read_text("utf-8"))
        for path in sorted(TUI.rglob("*.py"))
    }


def found(kind: type[ast.AST], at: str = "") -> Iterator[tuple[str, ast.AST]]:
    for name, tree in sources().items():
        for node in ast.walk(tree):
            if name.startswith(at) and isinstance(node, kind):
                yield name, node


def test_no_binding_is_made_outside_the_registry() -> None:
    made = [
        f"{name}:{node.lineno}"
        for name, node in found(ast.Call)
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Binding"
        if name != "keys/actions.py"
    ]
    assert made == [], HOW


def test_no_bindings_name_a_key_directly() -> None:
    """A class takes its keys from the registry, by the names of actions."""
    named = []
    for name, node in found(ast.ClassDef):
        assert isinstance(node, ast.ClassDef)
        for line in node.body:
            target = line.target if isinstance(line, ast.AnnAssign) else None
            targets = line.targets if isinstance(line, ast.Assign) else [target]
            if any(getattr(target, "id", "") == "BINDINGS" for target in targets):
                value = getattr(line, "value", None)
                assert value is not None
                named += [
                    f"{name}:{line.lineno}"
                    for part in ast.walk(value)
                    if isinstance(part, ast.Tuple) and isinstance(part.elts[0], ast.Constant)
                    if is_key(str(part.elts[0].value).split(",")[0])
                ]
    assert named == [], HOW


def test_no_handler_compares_a_pressed_key_with_a_literal() -> None:
    compared = [
        f"{name}:{node.lineno}"
        for name, node in found(ast.Compare)
        if isinstance(node, ast.Compare)
        if any(
            isinstance(side, ast.Attribute) and side.attr == "key"
            for side in (node.left, *node.comparators)
        )
        if any(
            isinstance(part, ast.Constant) and isinstance(part.value, str)
            for part in ast.walk(node)
        )
    ]
    assert compared == [], HOW


def test_only_text_input_has_a_key_handler() -> None:
    handlers = {
        name
        for name, node in found(ast.FunctionDef)
        if isinstance(node, ast.FunctionDef)
        if node.name in ("on_key", "_on_key")
        or (node.name.startswith("key_") and is_key(node.name.removeprefix("key_")))
    }
    assert handlers == TYPES


def test_no_widget_with_its_own_keys_is_used_unchanged() -> None:
    made = [
        f"{name}:{node.lineno}"
        for name, node in found(ast.Call)
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") in OF_THE_TOOLKIT
        if name not in WRAPPED
    ]
    assert made == [], "RowList, PickList, Pane and ReadingPane have the keys of the registry"


def _bound() -> set[str]:
    """The actions that any class of the screen binds."""
    ids = set()
    for name in sources():
        module = import_module("brt_cg.tui." + name.removesuffix(".py").replace("/", "."))
        for made in vars(module).values():
            for binding in vars(made).get("BINDINGS", ()) if isinstance(made, type) else ():
                if isinstance(binding, Binding):
                    ids.add(binding.id)
    return {id for id in ids if id}


def test_every_action_has_a_key_somewhere() -> None:
    assert {action.id for action in ACTIONS if action.keys} - _bound() == set()


def test_an_action_has_another_key_than_those_terminals_reserve() -> None:
    keys = {action.id: {*action.keys.split(",")} for action in ACTIONS}
    assert [id for id, named in keys.items() if named & OFTEN_KEPT and not named - OFTEN_KEPT] == []


@pytest.mark.parametrize("part", PARTS)
def test_each_part_of_the_screen_has_its_keys(part: str) -> None:
    assert [action for action in ACTIONS if action.place == part]


def test_a_key_has_the_same_name_wherever_bound() -> None:
    assert binding_of("lists.cursor_up", "move(-1)").id == "lists.cursor_up"
    assert binding_of("everywhere.point", "point", first=True).priority


def letters() -> Iterator[tuple[str, Action]]:
    for action in ACTIONS:
        yield from ((key, action) for key in action.keys.split(",") if len(key) == 1)


def test_a_letter_of_a_box_does_nothing_after_the_box_closes() -> None:
    everywhere = {letter for letter, action in letters() if action.place == EVERYWHERE}
    boxes = {letter for letter, action in letters() if action.place == DIALOGS}
    assert everywhere.isdisjoint(boxes)
    assert everywhere.isdisjoint({YES, NO})


def test_no_letter_is_bound_where_text_is_typed() -> None:
    for place in WRITTEN:
        bound = {key for binding in bindings(place) for key in binding.key.split(",")}  # type: ignore[union-attr]
        assert [key for key in bound if is_letter_or_digit(key)] == []
        written = [key for action in actions_of(place) if action.written for key in action.keys]
        assert all(map(is_letter_or_digit, written))


# --- the player's own -----------------------------------------------------------------------------


async def test_custom_keys_move_in_lists(demo_file: Path) -> None:
    own_keys(f'[{LISTS}]\ncursor_down = "f11"\n')
    async with in_forces(demo_file) as (app, pilot):
        before = app.screen.selected_counter  # type: ignore[attr-defined]
        await pilot.press("f11")
        assert app.screen.selected_counter != before  # type: ignore[attr-defined]


async def test_custom_keys_mark_and_find_items_of_a_question(at_setup: Path) -> None:
    own_keys('[answers]\nmark = "f11"\nfind = "f12"\n')
    async with in_refit(at_setup) as (_, pilot):
        await pilot.press("down", "f11")
        await shown(pilot, "■")
        await pilot.press("f12")
        await shown(pilot, "Find")


async def test_custom_keys_work_and_are_shown_in_a_form(demo_file: Path) -> None:
    own_keys(f'[{FORMS}]\nback = "f11"\n[{EVERYWHERE}]\npoint = "f12"\n')
    async with in_forces(demo_file) as (app, pilot):
        await pilot.press("e")
        await shown(pilot, "F11: cancel")
        await until(pilot, lambda: app.focused)
        while not (app.focused and app.focused.name == "location"):
            await pilot.press("down")
        assert "F12 on the map" in screen_text(app)
        await pilot.press("f11")
        assert "F11: cancel" not in screen_text(app)


def test_a_list_key_used_for_something_else_is_reported() -> None:
    own = read_keys(own_keys(f'[{LISTS}]\ncursor_down = "j"\n'))
    assert own.keymap == {}
    assert own.problems == [
        'lists.cursor_down: "j" is already the key of everywhere.journal (Journal)'
    ]


async def test_the_palette_marks_the_items_of_a_question(at_setup: Path) -> None:
    async with in_refit(at_setup) as (app, pilot):
        await pilot.press("down", "ctrl+p", *"mark all")
        await shown(pilot, "All (A)")
        await pilot.press("enter")
        await shown(pilot, "■")
        assert app.current_mode == "refit"
