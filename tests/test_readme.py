"""The README tells the truth: its commands are played as they stand there."""

import json
import re
import shlex
import shutil
import textwrap
from pathlib import Path

import pytest

from brt_cg import __version__
from brt_cg.aids.options import EXAMPLES
from brt_cg.cli.help import GUIDE
from brt_cg.exports.default_keys import fill_in_default_keys
from tests.cli.shell import Shell
from tests.tools.pictures import SHOTS

README = (Path(__file__).parents[1] / "README.md").read_text("utf-8")
TOUR = README.partition("## Without the screen")[2].partition("\n## ")[0]


def blocks(text: str, language: str) -> list[str]:
    """The fenced blocks of a language."""
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.MULTILINE | re.DOTALL)


def do(brt: Shell, line: str, allowed: tuple[int, ...] = (0,)) -> str:
    """What a line of the README that starts with `brt-cg` prints."""
    done = brt(*shlex.split(line)[1:])
    assert done.code in allowed, f"{line}\n{done.out}{done.err}"
    return done.out


def lines_of(text: str) -> list[str]:
    return [line for block in blocks(text, "sh") for line in block.splitlines()]


def take_the_tour(brt: Shell, tmp_path: Path) -> None:
    """The commands of the README, in `tmp_path`."""
    state = indented(guide_to("import"), '{"format"')
    (tmp_path / "20am.json").write_text(state, "utf-8")
    for line in lines_of(TOUR):
        # Before all is answered, `refit` and `answer` stop at the next question.
        waits = line == "brt-cg refit tarawa.brt" or line.startswith("brt-cg answer")
        do(brt, line, (0, 3) if waits else (0,))


@pytest.fixture
def toured(brt: Shell, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    """In `tmp_path` stands what the commands of the README leave; they are run once."""
    left = tmp_path_factory.getbasetemp() / "toured"
    if left.exists():
        shutil.copytree(left, tmp_path, dirs_exist_ok=True)
    else:
        take_the_tour(brt, tmp_path)
        shutil.copytree(tmp_path, left)


def test_the_commands_work_as_the_readme_says(brt: Shell, tmp_path: Path) -> None:
    take_the_tour(brt, tmp_path)
    standing = json.loads(do(brt, "brt-cg status tarawa.brt --json"))
    assert (standing["phase"], standing["date"]) == ("scenario", "20 PM")
    assert (tmp_path / "roster.md").stat().st_size > 0
    assert json.loads((tmp_path / "next.json").read_text("utf-8"))["format"] == "brt-cg/state"


def guide_to(command: str) -> str:
    """What the help of a command tells below its options."""
    return (GUIDE / f"{command}.txt").read_text("utf-8")


def indented(text: str, first: str) -> str:
    """The indented block of a help that begins with these words."""
    found = re.search(rf"^  {re.escape(first)}(?:.*\n)(?:  .*\n)*", text, re.MULTILINE)
    assert found, f"no block begins with {first}"
    return textwrap.dedent(found[0])


def examples_of(text: str) -> list[str]:
    """The examples of a help; what is said beside one stands behind three spaces."""
    whole = re.sub(r" \\\n +", " ", text)
    return [re.split(r" {3,}", line)[0] for line in re.findall(r"^  (brt-cg .*)$", whole, re.M)]


def test_the_purchases_work_as_the_help_says(brt: Shell, tmp_path: Path) -> None:
    text = guide_to("buy")
    (tmp_path / "card.toml").write_text(indented(text, "[japanese.red_one]"), "utf-8")
    printed = "".join(do(brt, line) for line in examples_of(text))
    head = re.search(r"Journal `?([A-Z2-7]{13})\b", printed)
    assert head
    do(brt, f"brt-cg audit fortress.brt --head {head[1]}")


@pytest.mark.usefixtures("toured")
def test_the_play_aids_work_as_their_help_says(brt: Shell, tmp_path: Path) -> None:
    for line in examples_of(EXAMPLES):
        do(brt, line)


@pytest.mark.usefixtures("toured")
def test_the_answers_file_of_the_help_works_after_the_tour(brt: Shell, tmp_path: Path) -> None:
    text = guide_to("refit")
    (tmp_path / "answers.json").write_text(indented(text, '{"format"'), "utf-8")
    do(brt, "brt-cg new again.brt --cg III")
    do(brt, "brt-cg import again.brt 20am.json --yes")
    (with_answers,) = (line for line in examples_of(text) if "--answers" in line)
    do(brt, with_answers.replace("tarawa.brt", "again.brt"))
    assert json.loads(do(brt, "brt-cg status again.brt --json"))["phase"] == "scenario"
    told = do(brt, "brt-cg explain again.brt m-ldr-1")
    assert "dr 3" in told, told


@pytest.mark.parametrize("command", ["rulings", "audit", "edit", "explain", "backups"])
@pytest.mark.usefixtures("toured")
def test_the_examples_of_the_help_work(brt: Shell, tmp_path: Path, command: str) -> None:
    for line in examples_of(guide_to(command)):
        do(brt, line.replace("Hawkins", "m-ldr-1"))


def test_the_order_of_battle_is_entered_as_the_help_says(brt: Shell, tmp_path: Path) -> None:
    text = guide_to("reinforce")
    (tmp_path / "arrivals.json").write_text(indented(text, '{"format"'), "utf-8")
    do(brt, "brt-cg new tarawa.brt --cg II")
    from_state, from_lines, typed_here = examples_of(text)
    assert "added: 4-4-8 squad no. 1\n" in do(brt, from_state)
    (tmp_path / "marines.txt").write_text("4 x 6-6-8\n9-1 Crowe\n", "utf-8")
    assert "9-1 Crowe" in do(brt, from_lines)
    assert "added: 9-1 Crowe" in do(brt, typed_here)


@pytest.mark.usefixtures("toured")
def test_the_forecasts_of_the_help_work(brt: Shell, tmp_path: Path) -> None:
    do(brt, "brt-cg undo tarawa.brt --command")
    answers = indented(guide_to("refit"), '{"format"')
    (tmp_path / "banzai.json").write_text(answers, "utf-8")
    (tmp_path / "no-banzai.json").write_text(answers.replace("true", "false"), "utf-8")
    for line in examples_of(guide_to("forecast")):
        do(brt, f"{line.replace(' --runs 5000', '')} --runs 5")


def test_the_introduction_of_the_readme_is_short() -> None:
    told = README.partition("## Where things are")[0]
    assert len(told.split()) <= 800
    _, sentence, picture, *_ = told.split("\n\n")
    assert re.findall(r"[.:;]", sentence.replace("Reef:", "")) == ["."]
    assert picture.startswith("![")


def test_the_first_sentence_names_the_game_and_the_first_block_has_two_commands() -> None:
    sentence = README.split("\n\n")[1]
    assert "Advanced Squad Leader" in sentence
    assert "Refit Phase" in sentence
    commands = [line.partition("  ")[0] for line in blocks(README, "sh")[0].splitlines()]
    assert commands == ["pip install . && brt-cg demo", "pip install '.[test]' && pytest"]
    assert README.index("ASL rulebook") < README.index("- **Linux**") < README.index("## ")


def test_the_readme_names_the_wheel_of_this_version() -> None:
    assert {*re.findall(r"brt_cg-([\d.]+)-py3", README)} == {__version__}


@pytest.mark.parametrize(
    ("words", "id"),
    [
        ("the Refit Phase\n(`KEY`)", "everywhere.refit"),
        ("press KEY and the program rolls", "refit.roll"),
        ("`KEY` undoes an answer", "everywhere.undo"),
        ("`KEY` explains it", "everywhere.why"),
        ("Press `KEY`, then", "everywhere.home"),
        ("then `KEY`", "home.new"),
        ("**Purchases** (`KEY`)", "everywhere.purchases"),
        ("**Setup** (`KEY`)", "everywhere.setup"),
        ("Press `KEY` to mark a whole side", "setup.on_table"),
        ("Press KEY for the next step", "dashboard.next"),
        ("**On paper** (`KEY`)", "everywhere.export"),
        ("`KEY` shows both", "everywhere.help"),
        ("`KEY` finds every action", "everywhere.command_palette"),
    ],
)
def test_the_readme_names_existing_keys(words: str, id: str) -> None:
    told, key = " ".join(README.split()), fill_in_default_keys(f"{{{id}}}")
    assert " ".join(words.replace("KEY", key).split()) in told


def test_every_screenshot_is_in_the_readme() -> None:
    shown = set(re.findall(r"\(\.pictures/([a-z-]+\.[a-z]+)\)", README))
    assert shown == {f"{shot.name}.svg" for shot in SHOTS} | {"map.svg", "roster.png"}
    assert shown == {path.name for path in (Path(__file__).parents[1] / ".pictures").iterdir()}


def test_every_link_of_the_readme_has_its_target() -> None:
    commands = set(re.findall(r"`(\w+) --help`", README))
    assert len(commands) > 5
    assert all(guide_to(command) for command in commands - {"aid"})


def test_every_room_and_module_is_in_the_readme() -> None:
    places = README.partition("## Where things are")[2].partition("\n## ")[0]
    package = Path(__file__).parents[1] / "brt_cg"
    names = {path.name + "/" * path.is_dir() for path in package.iterdir()}
    houses = {name for name in names if not name.startswith(("__", "py.typed"))}
    assert not [name for name in sorted(houses) if f"{name}`" not in places]
