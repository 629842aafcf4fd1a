"""VASL saves: the container, its text and pieces; reading a save, and writing one."""
