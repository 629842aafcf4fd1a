"""The rooms, a folder for each: its screen, what it shows, its forms, style, keys and help."""
