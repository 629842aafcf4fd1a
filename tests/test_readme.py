"""The README tells the truth: its first ten minutes are played as they stand there."""

import json
import re
import shlex
import subprocess
import sys
from pathlib import Path

README = (Path(__file__).parents[1] / "README.md").read_text("utf-8")
TOUR = README.partition("## The first ten minutes")[2].partition("\n## ")[0]


def blocks(text: str, language: str) -> list[str]:
    """The fenced blocks of a language."""
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.MULTILINE | re.DOTALL)


def brt_cg(line: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    """What a line of the README that starts with `brt-cg` does."""
    return subprocess.run(
        [sys.executable, "-m", "brt_cg", *shlex.split(line)[1:]],
        cwd=cwd,
        capture_output=True,
        text=True,
    )


def test_the_first_ten_minutes_go_as_the_readme_says(tmp_path: Path) -> None:
    (state,) = blocks(TOUR, "json")
    (tmp_path / "20am.json").write_text(state, "utf-8")
    lines = [line for block in blocks(TOUR, "sh") for line in block.splitlines()]
    for line in lines:
        done = brt_cg(line, tmp_path)
        # Before all is answered, `refit` and `answer` stop at the next question.
        waits = line == "brt-cg refit tarawa.brt" or line.startswith("brt-cg answer")
        assert done.returncode in ({0, 3} if waits else {0}), f"{line}\n{done.stdout}{done.stderr}"
    standing = json.loads(brt_cg("brt-cg status tarawa.brt --json", tmp_path).stdout)
    assert (standing["phase"], standing["date"]) == ("scenario", "20 PM")
    assert (tmp_path / "roster.md").stat().st_size > 0
    assert json.loads((tmp_path / "next.json").read_text("utf-8"))["format"] == "brt-cg/state"


def test_the_purchases_go_as_the_readme_says(tmp_path: Path) -> None:
    section = README.partition("## Purchases")[2].partition("\n## ")[0]
    (tmp_path / "card.toml").write_text(blocks(section, "toml")[0], "utf-8")
    printed = ""
    for line in blocks(section, "sh")[0].splitlines():
        done = brt_cg(line, tmp_path)
        assert done.returncode == 0, f"{line}\n{done.stdout}{done.stderr}"
        printed += done.stdout
    head = re.search(r"Journal `([0-9a-f]{64})`", printed)
    assert head
    assert brt_cg(f"brt-cg audit fortress.brt --head {head[1]}", tmp_path).returncode == 0


def test_the_answers_file_of_the_readme_is_taken(tmp_path: Path) -> None:
    (tmp_path / "20am.json").write_text(blocks(README, "json")[0], "utf-8")
    (tmp_path / "answers.json").write_text(blocks(README, "json")[1], "utf-8")
    for line in (
        "brt-cg new tarawa.brt --cg III",
        "brt-cg import tarawa.brt 20am.json --yes",
        "brt-cg refit tarawa.brt --answers answers.json --auto --seed 7",
    ):
        done = brt_cg(line, tmp_path)
        assert done.returncode == 0, f"{line}\n{done.stdout}{done.stderr}"
    assert "m-ldr-1" in brt_cg("brt-cg explain tarawa.brt m-ldr-1", tmp_path).stdout
