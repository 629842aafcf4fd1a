"""The end of a scenario."""
