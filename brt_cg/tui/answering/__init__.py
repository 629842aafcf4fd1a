"""The open question on the screen, and the play that follows once it is answered."""
