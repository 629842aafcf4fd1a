"""Commands of the command line, one after another: each with its undo, and any two of them."""
