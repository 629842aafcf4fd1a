"""The only way in and out for a player's files.

At a terminal, the files are on that machine, at a path that the player chooses; a visitor's files
go to the browser and come from it, and the visitor never sees a path.
"""

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal
from zipfile import ZIP_DEFLATED, ZipFile

from brt_cg.exports import save_document
from brt_cg.exports.blocks import Output
from brt_cg.files import check_file_name, is_replaceable, player_files_folder
from brt_cg.model import Side
from brt_cg.questions import Problem, RefusedError
from brt_cg.storage.place import Place
from brt_cg.text import truncate_long_words_and_lines
from brt_cg.tui.dialogs.choice import confirm
from brt_cg.tui.dialogs.path import TABLE, PathScreen, UploadScreen
from brt_cg.tui.session.campaign_app import CampaignApp
from brt_cg.tui.session.page import GivenFile

PRINTING = "Open it in a browser and print it from there."
IN_A_TAB = "It opens in its own tab: print it from there."


async def deliver_document(
    app: CampaignApp, made: Output, path: Path, whose: Side | str | None, shows: bool = False
) -> str:
    """Deliver a document, seen from `whose` view (None: the umpire's): to `path` in a terminal, as
    a download of that name in a browser, or in a new tab if it `shows`. Return the place. Raises
    RefusedError if the player does not agree to overwrite a file there; OSError, with the file."""
    if app.served:
        return _to_browser(app, made, path.name, shows)
    if not await _may_write(app, made, path):
        raise RefusedError(Problem("path", "nothing was written; choose another name"))
    files = save_document(made, path, private=whose != "public", force=True)
    return str(files[0]) if len(files) == 1 else f"{len(files)} files in {path}"


def report_delivery(app: CampaignApp, words: str) -> None:
    """Report the place of a document."""
    title = "Sent to your browser" if app.served else "Written"
    app.notify(words, title=title, timeout=10, markup=False)


def folder_of_campaign(place: Place) -> Path:
    """Return the folder of a campaign's file; the player's documents folder for one on a server."""
    return place.parent if isinstance(place, Path) else player_files_folder()


def default_path(
    place: Place, whose: Side | str | None, document: str = "", ending: str = ""
) -> Path:
    """Return the file proposed for a document, or a mail, of a campaign: beside it, with the view
    in its name."""
    parts = filter(None, (place.stem, document, whose))
    return folder_of_campaign(place) / f"{'-'.join(parts)}{ending}"


def is_irreplaceable_file(path: Path, content: str | bytes | None = None) -> bool:
    """Whether the path holds a file with other content that was changed after an export, or that no
    export wrote."""
    return path.exists() and not is_replaceable(path, content)


async def _may_write(app: CampaignApp, made: Output, path: Path) -> bool:
    """Whether the existing file was exported and has not been edited since, or the player agrees to
    overwrite it."""
    files: dict[Path, str | bytes] = {}
    if isinstance(made, dict):
        files.update((path / name, text) for name, text in made.items())
    else:
        files[path] = made
    taken = [file for file, text in files.items() if is_irreplaceable_file(file, text)]
    words = "\n".join(map(str, taken[:8]))
    return not taken or await confirm(app, "Overwrite it?", words, "overwrite it")


def _to_browser(app: CampaignApp, made: Output, name: str, shows: bool) -> str:
    if isinstance(made, dict):
        made, name = _packed(made), f"{name}.zip"
    data = made.encode() if isinstance(made, str) else made
    how: Literal["browser", "download"] = "browser" if shows else "download"
    app.deliver_binary(BytesIO(data), save_filename=name, open_method=how)
    return name


def _packed(files: Mapping[str, str | bytes]) -> bytes:
    """Pack several files into one."""
    whole = BytesIO()
    with ZipFile(whole, "w", ZIP_DEFLATED) as packed:
        for name, content in files.items():
            packed.writestr(name, content)
    return whole.getvalue()


@asynccontextmanager
async def file_from_player(
    app: CampaignApp,
    title: str,
    hint: str,
    endings: tuple[str, ...],
    start: Path,
    proposed: Path | None = None,
) -> AsyncIterator[Place | None]:
    """Yield a file that the player chooses, for the duration of a `with` block; None if the player
    leaves. A visitor gives it from the browser, and sees nothing of this machine. Raises
    RefusedError."""
    if not app.served:
        yield await app.push_screen_wait(PathScreen(title, hint, endings, start, proposed))
        return
    files = await app.push_screen_wait(UploadScreen(title, hint, endings))
    if not files:
        yield None
        return
    with TemporaryDirectory() as folder:
        try:
            yield _put_down(files, Path(folder), endings)
        except RefusedError as refused:
            raise RefusedError(str(refused).replace(f"{folder}/", "")) from None


def _put_down(files: Sequence[GivenFile], folder: Path, endings: tuple[str, ...]) -> Path:
    """Write a visitor's files into a folder, and return the path to use: the only file, or the
    folder of tables. Raises RefusedError."""
    are_tables = all(file.name.lower().endswith(TABLE) for file in files)
    if len(files) > 1 and not are_tables:
        raise RefusedError(
            f"{len(files)} files do not belong together; choose one, or several tables (CSV)"
        )
    place = folder / "tables" if are_tables else folder
    place.mkdir(exist_ok=True)
    for file in files:
        path = place / Path(file.name).name
        check_file_name(path)
        if path.suffix.lower() not in endings:
            raise RefusedError(f"{path}: choose a file that ends in {' or '.join(endings)}")
        try:
            path.write_bytes(file.data)
        except OSError as error:  # such as a name that is too long
            raise RefusedError(
                f"{truncate_long_words_and_lines(path.name)}: {error.strerror}"
            ) from None
    return place if are_tables else path
