"""Makes the campaign files of the newest revision, once, when that revision is released.

`python -m tests.storage.files.make` from the top of a checkout makes all of them; a name or more
after it, only those. They stay as they were made: what later programs must still read, fold,
audit and play on with.

- `REVISION.brt`: a record of every kind, written without rules.
- `REVISION-demo.brt.gz`: the demo campaign played through a Refit Phase on the command line:
  purchases, drafts, voids, a correction, a ruling, reinforcements, secrets, undo and redo.
- `REVISION-cg3.brt.gz`: a campaign of CG III from its first setup on, in its third Refit Phase,
  a question open.

Beside each packed one stands its state, as `export state` wrote it on that day.
"""

import gzip
import shlex
import sys
import tempfile
from pathlib import Path

from brt_cg.cli import main
from brt_cg.storage.reader import HEAD
from tests.storage.pen import sql, write_a_campaign

HERE = Path(__file__).parent
CHECKOUT = HERE.parents[2]
PLACES = {
    "DEMO": CHECKOUT / "campaigns" / "demo",
    "CG3": CHECKOUT / "tests" / "recorded" / "cg3-eight-dates",
}

DEMO = """
new FILE --cg III --allotments DEMO/allotments.toml
buy FILE hmg --side japanese --beach red_three --location L40
buy FILE pillbox_1_4_6 --side japanese --beach red_one --location M22 --arc N21,N22
buy FILE hip_squad --side japanese --beach red_three --draft
buy FILE at_37l --side japanese --beach black_one --draft
draft FILE commit --side japanese
buy FILE wire --side japanese --beach red_one --draft
draft FILE discard --side japanese
buy FILE foxhole_1s --side japanese --beach green --qty 2
void FILE pj5 --reason "meant for another beach"
allot FILE --side japanese --beach black_two --gpp 12
import FILE DEMO/state.json --missing keep --yes
rulings FILE --set R-SPLIT=every
edit FILE m-ldr-1 name=Shoup --reason "a name"
refit FILE --auto --seed 20 --through 15.6032
undo FILE
redo FILE
undo FILE --command
refit FILE --auto --seed 21 --through 15.611
undo FILE
undo FILE
redo FILE
refit FILE --auto --seed 22 --through 15.613
refit FILE
buy FILE concealment --side japanese --beach island --qty 3
buy FILE san_increase --side marine
buy FILE foxhole_2s --side marine
refit FILE --auto --seed 23
"""

CG3 = """
new FILE --cg III
reinforce FILE CG3/order-of-battle.json
refit FILE --answers CG3/20-AM-setup.json --auto --seed 1
import FILE CG3/20-AM.json --yes
refit FILE --answers CG3/20-AM-refit.json --auto --seed 2
import FILE CG3/20-PM.json --yes
refit FILE --answers CG3/20-PM-refit.json --auto --seed 3
import FILE CG3/20-NT.json --yes
refit FILE --answers CG3/20-NT-refit.json --auto --seed 4 --through 15.609
undo FILE
refit FILE
"""

CAMPAIGNS = {"demo": DEMO, "cg3": CG3}


def play(script: str, path: Path) -> None:
    """Does what the lines of a script say, each a command line."""
    for line in script.strip().splitlines():
        words = [str(path) if word == "FILE" else _placed(word) for word in shlex.split(line)]
        status = main(words)
        if status not in (0, 3):  # 3: the question is left open
            raise SystemExit(f"refused: {line}")


def _placed(word: str) -> str:
    place, slash, rest = word.partition("/")
    return str(PLACES[place] / rest) if slash and place in PLACES else word


def pack(path: Path, name: str) -> None:
    """Keeps a campaign as a packed file, its state beside it."""
    sql(path, "VACUUM")
    state = path.with_suffix(".json")
    assert main(["export", str(path), "state", "-o", str(state)]) == 0
    for kept, ending in ((path, "brt"), (state, "json")):
        packed = gzip.compress(kept.read_bytes(), mtime=0)
        (HERE / f"{name}.{ending}.gz").write_bytes(packed)


def write_by_hand() -> None:
    """The file that no rules made."""
    made = HERE / f"{HEAD}.brt"
    made.unlink(missing_ok=True)
    write_a_campaign(made).kept.close()
    sql(made, "VACUUM")


if __name__ == "__main__":
    for name in sys.argv[1:] or ["by-hand", *CAMPAIGNS]:
        if name == "by-hand":
            write_by_hand()
            continue
        with tempfile.TemporaryDirectory() as folder:
            campaign = Path(folder) / f"{name}.brt"
            play(CAMPAIGNS[name], campaign)
            pack(campaign, f"{HEAD}-{name}")
