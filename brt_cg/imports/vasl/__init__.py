"""VASL save files: the container, its text, and the pieces that the text holds."""
