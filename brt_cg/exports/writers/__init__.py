"""How documents are written: a file for each format, with one function, `write`."""
