"""The Refit Phase."""
