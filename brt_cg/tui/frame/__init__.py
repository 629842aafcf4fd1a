"""The common frame of the rooms: header, keys, help, palette, a list below a filter line."""
