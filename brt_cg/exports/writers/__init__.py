"""The writers of documents: a file for each format, with one function, `write`."""
