"""The screen's memory between runs, in small files on the player's own machine."""
