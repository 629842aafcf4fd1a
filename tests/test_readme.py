"""The README tells the truth: its first ten minutes are played as they stand there."""

import json
import re
import shlex
import subprocess
import sys
from pathlib import Path

from tests.cli.shell import Shell

README = (Path(__file__).parents[1] / "README.md").read_text("utf-8")
TOUR = README.partition("## The first ten minutes")[2].partition("\n## ")[0]


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
    """The first ten minutes, in `tmp_path`."""
    (state,) = blocks(TOUR, "json")
    (tmp_path / "20am.json").write_text(state, "utf-8")
    for line in lines_of(TOUR):
        # Before all is answered, `refit` and `answer` stop at the next question.
        waits = line == "brt-cg refit tarawa.brt" or line.startswith("brt-cg answer")
        do(brt, line, (0, 3) if waits else (0,))


def test_the_first_ten_minutes_go_as_the_readme_says(brt: Shell, tmp_path: Path) -> None:
    take_the_tour(brt, tmp_path)
    standing = json.loads(do(brt, "brt-cg status tarawa.brt --json"))
    assert (standing["phase"], standing["date"]) == ("scenario", "20 PM")
    assert (tmp_path / "roster.md").stat().st_size > 0
    assert json.loads((tmp_path / "next.json").read_text("utf-8"))["format"] == "brt-cg/state"


def test_the_purchases_go_as_the_readme_says(brt: Shell, tmp_path: Path) -> None:
    section = README.partition("## Purchases")[2].partition("\n## ")[0]
    (tmp_path / "card.toml").write_text(blocks(section, "toml")[0], "utf-8")
    printed = "".join(do(brt, line) for line in lines_of(section))
    head = re.search(r"Journal `?([0-9a-f]{64})", printed)
    assert head
    do(brt, f"brt-cg audit fortress.brt --head {head[1]}")


def test_the_play_aids_go_as_the_readme_says(brt: Shell, tmp_path: Path) -> None:
    for line in lines_of(README.partition("## Play aids")[2].partition("\n## ")[0]):
        do(brt, line)


def test_the_answers_file_of_the_readme_is_taken_after_its_tour(brt: Shell, tmp_path: Path) -> None:
    take_the_tour(brt, tmp_path)
    section = README.partition("## An answers file")[2].partition("\n## ")[0]
    (tmp_path / "answers.json").write_text(blocks(section, "json")[0], "utf-8")
    for line in lines_of(section):
        do(brt, line)
    assert json.loads(do(brt, "brt-cg status again.brt --json"))["phase"] == "scenario"
    told = do(brt, "brt-cg explain again.brt m-ldr-1")
    assert "dr 3" in told, told


def test_the_program_is_started_as_the_readme_says(tmp_path: Path) -> None:
    """Each line above is run within this process; that a shell can start it, is seen here."""
    line = lines_of(TOUR)[0]
    words = [sys.executable, "-m", "brt_cg", *shlex.split(line)[1:]]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "tarawa.brt").is_file()
