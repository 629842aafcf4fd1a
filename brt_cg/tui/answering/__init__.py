"""The open question on the screen, and playing on once it is answered."""
