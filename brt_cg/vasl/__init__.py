"""VASL saves: the container, its text and pieces; how a save is read in, and how it is written."""
