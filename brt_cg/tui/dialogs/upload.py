"""The dialog for a file of a visitor, who chooses it in the page around the screen."""

from collections.abc import Sequence

from textual.app import ComposeResult
from textual.widgets import Static

from brt_cg.tui.dialogs.dialog import Dialog
from brt_cg.tui.session.page import FilesGiven, GivenFile


class UploadScreen(Dialog[Sequence[GivenFile]]):
    """Waits for files with one of the `endings`; the page asks for them as long as it is shown."""

    KEYS = "{dialogs.close}: back"

    def __init__(self, title: str, hint: str, endings: tuple[str, ...]) -> None:
        super().__init__(title)
        self.hint, self.endings = hint, endings

    def inside(self) -> ComposeResult:
        yield Static(
            f"{self.hint}\n\nYour browser asks which file; for a folder, choose all its tables.",
            markup=False,
        )

    def on_mount(self) -> None:
        wanted = {"title": self.heading, "endings": self.endings}
        self.app.tell_page({"type": "wants", **wanted})

    def on_unmount(self) -> None:
        self.app.tell_page({"type": "wants", "endings": []})

    def on_files_given(self, event: FilesGiven) -> None:
        _ = self.dismiss(event.files)
