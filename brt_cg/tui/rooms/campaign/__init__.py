"""The Campaign room."""
