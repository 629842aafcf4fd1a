"""The demo campaign: set up in a folder, and played without the screen."""

from collections.abc import Iterator
from pathlib import Path

from brt_cg.card import load_card
from brt_cg.exports.demo import CAMPAIGN_NAME
from brt_cg.exports.roster import roster_markdown_files
from brt_cg.files import make_folder, retry_if_blocked, write_atomically
from brt_cg.imports.state_file import read_state_input
from brt_cg.imports.text_files import read_allotments_file
from brt_cg.questions import DiceSource
from brt_cg.refit.sequence import TITLES
from brt_cg.resources import game_data_folder
from brt_cg.service.answer_supply import AnswerSupply
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.service.unrestricted import unrestricted_campaign
from brt_cg.storage.place import Address, Place
from brt_cg.text import shell_quote

NAME = "demo.brt"
HERE = Path()


def prepare_demo_folder(wanted: Path | None, within: Path = HERE) -> Path:
    """Return the folder to play in: the wanted one, or a new one `within` a folder."""
    if wanted is not None:
        make_folder(wanted)
        return wanted
    taken = (within / f"brt-demo-{number}" for number in range(2, 10_000))
    folder = next(folder for folder in (within / "brt-demo", *taken) if not folder.exists())
    folder.mkdir()
    return folder


def create_demo(where: Place) -> Place:
    """Make the demo campaign in a folder or at an address, at the end of its scenario; return its
    file, or the address.

    A demo that is already in the folder is kept next to it, as demo.brt.1 and so on.
    """
    path: Place = where
    if isinstance(where, Path):
        path = demo = where / NAME
        if demo.exists():
            kept = (demo.with_suffix(f".brt.{number}") for number in range(1, 10_000))
            free = next(each for each in kept if not each.exists())
            retry_if_blocked(lambda: demo.rename(free))
    source = game_data_folder() / "demo"
    asked = {
        "cg": "III",
        "name": CAMPAIGN_NAME,
        "allotments": read_allotments_file(source / "allotments.toml", load_card("III")),
    }
    desk = OpenCampaign.create(path, asked)
    ended = read_state_input(source / "state.json") | {"missing": None, "side": None}
    desk.run_command("import", ended)
    desk.close()
    return path


def play_demo(folder: Path, dice: DiceSource, where: Address | None = None) -> Iterator[str]:
    """Set up the demo in the folder or at an address, play its whole Refit Phase, and yield lines
    for the player. The rosters are written to the folder."""
    path = create_demo(where or folder)
    desk = OpenCampaign.open(path)
    situation = unrestricted_campaign(desk).campaign.situation
    yield f"{unrestricted_campaign(desk).card.title}, after the {situation.date} scenario: {path}"
    yield "The allotments of this demo are only examples, since the CG card is not in the program."
    heading = None
    for entry in desk.play_with_supply(AnswerSupply(dice=dice, defaults=True)):
        if entry.rule in TITLES and entry.rule != heading:
            heading = entry.rule
            yield ""
            yield f"{heading} {TITLES[heading]}"
        for sentence in entry.said:
            yield f"  {sentence.text}"
    yield from _rosters(desk, folder)
    situation = unrestricted_campaign(desk).campaign.situation
    yield f"The next scenario is {situation.date}."
    yield f"To look at it, run brt-cg open {shell_quote(path)}"
    desk.close()


def _rosters(desk: OpenCampaign, folder: Path) -> Iterator[str]:
    for name, text in roster_markdown_files(desk.view()).items():
        write_atomically(folder / name, text, private=True)
        yield ""
        yield text.rstrip("\n")
    yield ""
    yield f"The rosters are in {folder}."
