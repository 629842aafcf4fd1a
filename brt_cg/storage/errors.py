"""What can go wrong with a campaign file, each with a message for players."""


class StorageError(Exception):
    """A campaign file cannot be used as was asked; nothing was stored."""


class NotACampaign(StorageError):
    """There is no campaign in that file."""


class NewerFile(StorageError):
    """The file was made by a newer brt-cg than this one."""


class MovedOn(StorageError):
    """Another window or program has added entries since this one read the campaign."""


class Damaged(StorageError):
    """The journal in the file is not as it was written."""
