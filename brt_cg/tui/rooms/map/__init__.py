"""The Map."""
