"""The Journal."""
