"""The errors of a campaign file or server, each with a message for players."""

TAKEN = "exists already: choose another name"
REFUSAL = "entries are only ever added to the journal"  # the triggers' own message
BUSY = "another window or program is writing to it; nothing was stored: try again"


class StorageError(Exception):
    """A campaign cannot be used as asked; nothing was stored."""


class NotACampaignError(StorageError):
    """There is no campaign in the file."""


class NewerFileError(StorageError):
    """The file was made by a newer brt-cg than this one."""


class BackupError(StorageError):
    """The backup before some work cannot be made, so the work is not done; `reason` says why."""

    def __init__(self, when: str, reason: str) -> None:
        self.reason = reason
        super().__init__(
            f"the backup {when} cannot be made, so nothing was done: {reason}; "
            "--no-backup goes on without one"
        )


class StaleCampaignError(StorageError):
    """Another window or program has added entries since this one read the campaign."""

    def __init__(self) -> None:
        super().__init__(
            "the campaign has moved on: another window or program has added entries; "
            "nothing was stored"
        )


class ReplacedError(StorageError):
    """Another file has taken the place of the campaign."""

    def __init__(self, path: object) -> None:
        super().__init__(
            f"{path} was replaced by another file; nothing was stored: close the campaign and open "
            "it again"
        )


class OtherCampaignError(StorageError):
    """Another campaign in the file, or at the address, of the open one."""

    def __init__(self) -> None:
        super().__init__(
            "another campaign has taken the place of this one; nothing was stored in it"
        )


class UnstorableError(StorageError):
    """A server can never hold a value, however often it is tried."""

    def __init__(self) -> None:
        super().__init__("the server cannot hold such a value; nothing was stored")


class UnreachableError(StorageError):
    """There is no connection to the server; it may come back."""


class DamagedError(StorageError):
    """The journal in the file has been damaged or altered."""
