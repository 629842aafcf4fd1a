"""The forecast."""
