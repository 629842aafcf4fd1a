"""Blood Reef: Tarawa campaign games: the Refit Phase played, explained and kept as a journal."""

__version__ = "1.1.0"
