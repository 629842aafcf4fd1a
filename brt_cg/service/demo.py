"""The demo campaign: laid out in a folder, and played without the screen."""

from collections.abc import Iterator
from pathlib import Path

from brt_cg.card import load_card
from brt_cg.exports.roster import roster_files
from brt_cg.files import make_folder, patiently, write_whole
from brt_cg.imports.state_file import read_state
from brt_cg.imports.text_files import read_allotments
from brt_cg.questions.dice import DiceSource
from brt_cg.refit.sequence import TITLES
from brt_cg.resources import campaigns
from brt_cg.service.desk import Desk
from brt_cg.service.supply import Supply
from brt_cg.service.whole import whole
from brt_cg.storage.place import Address, Place
from brt_cg.text import in_shell

NAME = "demo.brt"
HERE = Path()


def folder_for(wanted: Path | None, within: Path = HERE) -> Path:
    """The folder to play in: the wanted one, or a new one `within` a folder."""
    if wanted is not None:
        make_folder(wanted)
        return wanted
    taken = (within / f"brt-demo-{number}" for number in range(2, 10_000))
    folder = next(folder for folder in (within / "brt-demo", *taken) if not folder.exists())
    folder.mkdir()
    return folder


def lay_out(where: Place) -> Place:
    """Makes the demo campaign in a folder or at an address, at the end of its scenario; returns its
    file, or the address.

    A demo that is in the folder already is kept beside it, as demo.brt.1 and so on.
    """
    path: Place = where
    if isinstance(where, Path):
        path = demo = where / NAME
        if demo.exists():
            kept = (demo.with_suffix(f".brt.{number}") for number in range(1, 10_000))
            free = next(each for each in kept if not each.exists())
            patiently(lambda: demo.rename(free))
    source = campaigns() / "demo"
    asked = {
        "cg": "III",
        "name": "Demo: Betio, 20 Nov 1943",
        "allotments": read_allotments(source / "allotments.toml", load_card("III")),
    }
    desk = Desk.create(path, asked)
    ended = read_state(source / "state.json") | {"missing": None, "side": None}
    desk.command("import", ended)
    desk.close()
    return path


def play(folder: Path, dice: DiceSource, where: Address | None = None) -> Iterator[str]:
    """Lays the demo out, in the folder or at an address, plays its whole Refit Phase, and yields
    lines for the player. The rosters go into the folder."""
    path = lay_out(where or folder)
    desk = Desk.open(path)
    situation = whole(desk).campaign.situation
    yield f"{whole(desk).card.title}, after the {situation.date} scenario: {path}"
    yield "The allotments of this demo are illustrative: the CG card is not in the program."
    heading = None
    for entry in desk.play(Supply(dice=dice, defaults=True)):
        if entry.rule in TITLES and entry.rule != heading:
            heading = entry.rule
            yield ""
            yield f"{heading} {TITLES[heading]}"
        for sentence in entry.said:
            yield f"  {sentence.text}"
    yield from _rosters(desk, folder)
    situation = whole(desk).campaign.situation
    yield f"The next scenario is {situation.date}."
    yield f"Look at it with: brt-cg open {in_shell(path)}"
    desk.close()


def _rosters(desk: Desk, folder: Path) -> Iterator[str]:
    for name, text in roster_files(desk.book()).items():
        write_whole(folder / name, text, private=True)
        yield ""
        yield text.rstrip("\n")
    yield ""
    yield f"The rosters are in {folder}."
