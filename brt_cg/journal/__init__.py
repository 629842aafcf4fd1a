"""The journal: entries and their chain, folding, undo, and playing from one question to the next."""
