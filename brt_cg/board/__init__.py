"""Betio: its hexes and Locations, ranges and paths, and Perimeters as players write them."""
