"""The Refit Phase: the sequence, and one file per step."""
