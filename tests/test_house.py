"""The house keeps its own rules: what loads what, what no step forgets, what is left open."""

import ast
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import pytest

from brt_cg.cli import main
from tests.cli.shell import Shell

CHECKOUT = Path(__file__).parents[1]
PACKAGE = CHECKOUT / "brt_cg"
SOURCES = sorted(
    path for top in ("brt_cg", "migrations", "tests") for path in (CHECKOUT / top).rglob("*.py")
)
MOST_INNER_IMPORTS = 70
# The most modules of ours, and the most dataclasses, that a command loads and makes.
MOST_MADE = {
    "--help": (12, 0),
    "--version": (12, 0),
    "status {}": (119, 108),
    "note {} seen": (118, 108),
}
HEAVY = ("textual", "sqlalchemy", "alembic", "sqlmodel", "psycopg")


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


def loaded_by(code: str, cwd: Path) -> set[str]:
    """The modules that a fresh Python has loaded after it ran some code."""
    script = (
        "import contextlib, io, sys\n"
        "with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit):\n"
        f"    {code}\n"
        "print(' '.join(sorted(sys.modules)))"
    )
    run = subprocess.run(
        [sys.executable, "-c", script], cwd=cwd, stdout=subprocess.PIPE, text=True, check=True
    )
    return set(run.stdout.split())


def loaded_by_command(arguments: list[str], cwd: Path) -> set[str]:
    """The modules that `brt-cg ARGUMENTS` loads."""
    return loaded_by(
        f"import runpy; sys.argv = {['brt-cg', *arguments]!r}; "
        "runpy.run_module('brt_cg', run_name='__main__')",
        cwd,
    )


@pytest.fixture
def campaign(tmp_path: Path) -> Path:
    """A new campaign."""
    path = tmp_path / "t.brt"
    assert main(["new", str(path), "--cg", "I"]) == 0
    return path


def test_the_rules_load_neither_a_database_nor_a_screen(tmp_path: Path) -> None:
    loaded = loaded_by("import brt_cg.refit", tmp_path)
    assert "brt_cg" in loaded
    assert loaded.isdisjoint({*HEAVY, "sqlite3", "asyncio"})


def test_the_dashboard_loads_no_other_room(tmp_path: Path) -> None:
    loaded = loaded_by("import brt_cg.tui.app, brt_cg.tui.rooms.dashboard.screen", tmp_path)
    assert "textual" in loaded
    rooms = {name.split(".")[3] for name in loaded if name.startswith("brt_cg.tui.rooms.")}
    assert rooms == {"dashboard"}
    assert loaded.isdisjoint({"brt_cg.tui.forms.screen", "brt_cg.tui.frame.help_screen"})


def test_help_loads_nothing_heavy(tmp_path: Path) -> None:
    loaded = loaded_by_command(["--help"], tmp_path)
    assert "argparse" in loaded
    assert loaded.isdisjoint({*HEAVY, "brt_cg.model.campaign"})


def test_reading_a_campaign_loads_nothing_heavy(campaign: Path) -> None:
    loaded = loaded_by_command(["status", str(campaign), "--json"], campaign.parent)
    assert "sqlite3" in loaded
    assert loaded.isdisjoint(HEAVY)


@pytest.mark.parametrize(
    "words", [["new", "{}", "--cg", "II"], ["copy", "t.brt", "{}"], ["repair", "t.brt", "-o", "{}"]]
)
def test_making_a_file_loads_nothing_heavy(words: list[str], campaign: Path) -> None:
    loaded = loaded_by_command([word.format("made.brt") for word in words], campaign.parent)
    assert (campaign.parent / "made.brt").is_file()
    assert loaded.isdisjoint(HEAVY)


def made_by_command(arguments: list[str], cwd: Path) -> tuple[int, int]:
    """How many modules of ours `brt-cg ARGUMENTS` loads, and how many dataclasses these make."""
    told = (
        "atexit.register(lambda: print(len(ours()), sum('__dataclass_fields__' in vars(each) "
        "for name in ours() for each in vars(sys.modules[name]).values() "
        "if isinstance(each, type) and each.__module__ == name), file=sys.stderr))"
    )
    script = (
        "import atexit, runpy, sys\n"
        "def ours(): return [name for name in sys.modules if name.startswith('brt_cg')]\n"
        f"{told}\nsys.argv = {['brt-cg', *arguments]!r}\n"
        "runpy.run_module('brt_cg', run_name='__main__')"
    )
    run = subprocess.run(
        [sys.executable, "-c", script], cwd=cwd, capture_output=True, text=True, check=True
    )
    modules, classes = run.stderr.split()
    return int(modules), int(classes)


@pytest.mark.parametrize(("words", "most"), MOST_MADE.items())
def test_a_command_loads_no_more_modules_than_before(
    words: str, most: tuple[int, int], campaign: Path
) -> None:
    """What is loaded at each start is most of what a short command costs. Who needs more raises
    the number, knowingly."""
    made = made_by_command(words.format(campaign).split(), campaign.parent)
    assert all(0 <= few <= limit for few, limit in zip(made, most, strict=True)), made


def inner_imports() -> list[str]:
    """The imports inside functions, as "file:line"."""
    return sorted(
        {
            f"{path.relative_to(PACKAGE)}:{node.lineno}"
            for path in PACKAGE.rglob("*.py")
            for function in ast.walk(tree(path))
            if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef)
            for node in ast.walk(function)
            if isinstance(node, ast.Import | ast.ImportFrom)
        }
    )


def test_imports_are_at_the_top_except_a_few() -> None:
    """Only what keeps something heavy out of a cold start stands inside a function."""
    assert 0 < len(inner_imports()) <= MOST_INNER_IMPORTS


def test_no_import_needs_another_name() -> None:
    """Two of ours that are wanted in one place have two names."""
    found = [
        f"{path.relative_to(PACKAGE)}:{node.lineno}"
        for path in PACKAGE.rglob("*.py")
        for node in ast.walk(tree(path))
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("brt_cg")
        if any(name.asname for name in node.names)
    ]
    assert found == []


# --- a step that forgets to wait ------------------------------------------------------------------


def coroutines(trees: Iterable[ast.AST]) -> set[str]:
    """The names of all functions and methods that must be awaited."""
    return {
        node.name
        for tree in trees
        for node in ast.walk(tree)
        if isinstance(node, ast.AsyncFunctionDef)
    }


def forgotten(tree: ast.AST, names: set[str]) -> Iterator[str]:
    """The statements that call a coroutine and drop it: it would silently do nothing."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            called = node.value.func
            name = called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")
            if name in names:
                yield f"{node.lineno}: {ast.unparse(node)}"


def test_a_dropped_question_is_found() -> None:
    step = ast.parse(
        "async def melee(play): ...\n"
        "async def step(play):\n"
        "    play.roll('wading')\n"
        "    melee(play)\n"
        "    await melee(play)\n"
        "    play.tell('done')\n"
    )
    names = coroutines([step]) | {"roll"}
    assert list(forgotten(step, names)) == ["3: play.roll('wading')", "4: melee(play)"]


def test_no_step_drops_a_question() -> None:
    trees = {path: tree(path) for path in PACKAGE.glob("refit/**/*.py")}
    names = coroutines(trees.values())
    assert {"roll", "ask"} <= names
    dropped = [
        f"{path.name}:{line}" for path, tree in trees.items() for line in forgotten(tree, names)
    ]
    assert dropped == []


def test_a_step_prints_nothing_and_opens_nothing() -> None:
    found = [
        f"{path.name}:{node.lineno}"
        for path in PACKAGE.glob("refit/**/*.py")
        for node in ast.walk(tree(path))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id in {"print", "open", "input"}
    ]
    assert found == []


def test_output_code_gets_a_view_and_not_the_journal() -> None:
    found = [
        f"{path.name}:{node.lineno}"
        for room in ("cli", "exports", "imports", "tui", "vasl", "web")
        for path in (PACKAGE / room).rglob("*.py")
        if path != PACKAGE / "exports" / "demo.py"  # the demo's own campaign, in memory
        for node in ast.walk(tree(path))
        if isinstance(node, ast.Attribute)
        and (node.attr == "_journal" or (node.attr == "journal" and room in ("cli", "tui")))
    ]
    assert found == []


# What of Python is not there on Windows, and where it is used with a way round.
LACKING = {
    "module": "curses fcntl grp pty pwd readline resource syslog termios tty",
    "os": (
        "chown fchmod fchown lchown getegid getgid fork forkpty getpgid killpg setsid nice "
        "setpriority openpty getloadavg mkfifo posix_fallocate pread pwrite sched_getaffinity sync "
        "uname O_DIRECTORY O_NOFOLLOW"
    ),
    "signal": (
        "SIGALRM SIGCONT SIGHUP SIGKILL SIGPIPE SIGQUIT SIGTSTP SIGUSR1 SIGUSR2 alarm "
        "pthread_sigmask setitimer"
    ),
}
ONLY_ELSEWHERE = {
    "connections.py: os.pread",
    "files.py: os.O_DIRECTORY",
    "files.py: os.chown",
    "forecast/parallel_runs.py: os.sched_getaffinity",
    "web/driver.py: resource",
}


def test_features_missing_on_windows_are_used_only_with_an_alternative() -> None:
    names = {of: {*lacking.split()} for of, lacking in LACKING.items()}
    found = set()
    for path in PACKAGE.rglob("*.py"):
        where = path.relative_to(PACKAGE).as_posix()
        for node in ast.walk(tree(path)):
            match node:
                case ast.Attribute(value=ast.Name(id="os" | "signal" as of), attr=name):
                    if name in names[of]:
                        found.add(f"{where}: {of}.{name}")
                case ast.Import(names=taken):
                    gone = {each.name for each in taken} & names["module"]
                    found.update(f"{where}: {each}" for each in gone)
                case ast.ImportFrom(module=of, names=taken) if of in {
                    *names["module"],
                    "os",
                    "signal",
                }:
                    found.add(f"{where}: from {of}")
    assert found == ONLY_ELSEWHERE


def test_no_test_measures_time() -> None:
    """On a busy machine it would fail; what takes how long is for the benchmarks to say."""
    measured = re.compile(r"\b(perf_counter|process_time|thread_time)\b")
    found = [
        path.relative_to(CHECKOUT).as_posix()
        for path in (CHECKOUT / "tests").rglob("test_*.py")
        if path != Path(__file__) and measured.search(path.read_text("utf-8"))
    ]
    assert found == []


def test_every_room_is_a_package() -> None:
    rooms = {path.parent for path in PACKAGE.rglob("*.py")}
    assert sorted(room.name for room in rooms if not (room / "__init__.py").exists()) == []


# --- the screen decides nothing -------------------------------------------------------------------

# The modules of the screen that draw nothing, and what each takes from the rooms of the rules: a
# rule is decided below the screen, where the command line and a test can ask for it without one.
DRAW_NOTHING = {
    "answering/playback": "",
    "dialogs/campaign_file": "",
    "forms/delivery": "",
    "forms/import_action": "",
    "keys/moved_keys": "",
    "lists/search": "",
    "lists/groups": "",
    "lists/marks": "",
    "map/drawing": "text.halves_text",
    "map/layouts": "",
    "map/sheet": "",
    "memory/pins": "",
    "map/painting": "",
    "memory/recent": "",
    "rooms/journal/log_filter": "",
    "rooms/map/screen": "",
    "rooms/refit/wording": (
        "refit.sequence.NUMBERS refit.unfinished.unfinished_texts "
        "refit.setup_progress.unplaced_counters_lines"
    ),
    "session/clipboard": "",
    "session/first_steps": "",
    "session/last_result": "",
    "session/session": "refit.sequence.NUMBERS refit.sequence.paragraph_of",
}
RULES = ("card", "commands", "journal", "purchases", "refit")
DATA = ("card.Card", "card.Ruling")  # what is passed on, and not asked anything here
CHANGES_COUNTERS = (
    "refit.losses",
    "card.Ladders",
    "card.counter_builder",
    "commands.import_plan",
)


def taken_from(path: Path) -> set[str]:
    """What a module imports by name: "textual.work", "refit.losses.make_prisoner" (of ours)."""
    return {
        f"{node.module}.{name.name}".removeprefix("brt_cg.")
        for node in ast.walk(tree(path))
        if isinstance(node, ast.ImportFrom)
        for name in node.names
    }


def screen_modules() -> dict[str, set[str]]:
    """The modules of the screen, each with what it imports."""
    top = PACKAGE / "tui"
    paths = [path for path in top.rglob("*.py") if path.name != "__init__.py"]
    return {path.relative_to(top).with_suffix("").as_posix(): taken_from(path) for path in paths}


def test_non_drawing_screen_modules_decide_no_rule() -> None:
    bare = {
        module: {name for name in taken if name.split(".")[0] in RULES and name not in DATA}
        for module, taken in screen_modules().items()
        if not any(name.split(".")[0] == "textual" for name in taken)
    }
    more = {
        module: sorted(rules - {*DRAW_NOTHING.get(module, "").split()})
        for module, rules in bare.items()
        if module not in DRAW_NOTHING or rules - {*DRAW_NOTHING[module].split()}
    }
    assert more == {}


def test_the_list_of_non_drawing_modules_is_current() -> None:
    modules = screen_modules()
    assert [module for module in DRAW_NOTHING if module not in modules] == []
    assert [
        (module, name)
        for module, names in DRAW_NOTHING.items()
        for name in names.split()
        if name not in modules[module]
    ] == []


def test_the_screen_changes_no_counter() -> None:
    found = [
        (module, name)
        for module, taken in screen_modules().items()
        for name in taken
        if name.startswith(CHANGES_COUNTERS)
    ]
    assert found == []


# --- what is left open ----------------------------------------------------------------------------


def lines_with(pattern: str) -> list[str]:
    """Where a pattern stands in the sources, as "file:line"; this file itself is not searched."""
    return [
        f"{path.relative_to(CHECKOUT)}:{number}"
        for path in SOURCES
        if path != Path(__file__)
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1)
        if re.search(pattern, line)
    ]


def test_no_driver_mentions_a_rule_number() -> None:
    """A question owns its form: what a rule is about is told in its step. (pictures.py plays the
    demo up to a place that is worth a picture.)"""
    rooms = [one for room in ("tui", "cli", "imports") for one in (PACKAGE / room).rglob("*.py")]
    known = [
        f"{path.relative_to(PACKAGE)}: {node.value}"
        for path in rooms
        if path.name != "pictures.py"
        for node in ast.walk(tree(path))
        if isinstance(node, ast.Constant) and re.fullmatch(r"15\.\d+[a-z]?", str(node.value))
    ]
    assert known == []


def kinds_of_questions() -> set[str]:
    """The names of the classes of questions."""
    bases = {
        node.name: {ast.unparse(base).partition("[")[0] for base in node.bases}
        for path in PACKAGE.rglob("*.py")
        for node in ast.walk(tree(path))
        if isinstance(node, ast.ClassDef)
    }
    found = {"Question"}
    while more := {name for name, named in bases.items() if named & found} - found:
        found |= more
    return found


def test_no_code_checks_the_kind_of_a_question() -> None:
    """A question tells what answers it and how that is typed, listed and worded, so a new kind is
    one class and its test."""
    kinds = kinds_of_questions()
    assert kinds >= {
        "RollQuestion",
        "ChoiceQuestion",
        "EntryQuestion",
        "FigureQuestion",
        "MultiQuestion",
        "QuestionGroup",
        "RandomDraw",
    }
    found = [
        f"{path.relative_to(PACKAGE)}:{node.lineno}"
        for path in PACKAGE.rglob("*.py")
        for node in ast.walk(tree(path))
        if (isinstance(node, ast.MatchClass) and ast.unparse(node.cls) in kinds)
        or (
            isinstance(node, ast.Call)
            and ast.unparse(node.func) in ("isinstance", "type", "issubclass")
            and {name.id for name in ast.walk(node) if isinstance(name, ast.Name)} & kinds
        )
        or (isinstance(node, ast.Compare) and ast.unparse(node.left).endswith("ask.kind"))
    ]
    assert found == []


def test_a_worker_with_arguments_is_described() -> None:
    """Else Textual writes out all that it is given, a whole campaign, each time that it starts."""
    found = [
        (path.relative_to(PACKAGE), node.name)
        for path in sorted((PACKAGE / "tui").rglob("*.py"))
        for node in ast.walk(tree(path))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and len(node.args.args) > 1
        for mark in node.decorator_list
        if isinstance(mark, ast.Call) and getattr(mark.func, "id", "") == "work"
        if "description" not in {keyword.arg for keyword in mark.keywords}
    ]
    assert found == []


def test_no_module_is_too_long_to_read_at_one_sitting() -> None:
    sizes = {path: len(path.read_text("utf-8").splitlines()) for path in PACKAGE.rglob("*.py")}
    assert {str(path): lines for path, lines in sizes.items() if lines > 700} == {}


def test_no_todo_is_left_open() -> None:
    assert lines_with(r"\b(TODO|FIXME|XXX)\b|pragma: no cover") == []


def test_no_test_is_skipped() -> None:
    assert lines_with(r"mark\.(skip|xfail)|pytest\.(skip|xfail|importorskip)|unittest\.skip") == []


def test_the_test_effort_is_set_in_one_place() -> None:
    where = {line.partition(":")[0] for line in lines_with(r"max_examples|stateful_step_count")}
    assert where == {str(Path("tests/conftest.py"))}


# --- the front door -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "command", ["pip install . && brt-cg demo", "pip install '.[test]' && pytest"]
)
def test_the_readme_opens_with_the_two_commands(command: str) -> None:
    first_screen = (CHECKOUT / "README.md").read_text("utf-8").splitlines()[:24]
    assert any(command in line for line in first_screen)


def test_every_command_in_the_readme_exists(brt: Shell) -> None:
    told = brt("--help").out
    readme = (CHECKOUT / "README.md").read_text("utf-8")
    blocks = "".join(re.findall(r"^```sh\n(.*?)^```", readme, re.MULTILINE | re.DOTALL))
    shown = set(re.findall(r"\bbrt-cg ([a-z]+)", blocks))
    assert shown
    assert shown <= set(re.findall(r"[a-z]+", told))


ROOTED = re.compile(r"[> ](/[a-z]+/|[A-Z]:[\\/])")


def test_the_screenshots_show_no_local_folder() -> None:
    pictures = sorted((CHECKOUT / ".pictures").glob("*.svg"))
    assert pictures
    for picture in pictures:
        assert not ROOTED.search(picture.read_text("utf-8").replace("&#160;", " ")), picture.name
