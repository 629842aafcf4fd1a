"""Pointing at the map, as an answer to a question or in a field."""
