"""The actions of every place and their keys, the player's own keys, and the buffer of keys."""
