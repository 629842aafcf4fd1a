"""The Dashboard."""
