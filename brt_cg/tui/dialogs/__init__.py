"""The boxes over a room: what is chosen, picked, asked why, read, or looked up in them."""
