"""The page in a visitor's browser around a served screen: messages to it, and the files that it
gives."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple, Protocol, runtime_checkable

from textual.message import Message

PALETTE = "f8,colon"  # the keys of the palette there: browsers print with Ctrl+P


@runtime_checkable
class PageDriver(Protocol):
    """A driver of a screen with a page around it."""

    def send_to_page(self, told: Mapping[str, object]) -> None:
        """Send a message to the page, by its "type"."""

    def notify_stored(self) -> None:
        """Notify the server that something has been stored, which others wait for."""


class GivenFile(NamedTuple):
    """A file that a visitor chose: its name without a folder, and its contents."""

    name: str
    data: bytes


class FilesGiven(Message, bubble=False):
    """Sent to the app, and on to the dialog in front, when a visitor has given files."""

    def __init__(self, files: Sequence[GivenFile]) -> None:
        super().__init__()
        self.files = files


class CampaignFileChanged(Message, bubble=False):
    """Sent to the app when the server has seen that the campaign's file has changed."""
