"""Whatever is typed: one of the four exit statuses, and never a traceback."""

import shutil
from pathlib import Path
from random import Random

import pytest

from tests.cli.shell import Shell, shell
from tests.settings import count

TRIES = count(ci=150, full=10_000)
COMMANDS = (
    *("new", "import", "reinforce", "note", "edit", "rulings", "refit", "answer", "undo", "redo"),
    *("buy", "void", "purchases", "draft", "allot", "status", "export", "explain", "audit"),
    *("backups", "restore", "repair", "completion", "aid"),
)
WORDS = (
    *("FILE", "m-sq-1", "j-ldr-1", "N20", "15.611", "marine", "japanese", "both", "--side"),
    *("--json", "--auto", "--seed", "1", "--through", "--head", "--qty", "-1", "9" * 21, "0x1"),
    *("--location", "--reason", "why", "foxhole_1s", "--beach", "red_one", "--draft", "commit"),
    "san=4",
    *("status=[", "name=", "=", "", " ", "\0", "é" * 200, "[[[[", "{}", "null", "NaN", "roster"),
    *("--format", "csv", "-o", "out", "p2", "R-SAN=enter", "--set", "--missing", "keep", "--yes"),
    *("../..", "/dev/null", "1", "--no-backup", "--cg", "III", "japanese my squad", "--answers"),
)


@pytest.fixture
def sh(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Shell:
    folder = tmp_path / "here"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return shell(capsys, folder)


def test_any_arguments_end_without_a_traceback(sh: Shell, file: Path, tmp_path: Path) -> None:
    random = Random(17)
    for number in range(TRIES):
        if number % 25 == 0:
            path = Path(shutil.copy(file, tmp_path / f"fuzzed {number}.brt"))
        words = [random.choice(COMMANDS), *(["FILE"] if random.random() < 0.8 else [])]
        words += random.choices(WORDS, k=random.randrange(6))
        got = sh(*(str(path) if word == "FILE" else word for word in words))
        assert got.code in (0, 1, 2, 3), words
    assert sh("audit", path).code == 0
