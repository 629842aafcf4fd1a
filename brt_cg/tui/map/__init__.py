"""The map of Betio on the screen: the contents of each hex, its colours, and the zooms."""
