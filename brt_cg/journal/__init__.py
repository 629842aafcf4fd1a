"""The journal: entries and their chain, folding, undo, playing from question to question."""
