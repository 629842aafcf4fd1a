"""The map of Betio on the screen: what each hex shows, in which colours, at which zoom."""
