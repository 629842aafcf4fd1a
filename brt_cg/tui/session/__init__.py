"""The open campaign as one seat sees it, its thread, and the app as the rooms know it."""
