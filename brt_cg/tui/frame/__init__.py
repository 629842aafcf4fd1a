"""What every room has: header, keys, help, palette, a list below a filter line."""
