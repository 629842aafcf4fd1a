"""The map of Betio on the screen: the contents of each hex, its colors, and the zooms."""
