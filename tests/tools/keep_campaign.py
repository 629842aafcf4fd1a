"""Keeps a campaign played by the program of a commit, named on the command line:
`python -m tests.tools.keep_campaign COMMIT …`.

For each version of the rules tests/kept/files/ holds one campaign, played by the last commit of
that version: `30-5b6ae37f.brt.xz` is of version 30. They stay as they were made. When VERSION is
raised, keep one of the last commit of the version before; a test says so if it is missing. Of
version 16 it is the last commit before form 2 of entries, which lacked a default for a while.

The script plays a whole Refit Phase with purchases, drafts, a void, a correction, undo and redo,
and stops at a question of the next Refit Phase. The commit's own program plays it. A line that
starts with `?` may be refused: an older program had no such item, or another name for a purchase.
Seed 1 gives rolls at 15.6134 that version 31 judges differently; up to version 27 it was 22.
"""

import json
import lzma
import os
import shlex
import sqlite3
import subprocess
import sys
import tarfile
import tempfile
from contextlib import closing
from io import BytesIO
from pathlib import Path
from typing import Final

from tests.homes import homes

CHECKOUT: Final = Path(__file__).parents[2]
FILES: Final = CHECKOUT / "tests" / "kept" / "files"
PARTS: Final = ("brt_cg", "campaigns", "migrations")

SCRIPT: Final = """
new FILE --cg III --allotments DEMO/allotments.toml
?buy FILE hmg --side japanese --beach red_three --location L40
?buy FILE hip_squad --side japanese --beach red_three --draft
?buy FILE at_37l --side japanese --beach black_one --draft
?draft FILE commit --side japanese
?buy FILE foxhole_1s --side japanese --beach green --qty 2
?void FILE p3 --reason "meant for another beach"
?void FILE pj2 --reason "meant for another beach"
import FILE DEMO/state.json --missing keep --yes
?edit FILE m-ldr-1 name=Shoup --reason "a name"
refit FILE --auto --seed 21 --through 15.611
undo FILE
undo FILE
redo FILE
refit FILE --auto --seed 1 --through 15.613
refit FILE
?buy FILE concealment --side japanese --beach island --qty 3
?buy FILE san_increase --side marine
?buy FILE foxhole_2s --side marine
refit FILE --auto --seed 23
export FILE state -o STATE
import FILE STATE --missing keep --yes
refit FILE --auto --seed 24 --through 15.6032
refit FILE
"""

# Takes a command line a line, as a list; says with what status it ended, and its messages.
PLAYER: Final = """
import io, json, sys
from contextlib import redirect_stderr, redirect_stdout
from brt_cg.cli import main
commands, sys.stdin = sys.stdin, io.StringIO()
for line in commands:
    said = io.StringIO()
    with redirect_stdout(io.StringIO()), redirect_stderr(said):
        try:
            status = main(json.loads(line))
        except SystemExit as refused:
            status = refused.code
    print(json.dumps([status, said.getvalue()]), flush=True)
"""


def keep(commit: str) -> Path:
    """Plays the script with the program of a commit, and packs the campaign. Returns its file."""
    words = ("git", "rev-parse", "--short=8", commit)
    name = subprocess.check_output(words, cwd=CHECKOUT, text=True).strip()
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        unpack_program(name, folder / "program")
        campaign = folder / "kept.brt"
        play(folder / "program", campaign)
        kept = FILES / f"{version_of(campaign):02}-{name}.brt.xz"
        kept.write_bytes(lzma.compress(campaign.read_bytes(), preset=9 | lzma.PRESET_EXTREME))
    return kept


def unpack_program(commit: str, folder: Path) -> None:
    """Writes the program of a commit, without its tests, into a folder."""
    archive = subprocess.check_output(("git", "archive", commit, *PARTS), cwd=CHECKOUT)
    with tarfile.open(fileobj=BytesIO(archive)) as files:
        files.extractall(folder, filter="data")


def play(program: Path, campaign: Path) -> None:
    """Plays the script. Raises SystemExit if a line that may not be refused is."""
    state = campaign.with_name("state.json")
    places = {"FILE": str(campaign), "STATE": str(state)}
    settings = {"PYTHONPATH": str(program), **homes(campaign.parent)}
    with subprocess.Popen(
        [sys.executable, "-c", PLAYER],
        cwd=campaign.parent,
        env=os.environ | settings,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as player:
        assert player.stdin is not None
        assert player.stdout is not None
        for line in SCRIPT.strip().splitlines():
            words = [places.get(word, word) for word in shlex.split(line.removeprefix("?"))]
            words = [word.replace("DEMO/", f"{program}/campaigns/demo/") for word in words]
            print(json.dumps(words), file=player.stdin, flush=True)
            status, said = json.loads(player.stdout.readline())
            # 3: the question is left open
            if status not in (0, 3) and not line.startswith("?"):
                raise SystemExit(f"{line}: {said}")
            if words[0] == "export":
                lose_three_marines(state)
        player.stdin.close()


def lose_three_marines(state: Path) -> None:
    """Turns a state into that at the end of the next scenario."""
    found = json.loads(state.read_text("utf-8"))
    found["sides"]["marine"]["cvp"] += 3
    state.write_text(json.dumps(found), "utf-8")


def version_of(campaign: Path) -> int:
    """The version of the rules that made the newest entry; the file is compacted."""
    with closing(sqlite3.connect(campaign, isolation_level=None)) as connection:
        newest = "SELECT payload FROM journal ORDER BY seq DESC LIMIT 1"
        (payload,) = connection.execute(newest).fetchone()
        connection.execute("VACUUM")
    return int(json.loads(payload)["rules"].split(" ")[0])


if __name__ == "__main__":
    for wanted in sys.argv[1:]:
        print(keep(wanted), flush=True)
