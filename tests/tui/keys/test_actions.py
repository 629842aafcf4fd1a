"""The one list of actions, and a player's own keys."""

import re
from importlib import import_module
from itertools import combinations
from pathlib import Path

import pytest

from brt_cg.cli.help import GUIDE
from brt_cg.text import key_text
from brt_cg.tui.app import BrtApp
from brt_cg.tui.frame.palette import find_actions, possible_actions
from brt_cg.tui.keys.actions import (
    ACTIONS,
    BY_ID,
    EVERYWHERE,
    PARTS,
    POINT,
    SCENARIO_END,
    WRITTEN,
    Action,
)
from brt_cg.tui.keys.moved_keys import MOVED, NAMES
from brt_cg.tui.keys.own_keys import need_different_keys, read_keys
from brt_cg.tui.memory.recent import keys_path, load_memory
from brt_cg.tui.point.screen import PointScreen
from brt_cg.tui.rooms.scenario_end.screen import ScenarioEndScreen
from tests.tui.helpers import MIDDLE, screen_text, settled, shown, words_on_the_left
from tests.tui.moments import in_refit, opened, played, press


def own_keys(text: str) -> Path:
    """Writes the player's own keys."""
    path = keys_path()
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    return path


def keys(action: Action) -> set[str]:
    return set(filter(None, action.keys.split(",")))


def test_no_two_actions_of_one_place_share_a_key() -> None:
    clashes = [
        (one.id, other.id)
        for one, other in combinations(ACTIONS, 2)
        if need_different_keys(one, other) and keys(one) & keys(other)
    ]
    assert clashes == []


def letters_of() -> set[tuple[str, str]]:
    """Each letter that commands, with the label of its action; not where letters are written."""
    return {
        (letter, action.label)
        for action in ACTIONS
        if action.place not in WRITTEN
        for letter in keys(action)
        if len(letter) == 1 and letter.isalpha()
    }


def test_a_letter_has_the_same_meaning_everywhere() -> None:
    found = sorted(letters_of())
    twice = [label for label in found if [letter for letter, _ in found].count(label[0]) > 1]
    assert twice == []


def test_an_action_has_the_same_letter_everywhere() -> None:
    found = sorted(letters_of())
    twice = [letter for letter in found if [label for _, label in found].count(letter[1]) > 1]
    assert twice == []


def test_every_action_has_a_help_sentence_and_a_unique_name() -> None:
    assert len({action.id for action in ACTIONS}) == len(ACTIONS)
    assert all(action.help.endswith(".") and action.label for action in ACTIONS)


def test_every_action_has_its_method() -> None:
    for action in ACTIONS:
        if action.place in PARTS:
            continue  # what these run is said where they are bound
        owner: object = BrtApp
        if action.place == SCENARIO_END:
            owner = ScenarioEndScreen
        elif action.place == POINT:
            owner = PointScreen
        elif action.place != EVERYWHERE:
            room = import_module(f"brt_cg.tui.rooms.{action.place}.screen")
            owner = getattr(room, f"{action.place.title()}Screen")
        assert hasattr(owner, f"action_{action.runs.partition('(')[0]}"), action.id


def test_without_a_file_there_are_no_custom_keys() -> None:
    own = read_keys(keys_path())
    assert (own.keymap, own.problems) == ({}, [])


def test_custom_keys_are_read() -> None:
    own = read_keys(own_keys('[everywhere]\nhelp = "f12"\nundo = ["u", "backspace"]\n'))
    assert own.keymap == {"everywhere.help": "f12", "everywhere.undo": "u,backspace"}
    assert own.problems == []


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[everywhere\n", "not TOML"),
        (f"[everywhere]\nhelp = {'9' * 5000}\n", "not TOML: a number has thousands of digits"),
        ("[everywhere]\nhelp = " + "[" * 100_000, "not TOML"),
        ('[nowhere]\nhelp = "x"\n', "[nowhere] is not a place; enter everywhere, home"),
        ('[everywhere]\nhlep = "x"\n', "everywhere.hlep is not an action; did you mean help?"),
        ('[everywhere]\nhelp = "flop"\n', '"flop" is not a key'),
        ("[everywhere]\nhelp = 5\n", "everywhere.help: write a key as"),
        ('[everywhere]\nhelp = "q"\n', '"q" is already the key of everywhere.quit (Quit)'),
    ],
)
def test_an_unusable_key_line_is_reported_and_ignored(text: str, told: str) -> None:
    own = read_keys(own_keys(text + ('[home]\nnew = "k"\n' if "TOML" not in told else "")))
    assert len(own.problems) == 1
    assert told in own.problems[0]
    assert own.keymap == ({} if "TOML" in told else {"home.new": "k"})


def test_two_actions_can_swap_keys() -> None:
    own = read_keys(own_keys('[everywhere]\nhome = "d"\ndashboard = "h"\n'))
    assert own.problems == []


def test_the_second_of_two_lines_with_one_key_is_ignored() -> None:
    own = read_keys(own_keys('[everywhere]\nhelp = "f12"\nmap = "m"\nundo = "f12"\n'))
    assert own.keymap == {"everywhere.help": "f12", "everywhere.map": "m"}
    assert own.problems == ['everywhere.undo: "f12" is already the key of everywhere.help (Help)']


def test_an_ignored_line_gets_its_default_key_back() -> None:
    own = read_keys(own_keys('[everywhere]\nhome = "d"\ndashboard = "q"\n'))
    assert own.keymap == {}
    assert own.problems == [
        'everywhere.dashboard: "q" is already the key of everywhere.quit (Quit)',
        'everywhere.home: "d" is already the key of everywhere.dashboard (Dashboard)',
    ]


@pytest.mark.parametrize(
    ("key", "shown"),
    [("question_mark", "?"), ("ctrl+p", "Ctrl+P"), ("enter", "Enter"), ("u", "u"), ("U", "U")],
)
def test_keys_are_shown_as_on_a_keyboard(key: str, shown: str) -> None:
    assert key_text(key) == shown


async def test_a_custom_key_works_and_is_shown(demo_file: Path) -> None:
    own_keys('[dashboard]\nimport = "x"\n')
    async with opened(demo_file, size=MIDDLE) as (app, pilot):
        assert "x Import" in screen_text(app)
        await pilot.press("x")
        await pilot.pause()
        assert "The situation at scenario end" in screen_text(app)


async def test_the_hints_of_a_question_name_custom_keys(at_setup: Path) -> None:
    own_keys('[everywhere]\nmap = "f6"\npoint = "f11"\n')
    async with in_refit(at_setup, size=MIDDLE) as (app, pilot):
        await pilot.press("down")
        await shown(pilot, "F6:")
        assert "F6: point on the map" in words_on_the_left(app)
        await pilot.press("enter")
        await shown(pilot, "F11: point on the map")


async def test_the_hint_of_a_painted_question_names_the_custom_key(demo_file: Path) -> None:
    own_keys('[everywhere]\nmap = "f6"\n')
    async with in_refit(played(demo_file, "15.606")) as (_, pilot):
        await shown(pilot, "F6: paint on the map")


def test_a_letter_is_a_custom_key_in_text_places_only_for_a_tick() -> None:
    own = read_keys(own_keys('[scenario_end]\non_map = "o"\neliminated = "z"\nput = "f5"\n'))
    assert own.keymap == {"scenario_end.eliminated": "z", "scenario_end.put": "f5"}
    assert own.problems == [
        'scenario_end.on_map: "o" is typed as text there; enter a function key or Ctrl key'
    ]


def test_an_old_action_name_in_custom_keys_is_read_with_a_notice() -> None:
    own = read_keys(own_keys('[dialogs]\ndecline = "f11"\n'))
    assert own.keymap == {"dialogs.withdraw": "f11"}
    assert own.problems == [
        "dialogs.decline is now called dialogs.withdraw; the old name was accepted"
    ]


def test_every_old_key_and_name_refers_to_an_action() -> None:
    assert [id for id, _ in MOVED.values() if id not in BY_ID] == []
    assert [new for old, new in NAMES.items() if old in BY_ID or new not in BY_ID] == []
    for (place, key), (id, _) in MOVED.items():
        assert key not in keys(BY_ID[id]), f"{place}: {key} has not moved"


@pytest.mark.parametrize(
    ("room", "key", "told"),
    [
        ("dashboard", "P", "Setup is p now (P in 1.0)."),
        ("dashboard", "t", "Theme has no key now (t in 1.0): Ctrl+P finds it."),
        ("dashboard", "i", "i is End of scenario since 1.1; Import is <."),
        ("forces", "n", "End of scenario is i now (n in 1.0)."),
        ("journal", "o", "o is Export since 1.1; Show only is v."),
        ("journal", "n", "Note is t now (n in 1.0)."),
        ("refit", "n", "End of scenario is i now (n in 1.0)."),
        ("home", "n", "New is N now (n in 1.0)."),
    ],
)
async def test_a_moved_key_names_the_new_one(
    demo_file: Path, room: str, key: str, told: str
) -> None:
    async with opened(played(demo_file, None), room=room) as (app, pilot):
        notices: list[str] = []
        app.show_notice = notices.append  # type: ignore[method-assign]
        await press(pilot, key)
        assert notices[:1] == [told]


async def test_a_reassigned_key_names_the_new_one_once(demo_file: Path) -> None:
    async with in_refit(played(demo_file, "15.6111"), notifications=True) as (app, pilot):
        told: list[str] = []
        app.show_notice = told.append  # type: ignore[method-assign]
        before = (await settled(pilot)).mark
        await press(pilot, "r", "r")
        assert told == ["Roll is Space now (r in 1.0)."] * 2, "it does nothing here"
        await press(pilot, "p", "r", "p")
        assert app.current_mode == "setup"
        assert told[2:] == ["p is Setup since 1.1; Steps is I."], "it does something else here"
        assert (await settled(pilot)).mark == before


async def test_a_new_demo_does_not_name_keys_of_an_older_version(demo_file: Path) -> None:
    app = BrtApp(demo_file, tour=True)
    async with app.run_test(size=MIDDLE) as pilot:
        await settled(pilot)
        told: list[str] = []
        app.show_notice = told.append  # type: ignore[method-assign]
        await press(pilot, "enter")
        await press(pilot, "enter")  # the rulings, as they are
        await press(pilot, "p")
        assert app.current_mode == "setup"
        assert not any("since 1.1" in words for words in told)


async def test_q_closes_no_box_and_names_the_right_key(demo_file: Path) -> None:
    async with opened(demo_file, notifications=True) as (app, pilot):
        await press(pilot, "f9", "q")
        assert app.screen.is_modal
        assert "Close is Esc now (q in 1.0)." in [notice.message for notice in app._notifications]


async def test_wrong_custom_keys_are_reported_on_the_screen(demo_file: Path) -> None:
    own_keys('[everywhere]\nhlep = "x"\n')
    async with opened(demo_file, size=MIDDLE, notifications=True) as (app, _):
        assert "did you mean help?" in " ".join(screen_text(app).split())


async def test_the_palette_finds_actions_by_synonyms(demo_file: Path) -> None:
    looked_for = {
        "CVP": "Dashboard",
        "VP": "Dashboard",
        "score": "Dashboard",
        "SAN": "Dashboard",
        "roster": "Forces",
        "order of battle": "Order of battle",
        "print": "Export",
        "forged": "Audit",
        "perimeter": "Map",
        "exit": "Quit",
        "play aids": "Play aids",
        "save": "Quit",
        "revert": "Undo",
        "und": "Undo",
        "go back": "Undo",
        "FPP": "Buy",
        "purchases": "Buy",
        "allotment": "Allotments",
        "ELR": "Totals",
        "house rule": "Rulings",
        "umpire": "Seat",
        "colours": "Theme",
        "hip sheet": "Export",
        "rename": "Forces",
        "what happened": "Journal",
        "next date": "Refit",
        "why is CVP 131": "Why?",
        "please print me a roster": "Export",
    }
    async with opened(demo_file) as (app, pilot):
        offered = possible_actions(app, app.screen)
        first = {words: find_actions(app, offered, words)[0].label for words in looked_for}
        await pilot.press("ctrl+p", *"umpire")
        await pilot.pause(0.3)
        assert "›Seat (s)" in screen_text(app), "the row is marked without colour too"
        assert find_actions(app, offered, "xyzzy") == find_actions(app, offered, ""), "never empty"
    assert first == looked_for


def test_the_guide_lists_every_key_place_and_its_example_works() -> None:
    guide = (GUIDE / "open.txt").read_text("utf-8")
    words = set(guide.replace(",", " ").replace(":", " ").split())
    assert {EVERYWHERE, POINT, *PARTS} <= words
    lines = guide.partition("and point:\n\n")[2].partition("\n\n")[0]
    own = read_keys(own_keys("\n".join(map(str.strip, lines.splitlines()))))
    assert own.problems == []
    assert own.keymap["lists.page_down"] == "pagedown,ctrl+d"


def test_the_help_avoids_what_is_and_all_that() -> None:
    roundabout = re.compile(r"\b(?:what is|all that) ", re.IGNORECASE)
    helped = {action.id: action.help for action in ACTIONS}
    guides = {path.name: path.read_text("utf-8") for path in GUIDE.iterdir()}
    found = {id: roundabout.search(text) for id, text in (helped | guides).items()}
    assert {id: hit[0] for id, hit in found.items() if hit} == {}


async def test_the_palette_lists_recent_then_next_then_local_actions(
    demo_file: Path,
) -> None:
    async with in_refit(demo_file) as (app, pilot):
        labels = [
            action.label for action in find_actions(app, possible_actions(app, app.screen), "")
        ]
        assert labels != sorted(labels)
        assert labels.index("Play on") < labels.index("Forces") < labels.index("Undo")
        await press(pilot, "d")
        assert find_actions(app, possible_actions(app, app.screen), "")[0].label == "Refit", (
            "the next step"
        )
        for words in ("journal", "export"):
            await pilot.press("ctrl+p", *words, "enter")
            await settled(pilot)
        await press(pilot, "f")
        labels = [
            action.label for action in find_actions(app, possible_actions(app, app.screen), "")
        ]
        assert labels[:2] == ["Export", "Journal"], "the last first"
    assert load_memory().used == ["everywhere.export", "everywhere.journal"], "the next time too"
