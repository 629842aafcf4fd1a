"""The dialogs over a room: to choose, pick, ask why, read, or look something up."""
