"""The errors of a campaign file or server, each with a message for players."""

TAKEN = "already exists; choose another name"
REFUSAL = "entries are only ever added to the journal"  # the triggers' own message
BUSY = "another window or program is writing to it, so nothing was stored; try again"


class StorageError(Exception):
    """Raised when a campaign cannot be used as requested; nothing was stored."""


class BusyError(StorageError):
    """Raised when another program was writing for too long; it is safe to try again."""


class NotACampaignError(StorageError):
    """Raised when there is no campaign in the file."""


class NewerFileError(StorageError):
    """Raised when the file was made by a newer brt-cg than this one."""


class BackupError(StorageError):
    """Raised when no backup could be made before some work, so the work was not done; `reason` says
    why."""

    def __init__(self, when: str, reason: str) -> None:
        self.reason = reason
        super().__init__(
            f"the backup {when} cannot be made, so nothing was done: {reason}; add "
            f"--no-backup to continue without one"
        )


class StaleCampaignError(StorageError):
    """Raised when another window or program has added entries since this one read the campaign."""

    def __init__(self) -> None:
        super().__init__(
            "another window or program has added entries to the campaign, so nothing was stored"
        )


class ReplacedError(StorageError):
    """Raised when another file has taken the place of the campaign."""

    def __init__(self, path: object) -> None:
        super().__init__(
            f"{path} was replaced by another file, so nothing was stored; close the campaign "
            f"and open it again"
        )


class OtherCampaignError(StorageError):
    """Raised when the file or address of the open campaign now holds another campaign."""

    def __init__(self) -> None:
        super().__init__("another campaign has replaced this one, so nothing was stored")


class UnstorableError(StorageError):
    """Raised for a value that a server cannot store; retrying is useless."""

    def __init__(self) -> None:
        super().__init__("the server cannot store such a value, so nothing was stored")


class UnreachableError(StorageError):
    """Raised when there is no connection to the server, which may be only temporary."""


class DamagedError(StorageError):
    """Raised when the journal in the file has been damaged or altered."""
