"""The dialog that asks for a file, which is typed or found in the tree of folders; a visitor
chooses it in the page around the screen."""

import os
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, ClassVar

from textual import getters, on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.widgets import DirectoryTree, Input, Tree
from textual.widgets.directory_tree import DirEntry
from textual.worker import Worker

from brt_cg.storage.place import SCHEMES, Place, parse_place
from brt_cg.text import quote_typed
from brt_cg.tui.dialogs.dialog import Dialog
from brt_cg.tui.keys.actions import LISTS, bindings_of_named
from brt_cg.tui.look.lines import Static
from brt_cg.tui.session.campaign_app import CampaignApp
from brt_cg.tui.session.page import FilesGiven, GivenFile

TABLE = ".csv"
CAMPAIGN = ".brt"
WHOLE = re.compile(r"/|~[/\\]|~$|\\\\|[A-Za-z]:[/\\]")  # how a whole path begins, on any system


def unquoted(text: str) -> str:
    """Return a path without the quotes that file managers and terminals put around it."""
    text = text.strip()
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] and text[0] in "\"'" else text


def resolve_after_folder(folder: str, typed: str) -> str:
    """Return the meaning of text typed after the folder that the field begins with: a complete path
    or address counts by itself, and so does one in quotes."""
    rest = unquoted(typed.strip().removeprefix(folder))
    is_whole = WHOLE.match(rest) is not None or rest.startswith(SCHEMES)
    in_front = folder if typed.strip().startswith(folder) and not is_whole else ""
    return f"{in_front}{rest}"


def parse_typed_path(text: str) -> Path:
    """Return the path that a player typed. Raises ValueError for a path that the system cannot
    access, such as a name that is too long."""
    try:
        path = Path(unquoted(text)).expanduser()
        path.exists()
    except OSError as error:
        raise ValueError(f"{quote_typed(text)}: {error.strerror}") from None
    except RuntimeError as error:  # "~" with an unknown user
        raise ValueError(f"{quote_typed(text)}: {error}") from None
    return path


def parse_typed_path_or_address(text: str) -> Place:
    """Return the path or the server's address that a player typed. Raises ValueError."""
    place = parse_place(text.strip())
    return parse_typed_path(text) if isinstance(place, Path) else place


class FolderTree(DirectoryTree, inherit_bindings=False):
    """The tree of folders, with the files that have one of the endings."""

    # Textual's own are emojis of two cells.
    ICON_NODE, ICON_NODE_EXPANDED, ICON_FILE = "▸ ", "▾ ", "  "

    app = getters.app(CampaignApp)
    BINDINGS: ClassVar[list[BindingType]] = bindings_of_named(
        LISTS,
        cursor_up="cursor_up",
        cursor_down="cursor_down",
        page_up="page_up",
        page_down="page_down",
        first="scroll_home",
        last="scroll_end",
        select="select_cursor",
        fold="toggle_node",
        unfold="toggle_node",
    )

    def __init__(self, start: Path, endings: tuple[str, ...]) -> None:
        super().__init__(start)
        self.endings = endings

    def run_worker(self, work: Any, *named: Any, **how: Any) -> Worker[Any]:
        """Run a worker as Textual does, without making keys wait for it: Textual's tree has a
        worker that runs as long as the tree is shown."""
        worker = super().run_worker(work, *named, **how)
        self.app.let_keys_pass(worker)
        return worker

    def filter_paths(self, paths: Iterable[Path]) -> Iterable[Path]:
        return [path for path in paths if not path.name.startswith(".") and self._wanted(path)]

    def _wanted(self, path: Path) -> bool:
        return path.suffix.lower() in self.endings or path.is_dir()


class PathScreen(Dialog[Place]):
    """A dialog that asks for a file. `hint` describes the file; the tree begins at `start` and
    shows files with one of the `endings`; the `proposed` file is in the field. If ".csv" is among
    them, a folder of such files is accepted; if ".brt" is, a server's address is accepted too."""

    FOLLOWS = True
    KEYS = "Tab: to the folders · {dialogs.close}: back"

    def __init__(
        self,
        title: str,
        hint: str,
        endings: tuple[str, ...],
        start: Path,
        proposed: Path | None = None,
    ) -> None:
        super().__init__(title)
        self.hint, self.endings, self.start, self.proposed = hint, endings, start, proposed

    @property
    def initial_folder(self) -> str:
        """The folder in the field at first."""
        return f"{self.start}{os.sep}"

    def compose_box(self) -> ComposeResult:
        yield Static(self.hint, markup=False)
        if self.proposed is None:
            yield Input(self.initial_folder, select_on_focus=False)
        else:
            yield Input(str(self.proposed), select_on_focus=True)  # typing replaces it
        yield FolderTree(self.start, self.endings)

    @on(Input.Submitted)
    def _typed(self, event: Input.Submitted) -> None:
        try:
            _ = self.dismiss(self._place(event.value))
        except ValueError as wrong:
            self.app.show_warning(str(wrong))

    def _place(self, typed: str) -> Place:
        """Return the typed file, folder or address: either typed after the initial folder, or in
        place of it. Raises ValueError."""
        typed = resolve_after_folder(self.initial_folder, typed)
        place = (
            parse_typed_path_or_address(typed)
            if CAMPAIGN in self.endings
            else parse_typed_path(typed)
        )
        if not isinstance(place, Path):
            return place
        if not place.exists():
            raise ValueError(f"There is no {place}")
        if place.is_dir() and not (TABLE in self.endings and any(place.glob(f"*{TABLE}"))):
            wanted = " or ".join(self.endings)
            raise ValueError(f"{place} is a folder: choose a file in it that ends in {wanted}")
        return place

    @on(DirectoryTree.FileSelected)
    def _choose_file(self, event: DirectoryTree.FileSelected) -> None:
        _ = self.dismiss(event.path)

    @on(Tree.NodeHighlighted)
    def _looked_at(self, event: "Tree.NodeHighlighted[DirEntry]") -> None:
        tree = self.query_one(FolderTree)
        if tree.has_focus and event.node.data is not None:
            self.query_one(Input).value = str(event.node.data.path)


# --- a visitor's ----------------------------------------------------------------------------------


class UploadScreen(Dialog[Sequence[GivenFile]]):
    """A dialog that waits for files with one of the `endings`; the page asks for them as long as
    the dialog is shown."""

    FOLLOWS = True
    KEYS = "{dialogs.close}: back"

    def __init__(self, title: str, hint: str, endings: tuple[str, ...]) -> None:
        super().__init__(title)
        self.hint, self.endings = hint, endings

    def compose_box(self) -> ComposeResult:
        yield Static(
            f"{self.hint}\n\nYour browser asks which file; for a folder, choose all its tables.",
            markup=False,
        )

    def on_mount(self) -> None:
        wanted = {"title": self.heading, "endings": self.endings}
        self.app.send_to_page({"type": "wants", **wanted})

    def on_unmount(self) -> None:
        self.app.send_to_page({"type": "wants", "endings": []})

    def on_files_given(self, event: FilesGiven) -> None:
        _ = self.dismiss(event.files)
