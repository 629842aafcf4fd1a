"""Plays campaigns by seeds on the command line, and records them: all that was typed, the states
that were handed in, and how it ended.

`python -m tests.recorded.by_seed.generate [NAME…]` records all of them, or those named, anew: after
a change of the rules, which may lead to other questions. What is written is to be read before it is
committed; `log.txt`, which is not, tells it in words.
"""

import contextlib
import io
import json
import random
import shlex
import shutil
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from brt_cg.board import grid, locations
from brt_cg.card import load_card
from brt_cg.cli import main
from tests.recorded.by_seed.situations import Situations

HERE: Final = Path(__file__).parent
FILE: Final = "campaign.brt"


@dataclass(frozen=True, slots=True)
class Campaign:
    """A campaign to be played: what is peculiar to it."""

    seed: int
    cg: str
    dates: int = 3  # scenarios played
    bought: int = 0  # orders tried before the first scenario, and at 15.614
    by_hand: int = 4  # questions of each phase answered by hand
    undone: float = 0.2  # how often an answer is taken back
    winner: str | None = None
    massacre: bool = False
    rulings: tuple[str, ...] = ()
    fought_out: bool = False  # with pillboxes that change hands, a Night attack, removal tried


CLOSE: Final = ("R-CG-END=close",)
CAMPAIGNS: Final = {
    "cg1-to-the-last-date": Campaign(101, "I", dates=9, winner="marine"),
    "cg1-massacre": Campaign(102, "I", dates=2, massacre=True),
    "cg1-bought": Campaign(103, "I", dates=2, bought=12),
    "cg2-to-the-last-date": Campaign(
        201, "II", dates=9, by_hand=2, winner="japanese", rulings=CLOSE
    ),
    "cg2-prisoners": Campaign(202, "II", dates=2, massacre=True, by_hand=8),
    "cg2-bought": Campaign(203, "II", dates=2, bought=14, undone=0.5),
    "cg2-other-rulings": Campaign(
        204,
        "II",
        rulings=("R-VP=campaign", "R-SPLIT=every", "R-CVP-REFIT=none", "R-CAPTURE-VP=none"),
    ),
    "cg3-to-the-last-date": Campaign(301, "III", dates=9, by_hand=2, rulings=CLOSE),
    "cg3-undone": Campaign(302, "III", dates=2, by_hand=10, undone=0.8),
    "cg3-bought": Campaign(303, "III", dates=3, bought=20),
    "cg3-nights": Campaign(304, "III", dates=5, winner="japanese"),
    "cg3-by-hand": Campaign(305, "III", dates=2, by_hand=40),
    "cg1-fought-out": Campaign(
        111, "I", dates=9, by_hand=60, undone=0.02, fought_out=True, rulings=CLOSE
    ),
    "cg2-fought-out": Campaign(
        211,
        "II",
        dates=9,
        by_hand=60,
        undone=0.02,
        fought_out=True,
        rulings=(*CLOSE, "R-CAPTURE-VP=none"),
    ),
    "cg3-fought-out": Campaign(
        311, "III", dates=9, by_hand=60, undone=0.02, fought_out=True, rulings=CLOSE
    ),
}


class Table:
    """A campaign being played on the command line; `script` is what was typed that was taken."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.script: list[str] = []
        self.said: list[str] = []

    def type(self, line: str) -> int:
        """Types a line; what is refused is not kept."""
        code, out = run(line, self.folder)
        self.said.append(f"$ {line}\n{out}")
        if code in (0, 3):
            self.script.append(line)
        return code

    def status(self) -> dict[str, Any]:
        _, out = run(f"status {FILE} --json", self.folder)
        found: dict[str, Any] = json.loads(out.partition("\n\x00")[0])
        return found

    def state(self) -> dict[str, Any]:
        run(f"export {FILE} state -o exported.json", self.folder)
        found: dict[str, Any] = json.loads((self.folder / "exported.json").read_text("utf-8"))
        return found


def run(line: str, folder: Path) -> tuple[int, str]:
    """A command line, in a folder: its exit status and what it printed, talk after data."""
    out, talk = io.StringIO(), io.StringIO()
    if line.startswith("import "):  # their CVP are thought up, and the losses only some of them
        line += " --cvp file"
    printed = contextlib.redirect_stdout(out), contextlib.redirect_stderr(talk)
    with contextlib.chdir(folder), printed[0], printed[1]:
        try:
            code = main(shlex.split(line))
        except SystemExit as usage:
            code = usage.code if isinstance(usage.code, int) else 2
    return code, f"{out.getvalue()}\n\x00{talk.getvalue()}"


def play(campaign: Campaign, folder: Path) -> Table:
    """Plays a campaign in an empty folder."""
    chance = random.Random(campaign.seed)
    table = Table(folder)
    situations = Situations(
        chance, campaign.cg, campaign.winner, campaign.massacre, campaign.fought_out
    )
    (folder / "allotments.toml").write_text(_points(campaign), "utf-8")
    assert table.type(f"new {FILE} --cg {campaign.cg} --allotments allotments.toml") == 0
    for ruling in campaign.rulings:
        assert table.type(f"rulings {FILE} --set {ruling}") == 0
    _write(folder / "order-of-battle.json", situations.order_of_battle())
    assert table.type(f"reinforce {FILE} order-of-battle.json") == 0, table.said[-1]
    _buy(table, chance, campaign, campaign.bought)
    assert table.type(f"refit {FILE} --auto --seed {chance.randrange(1000)}") == 0, table.said[-1]
    for _ in range(campaign.dates):
        if table.status()["phase"] != "scenario":
            break
        _scenario(table, situations)
        _refit(table, chance, campaign)
    return table


def _points(campaign: Campaign) -> str:
    beaches = sorted({beach for _, beach in _beach_hexes(campaign.cg)})
    lines = [f'[japanese.{beach}]\ngpp = 12\ncapp = "9^1"\nfpp = 24\n' for beach in beaches]
    return "\n".join([*lines, "[japanese.island]\nfpp = 20\n", "[marine]\nfpp = 20\n"])


def _beach_hexes(cg: str) -> list[tuple[str, str]]:
    limit = getattr(load_card(cg), "max_hex", None) or 63
    return [
        (hex, beach)
        for hex in sorted(locations.hexes_in_play(limit))
        if (beach := locations.beach_of_hex(hex)) is not None
    ]


def _write(path: Path, document: dict[str, Any]) -> None:
    """A state, a counter to a line."""
    parts = []
    for name, value in document.items():
        if isinstance(value, list) and name != "perimeters":
            lines = ",\n".join(f"  {json.dumps(each)}" for each in value)
            parts.append(f'"{name}": [\n{lines}]')
        else:
            parts.append(f'"{name}": {json.dumps(value)}')
    path.write_text("{" + ",\n".join(parts) + "}\n", "utf-8")


def _scenario(table: Table, situations: Situations) -> None:
    """Hands in the end of a scenario; one that is refused is thought up anew."""
    date = table.status()["date"]
    name = f"{date.replace(' ', '-')}.json"
    for _ in range(30):
        _write(table.folder / name, situations.after(date, table.state()))
        if table.type(f"import {FILE} {name} --missing eliminated --yes") == 0:
            return
    raise SystemExit(f"no situation can be imported:\n{table.said[-1]}")


def _refit(table: Table, chance: random.Random, campaign: Campaign) -> None:
    """A Refit Phase: some questions by hand, some answers taken back, the rest by the app."""
    left = campaign.by_hand
    shopped = False
    while table.type(f"refit {FILE}") == 3:
        ask = table.status()["asks"]
        if ask["rule"].startswith("15.614") and campaign.bought and not shopped:
            shopped = True
            _buy(table, chance, campaign, campaign.bought // 2)
        if left == 0:
            break
        left -= 1
        through = chance.choice((None, None, "15.607", "15.611", "15.6132", "15.614"))
        if campaign.fought_out and _fought_for(table, ask):
            continue
        if through is None or not _by_hand(table, chance, ask):
            seed = chance.randrange(1000)
            through = through or ask["rule"]
            if table.type(f"refit {FILE} --auto --seed {seed} --through {through}") == 2:
                break
        if chance.random() < campaign.undone:
            whole = chance.choice(("", " --command"))
            if table.type(f"undo {FILE}{whole}") == 0 and chance.random() < 0.5:
                table.type(f"redo {FILE}")
    if table.status()["phase"] in ("refit", "setup"):
        seed = chance.randrange(1000)
        assert table.type(f"refit {FILE} --auto --seed {seed}") == 0, table.said[-1]


def _by_hand(table: Table, chance: random.Random, ask: dict[str, Any]) -> bool:
    """Answers the open question, if there is a short answer to it that is taken."""
    allowed = ask["allowed"]
    if ask["kind"] == "roll":
        pair = chance.choice((f"{chance.randint(1, 6)}", None))
        values = [pair] if pair else []
        values.append(f"{chance.randint(1, 6)},{chance.randint(1, 6)}")
    elif isinstance(allowed, list):
        values = [json.dumps(each).strip('"') for each in allowed]
        chance.shuffle(values)
    else:
        return False
    return any(table.type(f"answer {FILE} '{value}'") == 0 for value in values[:4])


def _fought_for(table: Table, ask: dict[str, Any]) -> bool:
    """The Night attack is tried and succeeds; what lies about is tried to be removed."""
    if ask["rule"] == "15.616":
        return table.type(f"answer {FILE} yes") == 0
    if ask["rule"] == "15.6203" and ask["kind"] == "roll":
        return table.type(f"answer {FILE} 1") == 0
    if ask["rule"] != "15.6139" or ask["kind"] != "entry":
        return False
    state = table.state()
    lying = [
        each["id"]
        for each in (*state["vehicles"], *state["fortifications"], *state["terrain"])
        if each["fate"] == "in_play" and each["location"] is not None
    ]
    return any(table.type(f"answer {FILE} '{id} +'") == 0 for id in lying)


def _buy(table: Table, chance: random.Random, campaign: Campaign, orders: int) -> None:
    """Orders of all kinds, of which most are refused; drafts are bought or dropped, some voided."""
    card = load_card(campaign.cg)
    places = _beach_hexes(campaign.cg)
    bought = 0
    for _ in range(orders * 6):
        side = chance.choice(("japanese", "japanese", "marine"))
        item = chance.choice(sorted(card.prices))
        place, beach = chance.choice(places)
        hex = chance.choice([place, *grid.neighbors(place)])
        words = f"buy {FILE} {item} --side {side}"
        words += f" --beach {beach}" if side == "japanese" else ""
        words += f" --location {hex}" if chance.random() < 0.6 else ""
        if item.startswith("pillbox"):
            first = chance.choice(grid.neighbors(hex))
            second = chance.choice(
                [near for near in grid.neighbors(hex) if grid.are_adjacent(near, first)]
            )
            words += f" --arc {first},{second} --capacity {chance.randint(1, 3)}"
        words += " --draft" if chance.random() < 0.4 else ""
        bought += table.type(words) == 0
        if bought == orders:
            break
    for side in ("japanese", "marine"):
        table.type(f"draft {FILE} {chance.choice(('commit', 'commit', 'discard'))} --side {side}")
    for number in chance.sample(range(1, 12), 4) if bought else ():
        side = chance.choice(("j", "j", "m"))
        table.type(f'void {FILE} p{side}{number} --reason "a slip"')


def end_of(folder: Path) -> dict[str, Any]:
    """How a campaign stands: its state, and what else the status tells."""
    _, out = run(f"status {FILE} --json", folder)
    status = json.loads(out.partition("\n\x00")[0])
    table = Table(folder)
    kept = ["date", "phase", "san", "cvp"]
    kept += ["victor", "victory_points"] if status["phase"] == "over" else []
    return {name: status[name] for name in kept} | {"state": table.state()}


def record(name: str) -> None:
    """Plays a campaign and keeps it in a folder of its own."""
    kept = HERE / name
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        table = play(CAMPAIGNS[name], folder)
        shutil.rmtree(kept, ignore_errors=True)
        kept.mkdir()
        named = {word for line in table.script for word in line.split()}
        for path in sorted(folder.iterdir()):
            if path.name in named and path.name != FILE:
                shutil.copy(path, kept / path.name)
        (kept / "script.txt").write_text("\n".join(table.script) + "\n", "utf-8")
        _write(kept / "end.json", flat(end_of(folder)))
        (kept / "log.txt").write_text("\n".join(table.said).replace("\x00", ""), "utf-8")
        code, found = run(f"audit {FILE}", folder)
        sys.stdout.write(f"{name}: {len(table.script)} commands, audit {code}\n")
        sys.stdout.write(found if code else "")


def flat(end: dict[str, Any]) -> dict[str, Any]:
    """Its state, table by table, beside the rest: so each counter is a line of the file."""
    state = end.pop("state")
    return end | {key: value for key, value in state.items() if key not in ("format", "version")}


if __name__ == "__main__":
    for name in sys.argv[1:] or CAMPAIGNS:
        record(name)
